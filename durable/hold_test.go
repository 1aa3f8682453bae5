package durable_test

import (
	"context"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/memory"
)

// A process that opens the store for a moment starts no call that it would cut
// off: the call waits for the next engine, which makes it once.
func TestHeldCallsWaitForTheNextEngine(t *testing.T) {
	store, calls := memory.New(), 0
	config := durable.Config{Charts: durable.NewCharts(caller(t, statechart.Invocation{Src: "tool:x", Mode: "at_most_once"})),
		Performers: performing(func(context.Context, host.Call) host.Outcome {
			calls++
			return host.Done(nil)
		})}
	ctx := within(t)
	held := config
	held.Hold = func(session, src string) bool { return session == "s" && src == "tool:x" }
	e := open(t, store, held)
	_, err := e.Start(ctx, durable.Start{ID: "s", Chart: "caller"})
	must(t, err)
	must(t, e.Drain(ctx, durable.UntilTheyEnd))
	v, err := e.Get(ctx, "s")
	must(t, err)
	if calls != 0 || len(v.Effects) != 1 || v.Effects[0].Stands != "pending" {
		t.Fatalf("%d calls, the effects %+v", calls, v.Effects)
	}
	must(t, e.Close())
	store.Steal()
	e = open(t, store, config)
	v, err = e.Wait(ctx, "s", durable.End)
	must(t, err)
	if calls != 1 || v.Status != durable.Completed {
		t.Errorf("%d calls, %s", calls, v.Status)
	}
}
