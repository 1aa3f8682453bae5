package chartfile_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/statechart"
)

// expr is an expression of a definition.
type expr = statechart.Expression

// pair is a file and the definition that says the same in Go.
type pair struct {
	name, document string
	definition     statechart.Definition
}

// one is a chart with one state a, and what the function adds.
func one(more func(d *statechart.Definition)) statechart.Definition {
	d := statechart.Definition{ID: "c", Root: statechart.State{Initial: "a", States: []statechart.State{{Name: "a"}}}}
	more(&d)
	return d
}

const head = "id: c\ninitial: a\n"

var statePairs = []pair{
	{"everything at the root", `
id: c
version: "1.2"
semantics: 1
description: for people
$schema: https://detent.run/chart.schema.json
x-owner: {team: a}
input: {type: object}
events: {GO: {data: {type: string}, from: [model, human]}, STOP: {}}
delays: {short: 500ms, later: "${ wait * 2 }"}
constants: {most: 3}
context: {wait: 10, list: [1, 2.5, true, null, x], nothing: null}
lists: {messages: {}}
unhandled: reject
limits: {microsteps: 10, raised: 9, effects: 8, deferred: 7, fuel: 600, data: 5}
budget: {tokens: 1000, cost: 1.5, time: 1h}
output: {n: "${ wait }"}
type: parallel
states: {a: {}, b: {}}
`, statechart.Definition{
		ID: "c", Version: "1.2", Semantics: 1, Description: "for people", Input: map[string]any{"type": "object"},
		Events: []statechart.EventDeclaration{{Name: "GO", Data: map[string]any{"type": "string"}, From: []string{"model", "human"}}, {Name: "STOP"}},
		Delays: []statechart.Variable{{Name: "short", Value: "500ms"}, {Name: "later", Value: expr("wait * 2")}}, Constants: []statechart.Variable{{Name: "most", Value: int64(3)}},
		Lists: []string{"messages"}, Unhandled: "reject",
		Limits: statechart.Limits{Microsteps: 10, Raised: 9, Effects: 8, Deferred: 7, Fuel: 600, Data: 5},
		Budget: map[string]any{"tokens": int64(1000), "cost": 1.5, "time": "1h"},
		Root: statechart.State{Type: statechart.Parallel, Output: map[string]any{"n": expr("wait")}, States: []statechart.State{{Name: "a"}, {Name: "b"}},
			Context: []statechart.Variable{{Name: "wait", Value: int64(10)}, {Name: "list", Value: []any{int64(1), 2.5, true, nil, "x"}}, {Name: "nothing"}}},
	}},
	{"a state", `
id: c
initial: [a.x.x1, a.y.y2]
context: {total: 0, last_seen: null}
states:
  a:
    type: parallel
    id: me
    description: a state
    tags: [busy, loud]
    meta: {x: ["${ not evaluated }"]}
    context: {n: 1}
    promote: {total: {value: "${ n }", merge: max}, last_seen: {n: "${ n }"}}
    defer: [LATER, "x.*"]
    tools: [search]
    warnAfter: 1m
    on: {LATER: .x.x1, "x.*": {}}
    onDone: end
    states:
      x: {initial: x1, tools: {only: [a, b]}, states: {x1: {}, last: {type: history, history: deep, target: {target: x1, actions: [{log: hi}]}}}}
      y: {initial: {target: y2, actions: [{log: hi}]}, states: {y1: {}, y2: {}}}
  end: {type: final, status: failed, output: "${ total }"}
`, statechart.Definition{ID: "c", Root: statechart.State{
		Initial: "a.x.x1 a.y.y2", Context: []statechart.Variable{{Name: "total", Value: int64(0)}, {Name: "last_seen"}},
		States: []statechart.State{
			{Name: "a", Type: statechart.Parallel, ID: "me", Description: "a state", Tags: []string{"busy", "loud"},
				Meta: map[string]any{"x": []any{"${ not evaluated }"}}, Context: []statechart.Variable{{Name: "n", Value: int64(1)}},
				Promote: []statechart.Promotion{{Variable: "total", Value: expr("n"), Merge: "max"}, {Variable: "last_seen", Value: map[string]any{"n": expr("n")}}}, Defer: []string{"LATER", "x.*"}, Tools: []string{"search"},
				WarnAfter: "1m", On: []statechart.Transition{{Event: "LATER", Target: ".x.x1"}, {Event: "x.*"}}, OnDone: []statechart.Transition{{Target: "end"}},
				States: []statechart.State{
					{Name: "x", Initial: "x1", Tools: []string{"a", "b"}, ToolsOnly: true, States: []statechart.State{{Name: "x1"},
						{Name: "last", Type: statechart.History, History: "deep", Initial: "x1", InitialActions: []statechart.Action{{Log: "hi"}}}}},
					{Name: "y", Initial: "y2", InitialActions: []statechart.Action{{Log: "hi"}}, States: []statechart.State{{Name: "y1"}, {Name: "y2"}}},
				}},
			{Name: "end", Type: statechart.Final, Status: "failed", Output: expr("total")},
		},
	}}},
	{"transitions", head + `
context: {n: 0}
requires: {guards: [ready]}
states:
  a:
    on:
      ONE: b
      TWO: {target: [b], guard: n > 1, reenter: true, description: why, meta: 5}
      THREE: [{target: b, guard: ready}, {guard: {type: ready, params: {least: "${ n }"}}, actions: [{log: no}]}, b]
      FOUR: {}
    always: {target: b, guard: {and: ["n > 1", {or: [{in: b}, {not: n < 5}]}]}}
    after: {1s: b, "${ n * 2 }": {target: b, keep: true}}
    every: {1m: [{actions: [{log: tick}], missed: skip}]}
  b: {}
`, one(func(d *statechart.Definition) {
		d.Root.Context = []statechart.Variable{{Name: "n", Value: int64(0)}}
		d.Root.States = append(d.Root.States, statechart.State{Name: "b"})
		a := &d.Root.States[0]
		log := func(text string) []statechart.Action { return []statechart.Action{{Log: text}} }
		a.On = []statechart.Transition{
			{Event: "ONE", Target: "b"},
			{Event: "TWO", Target: "b", Guard: statechart.Condition{Expression: "n > 1"}, Type: statechart.External, Description: "why", Meta: int64(5)},
			{Event: "THREE", Target: "b", Guard: statechart.When("ready")},
			{Event: "THREE", Guard: statechart.Condition{Name: "ready", Params: map[string]any{"least": expr("n")}}, Actions: log("no")},
			{Event: "THREE", Target: "b"},
			{Event: "FOUR"},
		}
		a.Always = []statechart.Transition{{Target: "b", Guard: statechart.All(statechart.Condition{Expression: "n > 1"},
			statechart.Any(statechart.Condition{In: "b"}, statechart.Not(statechart.Condition{Expression: "n < 5"})))}}
		a.After = []statechart.Timed{{Delay: "1s", Transitions: []statechart.Transition{{Target: "b"}}},
			{Delay: expr("n * 2"), Keep: true, Transitions: []statechart.Transition{{Target: "b"}}}}
		a.Every = []statechart.Timed{{Delay: "1m", Missed: "skip", Transitions: []statechart.Transition{{Actions: log("tick")}}}}
	})},
	{"actions", head + `
context: {n: 0, seen: []}
lists: {messages: {}}
requires: {actions: [cleanUp], performers: [verify]}
delays: {short: 1s}
states:
  a:
    entry:
      - cleanUp
      - {type: cleanUp, params: {all: "${ n > 1 }"}}
      - {assign: {n: "${ n + 1 }", seen: ["${ n }", x]}}
      - {raise: GO, data: {n: "${ n }"}, delay: short, id: "r${ n }"}
      - {send: HI, to: parent, data: 5, delay: "${ n }", id: s}
      - {cancel: s}
      - {append: {messages: {role: user}}}
      - {do: verify, input: 5, mode: reconcile, retry: {max: 3, initial: 1s, on: [rate_limited]}, timeout: short, key: "${ n }", id: d}
      - {emit: DONE, data: "${ n }"}
      - {log: "n is ${ n }", level: warn}
      - {if: n > 1, then: [{log: more}], else: [{log: less}]}
      - {foreach: "${ seen }", as: item, index: i, do: [{log: "${ item }"}]}
    exit: []
    on: {GO: {}}
`, one(func(d *statechart.Definition) {
		d.Root.Context = []statechart.Variable{{Name: "n", Value: int64(0)}, {Name: "seen", Value: []any{}}}
		d.Lists, d.Performers = []string{"messages"}, []string{"verify"}
		d.Delays = []statechart.Variable{{Name: "short", Value: "1s"}}
		a := &d.Root.States[0]
		a.On = []statechart.Transition{{Event: "GO"}}
		a.Entry = []statechart.Action{
			{Call: "cleanUp"},
			{Call: "cleanUp", Params: map[string]any{"all": expr("n > 1")}},
			{Assign: []statechart.Variable{{Name: "n", Value: expr("n + 1")}, {Name: "seen", Value: []any{expr("n"), "x"}}}},
			{Raise: "GO", Data: map[string]any{"n": expr("n")}, Delay: "short", ID: expr(`text("r", n)`)},
			{Send: "HI", To: "parent", Data: int64(5), Delay: expr("n"), ID: "s"},
			{Cancel: "s"},
			{Append: "messages", Data: map[string]any{"role": "user"}},
			{Do: &statechart.Invocation{Src: "verify", Input: int64(5), Mode: "reconcile", Timeout: "short", Key: expr("n"), ID: "d",
				Retry: map[string]any{"max": int64(3), "initial": "1s", "on": []any{"rate_limited"}}}},
			{Emit: "DONE", Data: expr("n")},
			{Log: expr(`text("n is ", n)`), Level: "warn"},
			{If: &statechart.Condition{Expression: "n > 1"}, Then: []statechart.Action{{Log: "more"}}, Else: []statechart.Action{{Log: "less"}}},
			{Foreach: expr("seen"), As: "item", Index: "i", Then: []statechart.Action{{Log: expr("item")}}},
		}
	})},
	{"calls", head + `
context: {n: 0}
events: {GO: {from: [model]}, go.on.now: {from: [model]}}
states:
  a:
    invoke:
      - id: x
        src: tool:${ "se" + "arch" }
        input: {q: "${ n }", type: n/a}
        mode: at_most_once
        timeout: 30s
        heartbeat: "${ n }"
        retry: {max: 2}
        key: "${ n }"
        approval: {who: [ann, bob], question: may I?, deadline: 1d}
        onDone: b
        onError: [{target: b, guard: "event.error.code == 'x'"}, b]
        onUnknown: {actions: [{log: who knows}]}
        onProgress: {}
      - {src: "decide:small", choices: [GO, go.on.now]}
      - {src: "model:large", input: {prompt: go, output: {type: object, properties: {n: {type: integer}}, required: [n]}}}
    on: {GO: {}, "go.*": {}}
  b: {}
`, one(func(d *statechart.Definition) {
		d.Root.Context = []statechart.Variable{{Name: "n", Value: int64(0)}}
		d.Root.States = append(d.Root.States, statechart.State{Name: "b"})
		a := &d.Root.States[0]
		a.On = []statechart.Transition{{Event: "GO"}, {Event: "go.*"}}
		d.Events = []statechart.EventDeclaration{{Name: "GO", From: []string{"model"}}, {Name: "go.on.now", From: []string{"model"}}}
		schema := map[string]any{"type": "object", "properties": map[string]any{"n": map[string]any{"type": "integer"}}, "required": []any{"n"}}
		a.Invoke = []statechart.Invocation{
			{ID: "x", Src: expr(`text("tool:", "se" + "arch")`), Input: map[string]any{"q": expr("n"), "type": "n/a"}, Mode: "at_most_once", Timeout: "30s",
				Heartbeat: expr("n"), Retry: map[string]any{"max": int64(2)}, Key: expr("n"),
				Approval:  map[string]any{"who": []any{"ann", "bob"}, "question": "may I?", "deadline": "1d"},
				OnDone:    []statechart.Transition{{Target: "b"}},
				OnError:   []statechart.Transition{{Target: "b", Guard: statechart.Condition{Expression: "event.error.code == 'x'"}}, {Target: "b"}},
				OnUnknown: []statechart.Transition{{Actions: []statechart.Action{{Log: "who knows"}}}}, OnProgress: []statechart.Transition{{}}},
			{Src: "decide:small", Choices: []string{"GO", "go.on.now"}},
			{Src: "model:large", Input: map[string]any{"prompt": "go", "output": schema}},
		}
	})},
}

