// Package skip_test plays the transcripts of the chart in hermes-skip.yaml.
package skip_test

import (
	"os"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/charttest"
	"github.com/detent-run/detent/examples/internal/pins"
)

func TestTranscripts(t *testing.T) {
	file, err := os.ReadFile("hermes-skip.yaml")
	if err != nil {
		t.Fatal(err)
	}
	chart, err := chartfile.Load("hermes-skip.yaml", file, nil)
	if err != nil {
		t.Fatal(err)
	}
	charttest.Run(t, chart, "testdata/*.transcript", charttest.Options{})
}

// What the agent must do, and what shows that it does.
func TestEachLineIsShown(t *testing.T) {
	for _, loose := range pins.Loose([]pins.Line{
		{Text: "a failed step that may be skipped is skipped", Transcript: "skipped"},
		{Text: "a step that may not be skipped asks a person", Transcript: "needed"},
		{Text: "the result says what is missing", Transcript: "skipped"},
	}) {
		t.Error(loose)
	}
}
