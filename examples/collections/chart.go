package main

import "github.com/detent-run/detent/statechart"

// collections collects an overdue debt across systems. Whatever it is doing,
// it can be suspended and resumed at the very leaf, with the data of every
// level as it was, and it can be aborted.
//
// Nothing is counted on entry: a state that is resumed is entered again, and
// its entry actions run again.
var collections = statechart.Definition{
	ID: "collections", Version: "1",
	Events: []statechart.EventDeclaration{
		{Name: "CALLBACK", From: []string{"client"}},
		{Name: "SUSPEND", From: []string{"client", "human"}},
		{Name: "RESUME", From: []string{"client", "human"}},
		{Name: "ABORT_TIMEOUT", From: []string{"client"}},
	},
	Root: statechart.State{
		Initial: "Active",
		Context: []statechart.Variable{
			{Name: "customer", Value: value("customer given")},
			{Name: "plan", Value: []any{}},
			{Name: "proposal", Value: nil}, // promoted by Executing
			{Name: "decision", Value: nil}, // promoted by CodeVerifying
		},
		On: []statechart.Transition{{Event: "ABORT_TIMEOUT", Target: ".Aborted"}},
		States: []statechart.State{
			active,
			suspended,
			{Name: "Completed", Type: statechart.Final, Output: map[string]any{"decision": value("decision")}},
			{Name: "Aborted", Type: statechart.Final, Status: "failed"},
			{Name: "Failed", Type: statechart.Final, Status: "failed"},
		},
	},
}

const failed = "#collections.Failed"

var active = statechart.State{
	Name: "Active", Initial: "Planning",
	On: []statechart.Transition{{Event: "SUSPEND", Target: "Suspended", Actions: []statechart.Action{{
		If:   &statechart.Condition{Name: "wake time is given"},
		Then: []statechart.Action{{Raise: "RESUME", Delay: value("wake time"), ID: "wake"}},
	}}}},
	States: []statechart.State{
		{Name: "Last", Type: statechart.History, History: "deep", Initial: "Planning"},
		planning,
		executing,
		codeVerifying,
	},
}

// suspended keeps a callback that comes meanwhile.
var suspended = statechart.State{
	Name: "Suspended", Defer: []string{"CALLBACK"},
	Context: []statechart.Variable{{Name: "reason", Value: value("reason given")}},
	Exit:    []statechart.Action{{Cancel: "wake"}},
	On:      []statechart.Transition{{Event: "RESUME", Target: "Active.Last"}},
}

var planning = statechart.State{
	Name: "Planning", Tools: []string{"crm.lookup"},
	Invoke: []statechart.Invocation{{
		ID: "planner", Src: "model:default", Timeout: "30s",
		Input:     map[string]any{"prompt": "Plan the collection", "customer": value("customer")},
		OnDone:    []statechart.Transition{{Target: "Executing", Actions: set("plan", value("steps given"))}},
		OnError:   to(failed),
		OnUnknown: to(failed),
	}},
}

// executing passes on what ToolInvocation has learned, and no more.
var executing = statechart.State{
	Name: "Executing", Initial: "ToolInvocation",
	Context: []statechart.Variable{{Name: "acknowledgement", Value: nil}},
	Promote: []statechart.Promotion{{Variable: "proposal", Value: value("acknowledgement")}},
	States:  []statechart.State{toolInvocation},
}

