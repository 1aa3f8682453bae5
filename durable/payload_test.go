package durable_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

func deep(n int) any {
	v := any(3.0)
	for range n {
		v = map[string]any{"in": []any{v}}
	}
	return v
}

var payloads = []struct {
	name  string
	value any
	plain string // as JSON
}{
	{"nothing", nil, "null"},
	{"yes", true, "true"},
	{"a whole float", 3.0, "3.0"},
	{"an integer", int64(3), "3"},
	{"a float below zero that is none", math.Copysign(0, -1), "-0.0"},
	{"the largest integer", int64(math.MaxInt64), "9223372036854775807"},
	{"the smallest integer", int64(math.MinInt64), "-9223372036854775808"},
	{"an integer that no float holds", int64(1<<53 + 1), "9007199254740993"},
	{"the smallest float", math.SmallestNonzeroFloat64, "5e-324"},
	{"the largest float", math.MaxFloat64, "1.7976931348623157e+308"},
	{"a tenth", 0.1, "0.1"},
	{"no text", "", `""`},
	{"text of the world", "Grüße, 世界 👩‍👩‍👧 e\u0301 \u2028 </script> \\ \"", ""},
	{"long text", strings.Repeat("ä", 50_000), ""},
	{"no list", []any{}, "[]"},
	{"a list of nothing", []any{nil}, "[null]"},
	{"no members", map[string]any{}, "{}"},
	{"a member that is nothing", map[string]any{"a": nil, "b": map[string]any{}, "c": []any{}}, `{"a":null,"b":{},"c":[]}`},
	{"members of odd names", map[string]any{"": int64(1), "a.b": 2.0, "\u00e9": "é", "[0]": nil, "null": "x"}, ""},
	{"a deep object", deep(25), ""},
}

// courier is a chart that hands a payload on by every way there is: event,
// data, guard, call and its end, child and its end, kept event, send to
// itself, list, and output.
func courier(t testing.TB) []*statechart.Chart {
	keep := func(name, value string) statechart.Action {
		return statechart.Action{Assign: []statechart.Variable{{Name: name, Value: statechart.Expression(value)}}}
	}
	same := func(value string) statechart.Condition {
		return statechart.Condition{Expression: statechart.Expression(value)}
	}
	to := func(event, target, guard string, a ...statechart.Action) []statechart.Transition {
		return list(statechart.Transition{Event: event, Guard: same(guard), Target: target, Actions: a}, on(event, "wrong"))
	}
	all := []string{"sent", "called", "child", "kept", "self"}
	var vars []statechart.Variable
	for _, name := range all {
		vars = append(vars, statechart.Variable{Name: name})
	}
	main := compiled(t, statechart.Definition{ID: "main", Lists: []string{"rows"}, Root: statechart.State{Initial: "begin", Context: vars, States: []statechart.State{
		{Name: "begin", Defer: []string{"kept"}, On: list(on("go", "calling", keep("sent", "event.data.value"), statechart.Action{Append: "rows", Data: statechart.Expression("sent")}))},
		{Name: "calling", Defer: []string{"kept"}, Invoke: calls("call", "tool:echo", statechart.Invocation{Input: statechart.Expression("sent"),
			OnDone: to("", "asking", "event.output == sent", keep("called", "event.output"))})},
		{Name: "asking", Defer: []string{"kept"}, Invoke: calls("kid", "chart:echo", statechart.Invocation{Input: statechart.Expression("called"),
			OnDone: to("", "taking", "event.output == sent", keep("child", "event.output"))})},
		{Name: "taking", On: to("kept", "sending", "event.data.value == sent", keep("kept", "event.data.value"))},
		{Name: "sending", Entry: act(statechart.Action{Send: "self", Data: statechart.Expression("{ 'value': kept }")}),
			On: to("self", "over", "event.data.value == sent", keep("self", "event.data.value"))},
		{Name: "over", Type: statechart.Final, Output: statechart.Expression("self")},
		{Name: "wrong", Type: statechart.Final, Status: "failed"},
	}}})
	echo := compiled(t, statechart.Definition{ID: "echo", Root: statechart.State{Initial: "end", Context: []statechart.Variable{{Name: "given", Value: statechart.Expression("input")}},
		States: []statechart.State{{Name: "end", Type: statechart.Final, Output: statechart.Expression("given")}}}})
	return []*statechart.Chart{main, echo}
}

// What a guard, a tool and a child see of a payload live is what they see
// when the engine has ended anywhere on the way, to the byte: a whole float
// stays a float, and a large integer what it was.
func TestPayloadsLiveAndRecovered(t *testing.T) {
	charts := durable.NewCharts(courier(t)...)
	plays := 0
	for _, p := range payloads {
		t.Run(p.name, func(t *testing.T) {
			body, err := host.Encode(p.value)
			must(t, err)
			if p.plain != "" && string(body) != p.plain {
				t.Errorf("it is written %s, want %s", body, p.plain)
			}
			live, commits := carry(t, inMemory(), charts, p.value)
			for k := range commits {
				plays++
				if got, _ := carry(t, inMemory(), charts, p.value, cut{commit: k + 1}); got != live {
					t.Fatalf("cut at commit %d, there is\n%.3000s\nlive there is\n%.3000s", k+1, got, live)
				}
			}
			plays++
			if got, _ := carry(t, onDisk(t), charts, p.value, cut{commit: 2}, cut{commit: 3}, cut{commit: 3}, cut{commit: 3}); got != live {
				t.Errorf("on SQLite there is\n%.3000s\nlive there is\n%.3000s", got, live)
			}
		})
	}
	t.Logf("%d payloads, %d plays with restarts", len(payloads), plays)
}

