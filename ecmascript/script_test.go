package ecmascript

import (
	"reflect"
	"testing"

	"github.com/detent-run/detent/chartfile/scxml"
	"github.com/detent-run/detent/statechart"
)

func TestScripts(t *testing.T) {
	for _, x := range []struct {
		name   string
		blocks [][]statechart.Action
		want   any // result
		failed int
	}{
		{"writes a variable", [][]statechart.Action{block(script("x = 5; result = x + 1"))}, int64(6), 0},
		{"var of a variable keeps it", [][]statechart.Action{block(script("var x; result = x"))}, int64(1), 0},
		{"var of a variable writes it", [][]statechart.Action{block(script("var x = 2, result = x"))}, int64(2), 0},
		{"defines a global", [][]statechart.Action{block(script("var y = 3")), block(assign("result", "y + x"))}, int64(4), 0},
		{"makes a global by assignment", [][]statechart.Action{block(script("y = 3")), block(assign("result", "y"))}, int64(3), 0},
		{"changes a global", [][]statechart.Action{block(script("y = {n: 1}")), block(script("y.n++")), block(assign("result", "y"))}, map[string]any{"n": int64(2)}, 0},
		{"assigns to a field of a global", [][]statechart.Action{block(script("y = {}")), block(assign("y.n", "2")), block(assign("result", "y"))}, map[string]any{"n": int64(2)}, 0},
		{"deletes a global", [][]statechart.Action{block(script("y = 1")), block(script("delete y")), block(assign("result", "typeof y"))}, "undefined", 0},
		{"a global without a value", [][]statechart.Action{block(script("var y; var z = null")), block(assign("result", "[typeof y, typeof z]"))}, []any{"undefined", "undefined"}, 0},
		{"other globals stay", [][]statechart.Action{block(script("y = 1")), block(script("z = 2")), block(assign("result", "[y, z]"))}, []any{int64(1), int64(2)}, 0},
		{"a function reads and writes variables", [][]statechart.Action{
			block(script("function add(n) { x = x + n; return x }")), block(script("result = add(5)")),
		}, int64(6), 0},
		{"a function calls a function and a global", [][]statechart.Action{
			block(script("var base = 10; function inner() { return base } function outer() { return inner() * 2 }")), block(assign("result", "outer()")),
		}, int64(20), 0},
		{"a function calls itself", [][]statechart.Action{
			block(script("var f = function g(n) { return n ? n * g(n - 1) : 1 }")), block(assign("result", "f(5)")),
		}, int64(120), 0},
		{"a constructor", [][]statechart.Action{
			block(script("function Thing() { this.bar = 0 }")), block(assign("result", "new Thing();"), assign("result.bar", "1")),
		}, map[string]any{"bar": int64(1)}, 0},
		{"a variable holds a function", [][]statechart.Action{block(assign("x", "function (n) { return n + 1; }")), block(assign("result", "x(2)"))}, int64(3), 0},
		{"functions inside values", [][]statechart.Action{
			block(assign("x", "[{f: n => n * 2, m(n) { return n + this.k }, k: 5, async a() {}}]")), block(assign("result", "[x[0].f(4), x[0].m(1)]")),
		}, []any{int64(8), int64(6)}, 0},
		{"a class", [][]statechart.Action{block(assign("x", "class { static one() { return 1 } }")), block(assign("result", "x.one()"))}, int64(1), 0},
		{"a function mentions what is dropped elsewhere", [][]statechart.Action{
			block(script("function f() { return eval('x' + '') + globalThis['x'] }")), block(assign("result", "f()")),
		}, int64(2), 0},
		{"an error in a script changes nothing", [][]statechart.Action{block(script("x = 9; y = 9; missing()")), block(assign("result", "[x, typeof y]"))}, []any{int64(1), "undefined"}, 1},
		{"what cannot be kept fails", [][]statechart.Action{block(script("x = 9; var y = /re/")), block(assign("result", "x"))}, int64(1), 1},
		{"a closure loses its locals", [][]statechart.Action{
			block(script("var y = (function () { var local = 1; return function () { return local } })()")), block(assign("result", "y()")),
		}, nil, 1},
		{"changes inside a variable", [][]statechart.Action{block(script("x = {l: [1]}")), block(script("x.l.push(2)")), block(assign("result", "x"))}, map[string]any{"l": []any{int64(1), int64(2)}}, 0},
		{"globals that are called like methods", [][]statechart.Action{
			block(script("function toString() { return 'g' } var hasOwnProperty = 1, __proto__ = 2")), block(assign("result", "toString() + hasOwnProperty")),
		}, "g1", 0},
		{"built-in objects that are changed do not change what is kept", [][]statechart.Action{
			block(script(`Array.prototype[Symbol.iterator] = function* () {}; Object.prototype.toJSON = () => 1; Object.prototype.y = Object.prototype.x = 0;
				Reflect.apply = Object.keys = String.prototype.slice = null; y = 5; x = 2`)), block(assign("result", "[x, y]")),
		}, []any{int64(2), int64(5)}, 0},
		{"no access to the globals' own variable", [][]statechart.Action{block(script("y = 1")), block(assign("result", "typeof _globals"))}, "undefined", 0},
	} {
		t.Run(x.name, func(t *testing.T) {
			data := document{variables: map[string]any{"x": int64(1), "result": nil}, blocks: x.blocks}.played(t, trusted)
			if failed := data["failed"].([]any); !reflect.DeepEqual(data["result"], x.want) || len(failed) != x.failed {
				t.Errorf("the result is %#v, %q", data["result"], failed)
			}
		})
	}
}

