package statechart_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// stocked is a registry with one of each kind of name.
func stocked() *Registry {
	r := spoken()
	r.Guard("isReady", func(*Scope) (bool, error) { return true, nil })
	r.Action("refresh", func(*Scope) error { return nil })
	r.Value("price", func(*Scope) (any, error) { return int64(1), nil })
	r.Performer("tool:search")
	statechart.Guard(r, "quickly", func(*diary, Event) bool { return true })
	statechart.Assign(r, "quick", func(*diary, Event) {})
	return r
}

// refusal is a definition that is wrong in one way.
type refusal struct {
	name string
	root State
	more func(*Definition) // changes what is above the root
	code statechart.Code
	path string
	hint string
}

// check compiles it and compares its one error.
func (r refusal) check(t *testing.T) {
	t.Helper()
	d := Definition{ID: "c", Root: r.root}
	if r.more != nil {
		r.more(&d)
	}
	list := errorsOf(t, d, stocked())
	want := fmt.Sprintf("%s | %s | %s", r.code, r.path, r.hint)
	got := fmt.Sprintf("%s | %s | %s", list[0].Code, list[0].Path, list[0].Hint)
	if got != want || len(list) != 1 {
		t.Errorf("got\n%s\nwant\n%s", describeErrors(list), want)
	}
	if list[0].Message == "" || list[0].Message != strings.TrimSpace(list[0].Message) {
		t.Errorf("the message is %q", list[0].Message)
	}
}

// above changes a definition above its root.
func above(f func(*Definition)) func(*Definition) { return f }

// one is a root with a leaf "a" beside "b", which says what is wrong.
func one(s State) State {
	s.Name = "b"
	return State{Initial: "a", States: []State{{Name: "a"}, s}}
}

// doing is a state with one action on entry.
func doing(a Action) State { return State{Entry: []Action{a}} }

// guardedBy is a state with one guarded transition.
func guardedBy(g Condition) State {
	return State{On: []Transition{{Event: "e", Guard: g, Actions: []Action{say("x")}}}}
}

var refusedDefinitions = []refusal{
	{"no id", State{}, above(func(d *Definition) { d.ID = "" }), statechart.CodeMissing, "id", ""},
	{"an id with a dot", State{}, above(func(d *Definition) { d.ID = "a.b" }), statechart.CodeInvalidName, "id", ""},
	{"other semantics", State{}, above(func(d *Definition) { d.Semantics = 2 }), statechart.CodeSemantics, "semantics", "this package follows 1"},
	{"another dialect", State{}, above(func(d *Definition) { d.Dialect = "xstate" }), statechart.CodeInvalid, "dialect", `leave it empty, or "scxml"`},
	{"unhandled", State{}, above(func(d *Definition) { d.Unhandled = "drop" }), statechart.CodeInvalid, "unhandled", "ignore, reject or defer"},
	{"a raised limit", State{}, above(func(d *Definition) { d.Limits.Microsteps = 1001 }), statechart.CodeLimit, "limits.microsteps", "a chart may lower a limit, never raise it"},
	{"a negative limit", State{}, above(func(d *Definition) { d.Limits.Raised = -1 }), statechart.CodeLimit, "limits.raised", "a chart may lower a limit, never raise it"},
	{"too many effects", State{}, above(func(d *Definition) { d.Limits.Effects = 101 }), statechart.CodeLimit, "limits.effects", "a chart may lower a limit, never raise it"},
	{"too many deferred", State{}, above(func(d *Definition) { d.Limits.Deferred = 1001 }), statechart.CodeLimit, "limits.deferred", "a chart may lower a limit, never raise it"},
	{"too much fuel", State{}, above(func(d *Definition) { d.Limits.Fuel = 1_000_001 }), statechart.CodeLimit, "limits.fuel", "a chart may lower a limit, never raise it"},
	{"a list twice", State{}, above(func(d *Definition) { d.Lists = []string{"x", "x"} }), statechart.CodeDuplicate, "lists[1]", ""},
	{"a list without name", State{}, above(func(d *Definition) { d.Lists = []string{""} }), statechart.CodeMissing, "lists[0]", ""},
	{"a huge name", State{}, above(func(d *Definition) { d.Lists = []string{strings.Repeat("x", 1001)} }), statechart.CodeLimit, "lists[0]", ""},
	{"a delay twice", State{}, above(func(d *Definition) { d.Delays = vars("x", 1, "x", 2) }), statechart.CodeDuplicate, "delays[1]", ""},
	{"a delay that is none", State{}, above(func(d *Definition) { d.Delays = vars("x", "soon") }), statechart.CodeUnknownName, "delays[0]", `a delay is "500ms", "15m" or "30d", a number of milliseconds, or a name from delays`},
	{"a delay by name", State{}, above(func(d *Definition) { d.Delays = vars("x", 1, "y", "x") }), statechart.CodeInvalid, "delays[1]", "give the duration itself"},
	{"an event twice", State{}, above(func(d *Definition) { d.Events = []statechart.EventDeclaration{{Name: "x"}, {Name: "x"}} }), statechart.CodeDuplicate, "events[1]", ""},
	{"an event without name", State{}, above(func(d *Definition) { d.Events = []statechart.EventDeclaration{{}} }), statechart.CodeMissing, "events[0]", ""},
	{"an event with a space", State{}, above(func(d *Definition) { d.Events = []statechart.EventDeclaration{{Name: "a b"}} }), statechart.CodeInvalidName, "events[0]", ""},
	{"a descriptor as event", State{}, above(func(d *Definition) { d.Events = []statechart.EventDeclaration{{Name: "a.*"}} }), statechart.CodeInvalidName, "events[0]", ""},
	{"an engine's event", State{}, above(func(d *Definition) { d.Events = []statechart.EventDeclaration{{Name: "after.x"}} }), statechart.CodeReserved, "events[0]", "events of the engine can be taken, not declared, raised or sent"},
	{"an unknown performer", State{}, above(func(d *Definition) { d.Performers = []string{"tool:serch"} }), statechart.CodeUnknownSource, "performers[0]", `did you mean "tool:search"?`},
	{"a constant twice", State{}, above(func(d *Definition) { d.Constants = vars("k", 1, "k", 2) }), statechart.CodeDuplicate, "constants[1]", "choose another name: nothing is shadowed"},
}

