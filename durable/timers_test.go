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

func ticking(t testing.TB, missed string) *statechart.Chart {
	return compile(t, "ticking", statechart.State{Name: "on", Every: []statechart.Timed{{Delay: 1000, Missed: missed, Transitions: []statechart.Transition{on("", "", statechart.Action{Log: "tick"})}}}})
}

// ticks counts the rows of timers, by outcome, and the largest lateness.
func (w *simulated) ticks() (taken, ignored int, late int64) {
	w.t.Helper()
	for r, err := range w.rows("s") {
		must(w.t, err)
		switch {
		case r.Source == nil:
			continue
		case r.Outcome == "taken":
			taken++
		case r.Outcome == "ignored":
			ignored++
		}
		late = max(late, r.Took())
	}
	return taken, ignored, late
}

func (w *simulated) rows(session string) func(func(host.Record, error) bool) {
	return func(yield func(host.Record, error) bool) {
		for from := uint64(1); ; {
			rows, err := w.e.History(context.Background(), session, from, 0)
			for _, r := range rows {
				if from = r.Sequence + 1; !yield(r, nil) {
					return
				}
			}
			if err != nil {
				yield(host.Record{}, err)
			}
			if err != nil || len(rows) < 1000 {
				return
			}
		}
	}
}

// T4: what becomes of the ticks that were missed is the chart's policy, after
// each restart; no number of them ends the ticking.
func TestT4MissedTicksByPolicy(t *testing.T) {
	for _, c := range []struct {
		missed                string
		down                  int64 // seconds
		taken, ignored        int   // after the first downtime
		takenThen, ignoreThen int   // after the second
	}{
		{"", 10, 4, 0, 5, 0},
		{"coalesce", 1_000_000_000, 4, 0, 5, 0},
		{"skip", 10, 3, 1, 3, 2},
		{"skip", 1_000_000_000, 3, 1, 3, 2},
		{"all", 10, 13, 0, 23, 0},
		{"all", 3000, 3003, 0, 6003, 0},
	} {
		t.Run(fmt.Sprintf("%s for %d s", c.missed, c.down), func(t *testing.T) {
			w := simulate(t, durable.Config{Charts: durable.NewCharts(ticking(t, c.missed))}, nil)
			w.start("s", "ticking")
			w.pass(3500)
			for _, want := range [][2]int{{c.taken, c.ignored}, {c.takenThen, c.ignoreThen}} {
				w.down(c.down * 1000)
				w.pass(100)
				taken, ignored, late := w.ticks()
				if taken != want[0] || ignored != want[1] {
					t.Errorf("%d ticks are taken and %d ignored, want %v", taken, ignored, want)
				}
				if late < (c.down-1)*1000 || late > c.down*1000 {
					t.Errorf("the journal says that a tick came %d ms late after %d s", late, c.down)
				}
			}
			before, skipped, _ := w.ticks()
			w.pass(5000)
			if after, ignored, _ := w.ticks(); after != before+5 || ignored != skipped {
				t.Errorf("%d ticks are taken in the 5 s after that", after-before)
			}
		})
	}
}

// commits notes what is stored of sessions after their start, and when.
type commits struct {
	durable.Store
	w    *sim.World
	from func() bool
	seen []string
	at   []int64
}

func (c *commits) Commit(ctx context.Context, x durable.Commit) error {
	for _, v := range x.Changes {
		if c.from() && len(v.Journal) > 0 {
			c.seen, c.at = append(c.seen, v.Session), append(c.at, c.w.Elapsed())
		}
	}
	return c.Store.Commit(ctx, x)
}

