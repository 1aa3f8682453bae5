package durable_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// S2: an answer that comes after the deadline is refused, also when the
// session is suspended and cannot take note of it; programs are no persons.
func TestS2WhoAnswersAndUntilWhen(t *testing.T) {
	yes := true
	for _, c := range []struct {
		name, by string
		wait     int64
		suspend  bool
		want     statechart.Code
	}{
		{"in time", "ann", 900, false, ""},
		{"suspended, in time", "ann", 900, true, ""},
		{"suspended, too late", "ann", 1100, true, durable.CodeAnswer},
		{"an agent", "agent", 10, false, durable.CodeAnswer},
		{"an agent of a name", "Agent:planner", 10, false, durable.CodeAnswer},
		{"a model", "model/fixed", 10, false, durable.CodeAnswer},
		{"nobody", " ", 10, false, durable.CodeAnswer},
		{"somebody of that name", "agentha", 10, false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			made := 0
			w := simulate(t, durable.Config{Charts: durable.NewCharts(caller(t, statechart.Invocation{Src: "tool:pay", Approval: map[string]any{"deadline": "1s"}})),
				Performers: performing(func(context.Context, host.Call) host.Outcome { made++; return host.Done(nil) })}, nil)
			w.start("s", "caller")
			w.do(func(ctx context.Context) error {
				if c.suspend {
					return w.e.Suspend(ctx, "s", durable.Suspension{})
				}
				return nil
			})
			w.pass(c.wait)
			w.do(func(ctx context.Context) error {
				if err := w.e.Answer(ctx, "s", "call", durable.Reply{Approve: &yes, By: c.by}); code(err) != c.want {
					t.Errorf("the answer is answered by %v", err)
				}
				return w.e.Resume(ctx, "s", "ann")
			})
			w.pass(100)
			if (made == 1) != (c.want == "") {
				t.Errorf("the call was made %d times", made)
			}
		})
	}
}

// The end of an attempt's time is the end of its place, too: the next attempt
// does not wait for a performer that does not listen to its context.
func TestATimeoutFreesThePlace(t *testing.T) {
	var w *simulated
	made := 0
	perform := host.PerformerFunc(func(context.Context, host.Call) host.Outcome {
		if made++; made == 1 {
			_ = w.Sleep(context.Background(), 3_600_000)
		}
		return host.Done("well")
	})
	w = simulate(t, durable.Config{
		Charts:     durable.NewCharts(caller(t, statechart.Invocation{Src: "tool:x", Mode: "at_least_once", Timeout: "1s", Retry: map[string]any{"max": int64(1)}})),
		Performers: host.Table{"tool:x": {Performer: perform, Traits: host.Traits{Concurrency: 1}}}}, nil)
	w.start("s", "caller")
	w.pass(10_000)
	w.do(func(ctx context.Context) error {
		v, err := w.e.Get(ctx, "s")
		if v.Status != durable.Completed {
			t.Errorf("after %d calls the session is %s with %+v", made, v.Status, v.Effects)
		}
		return err
	})
}

// news is a Go type that a performer reports.
type news struct{ Done []string }

// What a performer reports as progress is JSON at once, as its outcome is; what
// cannot be kept is dropped, and breaks nothing.
func TestProgressOfGoTypes(t *testing.T) {
	var w *simulated
	chart := compiled(t, statechart.Definition{ID: "caller", Root: statechart.State{Initial: "calling", Context: []statechart.Variable{{Name: "heard"}}, States: []statechart.State{
		{Name: "calling", Invoke: []statechart.Invocation{{ID: "call", Src: "tool:x",
			OnProgress: list(on("", "", statechart.Action{Assign: []statechart.Variable{{Name: "heard", Value: statechart.Expression("event.Done[1]")}}})),
			OnDone:     list(on("", "done"))}}},
		{Name: "done", Type: statechart.Final}}}})
	w = simulate(t, durable.Config{Charts: durable.NewCharts(chart), Performers: performing(func(ctx context.Context, c host.Call) host.Outcome {
		c.Progress(news{[]string{"one", "two"}})
		_ = w.Sleep(ctx, 2000)
		c.Progress(func() {})
		_ = w.Sleep(ctx, 2000)
		return host.Done(nil)
	})}, nil)
	w.start("s", "caller")
	w.pass(10_000)
	w.do(func(ctx context.Context) error {
		v, err := w.e.Get(ctx, "s")
		if v.Status != durable.Completed || v.Data[""]["heard"] != "two" {
			t.Errorf("the session is %s (%+v) with %v", v.Status, v.Reason, v.Data)
		}
		return err
	})
}

// A session that gave way and was ended meanwhile does not take the room of
// the next one that did.
func TestWhoGaveWayAndEndedHoldsNobodyUp(t *testing.T) {
	var w *simulated
	perform := host.PerformerFunc(func(ctx context.Context, c host.Call) host.Outcome {
		if c.Session == "high" || c.Session == "higher" {
			_ = w.Sleep(ctx, 5000)
		} else {
			_ = w.Sleep(ctx, 60_000)
		}
		return host.Done(nil)
	})
	w = simulate(t, durable.Config{Charts: durable.NewCharts(caller(t, statechart.Invocation{Src: "tool:x", Mode: "at_least_once"})),
		Performers: host.Table{"tool:x": {Performer: perform, Traits: host.Traits{Concurrency: 2}}}}, nil)
	for i, id := range []string{"low", "lower", "high", "higher"} {
		priority := []int{2, 1, 7, 8}[i]
		w.do(func(ctx context.Context) error {
			_, err := w.e.Start(ctx, durable.Start{ID: id, Chart: "caller", Priority: priority})
			return err
		})
		w.pass(100)
	}
	w.do(func(ctx context.Context) error {
		for _, id := range []string{"low", "lower"} {
			if v, err := w.e.Get(ctx, id); err != nil || v.Status != durable.Suspended {
				t.Errorf("%s is %s (%v)", id, v.Status, err)
			}
		}
		return w.e.Cancel(ctx, "low", "ann")
	})
	w.do(func(ctx context.Context) error { return w.e.Cancel(ctx, "higher", "ann") }) // one place is free
	w.pass(1000)
	w.do(func(ctx context.Context) error {
		v, err := w.e.Get(ctx, "lower")
		if v.Status != durable.Active {
			t.Errorf("lower is %s: %+v", v.Status, v.Reason)
		}
		return err
	})
}

// What suspended sessions have queued is no load: it refuses nobody.
func TestSuspendedSessionsLeaveTheQueueToOthers(t *testing.T) {
	w := simulate(t, durable.Config{Charts: durable.NewCharts(light(t)), Queue: 1000, SessionQueue: 500}, nil)
	w.start("busy", "light")
	for i := range 4 {
		id := fmt.Sprint("quiet", i)
		w.start(id, "light")
		w.do(func(ctx context.Context) error { return w.e.Suspend(ctx, id, durable.Suspension{}) })
		w.do(func(ctx context.Context) error {
			for range 400 {
				if _, err := w.e.Send(ctx, durable.Event{Session: id, Name: "go"}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	w.do(func(ctx context.Context) error {
		_, err := w.e.Send(ctx, durable.Event{Session: "busy", Name: "go"})
		if err != nil {
			return err
		}
		return w.e.Resume(ctx, "quiet3", "ann")
	})
	w.pass(1000)
	w.do(func(ctx context.Context) error {
		v, err := w.e.Get(ctx, "quiet3")
		if v.Sequence != 403 || v.Queued != 0 { // its start, two verbs and all that was queued
			t.Errorf("resumed, it is at %d with %d queued", v.Sequence, v.Queued)
		}
		return err
	})
}
