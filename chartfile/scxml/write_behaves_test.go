package scxml_test

import (
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/chartfile/scxml"
	"github.com/detent-run/detent/internal/world"
	"github.com/detent-run/detent/statechart"
)

// What random charts seldom do: each chart logs the same as the document that
// it is written as, and what it should.
func TestWriteBehaves(t *testing.T) {
	for _, c := range []struct {
		name, chart, events, want string
	}{
		{"a first value that fails leaves null", `
context: {n: 1}
on: {error.execution: {actions: [{log: error}]}}
initial: a
states:
  a: {on: {next: b}}
  b: {context: {v: "${ 1 % n }", w: "${ n }"}, entry: [{log: "${ [v, w] }"}], on: {next: {target: a, actions: [{assign: {n: 0}}]}}}
`, "next next next", `[0,1] [null,0] "error"`},
		{"variables begin anew", `
initial: a
states:
  a: {context: {tries: 0}, entry: [{assign: {tries: "${ tries + 1 }"}}, {log: "${ tries }"}], on: {next: {target: a, reenter: true}}}
`, "next next", `1 1 1`},
		{"the history of regions without a default", `
initial: p
states:
  p:
    type: parallel
    states: {h: {type: history, history: deep}, x: {initial: a, states: {a: {on: {next: b}}, b: {}}}, y: {initial: c, states: {c: {}}}}
    on: {leave: out}
  out: {entry: [{log: out}], on: {back: p.h, fresh: {target: p.h}}}
on: {look: {actions: [{log: "${ active('p.x.b') }"}]}}
`, "next leave back look", `"out" true`},
		{"names that begin alike", `
initial: a
states:
  a:
    on:
      "*": {actions: [{log: "any"}]}
      door: {actions: [{log: "${ 'door' + event.type }"}]}
      door.open: {guard: "event.type == ''", actions: [{log: never}]}
      door.*: {actions: [{log: prefix}]}
      fail: {actions: [{log: "${ 1 % 0 }"}]}
    initial: x
    states: {x: {on: {end: y}}, y: {type: final}}
`, "door door.open door.shut window fail end", `"doordoor" "prefix" "prefix" "any"`},
		{"values are put aside", `
context: {a: 1, b: 2, assigned: 3}
on: {error.execution: {actions: [{log: "${ [a, b, assigned] }"}]}}
initial: s
states:
  s:
    on:
      swap: {actions: [{assign: {a: "${ b }", b: "${ a }", assigned: 4}}, {log: "${ [a, b, assigned] }"}]}
      half: {actions: [{assign: {a: "${ 9 }", b: "${ 1 % 0 }"}}]}
`, "swap half", `[2,1,4] [2,1,4]`},
		{"a restart stays in its state", `
initial: s
states:
  s:
    entry: [{log: in}]
    exit: [{log: out}]
    initial: x
    on: {again: s, anew: {target: s, reenter: true}, y: .y}
    states: {x: {entry: [{log: x}]}, y: {}}
`, "y again anew", `"in" "x" "x" "out" "in" "x"`},
		{"one name in several states", `
context: {n_2: 5}
initial: p
states:
  p:
    type: parallel
    on: {look: {actions: [{foreach: "${ [7] }", as: item, index: k, do: [{log: "${ [item, k, n_2] }"}]}]}}
    states:
      a: {context: {n: 1, k: 0}, on: {add: {actions: [{assign: {n: "${ n + 1 }"}}, {log: "${ {n: n, k: k} }"}]}}}
      b: {context: {n: 10}, on: {add: {actions: [{assign: {n: "${ n + 1 }", n_2: "${ n + n_2 }"}}, {log: "${ text('n is ', n) }"}, {log: "${ filter([{n: 11}], .n == n) }"}]}}}
`, "add look", `{"k":0,"n":2} "n is 11" [{"n":11}] [7,0,15]`},
		{"an input with the name of a variable", `
input: {type: object, properties: {plan: {}, other: {}}}
context: {plan: [1], other: "${ input.other ?? 'none' }", more: "${ len(plan) }"}
initial: a
states: {a: {entry: [{log: "${ [plan, other, more] }"}]}}
`, "", `[[1],"given",1]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			file, found := chartfile.Read("c.yaml", []byte("id: c\n"+strings.TrimPrefix(c.chart, "\n")))
			if len(found) > 0 {
				t.Fatal(found)
			}
			own, found := file.Compile(nil)
			if found.Errors() {
				t.Fatal(found)
			}
			text, err := scxml.Write(file.Definition, scxml.WriteOptions{})
			if err != nil {
				t.Fatal(err)
			}
			_, written, err := scxml.Load("c.scxml", text, scxml.Options{})
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			for name, chart := range map[string]*statechart.Chart{"the chart": own, "the document": written} {
				w := world.New(world.Options{})
				if _, err := w.Start(session, chart, map[string]any{"plan": "taken", "other": "given"}); err != nil {
					t.Fatal(err)
				}
				rest(t, w)
				send(t, w, strings.Fields(c.events)...)
				if got := logged(t, w); got != c.want {
					t.Errorf("%s logs\n%s\nnot\n%s\n%s", name, got, c.want, text)
				}
			}
		})
	}
}

// A definition that nobody read may say things in ways that Read does not.
func TestWriteDefinitions(t *testing.T) {
	x := statechart.Expression("x")
	for _, c := range []struct {
		name string
		act  action
		want string
	}{
		{"one parameter in a list", action{Send: "e", Data: map[string]any{"a": []any{x}}}, `<content expr="{a: [x]}"/>`},
		{"two parameters", action{Send: "e", Data: map[string]any{"a": []any{x, x}}}, `<param name="a" expr="x"/>` + "\n        " + `<param name="a" expr="x"/>`},
		{"a list in a parameter", action{Send: "e", Data: map[string]any{"a": []any{x, []any{x}}}}, `<content expr="{a: [x, [x]]}"/>`},
		{"an object", action{Send: "e", Data: map[string]any{"a": int64(1), "b": 2.0}}, `<content>{"a": 1, "b": 2.0}</content>`},
		{"text with space", action{Send: "e", Data: " a"}, `<content>" a"</content>`},
		{"text like a number", action{Send: "e", Data: "12"}, `<content>"12"</content>`},
		{"text with signs", action{Send: "e", Data: "a <b> & c"}, `<content>a &lt;b&gt; &amp; c</content>`},
		{"a raise with data", action{Raise: "e", Data: x}, `<send event="e" target="#_internal">`},
		{"a raise that waits", action{Raise: "e", Delay: int64(5), ID: "i"}, `<send event="e" id="i" delay="5ms"/>`},
		{"a computed raise", action{Raise: x}, `<send eventexpr="x" target="#_internal"/>`},
		{"a computed cancel", action{Cancel: x}, `<cancel sendidexpr="x"/>`},
		{"quotes", action{Log: statechart.Expression(`"it's" < "<" & 1`)}, `<log expr="&quot;it's&quot; &lt; &quot;&lt;&quot; &amp; 1"/>`},
		{"double quotes alone", action{Log: statechart.Expression(`"a" > b`)}, `<log expr='"a" > b'/>`},
		{"a number", action{Log: 3}, `<log expr="3"/>`},
		{"joined conditions", action{If: &statechart.Condition{Or: []statechart.Condition{{In: "s"}, {Expression: "a or b"}, statechart.Not(statechart.Condition{Expression: "c"})}}},
			`<if cond="In('s') or (a or b) or not (c)"/>`},
		{"a program", action{Script: "if (a < b) { c() }"}, "<script><![CDATA[if (a < b) { c() }]]></script>"},
		{"a failure", action{Fail: "it rains"}, `<send type="it rains"/>`},
	} {
		def := statechart.Definition{ID: "c", Dialect: "scxml", Root: state{Initial: "s", States: []state{{Name: "s", ID: "s", Entry: []action{c.act}}}}}
		text, err := scxml.Write(def, scxml.WriteOptions{DataModel: "detent"})
		if err != nil || !strings.Contains(string(text), c.want) {
			t.Errorf("%s: %v\n%s\nhas no %s", c.name, err, text, c.want)
		}
	}
}

// Remarks are for the one who converts; a document needs none.
func TestRemarks(t *testing.T) {
	quiet := chart(state{})
	if got := scxml.Remarks(quiet); len(got) != 1 || !strings.HasPrefix(got[0], "An event that the chart does not name is refused") {
		t.Errorf("of a quiet chart: %q", got)
	}
	quiet.Dialect = "scxml"
	if got := scxml.Remarks(quiet); got != nil {
		t.Errorf("of a document: %q", got)
	}
	loud := acts(action{Log: statechart.Expression("1 % 0")})
	if got := strings.Join(scxml.Remarks(loud), "\n"); !strings.Contains(got, "An error event that nothing takes") {
		t.Errorf("of a chart that can fail: %s", got)
	}
	loud.Root.On = []move{{Event: "error.*"}}
	if got := strings.Join(scxml.Remarks(loud), "\n"); strings.Contains(got, "An error event that nothing takes") {
		t.Errorf("of one that takes its errors: %s", got)
	}
}
