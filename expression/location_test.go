package expression_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/statechart"
)

// assigned plays a document that assigns a value to a location when "go"
// comes, and returns what a source gives after it, or the error that the
// assignment raised.
func assigned(t testing.TB, context []statechart.Variable, location, value, look string, fuel int64) string {
	t.Helper()
	r := statechart.NewRegistry()
	r.Language(door)
	set := func(name, source string) []statechart.Action {
		return []statechart.Action{{Assign: []statechart.Variable{{Name: name, Value: statechart.Expression(source)}}}}
	}
	c, err := statechart.Compile(statechart.Definition{
		ID: "c", Dialect: "scxml", Limits: statechart.Limits{Fuel: fuel},
		Root: statechart.State{Context: append([]statechart.Variable{{Name: "out"}}, context...), Initial: "s", States: []statechart.State{{Name: "s", On: []statechart.Transition{
			{Event: "go", Actions: set(location, value)},
			{Event: "look", Actions: set("out", look)},
			{Event: "error.execution", Actions: set("out", `{failed: _event.data.message}`)},
		}}}},
	}, r)
	if err != nil {
		t.Fatal(err)
	}
	in := &statechart.Instance{}
	if res := c.Start(in, statechart.Start{Session: "s1"}); res.Reason != nil {
		t.Fatal(res.Reason.Message)
	}
	for _, name := range []string{"go", "look"} {
		res := in.Receive(statechart.Delivery{Event: statechart.Event{Name: name}})
		if res.Reason != nil {
			return "error: " + string(res.Reason.Code)
		}
		if v := in.Data()[""]["out"]; v != nil {
			if m, ok := v.(map[string]any); ok && m["failed"] != nil {
				return "error: " + m["failed"].(string)
			}
			return show(v)
		}
	}
	return "null"
}

// A location is a path from a variable; the value that stood there is not
// changed, a new one is made.
func TestLocations(t *testing.T) {
	for _, c := range []struct{ location, value, look, want string }{
		{`a`, `2`, `a`, `2`},
		{`o.b`, `2`, `o`, `{"b":2,"l":[1,[2]]}`},
		{`o["b"]`, `2`, `o.b`, `2`},
		{`o.new`, `[1]`, `o.new`, `[1]`},
		{`o["a b"]`, `1`, `o`, `{"a b":1,"b":{"c":1},"l":[1,[2]]}`},
		{`o.b.c`, `null`, `o.b`, `{"c":null}`},
		{`o.l[0]`, `o.l`, `o.l`, `[[1,[2]],[2]]`},
		{`o.l[1][0]`, `"x"`, `o.l`, `[1,["x"]]`},
		{`o.l[-1]`, `3`, `o.l`, `[1,3]`},
		{`o.l[len(o.l)]`, `3`, `o.l`, `[1,[2],3]`},
		{`o[name].c`, `5`, `o.b.c`, `5`},
		{`o[let k = name; k].c`, `5`, `o.b.c`, `5`},
		{` o . b `, `2`, `o.b`, `2`},
		{`o.b`, `2`, `kept`, `{"b":{"c":1},"l":[1,[2]]}`},
		{`o.x.y`, `2`, `o`, `error: there is no field "x" (assign an object to it first)`},
		{`o.l[3]`, `2`, `o`, `error: there is no element 3 in a list of 2 (the number just past the end appends)`},
		{`o.l[-3]`, `2`, `o`, `error: there is no element -3 in a list of 2 (the number just past the end appends)`},
		{`o.l[2][0]`, `2`, `o`, `error: there is no element 2 in a list of 2 (the number just past the end appends)`},
		{`o.l.a`, `2`, `o`, `error: a list's element is named by an integer, not by text`},
		{`o[0]`, `2`, `o`, `error: an object's field is named by text, not by an integer (turn it into text with string(x))`},
		{`none.a`, `2`, `o`, `error: null has no fields and elements (assign an object or a list to it first)`},
		{`a.b`, `2`, `o`, `error: an integer has no fields and elements`},
		{`name[0]`, `"x"`, `o`, `error: text has no fields and elements`},
	} {
		d := data(t, `{"a": 1, "o": {"b": {"c": 1}, "l": [1, [2]]}, "name": "b", "none": null}`)
		d = append(d, statechart.Variable{Name: "kept", Value: statechart.Expression(`o`)})
		if got := assigned(t, d, c.location, c.value, c.look, 0); got != c.want {
			t.Errorf("%s = %s\n got %s\nwant %s", c.location, c.value, got, c.want)
		}
	}
}

