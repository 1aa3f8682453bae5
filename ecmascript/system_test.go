package ecmascript

import (
	"reflect"
	"testing"

	"github.com/detent-run/detent/chartfile/scxml"
	"github.com/detent-run/detent/statechart"
)

func TestR40SystemVariables(t *testing.T) {
	for source, want := range map[string]any{
		"_event.name":          "go",
		"_event.type":          "external",
		"_event.data":          map[string]any{"n": int64(2)},
		"_event":               map[string]any{"name": "go", "type": "external", "data": map[string]any{"n": int64(2)}},
		"_event.sendid":        nil,
		"Object.keys(_event)":  []any{"name", "type", "sendid", "origin", "origintype", "invokeid", "data"},
		"'invokeid' in _event": true,
		"_name":                "doc",
		"typeof _sessionid":    "string",
		"_ioprocessors.scxml.location == '#_scxml_' + _sessionid":                                                   true,
		"_ioprocessors['http://www.w3.org/TR/scxml/#SCXMLEventProcessor'].location == _ioprocessors.scxml.location": true,
		"_x": map[string]any{},
		"In('id of a') && !In('b') && !In('a') && !In('nowhere')": true,
		"In('id ' + 'of a')": true,
		"_event === _event && _ioprocessors === _ioprocessors": true,
	} {
		if got, failed := evaluated(t, trusted, source); !reflect.DeepEqual(got, want) || len(failed) > 0 {
			t.Errorf("%s is %#v, %q; want %#v", source, got, failed, want)
		}
	}
}

// Before the first event there is no _event.
func TestR40NoEventAtTheStart(t *testing.T) {
	d := document{variables: map[string]any{"kind": statechart.Expression("typeof _event"), "reads": statechart.Expression("_event.name")}}
	in := d.chart(t, trusted).Instance(nil)
	in.Send(statechart.Event{Name: "other"})
	data := in.Data()[""]
	if data["kind"] != "undefined" || data["reads"] != nil || len(data["failed"].([]any)) != 1 {
		t.Errorf("at the start: %v", data)
	}
}

// An assignment raises wherever it is written, and changes nothing.
func TestR40ReadOnly(t *testing.T) {
	for _, target := range []string{"_event", "_sessionid", "_name", "_ioprocessors", "_x", "In", "_event.name", "_event.data", "_event.sendid"} {
		for _, action := range []statechart.Action{
			assign(target, "27"),
			script(target + " = 27"),
			assign("result", target+" = 27"),
		} {
			data := document{
				variables: map[string]any{"result": "none", "after": nil},
				blocks:    [][]statechart.Action{block(action), block(assign("after", "typeof "+target))},
			}.played(t, trusted)
			if len(data["failed"].([]any)) != 1 || data["result"] != "none" || data["after"] == "number" {
				t.Errorf("%+v leaves %v", action, data)
			}
		}
	}
	for _, target := range []string{"_event.data.n", "_event.more", "_ioprocessors.scxml", "_ioprocessors.scxml.location", "_x.more"} {
		data := document{
			variables: map[string]any{"after": nil},
			blocks:    [][]statechart.Action{block(assign(target, "27")), block(script(target + " = 27")), block(assign("after", target))},
		}.played(t, trusted)
		if data["after"] == int64(27) || len(data["failed"].([]any)) != 1 {
			t.Errorf("%s leaves %v", target, data)
		}
	}
}

// A variable that holds a system variable is equal to it (IRP 326, 329).
func TestR40VariablesOfSystemObjects(t *testing.T) {
	d := document{
		variables: map[string]any{"event": nil, "processors": nil, "session": nil, "equal": nil, "other": nil, "unnamed": nil, "later": nil},
		blocks: [][]statechart.Action{block(
			assign("event", "_event"), assign("processors", "_ioprocessors"), assign("session", "_sessionid"),
			assign("equal", "event == _event && processors === _ioprocessors && session == _sessionid"),
			assign("other", "event == processors || ({}) == _x"),
			assign("session", "processors"), assign("unnamed", "session == processors"),
			assign("session", "event"),
		)},
	}
	in := d.chart(t, trusted).Instance(nil)
	in.Send(statechart.Event{Name: "go", Data: map[string]any{"n": int64(2)}})
	in.Send(statechart.Event{Name: "later"}) // the variables hold an earlier event
	if data := in.Data()[""]; data["equal"] != true || data["other"] != false || data["unnamed"] != true || data["later"] != true {
		t.Errorf("the variables hold %v", data)
	}
}

// The data of errors tell the element and its place.
func TestErrorsTellTheirPlace(t *testing.T) {
	for known, want := range map[bool]map[string]any{
		true:  {"tagname": "script", "line": int64(3), "column": int64(5), "reason": "ReferenceError: 'missing' is not defined"},
		false: {},
	} {
		data := document{
			blocks: [][]statechart.Action{block(script("missing()"))},
			position: func(place string) (scxml.Position, bool) {
				return scxml.Position{Element: "script", Line: 3, Column: 5}, known && place == "root.on[0].actions[0].block[0]"
			},
		}.played(t, trusted)
		told, _ := data["error"].(map[string]any)
		place := told["place"]
		for _, name := range []string{"kind", "place", "message"} {
			if told[name] == "" || told[name] == nil {
				t.Errorf("the error has no %s: %v", name, told)
			}
			delete(told, name)
		}
		if !reflect.DeepEqual(told, want) {
			t.Errorf("the error at %v tells %v", place, told)
		}
	}
}
