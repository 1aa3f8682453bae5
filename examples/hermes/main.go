// Hermes runs one task of a six-state agent from its first event to its end:
// a planner plans, tools are called, results are fed back. The agent is the
// chart in hermes.yaml; this program is the world around it. It asks no model
// and no network: its answers are fixed, so that each run is the same.
package main

import (
	_ "embed"
	"fmt"
	"log"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/examples/internal/stage"
	"github.com/detent-run/detent/statechart"
)

//go:embed hermes.yaml
var file []byte

func main() {
	chart, err := chartfile.Load("hermes.yaml", file, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("planner: fixed, no model is configured")
	s := stage.Start(chart, statechart.Start{Session: "hermes-1"}, reply)
	s.Send("receive_task", map[string]any{"task": "   "})
	s.Send("receive_task", map[string]any{"task": "Report on detents"})
	s.Send("receive_task", map[string]any{"task": "Then rest"}) // kept: hermes is busy
	for !s.Instance().Matches("completed") {
		s.Wait(1000)
	}
	fmt.Printf("\nresult: %v\n\n", s.Instance().Data()["completed"]["result"])
	s.Send("reset", nil)
}

// reply is the world outside: a planner, an executor that follows the plan,
// and three tools. One of them is slow.
func reply(c stage.Call) stage.Answer {
	switch c.Src {
	case "model:planner":
		return stage.Answer{Kind: "done", After: 800, Data: map[string]any{"tokens": int64(120), "steps": []any{
			map[string]any{"tool": "web_search", "input": "what is a detent"},
			map[string]any{"tool": "file_writer", "input": "report.md"},
		}}}
	case "decide:executor":
		step, _ := c.Input.(map[string]any)["step"].(map[string]any)
		if step == nil {
			return choose("finish_execution", map[string]any{"tokens": int64(30)})
		}
		return choose("call_tool", map[string]any{"tool": step["tool"]})
	case "tool:web_search":
		return stage.Answer{Kind: "done", After: 12_000, Data: map[string]any{"found": "a catch that holds a mechanism in place"}}
	}
	return stage.Answer{Kind: "done", After: 100, Data: map[string]any{"ok": true}}
}

// choose is how a decision ends: with an event and its payload.
func choose(event string, data any) stage.Answer {
	return stage.Answer{Kind: "done", After: 200, Data: map[string]any{"event": event, "data": data}}
}
