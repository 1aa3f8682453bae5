package main

import (
	"errors"
	"slices"

	"github.com/detent-run/detent/statechart"
)

// compile binds the chart to its behaviour.
func compile() (*statechart.Chart, error) {
	r := statechart.NewRegistry()
	r.Guard("choice is offered", func(s *statechart.Scope) (bool, error) {
		offered, _ := s.Params()["choices"].([]any)
		return slices.Contains(offered, field(s, "event")), nil
	})
	r.Guard("may ask again", func(s *statechart.Scope) (bool, error) { return number(s, "refusals") < number(s, "maxRefusals"), nil })
	r.Guard("rounds are left", func(s *statechart.Scope) (bool, error) { return number(s, "round") < number(s, "maxRounds"), nil })
	r.Action("raise the choice", func(s *statechart.Scope) error {
		if err := s.Set("refusals", 0); err != nil {
			return err
		}
		name, _ := field(s, "event").(string)
		return s.Raise(statechart.Event{Name: name, Data: field(s, "data")})
	})
	r.Action("count the refusal", func(s *statechart.Scope) error { return s.Set("refusals", number(s, "refusals")+1) })
	r.Action("count the round", func(s *statechart.Scope) error { return s.Set("round", number(s, "round")+1) })
	r.Action("give up", func(*statechart.Scope) error { return errors.New("the model chooses what is not offered") })
	registerValues(r)
	return statechart.Compile(investigation, r)
}

func registerValues(r *statechart.Registry) {
	for _, name := range []string{"question", "plan", "findings", "conclusion", "tested", "test"} {
		r.Value(name, func(s *statechart.Scope) (any, error) { return variable(s, name), nil })
	}
	for _, name := range []string{"question", "plan", "query", "hypothesis", "test", "conclusion"} {
		r.Value(name+" given", func(s *statechart.Scope) (any, error) { return field(s, name), nil })
	}
	r.Value("event data", func(s *statechart.Scope) (any, error) { return s.Event().Data, nil })
	r.Value("pieces of evidence", func(s *statechart.Scope) (any, error) { return s.Len("evidence"), nil })
	r.Value("what came of it", func(s *statechart.Scope) (any, error) {
		if variable(s, "outcome") == nil {
			return []any{}, nil // left before the test was over
		}
		return []any{map[string]any{"hypothesis": variable(s, "hypothesis"), "outcome": variable(s, "outcome")}}, nil
	})
}

// field reads a field of the event's payload; nil without it.
func field(s *statechart.Scope, name string) any {
	data, _ := s.Event().Data.(map[string]any)
	return data[name]
}

func variable(s *statechart.Scope, name string) any {
	v, _ := s.Get(name)
	return v
}

func number(s *statechart.Scope, name string) int64 {
	n, _ := variable(s, name).(int64)
	return n
}