// standIns is a registry with the names that the pairs require.
func standIns() *statechart.Registry {
	r := chartfile.Behaviour()
	r.Guard("ready", func(*statechart.Scope) (bool, error) { return true, nil })
	r.Action("cleanUp", func(*statechart.Scope) error { return nil })
	r.Performer("verify")
	return r
}

// A file and a definition in Go that say the same are the same chart.
func TestFileAndDefinitionAreOneChart(t *testing.T) {
	for _, p := range statePairs {
		t.Run(p.name, func(t *testing.T) {
			f, found := chartfile.Read("chart.yaml", []byte(p.document))
			if len(found) > 0 {
				t.Fatalf("reading says\n%v", found)
			}
			got, want := text(t, f.Definition), text(t, p.definition)
			if got != want {
				t.Errorf("the file is\n%s\nnot\n%s", got, want)
			}
			file, found := f.Compile(standIns())
			if len(found) > 0 {
				t.Fatalf("compiling says\n%v", found)
			}
			code, err := statechart.Compile(p.definition, standIns())
			if err != nil {
				t.Fatal(err)
			}
			if file.Digest() != code.Digest() {
				t.Errorf("the digests differ: %s and %s", file.Digest(), code.Digest())
			}
		})
	}
}

// The whole example of the format is a chart.
func TestWholeExample(t *testing.T) {
	document, err := os.ReadFile("testdata/collections.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if found := chartfile.Check("collections.yaml", document); len(found) > 0 {
		t.Error(found)
	}
}

