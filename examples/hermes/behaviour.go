package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// Agent is what a session of hermes remembers from one state to the next.
// What belongs to one state alone is declared by that state.
type Agent struct {
	Task       string `json:"task"`
	Plan       []Step `json:"plan"`
	StepIndex  int    `json:"stepIndex"`
	Tool       string `json:"tool"`
	CallID     string `json:"callId"`
	Tokens     int64  `json:"tokens"`
	Retries    int64  `json:"retries"`
	MaxRetries int64  `json:"maxRetries"`
}

// Step is one step of a plan: a tool and what to ask it.
type Step struct {
	Tool  string `json:"tool"`
	Input string `json:"input"`
}

// compile binds the chart to its behaviour.
func compile() (*statechart.Chart, error) {
	r := statechart.NewRegistry()
	registerGuards(r)
	registerActions(r)
	registerValues(r)
	return statechart.Compile(hermes, r)
}

func registerGuards(r *statechart.Registry) {
	statechart.Guard(r, "task is valid", func(_ *Agent, e statechart.Event) bool { return strings.TrimSpace(text(e, "task")) != "" })
	statechart.Guard(r, "plan has steps", func(_ *Agent, e statechart.Event) bool { return len(steps(e)) > 0 })
	statechart.Guard(r, "may retry", func(a *Agent, _ statechart.Event) bool { return a.Retries < a.MaxRetries })
	r.Guard("tool is registered", func(s *statechart.Scope) (bool, error) {
		tools, _ := s.Get("tools")
		return slices.Contains(tools.([]any), any(text(s.Event(), "tool"))), nil
	})
	r.Guard("chose", func(s *statechart.Scope) (bool, error) { return field(s.Event(), "event") == s.Params()["event"], nil })
}

func registerActions(r *statechart.Registry) {
	statechart.Assign(r, "configure", func(a *Agent, e statechart.Event) {
		a.MaxRetries = 3
		if n, ok := field(e, "maxRetries").(int64); ok {
			a.MaxRetries = n
		}
	})
	statechart.Assign(r, "initialise", func(a *Agent, e statechart.Event) {
		*a = Agent{Task: text(e, "task"), MaxRetries: a.MaxRetries}
	})
	statechart.Assign(r, "keep the plan", func(a *Agent, e statechart.Event) {
		a.Plan, a.StepIndex = steps(e), 0
		a.spend(e)
	})
	statechart.Run(r, "record the call", func(a *Agent, s *statechart.Scope) error {
		a.Tool, a.CallID = text(s.Event(), "tool"), text(s.Event(), "callId")
		if a.CallID == "" {
			a.CallID = "call-" + s.NextID()
		}
		return nil
	})
	statechart.Assign(r, "count the step", func(a *Agent, e statechart.Event) {
		a.StepIndex++
		a.spend(e)
	})
	statechart.Assign(r, "count the retry", func(a *Agent, _ statechart.Event) { a.Retries++ })
	statechart.Assign(r, "clean up", func(a *Agent, _ statechart.Event) { a.Plan, a.StepIndex, a.Tool, a.CallID = nil, 0, "", "" })
}

// spend adds the tokens that an answer says it used.
func (a *Agent) spend(e statechart.Event) {
	if n, ok := field(e, "tokens").(int64); ok {
		a.Tokens += n
	}
}

func registerValues(r *statechart.Registry) {
	r.Value("now", func(s *statechart.Scope) (any, error) { return s.Now(), nil })
	r.Value("event data", func(s *statechart.Scope) (any, error) { return s.Event().Data, nil })
	r.Value("metadata", func(s *statechart.Scope) (any, error) { return field(s.Event(), "metadata"), nil })
	r.Value("last result", variable("lastResult"))
	r.Value("timeout", variable("timeout"))
	statechart.Compute(r, "task", func(a *Agent, _ statechart.Event) any { return a.Task })
	statechart.Compute(r, "current step", func(a *Agent, _ statechart.Event) any { return a.step() })
	statechart.Compute(r, "tool", func(a *Agent, _ statechart.Event) any { return a.Tool })
	statechart.Compute(r, "tool source", func(a *Agent, _ statechart.Event) any { return "tool:" + a.Tool })
	statechart.Compute(r, "tool input", func(a *Agent, _ statechart.Event) any {
		if a.StepIndex < len(a.Plan) {
			return a.Plan[a.StepIndex].Input
		}
		return nil
	})
	statechart.Compute(r, "call id", func(a *Agent, _ statechart.Event) any { return a.CallID })
	statechart.Compute(r, "tool timeout", func(_ *Agent, e statechart.Event) any {
		if ms, ok := field(e, "timeout").(int64); ok {
			return ms
		}
		return int64(30_000)
	})
	statechart.Compute(r, "tokens", func(a *Agent, _ statechart.Event) any { return a.Tokens })
	statechart.Compute(r, "compiled result", func(a *Agent, _ statechart.Event) any {
		return fmt.Sprintf("%s: done in %d of %d steps", a.Task, a.StepIndex, len(a.Plan))
	})
	registerErrors(r)
}

// variable is the value of a variable.
func variable(name string) func(*statechart.Scope) (any, error) {
	return func(s *statechart.Scope) (any, error) {
		v, _ := s.Get(name)
		return v, nil
	}
}

// step is the plan's current step as data, nil after the last.
func (a *Agent) step() any {
	if a.StepIndex >= len(a.Plan) {
		return nil
	}
	step := a.Plan[a.StepIndex]
	return map[string]any{"tool": step.Tool, "input": step.Input}
}

// origins says which state an error event comes from.
var origins = map[string]string{"planning_failed": "planning", "execution_error": "executing", "timeout": "waiting"}

// registerErrors fills the data of the state error from the event that led
// there.
func registerErrors(r *statechart.Registry) {
	statechart.Compute(r, "error from", func(_ *Agent, e statechart.Event) any { return origins[e.Name] })
	statechart.Compute(r, "error type", func(_ *Agent, e statechart.Event) any {
		if kind := text(e, "type"); kind != "" {
			return kind
		}
		return e.Name
	})
	statechart.Compute(r, "error message", func(a *Agent, e statechart.Event) any {
		if e.Name == "timeout" {
			return "no answer from " + a.Tool
		}
		return text(e, "message")
	})
}

// field reads a field of an event's payload; nil without it.
func field(e statechart.Event, name string) any {
	data, _ := e.Data.(map[string]any)
	return data[name]
}

func text(e statechart.Event, name string) string {
	s, _ := field(e, name).(string)
	return s
}

// steps reads a plan: a list of objects with tool and input.
func steps(e statechart.Event) []Step {
	list, _ := field(e, "steps").([]any)
	var plan []Step
	for _, v := range list {
		step, _ := v.(map[string]any)
		tool, _ := step["tool"].(string)
		input, _ := step["input"].(string)
		plan = append(plan, Step{tool, input})
	}
	return plan
}