var refusedStates = []refusal{
	{"no name", State{Initial: "a", States: []State{{Name: "a"}, {}}}, nil, statechart.CodeMissing, "root.states[1]", ""},
	{"a name with a dot", State{Initial: "a", States: []State{{Name: "a"}, {Name: "x.y"}}}, nil, statechart.CodeInvalidName, "root.states[1]", ""},
	{"a name with a star", State{Initial: "a", States: []State{{Name: "a"}, {Name: "x*"}}}, nil, statechart.CodeInvalidName, "root.states[1]", ""},
	{"a name with a hash", State{Initial: "a", States: []State{{Name: "a"}, {Name: "#x"}}}, nil, statechart.CodeInvalidName, "root.states[1]", ""},
	{"a name with a tab", State{Initial: "a", States: []State{{Name: "a"}, {Name: "x\ty"}}}, nil, statechart.CodeInvalidName, "root.states[1]", ""},
	{"a name that is no text", State{Initial: "a", States: []State{{Name: "a"}, {Name: "\xff"}}}, nil, statechart.CodeInvalidName, "root.states[1]", ""},
	{"a name with an escape", State{Initial: "a", States: []State{{Name: "a"}, {Name: "x\x1b[31m"}}}, nil, statechart.CodeInvalidName, "root.states[1]", "write it without control characters and marks of direction"},
	{"a name that turns around", State{Initial: "a", States: []State{{Name: "a"}, {Name: "x\u202e"}}}, nil, statechart.CodeInvalidName, "root.states[1]", "write it without control characters and marks of direction"},
	{"an event with an escape", State{On: []Transition{on("e\x1b", "", say("x"))}}, nil, statechart.CodeInvalidName, "root.on[0].event", ""},
	{"a raised event that turns around", State{Entry: []Action{{Raise: "e\u2066"}}}, nil, statechart.CodeInvalidName, "root.entry[0]", ""},
	{"a name with NUL", State{Initial: "a", States: []State{{Name: "a"}, {Name: "x\x00"}}}, nil, statechart.CodeInvalidName, "root.states[1]", ""},
	{"two of one name", State{Initial: "a", States: []State{{Name: "a"}, {Name: "a"}}}, nil, statechart.CodeDuplicate, "root.states.a", ""},
	{"an id with a dot", one(State{ID: "x.y"}), nil, statechart.CodeInvalidName, "root.states.b.id", ""},
	{"two of one id", State{Initial: "a", States: []State{{Name: "a", ID: "x"}, {Name: "b", ID: "x"}}}, nil, statechart.CodeDuplicate, "root.states.b.id", ""},
	{"the chart's id", one(State{ID: "c"}), nil, statechart.CodeDuplicate, "root.states.b.id", ""},
	{"another type", one(State{Type: "orthogonal"}), nil, statechart.CodeInvalid, "root.states.b.type", "atomic, compound, parallel, final or history"},
	{"atomic with children", one(State{Type: statechart.Atomic, Initial: "x", States: []State{{Name: "x"}}}), nil, statechart.CodeNotAllowed, "root.states.b", ""},
	{"compound without children", one(State{Type: statechart.Compound}), nil, statechart.CodeMissing, "root.states.b", ""},
	{"compound without initial", one(State{States: []State{{Name: "x"}}}), nil, statechart.CodeMissing, "root.states.b.initial", ""},
	{"parallel with initial", one(State{Type: statechart.Parallel, Initial: "x", States: []State{{Name: "x"}}}), nil, statechart.CodeNotAllowed, "root.states.b.initial", ""},
	{"parallel without regions", one(State{Type: statechart.Parallel}), nil, statechart.CodeNotAllowed, "root.states.b.states", ""},
	{"atomic with initial", one(State{Initial: "x"}), nil, statechart.CodeNotAllowed, "root.states.b.initial", ""},
	{"atomic with onDone", one(State{OnDone: []Transition{{Actions: []Action{say("x")}}}}), nil, statechart.CodeNotAllowed, "root.states.b.onDone", ""},
	{"final with transitions", one(State{Type: statechart.Final, On: []Transition{on("e", "")}}), nil, statechart.CodeNotAllowed, "root.states.b.on", ""},
	{"final with always", one(State{Type: statechart.Final, Always: []Transition{on("", "a")}}), nil, statechart.CodeNotAllowed, "root.states.b.on", ""},
	{"final with a timer", one(State{Type: statechart.Final, After: []Timed{{Delay: 1}}}), nil, statechart.CodeNotAllowed, "root.states.b.on", ""},
	{"final with a call", one(State{Type: statechart.Final, Invoke: []Invocation{{Src: "x"}}}), nil, statechart.CodeNotAllowed, "root.states.b.on", ""},
	{"final with defer", one(State{Type: statechart.Final, Defer: []string{"x"}}), nil, statechart.CodeNotAllowed, "root.states.b.on", ""},
	{"final with warnAfter", one(State{Type: statechart.Final, WarnAfter: 5}), nil, statechart.CodeNotAllowed, "root.states.b.on", ""},
	{"final with children", one(State{Type: statechart.Final, States: []State{{Name: "x"}}}), nil, statechart.CodeNotAllowed, "root.states.b.states", ""},
	{"history with entry", one(State{Type: statechart.History, Entry: []Action{say("x")}}), nil, statechart.CodeNotAllowed, "root.states.b.on", ""},
	{"history with data", one(State{Type: statechart.History, Context: vars("n", 1)}), nil, statechart.CodeNotAllowed, "root.states.b.on", ""},
	{"history with children", one(State{Type: statechart.History, States: []State{{Name: "x"}}}), nil, statechart.CodeNotAllowed, "root.states.b.states", ""},
	{"another kind of history", one(State{Type: statechart.History, History: "wide"}), nil, statechart.CodeInvalid, "root.states.b.history", "shallow or deep"},
	{"history of a plain state", one(State{History: "deep"}), nil, statechart.CodeNotAllowed, "root.states.b.history", `its type is "history"`},
	{"a history that leads to itself", State{Initial: "b", States: []State{{Name: "a"}, {Name: "b", Type: statechart.History}}}, nil, statechart.CodeCycle, "root.states.b.initial", "name a state as its default"},
	{"initialActions without initial", one(State{InitialActions: []Action{say("x")}}), nil, statechart.CodeNotAllowed, "root.states.b.initialActions", ""},
	{"output of a plain state", one(State{Output: 1}), nil, statechart.CodeNotAllowed, "root.states.b.output", ""},
	{"status of a plain state", one(State{Status: "failed"}), nil, statechart.CodeNotAllowed, "root.states.b.status", ""},
	{"status below the root", one(State{Initial: "f", States: []State{{Name: "f", Type: statechart.Final, Status: "failed"}}}), nil, statechart.CodeNotAllowed, "root.states.b.states.f.status", ""},
	{"another status", one(State{Type: statechart.Final, Status: "parked"}), nil, statechart.CodeInvalid, "root.states.b.status", "completed or failed"},
	{"a final root", State{Type: statechart.Final}, nil, statechart.CodeNotAllowed, "root.type", ""},
	{"a history root", State{Type: statechart.History}, nil, statechart.CodeNotAllowed, "root.type", ""},
	{"an unknown initial", State{Initial: "b", States: []State{{Name: "a"}}}, nil, statechart.CodeUnknownState, "root.initial", ""},
	{"an initial with a slip", State{Initial: "activ", States: []State{{Name: "active"}}}, nil, statechart.CodeUnknownState, "root.initial", `did you mean "active"?`},
	{"a blank initial", State{Initial: " ", States: []State{{Name: "a"}}}, nil, statechart.CodeMissing, "root.initial", ""},
	{"an initial elsewhere", one(State{Initial: "#c.a", States: []State{{Name: "x"}}}), nil, statechart.CodeTargets, "root.states.b.initial", ""},
	{"the root as initial", State{Initial: "#c", States: []State{{Name: "a"}}}, nil, statechart.CodeTargets, "root.initial", ""},
	{"the state itself as initial", one(State{Initial: "#c.b", States: []State{{Name: "x"}}}), nil, statechart.CodeTargets, "root.states.b.initial", ""},
	{"two initials of one region", State{Initial: "a b", States: []State{{Name: "a"}, {Name: "b"}}}, nil, statechart.CodeTargets, "root.initial", "several targets lie in different regions of one parallel state"},
}

