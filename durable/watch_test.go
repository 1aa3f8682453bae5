package durable_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/memory"
)

// nested has states in states: work.first, work.second, and an end.
func nested(t testing.TB) *statechart.Chart {
	return compile(t, "nested", statechart.State{Name: "work", Initial: "first", On: []statechart.Transition{on("finish", "end")},
		States: []statechart.State{{Name: "first", On: []statechart.Transition{on("next", "second")}}, {Name: "second"}}},
		statechart.State{Name: "end", Type: statechart.Final})
}

// Who waits hears as soon as it is so, and not before.
func TestWaitForEachKind(t *testing.T) {
	free := false
	var w *simulated
	perform := func(ctx context.Context, c host.Call) host.Outcome {
		for !free {
			must(t, w.Sleep(ctx, 10))
		}
		return host.Done(nil)
	}
	w = simulate(t, durable.Config{Charts: durable.NewCharts(caller(t, statechart.Invocation{Src: "tool:x"}), nested(t)), Performers: performing(perform)}, nil)
	wait := func(session string, until durable.Until) (func() bool, *durable.View) {
		var v durable.View
		return w.World.Start("wait", func() {
			got, err := w.e.Wait(context.Background(), session, until)
			must(t, err)
			v = got
		}), &v
	}
	w.start("n", "nested")
	committed, _ := wait("n", durable.Committed)
	second, at := wait("n", durable.InState("work.second"))
	parent, _ := wait("n", durable.InState("work"))
	end, over := wait("n", durable.End)
	w.pass(100)
	if !committed() || !parent() || second() || end() {
		t.Errorf("at first: committed %v, the parent state %v, the next %v, the end %v", committed(), parent(), second(), end())
	}
	send := func(session, name string, until durable.Until) (a durable.Answer) {
		w.do(func(ctx context.Context) (err error) {
			a, err = w.e.Send(ctx, durable.Event{Session: session, Name: name, Until: until})
			return err
		})
		return a
	}
	send("n", "next", durable.Committed)
	w.pass(1)
	if !second() || end() || fmt.Sprint(at.Configuration) != "[work.second]" {
		t.Errorf("after the event: the state %v in %v, the end %v", second(), at.Configuration, end())
	}
	if a := send("n", "finish", durable.End); a.Status != durable.Completed || !end() && over.Status == durable.Completed {
		t.Errorf("the end is answered by %+v", a)
	}
	w.start("c", "caller")
	settled, _ := wait("c", durable.Settled)
	w.pass(1000)
	if settled() {
		t.Error("it is settled while a call runs")
	}
	free = true
	w.pass(100)
	if !settled() {
		t.Error("it is not settled after the call's end")
	}
	w.start("s", "nested")
	parked, v := wait("s", durable.End)
	w.do(func(ctx context.Context) error { return w.e.Suspend(ctx, "s", durable.Suspension{}) })
	w.pass(1)
	if !parked() || v.Status != durable.Suspended {
		t.Errorf("a suspension ends the waiting: %v, %s", parked(), v.Status)
	}
	if a := send("s", "next", durable.Accepted); !a.Queued || a.Position == 0 || a.Sequence != 0 {
		t.Errorf("what is accepted is answered by %+v", a)
	}
}

