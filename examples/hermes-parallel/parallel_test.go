// Package parallel_test plays the transcripts of the chart in hermes-parallel.yaml.
package parallel_test

import (
	"os"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/charttest"
	"github.com/detent-run/detent/examples/internal/pins"
)

func TestTranscripts(t *testing.T) {
	file, err := os.ReadFile("hermes-parallel.yaml")
	if err != nil {
		t.Fatal(err)
	}
	chart, err := chartfile.Load("hermes-parallel.yaml", file, nil)
	if err != nil {
		t.Fatal(err)
	}
	charttest.Run(t, chart, "testdata/*.transcript", charttest.Options{})
}

// What the agent must do, and what shows that it does.
func TestEachLineIsShown(t *testing.T) {
	for _, loose := range pins.Loose([]pins.Line{
		{Text: "several tasks at once, in parallel regions", Transcript: "both"},
		{Text: "when both are done there is one report", Transcript: "both"},
		{Text: "what fails in one region does not touch the other", Transcript: "failing"},
		{Text: "giving up takes back the calls of both", Transcript: "abort"},
	}) {
		t.Error(loose)
	}
}