var refusedData = []refusal{
	{"a variable without name", one(State{Context: vars("", 1)}), nil, statechart.CodeMissing, "root.states.b.context[0]", ""},
	{"a variable twice", one(State{Context: vars("n", 1, "n", 2)}), nil, statechart.CodeDuplicate, "root.states.b.context[1]", "choose another name: nothing is shadowed"},
	{"a variable called like a list", one(State{Context: vars("rows", 1)}), above(func(d *Definition) { d.Lists = []string{"rows"} }), statechart.CodeDuplicate, "root.states.b.context[0]", "choose another name: nothing is shadowed"},
	{"a value that is none", one(State{Context: vars("n", make(chan int))}), nil, statechart.CodeInvalid, "root.states.b.context.n", "use null, booleans, numbers, text, lists and objects"},
	{"a function as a part", one(State{Context: vars("n", []any{func() {}})}), nil, statechart.CodeInvalid, "root.states.b.context.n", "use null, booleans, numbers, text, lists and objects"},
	{"a value that looks forward", one(State{Context: vars("n", Expression("m"), "m", 1)}), nil, statechart.CodeExpression, "root.states.b.context.n", ""},
	{"promotion from the root", State{Promote: []Promotion{{Variable: "x", Value: 1}}}, nil, statechart.CodeNotAllowed, "root.promote[0]", ""},
	{"promotion to nothing", one(State{Promote: []Promotion{{Variable: "nosuch", Value: 1}}}), nil, statechart.CodeUnknownName, "root.states.b.promote[0]", ""},
	{"promotion to its own", one(State{Context: vars("mine", 1), Promote: []Promotion{{Variable: "mine", Value: 1}}}), nil, statechart.CodeUnknownName, "root.states.b.promote[0]", ""},
	{"promotion to a constant", one(State{Promote: []Promotion{{Variable: "k", Value: 1}}}), above(func(d *Definition) { d.Constants = vars("k", 1) }), statechart.CodeUnknownName, "root.states.b.promote[0]", `did you mean "k"?`},
	{"an unknown merge", one(State{Promote: []Promotion{{Variable: "x", Value: 1, Merge: "add"}}}), above(func(d *Definition) { d.Root.Context = vars("x", 1) }), statechart.CodeInvalid, "root.states.b.promote[0].merge", "replace, append, union, sum, max or min"},
	{"a sum that counts twice", one(State{Initial: "x", States: []State{{Name: "h", Type: statechart.History}, {Name: "x"}}, Promote: []Promotion{{Variable: "x", Value: 1, Merge: "sum"}}}), above(func(d *Definition) { d.Root.Context = vars("x", 1) }), statechart.CodeConflict, "root.states.b.promote[0]", "use union, max, min or replace"},
	{"an append under deep history", one(State{Initial: "x", States: []State{{Name: "h", Type: statechart.History, History: "deep"}, {Name: "x", Initial: "y", States: []State{
		{Name: "y", Promote: []Promotion{{Variable: "x", Value: 1, Merge: "append"}}}}}}}), above(func(d *Definition) { d.Root.Context = vars("x", nil) }), statechart.CodeConflict, "root.states.b.states.x.states.y.promote[0]", "use union, max, min or replace"},
}