// T4: after downtime the overdue come in the order of their times and at a
// bounded rate, and who sends meanwhile does not wait for all of them.
func TestT4OverdueTimersComeInOrderAtABoundedRate(t *testing.T) {
	const sessions, perSecond = 600, 500
	chart := compile(t, "once", statechart.State{Name: "wait", After: []statechart.Timed{{Delay: 60_000, Transitions: []statechart.Transition{on("", "over")}}}},
		statechart.State{Name: "over"})
	var seen *commits
	down := false
	w := simulate(t, durable.Config{Charts: durable.NewCharts(chart, light(t)), Workers: 1, CatchUp: perSecond}, func(world *sim.World, s durable.Store) durable.Store {
		seen = &commits{Store: s, w: world, from: func() bool { return down }}
		return seen
	})
	for i := range sessions {
		w.start(fmt.Sprintf("s%d", (i*7)%sessions), "once") // by another order than that of the ids
		w.pass(3)
	}
	w.start("lamp", "light")
	down = true
	w.down(3_600_000)
	begin := w.Elapsed()
	w.do(func(ctx context.Context) error {
		_, err := w.e.Send(ctx, durable.Event{Session: "lamp", Name: "go"})
		return err
	})
	if n := len(seen.seen); n > perSecond/5 {
		t.Errorf("who sends waits for %d overdue timers", n)
	}
	w.pass(10_000)
	inSlice, place := map[int64]int{}, 0
	for i, s := range seen.seen {
		if s == "lamp" {
			continue
		}
		if want := fmt.Sprintf("s%d", (place*7)%sessions); s != want {
			t.Fatalf("%s comes at place %d, where %s is due", s, place, want)
		}
		place++
		inSlice[(seen.at[i]-begin)/1000]++
	}
	if place != sessions {
		t.Errorf("%d of %d timers fired", place, sessions)
	}
	for second, n := range inSlice {
		if n > perSecond+perSecond/10 {
			t.Errorf("%d timers fire in second %d, %d are allowed", n, second, perSecond)
		}
	}
}

// far is an index of timers that are not rows: one each interval, of sessions
// that were deleted. It counts what is asked of it.
type far struct {
	durable.Store
	first, interval, count int64
	fired                  int64
	asked, rows            int
}

func (f *far) Due(_ context.Context, through int64, limit int) ([]durable.Due, error) {
	f.asked++
	var out []durable.Due
	for i := f.fired; i < f.count && len(out) < limit && f.first+i*f.interval <= through; i++ {
		out = append(out, durable.Due{Session: fmt.Sprintf("t%09d", i), At: f.first + i*f.interval})
	}
	f.rows += len(out)
	return out, nil
}

func (f *far) Load(ctx context.Context, q durable.LoadQuery) (*durable.Stored, error) {
	var i int64
	if _, err := fmt.Sscanf(q.Session, "t%d", &i); err == nil {
		f.fired = max(f.fired, i+1)
	}
	return f.Store.Load(ctx, q)
}

// A million timers cost what the next minute of them costs: the rest stays in
// the store, and nobody looks at it.
func TestAMillionTimersStayInTheStore(t *testing.T) {
	var index *far
	w := simulate(t, durable.Config{}, func(world *sim.World, s durable.Store) durable.Store {
		index = &far{Store: s, first: world.Runtime().Now() + 2592, interval: 2592, count: 1_000_000} // over 30 days
		return index
	})
	const minutes = 60
	w.pass(minutes * 60_000)
	want := int64(minutes * 60_000 / 2592)
	if index.fired < want-1 || index.fired > want+1 {
		t.Errorf("%d timers fired in an hour, want %d", index.fired, want)
	}
	if index.asked > minutes+2 || index.rows > int(want)+60 {
		t.Errorf("the index was asked %d times and gave %d rows, in %d minutes with %d timers", index.asked, index.rows, minutes, want)
	}
	t.Logf("1,000,000 timers, an hour: the index was asked %d times and gave %d rows, %d fired", index.asked, index.rows, index.fired)
}

// Very many timers at one instant are taken from the store a page at a time.
func TestManyTimersAtOneInstant(t *testing.T) {
	var index *far
	const count = 50_000
	w := simulate(t, durable.Config{CatchUp: 1_000_000}, func(world *sim.World, s durable.Store) durable.Store {
		index = &far{Store: s, first: world.Runtime().Now() + 60_000, count: count}
		return index
	})
	w.pass(61_000)
	w.pass(2_000)
	if index.fired != count || index.asked > count/10_000+3 || index.rows > count+10_000 {
		t.Errorf("%d of %d fired; the index was asked %d times and gave %d rows", index.fired, count, index.asked, index.rows)
	}
}
