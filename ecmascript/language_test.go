package ecmascript

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/detent-run/detent/chartfile/scxml"
	"github.com/detent-run/detent/statechart"
)

// document is the chart that these tests play: variables, and blocks that
// run on the event "go", each of which may fail.
type document struct {
	variables map[string]any
	blocks    [][]statechart.Action
	position  func(string) (scxml.Position, bool)
}

// trusted is one data model for all tests that need no other. Its limit of
// time is for hurried machines.
var trusted = &DataModel{Trusted: true, Limits: Limits{Time: time.Minute}}

// played gives the variables after the event "go" with the data {n: 2}. The
// variable "failed" holds the messages of all error.execution.
func (d document) played(t *testing.T, m *DataModel) map[string]any {
	t.Helper()
	in := d.chart(t, m).Instance(nil)
	in.Send(statechart.Event{Name: "go", Data: map[string]any{"n": int64(2)}})
	return in.Data()[""]
}

func (d document) chart(t *testing.T, m *DataModel) *statechart.Chart {
	t.Helper()
	return d.chartWith(t, m, statechart.NewRegistry())
}

func (d document) chartWith(t *testing.T, m *DataModel, registry *statechart.Registry) *statechart.Chart {
	t.Helper()
	registry.Language(m.Language(scxml.Details{Name: "doc", States: map[string]string{"id of a": "a", "b": "b"}, Position: d.position}))
	chart, err := statechart.Compile(d.definition(), registry)
	if err != nil {
		t.Fatal(err)
	}
	return chart
}

func (d document) definition() statechart.Definition {
	var actions []statechart.Action
	for _, block := range d.blocks {
		actions = append(actions, statechart.Action{Block: block})
	}
	root := statechart.State{
		Initial: "a",
		Context: []statechart.Variable{{Name: "failed", Value: []any{}}, {Name: "error"}, {Name: "_globals"}},
		On: []statechart.Transition{
			{Event: "go", Actions: actions},
			{Event: "later", Actions: []statechart.Action{assign("later", "session == event && session != processors")}},
			{Event: "error.execution", Actions: []statechart.Action{assign("failed", "failed.concat(_event.data.message)"), assign("error", "_event.data")}},
		},
		States: []statechart.State{{Name: "a"}, {Name: "b"}},
	}
	for _, name := range slices.Sorted(maps.Keys(d.variables)) {
		root.Context = append(root.Context, statechart.Variable{Name: name, Value: d.variables[name]})
	}
	return statechart.Definition{ID: "c", Dialect: "scxml", Root: root}
}

func assign(name, source string) statechart.Action {
	return statechart.Action{Assign: []statechart.Variable{{Name: name, Value: statechart.Expression(source)}}}
}

func script(source string) statechart.Action { return statechart.Action{Script: source} }

func block(actions ...statechart.Action) []statechart.Action { return actions }

// evaluated gives the value of an expression over a few variables, and the
// messages of the errors it raised.
func evaluated(t *testing.T, m *DataModel, source string) (value any, failed []any) {
	t.Helper()
	d := document{
		variables: map[string]any{
			"list": []any{int64(1), nil, "x"}, "object": map[string]any{"k": []any{}, "n": nil}, "nothing": nil,
			"text": "é\"\n\u2028", "big": int64(1)<<53 + 1, "result": "none",
		},
		blocks: [][]statechart.Action{block(assign("result", source))},
	}
	data := d.played(t, m)
	if !reflect.DeepEqual(data["list"], d.variables["list"]) || !reflect.DeepEqual(data["object"], d.variables["object"]) {
		t.Errorf("%s changed the data: %v", source, data)
	}
	return data["result"], data["failed"].([]any)
}

func TestValues(t *testing.T) {
	for source, want := range map[string]any{
		"1 + 1":                            int64(2),
		"1 / 4":                            0.25,
		"-0":                               int64(0),
		"0.5 + 0.5":                        int64(1),
		"9007199254740991 + 1":             int64(1) << 53,
		"-9007199254740992":                int64(-1) << 53,
		"9007199254740992 * 2":             18014398509481984.0,
		"1e21":                             1e21,
		"5e-324":                           5e-324,
		"'a' + list[2]":                    "ax",
		"list[1] === null":                 true,
		"object.n === null":                true,
		"nothing === undefined":            true,
		"typeof nothing":                   "undefined",
		"list.concat(object.k)":            []any{int64(1), nil, "x"},
		"({b: [true], a: undefined})":      map[string]any{"b": []any{true}},
		"[undefined, , null]":              []any{nil, nil, nil},
		"undefined":                        nil,
		"null":                             nil,
		"text":                             "é\"\n\u2028",
		"text.length":                      int64(4),
		"'\\ud83d\\ude00'":                 "😀",
		"list.push(4), list.length":        int64(4), // of a copy
		"(object.k = 1)":                   int64(1), // of a copy
		"new Date(0)":                      "1970-01-01T00:00:00.000Z",
		"[new Number(1), Object('a')]":     []any{int64(1), "a"},
		"Object.create({inherited: 1})":    map[string]any{},
		"({toJSON: 1})":                    map[string]any{"toJSON": int64(1)},
		"JSON.parse('{\"__proto__\": 1}')": map[string]any{"__proto__": int64(1)},
		"1 // and a remark":                int64(1),
		"new Array(3).fill('x').join();  ": "x,x,x",
		"object.k instanceof Array":        true,
		"_event.data.n ** 10":              int64(1024),
		"[3, 1, 2].sort()":                 []any{int64(1), int64(2), int64(3)},
		"'a'.localeCompare('b')":           int64(-1),
		"typeof Intl":                      "undefined",
		"(1234.5).toLocaleString()":        "1234.5",
		"`a${1}b`":                         "a1b",
		"(() => { try { x } catch (e) { return e.name } })()": "ReferenceError",
	} {
		if got, failed := evaluated(t, trusted, source); !reflect.DeepEqual(got, want) || len(failed) > 0 {
			t.Errorf("%s is %#v, %q; want %#v", source, got, failed, want)
		}
	}
}