var refusedTransitions = []refusal{
	{"no event", one(State{On: []Transition{on("", "a")}}), nil, statechart.CodeMissing, "root.states.b.on[0].event", "an eventless one belongs under always"},
	{"a blank event", one(State{On: []Transition{on(" ", "a")}}), nil, statechart.CodeMissing, "root.states.b.on[0].event", "an eventless one belongs under always"},
	{"a blank event in SCXML", one(State{On: []Transition{on(" ", "#c.a")}}), above(func(d *Definition) { d.Dialect = "scxml" }), statechart.CodeMissing, "root.states.b.on[0].event", "an eventless one belongs under always"},
	{"two events in a chart", one(State{On: []Transition{on("a b", "a")}}), nil, statechart.CodeInvalidName, "root.states.b.on[0].event", ""},
	{"a star inside", one(State{On: []Transition{on("a.*.b", "a")}}), nil, statechart.CodeInvalidName, "root.states.b.on[0].event", "a '*' stands alone or after the last dot"},
	{"a star beside", one(State{On: []Transition{on("a*", "a")}}), nil, statechart.CodeInvalidName, "root.states.b.on[0].event", "a '*' stands alone or after the last dot"},
	{"an event that is no text", one(State{On: []Transition{on("\xff", "a")}}), nil, statechart.CodeInvalidName, "root.states.b.on[0].event", ""},
	{"a huge event", one(State{On: []Transition{on(strings.Repeat("e", 1001), "a")}}), nil, statechart.CodeInvalidName, "root.states.b.on[0].event", ""},
	{"another type", one(State{On: []Transition{{Event: "e", Target: "a", Type: "reenter"}}}), nil, statechart.CodeInvalid, "root.states.b.on[0].type", `leave it empty, or "external" or "internal"`},
	{"always with an event", one(State{Always: []Transition{on("e", "a")}}), nil, statechart.CodeNotAllowed, "root.states.b.always[0].event", ""},
	{"always for ever", one(State{Always: []Transition{on("", "", say("x"))}}), nil, statechart.CodeCycle, "root.states.b.always[0]", "give it a guard or a target"},
	{"a cycle of always", State{Initial: "a", States: []State{{Name: "a", Always: []Transition{on("", "b")}}, {Name: "b", Always: []Transition{on("", "a")}}}}, nil, statechart.CodeCycle, "root.states.b.always", "give one of them a guard"},
	{"onDone with an event", one(State{Initial: "x", States: []State{{Name: "x"}}, OnDone: []Transition{on("e", "a")}}), nil, statechart.CodeNotAllowed, "root.states.b.onDone[0].event", "leave it empty"},
	{"an unknown target", one(State{On: []Transition{on("e", "nosuchthing")}}), nil, statechart.CodeUnknownState, "root.states.b.on[0].target", ""},
	{"a target with a slip", State{Initial: "waiting", States: []State{{Name: "waiting", On: []Transition{on("e", "runing")}}, {Name: "running"}}}, nil, statechart.CodeUnknownState, "root.states.waiting.on[0].target", `did you mean "running"?`},
	{"an id with a slip", State{Initial: "a", States: []State{{Name: "a", On: []Transition{on("e", "#runing")}}, {Name: "b", ID: "running"}}}, nil, statechart.CodeUnknownState, "root.states.a.on[0].target", `did you mean "#running"?`},
	{"a child without a dot", one(State{Initial: "child", States: []State{{Name: "child"}}, On: []Transition{on("e", "child")}}), nil, statechart.CodeUnknownState, "root.states.b.on[0].target", `did you mean ".child"? a child is named with a dot`},
	{"a sibling from the root", State{Initial: "a", States: []State{{Name: "a"}}, On: []Transition{on("e", "a")}}, nil, statechart.CodeUnknownState, "root.on[0].target", `targets on the root begin with "." or "#"`},
	{"the path of another", State{Initial: "a", States: []State{{Name: "a", Initial: "x", States: []State{{Name: "x", On: []Transition{on("e", "b.y")}}}}, {Name: "b", Initial: "y", States: []State{{Name: "y"}}}}}, nil, statechart.CodeUnknownState, "root.states.a.states.x.on[0].target", ""},
	{"a blank target", one(State{On: []Transition{on("e", " ")}}), nil, statechart.CodeMissing, "root.states.b.on[0].target", ""},
	{"a target twice", one(State{On: []Transition{on("e", "a a")}}), nil, statechart.CodeDuplicate, "root.states.b.on[0].target", ""},
	{"two targets of one region", one(State{On: []Transition{on("e", "a b")}}), nil, statechart.CodeTargets, "root.states.b.on[0].target", "several targets lie in different regions of one parallel state"},
	{"defer of nothing", one(State{Defer: []string{""}}), nil, statechart.CodeInvalidName, "root.states.b.defer[0]", ""},
	{"defer with a star inside", one(State{Defer: []string{"x", "a.*.b"}}), nil, statechart.CodeInvalidName, "root.states.b.defer[1]", "a '*' stands alone or after the last dot"},
}

