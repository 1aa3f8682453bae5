package main

import (
	"slices"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/charttest"
	"github.com/detent-run/detent/examples/internal/pins"
	"github.com/detent-run/detent/statechart"
)

func chart(t *testing.T) *statechart.Chart {
	t.Helper()
	c, err := chartfile.Load("investigation.yaml", file, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestTranscripts(t *testing.T) {
	charttest.Run(t, chart(t), "testdata/*.transcript", charttest.Options{})
}

// What the agent must do, and what shows that it does.
func TestEachLineIsShown(t *testing.T) {
	for _, loose := range pins.Loose([]pins.Line{
		{Text: "each leaf asks a model or runs a tool", Transcript: "whole"},
		{Text: "which events the model may choose is exactly what the chart allows in that state", Test: "TestTheModelChoosesWhatTheChartAllows"},
		{Text: "a choice outside is impossible, not merely discouraged", Transcript: "choices"},
	}) {
		t.Error(loose)
	}
}

// answer ends the one open call of a session.
func answer(t *testing.T, in *statechart.Instance, data any) {
	t.Helper()
	live := in.Live()
	if len(live) != 1 {
		t.Fatalf("in %v the open calls are %v", in.Configuration(), live)
	}
	in.Receive(statechart.Delivery{
		Event:    statechart.Event{Name: "done." + live[0].Source.Kind + "." + live[0].Source.ID, Data: data},
		Envelope: &statechart.Envelope{Source: live[0].Source},
	})
}

// chooses is what a model answers; the payload has the fields of all events.
func chooses(event string) map[string]any {
	payload := map[string]any{}
	for _, field := range []string{"plan", "query", "hypothesis", "test", "conclusion"} {
		payload[field] = "some " + field
	}
	return map[string]any{"event": event, "data": payload}
}

// leaves are the states in which a model is asked, with the answers that lead
// there.
var leaves = map[string][]any{
	"Planning":                              nil,
	"InvestigationSuperState.DataGathering": {chooses("PLAN_READY")},
	"InvestigationSuperState.Reviewing":     {chooses("PLAN_READY"), chooses("HYPOTHESIS"), nil, nil},
}

// "Which events the model may choose is exactly what the chart allows in that
// state, and a choice outside it is impossible, not merely discouraged."
func TestTheModelChoosesWhatTheChartAllows(t *testing.T) {
	c := chart(t)
	f, _ := chartfile.Read("investigation.yaml", file)
	for leaf, way := range leaves {
		reach := func() *statechart.Instance {
			in := new(statechart.Instance)
			c.Start(in, statechart.Start{Session: "s", Input: map[string]any{"question": "Why?"}})
			for _, a := range way {
				answer(t, in, a)
			}
			if got := in.Configuration(); got[0] != leaf {
				t.Fatalf("the session is in %v, want %s", got, leaf)
			}
			return in
		}
		in := reach()
		call := in.Effects()[len(in.Effects())-1].Call
		var allowed []string
		for _, e := range in.Events() {
			if slices.Contains(e.From, "model") {
				allowed = append(allowed, e.Name)
			}
		}
		if !slices.Equal(call.Choices, allowed) {
			t.Errorf("in %s, offered is %v and allowed %v", leaf, call.Choices, allowed)
		}
		for _, e := range f.Definition.Events {
			in := reach()
			before := in.Sequence()
			answer(t, in, chooses(e.Name))
			went := in.Configuration()[0] != leaf || len(in.Live()) == 1 && in.Live()[0].Source.Kind == "do"
			if offered := slices.Contains(allowed, e.Name); went != offered {
				t.Errorf("in %s, the model chooses %s and something happens is %v, want %v", leaf, e.Name, went, offered)
			}
			if in.Sequence() != before+1 {
				t.Errorf("in %s, the choice of %s takes more than its own macrostep", leaf, e.Name)
			}
		}
	}
}