// A watcher gets every row once and in order, from where it says: those that
// are there, those that come, and after a restart those it has not seen. One
// that reads nothing holds nobody up.
func TestWatchHasNoGaps(t *testing.T) {
	store := memory.New()
	charts := durable.NewCharts(light(t))
	ctx := within(t)
	next, seen := uint64(1), 0
	for life := range 3 {
		e := open(t, store, durable.Config{Charts: charts})
		if life == 0 {
			_, err := e.Start(ctx, durable.Start{ID: "s", Chart: "light"})
			must(t, err)
		}
		slow, stop := context.WithCancel(ctx)
		for range e.Watch(slow, "s", 0) {
			break // it takes one row and no more
		}
		sent := make(chan error, 1)
		go func() {
			for i := range 300 {
				if _, err := e.Send(ctx, durable.Event{Session: "s", Name: []string{"go", "stop"}[i%2]}); err != nil {
					sent <- err
					return
				}
			}
			sent <- nil
		}()
		until := next + 250 // and then the engine ends, with rows that were not seen
		for r, err := range e.Watch(ctx, "s", next) {
			must(t, err)
			if r.Sequence != next {
				t.Fatalf("after row %d comes row %d", next-1, r.Sequence)
			}
			next, seen = next+1, seen+1
			if next == until {
				break
			}
		}
		must(t, <-sent)
		stop()
		must(t, e.Close())
		must(t, store.Close())
	}
	e := open(t, store, durable.Config{Charts: charts})
	_, err := e.Send(ctx, durable.Event{Session: "s", Name: "go"})
	must(t, err)
	_, err = e.Send(ctx, durable.Event{Session: "s", Name: "off"})
	must(t, err)
	for r, err := range e.Watch(ctx, "s", next) { // it ends by itself: the session is over
		must(t, err)
		if r.Sequence != next {
			t.Fatalf("after row %d comes row %d", next-1, r.Sequence)
		}
		next, seen = next+1, seen+1
	}
	if want := 1 + 3*300 + 2; seen != want {
		t.Errorf("%d rows were seen, want %d", seen, want)
	}
}

// Sessions are listed by what they are, alone and together, page by page.
func TestListByEachFilter(t *testing.T) {
	w := simulate(t, durable.Config{Charts: durable.NewCharts(nested(t), light(t))}, nil)
	start := func(id, chart, user string, tags ...string) {
		w.do(func(ctx context.Context) error {
			_, err := w.e.Start(ctx, durable.Start{ID: id, Chart: chart, User: user, Tags: tags})
			return err
		})
		w.pass(1000)
	}
	begin := w.now()
	start("a", "nested", "ann", "red")
	start("b", "nested", "bob", "red", "blue")
	start("c", "light", "ann")
	start("d", "nested", "ann", "blue")
	middle := w.now()
	w.do(func(ctx context.Context) error {
		_, err := w.e.Send(ctx, durable.Event{Session: "b", Name: "next"})
		must(t, err)
		must(t, w.e.Suspend(ctx, "c", durable.Suspension{}))
		return w.e.Cancel(ctx, "d", "ann")
	})
	for _, c := range []struct {
		name string
		f    durable.Filter
		want string
	}{
		{"all", durable.Filter{}, "a b c d"},
		{"a chart", durable.Filter{Chart: "nested"}, "a b d"},
		{"a leaf", durable.Filter{State: "work.second"}, "b"},
		{"a state above", durable.Filter{State: "work", Status: durable.Active}, "a b"},
		{"no state of half a name", durable.Filter{State: "wor"}, ""},
		{"a tag", durable.Filter{Tag: "blue"}, "b d"},
		{"a user", durable.Filter{User: "ann"}, "a c d"},
		{"a status", durable.Filter{Status: durable.Suspended}, "c"},
		{"a reason", durable.Filter{ReasonCode: "suspended"}, "c"},
		{"changed since", durable.Filter{UpdatedFrom: middle}, "b c d"},
		{"changed before", durable.Filter{UpdatedFrom: begin, UpdatedTo: middle}, "a"},
		{"several", durable.Filter{Chart: "nested", User: "ann", Tag: "red", Status: durable.Active}, "a"},
		{"none", durable.Filter{User: "ann", Tag: "green"}, ""},
	} {
		if got := w.listed(c.f); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	var pages []string
	for f := (durable.Filter{Limit: 2}); ; {
		page := w.listed(f)
		if page == "" {
			break
		}
		pages = append(pages, page)
		f.After = page[strings.LastIndex(page, " ")+1:]
	}
	if got := strings.Join(pages, " | "); got != "a b | c d" {
		t.Errorf("the pages are %s", got)
	}
}

func (w *simulated) now() int64 { return 1_800_000_000_000 + w.Elapsed() }

func (w *simulated) listed(f durable.Filter) string {
	w.t.Helper()
	var out []string
	w.do(func(ctx context.Context) error {
		list, err := w.e.List(ctx, f)
		for _, h := range list {
			out = append(out, h.Session)
		}
		return err
	})
	return strings.Join(out, " ")
}