var refusedConditions = []refusal{
	{"two forms", one(guardedBy(Condition{Name: "isReady", In: "a"})), nil, statechart.CodeCondition, "root.states.b.on[0].guard", "a name with params, an expression, and, or, not, in"},
	{"params without a name", one(guardedBy(Condition{Params: map[string]any{"x": 1}})), nil, statechart.CodeCondition, "root.states.b.on[0].guard", "a name with params, an expression, and, or, not, in"},
	{"nothing under not", one(guardedBy(Condition{Not: &Condition{}})), nil, statechart.CodeCondition, "root.states.b.on[0].guard.not", "a name with params, an expression, and, or, not, in"},
	{"nothing in an and", one(guardedBy(Condition{And: []Condition{when("true"), {}}})), nil, statechart.CodeCondition, "root.states.b.on[0].guard.and[1]", "a name with params, an expression, and, or, not, in"},
	{"an empty and", one(guardedBy(Condition{And: []Condition{}})), nil, statechart.CodeCondition, "root.states.b.on[0].guard.and", ""},
	{"an empty or", one(guardedBy(Condition{Or: []Condition{}})), nil, statechart.CodeCondition, "root.states.b.on[0].guard.or", ""},
	{"an unknown guard", one(guardedBy(statechart.When("isRead"))), nil, statechart.CodeUnknownGuard, "root.states.b.on[0].guard", `did you mean "isReady"?`},
	{"an unknown guard deep down", one(guardedBy(Condition{Or: []Condition{{Not: &Condition{Name: "zzz"}}}})), nil, statechart.CodeUnknownGuard, "root.states.b.on[0].guard.or[0].not", ""},
	{"params of a typed guard", one(guardedBy(Condition{Name: "quickly", Params: map[string]any{"x": 1}})), nil, statechart.CodeNotAllowed, "root.states.b.on[0].guard.params", "register it with Registry.Guard to read them"},
	{"params that are no values", one(guardedBy(Condition{Name: "isReady", Params: map[string]any{"x": struct{}{}}})), nil, statechart.CodeInvalid, "root.states.b.on[0].guard.params", "use null, booleans, numbers, text, lists and objects"},
	{"in an unknown state", one(guardedBy(Condition{In: "aa"})), nil, statechart.CodeUnknownState, "root.states.b.on[0].guard.in", `did you mean "a"?`},
	{"an expression that is none", one(guardedBy(when("(+ 1"))), nil, statechart.CodeExpression, "root.states.b.on[0].guard", ""},
	{"an expression over nothing", one(guardedBy(when("(= nosuch 1)"))), nil, statechart.CodeExpression, "root.states.b.on[0].guard", ""},
	{"a huge expression", one(guardedBy(when("(not " + strings.Repeat(" ", 65_536) + "true)"))), nil, statechart.CodeExpression, "root.states.b.on[0].guard", ""},
	{"conditions too deep", one(guardedBy(deepCondition(65))), nil, statechart.CodeLimit, "root.states.b.on[0].guard" + strings.Repeat(".not", 65), ""},
}

func deepCondition(levels int) Condition {
	c := when("true")
	for range levels {
		inner := c
		c = Condition{Not: &inner}
	}
	return c
}

var refusedActions = []refusal{
	{"nothing to do", one(doing(Action{})), nil, statechart.CodeAction, "root.states.b.entry[0]", "call, assign, raise, send, cancel, append, do, emit, log, if, foreach, block, script or fail"},
	{"two things to do", one(doing(Action{Call: "refresh", Raise: "x"})), nil, statechart.CodeAction, "root.states.b.entry[0]", "call, assign, raise, send, cancel, append, do, emit, log, if, foreach, block, script or fail"},
	{"an unknown action", one(doing(Action{Call: "refesh"})), nil, statechart.CodeUnknownAction, "root.states.b.entry[0]", `did you mean "refresh"?`},
	{"params of a typed action", one(doing(Action{Call: "quick", Params: map[string]any{"x": 1}})), nil, statechart.CodeNotAllowed, "root.states.b.entry[0].params", "register it with Run or Registry.Action to read them"},
	{"assigning nothing", one(doing(assign("nosuch", 1))), nil, statechart.CodeUnknownName, "root.states.b.entry[0].assign.nosuch", ""},
	{"assigning with a slip", State{Context: vars("attempts", 1), Entry: []Action{assign("attemps", 1)}}, nil, statechart.CodeUnknownName, "root.entry[0].assign.attemps", `did you mean "attempts"?`},
	{"assigning what is no value", State{Context: vars("x", 1), Entry: []Action{assign("x", []any{1, struct{}{}})}}, nil, statechart.CodeInvalid, "root.entry[0].assign.x", "use null, booleans, numbers, text, lists and objects"},
	{"raising an engine's event", one(doing(Action{Raise: "error.execution"})), nil, statechart.CodeReserved, "root.states.b.entry[0]", "events of the engine can be taken, not declared, raised or sent"},
	{"raising a descriptor", one(doing(Action{Raise: "a.*"})), nil, statechart.CodeInvalidName, "root.states.b.entry[0]", ""},
	{"raising to somebody", one(doing(Action{Raise: "x", To: "peer"})), nil, statechart.CodeNotAllowed, "root.states.b.entry[0].to", "use send"},
	{"sending a name with a space", one(doing(Action{Send: "a b"})), nil, statechart.CodeInvalidName, "root.states.b.entry[0]", ""},
	{"a delay that is none", one(doing(Action{Send: "x", Delay: "soon"})), nil, statechart.CodeUnknownName, "root.states.b.entry[0].delay", `a delay is "500ms", "15m" or "30d", a number of milliseconds, or a name from delays`},
	{"a delay with a slip", one(doing(Action{Send: "x", Delay: "shor"})), above(func(d *Definition) { d.Delays = vars("short", 1) }), statechart.CodeUnknownName, "root.states.b.entry[0].delay", `did you mean "short"?`},
	{"a list as a delay", one(doing(Action{Send: "x", Delay: []any{}})), nil, statechart.CodeInvalid, "root.states.b.entry[0].delay", `a delay is "500ms", "15m" or "30d", a number of milliseconds, or a name from delays`},
	{"an unknown list", one(doing(Action{Append: "row", Data: 1})), above(func(d *Definition) { d.Lists = []string{"rows"} }), statechart.CodeUnknownName, "root.states.b.entry[0].append", `did you mean "rows"?`},
	{"a huge name of an emit", one(doing(Action{Emit: strings.Repeat("e", 1001)})), nil, statechart.CodeInvalidName, "root.states.b.entry[0].emit", "give it a name as text"},
	{"an if without a condition", one(doing(Action{If: &Condition{}, Then: []Action{say("x")}})), nil, statechart.CodeCondition, "root.states.b.entry[0].if", ""},
	{"an element that shadows", State{Context: vars("n", 1), Entry: []Action{{Foreach: []any{}, As: "n"}}}, nil, statechart.CodeDuplicate, "root.entry[0].as", "choose another name: nothing is shadowed"},
	{"an element called like a list", one(doing(Action{Foreach: []any{}, As: "rows"})), above(func(d *Definition) { d.Lists = []string{"rows"} }), statechart.CodeDuplicate, "root.states.b.entry[0].as", "choose another name: nothing is shadowed"},
	{"an index that shadows", one(doing(Action{Foreach: []any{}, As: "x", Index: "x"})), nil, statechart.CodeDuplicate, "root.states.b.entry[0].index", "choose another name: nothing is shadowed"},
	{"an element of an inner foreach", one(doing(Action{Foreach: []any{}, As: "x", Then: []Action{{Foreach: []any{}, As: "x"}}})), nil, statechart.CodeDuplicate, "root.states.b.entry[0].then[0].as", "choose another name: nothing is shadowed"},
	{"assigning an element", one(doing(Action{Foreach: []any{}, As: "x", Then: []Action{assign("x", 1)}})), nil, statechart.CodeUnknownName, "root.states.b.entry[0].then[0].assign.x", ""},
	{"an element outside", one(State{Entry: []Action{{Foreach: []any{}, As: "x", Then: []Action{say("x")}}, {Log: Expression("x")}}}), nil, statechart.CodeExpression, "root.states.b.entry[1].log", ""},
	{"an error deep down", one(doing(Action{If: &Condition{Expression: "true"}, Else: []Action{{Block: []Action{{Foreach: []any{}, Then: []Action{{}}}}}}})), nil, statechart.CodeAction, "root.states.b.entry[0].else[0].block[0].then[0]", "call, assign, raise, send, cancel, append, do, emit, log, if, foreach, block, script or fail"},
}

