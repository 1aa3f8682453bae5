// Package first_test plays the transcripts of the chart that
// docs/first-chart.md builds.
package first_test

import (
	"os"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/charttest"
)

func TestTranscripts(t *testing.T) {
	file, err := os.ReadFile("ask.yaml")
	if err != nil {
		t.Fatal(err)
	}
	chart, err := chartfile.Load("ask.yaml", file, nil)
	if err != nil {
		t.Fatal(err)
	}
	charttest.Run(t, chart, "testdata/*.transcript", charttest.Options{})
}
