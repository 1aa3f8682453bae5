package statechart_test

import (
	"errors"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// watchful takes nothing from outside that is "forbidden". As an expression
// that word is what the language itself makes.
type watchful struct{}

func (watchful) Version() string { return "watchful" }

func (watchful) Compile(source string, _ statechart.Names) (statechart.Program, error) {
	return watchfulText(source), nil
}

func (watchful) Admit(variable string, value any) error {
	if value == "forbidden" {
		return errors.New("not for " + variable)
	}
	return nil
}

type watchfulText string

func (w watchfulText) Evaluate(*statechart.Scope) (any, error) { return string(w), nil }

// R38: a language is asked about what reaches variables without it, in
// sessions of SCXML documents and, from registered functions, in all.
func TestR38_WatchfulLanguage(t *testing.T) {
	for _, dialect := range []string{"scxml", ""} {
		registry := statechart.NewRegistry()
		registry.Language(watchful{})
		registry.Action("copy", func(s *statechart.Scope) error { return s.Set("set", s.Event().Data) })
		assign := func(name, source string) []Action {
			return []Action{{Assign: []statechart.Variable{{Name: name, Value: Expression(source)}}}}
		}
		chart, err := statechart.Compile(Definition{ID: "c", Dialect: dialect, Root: State{
			Initial: "a", Context: vars("given", nil, "set", nil, "own", nil, "errors", ""), States: []State{{Name: "a"}},
			On: []Transition{
				{Event: "set", Actions: []Action{{Call: "copy"}}}, {Event: "own", Actions: assign("own", "forbidden")}, {Event: "error.execution", Actions: assign("errors", "heard")},
			},
		}}, registry)
		if err != nil {
			t.Fatal(err)
		}
		start := func(input any, want any, errors string) *statechart.Instance {
			var in statechart.Instance
			chart.Start(&in, statechart.Start{Session: "s", Input: map[string]any{"given": input}})
			wantVar(t, &in, "", "given", want)
			wantVar(t, &in, "", "errors", errors)
			return &in
		}
		if dialect == "scxml" {
			start("forbidden", nil, "heard")
			start("other", "other", "")
		}
		in := start(nil, nil, "")
		in.Send(statechart.Event{Name: "set", Data: "other"})
		in.Send(statechart.Event{Name: "own"})
		wantVar(t, in, "", "set", "other")
		wantVar(t, in, "", "own", "forbidden")
		wantVar(t, in, "", "errors", "")
		in.Send(statechart.Event{Name: "set", Data: "forbidden"})
		wantVar(t, in, "", "set", "other")
		wantVar(t, in, "", "errors", "heard")
	}
}