var refusedCalls = []refusal{
	{"no source", one(State{Invoke: []Invocation{{}}}), nil, statechart.CodeMissing, "root.states.b.invoke[0].src", ""},
	{"an empty source", one(State{Invoke: []Invocation{{Src: ""}}}), nil, statechart.CodeMissing, "root.states.b.invoke[0].src", ""},
	{"an unknown source", one(State{Invoke: []Invocation{{Src: "tool:serch"}}}), above(func(d *Definition) { d.Performers = []string{"tool:search"} }), statechart.CodeUnknownSource, "root.states.b.invoke[0].src", `did you mean "tool:search"?`},
	{"an unknown source of a do", one(doing(Action{Do: &Invocation{Src: "zzz"}})), above(func(d *Definition) { d.Performers = []string{"tool:search"} }), statechart.CodeUnknownSource, "root.states.b.entry[0].do.src", ""},
	{"another mode", one(State{Invoke: []Invocation{{Src: "x", Mode: "exactly_once"}}}), nil, statechart.CodeInvalid, "root.states.b.invoke[0].mode", "at_most_once, at_least_once or reconcile"},
	{"the id of a receiver", one(State{Invoke: []Invocation{{ID: "parent", Src: "x"}}}), nil, statechart.CodeReserved, "root.states.b.invoke[0].id", "it names a receiver of send"},
	{"self as the id of a do", one(doing(Action{Do: &Invocation{ID: "self", Src: "x"}})), nil, statechart.CodeReserved, "root.states.b.entry[0].do.id", "it names a receiver of send"},
	{"an id with a dot", one(State{Invoke: []Invocation{{ID: "a.b", Src: "x"}}}), nil, statechart.CodeInvalidName, "root.states.b.invoke[0].id", ""},
	{"an id twice", one(State{Invoke: []Invocation{{ID: "i", Src: "x"}, {ID: "i", Src: "y"}}}), nil, statechart.CodeDuplicate, "root.states.b.invoke[1].id", ""},
	{"an id twice on the way down", one(State{Invoke: []Invocation{{ID: "i", Src: "x"}}, Initial: "x", States: []State{{Name: "x", Invoke: []Invocation{{ID: "i", Src: "x"}}}}}), nil, statechart.CodeDuplicate, "root.states.b.states.x.invoke[0].id", ""},
	{"an id twice in two regions", one(State{Type: statechart.Parallel, States: []State{{Name: "p", Invoke: []Invocation{{ID: "i", Src: "x"}}}, {Name: "q", Initial: "x", States: []State{{Name: "x", Invoke: []Invocation{{ID: "i", Src: "x"}}}}}}}), nil, statechart.CodeDuplicate, "root.states.b.states.q.states.x.invoke[0].id", ""},
	{"a timeout that is none", one(State{Invoke: []Invocation{{Src: "x", Timeout: "soon"}}}), nil, statechart.CodeUnknownName, "root.states.b.invoke[0].timeout", `a delay is "500ms", "15m" or "30d", a number of milliseconds, or a name from delays`},
	{"a heartbeat that is none", one(State{Invoke: []Invocation{{Src: "x", Heartbeat: true}}}), nil, statechart.CodeInvalid, "root.states.b.invoke[0].heartbeat", `a delay is "500ms", "15m" or "30d", a number of milliseconds, or a name from delays`},
	{"an input that is no value", one(State{Invoke: []Invocation{{Src: "x", Input: struct{}{}}}}), nil, statechart.CodeInvalid, "root.states.b.invoke[0].input", "use null, booleans, numbers, text, lists and objects"},
	{"an end with an event", one(State{Invoke: []Invocation{{ID: "i", Src: "x", OnDone: []Transition{on("e", "a")}}}}), nil, statechart.CodeNotAllowed, "root.states.b.invoke[0].onDone[0].event", "leave it empty"},
	{"an end with an unknown target", one(State{Invoke: []Invocation{{ID: "i", Src: "x", OnProgress: []Transition{on("", "zzz")}}}}), nil, statechart.CodeUnknownState, "root.states.b.invoke[0].onProgress[0].target", ""},
	{"a do with transitions", one(doing(Action{Do: &Invocation{ID: "d", Src: "x", OnDone: []Transition{on("", "a")}}})), nil, statechart.CodeNotAllowed, "root.states.b.entry[0].do", "its end is the event done.do.d"},
}

