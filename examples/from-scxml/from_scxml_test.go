// Package fromscxml_test plays the transcripts of the document that
// docs/coming-from-scxml.md shows.
package fromscxml_test

import (
	"os"
	"testing"

	"github.com/detent-run/detent/chartfile/scxml"
	"github.com/detent-run/detent/charttest"
	"github.com/detent-run/detent/statechart"
)

func TestTranscripts(t *testing.T) {
	file, err := os.ReadFile("order.scxml")
	if err != nil {
		t.Fatal(err)
	}
	document, chart, err := scxml.Load("order.scxml", file, scxml.Options{})
	if err != nil {
		t.Fatal(err)
	}
	children := map[string]*statechart.Chart{}
	for id, child := range document.Children {
		compiled, found := child.Compile(nil)
		if err := found.Err(); err != nil {
			t.Fatal(err)
		}
		children[id] = compiled
	}
	charttest.Run(t, chart, "testdata/*.transcript", charttest.Options{Charts: children})
}
