package expression_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/statechart"
)

func TestVariables(t *testing.T) {
	w := world{data: data(t, `{"customer": "Ada", "attempts": 2}`)}
	w.expect(t, [][2]string{
		{`customer`, `"Ada"`},
		{`custmer`, `error: there is no variable "custmer" here (did you mean "customer"?)`},
		{`evnt.code`, `error: there is no variable "evnt" here (did you mean "event"?)`},
		{`zzz`, `error: there is no variable "zzz" here`},
		{`let custom = 1; custon`, `error: there is no variable "custon" here (did you mean "custom"?)`},
		{`let customer = 1; customer`, `error: let would hide the variable "customer" (choose another name)`},
		{`let a = 1; let a = 2; a`, `error: let defines "a" twice (choose another name)`},
		{`let event = 1; event`, `error: "event" is a word of the language (choose another name)`},
		{`let len = 1; len`, `error: "len" is a word of the language (choose another name)`},
		{`(let a = 1; a) + a`, `error: there is no variable "a" here`},
		{`len`, `error: "len" is a function (call it: len(…))`},
		{`lenn(customer)`, `error: there is no function "lenn" (did you mean "len"?)`},
		{`now()`, `error: "now" is not a function of this language (now is a value, the time in milliseconds: write it without ( ))`},
		{`date("2020-01-01")`, `error: "date" is not a function of this language (times are milliseconds; now is the macrostep's)`},
		{`duration("1h")`, `error: "duration" is not a function of this language (durations are milliseconds, so 15 minutes are 15 * 60 * 1000)`},
		{`len()`, `error: "len" takes 1 argument, not 0 (write len(x))`},
		{`split(customer)`, `error: "split" takes 2 to 3 arguments, not 1 (write split(text, separator [, n]))`},
		{`concat()`, `error: "concat" takes at least 1 argument, not 0 (write concat(a, b, …))`},
		{`filter(customer)`, `error: an argument is missing`},
	}...)
}

func TestWorld(t *testing.T) {
	w := world{tools: []string{"mail", "search"}}
	w.expect(t, [][2]string{
		{`session`, `{"chart":"chart","id":"s1","sequence":2,"user":"ada"}`},
		{`session.id + session.user + session.chart`, `"s1adachart"`},
		{`session.sequence`, `2`},
		{`session.usr`, `error: session has no field "usr" (did you mean "user"?)`},
		{`now`, `0`},
		{`tools`, `["mail","search"]`},
		{`"mail" in tools`, `true`},
		{`granted("mail")`, `true`},
		{`granted("rm")`, `false`},
		{`granted("ma" + "il")`, `true`},
		{`granted(1)`, `error: a tool is named by text, not by an integer (write granted("tool"))`},
		{`active("work")`, `true`},
		{`active("work.one")`, `true`},
		{`active("work.two")`, `false`},
		{`active("two")`, `error: there is no state "two" (did you mean "work.two"?)`},
		{`active("wrok.one")`, `error: there is no state "wrok.one" (did you mean "work.one"?)`},
		{`active("wo" + "rk")`, `error: active needs a state's path as a literal (write active("path.of.state"))`},
		{`id() != id()`, `true`},
		{`type(id())`, `"string"`},
	}...)
	w.granted = []string{"rm"}
	w.expect(t, [2]string{`[granted("mail"), granted("rm")]`, `[false,true]`})
}

