// Collections runs a bad-debt collection that is rate-limited, suspended for
// the night in its third retry, killed, and resumed from its document where
// it was. The case is the chart in collections.yaml; the bank, the model and the
// tools are fixed answers of this program.
package main

import (
	_ "embed"
	"fmt"
	"log"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/examples/internal/stage"
	"github.com/detent-run/detent/statechart"
)

//go:embed collections.yaml
var file []byte

func main() {
	chart, err := chartfile.Load("collections.yaml", file, nil)
	if err != nil {
		log.Fatal(err)
	}
	bank := &bank{busy: 3}
	s := stage.Start(chart, statechart.Start{Session: "case-1", Input: map[string]any{"customer": "c-17"}}, bank.reply)
	s.Wait(4200)
	show(s)

	fmt.Println("\nThe night begins, and the process is killed.")
	s.Send("SUSPEND", map[string]any{"reason": "night window"})
	document, err := s.Kill()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("All that is left is a document of %d bytes.\n", len(document))

	fmt.Println("\nEight hours later, on another machine:")
	s, err = stage.Resume(chart, document, 8*3_600_000, bank.reply)
	if err != nil {
		log.Fatal(err)
	}
	s.Send("RESUME", nil)
	show(s)
	fmt.Println()
	s.Wait(1500)
	s.Send("CALLBACK", map[string]any{"status": "ok", "file": "output = {'pay': 1200}"})
	s.Rest()
}

// show prints what the session owns while it is inside ToolInvocation.
func show(s *stage.Stage) {
	own := s.Instance().Data()["Active.Executing.ToolInvocation"]
	left := s.Instance().Timers()[0].Due - s.Instance().Now()
	fmt.Printf("           retry %v, last status %v, %d ms of %v ms left\n", own["attempts"], own["lastStatus"], left, own["backoff"])
}

// bank is the world outside. It turns down the first handshakes.
type bank struct{ busy int }

func (b *bank) reply(c stage.Call) stage.Answer {
	switch c.ID {
	case "planner":
		return stage.Answer{Kind: "done", After: 900, Data: map[string]any{"steps": []any{"letter", "handshake"}}}
	case "assemble":
		return stage.Answer{Kind: "done", After: 100, Data: "Dear c-17"}
	case "handshake":
		if b.busy--; b.busy >= 0 {
			return stage.Answer{Kind: "error", After: 200, Data: map[string]any{"code": "rate_limited", "status": int64(429)}}
		}
		return stage.Answer{Kind: "done", After: 200, Data: map[string]any{"credential": "k-1"}}
	case "sandbox":
		return stage.Answer{Kind: "done", After: 300, Data: map[string]any{"pay": int64(1200)}}
	}
	return stage.Answer{Kind: "done", After: 100}
}