// carry brings a payload through the chart and tells everything that is left.
func carry(t *testing.T, d disk, charts *durable.ChartSet, value any, cuts ...cut) (string, int) {
	t.Helper()
	l := &lives{t: t, disk: d}
	var seen string
	l.config = durable.Config{Charts: charts, Performers: performing(func(_ context.Context, c host.Call) host.Outcome {
		body, err := host.Encode(c.Input)
		if err != nil {
			return host.Fail("input", err.Error())
		}
		seen = fmt.Sprintf("the tool saw %T %s\n", c.Input, body)
		return host.Done(c.Input)
	})}
	data := map[string]any{"value": value}
	l.client = func(ctx context.Context, e *durable.Engine) error {
		if _, err := e.Start(ctx, durable.Start{ID: "main", Chart: "main"}); err != nil {
			return err
		}
		for _, name := range []string{"kept", "go"} {
			if _, err := e.Send(ctx, durable.Event{Session: "main", Name: name, ID: name, Data: data}); err != nil {
				return err
			}
		}
		v, err := e.Wait(ctx, "main", durable.End)
		if err == nil && v.Status != durable.Completed {
			err = fmt.Errorf("it is %s: %.1000v", v.Status, v.Data)
		}
		if err != nil {
			return err
		}
		body, err := host.Encode(map[string]any{"data": v.Data[""], "output": v.Output})
		seen += fmt.Sprintf("it keeps %s, and its output is a %T\n", body, v.Output)
		return err
	}
	commits := l.play(cuts...)
	return seen + l.rows, len(commits[0])
}

// What cannot be kept as it is, is refused at the door and not changed (E6).
func TestE6WhatCannotBeKeptIsRefused(t *testing.T) {
	e := open(t, inMemory().open(), durable.Config{Charts: durable.NewCharts(light(t))})
	ctx := within(t)
	_, err := e.Start(ctx, durable.Start{ID: "s", Chart: "light"})
	must(t, err)
	for name, value := range map[string]any{
		"not a number": math.NaN(), "infinity": math.Inf(1), "half a character": "\xed\xa0\x80", "bytes that are no text": "a\xff",
		"NUL":       "a\x00b",
		"a channel": make(chan int), "too deep": deep(40),
	} {
		var known *statechart.Error
		_, err := e.Send(ctx, durable.Event{Session: "s", Name: "go", Data: map[string]any{"value": value}})
		if !errors.As(err, &known) || known.Hint == "" {
			t.Errorf("%s is answered by %v", name, err)
		}
	}
	if v, err := e.Get(ctx, "s"); err != nil || v.Sequence != 1 {
		t.Errorf("the session stands at %d: %v", v.Sequence, err)
	}
}

// A program in Go may hand in its own types. The chart sees JSON of them, at
// once as after a restart.
func TestGoValuesAreJSONAtOnce(t *testing.T) {
	type name string
	for what, value := range map[string]any{
		"an int": 3, "a list of texts": []string{"a"}, "a map of ints": map[string]int{"a": 3}, "a named text": name("x"),
		"a small float": float32(1.5), "a struct": struct {
			A int `json:"a"`
		}{3}, "a nil list": []any(nil), "a nil map": map[string]any(nil), "a list of maps": []map[string]any{{"a": 1}},
	} {
		t.Run(what, func(t *testing.T) {
			for _, by := range []string{"call", "event"} {
				if live, later := heard(t, value, by, false), heard(t, value, by, true); live != later {
					t.Errorf("by a %s: live it is %s, after a restart %s", by, live, later)
				}
			}
		})
	}
}

// heard tells what a session keeps of a value that a performer, or a sender,
// gave it. If it waits, that stood in the store over a restart.
func heard(t *testing.T, value any, by string, waits bool) string {
	t.Helper()
	keep := statechart.Action{Assign: []statechart.Variable{{Name: "got", Value: statechart.Expression("event.data")}}}
	calling := statechart.State{Name: "calling", On: list(on("told", "end", keep))}
	if by == "call" {
		calling.Invoke = calls("call", "tool:x", statechart.Invocation{OnDone: list(on("", "end", keep))})
	}
	chart := compiled(t, statechart.Definition{ID: "c", Root: statechart.State{Initial: "calling", Context: []statechart.Variable{{Name: "got"}}, States: []statechart.State{calling, {Name: "end"}}}})
	var w *simulated
	w = simulate(t, durable.Config{Charts: durable.NewCharts(chart), Performers: performing(func(context.Context, host.Call) host.Outcome {
		_ = w.Sleep(context.Background(), 1000)
		return host.Done(value)
	})}, nil)
	w.start("s", "c")
	w.pass(500)
	if waits {
		w.do(func(ctx context.Context) error { return w.e.Suspend(ctx, "s", durable.Suspension{}) })
	}
	answer := ""
	if by == "event" {
		w.do(func(ctx context.Context) error {
			_, err := w.e.Send(ctx, durable.Event{Session: "s", Name: "told", Data: value})
			if err != nil {
				answer = err.Error()
			}
			return nil
		})
	}
	w.pass(2000)
	if waits {
		w.down(0)
		w.do(func(ctx context.Context) error { return w.e.Resume(ctx, "s", "ann") })
		w.pass(5000)
	}
	v, err := w.e.Get(context.Background(), "s")
	must(t, err)
	body, err := host.Encode(v.Data)
	must(t, err)
	return fmt.Sprintf("%s in %v with %s %s", v.Status, v.Configuration, body, answer)
}
