package durable_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/internal/sim"
	"github.com/detent-run/detent/statechart"
)

// family is three generations: each starts two children, which take go.
func family(t testing.TB) []*statechart.Chart {
	parent := func(id, child string) *statechart.Chart {
		call := func(n string) statechart.Invocation { return statechart.Invocation{ID: n, Src: "chart:" + child} }
		return compile(t, id, statechart.State{Name: "up", Invoke: []statechart.Invocation{call("one"), call("two")}, On: []statechart.Transition{on("go", "up")}})
	}
	return []*statechart.Chart{parent("grandparent", "parent"), parent("parent", "light"), light(t)}
}

// dying is a store that, once armed, takes so many commits more and then none:
// the process is dead.
type dying struct {
	durable.Store
	armed bool
	left  int
	order []string // the sessions of the commits, those with a journal row or deleted
}

var errDead = errors.New("the process is dead")

func (d *dying) Commit(ctx context.Context, c durable.Commit) error {
	if d.armed {
		if d.left == 0 {
			return errDead
		}
		d.left--
	}
	err := d.Store.Commit(ctx, c)
	for _, v := range c.Changes {
		if d.armed && err == nil && (len(v.Journal) > 0 || v.Delete) {
			d.order = append(d.order, v.Session)
		}
	}
	return err
}

// standing tells how the whole family stands.
func (w *simulated) standing() string {
	w.t.Helper()
	var out []string
	w.do(func(ctx context.Context) error {
		list, err := w.e.List(ctx, durable.Filter{})
		for _, h := range list {
			out = append(out, h.Session+" "+string(h.Status))
		}
		return err
	})
	return strings.Join(out, ", ")
}

const everybody = "top %[1]s, top/one/1 %[1]s, top/one/1/one/1 %[1]s, top/one/1/two/2 %[1]s, top/two/2 %[1]s, top/two/2/one/1 %[1]s, top/two/2/two/2 %[1]s"

// R35: a verb over a family is done to all of it, children first, and a
// resumption the other way; a crash after any of its commits changes nothing
// of that: the next engine goes on with it.
func TestR35VerbsReachTheWholeFamily(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		verb         string
		before, want durable.Status
		f            func(e *durable.Engine) error
		topLast      bool
	}{
		{"suspend", durable.Active, durable.Suspended, func(e *durable.Engine) error { return e.Suspend(ctx, "top", durable.Suspension{Reason: "test"}) }, true},
		{"resume", durable.Suspended, durable.Active, func(e *durable.Engine) error { return e.Resume(ctx, "top", "test") }, false},
		{"cancel", durable.Active, durable.Cancelled, func(e *durable.Engine) error { return e.Cancel(ctx, "top", "test") }, true},
		{"delete", durable.Active, "", func(e *durable.Engine) error { return e.Delete(ctx, "top", "test") }, true},
	} {
		t.Run(c.verb, func(t *testing.T) {
			want := fmt.Sprintf(everybody, c.want)
			if c.want == "" {
				want = ""
			}
			for crash := 0; ; crash++ {
				var store *dying
				w := simulate(t, durable.Config{Charts: durable.NewCharts(family(t)...), Workers: 2}, func(_ *sim.World, s durable.Store) durable.Store {
					store = &dying{Store: s}
					return store
				})
				w.start("top", "grandparent")
				w.pass(10)
				if c.before == durable.Suspended {
					w.do(func(ctx context.Context) error { return w.e.Suspend(ctx, "top", durable.Suspension{}) })
				}
				if got, want := w.standing(), fmt.Sprintf(everybody, c.before); got != want {
					t.Fatalf("it begins with %s", got)
				}
				store.armed, store.left = true, crash
				var err error
				done := w.World.Start(c.verb, func() { err = c.f(w.e) })
				w.pass(500)
				if store.left > 0 && done() && err == nil { // it was not cut off any more
					if got := w.standing(); got != want {
						t.Errorf("it ends with %s", got)
					}
					checkOrder(t, store.order, c.topLast)
					if c.verb == "cancel" { // it hears nothing of its children's ends
						same(t, w.outcomes("top"), "detent.cancel by test taken")
					}
					t.Logf("%s: %d crashes", c.verb, crash)
					break
				}
				if crash > 50 {
					t.Fatal("it never ends")
				}
				got := w.standing()
				store.armed = false
				w.down(0)
				w.pass(1500)
				if again := w.standing(); again != want && again != fmt.Sprintf(everybody, c.before) || again == got && crash > 0 && again != want {
					t.Errorf("after a crash at commit %d it stood %s, and then stays %s", crash, got, again)
				}
				if crash > 0 && w.standing() != want {
					t.Errorf("after a crash at commit %d it ends with %s", crash, w.standing())
				}
			}
		})
	}
}

