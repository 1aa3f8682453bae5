package scxml_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile/scxml"
	"github.com/detent-run/detent/statechart"
)

type (
	state  = statechart.State
	move   = statechart.Transition
	action = statechart.Action
)

// chart is one of two states, with more in its first.
func chart(a state) statechart.Definition {
	a.Name = "a"
	return statechart.Definition{ID: "c", Root: state{Initial: "a", States: []state{a, {Name: "b"}}}}
}

func acts(list ...action) statechart.Definition { return chart(state{Entry: list}) }

func set(name string, value any) action {
	return action{Assign: []statechart.Variable{{Name: name, Value: value}}}
}

func with(def statechart.Definition, change func(d *statechart.Definition)) statechart.Definition {
	change(&def)
	return def
}

// What a chart says and SCXML does not is refused, with its path and a hint.
func TestWriteRefusesCharts(t *testing.T) {
	local := []statechart.Variable{{Name: "n", Value: int64(1)}}
	inner := []state{{Name: "x"}, {Name: "y"}}
	for _, c := range []struct {
		name, want string
		def        statechart.Definition
	}{
		{"a list", `lists[0]: the append-only list "rows"`, with(chart(state{}), func(d *statechart.Definition) { d.Lists = []string{"rows"} })},
		{"unhandled", `unhandled: unhandled events that are not ignored (defer)`, with(chart(state{}), func(d *statechart.Definition) { d.Unhandled = "defer" })},
		{"deferral", `root.states.a.defer: defer cannot be said`, chart(state{Defer: []string{"e"}})},
		{"promote", `root.states.a.promote: promote`, chart(state{Promote: []statechart.Promotion{{Variable: "n", Value: int64(1)}}})},
		{"tools", `root.states.a.tools: tools`, chart(state{Tools: []string{"t"}})},
		{"tools of the root", `root.tools: tools`, with(chart(state{}), func(d *statechart.Definition) { d.Root.ToolsOnly = true })},
		{"warnAfter", `root.states.a.warnAfter: warnAfter`, chart(state{WarnAfter: "5s"})},
		{"every", `root.states.a.every: every`, chart(state{Every: []statechart.Timed{{Delay: "5s"}}})},
		{"keep", `root.states.a.after[0].keep: a timer`, chart(state{After: []statechart.Timed{{Delay: "5s", Keep: true}}})},
		{"no delay at all", `root.states.a.after[0].delay: a delay of nothing`, chart(state{After: []statechart.Timed{{Delay: "0s"}}})},
		{"no delay", `root.states.a.after[0].delay: soon is no delay`, chart(state{After: []statechart.Timed{{Delay: "soon"}}})},
		{"a computed delay beside names", `root.states.a.after[0].delay: a computed delay`, with(chart(state{After: []statechart.Timed{{Delay: statechart.Expression("now")}}}),
			func(d *statechart.Definition) { d.Delays = []statechart.Variable{{Name: "soon", Value: "1s"}} })},
		{"an invocation", `root.states.a.invoke: invoke`, chart(state{Invoke: []statechart.Invocation{{Src: "tool:t"}}})},
		{"a guard in Go", `root.states.a.on[0].guard.and[0].not: the guard "g" in Go`, chart(state{On: []move{{Event: "e", Guard: statechart.All(statechart.Not(statechart.When("g")))}}})},
		{"an action in Go", `root.states.a.entry[0]: the action "f" in Go`, acts(action{Call: "f"})},
		{"append", `root.states.a.entry[0]: append`, acts(action{Append: "rows", Data: int64(1)})},
		{"do", `root.states.a.entry[1].then[0]: do`, acts(action{Log: "x"}, action{Foreach: []any{}, Then: []action{{Do: &statechart.Invocation{Src: "t"}}}})},
		{"emit", `root.states.a.entry[0]: emit`, acts(action{Emit: "e"})},
		{"a block in a block", `root.states.a.entry[0].block[0]: a block within a block`, acts(action{Block: []action{{Block: []action{{Log: "x"}}}}})},
		{"an action before a block", `root.states.a.entry[0]: an error of this action`, acts(action{Log: "x"}, action{Block: []action{{Log: "y"}}})},
		{"a send to another session", `root.states.a.entry[0].to: a send to another session`, acts(action{Send: "e", To: "s2"})},
		{"a computed id", `root.states.a.entry[0].id: a computed id`, acts(action{Send: "e", ID: statechart.Expression("'a'"), Delay: "1s"})},
		{"a level", `root.states.a.entry[0].level: the level "warn"`, acts(action{Log: "x", Level: "warn"})},
		{"a variable of the system", `root.context._event: the variable "_event"`, with(chart(state{}), func(d *statechart.Definition) { d.Root.Context = []statechart.Variable{{Name: "_event"}} })},
		{"a name in a loop that foreach does not take", `root.states.a.entry[0]: the variable "a-b" of the loop`, acts(action{Foreach: []any{}, As: "a-b"})},
		{"a let that is a variable elsewhere", `root.states.b.entry[0].log: let defines "n"`, with(chart(state{Context: local}), func(d *statechart.Definition) {
			d.Root.States[1].Entry = []action{{Log: statechart.Expression("let n = 1; n")}}
		})},
		{"a loop in a loop", `root.states.a.entry[0].then[0]: the variable "i" is also one of a loop`, acts(action{Foreach: []any{}, As: "i", Then: []action{{Foreach: []any{}, As: "i"}}})},
		{"a variable that a history keeps", `root.states.a.states.x.context.n: the history "h" keeps`, chart(state{Initial: "x", States: []state{{Name: "x", Context: local}, {Name: "h", Type: "history"}}})},
		{"the root in its own data", `root.context.n: the root is active`, with(chart(state{On: []move{{Event: "e"}}}), func(d *statechart.Definition) {
			d.Root.Context = []statechart.Variable{{Name: "n", Value: statechart.Expression(`active("#c")`)}}
		})},
		{"an expression that is none", `root.states.a.entry[0].log: the expression cannot be written: the expression ends`, acts(action{Log: statechart.Expression("1 +")})},
		{"a state that there is not", `root.states.a.entry[0].log: the expression cannot be written: there is no state "z"`, acts(action{Log: statechart.Expression(`active("z")`)})},
		{"a path that comes from the left", `root.states.a.entry[0].log: the expression cannot be written: the path of active`, acts(action{Log: statechart.Expression(`"a" | active()`)})},
		{"too many values at once", `root.states.a.entry[0].assign.l: the expression cannot be written: the expression is`, acts(set("l", slices.Repeat([]any{"some text"}, 500)))},
		{"NaN", `root.states.a.entry[0].assign.n: NaN of type float64`, acts(set("n", math.NaN()))},
		{"a character that XML has not", `root.states.a.entry[0].assign.n: a`, acts(set("n", "a\x00"))},
		{"a final region", `root.states.a.states.x.type: a final state that is a region`, chart(state{Type: "parallel", States: []state{{Name: "x", Type: "final"}}})},
		{"restarting what has an entry", `root.states.a.on[0].target: a transition that restarts what is in "a"`, chart(state{Type: "parallel", Entry: []action{{Log: "x"}}, States: inner, On: []move{{Event: "e", Target: "a"}}})},
		{"restarting what is asked for", `root.states.a.on[0].target: a transition that restarts`, chart(state{Type: "parallel", States: inner, On: []move{{Event: "e", Target: ".x", Guard: statechart.Condition{In: "a"}}}})},
		{"restarting with actions", `root.states.a.on[0].target: a transition that restarts`, chart(state{Initial: "x", InitialActions: []action{{Log: "x"}}, Exit: []action{{Log: "x"}}, States: inner, On: []move{{Event: "e", Target: "a"}}})},
		{"a local transition to a history above", `root.states.a.states.x.on[0].target: a local transition to a history`, chart(state{Initial: "x", States: []state{{Name: "x", On: []move{{Event: "e", Target: "h"}}}, {Name: "h", Type: "history"}}})},
		{"a transition to the root", `root.states.a.on[0].target: a transition to the root`, chart(state{On: []move{{Event: "e", Target: "#c"}}})},
		{"a target that there is not", `root.states.a.on[0].target: there is no state "z"`, chart(state{On: []move{{Event: "e", Target: "z"}}})},
		{"done events below a state", `root.states.a.on[0].event: done events of "done.state.c"`, chart(state{On: []move{{Event: "done.state.c.*"}}})},
		{"exit actions of a root that ends", `root.exit: exit actions of the root`, with(chart(state{}), func(d *statechart.Definition) {
			d.Root.Exit, d.Root.States[1].Type = []action{{Log: "x"}}, "final"
		})},
		{"a root of regions that end", `root.type: a root of regions`, statechart.Definition{ID: "c", Root: state{Type: "parallel", States: []state{{Name: "a", Initial: "x", States: []state{{Name: "x", Type: "final"}}}}}}},
		{"a root of regions that is left", `root.states.a.on[0].target: a transition over the regions`, statechart.Definition{ID: "c", Root: state{Type: "parallel", Entry: []action{{Log: "x"}},
			States: []state{{Name: "a", On: []move{{Event: "e", Target: "b", Type: "external"}}}, {Name: "b"}}}}},
		{"a root of regions that is left from within", `root.states.a.on[0].target: a transition over the regions`, statechart.Definition{ID: "c", Root: state{Type: "parallel", Entry: []action{{Log: "x"}},
			States: []state{{Name: "a", Initial: "x", States: inner, On: []move{{Event: "e", Target: ".y", Type: "external"}}}}}}},
		{"a root that begins at its end", `root.initial: a root that begins`, with(chart(state{Type: "final"}), func(d *statechart.Definition) { d.Root.On = []move{{Event: "e"}} })},
		{"the output of a root behind exits", `root.states.b.exit: SCXML makes the output`, with(chart(state{}), func(d *statechart.Definition) {
			d.Root.Output, d.Root.States[1].Type, d.Root.States[1].Exit = int64(1), "final", []action{{Log: "x"}}
		})},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := scxml.Write(c.def, scxml.WriteOptions{})
			refusedWith(t, err, c.want)
		})
	}
}

