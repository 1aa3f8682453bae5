// Investigation runs a model through a loop of hypotheses, the chart in
// investigation.yaml. The model is a fixed script that once chooses what its
// state does not offer: the chart turns it down and asks again.
package main

import (
	_ "embed"
	"fmt"
	"log"
	"strings"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/examples/internal/stage"
	"github.com/detent-run/detent/statechart"
)

//go:embed investigation.yaml
var file []byte

func main() {
	chart, err := chartfile.Load("investigation.yaml", file, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("model: a script, no model is configured")
	turn := 0
	start := statechart.Start{Session: "inquiry", Input: map[string]any{"question": "Why is the door stuck?"}}
	s := stage.Start(chart, start, func(c stage.Call) stage.Answer { return reply(c, &turn) })
	for s.Instance().Status() == statechart.Active {
		asked := s.Instance().Data()[""]["refusals"]
		if names := offered(s.Instance()); names != "" {
			fmt.Printf("%13soffered are %s\n", "", names)
		}
		s.Wait(500)
		if refusals := s.Instance().Data()[""]["refusals"]; refusals.(int64) > asked.(int64) {
			fmt.Printf("%13sturned down: %s is not offered here\n", "", script[turn-2]["event"])
		}
	}
}

// offered names the events that the model could choose now.
func offered(in *statechart.Instance) string {
	var names []string
	for _, e := range in.Events() {
		for _, from := range e.From {
			if from == "model" {
				names = append(names, e.Name)
			}
		}
	}
	return strings.Join(names, ", ")
}

// script is what the model chooses, turn by turn.
var script = []map[string]any{
	{"event": "PLAN_READY", "data": map[string]any{"plan": "look, guess, test"}},
	{"event": "LOOK_UP", "data": map[string]any{"query": "sticking doors"}},
	{"event": "CONFIRM", "data": map[string]any{"conclusion": "magic"}}, // not here
	{"event": "HYPOTHESIS", "data": map[string]any{"hypothesis": "it is locked", "test": "turn(key)"}},
	{"event": "REJECT", "data": map[string]any{"hypothesis": "it is damp", "test": "measure(wood)"}},
	{"event": "CONFIRM", "data": map[string]any{"conclusion": "the wood is damp"}},
}

// reply is the world outside: the model, and three tools.
func reply(c stage.Call, turn *int) stage.Answer {
	data := any("fine")
	switch {
	case c.Src == "decide:investigator":
		data = script[*turn]
		*turn++
	case c.Src == "tool:search":
		data = "doors stick when wood is damp, or when they are locked"
	case c.Src == "tool:sandbox" && c.Input == "turn(key)":
		data = "it was never locked"
	case c.Src == "tool:sandbox":
		data = "humidity 81 %"
	}
	return stage.Answer{Kind: "done", After: 500, Data: data}
}
