package charttest

import (
	"testing"

	"github.com/detent-run/detent/statechart"
)

func compile(t *testing.T, d statechart.Definition, r *statechart.Registry) *statechart.Chart {
	t.Helper()
	chart, err := statechart.Compile(d, r)
	if err != nil {
		t.Fatal(err)
	}
	return chart
}

func on(event, target string, actions ...statechart.Action) statechart.Transition {
	return statechart.Transition{Event: event, Target: target, Actions: actions}
}

func set(name string, value any) statechart.Action {
	return statechart.Action{Assign: []statechart.Variable{{Name: name, Value: value}}}
}

// workshop has something of everything that a transcript shows.
var workshop = statechart.Definition{
	ID:    "workshop",
	Lists: []string{"ledger"},
	Events: []statechart.EventDeclaration{
		{Name: "job", From: []string{"client", "human"}},
	},
	Root: statechart.State{
		Initial: "idle",
		Context: []statechart.Variable{{Name: "served", Value: int64(0)}, {Name: "job", Value: nil}},
		On:      []statechart.Transition{on("close", ".closed")},
		States: []statechart.State{
			{Name: "idle", On: []statechart.Transition{
				{Event: "job", Guard: statechart.When("named"), Target: "working", Actions: []statechart.Action{set("job", statechart.Expression("eventData"))}},
				on("talk", "", talk...), on("remind", "", remind), on("forget", "", statechart.Action{Cancel: "later"}),
				on("ring", "", statechart.Action{Log: "it rings"}),
				on("error.communication", "", statechart.Action{Log: "nobody hears", Level: "warn"}),
				on("break", "", statechart.Action{Call: "fail"}),
				on("hire", "hiring"), on("mail", "", statechart.Action{Do: &statechart.Invocation{ID: "mail", Src: "tool:mail", Input: "hello"}}),
				on("done.do.mail", "", set("served", int64(7))),
			}},
			working,
			{Name: "paused", On: []statechart.Transition{on("resume", "working.last")}},
			{Name: "hiring", Invoke: []statechart.Invocation{{ID: "helper", Src: "chart:helper", Input: "be quick",
				OnDone: []statechart.Transition{on("", "idle")}, OnError: []statechart.Transition{on("", "idle")}}}},
			{Name: "closed", Type: statechart.Final, Output: map[string]any{"served": statechart.Expression("served")}},
		},
	},
}

var talk = []statechart.Action{
	{Emit: "said", Data: "hello"},
	{Log: map[string]any{"at": int64(1)}, Level: "debug"},
	{Append: "ledger", Data: []any{true, 1.0, nil}},
	{Send: "ring"},
	{Send: "hear", To: "nobody", Data: int64(1)},
	{Raise: "echo", Data: int64(2)},
}

var remind = statechart.Action{Raise: "ring", Delay: "1m30s", ID: "later", Data: int64(3)}

var working = statechart.State{
	Name: "working", Initial: "cutting", Defer: []string{"job"},
	Context: []statechart.Variable{{Name: "cuts", Value: int64(1)}},
	Promote: []statechart.Promotion{{Variable: "served", Value: statechart.Expression("cuts"), Merge: "max"}},
	On:      []statechart.Transition{on("pause", "paused")},
	States: []statechart.State{
		{Name: "last", Type: statechart.History, History: "deep"},
		{
			Name:   "cutting",
			On:     []statechart.Transition{on("cut", "", set("cuts", int64(2)))},
			After:  []statechart.Timed{{Delay: "10s", Keep: true, Transitions: []statechart.Transition{on("", "sending")}}},
			Every:  []statechart.Timed{{Delay: "4s", Transitions: []statechart.Transition{on("", "", statechart.Action{Log: "tick"})}}},
			Entry:  []statechart.Action{{Log: "cut"}},
			Invoke: []statechart.Invocation{saw},
		},
		{Name: "sending", WarnAfter: "1h", On: []statechart.Transition{on("sent", "#workshop.idle")}},
	},
}

var saw = statechart.Invocation{
	ID: "saw", Src: "tool:saw", Input: map[string]any{"cuts": statechart.Expression("cuts")}, Mode: "reconcile", Key: "blade",
	Timeout: "20s", Heartbeat: "1s", Retry: map[string]any{"max": int64(2)}, Choices: []string{"cut", "pause"},
	OnDone:     []statechart.Transition{on("", "sending")},
	OnError:    []statechart.Transition{on("", "#workshop.idle")},
	OnProgress: []statechart.Transition{on("", "", set("cuts", statechart.Expression("eventData")))},
}

// helper is the workshop's child.
var helper = statechart.Definition{ID: "helper", Root: statechart.State{
	Initial: "busy",
	States: []statechart.State{
		{Name: "busy", On: []statechart.Transition{on("finish", "over")}},
		{Name: "over", Type: statechart.Final, Output: "tired"},
	},
}}

func behaviour() *statechart.Registry {
	r := statechart.NewRegistry()
	r.Guard("named", func(s *statechart.Scope) (bool, error) {
		name, ok := s.Event().Data.(string)
		return ok && name != "", nil
	})
	r.Value("eventData", func(s *statechart.Scope) (any, error) { return s.Event().Data, nil })
	for _, name := range []string{"cuts", "served"} {
		r.Value(name, func(s *statechart.Scope) (any, error) { v, _ := s.Get(name); return v, nil })
	}
	r.Action("fail", func(*statechart.Scope) error { return errBroken })
	return r
}
