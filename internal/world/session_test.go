package world_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/detent-run/detent/internal/world"
	"github.com/detent-run/detent/statechart"
)

// parent has a child as long as it is in "working", asks it, and goes where
// the child's end or its silence sends it.
func parent(t *testing.T) *statechart.Chart {
	return compile(t, "parent",
		statechart.State{
			Name: "working",
			Invoke: []statechart.Invocation{{ID: "kid", Src: "chart:child",
				OnDone: []statechart.Transition{on("", "done")}, OnError: []statechart.Transition{on("", "failed")}}},
			On: []statechart.Transition{
				on("ask", "", statechart.Action{Send: "question", To: "kid"}),
				on("answer", ""),
				on("break", "", statechart.Action{Send: "break", To: "kid"}),
				on("leave", "left"),
			},
			After: []statechart.Timed{after("1m", "left")},
		},
		statechart.State{Name: "done"},
		statechart.State{Name: "failed"},
		statechart.State{Name: "left", On: []statechart.Transition{on("ask", "", statechart.Action{Send: "question", To: "kid"}), on("error.communication", "failed")}},
	)
}

// child answers a question and is done a second later.
func child(t *testing.T) *statechart.Chart {
	return compile(t, "child",
		statechart.State{Name: "idle", On: []statechart.Transition{
			on("question", "answered", statechart.Action{Send: "answer", To: "parent"}), on("break", "broken")}},
		statechart.State{Name: "answered", After: []statechart.Timed{after("1s", "over")}},
		statechart.State{Name: "over", Type: statechart.Final, Output: "all well"},
		statechart.State{Name: "broken", Type: statechart.Final, Status: "failed"})
}

func family(t *testing.T) *world.World {
	w := world.New(world.Options{Charts: map[string]*statechart.Chart{"child": child(t)}})
	begin(t, w, "p", parent(t))
	must(t, w.Run())
	return w
}

// kid is the child's id: its parent's, the call's, and the counter at the call;
// the timer of the same state came first.
const kid = "p/kid/2"

func TestAChildRunsAndReports(t *testing.T) {
	w := family(t)
	send(t, w, "p", "ask")
	must(t, w.Advance(1000))
	wantRecords(t, w, 0,
		"p#1 detent.init: taken [working]",
		kid+"#1 detent.init: taken [idle]",
		"p#2 ask: taken [working]",
		kid+"#2 question: taken [answered]",
		"p#3 answer: ignored forbidden [working]",
		kid+"#3 after.answered:0: taken [over] completed",
		"p#4 done.invoke.kid: taken [done]")
	if r := w.Records()[6]; r.Event.Data != "all well" {
		t.Errorf("the parent heard %v", r.Event.Data)
	}
}

func TestAFailedChildIsAnError(t *testing.T) {
	w := family(t)
	send(t, w, "p", "break")
	must(t, w.Run())
	wantRecords(t, w, 3,
		kid+"#2 break: taken [broken] failed",
		"p#3 error.invoke.kid: taken [failed]")
}

// R25: a cancelled child is exited, in a macrostep of its own, and its parent
// hears nothing of it.
func TestACancelledChildHearsAndReportsNothing(t *testing.T) {
	w := family(t)
	send(t, w, "p", "ask", "leave")
	w.Step()
	w.Step() // the question is in the child's inbox, the child is cancelled
	must(t, w.Advance(10_000))
	wantRecords(t, w, 2, "p#2 ask: taken [working]", "p#3 leave: taken [left]", "p/kid/2#2 detent.cancel: taken [idle] cancelled")
	if len(w.Calls()) != 0 {
		t.Errorf("open are %v", w.Calls())
	}
}

