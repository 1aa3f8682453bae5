package durable_test

import (
	"context"
	"strings"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/memory"
)

// R35: what had been accepted before an import is taken up before what the
// import says of the calls. A random script found it the other way round.
func TestR35ImportKeepsTheOrderOfAcceptance(t *testing.T) {
	ctx := within(t)
	chart := compile(t, "order", statechart.State{Name: "work", On: []statechart.Transition{on("note", "", statechart.Action{Log: "noted"})},
		Invoke: []statechart.Invocation{{ID: "call", Src: "tool:slow", OnUnknown: []statechart.Transition{on("", "lost")}}}}, statechart.State{Name: "lost"})
	slow := host.PerformerFunc(func(ctx context.Context, _ host.Call) host.Outcome { <-ctx.Done(); return host.Unknown("cut", "") })
	config := durable.Config{Charts: durable.NewCharts(chart), Performers: host.Table{"tool:slow": {Performer: slow}}}
	e := open(t, memory.New(), config)
	_, err := e.Start(ctx, durable.Start{ID: "a", Chart: "order"})
	must(t, err)
	must(t, e.Suspend(ctx, "a", durable.Suspension{Reason: "test"}))
	_, err = e.Send(ctx, durable.Event{Session: "a", Name: "note"})
	must(t, err)
	document, err := e.Export(ctx, "a")
	must(t, err)
	_, err = e.Import(ctx, document, durable.ImportOptions{ID: "b"})
	must(t, err)
	must(t, e.Resume(ctx, "b", "test"))
	_, err = e.Wait(ctx, "b", durable.Settled)
	must(t, err)
	rows, err := e.History(ctx, "b", 1, 0)
	must(t, err)
	var events []string
	for _, r := range rows {
		events = append(events, r.Event)
	}
	if got, want := strings.Join(events, " "), "detent.import detent.resume note unknown.invoke.call"; got != want {
		t.Errorf("the rows are %s, want %s", got, want)
	}
}

// E1: an event that waits in an export is known by its id where it is taken in.
// A random script had it taken twice.
func TestE1ImportKnowsTheIDsOfWhatWaits(t *testing.T) {
	ctx := within(t)
	chart := compile(t, "ids", statechart.State{Name: "work", On: []statechart.Transition{on("note", "", statechart.Action{Log: "noted"})}})
	e := open(t, memory.New(), durable.Config{Charts: durable.NewCharts(chart)})
	_, err := e.Start(ctx, durable.Start{ID: "a", Chart: "ids"})
	must(t, err)
	must(t, e.Suspend(ctx, "a", durable.Suspension{Reason: "test"}))
	_, err = e.Send(ctx, durable.Event{Session: "a", Name: "note", ID: "once"})
	must(t, err)
	document, err := e.Export(ctx, "a")
	must(t, err)
	_, err = e.Import(ctx, document, durable.ImportOptions{ID: "b"})
	must(t, err)
	again, err := e.Send(ctx, durable.Event{Session: "b", Name: "note", ID: "once"})
	must(t, err)
	if !again.Duplicate || !again.Queued {
		t.Errorf("the second send is answered by %+v, want a queued duplicate", again)
	}
	must(t, e.Resume(ctx, "b", "test"))
	_, err = e.Wait(ctx, "b", durable.Settled)
	must(t, err)
	rows, err := e.History(ctx, "b", 1, 0)
	must(t, err)
	if len(rows) != 3 || rows[2].Event != "note" {
		t.Errorf("there are %d rows, want the import, the resumption and one note", len(rows))
	}
}
