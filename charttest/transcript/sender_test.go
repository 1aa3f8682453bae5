package transcript_test

import (
	"testing"

	"github.com/detent-run/detent/charttest/transcript"
	"github.com/detent-run/detent/statechart"
)

// The step as says who sends the events that follow; a chart may not take
// them from everybody. Before is asked ahead of each step, so that a stand-in
// for a guard can answer by the step.
func TestSenderAndBefore(t *testing.T) {
	open := false
	r := statechart.NewRegistry()
	r.Guard("open", func(*statechart.Scope) (bool, error) { return open, nil })
	chart, err := statechart.Compile(statechart.Definition{ID: "office",
		Events: []statechart.EventDeclaration{{Name: "approve", From: []string{"human"}}},
		Root: statechart.State{Initial: "waiting", States: []statechart.State{
			{Name: "waiting", On: []statechart.Transition{{Event: "approve", Guard: statechart.When("open"), Target: "approved"}}},
			{Name: "approved"},
		}}}, r)
	if err != nil {
		t.Fatal(err)
	}
	text := head + `start
  detent.init: taken
    in waiting

send approve
  approve: refused (not_from)

as human
send approve
  approve: ignored (guard_false)

# The office opens.
send approve
  approve: taken
    in approved

as client
send approve
  approve: refused (not_from)
`
	result, err := play(t, chart, text, transcript.Options{Before: func(s transcript.Step) { open = s.Line > 12 }})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range result.Differences() {
		t.Error(d)
	}
}