// R25: nor what the child's exit actions send to it; others hear that.
func TestACancelledChildSendsNothingToItsParent(t *testing.T) {
	leaving := compile(t, "leaving", statechart.State{Name: "run", Exit: []statechart.Action{
		{Send: "last", To: "parent"}, {Send: "last", To: "p"}, {Send: "last", To: "other"}}, On: []statechart.Transition{on("last", "")}})
	w := world.New(world.Options{Charts: map[string]*statechart.Chart{"leaving": leaving}})
	begin(t, w, "p", compile(t, "parent",
		statechart.State{Name: "a", Invoke: []statechart.Invocation{{ID: "kid", Src: "chart:leaving"}}, On: []statechart.Transition{on("leave", "b")}},
		statechart.State{Name: "b", On: []statechart.Transition{on("last", ""), on("error.communication", "")}}))
	begin(t, w, "other", leaving)
	must(t, w.Run())
	send(t, w, "p", "leave")
	must(t, w.Run())
	wantRecords(t, w, 3, "p#2 leave: taken [b]", "p/kid/1#2 detent.cancel: taken [run] cancelled", "other#2 last: ignored forbidden [run]")
}

// A child of a child goes with it.
func TestCancelCascades(t *testing.T) {
	inner := compile(t, "inner", statechart.State{Name: "tick", Every: []statechart.Timed{{Delay: "1s", Transitions: []statechart.Transition{on("", "")}}}})
	middle := compile(t, "middle", statechart.State{Name: "run", Invoke: []statechart.Invocation{{ID: "i", Src: "chart:inner"}}})
	outer := compile(t, "outer",
		statechart.State{Name: "run", Invoke: []statechart.Invocation{{ID: "m", Src: "chart:middle"}}, On: []statechart.Transition{on("stop", "rest")}},
		statechart.State{Name: "rest"})
	w := world.New(world.Options{Charts: map[string]*statechart.Chart{"middle": middle, "inner": inner}})
	begin(t, w, "o", outer)
	must(t, w.Advance(2500))
	send(t, w, "o", "stop")
	must(t, w.Run())
	if due, ok := w.Due(); ok {
		t.Errorf("something is still due at %d", due)
	}
	if len(w.Sessions()) != 3 {
		t.Errorf("sessions are %v", w.Sessions())
	}
}

func TestSendsWithoutAReceiver(t *testing.T) {
	w := family(t)
	send(t, w, "p", "leave", "ask")
	must(t, w.Run())
	wantRecords(t, w, 2,
		"p#2 leave: taken [left]",
		"p/kid/2#2 detent.cancel: taken [idle] cancelled",
		"p#3 ask: taken [left]",
		"p#4 error.communication: taken [failed]")
}

func TestAnUnknownChartIsAnError(t *testing.T) {
	w := world.New(world.Options{})
	begin(t, w, "p", parent(t))
	must(t, w.Run())
	wantRecords(t, w, 1, "p#2 error.invoke.kid: taken [failed]")
}

// A child that cannot even start is an error, too.
// A chart that calls itself ends at a depth, with an error that it hears.
func TestSessionsAreNestedToADepth(t *testing.T) {
	self := compile(t, "self", statechart.State{Name: "a", Invoke: []statechart.Invocation{{ID: "me", Src: "chart:self",
		OnError: []statechart.Transition{on("", "b")}}}}, statechart.State{Name: "b"})
	w := world.New(world.Options{Charts: map[string]*statechart.Chart{"self": self}})
	begin(t, w, "p", self)
	must(t, w.Run())
	if n := len(w.Sessions()); n != 101 {
		t.Errorf("there are %d sessions, want one and 100 below it", n)
	}
	last := w.Records()[len(w.Records())-1]
	if data, _ := last.Event.Data.(map[string]any); last.Event.Name != "error.invoke.me" || data["code"] != "too_deep" || !slices.Equal(last.Configuration, []string{"b"}) {
		t.Errorf("the last record is %s with %v", last, data)
	}
}

