// Package fromxstate_test plays the machines that docs/coming-from-xstate.md
// shows.
package fromxstate_test

import (
	"os"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/chartfile/xstate"
	"github.com/detent-run/detent/charttest"
	"github.com/detent-run/detent/statechart"
)

// compiled reads a machine of which nothing is said.
func compiled(t *testing.T, name string, registry *statechart.Registry) *statechart.Chart {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	file, found := xstate.Read(name, data)
	if file == nil {
		t.Fatal(found)
	}
	chart, found := file.Compile(registry)
	if len(found) > 0 {
		t.Fatal(found)
	}
	return chart
}

// The machine that says what its names mean runs as it stands.
func TestTranscript(t *testing.T) {
	charttest.Run(t, compiled(t, "upload.json", nil), "testdata/upload.transcript", charttest.Options{})
}

// The machine that has only names runs with what Go registers for them.
func TestNamesInGo(t *testing.T) {
	registry := chartfile.Behaviour()
	registry.Performer("transfer")
	registry.Guard("mayRetry", func(s *statechart.Scope) (bool, error) {
		return attempts(s) < 3, nil
	})
	registry.Action("keepFile", func(s *statechart.Scope) error {
		data, _ := s.Event().Data.(map[string]any)
		return s.Set("file", data["name"])
	})
	registry.Action("forgetAttempts", func(s *statechart.Scope) error { return s.Set("attempts", int64(0)) })
	registry.Action("countAttempt", func(s *statechart.Scope) error { return s.Set("attempts", attempts(s)+1) })

	in := compiled(t, "names.json", registry).Instance(nil)
	in.Send(statechart.Event{Name: "FILE", Data: map[string]any{"name": "a.txt"}})
	if got := in.Configuration()[0]; got != "sending" || !in.HasTag("busy") {
		t.Errorf("it is in %s", got)
	}
	if got := in.Data()[""]; got["file"] != "a.txt" || got["attempts"] != int64(1) {
		t.Errorf("it has %v", got)
	}
}

func attempts(s *statechart.Scope) int64 {
	v, _ := s.Get("attempts")
	n, _ := v.(int64)
	return n
}
