package xstate_test

import (
	"reflect"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/chartfile/xstate"
	"github.com/detent-run/detent/statechart"
)

// What XState writes and what a chart file says instead.
var same = []struct{ name, machine, chart string }{
	{"a target, an object, a list of candidates", `{"id": "m", "initial": "a", "states": {
		"a": {"on": {"E": "b", "F": {"target": "#m.b.c"}, "G": [{"target": ["b"], "guard": "ready"}, "a"]}},
		"b": {"initial": "c", "on": {"E": ".c"}, "states": {"c": {"on": {"E": {"target": "c", "reenter": true}}}}}}}`,
		`{id: m, initial: a, requires: {guards: [ready]}, states: {
		a: {on: {E: b, F: {target: "#m.b.c"}, G: [{target: b, guard: ready}, a]}},
		b: {initial: c, on: {E: .c}, states: {c: {on: {E: {target: c, reenter: true}}}}}}}`},
	{"no target, in each way", `{"id": "m", "on": {"A": "", "B": {"target": null}, "C": {"target": "", "actions": "x"}, "D": {"actions": ["x"]}}}`,
		`{id: m, requires: {actions: [x]}, on: {A: {}, B: {}, C: {actions: [x]}, D: {actions: [x]}}}`},
	{"an empty list is nothing, {} and null forbid", `{"id": "m", "initial": "a", "on": {"E": [], "F": ".a"}, "states": {"a": {"on": {"E": {}, "F": null, "G": [null]}, "always": [], "after": {"5": []}, "onDone": []}}}`,
		`{id: m, initial: a, on: {F: .a}, states: {a: {on: {E: {}, F: {}, G: [{}]}, after: {}}}}`},
	{"delays in milliseconds", `{"id": "m", "initial": "a", "states": {"b": {}, "a": {"after": {"1.5": "b", "500": "b", "900000": "b", "0": "b"}}}}`,
		`{id: m, initial: a, states: {b: {}, a: {after: {0ms: b, 500ms: b, 15m: b, 1.5ms: b}}}}`},
	{"delays as JavaScript reads numbers", `{"id": "m", "initial": "a", "states": {"b": {}, "a": {"after": {"0x10": "b", " 20 ": "b", "1e3": "b", "-5": "b", ".5": "b"}}}}`,
		`{id: m, initial: a, states: {b: {}, a: {after: {16ms: b, 20ms: b, 1s: b, -5ms: b, 0.5ms: b}}}}`},
	{"named delays", `{"id": "m", "initial": "a", "states": {"a": {"after": {"SLOW": "a", "FAST": "a"}}}, "meta": {"detent": {"delays": {"SLOW": "30s", "FAST": 20}}}}`,
		`{id: m, initial: a, delays: {SLOW: 30s, FAST: 20ms}, states: {a: {after: {SLOW: a, FAST: a}}}}`},
	{"computed delays", `{"id": "m", "initial": "a", "context": {"n": 2}, "states": {"a": {"after": {"BACKOFF": "a"}}}, "meta": {"detent": {"after": {"BACKOFF": "${ n * 500 }"}}}}`,
		`{id: m, initial: a, context: {n: 2}, states: {a: {after: {"${ n * 500 }": a}}}}`},
	{"children with numbers come first", `{"id": "m", "type": "parallel", "states": {"b": {}, "10": {}, "9": {}, "a": {}, "01": {}}}`,
		`{id: m, type: parallel, states: {"9": {}, "10": {}, b: {}, a: {}, "01": {}}}`},
	{"history", `{"id": "m", "initial": "a", "states": {"a": {"initial": "x", "states": {"x": {}, "h": {"history": true}, "s": {"type": "history", "target": "x"}, "d": {"history": "deep", "target": ["#m.a.x"]}, "n": {"type": "history", "history": false, "target": null}}}}}`,
		`{id: m, initial: a, states: {a: {initial: x, states: {x: {}, h: {type: history, history: shallow}, s: {type: history, target: x}, d: {type: history, history: deep, target: "#m.a.x"}, n: {type: history}}}}}`},
	{"an initial with actions", `{"id": "m", "initial": {"target": "a", "actions": ["x", {"type": "y", "params": {"n": 1}}]}, "states": {"a": {}}}`,
		`{id: m, requires: {actions: [x, y]}, initial: {target: a, actions: [x, {type: y, params: {n: 1}}]}, states: {a: {}}}`},
	{"one action needs no list", `{"id": "m", "entry": "x", "exit": {"type": "x"}, "on": {"E": {"actions": "y"}}}`,
		`{id: m, requires: {actions: [x, y]}, entry: [x], exit: [{type: x}], on: {E: {actions: [y]}}}`},
	{"guards by name and with params", `{"id": "m", "context": {"ready": true}, "on": {"E": {"guard": "ready"}, "F": {"guard": {"type": "atLeast", "params": {"min": 3, "of": ["${ x }"]}}}}}`,
		`{id: m, context: {ready: true}, requires: {guards: [ready, atLeast]}, on: {E: {guard: {type: ready}}, F: {guard: {type: atLeast, params: {min: 3, of: ["$${ x }"]}}}}}`},
	{"combined guards", `{"id": "m", "initial": "a", "states": {"a": {"on": {"E": {"guard": {"and": ["p", {"or": [{"not": "q"}, {"stateIn": "#m.a"}]}]}}}}}}`,
		`{id: m, initial: a, requires: {guards: [p, q]}, states: {a: {on: {E: {guard: {and: [p, {or: [{not: q}, {in: "#m.a"}]}]}}}}}}`},
	{"actions of the oracle", `{"id": "m", "entry": [{"raise": {"type": "P", "n": ["${ x }"]}, "delay": 5, "id": "p"}, {"raise": "Q"}, {"send": {"type": "S"}, "to": "kid", "delay": "20"}, {"emit": {"type": "bye"}}, {"cancel": "p"}, {"log": {"x": "${ n }"}}, {"if": "g", "then": ["a"], "else": "b"}, {"if": {"not": "g"}, "else": "b"}]}`,
		`{id: m, requires: {guards: [g], actions: [a, b]}, entry: [{raise: P, data: {n: ["$${ x }"]}, delay: 5ms, id: p}, {raise: Q}, {send: S, to: kid, delay: 20ms}, {emit: bye}, {cancel: p}, {log: {x: "$${ n }"}}, {if: g, then: [a], else: [b]}, {if: {not: g}, then: [], else: [b]}]}`},
	{"texts are texts", `{"id": "m", "context": {"n": 1, "a": "n", "b": "${ n }", "c": {"text": "n"}, "d": ["$${ x"]}, "output": "event.x", "initial": "f", "states": {"f": {"type": "final", "output": {"n": "n + 1"}}}}`,
		`{id: m, context: {n: 1, a: {text: n}, b: "$${ n }", c: {text: {text: n}}, d: ["$$${ x"]}, output: {text: event.x}, initial: f, states: {f: {type: final, output: {n: {text: n + 1}}}}}`},
	{"receivers by the ids of XState", `{"id": "m", "initial": "a", "states": {"a": {"invoke": {"src": "s"}, "entry": [{"send": "E", "to": "0.m.a"}, {"send": "E", "to": "parent"}]}}}`,
		`{id: m, initial: a, requires: {performers: [s]}, states: {a: {invoke: {src: s}, entry: [{send: E, to: "a:0"}, {send: E, to: parent}]}}}`},
	{"calls", `{"id": "m", "initial": "a", "states": {"a": {"invoke": [{"src": "fetch", "input": {"q": "${ x }"}, "onDone": "b", "onError": [{"target": "b", "actions": "x"}]}, {"id": "ask", "src": "model:default"}]}, "b": {"invoke": {"src": "tool:x"}}}}`,
		`{id: m, initial: a, requires: {performers: [fetch], actions: [x]}, states: {a: {invoke: [{src: fetch, input: {q: "$${ x }"}, onDone: b, onError: [{target: b, actions: [x]}]}, {id: ask, src: "model:default"}]}, b: {invoke: {src: "tool:x"}}}}`},
	{"XState's own events", `{"id": "m", "initial": "p", "on": {"xstate.done.state.m.p.q": ".p", "xstate.done.actor.0.m.p.q": ".p", "xstate.error.actor.kid": ".p", "xstate.snapshot.kid": ".p", "xstate.after.20.m.p.q": ".p", "xstate.after.SLOW.own": ".p"},
		"states": {"p": {"initial": "q", "states": {"q": {"invoke": [{"src": "s"}, {"id": "kid", "src": "s"}], "after": {"SOON": "r", "20": "r", "5": []}}, "r": {"id": "own", "after": {"SLOW": "q"}}}}}, "meta": {"detent": {"delays": {"SLOW": "1s", "SOON": "10ms"}}}}`,
		`{id: m, initial: p, delays: {SLOW: 1s, SOON: 10ms}, requires: {performers: [s]}, on: {done.state.m.p.q: .p, "done.invoke.p.q:0": .p, error.invoke.kid: .p, progress.invoke.kid: .p, "after.p.q:0": .p, "after.p.r:0": .p},
		states: {p: {initial: q, states: {q: {invoke: [{src: s}, {id: kid, src: s}], after: {20ms: r, SOON: r}}, r: {id: own, after: {SLOW: q}}}}}}`},
	{"descriptors with stars", `{"id": "m", "on": {"*": {"actions": "x"}, "job.*": {}, "xstate.done.*": {"actions": "y"}, "xstate.error.*": {}, "xstate.after.*": {}, "xstate.done.state.m": {}}}`,
		`{id: m, requires: {actions: [x, y]}, on: {"*": {actions: [x]}, "job.*": {}, "done.state.*": {actions: [y]}, "done.invoke.*": {actions: [y]}, "error.invoke.*": {}, "after.*": {}, done.state.m: {}}}`},
	{"descriptors that become one", `{"id": "m", "on": {"xstate.done.*": {"actions": "x"}, "xstate.done.state.*": [{"guard": "g"}], "xstate.done.state.m": {}}}`,
		`{id: m, requires: {guards: [g], actions: [x]}, on: {"done.state.*": [{guard: g}, {actions: [x]}], "done.invoke.*": {actions: [x]}, done.state.m: {}}}`},
	{"what is carried", `{"id": "m", "version": "2", "description": "d", "tags": "t", "meta": {"k": [1]}, "initial": "a", "states": {"a": {"tags": ["u", "v"], "description": "e", "meta": "m", "on": {"E": {"description": "f", "meta": {"x": 1}}}}}}`,
		`{id: m, version: "2", description: d, tags: [t], meta: {k: [1]}, initial: a, states: {a: {tags: [u, v], description: e, meta: m, on: {E: {description: f, meta: {x: 1}}}}}}`},
	{"a bound of steps", `{"id": "m", "options": {"maxIterations": 50}}`, `{id: m, limits: {microsteps: 50}}`},
	{"names that meta explains", `{"id": "m", "context": {"n": 0, "l": null}, "on": {"E": [{"guard": "few", "actions": ["count", "go"]}, {"guard": {"type": "many"}, "actions": {"type": "count"}}]}, "meta": {"x": 1, "detent": {
		"requires": {"guards": ["big"]}, "guards": {"few": "n < 3", "many": {"and": ["big", "n > 3"]}}, "actions": {"count": {"assign": {"n": "${ n + 1 }"}}, "go": [{"raise": "A"}, {"raise": "B"}]}}}}`,
		`{id: m, context: {n: 0, l: null}, requires: {guards: [big]}, meta: {x: 1}, on: {E: [{guard: n < 3, actions: [{assign: {n: "${ n + 1 }"}}, {raise: A}, {raise: B}]}, {guard: {and: [big, "n > 3"]}, actions: [{assign: {n: "${ n + 1 }"}}]}]}}`},
	{"what only charts have", `{"id": "m", "context": {"who": null, "n": 1}, "initial": "a", "states": {"a": {"after": {"5": {"meta": {"detent": {"keep": true}}}}, "invoke": {"src": "model:x", "onDone": "b"}, "meta": {"detent": {"context": {"k": "${ n }"}, "promote": {"n": "${ k }"}, "defer": ["E"], "tools": ["t"], "every": {"5s": {}}, "warnAfter": "9s",
		"invoke": [{"timeout": "30s", "input": {"q": "${ who }"}, "onUnknown": "b"}]}}}, "b": {"type": "final", "meta": {"detent": {"status": "failed", "output": "${ n }"}}}},
		"meta": {"detent": {"input": {"type": "object"}, "events": {"E": {"from": ["client"]}}, "constants": {"c": 1}, "lists": {"l": {}}, "unhandled": "reject", "limits": {"raised": 5}, "budget": {"calls": 9}, "semantics": 1, "context": {"who": "${ input.who }"}, "output": "${ n }"}}}`,
		`{id: m, semantics: 1, input: {type: object}, events: {E: {from: [client]}}, constants: {c: 1}, lists: {l: {}}, unhandled: reject, limits: {raised: 5}, budget: {calls: 9}, context: {who: "${ input.who }", n: 1}, output: "${ n }", initial: a, states: {
		a: {after: {5ms: {keep: true}}, invoke: {src: "model:x", timeout: 30s, input: {q: "${ who }"}, onDone: b, onUnknown: b}, context: {k: "${ n }"}, promote: {n: "${ k }"}, defer: [E], tools: [t], every: {5s: {}}, warnAfter: 9s},
		b: {type: final, status: failed, output: "${ n }"}}}`},
}

