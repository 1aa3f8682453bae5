// Engine carries a session in a file, in Go: a chart with a typed context, a
// tool, and three lives of the process.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/sqlite"
)

type order struct{ Item, Receipt string }

var definition = statechart.Definition{ID: "order", Root: statechart.State{Initial: "open", States: []statechart.State{
	{Name: "open", On: []statechart.Transition{{Event: "pay", Target: "paying"}}},
	{Name: "paying", Invoke: []statechart.Invocation{{ID: "charge", Src: "tool:charge", Mode: "at_least_once",
		OnDone:  []statechart.Transition{{Target: "packing", Actions: []statechart.Action{{Call: "receipt"}}}},
		OnError: []statechart.Transition{{Target: "open"}}}}},
	{Name: "packing", On: []statechart.Transition{{Event: "sent", Target: "over"}}},
	{Name: "over", Type: statechart.Final},
}}}

// charge is the outside. After a crash it is asked again, under the same key.
func charge(ctx context.Context, call host.Call) host.Outcome {
	fmt.Printf("      %s, attempt %d\n", call.Src, call.Attempt)
	return host.Done("no. 17")
}

// life opens the file with every session where it stood, sends one event,
// waits until the order is in a state, and ends.
func life(file string, event durable.Event, until durable.Until) {
	behaviour := statechart.NewRegistry()
	statechart.Assign(behaviour, "receipt", func(o *order, e statechart.Event) { o.Receipt, _ = e.Data.(string) })
	config := durable.Config{
		Charts:     durable.NewCharts(must(statechart.Compile(definition, behaviour))),
		Performers: host.Table{"tool:charge": {Performer: host.PerformerFunc(charge)}},
	}
	store := must(sqlite.Open(file, sqlite.Options{}))
	defer store.Close()
	ctx := context.Background()
	engine := must(durable.Open(ctx, store, config))
	defer engine.Close()

	// Started again with the same input it is a duplicate, which is no error.
	must(engine.Start(ctx, durable.Start{ID: event.Session, Chart: "order", Context: &order{Item: "lamp"}}))
	answer := must(engine.Send(ctx, event)) // returns once the step is on the disk
	view := must(engine.Wait(ctx, event.Session, until))
	fmt.Printf("%-4s  %v, known %t: %s in %v with %+v\n", event.Name, answer.Outcome, answer.Duplicate,
		view.Status, view.Configuration, view.Context)
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	folder := must(os.MkdirTemp("", "orders"))
	defer os.RemoveAll(folder)
	file := folder + "/orders.db"
	pay := durable.Event{Session: "order-1", Name: "pay", ID: "click-1"}
	sent := durable.Event{Session: "order-1", Name: "sent", ID: "scan-1"}
	life(file, pay, durable.InState("packing"))
	life(file, pay, durable.InState("packing")) // its sender heard nothing, and sends it again
	life(file, sent, durable.End)
}
