package expression_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/statechart"
)

// world is what an expression is evaluated in. The chart has one state
// "work.one" and the variables of data; the expression is evaluated when the
// event comes.
type world struct {
	data     []statechart.Variable
	input    any // schema
	given    any // the session's input
	events   []statechart.EventDeclaration
	lists    []string
	tools    []string
	granted  []string // nil: not known
	fuel     int64
	event    statechart.Event
	envelope *statechart.Envelope
	rows     statechart.Rows
	document *expression.Document // nil: the language of charts
}

// spy is the language, keeping what its programs come to.
type spy struct {
	expression.Language
	document *expression.Document
	value    any
	err      error
	ran      bool
	again    int // evaluate so many times before
}

type spied struct {
	statechart.Program
	spy *spy
}

func (s *spy) Compile(source string, names statechart.Names) (statechart.Program, error) {
	var l statechart.Language = s.Language
	if s.document != nil {
		l = *s.document
	}
	p, err := l.Compile(source, names)
	if err != nil {
		s.err = err
		return nil, err
	}
	return spied{p, s}, nil
}

func (p spied) Evaluate(s *statechart.Scope) (any, error) {
	for range p.spy.again {
		if p.spy.value, p.spy.err = p.Program.Evaluate(s); p.spy.err != nil {
			break
		}
	}
	p.spy.value, p.spy.err = p.Program.Evaluate(s)
	p.spy.ran = true
	return p.spy.value, p.spy.err
}

// data turns JSON into variables, in the order of their names.
func data(t testing.TB, text string) []statechart.Variable {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var m map[string]any
	if err := d.Decode(&m); err != nil {
		t.Fatal(err)
	}
	var out []statechart.Variable
	for _, k := range sortedKeys(m) {
		out = append(out, statechart.Variable{Name: k, Value: native(m[k])})
	}
	return out
}

// native is decoded JSON with the numbers of charts.
func native(v any) any {
	switch x := v.(type) {
	case json.Number:
		if i, err := x.Int64(); err == nil {
			return i
		}
		f, _ := x.Float64()
		return f
	case []any:
		for i := range x {
			x[i] = native(x[i])
		}
	case map[string]any:
		for k := range x {
			x[k] = native(x[k])
		}
	}
	return v
}

// chart compiles a chart that evaluates the source on the event.
func (w world) chart(source string) (*statechart.Chart, error) {
	return w.chartIn(source, expression.Language{})
}

func (w world) chartIn(source string, l statechart.Language) (*statechart.Chart, error) {
	r := statechart.NewRegistry()
	r.Language(l)
	if w.granted != nil {
		r.Grant(w.granted...)
	}
	name := w.event.Name
	if name == "" {
		name = "go"
	}
	if strings.Contains(name, ".") {
		name = name[:strings.Index(name, ".")] + ".*"
	}
	events := w.events
	if events == nil && name == "go" {
		events = []statechart.EventDeclaration{{Name: "go"}}
	}
	return statechart.Compile(statechart.Definition{
		ID: "chart", Input: w.input, Events: events, Lists: w.lists, Limits: statechart.Limits{Fuel: w.fuel},
		Root: statechart.State{Initial: "work", Context: append([]statechart.Variable{{Name: "out"}}, w.data...), States: []statechart.State{
			{Name: "work", Initial: "one", Tools: w.tools, States: []statechart.State{{Name: "one"}, {Name: "two"}},
				On: []statechart.Transition{{Event: name, Actions: []statechart.Action{
					{Assign: []statechart.Variable{{Name: "out", Value: statechart.Expression(source)}}}}}}},
		}},
	}, r)
}

// start starts an instance of the chart.
func (w world) start(source string) (*statechart.Instance, *spy, error) {
	l := &spy{document: w.document}
	c, err := w.chartIn(source, l)
	if err != nil {
		return nil, l, err
	}
	in := &statechart.Instance{}
	if res := c.Start(in, statechart.Start{Session: "s1", User: "ada", Input: w.given}); res.Reason != nil {
		return nil, l, errors.New(res.Reason.Message)
	}
	if w.rows != nil {
		in.SetRows(w.rows)
	}
	return in, l, nil
}

// evaluate gives the value of a source, or its error: of the language, or
// the macrostep's reason.
func (w world) evaluate(source string) (any, error) {
	in, l, err := w.start(source)
	if err != nil {
		if l.err != nil {
			return nil, l.err
		}
		return nil, err
	}
	e := w.event
	if e.Name == "" {
		e.Name = "go"
	}
	res := in.Receive(statechart.Delivery{Event: e, Envelope: w.envelope})
	if !l.ran {
		return nil, fmt.Errorf("the event was %s: %v", res.Outcome, res.Reason)
	}
	if res.Reason != nil && res.Reason.Code == statechart.CodeFuel {
		return nil, spent{}
	}
	return l.value, l.err
}

// spent is how the tests show the fuel's end.
type spent struct{}

func (spent) Error() string { return "fuel" }

// show writes a value so that its kinds can be told apart: 1 is an integer,
// 1.0 a decimal.
func show(v any) string {
	switch x := v.(type) {
	case nil:
		return "null"
	case float64:
		text := strconv.FormatFloat(x, 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return text
	case string:
		return strconv.Quote(x)
	case []any:
		parts := make([]string, len(x))
		for i, e := range x {
			parts[i] = show(e)
		}
		return "[" + strings.Join(parts, ",") + "]"
	case map[string]any:
		var parts []string
		for _, k := range sortedKeys(x) {
			parts = append(parts, strconv.Quote(k)+":"+show(x[k]))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case bool, int64:
		return fmt.Sprint(x)
	}
	return fmt.Sprintf("a %T, which is no data", v)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// result is the value or the error of a source, as a user sees it.
func (w world) result(source string) string {
	v, err := w.evaluate(source)
	if err != nil {
		return "error: " + err.Error()
	}
	return show(v)
}

// expect compares the results of sources, given as pairs.
func (w world) expect(t *testing.T, pairs ...[2]string) {
	t.Helper()
	for _, p := range pairs {
		if got := w.result(p[0]); got != p[1] {
			t.Errorf("%s\n got %s\nwant %s", p[0], got, p[1])
		}
	}
}
