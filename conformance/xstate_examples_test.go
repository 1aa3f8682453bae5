package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/charttest/transcript"
	"github.com/detent-run/detent/conformance/internal/xstate"
	"github.com/detent-run/detent/internal/chartgen"
	"github.com/detent-run/detent/statechart"
)

// TestXStateExamples plays the transcripts of examples on their modules in
// XState: each event must do there what it does here.
func TestXStateExamples(t *testing.T) {
	node := startNode(t)
	events := 0
	for _, example := range []struct{ chart, transcripts string }{
		{"search-assistant/search-assistant.yaml", "search-assistant/testdata"},
		{"search-assistant/search-assistant-calls.yaml", "search-assistant/testdata/calls"},
	} {
		definition := exampleChart(t, filepath.Join("../examples", example.chart))
		paths, _ := filepath.Glob(filepath.Join("../examples", example.transcripts, "*.transcript"))
		if len(paths) == 0 {
			t.Errorf("%s has no transcripts", example.chart)
		}
		for _, path := range paths {
			c := xstate.Case{Definition: definition, Script: scriptOf(t, path)}
			t.Run(filepath.Base(path), func(t *testing.T) { alike(t, node, c) })
			events += len(c.Script)
		}
	}
	fmt.Printf("xstate-examples: %d steps of transcripts\n", events)
}

// exampleChart reads a chart. Its calls are made of the source that the
// script of a case can answer.
func exampleChart(t *testing.T, path string) statechart.Definition {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, found := chartfile.Read(path, data)
	if found.Errors() {
		t.Fatal(found)
	}
	for i := range f.Definition.Root.States {
		for k := range f.Definition.Root.States[i].Invoke {
			f.Definition.Root.States[i].Invoke[k].Src = "work"
		}
	}
	return f.Definition
}

// scriptOf is what a transcript does.
func scriptOf(t *testing.T, path string) []chartgen.Op {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	script, err := transcript.Parse(path, text)
	if err != nil {
		t.Fatal(err)
	}
	var ops []chartgen.Op
	for _, s := range script.Steps {
		switch s.Verb {
		case "send":
			ops = append(ops, chartgen.Op{Kind: "event", Name: s.Name, Data: s.Data})
		case "advance":
			ops = append(ops, chartgen.Op{Kind: "advance", Wait: s.Time})
		case "done", "error":
			ops = append(ops, chartgen.Op{Kind: "answer", Name: s.Verb, Data: s.Data})
		case "unknown":
			return ops // XState has no such outcome
		}
	}
	return ops
}
