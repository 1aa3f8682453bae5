package durable_test

import (
	"fmt"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/memory"
)

// E1: an id is known however many came after it, in the life in which it came,
// in the next, and after that; and a session that was deleted has none.
func TestE1EveryIDIsKnown(t *testing.T) {
	const ids = 700
	store, ctx := memory.New(), within(t)
	chart := compile(t, "pair",
		statechart.State{Name: "a", On: []statechart.Transition{on("go", "b")}},
		statechart.State{Name: "b", On: []statechart.Transition{on("go", "a")}})
	send := func(e *durable.Engine, n int, again bool) {
		t.Helper()
		a, err := e.Send(ctx, durable.Event{Session: "s", Name: "go", ID: fmt.Sprint("id-", n)})
		must(t, err)
		if a.Duplicate != again || a.Outcome != statechart.Taken || again && a.Sequence != uint64(n+2) {
			t.Fatalf("the id %d: duplicate %t, want %t; %+v", n, a.Duplicate, again, a)
		}
	}
	life := func(f func(e *durable.Engine)) {
		e, err := durable.Open(ctx, store, durable.Config{Charts: durable.NewCharts(chart)})
		must(t, err)
		f(e)
		must(t, e.Close())
		must(t, store.Close())
	}
	life(func(e *durable.Engine) {
		_, err := e.Start(ctx, durable.Start{ID: "s", Chart: "pair"})
		must(t, err)
		for n := range ids {
			send(e, n, false)
		}
		for n := range ids {
			send(e, n, true)
		}
	})
	life(func(e *durable.Engine) { // more are new than are looked up one by one
		for n := range ids {
			send(e, n, true)
		}
		for n := range 20 {
			send(e, ids+n, false)
		}
	})
	life(func(e *durable.Engine) {
		for n := range ids + 20 {
			send(e, n, true)
		}
		for n := range ids { // past what is read at once
			send(e, ids+20+n, false)
		}
	})
	life(func(e *durable.Engine) {
		for n := range 2*ids + 20 {
			send(e, n, true)
		}
		must(t, e.Delete(ctx, "s", "test"))
		_, err := e.Start(ctx, durable.Start{ID: "s", Chart: "pair"})
		must(t, err)
		send(e, 0, false)
		send(e, 0, true)
	})
}