func TestEvent(t *testing.T) {
	w := world{
		event:    statechart.Event{Name: "go", Data: map[string]any{"code": "rate_limited", "id": "mine", "output": int64(1)}},
		envelope: &statechart.Envelope{ID: "e7", AcceptedAt: 1000},
	}
	w.expect(t, [][2]string{
		{`event.type`, `"go"`},
		{`event.id`, `"e7"`}, // the host's, not the payload's
		{`event.acceptedAt`, `1000`},
		{`event.code`, `"rate_limited"`},
		{`event["code"]`, `"rate_limited"`},
		{`event?.code`, `"rate_limited"`},
		{`event.output`, `1`},
		{`event.data`, `{"code":"rate_limited","id":"mine","output":1}`},
		{`event`, `{"acceptedAt":1000,"code":"rate_limited","data":{"code":"rate_limited","id":"mine","output":1},"id":"e7","output":1,"type":"go"}`},
		{`has(event, "code")`, `true`},
		{`has(event, "cod")`, `false`},
		{`event.cod`, `error: the event "go" has no field "cod" (did you mean "code"?)`},
		{`event.reason`, `error: the event "go" has no field "reason" (?. and ?? read a field that may be absent)`},
		{`event?.reason`, `null`},
		{`event.reason ?? "none"`, `"none"`},
		{`event.reason.text ?? "none"`, `"none"`},
		{`event.error`, `error: the event "go" has no field "error" (?. and ?? read a field that may be absent)`},
		{`event[event.type] ?? 1`, `1`},
		{`keys(event)`, `["acceptedAt","code","data","id","output","type"]`},
	}...)
	world{event: statechart.Event{Name: "go", Data: "just text"}}.expect(t, [][2]string{
		{`event.data`, `"just text"`},
		{`event.code ?? 1`, `1`},
		{`event.id`, `""`},
	}...)
	world{event: statechart.Event{Name: "go", Data: map[string]any{"data": int64(1)}}}.expect(t, [2]string{`event.data`, `1`})
}