func TestAChildThatCannotStart(t *testing.T) {
	reg := statechart.NewRegistry()
	reg.Value("broken", func(*statechart.Scope) (any, error) { return nil, errors.New("no such customer") })
	broken, err := statechart.Compile(statechart.Definition{ID: "child", Root: statechart.State{
		Context: []statechart.Variable{{Name: "customer", Value: statechart.Expression("broken")}},
	}}, reg)
	must(t, err)
	w := world.New(world.Options{Charts: map[string]*statechart.Chart{"child": broken}})
	begin(t, w, "p", parent(t))
	must(t, w.Run())
	last := w.Records()[len(w.Records())-1]
	if last.String() != "p#2 error.invoke.kid: taken [failed]" {
		t.Errorf("the last record is %s", last)
	}
	if problem, _ := last.Event.Data.(map[string]any); problem["code"] != string(statechart.CodeStart) {
		t.Errorf("the parent heard %v", last.Event.Data)
	}
}

func TestSendsBetweenSessions(t *testing.T) {
	asking := compile(t, "asking", statechart.State{Name: "a", On: []statechart.Transition{
		on("start", "", statechart.Action{Send: "go", To: "lamp"}),
		on("later", "", statechart.Action{Send: "stop", To: "lamp", Delay: "5s"}),
	}})
	w := world.New(world.Options{})
	begin(t, w, "asking", asking)
	begin(t, w, "lamp", light(t))
	send(t, w, "asking", "start", "later")
	must(t, w.Advance(5000))
	if got := w.Instance("lamp").Configuration(); len(got) != 1 || got[0] != "red" {
		t.Errorf("the lamp is %v", got)
	}
	last := w.Records()[len(w.Records())-1]
	if last.String() != "lamp#3 stop: taken [red]" || last.Now != 5000 || last.Event.Envelope.From != "session" {
		t.Errorf("last is %s at %d, from %+v", last, last.Now, last.Event.Envelope)
	}
}

// What ends a session ends its calls, and it takes nothing any more.
func TestTheEndOfASession(t *testing.T) {
	c := compile(t, "c",
		statechart.State{Name: "a", Entry: []statechart.Action{{Do: &statechart.Invocation{ID: "d", Src: "tool:x"}}, {Send: "late", Delay: "1s"}},
			On: []statechart.Transition{on("stop", "end"), on("late", "")}},
		statechart.State{Name: "end", Type: statechart.Final})
	w := world.New(world.Options{})
	begin(t, w, "s", c)
	send(t, w, "s", "stop", "late")
	must(t, w.Advance(2000))
	wantRecords(t, w, 1, "s#2 stop: taken [end] completed", "s#2 late: refused ended [end] completed")
	if len(w.Calls()) != 0 {
		t.Errorf("open are %v", w.Calls())
	}
}

// A session that fails in the middle of a macrostep asks for nothing any
// more; its host stops what it had open.
func TestAFailedSessionKeepsNoCalls(t *testing.T) {
	broken := statechart.Action{Foreach: "not a list", Then: []statechart.Action{{Raise: "never"}}}
	c := compile(t, "c", statechart.State{
		Name:   "a",
		Invoke: []statechart.Invocation{{ID: "kid", Src: "chart:child"}, {ID: "call", Src: "tool:x"}},
		On:     []statechart.Transition{on("go", "", broken), on("never", "")},
		After:  []statechart.Timed{after("1s", "a")},
	})
	w := world.New(world.Options{Charts: map[string]*statechart.Chart{"child": child(t)}})
	begin(t, w, "s", c)
	must(t, w.Run())
	if len(w.Calls()) != 2 {
		t.Fatalf("open are %v", w.Calls())
	}
	send(t, w, "s", "go")
	must(t, w.Run())
	wantRecords(t, w, 2, "s#2 go: failed unhandled_error [a] failed", "s/kid/2#2 detent.cancel: taken [idle] cancelled")
	if _, due := w.Due(); len(w.Calls()) != 0 || due {
		t.Errorf("open are %v, something due: %v", w.Calls(), due)
	}
}
