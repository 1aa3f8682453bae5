package sim

import (
	"testing"

	"github.com/detent-run/detent/statechart"
)

func to(event, target string, actions ...statechart.Action) statechart.Transition {
	return statechart.Transition{Event: event, Target: target, Actions: actions}
}

func list(t ...statechart.Transition) []statechart.Transition { return t }

func after(delay, target string) []statechart.Timed {
	return []statechart.Timed{{Delay: delay, Transitions: list(to("", target))}}
}

// ends lead every end of a call to one place.
func ends(i statechart.Invocation, target string) []statechart.Invocation {
	i.OnDone, i.OnError, i.OnUnknown = list(to("", target)), list(to("", target)), list(to("", target))
	return []statechart.Invocation{i}
}

// heard makes a transition without a target one that does something.
var heard = statechart.Action{Log: "heard"}

var retries = map[string]any{"max": int64(2), "initial": "100ms"}

// calling is a state that makes one call and is left by its end.
func calling(name, src string, i statechart.Invocation) statechart.State {
	i.ID, i.Src = "call", src
	return statechart.State{Name: name, Invoke: ends(i, "rest"), On: list(to("leave", "rest"))}
}

// charts are small, and have between them everything that an engine must keep:
// calls of each mode, of several rounds, held for a yes, and under keys of the
// chart; timers; children that talk; kept events; regions and their history.
func charts(t testing.TB) []*statechart.Chart {
	note := statechart.Action{Do: &statechart.Invocation{ID: "note", Src: "tool:at_least_once", Mode: "at_least_once", Input: int64(1)}}
	pay := statechart.Action{Do: &statechart.Invocation{ID: "pay", Src: "tool:at_most_once", Mode: "at_most_once", Timeout: "2s"}}
	rest := statechart.State{Name: "rest", Defer: []string{"later"},
		On: list(to("go", "at_most_once"), to("again", "at_least_once"), to("ask", "reconcile"), to("rounds", "more"), to("may", "held"), to("kid", "parent"),
			to("tick", "timed"), to("two", "both"), to("back", "both.was"), to("key", "keyed"), to("other", "other"), to("note", "", note, pay),
			to("break", "", statechart.Action{Fail: "on purpose"}), to("end", "over")),
		After: after("60s", "timed")}
	held := calling("held", "tool:at_most_once", statechart.Invocation{Mode: "at_most_once", Timeout: "3s", Approval: map[string]any{"question": "Go on?", "deadline": "90s"}})
	timed := statechart.State{Name: "timed", After: after("1s", "rest"), On: list(to("later", "", heard))}
	over := statechart.State{Name: "over", Type: statechart.Final}
	d := statechart.Definition{ID: "main", Root: statechart.State{Initial: "rest", States: []statechart.State{rest,
		calling("at_most_once", "tool:at_most_once", statechart.Invocation{Mode: "at_most_once", Timeout: "3s", Retry: retries}),
		calling("at_least_once", "tool:at_least_once", statechart.Invocation{Mode: "at_least_once", Timeout: "3s", Retry: retries}),
		calling("reconcile", "tool:reconcile", statechart.Invocation{Mode: "reconcile", Timeout: "3s", Retry: retries}),
		calling("more", "tool:more", statechart.Invocation{Mode: "at_least_once", Timeout: "9s", Retry: retries}),
		// The same key again, now or later, is the same call; with another input
		// it is a conflict.
		calling("other", "tool:keyed", statechart.Invocation{Mode: "at_least_once", Key: "order", Input: "other"}),
		held, timed, parentState(), both(), keyed(), over}}}
	var out []*statechart.Chart
	for _, d := range []statechart.Definition{d, kidChart(), grandchild()} {
		c, err := statechart.Compile(d, nil)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

// both has two regions that go on by themselves, and a history that knows where
// they were.
func both() statechart.State {
	region := func(name, delay, src, mode string) statechart.State {
		return statechart.State{Name: name, Initial: "one", States: []statechart.State{
			{Name: "one", On: list(to("flip", "two")), After: after(delay, "two")},
			{Name: "two", Invoke: ends(statechart.Invocation{ID: name, Src: src, Mode: mode, Timeout: "2s"}, "one"), On: list(to("flip", "one"), to("done", "end"))},
			{Name: "end", Type: statechart.Final}}}
	}
	return statechart.State{Name: "both", Type: statechart.Parallel, OnDone: list(to("", "rest")), On: list(to("leave", "rest")), States: []statechart.State{
		region("left", "15s", "tool:at_most_once", "at_most_once"), region("right", "35s", "tool:at_least_once", "at_least_once"),
		{Name: "was", Type: statechart.History, History: "deep"}}}
}

// keyed makes one call from two regions: its key is the chart's.
func keyed() statechart.State {
	region := func(name string) statechart.State {
		return statechart.State{Name: name, Initial: "call", States: []statechart.State{
			{Name: "call", Invoke: ends(statechart.Invocation{ID: name, Src: "tool:keyed", Mode: "at_least_once", Key: "order", Input: "one"}, "end")},
			{Name: "end", Type: statechart.Final}}}
	}
	return statechart.State{Name: "keyed", Type: statechart.Parallel, OnDone: list(to("", "rest")), On: list(to("leave", "rest")),
		States: []statechart.State{region("first"), region("second")}}
}

// parentState has a child that it talks to.
func parentState() statechart.State {
	return statechart.State{Name: "parent", Invoke: ends(statechart.Invocation{ID: "kid", Src: "chart:kid"}, "rest"),
		On: list(to("leave", "rest"), to("hello", "", heard), to("pong", "", heard), to("poke", "", statechart.Action{Send: "ping", To: "kid"}),
			to("stop", "", statechart.Action{Send: "finish", To: "kid"}))}
}

func kidChart() statechart.Definition {
	return statechart.Definition{ID: "kid", Root: statechart.State{Initial: "wait", States: []statechart.State{
		{Name: "wait", Entry: []statechart.Action{{Send: "hello", To: "parent"}}, After: after("30s", "end"),
			On: list(to("finish", "end"), to("ping", "busy", statechart.Action{Send: "pong", To: "parent"}))},
		{Name: "busy", Invoke: ends(statechart.Invocation{ID: "grand", Src: "chart:grand"}, "wait"), On: list(to("finish", "end"))},
		{Name: "end", Type: statechart.Final, Output: "kid"}}}}
}

func grandchild() statechart.Definition {
	return statechart.Definition{ID: "grand", Root: statechart.State{Initial: "call", States: []statechart.State{
		{Name: "call", Invoke: ends(statechart.Invocation{ID: "call", Src: "tool:at_least_once", Mode: "at_least_once", Timeout: "2s", Retry: retries}, "end"), After: after("4s", "end")},
		{Name: "end", Type: statechart.Final}}}}
}
