package ecma

import (
	"reflect"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// evaluate gives the value of an expression over the variables list, object
// and nothing, and whether it raised error.execution.
func evaluate(t *testing.T, source string) (value any, failed bool) {
	t.Helper()
	registry := statechart.NewRegistry()
	registry.Language(&Language{Name: "doc", States: map[string]string{"id of a": "a"}})
	chart, err := statechart.Compile(statechart.Definition{ID: "c", Dialect: "scxml", Root: statechart.State{
		Initial: "a",
		Context: []statechart.Variable{
			{Name: "list", Value: []any{int64(1), nil, "x"}}, {Name: "object", Value: map[string]any{"k": []any{}}},
			{Name: "nothing"}, {Name: "result"}, {Name: "failed", Value: false},
		},
		On: []statechart.Transition{
			{Event: "go", Actions: []statechart.Action{{Assign: []statechart.Variable{{Name: "result", Value: statechart.Expression(source)}}}}},
			{Event: "error.execution", Actions: []statechart.Action{{Assign: []statechart.Variable{{Name: "failed", Value: true}}}}},
		},
		States: []statechart.State{{Name: "a"}},
	}}, registry)
	if err != nil {
		t.Fatal(err)
	}
	in := chart.Instance(nil)
	in.Send(statechart.Event{Name: "go", Data: map[string]any{"n": int64(2)}})
	data := in.Data()[""]
	if !reflect.DeepEqual(data["list"], []any{int64(1), nil, "x"}) || !reflect.DeepEqual(data["object"], map[string]any{"k": []any{}}) {
		t.Errorf("%s changed the data: %v", source, data)
	}
	return data["result"], data["failed"].(bool)
}

func TestValues(t *testing.T) {
	for source, want := range map[string]any{
		"1 + 1":                       int64(2),
		"1 / 4":                       0.25,
		"'a' + list[2]":               "ax",
		"list[1] === null":            true,
		"typeof nothing":              "undefined",
		"list.concat(object.k)":       []any{int64(1), nil, "x"},
		"({b: [true], a: undefined})": map[string]any{"b": []any{true}},
		"In('id of a') && !In('b')":   true,
		"_event.name + _event.data.n": "go2",
		"'invokeid' in _event":        true,
		"_name":                       "doc",
		"undefined":                   nil,
		"list.push(4), list.length":   int64(4), // of a copy
		"(object.k = 1)":              int64(1), // of a copy
	} {
		if got, failed := evaluate(t, source); failed || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %#v, failed %v; want %#v", source, got, failed, want)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, source := range []string{
		"return", "undeclared", "undeclared = 1", "nothing.field", "0 / 0", "function() {}", "(function f() { return f(); })()",
	} {
		if got, failed := evaluate(t, source); !failed || got != nil {
			t.Errorf("%s is %#v and no error", source, got)
		}
	}
}

// Nothing that an expression does is seen by the next.
func TestNoScriptState(t *testing.T) {
	registry := statechart.NewRegistry()
	registry.Language(&Language{})
	set := func(source string) statechart.Action {
		return statechart.Action{Block: []statechart.Action{{Assign: []statechart.Variable{{Name: "v", Value: statechart.Expression(source)}}}}}
	}
	chart, err := statechart.Compile(statechart.Definition{ID: "c", Dialect: "scxml", Root: statechart.State{
		Context: []statechart.Variable{{Name: "v"}},
		On:      []statechart.Transition{{Event: "go", Actions: []statechart.Action{set("leak = 1"), set("typeof leak")}}},
	}}, registry)
	if err != nil {
		t.Fatal(err)
	}
	in := chart.Instance(nil)
	in.Send(statechart.Event{Name: "go"})
	if got := in.Data()[""]["v"]; got != "undefined" {
		t.Errorf("the leak is a %v", got)
	}
}