func text(t *testing.T, d statechart.Definition) string {
	t.Helper()
	b, err := d.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// What a text in a value position is.
func TestValueTexts(t *testing.T) {
	for _, c := range []struct {
		name, value string // as YAML
		want        any
	}{
		{"plain text", `hello`, "hello"},
		{"text of several words with a variable in it", `the plan is good`, "the plan is good"},
		{"a word that is no variable", `customers`, "customers"},
		{"an expression without names", `1 + 2`, "1 + 2"},
		{"a date", `"2026-11-30"`, "2026-11-30"},
		{"a name of the language alone", `event`, "event"},
		{"white space", `"  "`, "  "},
		{"nothing", `""`, ""},
		{"one expression", `"${ plan }"`, expr("plan")},
		{"white space around it", `"  ${ plan }\n"`, expr("plan")},
		{"white space in it", `"${plan}"`, expr("plan")},
		{"braces in it", `"${ {a: {b: plan}}.a.b }"`, expr("{a: {b: plan}}.a.b")},
		{"a closing brace in a text in it", `"${ plan + '}' }"`, expr("plan + '}'")},
		{"text around it", `"a ${ plan } b"`, expr(`text("a ", plan, " b")`)},
		{"two", `"${ plan }${ size }"`, expr(`text(plan, size)`)},
		{"two with white space between", `"${ plan } ${ size }"`, expr(`text(plan, " ", size)`)},
		{"white space before two", `" ${ plan } ${ size }"`, expr(`text(" ", plan, " ", size)`)},
		{"quotes and line ends", `"say \"${ plan }\"\n\\"`, expr(`text("say \"", plan, "\"\n\\")`)},
		{"escaped braces", `"a $${ plan }"`, "a ${ plan }"},
		{"escaped braces alone", `"$${ plan }"`, "${ plan }"},
		{"escaped braces beside others", `"$${ ${ plan }"`, expr(`text("${ ", plan)`)},
		{"a dollar", `"$5 and $"`, "$5 and $"},
		{"two parts with a semicolon", `"a ${ let x = plan; x }"`, expr(`text("a ", (let x = plan; x))`)},
		{"text that is meant", `{text: plan}`, "plan"},
		{"an object with a text", `{text: hello}`, map[string]any{"text": "hello"}},
		{"an object with an expression", `{text: "${ plan }"}`, map[string]any{"text": expr("plan")}},
		{"an object with a text and more", `{text: hello, more: 1}`, map[string]any{"text": "hello", "more": int64(1)}},
		{"an object around text that is meant", `{text: {text: plan}}`, map[string]any{"text": "plan"}},
		{"in a list", `["${ plan }", {text: "size + 1"}, 5]`, []any{expr("plan"), "size + 1", int64(5)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			document := head + "context: {plan: null, size: 0}\nstates: {a: {entry: [{log: " + c.value + "}]}}\n"
			f, found := chartfile.Read("chart.yaml", []byte(document))
			if len(found) > 0 {
				t.Fatalf("%s\nsays\n%v", document, found)
			}
			if got := f.Definition.Root.States[0].Entry[0].Log; !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s is %#v, not %#v", c.value, got, c.want)
			}
			if _, found := f.Compile(nil); len(found) > 0 {
				t.Errorf("compiling says\n%v", found)
			}
		})
	}
}