// What a script writes is kept as a whole or not at all.
func TestScriptsThatWriteTooMuch(t *testing.T) {
	for _, source := range []string{"a = 2; b = new Array(200).fill(0)", "b = 2; g = new Array(200).fill(0)"} {
		d := document{variables: map[string]any{"a": int64(1), "b": int64(1), "result": nil}, blocks: [][]statechart.Action{
			block(script("g = 1")), block(script(source)), block(assign("result", "[a, b, g]")),
		}}
		def := d.definition()
		def.Limits.Data = 100
		registry := statechart.NewRegistry()
		registry.Language(trusted.Language(scxml.Details{}))
		chart, err := statechart.Compile(def, registry)
		if err != nil {
			t.Fatal(err)
		}
		in := chart.Instance(nil)
		in.Send(statechart.Event{Name: "go"})
		if data := in.Data()[""]; !reflect.DeepEqual(data["result"], []any{int64(1), int64(1), int64(1)}) || len(data["failed"].([]any)) != 1 {
			t.Errorf("%s leaves %v", source, data)
		}
	}
}

func TestLocations(t *testing.T) {
	for _, x := range []struct {
		location, source string
		want             any // of order
		failed           int
	}{
		{"order.id", "7", map[string]any{"id": int64(7), "items": []any{}}, 0},
		{"order.items[0]", "'a'", map[string]any{"id": int64(1), "items": []any{"a"}}, 0},
		{"order['items']", "_event.data", map[string]any{"id": int64(1), "items": map[string]any{"n": int64(2)}}, 0},
		{"order[_name]", "1", map[string]any{"id": int64(1), "items": []any{}, "doc": int64(1)}, 0},
		{"(order).id", "3", map[string]any{"id": int64(3), "items": []any{}}, 0},
		{"order", "1", int64(1), 0},
		{"missing", "1", map[string]any{"id": int64(1), "items": []any{}}, 1},
		{"missing.field", "1", map[string]any{"id": int64(1), "items": []any{}}, 1},
		{"foo.bar.baz ", "1", map[string]any{"id": int64(1), "items": []any{}}, 1},
		{"order.id.more", "1", map[string]any{"id": int64(1), "items": []any{}}, 1},
		{"order.id + 1", "1", map[string]any{"id": int64(1), "items": []any{}}, 1},
		{"[order]", "[1]", map[string]any{"id": int64(1), "items": []any{}}, 1},
		{"'continue'", "1", map[string]any{"id": int64(1), "items": []any{}}, 1},
	} {
		data := document{
			variables: map[string]any{"order": map[string]any{"id": int64(1), "items": []any{}}},
			blocks:    [][]statechart.Action{block(assign(x.location, x.source))},
		}.played(t, trusted)
		if failed := data["failed"].([]any); !reflect.DeepEqual(data["order"], x.want) || len(failed) != x.failed {
			t.Errorf("%s = %s leaves %#v, %q", x.location, x.source, data["order"], failed)
		}
	}
}
