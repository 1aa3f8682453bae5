package xstate_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/chartfile/xstate"
	"github.com/detent-run/detent/statechart"
)

// What XState cannot say is refused, each with its place and a hint.
func TestModuleRefuses(t *testing.T) {
	for _, c := range []struct{ name, chart, want string }{
		{"an event of XState's", `{initial: a, states: {a: {on: {xstate.stop: a}}}}`, "root.states.a.on[0].event: XState keeps names such as \"xstate.stop\" to itself"},
		{"raising one", `{initial: a, states: {a: {entry: [{raise: xstate.init}]}}}`, "root.states.a.entry[0]: XState keeps names such as \"xstate.init\" to itself"},
		{"deferral", `{initial: a, states: {a: {defer: [E], on: {E: a}}}}`, "root.states.a.defer: XState does not defer events"},
		{"unhandled", `{unhandled: reject, initial: a, states: {a: {}}}`, "unhandled: XState ignores events that nothing takes, and cannot reject them"},
		{"budget", `{budget: {calls: 3}, initial: a, states: {a: {}}}`, "budget: XState has no budget"},
		{"lists", `{lists: {rows: {}}, initial: a, states: {a: {entry: [{append: {rows: 1}}]}}}`, "root.states.a.entry[0]: XState has no append-only lists"},
		{"do", `{initial: a, states: {a: {entry: [{do: "tool:x"}]}}}`, "root.states.a.entry[0]: XState has no calls that outlive their state"},
		{"every", `{initial: a, states: {a: {every: {1s: {actions: [{raise: E}]}}}}}`, "root.states.a.every: XState has no timers that repeat"},
		{"warnAfter", `{initial: a, states: {a: {warnAfter: 1s}}}`, "root.states.a.warnAfter: XState has no warnings"},
		{"promote", `{context: {x: 1}, initial: a, states: {a: {context: {y: 1}, promote: {x: "${ y }"}}}}`, "root.states.a.promote: XState has no promotion of data"},
		{"data under a history", `{initial: a, states: {a: {initial: b, states: {h: {type: history}, b: {context: {y: 1}}}}, c: {on: {E: a.h}}}}`,
			"root.states.a.states.b.context: a history of a restores the data of a.b"},
		{"kept timer", `{initial: a, states: {a: {initial: b, states: {h: {type: history}, b: {after: {1s: {target: b, keep: true}}}}}}}`, "root.states.a.states.b.after[0].keep: a timer of XState cannot go on"},
		{"deep initial", `{initial: a.c, states: {a: {initial: b, states: {b: {}, c: {}}}}}`, `root.initial: XState enters one child by default, not "a.c"`},
		{"history actions", `{initial: a, states: {a: {initial: b, states: {h: {type: history, target: {target: b, actions: [{log: x}]}}, b: {}}}}}`, "root.states.a.states.h.initialActions: XState runs no actions"},
		{"long delay", `{initial: a, states: {a: {after: {30d: a}}}}`, "root.states.a.after[0].delay: a timer of JavaScript waits for 24.8 days at most"},
		{"active in an action", `{initial: a, states: {a: {entry: [{log: "${ active('b') }"}]}, b: {}}}`, "root.states.a.entry[0].log: XState's actions do not see which states are active"},
		{"in of an if", `{initial: a, states: {a: {entry: [{if: {in: b}, then: [{raise: E}]}]}, b: {}}}`, "root.states.a.entry[0]: XState's actions do not see which states are active"},
		{"id in a guard", `{initial: a, states: {a: {on: {E: {target: a, guard: "id() == '1'"}}}}}`, "root.states.a.on[0].guard: an id can be made in an action only"},
		{"late input", `{context: {x: null}, initial: a, states: {a: {entry: [{assign: {x: "${ input }"}}]}}}`, "root.states.a.entry[0].assign.x: what a machine was started with"},
		{"event.id", `{initial: a, states: {a: {on: {E: {actions: [{log: "${ event.id }"}]}}}}}`, "root.states.a.on[0].actions[0].log: events of XState have no id"},
		{"computed pattern", `{context: {p: a}, initial: a, states: {a: {on: {E: {target: a, guard: "'a' matches p"}}}}}`, "root.states.a.on[0].guard: a pattern that is computed"},
		{"large integer", `{context: {x: 9007199254740993}, initial: a, states: {a: {}}}`, "root.context[0]: JavaScript cannot tell the integer 9007199254740993"},
		{"field type", `{initial: a, states: {a: {entry: [{raise: E, data: {type: x}}]}}}`, "root.states.a.entry[0].data: the payload has a field type"},
		{"output of a parallel", `{initial: a, states: {a: {type: parallel, output: 1, states: {b: {}}}}}`, "root.states.a.output: the output of a is not known to XState"},
		{"late output", `{context: {x: 1}, initial: a, output: "${ x }", states: {a: {type: final, exit: [{assign: {x: 2}}]}}}`, `root.states.a.exit: the machine's output reads "x"`},
		{"event of an output", `{initial: a, output: "${ event.x }", states: {a: {type: final}}}`, "root.output: the machine's output does not see the event"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, found := chartfile.Read("c.yaml", []byte(strings.Replace(c.chart, "{", "{id: c, ", 1)))
			if found.Errors() {
				t.Fatal(found)
			}
			_, err := xstate.Module(f.Definition)
			var list statechart.Errors
			if !errors.As(err, &list) {
				t.Fatalf("%v is not a list of errors", err)
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v\nwant %s", err, c.want)
			}
			for _, e := range list {
				if e.Code != chartfile.CodeUnwritable || e.Hint == "" && e.Path != "" {
					t.Errorf("%s: code %s, hint %q", e, e.Code, e.Hint)
				}
			}
		})
	}
}

// What only Go code knows is a stub, and a dialect with other rules is refused.
func TestModuleOfDefinition(t *testing.T) {
	def := statechart.Definition{ID: "door", Root: statechart.State{Initial: "closed", States: []statechart.State{
		{Name: "closed", On: []statechart.Transition{{Event: "open", Guard: statechart.When("unlocked"), Target: "opened",
			Actions: []statechart.Action{{Call: "count"}}}}},
		{Name: "opened", On: []statechart.Transition{{Event: "close", Target: "closed"}}},
	}}}
	text, err := xstate.Module(def)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"import { setup } from 'xstate';\n",
		"throw new Error('unlocked is a guard that Go code registers: say here when it holds');",
		"throw new Error('count is an action that Go code registers: say here what it does, with assign if it changes data');",
		"closed: { on: { open: { target: 'opened', guard: 'unlocked', actions: 'count' } } },\n",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the module lacks %s:\n%s", want, text)
		}
	}
}

// Of a chart of other rules nothing else is said: to change it would not help.
func TestOtherRulesAreRefused(t *testing.T) {
	f, found := chartfile.Read("c.yaml", []byte(`{id: c, initial: a, states: {a: {defer: [E], entry: [{log: 1}], on: {E: a}}}}`))
	if found.Errors() {
		t.Fatal(found)
	}
	def := f.Definition
	def.Dialect = "scxml"
	def.Root.States[0].Entry = []statechart.Action{{Block: def.Root.States[0].Entry}}
	for name, write := range map[string]func(statechart.Definition) ([]byte, error){
		"module": xstate.Module,
		"JSON":   xstate.JSON,
	} {
		_, err := write(def)
		var list statechart.Errors
		if !errors.As(err, &list) || len(list) != 1 || list[0].Path != "dialect" || list[0].Code != chartfile.CodeUnwritable {
			t.Errorf("%s: %v", name, err)
		}
	}
}
