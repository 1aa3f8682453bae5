package main

import (
	"slices"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/charttest"
	"github.com/detent-run/detent/examples/internal/pins"
	"github.com/detent-run/detent/statechart"
)

func chart(t *testing.T) *statechart.Chart {
	t.Helper()
	c, err := chartfile.Load("hermes.yaml", file, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestTranscripts(t *testing.T) {
	charttest.Run(t, chart(t), "testdata/*.transcript", charttest.Options{})
}

// What the agent must do, and what shows that it does.
func TestEachLineIsShown(t *testing.T) {
	for _, loose := range pins.Loose([]pins.Line{
		{Text: "a new session is in idle", Transcript: "new"},
		{Text: "receive_task with a real task leads to planning; with an empty or blank one it is refused and the state stays idle", Transcript: "task"},
		{Text: "receive_task, plan of one step, plan_ready, call_tool web_search, tool_result_received, finish_execution leads to completed; reset leads to idle", Transcript: "whole"},
		{Text: "call_tool with an unregistered tool is refused", Transcript: "unregistered"},
		{Text: "execution_error leads to error with retry count 0; retry leads to executing with retry count 1", Transcript: "retry"},
		{Text: "with max retries 1: error, retry, error, then retry is refused and the state stays error", Transcript: "last-retry"},
		{Text: "the replay of a session's record prints every transition, and warns where a session entered error or waiting too often", Real: "TestAgent1TheRecordIsReplayed"},
		{Text: "the picture of the chart shows states, events, guards, and the data of states", Waits: "pictures of charts"},
		{Text: "No other transition exists", Test: "TestNoOtherTransitionExists"},
		{Text: "in planning, executing and waiting a new receive_task is deferred, not dropped and not mixed into the running task", Transcript: "busy"},
		{Text: "planning 30 s, executing 60 s, waiting 45 s: passing a limit is an event with an exact timer", Transcript: "limits"},
		{Text: "the real run, with tools that are really called, killed at each call", Real: "TestAgent1KilledAtEachCall"},
		{Text: "the real run drives itself, so that one receive_task leads to completed", Transcript: "itself"},
	}) {
		t.Error(loose)
	}
}

// task, plan and search are events whose guards hold.
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
