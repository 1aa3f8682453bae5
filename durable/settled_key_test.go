package durable_test

import (
	"context"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// otherSide makes calls and can be asked by key whether it made them.
type otherSide struct {
	perform func(ctx context.Context, c host.Call) host.Outcome
	find    func(c host.Call) (host.Finding, host.Outcome)
}

func (o otherSide) Perform(ctx context.Context, c host.Call) host.Outcome { return o.perform(ctx, c) }

func (o otherSide) Find(_ context.Context, c host.Call) (host.Finding, host.Outcome) {
	return o.find(c)
}

// X6: an attempt that the engine's end cut off, and that did not happen, is no
// failed one: however often that comes about, a call without retries is made.
func TestX6AnAttemptThatNeverBeganIsNoRetry(t *testing.T) {
	var w *simulated
	made, crashes := 0, 4
	side := otherSide{
		perform: func(ctx context.Context, _ host.Call) host.Outcome {
			if crashes > 0 {
				_ = w.Sleep(ctx, 1_000_000) // the end comes first
				return host.Unknown("cut", "")
			}
			made++
			return host.Done("well")
		},
		find: func(host.Call) (host.Finding, host.Outcome) { return host.Absent, host.Outcome{} }}
	w = simulate(t, durable.Config{Charts: durable.NewCharts(caller(t, statechart.Invocation{Src: "tool:x", Mode: "reconcile"})),
		Performers: host.Table{"tool:x": {Performer: side}}}, nil)
	w.start("s", "caller")
	for ; crashes > 0; crashes-- {
		w.pass(100)
		if crashes == 1 {
			crashes = 0
			w.down(0)
			break
		}
		w.down(0)
	}
	w.pass(10_000)
	w.do(func(ctx context.Context) error {
		v, err := w.e.Get(ctx, "s")
		if made != 1 || v.Status != durable.Completed {
			t.Errorf("after %d calls the session is %s in %v", made, v.Status, v.Configuration)
		}
		return err
	})
}

// A call that is left and asked for again under its declared key has all its
// tries each time, however often that was: what is absent is made.
func TestX6WhoAsksAnewHasAllTries(t *testing.T) {
	var w *simulated
	hurry := false
	side := otherSide{
		perform: func(ctx context.Context, _ host.Call) host.Outcome {
			if !hurry && w.Sleep(ctx, 1_000_000) != nil {
				return host.Unknown("cut", "")
			}
			return host.Done("well")
		},
		find: func(host.Call) (host.Finding, host.Outcome) { return host.Absent, host.Outcome{} }}
	w = simulate(t, durable.Config{Charts: durable.NewCharts(keyed(t, host.Reconcile)), Performers: host.Table{"tool:x": {Performer: side}}}, nil)
	w.start("s", "keyed")
	for _, event := range []string{"go", "leave", "go", "leave", "go", "leave", "go"} {
		w.do(func(ctx context.Context) error {
			_, err := w.e.Send(ctx, durable.Event{Session: "s", Name: event})
			return err
		})
		w.pass(10_000)
	}
	hurry = true
	w.down(0)
	w.pass(10_000)
	w.do(func(ctx context.Context) error {
		rows, err := w.e.History(ctx, "s", 1, 0)
		heard := ""
		for _, r := range rows {
			if r.Source != nil {
				heard += r.Event + " "
			}
		}
		if heard != "done.invoke.call " {
			t.Errorf("the chart hears %s", heard)
		}
		return err
	})
}

// keyed is a chart that makes one call under a declared key each time that it
// comes by.
func keyed(t *testing.T, mode host.Mode) *statechart.Chart {
	heard := func(what string) statechart.Transition {
		return on("", "idle", statechart.Action{Assign: []statechart.Variable{{Name: "heard", Value: what}}})
	}
	return compiled(t, statechart.Definition{ID: "keyed", Root: statechart.State{Initial: "idle", Context: []statechart.Variable{{Name: "heard"}}, States: []statechart.State{
		{Name: "idle", On: list(on("go", "calling"))},
		{Name: "calling", On: list(on("leave", "idle")), Invoke: []statechart.Invocation{{ID: "call", Src: "tool:x", Key: "order-17", Mode: string(mode),
			OnDone: list(heard("done")), OnError: list(heard("error")), OnUnknown: list(heard("unknown"))}}},
	}}})
}

// X3: a call that was left, and happened all the same, is not made again under
// its declared key: what it gave is adopted. If nobody knows, nothing is made
// in the mode at_most_once, and a person may settle it meanwhile.
func TestX3ALeftCallIsNotRepeatedUnderItsKey(t *testing.T) {
	for _, c := range []struct {
		name       string
		mode       host.Mode
		gives      host.Outcome
		heard      string
		made, open int
	}{
		{"it happened", host.AtMostOnce, host.Done("paid"), "done", 1, 0},
		{"it happened, and may be repeated", host.AtLeastOnce, host.Done("paid"), "done", 1, 0},
		{"it did not", host.AtMostOnce, host.Fail("busy", ""), "error", 2, 0},
		{"nobody knows", host.AtMostOnce, host.Unknown("cut", ""), "unknown", 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			made := 0
			var w *simulated
			w = simulate(t, durable.Config{Charts: durable.NewCharts(keyed(t, c.mode)), Performers: performing(func(context.Context, host.Call) host.Outcome {
				made++
				_ = w.Sleep(context.Background(), 1000)
				return c.gives
			})}, nil)
			send := func(name string) {
				w.do(func(ctx context.Context) error {
					_, err := w.e.Send(ctx, durable.Event{Session: "s", Name: name})
					return err
				})
			}
			w.start("s", "keyed")
			send("go")
			w.pass(100)
			send("leave")
			w.pass(5000)
			w.do(func(ctx context.Context) error {
				v, err := w.e.Get(ctx, "s")
				if len(v.Effects) != c.open {
					t.Errorf("left, the calls that a person may settle are %+v", v.Effects)
				}
				return err
			})
			w.down(0)
			send("go")
			w.pass(5000)
			w.do(func(ctx context.Context) error {
				v, err := w.e.Get(ctx, "s")
				if heard := v.Data[""]["heard"]; heard != c.heard || made != c.made {
					t.Errorf("after %d calls the chart hears %v, in %v of %v", made, heard, v.Configuration, v.Data)
				}
				return err
			})
		})
	}
}
