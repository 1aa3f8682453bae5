// Search-assistant runs one chart in two styles. First somebody watches its
// changes and does the work that each state waits for; then the same chart
// declares that work itself, as invocations. The states that are passed are
// the same.
package main

import (
	_ "embed"
	"fmt"
	"log"
	"slices"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/examples/internal/stage"
	"github.com/detent-run/detent/statechart"
)

//go:embed search-assistant.yaml
var bare []byte

//go:embed search-assistant-calls.yaml
var calling []byte

func main() {
	watched, err := watch()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("\nThe same, with the calls declared in the chart:")
	declared, err := invoke()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("\nThe same states were passed:", slices.Equal(watched, declared))
}

// questions are what the user says: the first time the search works at the
// third attempt, the second time never.
var questions = []string{"detents", "the moon"}

// watch drives the bare chart from outside: a subscriber does what each state
// waits for and sends what came of it. It returns the states that were passed.
func watch() ([]string, error) {
	chart, err := chartfile.Load("search-assistant.yaml", bare, nil)
	if err != nil {
		return nil, err
	}
	in := chart.Instance(nil)
	var passed []string
	in.Subscribe(func(c statechart.Change) {
		state, data := c.Configuration[0], in.Data()[""]
		passed = append(passed, state)
		fmt.Println("           ", state)
		if state == "responding" {
			fmt.Println("assistant:", data["generatedContent"])
		}
		if event, payload := work(state, data); event != "" {
			in.Send(statechart.Event{Name: event, Data: payload})
		}
	})
	for _, question := range questions {
		fmt.Println("you:", question)
		in.Send(statechart.Event{Name: "USER_INPUT", Data: map[string]any{"text": question}})
		for len(in.Timers()) > 0 { // nobody but time ends this state
			timer := in.Timers()[0]
			in.SetNow(timer.Due)
			in.Receive(timer.Delivery())
		}
	}
	return passed, nil
}

// work is what a program outside does in a state, and the event that it sends
// then; none where the user or the clock has the word.
func work(state string, data map[string]any) (event string, payload map[string]any) {
	switch state {
	case "analyzing":
		return "INTENT_DETECTED", map[string]any{"intent": detected}
	case "searching":
		if found := search(data["userInput"], data["retryCount"]); found != nil {
			return "SEARCH_COMPLETE", map[string]any{"results": found}
		}
		return "SEARCH_FAILED", map[string]any{"error": "timeout"}
	case "generating":
		return "GENERATION_COMPLETE", map[string]any{"content": answer}
	case "responding":
		return "RESPONSE_SENT", nil
	}
	return "", nil
}

// invoke drives the chart that declares its calls, and returns the states.
func invoke() ([]string, error) {
	chart, err := chartfile.Load("search-assistant-calls.yaml", calling, nil)
	if err != nil {
		return nil, err
	}
	s := stage.Start(chart, statechart.Start{Session: "search"}, reply)
	var passed []string
	s.Instance().Subscribe(func(c statechart.Change) { passed = append(passed, c.Configuration[0]) })
	for _, question := range questions {
		s.Send("USER_INPUT", map[string]any{"text": question})
		s.Rest()
	}
	return passed, nil
}

// reply answers the calls of the chart with what work does outside it.
func reply(c stage.Call) stage.Answer {
	switch c.Src {
	case "model:intent":
		return stage.Answer{Kind: "done", After: 100, Data: detected}
	case "tool:search":
		input := c.Input.(map[string]any)
		if found := search(input["query"], input["attempt"]); found != nil {
			return stage.Answer{Kind: "done", After: 100, Data: found}
		}
		return stage.Answer{Kind: "error", After: 100, Data: map[string]any{"code": "timeout", "message": "timeout"}}
	case "model:writer":
		return stage.Answer{Kind: "done", After: 100, Data: map[string]any{"content": answer}}
	}
	return stage.Answer{Kind: "done", After: 100}
}

const answer = "A detent is a catch that holds a mechanism in place."

var detected = map[string]any{"type": "question", "confidence": 0.9}

// search finds something at the third attempt, about the moon never.
func search(question, attempt any) any {
	if question == "the moon" || attempt.(int64) < 3 {
		return nil
	}
	return []any{"a catch that holds a mechanism in place"}
}
