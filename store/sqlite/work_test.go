package sqlite_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/sqlite"
)

// counting counts the transactions, each of which is one sync.
type counting struct {
	*sqlite.Store
	commits atomic.Int64
}

func (c *counting) Commit(ctx context.Context, v durable.Commit) error {
	c.commits.Add(1)
	return c.Store.Commit(ctx, v)
}

// measured is an engine whose work is counted.
type measured struct {
	t      *testing.T
	store  *counting
	engine *durable.Engine
	sent   int
}

func measure(t *testing.T, sessions int, chart statechart.Definition) *measured {
	t.Helper()
	c, err := statechart.Compile(chart, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := &measured{t: t, store: &counting{Store: open(t, filepath.Join(t.TempDir(), "s.db"), sqlite.Options{LogPages: 1 << 20})}}
	// Nobody looks for requests of other processes meanwhile.
	m.engine, err = durable.Open(context.Background(), m.store, durable.Config{Charts: durable.NewCharts(c), Doors: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.engine.Close(); err != nil {
			t.Error(err)
		}
	})
	for n := range sessions {
		if _, err := m.engine.Start(context.Background(), durable.Start{ID: fmt.Sprintf("s%d", n), Chart: chart.ID}); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// cost is the work of an event, on average but for the syncs.
type cost struct{ statements, rows, reads, pages, syncs float64 }

func (m *measured) work() sqlite.Work {
	m.t.Helper()
	w, err := m.store.Work()
	if err != nil {
		m.t.Fatal(err)
	}
	return w
}

// send lets each session have so many events, from a sender of its own that
// waits for each.
func (m *measured) send(sessions, events int) cost {
	m.t.Helper()
	before, commits := m.work(), m.store.commits.Load()
	var all sync.WaitGroup
	for n := range sessions {
		all.Go(func() {
			for i := range events {
				a, err := m.engine.Send(context.Background(), durable.Event{Session: fmt.Sprintf("s%d", n), Name: "go", ID: fmt.Sprint(m.sent + i),
					Data: map[string]any{"text": "the caller asks for an instalment plan"}})
				if err != nil || a.Outcome != statechart.Taken || a.Duplicate {
					m.t.Errorf("event %d of session %d: %v, %v", i, n, a.Outcome, err)
					return
				}
			}
		})
	}
	all.Wait()
	m.sent += events
	after := m.work()
	per := func(n int64) float64 { return float64(n) / float64(sessions*events) }
	return cost{per(after.Statements - before.Statements), per(after.Rows - before.Rows), per(after.Reads - before.Reads),
		per(int64(after.Pages - before.Pages)), per(m.store.commits.Load() - commits)}
}

func turning(actions ...statechart.Action) statechart.State {
	return statechart.State{Initial: "there", States: []statechart.State{
		{Name: "there", On: []statechart.Transition{{Event: "go", Target: "back", Actions: actions}}},
		{Name: "back", On: []statechart.Transition{{Event: "go", Target: "there", Actions: actions}}},
	}}
}

// The work of an event that has an id: three rows (the session's, one of the
// journal, the id's), and what a transaction costs besides falls on all events
// in it. One in four of these small states is stored as a whole, because the
// changes have outgrown it, and an id in some forty is looked up.
func TestWorkOfAnEvent(t *testing.T) {
	for _, sessions := range []int{1, 64} {
		t.Run(fmt.Sprint(sessions), func(t *testing.T) {
			m := measure(t, sessions, statechart.Definition{ID: "turns", Root: turning()})
			got := m.send(sessions, 640/sessions)
			t.Logf("an event: %.2f statements, %.2f rows, %.2f reads, %.2f pages, %.2f syncs", got.statements, got.rows, got.reads, got.pages, got.syncs)
			transaction := 4 * got.syncs // begin, read and write what the owner knows, commit
			if got.statements > 3.6+transaction || got.rows > 3.6+got.syncs {
				t.Errorf("an event runs %.2f statements and changes %.2f rows", got.statements, got.rows)
			}
			if got.reads > 0.1 {
				t.Errorf("an event reads with %.2f statements", got.reads)
			}
			if got.syncs > 1 || sessions == 1 && got.syncs != 1 {
				t.Errorf("an event takes %.2f syncs", got.syncs)
			}
			if got.pages > 6 { // some five; more whole states where rows say that they took long
				t.Errorf("an event writes %.2f pages", got.pages)
			}
		})
	}
}

// A step of the engine costs as much at 10,000 rows of a list as at 10.
func TestWorkDoesNotGrowWithAList(t *testing.T) {
	m := measure(t, 1, statechart.Definition{ID: "says", Lists: []string{"messages"},
		Root: turning(statechart.Action{Append: "messages", Data: map[string]any{"role": "user", "text": "good morning"}})})
	m.send(1, 10)
	few := m.send(1, 200)
	fill(t, m, 10_000-m.sent)
	many := m.send(1, 200)
	t.Logf("at 10: %.2f, at 10,000: %.2f", few, many)
	for _, c := range []struct {
		what      string
		few, many float64
	}{
		{"statements", few.statements, many.statements}, {"rows", few.rows, many.rows}, {"pages", few.pages, many.pages}, {"syncs", few.syncs, many.syncs},
	} {
		if c.many > 1.2*c.few || c.many < 0.8*c.few {
			t.Errorf("an event takes %.2f %s at 10 rows of the list and %.2f at 10,000", c.few, c.what, c.many)
		}
	}
}

// fill lets many senders at once add rows to the one list.
func fill(t *testing.T, m *measured, events int) {
	t.Helper()
	var left atomic.Int64
	left.Store(int64(events))
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			for left.Add(-1) >= 0 {
				if _, err := m.engine.Send(context.Background(), durable.Event{Session: "s0", Name: "go"}); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
}
