package durable_test

import (
	"context"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/internal/sim"
	"github.com/detent-run/detent/statechart"
)

// slowCommits are commits that take a while, so that a jump can fall into one.
type slowCommits struct {
	durable.Store
	w *sim.World
}

func (s slowCommits) Commit(ctx context.Context, c durable.Commit) error {
	if err := s.w.Sleep(context.Background(), 3); err != nil {
		return err
	}
	err := s.Store.Commit(ctx, c)
	if sleep := s.w.Sleep(context.Background(), 3); sleep != nil {
		return sleep
	}
	return err
}

func (s slowCommits) Load(ctx context.Context, q durable.LoadQuery) (*durable.Stored, error) {
	stored, err := s.Store.Load(ctx, q)
	if sleep := s.w.Sleep(context.Background(), 2); sleep != nil {
		return nil, sleep
	}
	return stored, err
}

// T5, T2: a parent takes the end of its child wherever a jump of the clock
// falls, forth by 35,000 years or back by as many, and with ticks of its own
// that were missed: the timekeeper does not sleep over the jump.
func TestT5AChildsEndOutlivesAJump(t *testing.T) {
	kid := compile(t, "kid", statechart.State{Name: "on", After: []statechart.Timed{{Delay: "50ms", Transitions: list(on("", "end"))}}},
		statechart.State{Name: "end", Type: statechart.Final})
	for _, missed := range []string{"", "coalesce", "skip"} {
		state := statechart.State{Name: "calling", Invoke: calls("kid", "chart:kid", statechart.Invocation{OnDone: list(on("", "over"))})}
		if missed != "" {
			state.Every = []statechart.Timed{{Delay: "1s", Missed: missed, Transitions: list(on("", ""))}}
		}
		charts := durable.NewCharts(kid, compile(t, "main", state, statechart.State{Name: "over", Type: statechart.Final}))
		for _, by := range []int64{1 << 50, -(1 << 50)} {
			for at := int64(0); at < 90; at++ {
				w := simulate(t, durable.Config{Charts: charts, Resident: 1 + int(at%2)}, func(w *sim.World, s durable.Store) durable.Store { return slowCommits{s, w} })
				started := w.World.Start("starter", func() { _, _ = w.e.Start(context.Background(), durable.Start{ID: "s", Chart: "main"}) })
				w.pass(at)
				w.Jump(by)
				w.pass(10_000)
				w.do(func(ctx context.Context) error {
					v, err := w.e.Get(ctx, "s")
					if !started() || v.Status != durable.Completed {
						t.Errorf("missed %q, a jump by %d after %d ms: the parent is %s in %v with %+v", missed, by, at, v.Status, v.Configuration, v.Effects)
					}
					return err
				})
			}
		}
	}
}