// A machine of XState is the chart that a chart file would say.
func TestReadsAsAChartFileDoes(t *testing.T) {
	for _, c := range same {
		t.Run(c.name, func(t *testing.T) {
			got := read(t, c.machine)
			want, found := chartfile.Read("chart.yaml", []byte(c.chart))
			if found.Errors() {
				t.Fatal(found)
			}
			if !reflect.DeepEqual(tidy(got.Definition), tidy(want.Definition)) {
				t.Errorf("it reads\n%s\nnot\n%s", written(t, got.Definition), written(t, want.Definition))
			}
			if _, found := got.Compile(nil); found.Errors() {
				t.Error(found)
			}
		})
	}
}

// read reads a machine of which nothing is refused.
func read(t *testing.T, machine string) *chartfile.File {
	t.Helper()
	file, found := xstate.Read("machine.json", []byte(machine))
	if found.Errors() {
		t.Fatal(found)
	}
	return file
}

func written(t *testing.T, def statechart.Definition) string {
	t.Helper()
	text, err := chartfile.Write(def, chartfile.YAML)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// tidy makes nothing of empty lists: they say the same.
func tidy(def statechart.Definition) statechart.Definition {
	text, err := chartfile.Write(def, chartfile.JSON)
	if err != nil {
		panic(err)
	}
	file, _ := chartfile.Read("chart.json", text)
	return file.Definition
}

// A name that Go does not register is refused where it stands.
func TestNamesAreNeverSkipped(t *testing.T) {
	file := read(t, `{"id": "m", "initial": "a", "states": {
 "a": {"entry": "x", "on": {"E": {"guard": "g", "target": "a"}}, "invoke": {"src": "s"}}}}`)
	_, found := file.Compile(chartfile.Behaviour())
	want := `machine.json:2:17: the action "x" is not registered (register it in Go before the file is loaded) [unknown_action]
machine.json:2:35: the guard "g" is not registered (register it in Go before the file is loaded) [unknown_guard]
machine.json:2:84: the performer "s" is not registered (register it in Go before the file is loaded) [unknown_source]`
	if got := found.Error(); got != want {
		t.Errorf("it says\n%s\nnot\n%s", got, want)
	}
}
