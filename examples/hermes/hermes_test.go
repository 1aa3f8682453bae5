package main

import (
	"slices"
	"testing"

	"github.com/detent-run/detent/charttest"
	"github.com/detent-run/detent/statechart"
)

func chart(t *testing.T) *statechart.Chart {
	t.Helper()
	c, err := compile()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestTranscripts(t *testing.T) {
	charttest.Run(t, chart(t), "testdata/*.transcript", charttest.Options{})
}

// plan and search are events whose guards hold.
var (
	task   = statechart.Event{Name: "receive_task", Data: map[string]any{"task": "find the news"}}
	plan   = statechart.Event{Name: "plan_ready", Data: map[string]any{"steps": []any{map[string]any{"tool": "web_search"}}}}
	search = statechart.Event{Name: "call_tool", Data: map[string]any{"tool": "web_search"}}
)

func plain(name string) statechart.Event { return statechart.Event{Name: name} }

// ways leads to each state.
var ways = map[string][]statechart.Event{
	"idle":      nil,
	"planning":  {task},
	"executing": {task, plan},
	"waiting":   {task, plan, search},
	"error":     {task, plain("planning_failed")},
	"completed": {task, plan, plain("finish_execution")},
}

// table is the contract: event, from, to.
var table = [][3]string{
	{"receive_task", "idle", "planning"},
	{"plan_ready", "planning", "executing"},
	{"planning_failed", "planning", "error"},
	{"call_tool", "executing", "waiting"},
	{"finish_execution", "executing", "completed"},
	{"execution_error", "executing", "error"},
	{"tool_result_received", "waiting", "executing"},
	{"needs_replan", "waiting", "planning"},
	{"timeout", "waiting", "error"},
	{"retry", "error", "executing"},
	{"abort", "error", "idle"},
	{"reset", "completed", "idle"},
}

// Each state takes the events of its rows and no other. What it does not take
// changes nothing, and the sender is told why.
func TestNoOtherTransitionExists(t *testing.T) {
	c := chart(t)
	withData := map[string]statechart.Event{"receive_task": task, "plan_ready": plan, "call_tool": search}
	for state, way := range ways {
		for _, row := range table {
			event, ok := withData[row[0]]
			if !ok {
				event = plain(row[0])
			}
			in := c.Instance(nil)
			for _, e := range way {
				in.Send(e)
			}
			result := in.Send(event)
			want, outcome := state, statechart.Ignored
			if i := slices.IndexFunc(table, func(r [3]string) bool { return r[0] == event.Name && r[1] == state }); i >= 0 {
				want, outcome = table[i][2], statechart.Taken
			} else if event.Name == "receive_task" && slices.Contains([]string{"planning", "executing", "waiting"}, state) {
				outcome = statechart.Deferred
			}
			if got := in.Configuration()[0]; got != want || result.Outcome != outcome {
				t.Errorf("in %s, %s is %s and leads to %s; want %s, %s", state, event.Name, result.Outcome, got, outcome, want)
			}
			if outcome != statechart.Taken && (result.Reason == nil || result.Reason.Message == "") {
				t.Errorf("in %s, %s is %s without a reason", state, event.Name, result.Outcome)
			}
		}
	}
}