func refusedWith(t *testing.T, err error, want string) {
	t.Helper()
	got := errorsOf(err)
	if len(got) != 1 || !strings.HasPrefix(got[0], want) || strings.HasSuffix(got[0], "()") {
		t.Errorf("the errors are\n%s\nnot %s", strings.Join(got, "\n"), want)
	}
}

// A definition in the scxml dialect may hold what no document says.
func TestWriteRefusesDefinitions(t *testing.T) {
	kid, found := scxml.Read("kid.scxml", []byte(document("", `<state><invoke><content><scxml version="1.0"><final/></scxml></content></invoke></state>`)), scxml.Options{})
	if found.Errors() {
		t.Fatal(found)
	}
	loop := *kid
	loop.Definition.Root.Initial, loop.Definition.Root.States = "a", []state{{Name: "a", Invoke: []statechart.Invocation{{Src: "chart:kid"}}}}
	children := map[string]*scxml.Document{"kid": &loop}
	for _, c := range []struct {
		name, want string
		def        statechart.Definition
		o          scxml.WriteOptions
	}{
		{"a root that acts", `root: the top of a document`, with(chart(state{}), func(d *statechart.Definition) { d.Root.On = []move{{Event: "e"}} }), scxml.WriteOptions{}},
		{"no state", `root.states: at the top`, with(chart(state{}), func(d *statechart.Definition) { d.Root.States, d.Root.Initial = nil, "" }), scxml.WriteOptions{}},
		{"a history at the top", `root.states: at the top`, with(chart(state{}), func(d *statechart.Definition) { d.Root.States[1].Type = "history" }), scxml.WriteOptions{}},
		{"an id with spaces", `root.states.a.entry[0].id: the id " i"`, acts(action{Send: "e", ID: " i"}), scxml.WriteOptions{}},
		{"a root that enters", `root.entry[0]: the top of a document`, with(chart(state{}), func(d *statechart.Definition) { d.Root.Entry = []action{{Log: "x"}} }), scxml.WriteOptions{}},
		{"timers", `root.states.a.after: after`, chart(state{After: []statechart.Timed{{Delay: "1s"}}}), scxml.WriteOptions{}},
		{"a local transition", `root.states.a.on[0].type: a local transition`, chart(state{On: []move{{Event: "e", Target: "b"}}}), scxml.WriteOptions{}},
		{"several variables", `root.states.a.entry[0].block[0].assign: an assignment of 0`, chart(state{Entry: []action{{Block: []action{{Assign: []statechart.Variable{}}}}}}), scxml.WriteOptions{}},
		{"an id of two words", `root.states.a.id: the state has the id "a b"`, chart(state{ID: "a b"}), scxml.WriteOptions{}},
		{"an id twice", `root.states.b.id: the id "b" is that of root.states.a`, chart(state{ID: "b"}), scxml.WriteOptions{}},
		{"a value in the null model", `root.states.a.entry[0].log: the null data model`, acts(action{Log: int64(1)}), scxml.WriteOptions{DataModel: "null"}},
		{"conditions of an unknown model", `root.states.a.on[0].guard: and, or and not`, chart(state{On: []move{{Event: "e", Guard: statechart.Not(statechart.Condition{In: "a"})}}}), scxml.WriteOptions{DataModel: "lua"}},
		{"a child that is not at hand", `root.states.a.invoke[0].src: the document "kid"`, chart(state{Invoke: []statechart.Invocation{{Src: "chart:kid"}}}), scxml.WriteOptions{}},
		{"a child in itself", `kid: root.states.a.invoke[0].src: the document "kid" invokes itself`, chart(state{Invoke: []statechart.Invocation{{Src: "chart:kid"}}}), scxml.WriteOptions{Children: children}},
		{"an invocation of a tool", `root.states.a.invoke[0].mode: mode`, chart(state{Invoke: []statechart.Invocation{{Src: "x", Mode: "reconcile"}}}), scxml.WriteOptions{}},
		{"a character that XML has not", `root.states.a.entry[0].log: "\x01"`, acts(action{Log: "\x01"}), scxml.WriteOptions{}},
		{"spaces at the ends", `root.states.a.entry[0].send: " e"`, acts(action{Send: " e"}), scxml.WriteOptions{}},
		{"a foreach without a variable", `root.states.a.entry[0].as: a foreach`, acts(action{Foreach: statechart.Expression("[]")}), scxml.WriteOptions{}},
		{"too deep", `root: the document would be nested`, with(chart(state{}), func(d *statechart.Definition) {
			for i := range 70 {
				d.Root.Initial = fmt.Sprint("s", i)
				d.Root.States = []state{{Name: d.Root.Initial, States: d.Root.States, Initial: d.Root.States[0].Name}}
			}
		}), scxml.WriteOptions{}},
		{"too long", `root: the document would be`, acts(action{Log: strings.Repeat("x", 1<<20)}), scxml.WriteOptions{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.def.Dialect = "scxml"
			_, err := scxml.Write(c.def, c.o)
			refusedWith(t, err, c.want)
		})
	}
}

// A dialect that nobody knows is no chart.
func TestWriteUnknownDialect(t *testing.T) {
	_, err := scxml.Write(statechart.Definition{ID: "c", Dialect: "uml"}, scxml.WriteOptions{})
	refusedWith(t, err, `dialect: the dialect "uml"`)
}