// toolInvocation owns what it takes to get through to the bank.
var toolInvocation = statechart.State{
	Name: "ToolInvocation", Initial: "AssembleMessage", Defer: []string{"CALLBACK"},
	Context: []statechart.Variable{
		{Name: "message", Value: nil},
		{Name: "credential", Value: nil},
		{Name: "attempts", Value: 0},
		{Name: "lastStatus", Value: nil},
		{Name: "backoff", Value: 0},
		{Name: "answer", Value: nil},
	},
	Promote: []statechart.Promotion{{Variable: "acknowledgement", Value: value("what the bank said")}},
	States: []statechart.State{
		{Name: "AssembleMessage", Invoke: []statechart.Invocation{{
			ID: "assemble", Src: "tool:letter.assemble", Input: map[string]any{"customer": value("customer"), "plan": value("plan")},
			OnDone:    []statechart.Transition{{Target: "Handshake", Actions: set("message", value("event data"))}},
			OnError:   to("ManualReview"),
			OnUnknown: to("ManualReview"),
		}}},
		handshake,
		waitingAck,
		{Name: "Retrying", After: []statechart.Timed{{Delay: value("backoff"), Keep: true, Transitions: to("Handshake")}}},
		{Name: "ManualReview", Invoke: []statechart.Invocation{{
			ID: "review", Src: "human:approve", Input: map[string]any{"question": "Call again?", "customer": value("customer")},
			OnDone:    []statechart.Transition{{Target: "Handshake", Actions: set("attempts", 0)}},
			OnError:   to(failed),
			OnUnknown: to(failed),
		}}},
	},
}

// handshake is made once: its key is the customer's, whatever happens in
// between, and a credential that is already there is used.
var handshake = statechart.State{
	Name:   "Handshake",
	Always: []statechart.Transition{{Guard: statechart.When("credential is there"), Target: "WaitingAck"}},
	Invoke: []statechart.Invocation{{
		ID: "handshake", Src: "tool:bank.handshake", Mode: "reconcile", Key: value("customer"), Timeout: "20s",
		Input: map[string]any{"customer": value("customer"), "message": value("message")},
		OnDone: []statechart.Transition{{Target: "WaitingAck",
			Actions: []statechart.Action{{Assign: []statechart.Variable{{Name: "credential", Value: value("credential given")}, {Name: "lastStatus", Value: 200}}}}}},
		OnError: []statechart.Transition{
			{Guard: statechart.All(statechart.When("rate limited"), statechart.When("attempts are left")), Target: "Retrying", Actions: []statechart.Action{{Call: "back off"}}},
			{Target: "ManualReview", Actions: set("lastStatus", value("status given"))},
		},
		OnUnknown: to("ManualReview"),
	}},
}

var waitingAck = statechart.State{
	Name: "WaitingAck",
	On: []statechart.Transition{
		{Event: "CALLBACK", Guard: statechart.When("bank agrees"), Target: "#collections.Active.CodeVerifying", Actions: set("answer", value("event data"))},
		{Event: "CALLBACK", Target: "ManualReview"},
	},
	After: []statechart.Timed{{Delay: "15m", Keep: true, Transitions: to("ManualReview")}},
}

// codeVerifying makes a decision out of the proposal.
var codeVerifying = statechart.State{
	Name: "CodeVerifying", Initial: "SyntaxChecking",
	Context: []statechart.Variable{{Name: "verdict", Value: nil}},
	Promote: []statechart.Promotion{{Variable: "decision", Value: value("verdict")}},
	States: []statechart.State{
		{Name: "SyntaxChecking", Invoke: []statechart.Invocation{{
			ID: "syntax", Src: "tool:code.syntax", Input: value("proposal"),
			OnDone: to("SandboxRunning"), OnError: to(failed), OnUnknown: to(failed),
		}}},
		{Name: "SandboxRunning", Invoke: []statechart.Invocation{{
			ID: "sandbox", Src: "tool:code.sandbox", Input: value("proposal"),
			OnDone:  []statechart.Transition{{Target: "#collections.Completed", Actions: set("verdict", value("event data"))}},
			OnError: to(failed), OnUnknown: to(failed),
		}}},
	},
}

func value(name string) statechart.Expression { return statechart.Expression(name) }

func to(target string) []statechart.Transition { return []statechart.Transition{{Target: target}} }

func set(name string, v any) []statechart.Action {
	return []statechart.Action{{Assign: []statechart.Variable{{Name: name, Value: v}}}}
}
