package world_test

import (
	"slices"
	"testing"

	"github.com/detent-run/detent/internal/world"
	"github.com/detent-run/detent/statechart"
)

// With details each record has its own trace and the session as it was after
// it; without, neither.
func TestDetails(t *testing.T) {
	c := compile(t, "c",
		statechart.State{Name: "a", Defer: []string{"later"}, On: []statechart.Transition{on("go", "b")}},
		statechart.State{Name: "b", On: []statechart.Transition{on("later", "a")}})
	for _, reload := range []bool{false, true} {
		w := world.New(world.Options{Details: true, Reload: reload})
		begin(t, w, "s", c)
		send(t, w, "s", "later", "go")
		if err := w.Run(); err != nil {
			t.Fatal(err)
		}
		entered, after := [][]string{}, []string{}
		for _, r := range w.Records() {
			var paths []string
			for _, e := range r.Trace {
				if e.Kind == statechart.TraceEntered {
					paths = append(paths, e.Name)
				}
			}
			entered, after = append(entered, paths), append(after, r.After.Configuration()...)
		}
		want := [][]string{{"", "a"}, nil, {"b"}, {"a"}}
		if !slices.EqualFunc(entered, want, slices.Equal[[]string]) || !slices.Equal(after, []string{"a", "a", "b", "a"}) {
			t.Errorf("reload %t: entered %q, then in %q", reload, entered, after)
		}
	}
	w := world.New(world.Options{})
	begin(t, w, "s", c)
	if r := w.Records()[0]; r.Trace != nil || !r.After.IsZero() {
		t.Errorf("details that nobody asked for: %v", r)
	}
}

// Who sends an event is what the chart's declaration is held to.
func TestSendAs(t *testing.T) {
	c, err := statechart.Compile(statechart.Definition{ID: "c", Events: []statechart.EventDeclaration{{Name: "go", From: []string{"human"}}},
		Root: statechart.State{On: []statechart.Transition{{Event: "go", Actions: []statechart.Action{{Emit: "gone"}}}}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := world.New(world.Options{})
	begin(t, w, "s", c)
	for from, want := range map[string]statechart.Outcome{"client": statechart.Refused, "human": statechart.Taken} {
		if err := w.SendAs("s", from, statechart.Event{Name: "go"}); err != nil {
			t.Fatal(err)
		}
		if r, ok := w.Step(); !ok || r.Outcome != want {
			t.Errorf("from a %s: %v", from, r)
		}
	}
}
