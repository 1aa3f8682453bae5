package durable_test

import (
	"context"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/memory"
)

// A session that gave way goes on after a restart, also when the more
// important one is gone and nobody else asks for what it waits for.
func TestWhoGaveWayGoesOnAfterARestart(t *testing.T) {
	store := memory.New()
	power := &fuse{Store: store, blow: blow{left: -1}}
	charts := durable.NewCharts(caller(t, statechart.Invocation{Src: "tool:x"}))
	config := func(perform host.PerformerFunc) durable.Config {
		traits := host.Traits{Concurrency: 1, Pool: "scarce"}
		repeatable := traits
		repeatable.Mode = host.AtLeastOnce
		return durable.Config{Charts: charts, Performers: host.Table{"tool:x": {Performer: perform, Traits: repeatable}}}
	}
	started := make(chan string, 2)
	e := open(t, power, config(func(ctx context.Context, c host.Call) host.Outcome {
		started <- c.Session
		<-ctx.Done()
		return host.Done(nil)
	}))
	ctx := within(t)
	_, err := e.Start(ctx, durable.Start{ID: "low", Chart: "caller"})
	must(t, err)
	<-started
	_, err = e.Start(ctx, durable.Start{ID: "high", Chart: "caller", Priority: 5})
	must(t, err)
	<-started
	power.set(blow{left: 1, stored: true}) // low is not told any more
	if _, err = e.Send(ctx, durable.Event{Session: "high", Name: "leave"}); err == nil {
		t.Fatal("the engine outlives its store")
	}
	must(t, e.Close())
	must(t, store.Close())

	e = open(t, store, config(func(context.Context, host.Call) host.Outcome { return host.Done(nil) }))
	v, err := e.Wait(ctx, "low", durable.End)
	must(t, err)
	if v.Status != durable.Completed {
		t.Errorf("low is %s: %+v", v.Status, v.Reason)
	}
}
