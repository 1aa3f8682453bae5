package conformance

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/conformance/internal/xstate"
	"github.com/detent-run/detent/internal/chartgen"
	"github.com/detent-run/detent/statechart"
)

const expressionFile = "testdata/xstate/expressions.txt"

// TestXStateExpressions evaluates expressions here and, compiled to
// JavaScript, in node: each must give the same value, or fail in both. They
// are the actions of one chart, one event for each. What is left out of the
// list on purpose is in the documentation of xstate.Module: integers beyond
// 2^53, and decimals without a fraction as text.
func TestXStateExpressions(t *testing.T) {
	node := startNode(t)
	text, err := os.ReadFile(expressionFile)
	if err != nil {
		t.Fatal(err)
	}
	sources, c := expressionCase(strings.Split(strings.TrimSpace(string(text)), "\n"))
	ours, theirs := inBoth(t, node, c)
	same := 0
	for i, source := range sources {
		a, b := result(ours.Steps, i), result(theirs.Steps, i)
		if a == b {
			same++
		} else {
			t.Errorf("%s\n  here %s\n  node %s", source, a, b)
		}
	}
	fmt.Printf("xstate-expressions %d/%d\n", same, len(sources))
}

// result is what the expression of an event gave, as JSON, in which a number
// is a number.
func result(steps []xstate.Observation, i int) string {
	if i+1 >= len(steps) {
		return "this event was not reached"
	}
	return regexp.MustCompile(`(\d)\.0([,\]}]|$)`).ReplaceAllString(chartgen.JSON(steps[i+1].Context["r"]), "$1$2")
}

// expressionCase is a chart that evaluates one expression for each event, and
// the expressions that compile: others are the checks of the language.
func expressionCase(list []string) ([]string, xstate.Case) {
	values := map[string]any{
		"ok": true, "f64": 0.5, "i": 1, "neg": -3, "big": int64(1<<53 - 1), "nul": nil, "str": "str", "uni": "Grüße, Ödön 😀 ß",
		"array": []any{1, 2, 3, 4, 5}, "nested": []any{1, []any{2, []any{3.5, "x"}}, nil}, "empty": []any{}, "texts": []any{"b", "a", "c", "a"},
		"list": []any{map[string]any{"Bar": "bar"}, map[string]any{"Bar": "baz"}}, "foo": map[string]any{"Bar": "bar"},
		"deep":     map[string]any{"a": map[string]any{"b": []any{1, map[string]any{"c": "d"}}}, "n": nil, "z": 1.5},
		"attempts": 2, "customer": "Ada",
		"plan": map[string]any{"steps": []any{map[string]any{"id": "a", "done": true}, map[string]any{"id": "b", "done": false}}},
	}
	var variables []statechart.Variable
	for _, name := range slices.Sorted(maps.Keys(values)) {
		variables = append(variables, statechart.Variable{Name: name, Value: values[name]})
	}
	root := statechart.State{Context: append(variables, statechart.Variable{Name: "r"})}
	failed := []statechart.Action{{Assign: []statechart.Variable{{Name: "r", Value: map[string]any{"failed": true}}}}}
	root.On = []statechart.Transition{{Event: "error.execution", Actions: failed}}
	var c xstate.Case
	var sources []string
	for _, source := range list {
		name := fmt.Sprintf("e%d", len(sources))
		t := statechart.Transition{Event: name, Actions: []statechart.Action{{Assign: []statechart.Variable{{Name: "r", Value: statechart.Expression(source)}}}}}
		one := root
		one.On = []statechart.Transition{t}
		if _, err := statechart.Compile(statechart.Definition{ID: "e", Root: one}, chartfile.Behaviour()); err != nil {
			continue
		}
		sources = append(sources, source)
		root.On = append(root.On, t)
		c.Script = append(c.Script, chartgen.Op{Kind: "event", Name: name, Data: map[string]any{"code": "rate_limited", "n": int64(1), "list": []any{int64(1), int64(2)}}})
	}
	c.Definition = statechart.Definition{ID: "e", Root: root}
	return sources, c
}
