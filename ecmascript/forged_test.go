package ecmascript

import (
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile/scxml"
	"github.com/detent-run/detent/statechart"
)

// What a stranger sends is data and never code, whatever it looks like and
// whichever way it comes into a variable, also after the session was written
// out and read back. The variables that it goes into are left as they are.
func TestStrangersSendNoCode(t *testing.T) {
	code := map[string]any{"$function": "() => 'stranger'"}
	payload := map[string]any{
		"object": map[string]any{"toString": code, "f": code}, "list": []any{code},
		"text": `{"toString": {"$function": "() => 'stranger'"}}`, "key": "$function", "value": "() => 'stranger'",
	}
	for _, door := range []struct {
		name    string
		actions []statechart.Action
		input   any
	}{
		{"an event's data", block(assign("x", "_event.data.object")), nil},
		{"all of an event", block(assign("x", "_event")), nil},
		{"a script", block(script("x = _event.data.object")), nil},
		{"a global", block(script("x = 0; y = _event.data.object")), nil},
		{"text that is JSON", block(assign("x", "JSON.parse(_event.data.text)")), nil},
		{"a field whose name is sent", block(assign("x", "{}"), assign("x[_event.data.key]", "_event.data.value")), nil},
		{"a field that a script names", block(script("x = {}; x[_event.data.key] = _event.data.value")), nil},
		{"a field", block(assign("x", "{}"), assign("x.toString", "_event.data.object")), nil},
		{"an item of a list", block(statechart.Action{Foreach: statechart.Expression("_event.data.list"), As: "x", Then: block(assign("r", "1"))}), nil},
		{"a registered function", block(statechart.Action{Call: "keep"}), nil},
		{"the input of a start", block(script("0")), map[string]any{"x": payload["object"]}},
		{"a part of the input of a start", block(script("0")), map[string]any{"x": []any{"before", payload["object"]}}},
		{"data in the scripts' own variable", block(script("0")), map[string]any{"_globals": map[string]any{"f": "stranger"}}},
		{"the scripts' own variable", block(script("0")), map[string]any{"_globals": payload["object"]}},
	} {
		t.Run(door.name, func(t *testing.T) {
			d := document{variables: map[string]any{"x": nil, "r": nil}, blocks: [][]statechart.Action{
				door.actions, block(assign("r", "(() => { try { return typeof x.f + x + [x] } catch (e) { return 'none' } })() + typeof f + typeof toString")),
			}}
			registry := statechart.NewRegistry()
			registry.Action("keep", func(s *statechart.Scope) error { return s.Set("x", s.Event().Data.(map[string]any)["object"]) })
			chart := d.chartWith(t, trusted, registry)
			var in statechart.Instance
			chart.Start(&in, statechart.Start{Session: "s", Input: door.input})
			for range 2 {
				in.Send(statechart.Event{Name: "go", Data: payload})
				data := in.Data()[""]
				if told, _ := data["r"].(string); told == "" || strings.Contains(told, "stranger") || len(data["failed"].([]any)) == 0 && door.name != "all of an event" {
					t.Errorf("the variables are %v", data)
				}
				reload(t, &in)
			}
		})
	}
}

// The same for a document that was read from a file.
func TestStrangersSendNoCodeToDocuments(t *testing.T) {
	_, chart, err := scxml.Load("x.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
		<datamodel><data id="x"/><data id="said"/></datamodel>
		<state><transition event="error.execution"><assign location="said" expr="_event.data.message"/></transition></state>
	</scxml>`), scxml.Options{DataModels: map[string]scxml.DataModel{"ecmascript": trusted}})
	if err != nil {
		t.Fatal(err)
	}
	var in statechart.Instance
	chart.Start(&in, statechart.Start{Session: "s", Input: map[string]any{"x": map[string]any{"toString": map[string]any{"$function": "() => 1"}}}})
	if data := in.Data()[""]; data["x"] != nil || data["said"] != "an object with a field called $function cannot be kept" {
		t.Errorf("the variables are %v", data)
	}
}

// Functions of the document's own are functions after a snapshot, too, and
// other input comes in.
func TestOwnFunctionsAreKept(t *testing.T) {
	d := document{variables: map[string]any{"x": nil, "given": nil, "r": nil}, blocks: [][]statechart.Action{
		block(script("if (!x) { x = {f: n => n + given.n, toString() { return 'own' }}; function g() { return 'g' } }")),
		block(assign("r", "x.f(1) + String(x) + g()")),
	}}
	var in statechart.Instance
	d.chart(t, trusted).Start(&in, statechart.Start{Session: "s", Input: map[string]any{"given": map[string]any{"n": int64(4)}}})
	for range 2 {
		in.Send(statechart.Event{Name: "go"})
		if data := in.Data()[""]; data["r"] != "5owng" {
			t.Errorf("the variables are %v", data)
		}
		reload(t, &in)
	}
}

// reload writes a session out and reads it back.
func reload(t *testing.T, in *statechart.Instance) {
	t.Helper()
	text, err := in.Snapshot().Encode()
	if err != nil {
		t.Fatal(err)
	}
	s, err := in.Chart().Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := in.Chart().Resume(in, s); err != nil {
		t.Fatal(err)
	}
}

// A document is looked through before it runs. What looks like the end of
// that, with code behind it, is not run: the engine is used by others, too.
func TestCheckingRunsNothing(t *testing.T) {
	const leak = "Object.prototype.leak = Array.prototype.leak = 'leak'"
	for _, trust := range []bool{true, false} {
		m := &DataModel{Trusted: trust, Children: 1}
		defer m.Close()
		for _, source := range []string{
			leak, "1]; }); " + leak + "; (function () { return [1", "1); }); " + leak + "; (function () { return (1", "1}); " + leak + "; ({a: 1",
			"(" + leak + ")", "x) = 1; }); " + leak + "; (function (value) { (x", "class { static { " + leak + " } }", "1; }); function isNaN() { return 'leak' } (function () { return 1",
		} {
			registry := statechart.NewRegistry()
			registry.Language(m.Language(scxml.Details{}))
			_, _ = statechart.Compile(statechart.Definition{ID: "c", Dialect: "scxml", Root: statechart.State{
				Context: []statechart.Variable{{Name: "v", Value: statechart.Expression(source)}},
				On: []statechart.Transition{
					{Event: "a", Actions: block(assign("v."+source, "1"))}, {Event: "b", Actions: block(script(source))}, {Event: "c", Guard: statechart.Condition{Expression: statechart.Expression(source)}},
				},
			}}, registry) // most are refused
		}
		d := document{variables: map[string]any{"r": nil, "list": []any{}}, blocks: [][]statechart.Action{block(assign("r", "typeof list.leak"))}}
		if data := d.played(t, m); data["r"] != "undefined" {
			t.Errorf("trusted %v: the variables are %v", trust, data)
		}
	}
}