var refusedTimers = []refusal{
	{"no delay", one(State{After: []Timed{{}}}), nil, statechart.CodeMissing, "root.states.b.after[0].delay", ""},
	{"a delay that is none", one(State{Every: []Timed{{Delay: "often"}}}), nil, statechart.CodeUnknownName, "root.states.b.every[0].delay", `a delay is "500ms", "15m" or "30d", a number of milliseconds, or a name from delays`},
	{"a number as text", one(State{After: []Timed{{Delay: "500"}}}), nil, statechart.CodeUnknownName, "root.states.b.after[0].delay", `a delay is "500ms", "15m" or "30d", a number of milliseconds, or a name from delays`},
	{"a boolean", one(State{WarnAfter: true}), nil, statechart.CodeInvalid, "root.states.b.warnAfter", `a delay is "500ms", "15m" or "30d", a number of milliseconds, or a name from delays`},
	{"two equal delays", one(State{After: []Timed{{Delay: "1s"}, {Delay: "2s"}, {Delay: "1s"}}}), nil, statechart.CodeDuplicate, "root.states.b.after[2]", "put both transitions into one"},
	{"keep of an every", one(State{Every: []Timed{{Delay: 5, Keep: true}}}), nil, statechart.CodeNotAllowed, "root.states.b.every[0].keep", ""},
	{"missed of an after", one(State{After: []Timed{{Delay: 5, Missed: "all"}}}), nil, statechart.CodeInvalid, "root.states.b.after[0].missed", "coalesce, all or skip, of an every"},
	{"another policy", one(State{Every: []Timed{{Delay: 5, Missed: "some"}}}), nil, statechart.CodeInvalid, "root.states.b.every[0].missed", "coalesce, all or skip, of an every"},
	{"an unknown target", one(State{After: []Timed{{Delay: 5, Transitions: []Transition{on("", "zzz")}}}}), nil, statechart.CodeUnknownState, "root.states.b.after[0].transitions[0].target", ""},
	{"a timer with an event", one(State{Every: []Timed{{Delay: 5, Transitions: []Transition{on("e", "a")}}}}), nil, statechart.CodeNotAllowed, "root.states.b.every[0].transitions[0].event", "leave it empty"},
}

// allRefusals is every table of wrong definitions.
var allRefusals = map[string][]refusal{
	"definition": refusedDefinitions, "state": refusedStates, "data": refusedData, "transition": refusedTransitions,
	"condition": refusedConditions, "action": refusedActions, "call": refusedCalls, "timer": refusedTimers,
}

// Everything that Compile checks is refused with its code, place and hint,
// and no chart is returned.
func TestRefusals(t *testing.T) {
	codes := map[statechart.Code]bool{}
	for table, cases := range allRefusals {
		for _, c := range cases {
			t.Run(table+"/"+c.name, c.check)
			codes[c.code] = true
		}
	}
	for _, code := range []statechart.Code{
		statechart.CodeMissing, statechart.CodeInvalidName, statechart.CodeDuplicate, statechart.CodeUnknownState, statechart.CodeUnknownGuard,
		statechart.CodeUnknownAction, statechart.CodeUnknownSource, statechart.CodeUnknownName, statechart.CodeInvalid, statechart.CodeNotAllowed,
		statechart.CodeTargets, statechart.CodeReserved, statechart.CodeExpression, statechart.CodeCondition, statechart.CodeAction,
		statechart.CodeCycle, statechart.CodeConflict, statechart.CodeLimit, statechart.CodeSemantics,
	} {
		if !codes[code] {
			t.Errorf("no case is refused with %s", code)
		}
	}
}

// What was registered wrong is reported with the chart's own errors, and a
// missing registry is an empty one.
func TestRefusedRegistries(t *testing.T) {
	r := statechart.NewRegistry()
	r.Guard("", func(*Scope) (bool, error) { return true, nil })
	r.Action("twice", func(*Scope) error { return nil })
	r.Action("twice", func(*Scope) error { return nil })
	statechart.Guard(r, "typed", func(*diary, Event) bool { return true })
	statechart.Assign(r, "other", func(*Registry, Event) {})
	list := errorsOf(t, Definition{ID: "c"}, r)
	var codes []string
	for _, e := range list {
		codes = append(codes, string(e.Code)+" "+e.Path)
	}
	if got := strings.Join(codes, ", "); got != "missing registry, duplicate registry, context_type registry" {
		t.Errorf("got\n%s", describeErrors(list))
	}
	list = errorsOf(t, Definition{ID: "c", Root: guardedBy(statechart.When("isReady"))}, nil)
	if list[0].Code != statechart.CodeUnknownGuard {
		t.Errorf("got\n%s", describeErrors(list))
	}
	list = errorsOf(t, Definition{ID: "c", Root: doing(Action{Log: Expression("x")})}, nil)
	if list[0].Code != statechart.CodeExpression || list[0].Path != "root.entry[0].log" {
		t.Errorf("got\n%s", describeErrors(list))
	}
}

