package durable_test

import (
	"fmt"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/memory"
)

// keeper keeps every event but go for later.
func keeper(t *testing.T) *statechart.Chart {
	t.Helper()
	chart, err := statechart.Compile(statechart.Definition{ID: "keeper", Root: statechart.State{Initial: "busy", States: []statechart.State{
		{Name: "busy", Defer: []string{"work"}, On: []statechart.Transition{{Event: "go", Target: "free"}, {Event: "tick", Target: "busy"}}},
		{Name: "free", On: []statechart.Transition{{Event: "work", Target: "free"}}},
	}}}, nil)
	must(t, err)
	return chart
}

// Each value is within the bounds of a value; that a state, a row or an export
// holds many of them, or one as deep as may be, must not make it unreadable.
func TestDocumentsHoldManyValues(t *testing.T) {
	numbers := make([]any, 30_000)
	for i := range numbers {
		numbers[i] = int64(i % 10)
	}
	deep := any("x")
	for range 64 {
		deep = []any{deep}
	}
	store := memory.New()
	config := durable.Config{Charts: durable.NewCharts(keeper(t))}
	e := open(t, store, config)
	ctx := within(t)
	_, err := e.Start(ctx, durable.Start{ID: "s", Chart: "keeper"})
	must(t, err)
	for i := range 5 {
		_, err := e.Send(ctx, durable.Event{Session: "s", Name: "work", Data: numbers, ID: fmt.Sprint("many", i)})
		must(t, err)
	}
	must(t, e.Suspend(ctx, "s", durable.Suspension{}))
	_, err = e.Send(ctx, durable.Event{Session: "s", Name: "work", Data: deep, ID: "deep"})
	must(t, err)
	must(t, e.Close())
	store.Steal()
	e = open(t, store, config)
	must(t, e.Resume(ctx, "s", "me"))
	a, err := e.Send(ctx, durable.Event{Session: "s", Name: "go", Until: durable.Settled})
	must(t, err)
	if a.Status != durable.Active || a.Configuration[0] != "free" {
		t.Errorf("after all of it: %s in %v", a.Status, a.Configuration)
	}
	if _, err := e.Verify(ctx, "s"); err != nil {
		t.Errorf("verify: %v", err)
	}
}

// An export holds a journal of any length (S7).
func TestS7ExportOfALongJournal(t *testing.T) {
	charts := durable.Config{Charts: durable.NewCharts(keeper(t))}
	e := open(t, memory.New(), charts)
	ctx := within(t)
	_, err := e.Start(ctx, durable.Start{ID: "s", Chart: "keeper"})
	must(t, err)
	for i := range 2000 {
		_, err := e.Send(ctx, durable.Event{Session: "s", Name: "tick", Data: map[string]any{"n": int64(i), "of": make([]any, 60)}})
		must(t, err)
	}
	doc, err := e.Export(ctx, "s")
	must(t, err)
	v, err := open(t, memory.New(), charts).Import(ctx, doc, durable.ImportOptions{ID: "copy"})
	must(t, err)
	if v.Configuration[0] != "busy" {
		t.Errorf("the copy is in %v", v.Configuration)
	}
}
