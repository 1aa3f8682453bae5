package main

import "github.com/detent-run/detent/statechart"

// assistant is the search assistant: intent, search, answer, with retries and
// a way out. The chart does nothing but change state. Models and searches are
// asked by whoever watches it, or by the invocations that [invoking] adds.
var assistant = statechart.Definition{
	ID: "search-assistant", Version: "1",
	Root: statechart.State{
		Initial: "idle",
		Entry:   call("configure"),
		States: []statechart.State{
			{Name: "idle", On: []statechart.Transition{
				{Event: "USER_INPUT", Target: "analyzing", Actions: call("storeText")},
			}},
			{Name: "analyzing", Entry: call("clearIntent"), On: []statechart.Transition{
				{Event: "INTENT_DETECTED", Target: "searching", Actions: call("storeIntent")},
				{Event: "INTENT_UNCLEAR", Target: "clarifying"},
			}},
			{Name: "clarifying", On: []statechart.Transition{
				{Event: "USER_CLARIFICATION", Target: "analyzing", Actions: call("storeText")},
			}},
			searching,
			{Name: "generating", On: []statechart.Transition{
				{Event: "GENERATION_COMPLETE", Target: "responding", Actions: call("storeContent")},
				{Event: "TOOL_NEEDED", Target: "toolCalling"},
			}},
			{Name: "toolCalling", On: []statechart.Transition{
				{Event: "TOOL_SEARCH_TRIGGERED", Target: "searching", Actions: call("resetRetries")},
				{Event: "TOOL_COMPLETE", Target: "generating"},
			}},
			{Name: "fallingBack", Entry: call("apologise"), After: []statechart.Timed{
				{Delay: "500ms", Transitions: []statechart.Transition{{Target: "responding"}}},
			}},
			{Name: "responding", On: []statechart.Transition{
				{Event: "RESPONSE_SENT", Target: "idle", Actions: call("clear")},
			}},
		},
	},
}

// searching is entered again for each attempt, and counts it on entry.
var searching = statechart.State{
	Name: "searching", Entry: call("beginSearch"),
	On: []statechart.Transition{
		{Event: "SEARCH_COMPLETE", Target: "generating", Actions: call("storeResults")},
		{Event: "SEARCH_RETRY", Target: "searching", Type: statechart.External, Guard: statechart.When("mayRetry")},
		{Event: "SEARCH_FAILED", Target: "searching", Type: statechart.External, Guard: statechart.When("mayRetry")},
		{Event: "SEARCH_FAILED", Target: "fallingBack", Actions: call("storeError")},
	},
}

func call(name string) []statechart.Action { return []statechart.Action{{Call: name}} }

// invoking is the same chart with the calls declared in it: each end of a
// call raises the event that somebody outside would have sent.
func invoking(d statechart.Definition) statechart.Definition {
	states := make([]statechart.State, len(d.Root.States))
	copy(states, d.Root.States)
	for i := range states {
		if source := sources[states[i].Name]; source != "" {
			states[i].Invoke = []statechart.Invocation{{
				ID: states[i].Name, Src: source, Input: statechart.Expression("context"),
				OnDone: []statechart.Transition{{Actions: call("raiseAnswer")}},
			}}
		}
	}
	d.Root.States = states
	return d
}

// sources say who is asked in each state. In the others the user speaks, or
// time passes.
var sources = map[string]string{
	"analyzing":   "model:intent",
	"searching":   "tool:search",
	"generating":  "model:writer",
	"toolCalling": "tool:any",
	"responding":  "tool:send",
}
