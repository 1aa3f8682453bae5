// Door is the smallest program: a chart, a guard, an action and some events.
package main

import (
	"fmt"
	"log"

	"github.com/detent-run/detent/statechart"
)

type door struct {
	Locked bool
	Count  int
}

var definition = statechart.Definition{ID: "door", Root: statechart.State{Initial: "closed", States: []statechart.State{
	{Name: "closed", On: []statechart.Transition{{Event: "open", Guard: statechart.When("unlocked"), Target: "opened",
		Actions: []statechart.Action{{Call: "count"}}}}},
	{Name: "opened", On: []statechart.Transition{{Event: "close", Target: "closed"}}},
}}}

func compile() (*statechart.Chart, error) {
	behaviour := statechart.NewRegistry()
	statechart.Guard(behaviour, "unlocked", func(d *door, e statechart.Event) bool { return !d.Locked })
	statechart.Assign(behaviour, "count", func(d *door, e statechart.Event) { d.Count++ })
	return statechart.Compile(definition, behaviour) // all errors at once
}

func main() {
	chart, err := compile()
	if err != nil {
		log.Fatal(err)
	}
	d := &door{}
	in := chart.Instance(d) // one owner, driven in place
	for _, event := range []string{"open", "open", "close", "open", "close", "open"} {
		d.Locked = d.Count == 2 // somebody locks it
		result := in.Send(statechart.Event{Name: event})
		fmt.Printf("%-6s %-8s %s", event, result.Outcome, in.Configuration()[0])
		if result.Reason != nil {
			fmt.Print(": ", result.Reason.Message)
		}
		fmt.Println()
	}
}
