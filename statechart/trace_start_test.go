package statechart_test

import (
	"slices"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// A trace that is given to the start sees the initial macrostep, in place and
// as a value, and goes on afterwards.
func TestFace_TraceOfTheStart(t *testing.T) {
	chart, err := statechart.Compile(statechart.Definition{ID: "t", Root: statechart.State{Initial: "a", States: []statechart.State{
		{Name: "a", Always: []statechart.Transition{{Target: "b"}}},
		{Name: "b", On: []statechart.Transition{{Event: "go", Target: "a"}}},
	}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	entered := func(trace *statechart.Trace) (paths []string) {
		for _, r := range trace.Records {
			if r.Kind == statechart.TraceEntered {
				paths = append(paths, r.Name)
			}
		}
		return paths
	}
	var inPlace, value statechart.Trace
	var in statechart.Instance
	chart.Start(&in, statechart.Start{Trace: &inPlace})
	if got := entered(&inPlace); !slices.Equal(got, []string{"", "a", "b"}) {
		t.Errorf("the start entered %q", got)
	}
	inPlace.Records = nil
	in.Send(statechart.Event{Name: "go"})
	if got := entered(&inPlace); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("the next step entered %q", got)
	}
	if _, err := chart.Begin(statechart.Start{Trace: &value}); err != nil {
		t.Fatal(err)
	}
	if got := entered(&value); !slices.Equal(got, []string{"", "a", "b"}) {
		t.Errorf("the start as a value entered %q", got)
	}
}
