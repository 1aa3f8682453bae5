package expression_test

import (
	"testing"

	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/statechart"
)

// door is a document with two states that its author named.
var door = expression.Document{Name: "door", States: map[string]string{"w": "work", "first": "work.one", "second": "work.two"}}

// R40: what SCXML 5.10 says of the system variables.
func TestR40SystemVariables(t *testing.T) {
	plain := world{document: &door, event: statechart.Event{Name: "go"}}
	plain.expect(t,
		[2]string{`_event.name`, `"go"`},
		[2]string{`_event["name"]`, `"go"`},
		[2]string{`_event.type`, `"external"`},
		[2]string{`_event`, `{"name":"go","type":"external"}`},
		[2]string{`_event.data`, `error: the event "go" has no data (?. and ?? read a field that may be absent)`},
		[2]string{`has(_event, "data")`, `false`},
		[2]string{`has(_event, "name")`, `true`},
		[2]string{`_event?.data`, `null`},
		[2]string{`_event?.data?.code`, `null`},
		[2]string{`_event.data ?? "none"`, `"none"`},
		[2]string{`_event.data.code ?? "none"`, `"none"`},
		[2]string{`_event.sendid ?? _event.origin ?? _event.origintype ?? _event.invokeid ?? "unknown"`, `"unknown"`},
		[2]string{`_event.origin`, `error: the event "go" has no origin (?. and ?? read a field that may be absent)`},
		[2]string{`_event.nam`, `error: _event has no field "nam" (did you mean "name"?)`},
		[2]string{`_event.foo`, `error: _event has no field "foo"`},
		[2]string{`_event["na" + "me"]`, `"go"`},
		[2]string{`_sessionid`, `"s1"`},
		[2]string{`_name`, `"door"`},
		[2]string{`_x`, `{}`},
		[2]string{`_ioprocessors.scxml.location`, `"#_scxml_s1"`},
		[2]string{`_ioprocessors["http://www.w3.org/TR/scxml/#SCXMLEventProcessor"].location`, `"#_scxml_s1"`},
		[2]string{`keys(_ioprocessors)`, `["http://www.w3.org/TR/scxml/#SCXMLEventProcessor","scxml"]`},
		[2]string{`_evnt`, `error: there is no variable "_evnt" here (did you mean "_event"?)`},
		[2]string{`let _event = 1; 2`, `error: let would hide "_event" (choose another name)`},
		[2]string{`_event.name + 1`, `error: "+" does not work on text and an integer (turn the other into text with string(x), or join with text(a, b))`},
	)
	if w := (world{document: &expression.Document{}}); w.result(`_name`) != "null" || w.result(`_name == nil`) != "true" {
		t.Errorf("without a name _name is %s", w.result(`_name`))
	}
	if w := (world{}); w.result(`_sessionid`) != `error: there is no variable "_sessionid" here (did you mean "session"?)` || w.result(`In("w")`) != `error: there is no function "In" (did you mean "id"?)` {
		t.Errorf("a chart file has %s, %s", w.result(`_sessionid`), w.result(`In("w")`))
	}
}

// R40: an empty object is data, and what a host knows of the sender is told.
func TestR40EventFields(t *testing.T) {
	w := world{document: &door, event: statechart.Event{Name: "go", Data: map[string]any{}}}
	w.expect(t,
		[2]string{`_event.data`, `{}`},
		[2]string{`has(_event, "data")`, `true`},
		[2]string{`_event.data?.code ?? "none"`, `"none"`},
	)
	w.event.Data = map[string]any{"code": int64(7), "name": "Ada"}
	w.envelope = &statechart.Envelope{SendID: "mail", Origin: "s2", Invocation: "child"}
	w.expect(t,
		[2]string{`_event.data.code`, `7`},
		[2]string{`_event.data.name + _event.name`, `"Adago"`},
		[2]string{`_event.sendid`, `"mail"`},
		[2]string{`_event.origin`, `"#_scxml_s2"`},
		[2]string{`_event.origintype`, `"http://www.w3.org/TR/scxml/#SCXMLEventProcessor"`},
		[2]string{`_event.invokeid`, `"child"`},
		[2]string{`keys(_event)`, `["data","invokeid","name","origin","origintype","sendid","type"]`},
	)
}

// R40: while the session starts there is no event, and that can be asked.
func TestR40NoEventAtTheStart(t *testing.T) {
	for source, want := range map[string]string{
		`_event`:                 "error: there is no _event while the session starts (?. and ?? read an _event that may be absent)",
		`_event.name`:            "error: there is no _event while the session starts (?. and ?? read an _event that may be absent)",
		`_event ?? "none"`:       `"none"`,
		`_event.name ?? "none"`:  `"none"`,
		`_event?.name`:           `null`,
		`has(_event, "name")`:    `false`,
		`_ioprocessors.scxml`:    `{"location":"#_scxml_s1"}`,
		`_sessionid + "/" + "a"`: `"s1/a"`,
	} {
		l := &spy{document: &door}
		r := statechart.NewRegistry()
		r.Language(l)
		c, err := statechart.Compile(statechart.Definition{ID: "c", Root: statechart.State{
			Context: []statechart.Variable{{Name: "out"}},
			Entry:   []statechart.Action{{Assign: []statechart.Variable{{Name: "out", Value: statechart.Expression(source)}}}},
		}}, r)
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		c.Start(&statechart.Instance{}, statechart.Start{Session: "s1"})
		got := show(l.value)
		if l.err != nil {
			got = "error: " + l.err.Error()
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", source, got, want)
		}
	}
}

// In knows the states by the ids of the document.
func TestDocumentIn(t *testing.T) {
	w := world{document: &door, data: data(t, `{"id": "first", "other": "third", "n": 1}`)}
	w.expect(t,
		[2]string{`In("w")`, `true`},
		[2]string{`In('first') and not In("second")`, `true`},
		[2]string{`In(id)`, `true`},
		[2]string{`In("sec" + "ond")`, `false`},
		[2]string{`In(other)`, `false`},
		[2]string{`In("frist")`, `error: there is no state "frist" (did you mean "first"?)`},
		[2]string{`In("work.one")`, `error: there is no state "work.one"`},
		[2]string{`In(n)`, `error: a state is named by text, not by an integer (write In("id"))`},
		[2]string{`In(1)`, `error: a state is named by text, not by an integer (write In("id"))`},
		[2]string{`In()`, `error: "In" takes 1 argument, not 0 (write In("id"))`},
	)
}

// Documents were not written for this language: their variables may have the
// names of its functions, which are then called as ever.
func TestDocumentNamesOfFunctions(t *testing.T) {
	w := world{document: &door, data: data(t, `{"count": 2, "first": [1, 2], "int": {"max": 3}}`)}
	w.expect(t,
		[2]string{`count + 1`, `3`},
		[2]string{`first[1] + count(first, # > 1)`, `3`},
		[2]string{`int.max + len(first)`, `5`},
		[2]string{`first(first)`, `1`},
		[2]string{`last`, `error: there is no variable "last" here (call it: last(list [, n]))`},
	)
}

// A document is part of a chart's meaning by its name.
func TestDocumentVersion(t *testing.T) {
	if a, b := (expression.Document{Name: "a"}).Version(), (expression.Document{Name: "b"}).Version(); a == b || a == (expression.Language{}).Version() {
		t.Errorf("the versions are %q and %q", a, b)
	}
}
