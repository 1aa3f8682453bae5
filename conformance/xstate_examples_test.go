package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/detent-run/detent/chartfile"
	export "github.com/detent-run/detent/chartfile/xstate"
	"github.com/detent-run/detent/charttest/transcript"
	"github.com/detent-run/detent/conformance/internal/xstate"
	"github.com/detent-run/detent/internal/chartgen"
	"github.com/detent-run/detent/statechart"
)

// TestXStateExamples plays the transcripts of examples on their modules in
// XState: each event must do there what it does here.
func TestXStateExamples(t *testing.T) {
	fetched(t, xstate.Package)
	node, err := xstate.Start(".cache")
	if err != nil {
		fmt.Fprintf(os.Stderr, "\nSKIPPED, not passed: %s. No example was played on XState: %v\n\n", t.Name(), err)
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	defer func() {
		if err := node.Close(); err != nil {
			t.Error(err)
		}
	}()
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
			ours, err := xstate.Ours(c)
			if err != nil {
				t.Fatal(err)
			}
			module, err := export.Module(c.Definition)
			if err != nil {
				t.Fatal(err)
			}
			theirs, err := node.Play(c, module)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			if d := xstate.Compare(ours.Steps, theirs.Steps); d != nil {
				t.Errorf("%s:\n%s", path, d)
			}
			if len(ours.Steps) != len(c.Script)+1 || len(theirs.Steps) < len(ours.Steps) {
				t.Errorf("%s: of %d steps %d were played here and %d there", path, len(c.Script), len(ours.Steps), len(theirs.Steps))
			}
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
