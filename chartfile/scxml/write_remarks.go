package scxml

import (
	"reflect"
	"slices"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// Remarks says, in sentences for whoever converts a chart, what is different
// when [Write] has written it as a document: what only the door of a session
// checks, what has no place in SCXML and changes nothing that the chart does
// inside, and what the engine does for charts alone. There are none for a
// definition in the scxml dialect. Whether it can be written is not asked. The
// caller owns the slice.
func Remarks(def statechart.Definition) []string {
	if def.Dialect == "scxml" {
		return nil
	}
	tree := newTree(&def)
	var out []string
	add := func(is bool, sentence string) {
		if is {
			out = append(out, sentence)
		}
	}
	add(canFail(tree) && !takesErrors(tree), "An error event that nothing takes fails the session of the chart (R21); in SCXML it is ignored.")
	add(!hasStar(tree), "An event that the chart does not name is refused; a document ignores it, or takes it for one that its name begins with, as door.open for door.")
	add(hasStar(tree), "An event that the chart does not name is taken by \"*\"; a document may take it for one that its name begins with, as door.open for door.")
	add(def.Input != nil, "The schema of the input is left out: a document takes any, and a field with the name of a variable of the root is its first value.")
	add(slices.ContainsFunc(def.Events, func(e statechart.EventDeclaration) bool { return e.Data != nil || len(e.From) > 0 }),
		"The schemas of events and who may send them are left out: a document takes any data, from anybody.")
	add(slices.ContainsFunc(def.Root.Context, func(v statechart.Variable) bool { return !isLiteral(v.Value) }),
		"A first value of the root's data that cannot be made refuses the start of the chart; in SCXML it is the event error.execution.")
	add(usesSession(tree), "What session.chart gives is the name of the document's file.")
	add(def.Limits != statechart.Limits{}, "The limits are left out: the document has those that are built in.")
	add(def.Budget != nil, "The budget is left out.")
	add(def.Version != "", "The version is left out.")
	add(tree.has(func(s *statechart.State) bool { return s.Status == "failed" }),
		"Final states that mean failure are final states like others: SCXML knows no failed end.")
	add(tree.has(func(s *statechart.State) bool { return len(s.Tags) > 0 || s.Meta != nil }), "Tags and meta are left out.")
	add(tree.has(func(s *statechart.State) bool { return len(s.OnDone) > 0 }) || mentionsDone(tree),
		"Done events are named after the ids in the document, done.state.ID, and not after paths.")
	return out
}

// has reports whether one of the states is such.
func (t *tree) has(is func(s *statechart.State) bool) bool {
	return slices.ContainsFunc(t.all, func(n *node) bool { return is(n.state) })
}

// canFail reports whether something in a chart can raise an error: there is
// an expression, or an event that is sent to somebody.
func canFail(t *tree) bool {
	return t.has(func(s *statechart.State) bool {
		found := false
		visitStrings(stateAlone(s), func(condition bool, _ string) { found = found || !condition })
		eachAction(s, func(a *statechart.Action) { found = found || a.To != nil || a.Fail != "" || a.Foreach != nil })
		return found
	})
}

// usesSession reports whether an expression may look at session.chart.
func usesSession(t *tree) bool {
	found := false
	visitStrings(*t.root.state, func(condition bool, text string) { found = found || !condition && strings.Contains(text, "session") })
	return found
}

// stateAlone is a state without those below it.
func stateAlone(s *statechart.State) statechart.State {
	alone := *s
	alone.States = nil
	return alone
}

// takesErrors reports whether the root takes every error event.
func takesErrors(t *tree) bool {
	return slices.ContainsFunc(t.root.state.On, func(tr statechart.Transition) bool {
		return tr.Event == "error.*" && reflect.DeepEqual(tr.Guard, statechart.Condition{})
	})
}

func hasStar(t *tree) bool {
	return t.has(func(s *statechart.State) bool {
		return slices.ContainsFunc(s.On, func(tr statechart.Transition) bool { return tr.Event == "*" })
	})
}

// mentionsDone reports whether a transition names the done event of a state.
func mentionsDone(t *tree) bool {
	return t.has(func(s *statechart.State) bool {
		return slices.ContainsFunc(s.On, func(tr statechart.Transition) bool {
			return strings.HasPrefix(tr.Event, "done.state.") && tr.Event != "done.state.*"
		})
	})
}
