package durable_test

import (
	"context"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/internal/sim"
	"github.com/detent-run/detent/store/memory"
)

// simulated is an engine in a simulated world, on a store that outlives it.
type simulated struct {
	t testing.TB
	*sim.World
	kept   *memory.Store
	store  durable.Store
	config durable.Config
	e      *durable.Engine
}

// simulate opens an engine in a world under a fixed seed. wrap may put
// something before the store.
func simulate(t testing.TB, c durable.Config, wrap func(*sim.World, durable.Store) durable.Store) *simulated {
	t.Helper()
	kept := memory.New()
	w := &simulated{t: t, World: sim.New(1), kept: kept, config: c}
	w.store = struct{ durable.Store }{kept}
	if wrap != nil {
		w.store = wrap(w.World, w.store)
	}
	w.open()
	return w
}

func (w *simulated) open() {
	w.t.Helper()
	c := w.config
	c.Runtime = w.Runtime()
	w.do(func(ctx context.Context) (err error) {
		w.e, err = durable.Open(ctx, w.store, c)
		return err
	})
}

// down ends the engine as a power cut would, lets time pass, in milliseconds,
// and opens it again.
func (w *simulated) down(ms int64) {
	w.t.Helper()
	w.Crash()
	must(w.t, w.kept.Close())
	w.pass(ms)
	w.open()
}

// pass lets time pass.
func (w *simulated) pass(ms int64) {
	w.t.Helper()
	w.do(func(ctx context.Context) error { return w.Sleep(ctx, ms) })
}

// do runs f in the world until it has ended.
func (w *simulated) do(f func(context.Context) error) {
	w.t.Helper()
	var err error
	must(w.t, w.Do("test", 5_000_000, func() { err = f(context.Background()) }))
	must(w.t, err)
}

func (w *simulated) start(id, chart string) {
	w.t.Helper()
	w.do(func(ctx context.Context) error {
		_, err := w.e.Start(ctx, durable.Start{ID: id, Chart: chart})
		return err
	})
}
