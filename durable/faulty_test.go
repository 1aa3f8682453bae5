package durable_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/internal/sim"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/memory"
)

// faulty is a store some of whose reads fail: so many loads of a session with
// its inbox, and so many of its records of events' ids.
type faulty struct {
	durable.Store
	loads, ids int
	during     func() // is done once in a commit
}

func (f *faulty) Commit(ctx context.Context, c durable.Commit) error {
	if do := f.during; do != nil {
		f.during = nil
		do()
	}
	return f.Store.Commit(ctx, c)
}

var errShaky = errors.New("the disk hiccups")

func (f *faulty) Load(ctx context.Context, q durable.LoadQuery) (*durable.Stored, error) {
	if f.loads > 0 && q.Inbox > 0 {
		f.loads--
		return nil, errShaky
	}
	return f.Store.Load(ctx, q)
}

func (f *faulty) Records(ctx context.Context, q durable.RecordQuery) ([]durable.Record, error) {
	if f.ids > 0 && q.Namespace == durable.SpaceDedupe {
		f.ids--
		return nil, errShaky
	}
	return f.Store.Records(ctx, q)
}

// shaky is an engine on a store that fails on demand.
func shaky(t *testing.T, c durable.Config) (*simulated, *faulty) {
	t.Helper()
	f := &faulty{}
	return simulate(t, c, func(_ *sim.World, s durable.Store) durable.Store { f.Store = s; return f }), f
}

// slow is a call of two seconds that counts how often it is made.
func slow(w **simulated, made *int) host.Performers {
	return performing(func(ctx context.Context, _ host.Call) host.Outcome {
		*made++
		if (*w).Sleep(ctx, 2000) != nil {
			return host.Unknown("cut", "cut off")
		}
		return host.Done("well")
	})
}

// X4: what a call gave is not lost because its session, which has left memory,
// cannot be read at that moment; a call of the mode at_most_once would be made
// again.
func TestX4AnOutcomeOutlivesAReadThatFails(t *testing.T) {
	var w *simulated
	made := 0
	charts := durable.NewCharts(caller(t, statechart.Invocation{Src: "tool:x", Mode: "at_most_once"}), light(t))
	w, store := shaky(t, durable.Config{Charts: charts, Performers: slow(&w, &made), Resident: 1})
	w.start("s", "caller")
	w.pass(100)
	w.start("other", "light") // now s is out of memory
	w.pass(100)
	store.loads = 2
	w.pass(20_000)
	w.do(func(ctx context.Context) error {
		v, err := w.e.Get(ctx, "s")
		if made != 1 || v.Status != durable.Completed {
			t.Errorf("after %d calls the session is %s in %v", made, v.Status, v.Configuration)
		}
		return err
	})
	if store.loads != 0 {
		t.Errorf("%d of the reads were not asked for", store.loads)
	}
}

// S6: who sent the event at which a step broke is told, and the event can be
// sent again.
func TestS6ASenderHearsOfABrokenStep(t *testing.T) {
	w, store := shaky(t, durable.Config{Charts: durable.NewCharts(light(t))})
	w.start("s", "light")
	w.down(0) // from now on ids are looked up
	store.ids = 1
	w.do(func(ctx context.Context) error {
		if _, err := w.e.Send(ctx, durable.Event{Session: "s", Name: "go", ID: "1"}); code(err) != durable.CodePoison {
			t.Errorf("the sender is told %v", err)
		}
		a, err := w.e.Send(ctx, durable.Event{Session: "s", Name: "go", ID: "1"})
		if a.Duplicate || a.Outcome != statechart.Taken {
			t.Errorf("sent again, it is answered by %+v", a)
		}
		return err
	})
}

// X2: a call whose claim went down with a broken step is made all the same.
func TestX2ACallOutlivesABrokenStep(t *testing.T) {
	var w *simulated
	made := 0
	chart := compile(t, "caller", statechart.State{Name: "idle", On: list(on("go", "calling"))},
		statechart.State{Name: "calling", Invoke: calls("call", "tool:x", statechart.Invocation{OnDone: list(on("", "done"))}), On: list(on("word", ""))},
		statechart.State{Name: "done", Type: statechart.Final})
	w, store := shaky(t, durable.Config{Charts: durable.NewCharts(chart), Performers: slow(&w, &made)})
	w.start("s", "caller")
	w.down(0)
	store.during = func() {
		w.Runtime().Go("word", func() { // it comes in the turn of the claim
			_, _ = w.e.Send(context.Background(), durable.Event{Session: "s", Name: "word", ID: "1"})
		})
		_ = w.Sleep(context.Background(), 10)
		store.ids = 1
	}
	w.do(func(ctx context.Context) error {
		_, err := w.e.Send(ctx, durable.Event{Session: "s", Name: "go"})
		return err
	})
	w.pass(10_000)
	w.do(func(ctx context.Context) error {
		v, err := w.e.Get(ctx, "s")
		if made != 1 || v.Status != durable.Completed {
			t.Errorf("after %d calls the session is %s in %v with %+v", made, v.Status, v.Configuration, v.Effects)
		}
		return err
	})
}

// rude is a program whose parts panic.
type rude struct{ durable.Charts }

func (r rude) Chart(id string) (*statechart.Chart, []byte, bool) {
	if len(id) > 20 { // a digest: what a session is pinned to
		panic("no charts today")
	}
	return r.Charts.Chart(id)
}

// A chart that cannot be had because the program panics parks its session, and
// the others go on.
func TestS6ChartsThatPanicParkTheSession(t *testing.T) {
	charts := durable.NewCharts(light(t))
	w, _ := shaky(t, durable.Config{Charts: charts})
	w.start("s", "light")
	w.config.Charts = rude{charts}
	w.down(0)
	w.do(func(ctx context.Context) error {
		if _, err := w.e.Send(ctx, durable.Event{Session: "s", Name: "go"}); code(err) != durable.CodeNoChart {
			t.Errorf("a send is answered by %v", err)
		}
		return nil
	})
	w.pass(10)
	w.do(func(ctx context.Context) error {
		heads, err := w.e.List(ctx, durable.Filter{Status: durable.Parked})
		if len(heads) != 1 || heads[0].ReasonCode != string(durable.CodeNoChart) {
			t.Errorf("parked are %+v", heads)
		}
		return err
	})
}

// loud is a log that panics.
type loud struct{ slog.Handler }

func (loud) Enabled(context.Context, slog.Level) bool { return true }
func (loud) Handle(_ context.Context, r slog.Record) error {
	panic(fmt.Sprint("cannot log ", r.Message))
}
func (l loud) WithAttrs([]slog.Attr) slog.Handler { return l }
func (l loud) WithGroup(string) slog.Handler      { return l }

// absent are performers whose look-up panics.
type absent struct{}

func (absent) Find(src string) (host.Performer, host.Traits, bool) {
	panic("no performers today, " + src)
}

// What a program hands in may panic: a call of nobody's fails, and the engine
// goes on.
func TestALogAndPerformersThatPanic(t *testing.T) {
	e := open(t, memory.New(), durable.Config{Charts: durable.NewCharts(caller(t, statechart.Invocation{Src: "tool:x"})),
		Performers: absent{}, Log: slog.New(loud{})})
	a, err := e.Start(within(t), durable.Start{ID: "s", Chart: "caller", Until: durable.End})
	must(t, err)
	if a.Status != durable.Failed || strings.Join(a.Configuration, " ") != "failed" {
		t.Errorf("the session is %s in %v", a.Status, a.Configuration)
	}
}