// A text may be as long as a file; with ${…} in it, it has a bound of its own,
// above that of an expression.
func TestLongTexts(t *testing.T) {
	long := strings.Repeat("x", 70_000)
	chart := func(constants, prompt string) []byte {
		return []byte(head + "constants: {" + constants + "}\ncontext: {n: 1}\nstates: {a: {entry: [{log: \"" + prompt + "\"}]}}\n")
	}
	if found := chartfile.Check("chart.yaml", chart("", long)); len(found) > 0 {
		t.Errorf("long text: %v", found)
	}
	if found := chartfile.Check("chart.yaml", chart("intro: "+long, "${ intro } ${ n }")); len(found) > 0 {
		t.Errorf("long text in a constant: %v", found)
	}
	prompt := strings.Repeat("wörd \\\\ ", 6_000) + "${ n }" + strings.Repeat("$${", 100)
	if found := chartfile.Check("chart.yaml", chart("", prompt)); len(found) > 0 {
		t.Errorf("long prompt with an expression: %v", found)
	}
	want := "chart.yaml:5:28: a text with ${…} is longer than 65536 bytes (put the long part into a constant and write ${ its name }) [limit]"
	if found := chartfile.Check("chart.yaml", chart("", long+" ${ n }")); found.Error() != want {
		t.Errorf("long text with an expression: %v", found)
	}
}

