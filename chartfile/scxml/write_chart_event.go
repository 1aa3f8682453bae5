package scxml

import (
	"slices"
	"strings"

	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/statechart"
)

// engineEvents are those that the engine raises, whatever the document is.
var engineEvents = []string{"error.communication", "error.execution", "error.platform"}

// events gathers the names of events that can come, as the document has them.
func (t *translator) events() {
	t.names = slices.Clone(engineEvents)
	add := func(name string) {
		if renamed, ok := t.renamed[name]; ok {
			name = renamed
		}
		stem, isPrefix := strings.CutSuffix(name, ".*")
		switch {
		case name == "" || name == "*":
		case isPrefix:
			t.prefixes = append(t.prefixes, stem)
		default:
			t.names = append(t.names, name)
		}
	}
	for _, e := range t.def.Events {
		add(e.Name)
	}
	for _, n := range t.tree.all {
		if n.isCompound() && n.parent != nil || n.state.Type == statechart.Parallel && n.parent != nil {
			t.names = append(t.names, "done.state."+n.name)
		}
		for i := range n.state.On {
			add(n.state.On[i].Event)
		}
		t.timed = t.timed || len(n.state.After) > 0
		eachAction(n.state, func(a *statechart.Action) {
			for _, event := range []any{a.Raise, a.Send} {
				if name, ok := event.(string); ok {
					add(name)
				}
			}
		})
	}
}

// narrowed is the condition that makes a descriptor of SCXML take what the
// chart's takes: one of tokens also takes longer names, and "*" what the
// engine raises. It is "" where the chart knows nothing to keep out.
func (t *translator) narrowed(event string) string {
	switch {
	case event == "":
		return ""
	case event == "*":
		return t.notEngine()
	case strings.HasSuffix(event, ".*") || strings.HasPrefix(event, "after."):
		return ""
	}
	only := "_event.name == " + expression.Quote(event)
	if strings.HasSuffix(event, ".") {
		return only // SCXML drops the dot
	}
	for _, name := range t.names {
		if strings.HasPrefix(name, event+".") {
			return only
		}
	}
	for _, stem := range t.prefixes {
		if strings.HasPrefix(event+".", stem+".") || strings.HasPrefix(stem, event+".") {
			return only
		}
	}
	return ""
}

// notEngine says that an event is not one of the engine's.
func (t *translator) notEngine() string {
	var begins []string
	if t.timed {
		begins = append(begins, "after.")
	}
	if slices.ContainsFunc(t.names, func(name string) bool { return strings.HasPrefix(name, "done.state.") }) {
		begins = append(begins, "done.state.")
	}
	list, _ := sourceOf(anyList(engineEvents))
	out := "_event.name not in " + list
	for _, begin := range begins {
		out += " and not (_event.name startsWith " + expression.Quote(begin) + ")"
	}
	return out
}

// eachAction calls f for every action of a state, not of those below it.
func eachAction(s *statechart.State, f func(a *statechart.Action)) {
	var visit func(list []statechart.Action)
	visit = func(list []statechart.Action) {
		for i := range list {
			f(&list[i])
			visit(list[i].Then)
			visit(list[i].Else)
			visit(list[i].Block)
		}
	}
	transitions := func(list []statechart.Transition) {
		for i := range list {
			visit(list[i].Actions)
		}
	}
	visit(s.Entry)
	visit(s.Exit)
	visit(s.InitialActions)
	transitions(s.On)
	transitions(s.Always)
	transitions(s.OnDone)
	for i := range s.After {
		transitions(s.After[i].Transitions)
	}
}
