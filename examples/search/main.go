// Search runs one chart in two styles. First somebody watches its changes and
// does the work that each state waits for; then the same chart declares that
// work itself, as invocations. The states that are passed are the same.
package main

import (
	"fmt"
	"log"
	"slices"

	"github.com/detent-run/detent/examples/internal/stage"
	"github.com/detent-run/detent/statechart"
)

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

// watch drives the plain chart from outside: a subscriber does what each state
// waits for and sends what came of it. It returns the states that were passed.
func watch() ([]string, error) {
	chart, err := compile(assistant)
	if err != nil {
		return nil, err
	}
	a := &Assistant{}
	in := chart.Instance(a)
	var passed []string
	in.Subscribe(func(c statechart.Change) {
		state := c.Configuration[0]
		passed = append(passed, state)
		fmt.Println("           ", state)
		if state == "responding" {
			fmt.Println("assistant:", a.GeneratedContent)
		}
		if event, data := work(state, a.UserInput, a.RetryCount); event != "" {
			in.Send(statechart.Event{Name: event, Data: data})
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

// invoke drives the chart that declares its calls, and returns the states.
func invoke() ([]string, error) {
	chart, err := compile(invoking(assistant))
	if err != nil {
		return nil, err
	}
	s := stage.Start(chart, statechart.Start{Session: "search"}, func(c stage.Call) stage.Answer {
		input := c.Input.(map[string]any)
		event, data := work(c.ID, input["userInput"].(string), int(input["retryCount"].(int64)))
		return stage.Answer{Kind: "done", After: 100, Data: map[string]any{"event": event, "data": data}}
	})
	var passed []string
	s.Instance().Subscribe(func(c statechart.Change) { passed = append(passed, c.Configuration[0]) })
	for _, question := range questions {
		s.Send("USER_INPUT", map[string]any{"text": question})
		s.Rest()
	}
	return passed, nil
}

// work is what the world outside does in a state; nothing where the user or
// the clock has the word.
func work(state, question string, attempt int) (event string, data map[string]any) {
	switch state {
	case "analyzing":
		return "INTENT_DETECTED", map[string]any{"type": "question", "confidence": 0.9}
	case "searching":
		if question == "the moon" || attempt < 3 {
			return "SEARCH_FAILED", map[string]any{"error": "timeout"}
		}
		return "SEARCH_COMPLETE", map[string]any{"results": []any{"a catch that holds a mechanism in place"}}
	case "generating":
		return "GENERATION_COMPLETE", map[string]any{"content": "A detent is a catch that holds a mechanism in place."}
	case "responding":
		return "RESPONSE_SENT", nil
	}
	return "", nil
}
