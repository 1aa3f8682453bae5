package durable_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/internal/sim"
	"github.com/detent-run/detent/statechart"
)

// A call whose time has come and which waits for a place costs nothing.
func TestACallThatWaitsForAPlaceCostsNothing(t *testing.T) {
	var w *simulated
	tries := 0
	perform := func(ctx context.Context, c host.Call) host.Outcome {
		if c.Session == "long" {
			must(t, w.Sleep(ctx, 60_000))
			return host.Done(nil)
		}
		if tries++; tries == 1 {
			return host.Fail("busy", "not now")
		}
		return host.Done(nil)
	}
	chart := caller(t, statechart.Invocation{Src: "tool:x", Mode: "at_least_once", Retry: map[string]any{"max": int64(3), "initial": int64(1000)}})
	w = simulate(t, durable.Config{Charts: durable.NewCharts(chart),
		Performers: host.Table{"tool:*": {Performer: host.PerformerFunc(perform), Traits: host.Traits{Concurrency: 1, Pool: "one"}}}}, nil)
	w.start("short", "caller")
	w.pass(10)
	w.start("long", "caller")
	before := w.Steps()
	w.pass(50_000)
	if n := w.Steps() - before; n > 500 {
		t.Errorf("the engine did %d steps while nothing could happen", n)
	}
	w.pass(20_000)
	w.do(func(ctx context.Context) error {
		v, err := w.e.Get(ctx, "short")
		if v.Status != durable.Completed {
			t.Errorf("the call ends as %s", v.Status)
		}
		return err
	})
}

// counting counts what is asked of a store.
type counting struct {
	durable.Store
	loads   int
	commits map[string]int // by session
}

func (c *counting) Load(ctx context.Context, q durable.LoadQuery) (*durable.Stored, error) {
	c.loads++
	return c.Store.Load(ctx, q)
}

func (c *counting) Commit(ctx context.Context, x durable.Commit) error {
	for _, v := range x.Changes {
		c.commits[v.Session]++
	}
	return c.Store.Commit(ctx, x)
}

func count(t testing.TB, c durable.Config) (*simulated, *counting) {
	var n *counting
	w := simulate(t, c, func(_ *sim.World, s durable.Store) durable.Store {
		n = &counting{Store: s, commits: map[string]int{}}
		return n
	})
	return w, n
}

// A session with very many queued events starves nobody: another's event waits
// for a turn or two of it, not for its queue.
func TestALongQueueStarvesNobody(t *testing.T) {
	const queued = 3000
	w, n := count(t, durable.Config{Charts: durable.NewCharts(light(t)), Workers: 1, Turn: 4, Queue: queued + 10, SessionQueue: queued + 10, Noise: queued})
	w.start("busy", "light")
	w.start("calm", "light")
	w.do(func(ctx context.Context) error { return w.e.Suspend(ctx, "busy", durable.Suspension{}) })
	for i := range queued {
		w.World.Start("sender", func() {
			_, err := w.e.Send(context.Background(), durable.Event{Session: "busy", Name: []string{"go", "stop"}[i%2]})
			must(t, err)
		})
	}
	w.pass(10)
	w.do(func(ctx context.Context) error { return w.e.Resume(ctx, "busy", "test") })
	for range 20 {
		before := n.commits["busy"]
		w.do(func(ctx context.Context) error {
			_, err := w.e.Send(ctx, durable.Event{Session: "calm", Name: "go"})
			return err
		})
		if turns := n.commits["busy"] - before; turns > 8 {
			t.Fatalf("one event waited for %d turns of the long queue", turns)
		}
	}
	if done := n.commits["busy"]; done > queued/8 {
		t.Errorf("the long queue was done after %d turns already, so this shows nothing", done)
	}
	w.pass(10_000)
	w.do(func(ctx context.Context) error {
		v, err := w.e.Get(ctx, "busy")
		if v.Queued != 0 || v.Sequence < queued {
			t.Errorf("it stands at %d with %d queued", v.Sequence, v.Queued)
		}
		return err
	})
}

// Sessions that have nothing to do leave memory: as many stay as are allowed.
func TestIdleSessionsLeaveMemory(t *testing.T) {
	const sessions = 50
	for _, c := range []struct{ resident, loads int }{{1000, 0}, {sessions, 0}, {10, sessions}} {
		w, n := count(t, durable.Config{Charts: durable.NewCharts(light(t)), Resident: c.resident})
		for i := range sessions {
			w.start(fmt.Sprint("s", i), "light")
		}
		before := n.loads
		for i := range sessions {
			w.do(func(ctx context.Context) error {
				_, err := w.e.Send(ctx, durable.Event{Session: fmt.Sprint("s", i), Name: "go"})
				return err
			})
		}
		if got := n.loads - before; got != c.loads {
			t.Errorf("with %d in memory %d of %d sessions are read again, want %d", c.resident, got, sessions, c.loads)
		}
	}
}
