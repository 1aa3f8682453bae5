package durable_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/internal/sim"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/memory"
)

// gated is a store whose commits wait while it is shut, and then give fault.
type gated struct {
	durable.Store
	w     *sim.World
	shut  bool
	deaf  bool // does not listen to its context
	fault error
	slow  bool // reads wait while it is set
}

func (g *gated) Load(ctx context.Context, q durable.LoadQuery) (*durable.Stored, error) {
	for g.slow {
		if err := g.w.Sleep(context.Background(), 10); err != nil {
			return nil, err
		}
	}
	return g.Store.Load(ctx, q)
}

func (g *gated) Commit(ctx context.Context, c durable.Commit) error {
	for g.shut {
		if err := g.w.Sleep(context.Background(), 10); err != nil {
			return err
		}
		if !g.deaf && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if g.fault != nil {
		return g.fault
	}
	return g.Store.Commit(ctx, c)
}

func behindAGate(t testing.TB, c durable.Config) (*simulated, *gated) {
	var g *gated
	c.Charts = durable.NewCharts(light(t))
	w := simulate(t, c, func(world *sim.World, s durable.Store) durable.Store {
		g = &gated{Store: s, w: world}
		return g
	})
	return w, g
}

func code(err error) statechart.Code {
	var p *statechart.Error
	if errors.As(err, &p) {
		return p.Code
	}
	return ""
}

// told is what a sender of the simulated world hears.
type told struct {
	answer durable.Answer
	err    error
	done   func() bool
}

func (w *simulated) sendAsync(session, event string) *told {
	out := &told{}
	out.done = w.World.Start("sender", func() {
		out.answer, out.err = w.e.Send(context.Background(), durable.Event{Session: session, Name: event})
	})
	return out
}

// Close shuts the doors, lets the workers finish, and commits what they
// handed in: what was stepped is acknowledged, and who is told that the engine
// is closed finds nothing of his event in the store.
func TestCloseKeepsItsOrder(t *testing.T) {
	w, g := behindAGate(t, durable.Config{Workers: 2})
	w.start("a", "light")
	w.start("b", "light")
	g.shut = true
	first, second := w.sendAsync("a", "go"), w.sendAsync("b", "go")
	w.pass(50) // one is being committed, the other waits for the committer
	behind := w.sendAsync("a", "stop")
	w.pass(50)
	closed := w.World.Start("close", func() { must(t, w.e.Close()) })
	w.pass(50)
	late := w.sendAsync("a", "go")
	w.pass(50)
	if !late.done() || code(late.err) != durable.CodeClosed {
		t.Errorf("after Close a send is answered by %v", late.err)
	}
	if closed() || first.done() {
		t.Error("Close did not wait for the commit")
	}
	g.shut = false
	w.pass(100)
	if !closed() {
		t.Fatal("Close did not end")
	}
	for name, s := range map[string]*told{"first": first, "second": second} {
		if s.err != nil || s.answer.Sequence != 2 {
			t.Errorf("the %s send is answered by %+v, %v", name, s.answer, s.err)
		}
	}
	if code(behind.err) != durable.CodeClosed {
		t.Errorf("the send that was not taken up is answered by %+v, %v", behind.answer, behind.err)
	}
	w.down(0)
	for _, s := range []string{"a", "b"} {
		w.do(func(ctx context.Context) error {
			v, err := w.e.Get(ctx, s)
			if v.Sequence != 2 || fmt.Sprint(v.Configuration) != "[green]" {
				t.Errorf("%s stands at %d in %v", s, v.Sequence, v.Configuration)
			}
			return err
		})
	}
}

// A worker that is in the middle of a turn finishes it, and the committer
// waits for it.
func TestCloseWaitsForTheWorkers(t *testing.T) {
	w, g := behindAGate(t, durable.Config{Workers: 1})
	w.start("a", "light")
	w.down(0) // it is not in memory any more
	g.slow = true
	var err, closing error
	done := w.World.Start("suspend", func() { err = w.e.Suspend(context.Background(), "a", durable.Suspension{}) })
	w.pass(50)
	closed := w.World.Start("close", func() { closing = w.e.Close() })
	w.pass(50)
	g.slow = false
	w.pass(100)
	if !done() || !closed() || err != nil || closing != nil {
		t.Fatalf("the verb: %v %v; Close: %v %v", done(), err, closed(), closing)
	}
	w.down(0)
	if got := w.standing(); got != "a suspended" {
		t.Errorf("it stands %s", got)
	}
}

// Close ends whatever the store does.
func TestCloseEndsOnAStoreThatDoesNot(t *testing.T) {
	for _, c := range []struct {
		name        string
		set         func(g *gated)
		want        statechart.Code // of Close
		sender      statechart.Code
		atMost      int64
		beforeClose int64
	}{
		{"a commit hangs", func(g *gated) { g.shut = true }, "", durable.CodeStoreFailed, 6100, 50},
		{"a commit hangs for good", func(g *gated) { g.shut, g.deaf = true, true }, durable.CodeClosed, durable.CodeStoreFailed, 6100, 50},
		{"the store is broken", func(g *gated) { g.fault = durable.ErrBroken }, "", durable.CodeStoreFailed, 100, 50},
		{"it breaks while the engine closes", func(g *gated) { g.shut, g.fault = true, durable.ErrBroken }, "", durable.CodeStoreFailed, 200, 50},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, g := behindAGate(t, durable.Config{})
			w.start("a", "light")
			c.set(g)
			sender := w.sendAsync("a", "go")
			w.pass(c.beforeClose)
			var first, second error
			begin, took := w.Elapsed(), int64(0)
			one := w.World.Start("close", func() { first = w.e.Close(); took = w.Elapsed() - begin })
			two := w.World.Start("close again", func() { second = w.e.Close() })
			w.pass(50)
			if g.fault != nil {
				g.shut = false
			}
			w.pass(10_000)
			if !one() || !two() || took > c.atMost {
				t.Fatalf("Close has ended: %v, %v; it took %d ms", one(), two(), took)
			}
			if code(first) != c.want || code(second) != c.want {
				t.Errorf("Close gives %v and %v", first, second)
			}
			if code(sender.err) != c.sender {
				t.Errorf("the sender is told %v", sender.err)
			}
			g.shut = false
			w.pass(100)
			w.do(func(ctx context.Context) error {
				if err := w.e.Drain(ctx, 0); err != nil {
					t.Errorf("Drain of a closed engine: %v", err)
				}
				return w.e.Close()
			})
		})
	}
}