func TestErrors(t *testing.T) {
	for source, says := range map[string]string{
		"undeclared":        "ReferenceError: 'undeclared' is not defined",
		"undeclared = 1":    "ReferenceError: ",
		"nothing.field":     "TypeError: cannot read property 'field' of undefined",
		"0 / 0":             "NaN is no number that can be kept",
		"-1 / 0":            "-Infinity is no number that can be kept",
		"10n":               "a BigInt cannot be kept; Number(…) makes a number of it",
		"Symbol()":          "a symbol cannot be kept",
		"[].push":           "a function without a source text of its own cannot be kept",
		"In":                "a function without a source text of its own cannot be kept",
		"[Date.now]":        "a function without a source text of its own cannot be kept",
		"({d: Date})":       "a function without a source text of its own cannot be kept",
		"Math.random":       "a function without a source text of its own cannot be kept",
		"/x/":               "a value of the kind RegExp cannot be kept; keep plain objects and lists",
		"new Map":           "a value of the kind Map cannot be kept; keep plain objects and lists",
		"new Uint8Array(3)": "a value of the kind Uint8Array cannot be kept; keep plain objects and lists",
		"'\\ud83d'":         "text with half a surrogate pair cannot be kept",
		"({'\\ud83d': 1})":  "text with half a surrogate pair cannot be kept",
		"'\\0'":             "text with the character NUL cannot be kept",
		"(() => { var a = []; a[0] = a; return a })()":                             "a value that contains itself cannot be kept",
		"(() => { var a = []; for (var i = 0; i < 65; i++) a = [a]; return a })()": "the value is nested deeper than 64",
		"new Array(1e6)":           "the value is too large to be kept",
		"'x'.repeat(5e6)":          "the value is too large to be kept",
		"({$function: '1'})":       "an object with a field called $function cannot be kept",
		"big":                      "big: the integer 9007199254740993 is beyond 2^53, where ECMAScript is not exact; keep it as text",
		"(() => { throw 'it' })()": `the code throws "it"`,
		"(() => { Object.prototype.toJSON = String.prototype.slice = () => ({}); throw 'it' })()":         `the code throws "it"`,
		"(() => { throw Object.defineProperty(new Error, 'message', {value: {toString: () => '{'}}) })()": "Error: {",
		"(() => { throw null })()":  "the code throws null",
		"(() => { throw {} })()":    "the code throws a value of the type object",
		"(function f() { f() })()":  "InternalError: stack overflow",
		"(() => { for (;;) {} })()": "the code ran longer than it may",
		"(() => { var s = 'x'.repeat(1e6), a = []; for (;;) a.push(s + a.length) })()": "out of memory",
	} {
		m := trusted
		switch {
		case strings.Contains(source, "for (;;) {}"):
			m = &DataModel{Trusted: true, Limits: Limits{Time: time.Second}}
		case strings.Contains(source, "for (;;) a"):
			m = &DataModel{Trusted: true, Limits: Limits{Time: time.Minute, Memory: 16 << 20}}
		}
		got, failed := evaluated(t, m, source)
		if got != "none" || len(failed) != 1 || !strings.Contains(failed[0].(string), says) {
			t.Errorf("%s is %#v, and raises %q", source, got, failed)
		}
	}
}

// What is no expression is refused when the chart is compiled.
func TestNoExpressions(t *testing.T) {
	for _, source := range []string{
		"return", "", ";", "1); (2", "1)})(), (function(){return (2", "var x = 1", "1 /*", "1 +", "a b", "`", "x = {", "await x", "import.meta",
	} {
		registry := statechart.NewRegistry()
		registry.Language(trusted.Language(scxml.Details{}))
		_, err := statechart.Compile(statechart.Definition{ID: "c", Dialect: "scxml", Root: statechart.State{
			Context: []statechart.Variable{{Name: "v", Value: statechart.Expression(source)}},
			On:      []statechart.Transition{{Event: "go", Actions: []statechart.Action{assign("v", source)}}},
			States:  []statechart.State{{Name: "a"}},
		}}, registry)
		if err == nil || !strings.Contains(err.Error(), "not ECMAScript: ") {
			t.Errorf("%s: %v", source, err)
		}
	}
}