// checkOrder sees that a parent comes after its children, or before them.
func checkOrder(t *testing.T, order []string, topLast bool) {
	t.Helper()
	place := map[string]int{}
	for i, s := range order {
		if _, ok := place[s]; !ok || topLast {
			place[s] = i
		}
	}
	for s, i := range place {
		for o, j := range place {
			if strings.HasPrefix(o, s+"/") && (j < i) != topLast {
				t.Errorf("%s comes at %d and %s at %d: %v", s, i, o, j, order)
			}
		}
	}
}

// A verb that meets a full disk half-way is told, and goes on when there is
// room again.
func TestR35AVerbGoesOnAfterAFullDisk(t *testing.T) {
	var g *gated
	w := simulate(t, durable.Config{Charts: durable.NewCharts(family(t)...), Workers: 1}, func(world *sim.World, s durable.Store) durable.Store {
		g = &gated{Store: s, w: world}
		return g
	})
	w.start("top", "grandparent")
	w.pass(10)
	g.shut = true
	var err error
	done := w.World.Start("suspend", func() { err = w.e.Suspend(context.Background(), "top", durable.Suspension{}) })
	w.pass(20)
	g.shut = false // the wish is stored …
	must(t, w.Run(func() bool { return strings.Contains(w.peek(), "suspended") }, 100_000))
	g.fault = durable.ErrFull // … and the disk is full
	w.pass(300)
	if !done() || code(err) != durable.CodeFull {
		t.Fatalf("it is told %v", err)
	}
	g.fault = nil
	w.pass(5_000)
	if got := w.standing(); got != fmt.Sprintf(everybody, "suspended") {
		t.Errorf("it ends with %s", got)
	}
}

// peek looks at the store from outside of the world.
func (w *simulated) peek() string {
	list, err := w.kept.Select(context.Background(), durable.Filter{})
	must(w.t, err)
	var out []string
	for _, h := range list {
		out = append(out, string(h.Status))
	}
	return strings.Join(out, " ")
}

// A child that is started while its parent is being suspended is suspended
// too.
func TestR35AChildThatComesMeanwhileIsSuspendedToo(t *testing.T) {
	for seed := range 40 {
		w := simulate(t, durable.Config{Charts: durable.NewCharts(family(t)...), Workers: 2}, nil)
		w.start("top", "grandparent")
		w.pass(10)
		steps := w.Steps() + seed*3
		done := w.World.Start("suspend", func() { must(t, w.e.Suspend(context.Background(), "top", durable.Suspension{})) })
		must(t, w.Run(func() bool { return w.Steps() >= steps || done() }, 100_000))
		w.sendAsync("top/one/1", "go") // leaves its children and starts others
		w.pass(500)
		for status, n := range w.count() {
			if status != durable.Suspended && status != durable.Cancelled {
				t.Errorf("after %d steps %d sessions are %s: %s", seed*3, n, status, w.standing())
			}
		}
	}
}

func (w *simulated) count() map[durable.Status]int {
	out := map[durable.Status]int{}
	for s := range strings.FieldsSeq(w.peek()) {
		out[durable.Status(s)]++
	}
	return out
}

// What a session's chart is gone cannot be read, and can be deleted.
func TestS7ASessionThatCannotBeReadCanBeDeleted(t *testing.T) {
	w := simulate(t, durable.Config{Charts: durable.NewCharts(light(t), compile(t, "other", statechart.State{Name: "a"}))}, nil)
	w.start("s", "light")
	w.start("o", "other")
	w.config.Charts = durable.NewCharts(compile(t, "other", statechart.State{Name: "a"}))
	w.down(0)
	w.do(func(ctx context.Context) error {
		if _, err := w.e.Send(ctx, durable.Event{Session: "s", Name: "go"}); code(err) != durable.CodeNoChart {
			t.Errorf("a send is answered by %v", err)
		}
		must(t, w.e.Delete(ctx, "s", "test"))
		if _, err := w.e.Get(ctx, "s"); code(err) != durable.CodeNoSession {
			t.Errorf("after that it is answered by %v", err)
		}
		_, err := w.e.Send(ctx, durable.Event{Session: "o", Name: "go"})
		return err
	})
}
