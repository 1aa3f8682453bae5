package main

import (
	"time"

	"github.com/detent-run/detent/statechart"
)

// compile binds the chart to its behaviour, which works on the chart's own,
// scoped data.
func compile() (*statechart.Chart, error) {
	r := statechart.NewRegistry()
	registerVariables(r)
	registerPayloads(r)
	r.Guard("wake time is given", func(s *statechart.Scope) (bool, error) {
		text, _ := field(s, "wakeAfter").(string)
		d, err := time.ParseDuration(text)
		return err == nil && d > 0, nil
	})
	r.Guard("rate limited", func(s *statechart.Scope) (bool, error) { return field(s, "code") == "rate_limited", nil })
	r.Guard("attempts are left", func(s *statechart.Scope) (bool, error) { return number(s, "attempts") < 3, nil })
	r.Guard("credential is there", func(s *statechart.Scope) (bool, error) { return variable(s, "credential") != nil, nil })
	r.Guard("bank agrees", func(s *statechart.Scope) (bool, error) { return field(s, "status") == "ok", nil })
	r.Action("back off", func(s *statechart.Scope) error {
		attempts := number(s, "attempts") + 1
		for name, v := range map[string]any{"attempts": attempts, "backoff": attempts * 500, "lastStatus": field(s, "status")} {
			if err := s.Set(name, v); err != nil {
				return err
			}
		}
		return nil
	})
	r.Value("what the bank said", func(s *statechart.Scope) (any, error) {
		answer := variable(s, "answer")
		if answer == nil {
			return nil, nil // left before the bank said anything
		}
		return map[string]any{"answer": answer, "attempts": variable(s, "attempts")}, nil
	})
	return statechart.Compile(collections, r)
}

// registerVariables lets the chart read its variables as values.
func registerVariables(r *statechart.Registry) {
	for _, name := range []string{"customer", "plan", "proposal", "decision", "acknowledgement", "message", "backoff", "verdict"} {
		r.Value(name, func(s *statechart.Scope) (any, error) { return variable(s, name), nil })
	}
}

// registerPayloads lets the chart read the event.
func registerPayloads(r *statechart.Registry) {
	r.Value("event data", func(s *statechart.Scope) (any, error) { return s.Event().Data, nil })
	for name, of := range map[string]string{
		"customer given": "customer", "reason given": "reason", "wake time": "wakeAfter",
		"steps given": "steps", "credential given": "credential", "status given": "status",
	} {
		r.Value(name, func(s *statechart.Scope) (any, error) { return field(s, of), nil })
	}
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