// All errors of one definition come at once, in document order, whichever
// check finds them; each can be found by errors.As and reads as one line.
func TestRefusedAllAtOnceInOrder(t *testing.T) {
	d := Definition{ID: "c", Unhandled: "drop", Root: State{Initial: "nosuch", Context: vars("x", nil), Entry: []Action{{Call: "a"}}, States: []State{
		{Name: "p", Type: statechart.Parallel, States: []State{
			{Name: "q", Promote: []Promotion{{Variable: "x", Value: 1}}, On: []Transition{on("e", "zzz")}},
			{Name: "r", Promote: []Promotion{{Variable: "x", Value: 2}}},
		}},
		{Name: "w", Always: []Transition{on("", "w")}},
		{Name: "bad.name"},
		{Name: "v", Entry: []Action{{}}, On: []Transition{on("e", " ")}, Invoke: []Invocation{{ID: "i", Src: "x"}, {ID: "i", Src: "x"}}},
	}}}
	list := errorsOf(t, d, nil)
	var got []string
	for _, e := range list {
		got = append(got, string(e.Code)+" "+e.Path)
	}
	want := []string{
		"invalid unhandled", "unknown_state root.initial", "unknown_action root.entry[0]",
		"unknown_state root.states.p.states.q.on[0].target", "promote_conflict root.states.p.states.r.promote[0]",
		"always_cycle root.states.w.always", "invalid_name root.states[2]",
		"bad_action root.states.v.entry[0]", "missing root.states.v.on[0].target", "duplicate root.states.v.invoke[1].id",
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
	_, err := statechart.Compile(d, nil)
	var first *statechart.Error
	if !errors.As(err, &first) || first.Code != statechart.CodeInvalid {
		t.Errorf("errors.As finds %v", first)
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != len(list) || lines[0] != `unhandled: "drop" is not known (ignore, reject or defer)` {
		t.Errorf("it reads\n%s", err)
	}
}

// An always cycle is named where an always stands.
func TestRefusedPlaceOfAnAlwaysCycle(t *testing.T) {
	s := State{Initial: "a", States: []State{{Name: "a", Always: []Transition{on("", "b")}}, {Name: "b", Initial: "x", Always: []Transition{on("", "a")}, States: []State{{Name: "x"}}}}}
	wantRefused(t, Definition{Root: s}, statechart.CodeCycle, "root.states.b.always")
}

// No hint that names what was written.
func TestRefusedHintForAHistory(t *testing.T) {
	s := State{Initial: "a", States: []State{{Name: "a", On: []Transition{{Event: "e", Guard: Condition{In: "h"}}}}, {Name: "h", Type: statechart.History}}}
	if list := errorsOf(t, Definition{ID: "c", Root: s}, nil); strings.Contains(list[0].Hint, `"h"`) {
		t.Errorf("the hint is %s", list[0].Hint)
	}
}

// One mistake is one error.
func TestRefusedLongNameIsOneError(t *testing.T) {
	s := State{Initial: "a", States: []State{{Name: "a"}, {Name: strings.Repeat("x", 1001)}}}
	wantRefused(t, Definition{Root: s}, statechart.CodeLimit, "root.states[1]")
}

// Arguments that an action of the kind does not have are refused.
func TestRefusedStrayArguments(t *testing.T) {
	for path, a := range map[string]Action{
		"delay": {Log: "x", Delay: 5}, "data": {Call: "refresh", Data: 1}, "params": {Raise: "x", Params: map[string]any{"p": 1}}, "else": {Foreach: []any{}, Else: []Action{say("x")}},
		"as": {Log: "x", As: "y"}, "level": {Emit: "x", Level: "debug"}, "id": {Append: "rows", ID: "x"}, "to": {Emit: "x", To: "y"}, "then": {Raise: "x", Then: []Action{say("x")}}, "index": {Block: []Action{say("x")}, Index: "i"},
	} {
		refusal{root: doing(a), more: func(d *Definition) { d.Lists = []string{"rows"} }, code: statechart.CodeNotAllowed, path: "root.entry[0]." + path}.check(t)
	}
}

// A function that is nil is refused when the chart is compiled.
func TestRefusedNilFunctions(t *testing.T) {
	for name, fill := range map[string]func(*Registry){
		"guard": func(r *Registry) { r.Guard("f", nil) }, "action": func(r *Registry) { r.Action("f", nil) }, "value": func(r *Registry) { r.Value("f", nil) },
		"typed guard": func(r *Registry) { statechart.Guard[diary](r, "f", nil) }, "assign": func(r *Registry) { statechart.Assign[diary](r, "f", nil) },
		"run": func(r *Registry) { statechart.Run[diary](r, "f", nil) }, "compute": func(r *Registry) { statechart.Compute[diary](r, "f", nil) },
	} {
		r := statechart.NewRegistry()
		fill(r)
		c, err := statechart.Compile(Definition{ID: "c"}, r)
		if err == nil || c != nil {
			t.Errorf("a nil %s compiles", name)
		}
	}
}

// What is carried and cannot be written is refused with its place.
func TestRefusedCarriedValues(t *testing.T) {
	bad := map[string]any{"x": func() {}}
	for path, d := range map[string]Definition{
		"root.meta":               {ID: "c", Root: State{Meta: bad}},
		"root.on[0].meta":         {ID: "c", Root: State{On: []Transition{{Event: "e", Meta: math.NaN()}}}},
		"root.invoke[0].retry":    {ID: "c", Root: State{Invoke: []Invocation{{Src: "x", Retry: bad}}}},
		"root.invoke[0].approval": {ID: "c", Root: State{Invoke: []Invocation{{Src: "x", Approval: bad}}}},
		"budget":                  {ID: "c", Budget: bad},
		"input":                   {ID: "c", Input: bad},
		"events[0].data":          {ID: "c", Events: []statechart.EventDeclaration{{Name: "x", Data: bad}}},
	} {
		list := errorsOf(t, d, nil)
		if list[0].Code != statechart.CodeInvalid || list[0].Path != path {
			t.Errorf("%s:\n%s", path, describeErrors(list))
		}
	}
}
