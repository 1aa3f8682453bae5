package durable_test

import (
	"context"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/memory"
)

func on(event, target string, actions ...statechart.Action) statechart.Transition {
	return statechart.Transition{Event: event, Target: target, Actions: actions}
}

func compile(t testing.TB, id string, states ...statechart.State) *statechart.Chart {
	t.Helper()
	c, err := statechart.Compile(statechart.Definition{ID: id, Root: statechart.State{Initial: states[0].Name, States: states}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func open(t testing.TB, store durable.Store, c durable.Config) *durable.Engine {
	t.Helper()
	e, err := durable.Open(t.Context(), store, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func within(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func light(t testing.TB) *statechart.Chart {
	return compile(t, "light",
		statechart.State{Name: "red", On: []statechart.Transition{on("go", "green")}},
		statechart.State{Name: "green", On: []statechart.Transition{on("stop", "red"), on("off", "dark")}},
		statechart.State{Name: "dark", Type: statechart.Final})
}

func TestAnEventIsTakenAndRecorded(t *testing.T) {
	store := memory.New()
	charts := durable.NewCharts(light(t))
	e := open(t, store, durable.Config{Charts: charts})
	ctx := within(t)
	a, err := e.Start(ctx, durable.Start{ID: "s", Chart: "light"})
	must(t, err)
	if a.Sequence != 1 || a.Status != durable.Active || !reflect.DeepEqual(a.Configuration, []string{"red"}) {
		t.Errorf("the start is answered by %+v", a)
	}
	a, err = e.Send(ctx, durable.Event{Session: "s", Name: "go", ID: "1"})
	must(t, err)
	if a.Sequence != 2 || a.Outcome != statechart.Taken || a.Configuration[0] != "green" {
		t.Errorf("go is answered by %+v", a)
	}
	a, err = e.Send(ctx, durable.Event{Session: "s", Name: "go", ID: "1"})
	must(t, err)
	if !a.Duplicate || a.Sequence != 2 {
		t.Errorf("the same again is answered by %+v", a)
	}
	must(t, e.Close())
	must(t, store.Close())
	e = open(t, store, durable.Config{Charts: charts})
	a, err = e.Send(ctx, durable.Event{Session: "s", Name: "off", Until: durable.End})
	must(t, err)
	if a.Sequence != 3 || a.Status != durable.Completed {
		t.Errorf("off is answered by %+v", a)
	}
	v, err := e.Verify(ctx, "s")
	must(t, err)
	if len(v.Problems) > 0 || v.Rows != 3 {
		t.Errorf("verified: %+v", v)
	}
}

func TestACallIsMadeAndItsEndTold(t *testing.T) {
	c := compile(t, "caller",
		statechart.State{Name: "calling", Invoke: []statechart.Invocation{{ID: "call", Src: "tool:x", Input: "question", OnDone: []statechart.Transition{on("", "done")}}}},
		statechart.State{Name: "done", After: []statechart.Timed{{Delay: "10ms", Transitions: []statechart.Transition{on("", "over")}}}},
		statechart.State{Name: "over", Type: statechart.Final})
	var heard host.Call
	e := open(t, memory.New(), durable.Config{Charts: durable.NewCharts(c), Performers: host.Table{"tool:x": {Performer: host.PerformerFunc(
		func(_ context.Context, call host.Call) host.Outcome { heard = call; return host.Done("answer") })}}})
	ctx := within(t)
	a, err := e.Start(ctx, durable.Start{Chart: "caller", Until: durable.End})
	must(t, err)
	if a.Status != durable.Completed {
		t.Errorf("answered by %+v", a)
	}
	if heard.Input != "question" || heard.Attempt != 1 || heard.Mode != host.AtMostOnce {
		t.Errorf("the performer heard %+v", heard)
	}
	rows, err := e.History(ctx, a.Session, 1, 0)
	must(t, err)
	var events []string
	for _, r := range rows {
		events = append(events, r.Event)
	}
	if want := []string{"detent.init", "done.invoke.call", "after.done:0"}; !reflect.DeepEqual(events, want) {
		t.Errorf("the journal holds %v, want %v", events, want)
	}
}

func TestAChildReports(t *testing.T) {
	child := compile(t, "child",
		statechart.State{Name: "a", Entry: []statechart.Action{{Send: "hello", To: "parent"}}, On: []statechart.Transition{on("finish", "end")}},
		statechart.State{Name: "end", Type: statechart.Final, Output: "fine"})
	parent := compile(t, "parent",
		statechart.State{Name: "run", Invoke: []statechart.Invocation{{ID: "kid", Src: "chart:child", OnDone: []statechart.Transition{on("", "done")}}},
			On: []statechart.Transition{on("hello", "", statechart.Action{Send: "finish", To: "kid"}), on("leave", "left")}},
		statechart.State{Name: "done", Type: statechart.Final}, statechart.State{Name: "left"})
	e := open(t, memory.New(), durable.Config{Charts: durable.NewCharts(child, parent)})
	ctx := within(t)
	a, err := e.Start(ctx, durable.Start{ID: "p", Chart: "parent", Until: durable.End})
	must(t, err)
	if a.Status != durable.Completed {
		t.Errorf("answered by %+v", a)
	}
}

func TestSuspendedSessionsQueueAndGoOn(t *testing.T) {
	store := memory.New()
	e := open(t, store, durable.Config{Charts: durable.NewCharts(light(t))})
	ctx := within(t)
	_, err := e.Start(ctx, durable.Start{ID: "s", Chart: "light"})
	must(t, err)
	must(t, e.Suspend(ctx, "s", durable.Suspension{Reason: "night"}))
	a, err := e.Send(ctx, durable.Event{Session: "s", Name: "go", ID: "1"})
	must(t, err)
	if !a.Queued || a.Status != durable.Suspended {
		t.Errorf("answered by %+v", a)
	}
	must(t, e.Close())
	must(t, store.Close())
	e = open(t, store, durable.Config{Charts: durable.NewCharts(light(t))})
	must(t, e.Resume(ctx, "s", "me"))
	v, err := e.Wait(ctx, "s", durable.InState("green"))
	must(t, err)
	if v.Configuration[0] != "green" || v.Queued != 0 {
		t.Errorf("it stands at %+v", v)
	}
}

// What a quiet session has queued stands in the store: it is not counted
// against the memory again each time that the session is read.
func TestTheQueueIsCountedOnce(t *testing.T) {
	e := open(t, memory.New(), durable.Config{Charts: durable.NewCharts(light(t)), Resident: 1, Queue: 12})
	ctx := within(t)
	for _, id := range []string{"quiet", "a", "b"} {
		_, err := e.Start(ctx, durable.Start{ID: id, Chart: "light"})
		must(t, err)
	}
	must(t, e.Suspend(ctx, "quiet", durable.Suspension{}))
	for range 5 {
		_, err := e.Send(ctx, durable.Event{Session: "quiet", Name: "go"})
		must(t, err)
	}
	for range 5 {
		must(t, e.Suspend(ctx, "quiet", durable.Suspension{}))
		for _, id := range []string{"a", "b", "a"} { // the quiet one leaves the memory
			_, err := e.Send(ctx, durable.Event{Session: id, Name: "go"})
			must(t, err)
		}
	}
}

// counted counts how often the engine looks at the clock, which it does in
// every turn.
type counted struct {
	durable.Runtime
	looks atomic.Int64
}

func (c *counted) Now() int64 {
	c.looks.Add(1)
	return c.Runtime.Now()
}

func TestAQuietSessionsQueueCostsNothing(t *testing.T) {
	clock := &counted{Runtime: durable.RealRuntime()}
	e := open(t, memory.New(), durable.Config{Charts: durable.NewCharts(light(t)), Runtime: clock})
	ctx := within(t)
	_, err := e.Start(ctx, durable.Start{ID: "s", Chart: "light"})
	must(t, err)
	must(t, e.Suspend(ctx, "s", durable.Suspension{}))
	_, err = e.Send(ctx, durable.Event{Session: "s", Name: "go"})
	must(t, err)
	for range 500 {
		_, err := e.Get(ctx, "s")
		must(t, err)
	}
	must(t, e.Close())
	if n := clock.looks.Load(); n > 200 {
		t.Errorf("the engine looked at the clock %d times while nothing happened", n)
	}
}