// What is no place is found when the chart is compiled, and is an error when
// the assignment is executed (SCXML 5.4).
func TestNoLocations(t *testing.T) {
	for location, want := range map[string]string{
		`_event`:              `_event cannot be assigned`,
		`_event.data`:         `_event cannot be assigned`,
		`_sessionid`:          `_sessionid cannot be assigned`,
		`_name`:               `_name cannot be assigned`,
		`_ioprocessors.scxml`: `_ioprocessors cannot be assigned`,
		`_x.a`:                `_x cannot be assigned`,
		`event.a`:             `there is no variable "event" here`,
		`lits[0]`:             `there is no variable "lits" here (did you mean "list"?)`,
		`list?.[0]`:           `this is no place that a value can be assigned to (write a variable, or a path of fields and elements such as a.b[0])`,
		`list[0:1]`:           `this is no place that a value can be assigned to (write a variable, or a path of fields and elements such as a.b[0])`,
		`first(list)`:         `this is no place that a value can be assigned to (write a variable, or a path of fields and elements such as a.b[0])`,
		`first(list).a`:       `this is no place that a value can be assigned to (write a variable, or a path of fields and elements such as a.b[0])`,
		`list[true]`:          `a place is named by an integer or a field's name, not by a boolean`,
		`let x = list; x[0]`:  `this is no place that a value can be assigned to (write a variable, or a path of fields and elements such as a.b[0])`,
		`list[`:               `the expression ends where more is expected`,
		`list[lenn(list)]`:    `there is no function "lenn" (did you mean "len"?)`,
	} {
		got := assigned(t, data(t, `{"list": [1]}`), location, `1`, `list`, 0)
		if !strings.HasSuffix(got, want) || !strings.HasPrefix(got, "error: ") {
			t.Errorf("%s\n got %s\nwant %s", location, got, want)
		}
	}
}

// What an assignment copies is paid for before.
func TestLocationsPay(t *testing.T) {
	long := make([]any, 5000)
	context := []statechart.Variable{{Name: "list", Value: long}, {Name: "o", Value: map[string]any{"l": long}}}
	for location, most := range map[string]int64{`list[7]`: 5500, `o.l[7]`: 5500, `list[len(list)]`: 5500} {
		if got := assigned(t, context, location, `1`, `len(list) > 0`, most-1000); got != "error: limit_fuel" {
			t.Errorf("%s with too little fuel gives %s", location, got)
		}
		if got := assigned(t, context, location, `1`, `len(list) > 0`, most); got != "true" {
			t.Errorf("%s with %d units gives %s", location, most, got)
		}
	}
}

// FuzzLocation: any text is a place or a typed error, the same each time.
func FuzzLocation(f *testing.F) {
	for _, s := range []string{`a`, `o.b`, `o["b"]`, `o.l[len(o.l)]`, `o[let k = "b"; k].c`, `_event.data`, `a[`, `o?.b`, `#`, `o.l[-1][0]`, `In("w")`, `o[In("w") ? "b" : "l"]`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, location string) {
		play := func() string {
			d := data(t, `{"a": 1, "o": {"b": {"c": 1}, "l": [1, [2]]}}`)
			return assigned(t, d, location, `[1]`, `toJSON([a, o])`, 20_000)
		}
		if strings.TrimSpace(location) == "" {
			return
		}
		if first, second := play(), play(); first != second {
			t.Fatalf("%q: %s, then %s", location, first, second)
		}
		var l statechart.LocationLanguage = door
		if _, err := l.CompileLocation(location+"?.", statechart.Names{}); err != nil {
			if e, ok := errors.AsType[*expression.Error](err); !ok || e.Offset < 0 || e.Offset > len(location)+2 {
				t.Fatalf("%q: %#v", location, err)
			}
		}
	})
}
