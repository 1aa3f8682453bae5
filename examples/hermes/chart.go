package main

import "github.com/detent-run/detent/statechart"

// hermes is the six-state agent cycle: plan, act, wait for the tool, and
// again, until the task is done. The numbers are those of its table of
// transitions; nothing else is taken.
//
// It is driven by events. The invocations let it drive itself: each end of a
// call raises the event that a person or a program would send.
var hermes = statechart.Definition{
	ID: "hermes", Version: "1",
	Unhandled: "ignore",
	Constants: []statechart.Variable{
		{Name: "tools", Value: []any{"web_search", "code_execution", "file_writing"}},
	},
	Root: statechart.State{
		Initial: "idle",
		Context: []statechart.Variable{
			{Name: "metadata", Value: statechart.Expression("metadata")},
			{Name: "lastResult", Value: nil},
		},
		Entry:  []statechart.Action{{Call: "configure"}},
		States: []statechart.State{idle, planning, executing, waiting, failed, completed},
	},
}

// busy keeps new tasks for the next time in idle.
var busy = []string{"receive_task"}

var idle = statechart.State{
	Name: "idle", Context: since,
	On: []statechart.Transition{{
		Description: "1", Event: "receive_task", Target: "planning",
		Guard:   statechart.When("task is valid"),
		Actions: append(call("initialise"), assign("lastResult", nil)...),
	}},
}

var planning = statechart.State{
	Name: "planning", Context: since, Defer: busy, WarnAfter: "30s",
	Invoke: []statechart.Invocation{{
		ID: "planner", Src: "model:planner",
		Input: map[string]any{"task": statechart.Expression("task"), "lastResult": statechart.Expression("last result")},
		OnDone: []statechart.Transition{
			{Guard: statechart.When("plan has steps"), Actions: raise("plan_ready", answer)},
			{Actions: raise("planning_failed", map[string]any{"type": "empty_plan", "message": "the plan has no step"})},
		},
		OnError:   []statechart.Transition{{Actions: raise("planning_failed", answer)}},
		OnUnknown: []statechart.Transition{{Actions: raise("planning_failed", answer)}},
	}},
	On: []statechart.Transition{
		{Description: "2", Event: "plan_ready", Target: "executing", Guard: statechart.When("plan has steps"), Actions: call("keep the plan")},
		{Description: "3", Event: "planning_failed", Target: "error"},
	},
}

var executing = statechart.State{
	Name: "executing", Context: since, Defer: busy, WarnAfter: "60s",
	Invoke: []statechart.Invocation{{
		ID: "executor", Src: "decide:executor",
		Input:   map[string]any{"step": statechart.Expression("current step"), "lastResult": statechart.Expression("last result")},
		Choices: []string{"call_tool", "finish_execution", "execution_error"},
		OnDone: []statechart.Transition{
			{Guard: statechart.All(chose("call_tool"), statechart.When("tool is registered")), Actions: raise("call_tool", answer)},
			{Guard: chose("finish_execution"), Actions: raise("finish_execution", answer)},
			{Actions: raise("execution_error", map[string]any{"type": "bad_choice", "message": "no registered tool was chosen"})},
		},
		OnError:   []statechart.Transition{{Actions: raise("execution_error", answer)}},
		OnUnknown: []statechart.Transition{{Actions: raise("execution_error", answer)}},
	}},
	On: []statechart.Transition{
		{Description: "4", Event: "call_tool", Target: "waiting", Guard: statechart.When("tool is registered"), Actions: call("record the call")},
		{Description: "5", Event: "finish_execution", Target: "completed"},
		{Description: "6", Event: "execution_error", Target: "error"},
	},
}

// waiting gives up after 45 seconds, by an exact timer that takes transition
// 9; the tool itself has its own timeout.
var waiting = statechart.State{
	Name: "waiting", Defer: busy,
	Context: with(since,
		statechart.Variable{Name: "waitingFor", Value: map[string]any{"tool": statechart.Expression("tool"), "call": statechart.Expression("call id")}},
		statechart.Variable{Name: "timeout", Value: statechart.Expression("tool timeout")}),
	After: []statechart.Timed{{Delay: "45s", Transitions: []statechart.Transition{{Actions: raise("timeout", nil)}}}},
	Invoke: []statechart.Invocation{{
		ID: "tool", Src: statechart.Expression("tool source"),
		Input: statechart.Expression("tool input"), Timeout: statechart.Expression("timeout"),
		OnDone:    []statechart.Transition{{Actions: raise("tool_result_received", answer)}},
		OnError:   []statechart.Transition{{Actions: raise("needs_replan", answer)}},
		OnUnknown: []statechart.Transition{{Actions: raise("needs_replan", answer)}},
	}},
	On: []statechart.Transition{
		{Description: "7", Event: "tool_result_received", Target: "executing", Actions: append(call("count the step"), assign("lastResult", answer)...)},
		{Description: "8", Event: "needs_replan", Target: "planning"},
		{Description: "9", Event: "timeout", Target: "error"},
	},
}

// failed is the state error; its data is what a person needs to decide
// between retry and abort.
var failed = statechart.State{
	Name: "error",
	Context: with(since,
		statechart.Variable{Name: "errorType", Value: statechart.Expression("error type")},
		statechart.Variable{Name: "errorMessage", Value: statechart.Expression("error message")},
		statechart.Variable{Name: "errorFrom", Value: statechart.Expression("error from")}),
	On: []statechart.Transition{
		{Description: "10", Event: "retry", Target: "executing", Guard: statechart.When("may retry"), Actions: call("count the retry")},
		{Description: "11", Event: "abort", Target: "idle", Actions: call("clean up")},
	},
}

var completed = statechart.State{
	Name: "completed",
	Context: with(since,
		statechart.Variable{Name: "result", Value: statechart.Expression("compiled result")},
		statechart.Variable{Name: "tokensUsed", Value: statechart.Expression("tokens")}),
	On: []statechart.Transition{
		{Description: "12", Event: "reset", Target: "idle", Actions: call("clean up")},
	},
}

// since is what every state carries: when it was entered.
var since = []statechart.Variable{{Name: "enteredAt", Value: statechart.Expression("now")}}

// answer is the payload of the event: the output or the error of the call
// that just ended.
const answer = statechart.Expression("event data")

func with(first []statechart.Variable, more ...statechart.Variable) []statechart.Variable {
	return append(first[:len(first):len(first)], more...)
}

func call(name string) []statechart.Action { return []statechart.Action{{Call: name}} }

func assign(name string, value any) []statechart.Action {
	return []statechart.Action{{Assign: []statechart.Variable{{Name: name, Value: value}}}}
}

func raise(event string, data any) []statechart.Action {
	return []statechart.Action{{Raise: event, Data: data}}
}

// chose holds when the executor chose the event.
func chose(event string) statechart.Condition {
	return statechart.Condition{Name: "chose", Params: map[string]any{"event": event}}
}