// Two wrong expressions cannot make a right one.
func TestPartsOfATextStandAlone(t *testing.T) {
	document := head + "context: {n: 1}\nstates: {a: {entry: [{log: \"x${ n) + text(n }\"}]}}\n"
	found := chartfile.Check("chart.yaml", []byte(document))
	if len(found) != 1 || found[0].Code != statechart.CodeExpression {
		t.Errorf("%s\nsays\n%v", document, found)
	}
}

// Sources of a kind are the host's; those that Go code registers are checked.
func TestRequiredPerformers(t *testing.T) {
	document := []byte(head + `
requires: {performers: [verify]}
states:
  a: {invoke: [{src: verify}, {src: "tool:search"}]}
`)
	if _, err := chartfile.Load("chart.yaml", document, standIns()); err != nil {
		t.Errorf("with the performer: %v", err)
	}
	_, err := chartfile.Load("chart.yaml", document, chartfile.Behaviour())
	want := "chart.yaml:4:25: the performer \"verify\" is not registered (register it in Go before the file is loaded) [unknown_source]\n" +
		"chart.yaml:6:22: the performer \"verify\" is not registered (register it in Go before the file is loaded) [unknown_source]"
	if err == nil || err.Error() != want {
		t.Errorf("without the performer: %v\nnot\n%s", err, want)
	}
}

// A file that a program loads without its functions says so at the lines
// that need them.
func TestRegisteredNamesAreMissing(t *testing.T) {
	document := []byte(head + `
requires: {guards: [ready], actions: [cleanUp]}
states:
  a: {entry: [cleanUp], on: {GO: {target: a, guard: ready}}}
`)
	_, err := chartfile.Load("chart.yaml", document, chartfile.Behaviour())
	want := "chart.yaml:6:15: the action \"cleanUp\" is not registered (register it in Go before the file is loaded) [unknown_action]\n" +
		"chart.yaml:6:53: the guard \"ready\" is not registered (register it in Go before the file is loaded) [unknown_guard]"
	if err == nil || err.Error() != want {
		t.Errorf("%v\nnot\n%s", err, want)
	}
}
