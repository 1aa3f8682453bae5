package main

import (
	"testing"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"

	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/statechart"
)

// expressions are what guards and values of charts are like.
var expressions = []struct{ name, source string }{
	{"guard", `attempts < 3 and event.code == "rate_limited"`},
	{"increment", `attempts + 1`},
	{"filter", `filter(steps, not .done) | map(.id)`},
	{"turns", `count(1..1000, # % 7 == 0)`},
}

// BenchmarkExpression evaluates the same source on the same data in Detent's
// evaluator, within the fuel of a macrostep, and in expr-lang's VM, which has
// no such bound. A VM is kept and reused, which is its fastest way.
func BenchmarkExpression(b *testing.B) {
	for _, e := range expressions {
		b.Run(e.name+"/peer=detent", func(b *testing.B) { detentExpression(b, e.source) })
		b.Run(e.name+"/peer=expr-vm", func(b *testing.B) { exprExpression(b, e.source) })
	}
}

// repeated is a program that is evaluated many times in one macrostep.
type repeated struct {
	expression.Language
	statechart.Program
	times int
	err   error
}

func (r *repeated) Compile(source string, names statechart.Names) (statechart.Program, error) {
	var err error
	r.Program, err = r.Language.Compile(source, names)
	return r, err
}

func (r *repeated) Evaluate(s *statechart.Scope) (any, error) {
	for range r.times {
		if _, r.err = r.Program.Evaluate(s); r.err != nil {
			return nil, r.err
		}
	}
	return nil, nil
}

func detentExpression(b *testing.B, source string) {
	language := &repeated{}
	registry := statechart.NewRegistry()
	registry.Language(language)
	step := func(id string, done bool) any { return map[string]any{"id": id, "done": done} }
	chart, err := statechart.Compile(statechart.Definition{ID: "c", Root: statechart.State{
		Context: []statechart.Variable{{Name: "attempts", Value: 1}, {Name: "steps", Value: []any{step("a", true), step("b", false)}}},
		On:      []statechart.Transition{{Event: "go", Actions: []statechart.Action{{Log: statechart.Expression(source)}}}},
	}}, registry)
	if err != nil {
		b.Fatal(err)
	}
	instance := &statechart.Instance{}
	chart.Start(instance, statechart.Start{Session: "s"})
	event := statechart.Event{Name: "go", Data: map[string]any{"code": "rate_limited"}}
	const batch = 50 // for which the fuel is enough
	b.ReportAllocs()
	b.ResetTimer()
	for left := b.N; left > 0; left -= batch {
		language.times = min(left, batch)
		if instance.Send(event); language.err != nil {
			b.Fatal(language.err)
		}
	}
}

func exprExpression(b *testing.B, source string) {
	step := func(id string, done bool) any { return map[string]any{"id": id, "done": done} }
	env := map[string]any{
		"attempts": 1, "steps": []any{step("a", true), step("b", false)},
		"event": map[string]any{"code": "rate_limited"},
	}
	program, err := expr.Compile(source, expr.Env(env))
	if err != nil {
		b.Fatal(err)
	}
	var machine vm.VM
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		if _, err := machine.Run(program, env); err != nil {
			b.Fatal(err)
		}
	}
}