// leaky counts the engine's goroutines.
type leaky struct {
	durable.Runtime
	live, all atomic.Int64
}

func (l *leaky) Go(name string, f func()) {
	l.live.Add(1)
	l.all.Add(1)
	l.Runtime.Go(name, func() {
		defer l.live.Add(-1)
		f()
	})
}

// After Close nothing of the engine runs, whatever it was doing.
func TestCloseLeavesNothingRunning(t *testing.T) {
	for range 20 {
		world := &leaky{Runtime: durable.RealRuntime()}
		started := make(chan struct{})
		var once sync.Once
		perform := func(ctx context.Context, c host.Call) host.Outcome {
			once.Do(func() { close(started) })
			<-ctx.Done()
			return host.Fail("cut", "cut off")
		}
		e := open(t, memory.New(), durable.Config{Runtime: world, Charts: durable.NewCharts(light(t), caller(t, statechart.Invocation{Src: "tool:x"})), Performers: performing(perform)})
		ctx := within(t)
		_, err := e.Start(ctx, durable.Start{ID: "c", Chart: "caller"})
		must(t, err)
		_, err = e.Start(ctx, durable.Start{ID: "s", Chart: "light"})
		must(t, err)
		<-started
		var senders sync.WaitGroup
		for i := range 8 {
			senders.Go(func() {
				for j := 0; ; j++ {
					_, err := e.Send(ctx, durable.Event{Session: "s", Name: []string{"go", "stop"}[j%2], ID: fmt.Sprint(i, "-", j)})
					if err != nil {
						if code(err) != durable.CodeClosed {
							t.Errorf("a sender is told %v", err)
						}
						return
					}
				}
			})
		}
		senders.Go(func() {
			if _, err := e.Wait(ctx, "s", durable.End); code(err) != durable.CodeClosed {
				t.Errorf("who waits is told %v", err)
			}
		})
		senders.Go(func() {
			for _, err := range e.Watch(ctx, "s", 0) {
				if err != nil && code(err) != durable.CodeClosed {
					t.Errorf("who watches is told %v", err)
				}
			}
		})
		must(t, e.Close())
		must(t, e.Close())
		senders.Wait()
		for world.live.Load() != 0 { // the last of them is on its way out
			if ctx.Err() != nil {
				t.Fatalf("%d of %d goroutines are left", world.live.Load(), world.all.Load())
			}
			runtime.Gosched()
		}
	}
}