// The engine's answers have their payload under a name of its own; the same
// words are ordinary fields in events of the user.
func TestEventsOfTheEngine(t *testing.T) {
	payload := map[string]any{"code": "x", "output": int64(1), "error": int64(2)}
	for _, c := range []struct{ name, source, want string }{
		{"error.execution", `event.error.message contains "zero"`, `true`},
		{"error.execution", `event.error == event.data`, `true`},
		{"error.execution", `event.message contains "zero"`, `true`},
		{"error.execution", `event.effect`, `""`},
		{"error.execution", `event.output`, `error: the event "error.execution" has no field "output" (?. and ?? read a field that may be absent)`},
		{"error.execution", `has(event, "error") and not has(event, "output")`, `true`},
		{"error.execution", `event.erorr`, `error: the event "error.execution" has no field "erorr" (did you mean "error"?)`},
		{"error.execution", `keys(event)`, `["acceptedAt","data","effect","error","id","kind","message","place","type"]`},
	} {
		if got := afterFailure(t, c.name, c.source); got != c.want {
			t.Errorf("%s: %s\n got %s\nwant %s", c.name, c.source, got, c.want)
		}
	}
	for _, name := range []string{"error.card", "error.executions", "done", "done.it", "unknown", "progressing"} {
		w := world{event: statechart.Event{Name: name, Data: payload}}
		if got := w.result(`[event.output, event.error]`); got != `[1,2]` {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// A state that is done has its output for a payload.
func TestEventsOfStatesThatAreDone(t *testing.T) {
	for source, want := range map[string]string{
		`event.output.n`:                   `1`,
		`event.n`:                          `1`,
		`event.type`:                       `"done.state.c.work"`,
		`event.effect`:                     `""`,
		`event.error ?? "none"`:            `"none"`,
		`event.output == event.data`:       `true`,
		`has(event, "output")`:             `true`,
		`event.outptu ?? event.output.n`:   `1`,
		`keys(event) == sort(keys(event))`: `true`,
	} {
		l := &spy{}
		r := statechart.NewRegistry()
		r.Language(l)
		c, err := statechart.Compile(statechart.Definition{ID: "c", Root: statechart.State{Initial: "work", States: []statechart.State{
			{Name: "work", Initial: "end", States: []statechart.State{{Name: "end", Type: "final", Output: map[string]any{"n": int64(1)}}},
				OnDone: []statechart.Transition{{Actions: []statechart.Action{{Log: statechart.Expression(source)}}}}},
		}}}, r)
		if err != nil {
			t.Fatal(err)
		}
		in := &statechart.Instance{}
		c.Start(in, statechart.Start{Session: "s"})
		if l.err != nil || show(l.value) != want {
			t.Errorf("%s gives %s (%v), want %s", source, show(l.value), l.err, want)
		}
	}
}

// afterFailure evaluates a source in the transition that takes the error of
// another.
func afterFailure(t *testing.T, name, source string) string {
	t.Helper()
	l := &spy{}
	r := statechart.NewRegistry()
	r.Language(l)
	log := func(s string) []statechart.Action {
		return []statechart.Action{{Log: statechart.Expression(s)}}
	}
	c, err := statechart.Compile(statechart.Definition{ID: "c", Root: statechart.State{On: []statechart.Transition{
		{Event: "go", Actions: log(`1 / 0`)}, {Event: name, Actions: log(source)},
	}}}, r)
	if err != nil {
		return "error: " + l.err.Error()
	}
	in := &statechart.Instance{}
	c.Start(in, statechart.Start{Session: "s"})
	in.Send(statechart.Event{Name: "go"})
	if l.err != nil {
		return "error: " + l.err.Error()
	}
	return show(l.value)
}

func TestInput(t *testing.T) {
	schema := map[string]any{"type": "object", "additionalProperties": false, "properties": map[string]any{
		"customer": map[string]any{"type": "string"},
		"address":  map[string]any{"type": "object", "properties": map[string]any{"zip": map[string]any{"type": "string"}}, "additionalProperties": false},
	}}
	w := world{input: schema, given: map[string]any{"customer": "Ada"}}
	w.expect(t, [][2]string{
		{`input.custmer`, `error: there is no field "custmer" (did you mean "customer"?)`},
		{`input.address.zap`, `error: there is no field "zap" (did you mean "zip"?)`},
		{`input.customer + 1`, `error: "+" does not work on text and an integer (turn the other into text with string(x), or join with text(a, b))`},
		{`input.customer`, "error: the input is known only while the session starts (keep it in a variable: its initial value may be ${ input.customer })"},
	}...)
	world{input: map[string]any{"type": []any{"object", "null"}, "additionalProperties": false, "patternProperties": map[string]any{"^x": true}}}.
		expect(t, [2]string{`input?.xy`, `null`}, [2]string{`input + 1`, `error: "+" does not work on null or an object and an integer`})
	w.data = []statechart.Variable{{Name: "customer", Value: statechart.Expression("input.customer")}}
	w.expect(t, [2]string{`customer`, `"Ada"`})
}

func TestEventSchema(t *testing.T) {
	field := func(kind string) map[string]any { return map[string]any{"type": kind} }
	w := world{events: []statechart.EventDeclaration{{Name: "go", Data: map[string]any{
		"type": "object", "required": []any{"code"}, "additionalProperties": false,
		"properties": map[string]any{"code": field("string"), "count": field("integer"), "tags": map[string]any{"type": "array", "items": field("string")}},
	}}}}
	w.event = statechart.Event{Name: "go", Data: map[string]any{"code": "x", "count": 3.0}}
	w.expect(t, [][2]string{
		{`event.code`, `"x"`},
		{`event.cod`, `error: the event "go" has no field "cod" (did you mean "code"?)`},
		{`event.cod ?? 1`, `error: the event "go" has no field "cod" (did you mean "code"?)`},
		{`event.output`, `error: the event "go" has no field "output"`},
		{`event.code + 1`, `error: "+" does not work on text and an integer (turn the other into text with string(x), or join with text(a, b))`},
		{`event.code < 3`, `error: "<" does not work on text and an integer (turn the text into a number with int(x) or float(x))`},
		{`event.count + 1`, `4.0`},
		{`1 in (event.count ?? 1)`, `error: "in" does not work on an integer and a number`},
		{`1 in (event?.count ?? nil)`, `error: "in" needs a list or an object on its right, not a decimal`},
		{`not event.count`, `error: "not" needs a boolean, not a number (compare it, as in x > 0)`},
		{`event.tags[0] * 2`, `error: "*" does not work on text and an integer`},
		{`map(event.tags, # + 1)`, `error: "+" does not work on text and an integer (turn the other into text with string(x), or join with text(a, b))`},
		{`event.tags`, `error: the event "go" has no field "tags" (?. and ?? read a field that may be absent)`}, // it may be absent, so it compiles
	}...)

	// What a schema says elsewhere, or not at all, is not guessed at.
	for _, open := range []any{
		true, map[string]any{}, map[string]any{"$ref": "#/$defs/a"}, map[string]any{"additionalProperties": false, "patternProperties": map[string]any{"^x": true}},
		map[string]any{"type": "object", "allOf": []any{map[string]any{"properties": map[string]any{"xs": field("array")}}}},
		map[string]any{"type": []any{"object", "null"}, "additionalProperties": true, "properties": map[string]any{"code": false}},
	} {
		w := world{events: []statechart.EventDeclaration{{Name: "go", Data: open}}, event: statechart.Event{Name: "go", Data: map[string]any{"xs": []any{int64(1)}}}}
		w.expect(t, [][2]string{{`event.xs[0] + 1`, `2`}, {`event.code ?? 1`, `1`}}...)
	}
}

func TestAppendOnlyLists(t *testing.T) {
	w := world{lists: []string{"messages"}, rows: func(_ string, from, to int64) ([]any, error) {
		return make([]any, to-from), nil
	}}
	w.expect(t, [][2]string{
		{`len(messages)`, `0`},
		{`last(messages, 5)`, `[]`},
		{`messages`, `error: the rows of the list "messages" are not read as a value (write len(messages) or last(messages, n))`},
		{`messages[0]`, `error: the rows of the list "messages" are not read as a value (write len(messages) or last(messages, n))`},
		{`last(messages)`, `error: last of the list "messages" needs a number of rows (write last(messages, 10))`},
		{`last(messages, 101)`, `error: last reads 0 to 100 rows of a list`},
		{`last(messages, 100 + 1)`, `error: last reads 0 to 100 rows of a list`},
		{`last(messages, "a")`, `error: last reads 0 to 100 rows of a list`},
		{`let messages = 1; messages`, `error: let would hide the variable "messages" (choose another name)`},
	}...)
}

func TestReserved(t *testing.T) {
	for _, name := range []string{"event", "input", "session", "now", "tools", "len", "has", "text", "date", "true", "null", "not", "let", "matches"} {
		if !expression.Reserved(name) {
			t.Errorf("%s is not reserved", name)
		}
	}
	for _, name := range []string{"customer", "events", "Len", "acc", "index"} {
		if expression.Reserved(name) {
			t.Errorf("%s is reserved", name)
		}
	}
}

// The offset of an error is where its reason stands, in bytes.
func TestOffsets(t *testing.T) {
	for _, c := range []struct{ source, at string }{
		{`"é" == custmer`, `custmer`},
		{`1 + upcase("é")`, `upcase`},
		{`"é" + 1`, `+ 1`},
		{`[1, "é"].a`, `a`},
		{`"é" ? 1 : 2`, `"é"`},
		{`yes and "é"`, `"é"`},
		{`"é" = 1`, `= 1`},
		{`"é" + "b`, `"b`},
		{`len("é", 1)`, `len`},
		{`active("é")`, `"é"`},
		{`"é" matches "("`, `"("`},
		{`if 1 { 2 } else { 3 }`, `1 {`},
	} {
		w := world{data: data(t, `{"yes": true}`)}
		_, err := w.evaluate(c.source)
		e, ok := err.(*expression.Error)
		if !ok {
			t.Errorf("%s: %v", c.source, err)
			continue
		}
		if want := strings.Index(c.source, c.at); e.Offset != want {
			t.Errorf("%s: %q at %d, want %d", c.source, e.Message, e.Offset, want)
		}
	}
}

// Errors while running have their place, too.
func TestOffsetsWhileRunning(t *testing.T) {
	for _, c := range []struct{ source, at string }{
		{`"é" == string(1 / n)`, `/`},
		{`"é" == o.b.x`, `x`},
		{`"é" == upper(n)`, `n)`},
		{`map([0], 1 / #)`, `/`},
		{`sum(["é"])`, `sum`},
	} {
		w := world{data: data(t, `{"n": 0, "o": {"b": {}}}`)}
		_, err := w.evaluate(c.source)
		e, ok := err.(*expression.Error)
		if want := strings.Index(c.source, c.at); !ok || e.Offset != want {
			t.Errorf("%s: %v, want it at %d, is %s", c.source, err, want, fmt.Sprintf("%+v", e))
		}
	}
}

func TestCodes(t *testing.T) {
	for source, want := range map[string]statechart.Code{
		`custmer`:                 statechart.CodeUnknownName,
		`active("x")`:             statechart.CodeUnknownState,
		`1 +`:                     statechart.CodeExpression,
		`1 + "a"`:                 statechart.CodeExpression,
		strings.Repeat("(", 100):  statechart.CodeLimit,
		strings.Repeat("a", 5000): statechart.CodeLimit,
	} {
		_, err := expression.Parse(source)
		if err == nil {
			_, err = world{}.evaluate(source)
		}
		e, ok := err.(*expression.Error)
		if !ok {
			t.Errorf("%.20s: %v", source, err)
			continue
		}
		if code, hint := e.Diagnose(); code != want || hint != e.Hint {
			t.Errorf("%.20s: %s, want %s", source, code, want)
		}
	}
}
