package scxml

import (
	"regexp"
	"strings"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/statechart"
)

// transitionOf reads a <transition> of a state into it.
func (r *reader) transitionOf(e *element, s *spot, st *statechart.State) {
	event := e.attribute("event")
	list, field := &st.Always, "always"
	if event != nil && !blank(event.value) {
		list, field = &st.On, "on"
	} else if event != nil {
		r.noteAttribute(statechart.CodeMissing, e, event, "event names no event", "write a name, or remove the attribute: then the transition waits for none")
	}
	r.descriptors(e, event)
	at := s.add(index(field, len(*list)), e, nil)
	*list = append(*list, r.transition(e, at))
}

// descriptors checks what a transition waits for.
func (r *reader) descriptors(e *element, a *attribute) {
	if a == nil {
		return
	}
	for d := range strings.FieldsSeq(a.value) {
		if stem := strings.TrimSuffix(d, ".*"); d != "*" && strings.Contains(stem, "*") {
			r.noteWord(e, a, d, statechart.CodeInvalidName, quote(d)+" is no event descriptor", "a * stands alone, or after the last dot")
		}
	}
}

func (r *reader) transition(e *element, s *spot) statechart.Transition {
	t := statechart.Transition{Event: strings.Join(strings.Fields(e.attributeText("event")), " "), Type: statechart.External}
	s.mark("event", "event")
	s.mark("guard", "cond")
	s.mark("target", "target")
	s.mark("type", "type")
	if a := e.attribute("type"); a != nil {
		switch a.value {
		case "external":
		case "internal":
			t.Type = statechart.Internal
		default:
			r.noteAttribute(statechart.CodeInvalid, e, a, "a transition is internal or external, not "+quote(a.value), "external is what holds without the attribute")
		}
	}
	if a := e.attribute("cond"); a != nil {
		t.Guard = r.condition(e, a)
	}
	if a := e.attribute("target"); a != nil {
		t.Target = r.targets(e, a)
	}
	if e.attribute("event") == nil && e.attribute("cond") == nil && e.attribute("target") == nil {
		r.warn(statechart.CodeMissing, e, e.at, "<transition> has neither event nor cond nor target, so it is taken again and again", "say when it is taken, or where it leads")
	}
	t.Actions = r.actions(e.elements(), s, "actions")
	return t
}

// targets reads the target of a transition.
func (r *reader) targets(e *element, a *attribute) string {
	var out []string
	for id := range strings.FieldsSeq(a.value) {
		if r.target(e, a, id) != nil {
			out = append(out, "#"+id)
		}
	}
	if blank(a.value) {
		r.noteAttribute(statechart.CodeMissing, e, a, "target names no state", "write the id of one, or remove the attribute: then nothing is left or entered")
	}
	return strings.Join(out, " ")
}

// inPredicate is the one condition that the null data model has.
var inPredicate = regexp.MustCompile(`^\s*In\s*\(\s*(?:'([^']*)'|"([^"]*)")\s*\)\s*$`)

// condition reads a cond.
func (r *reader) condition(e *element, a *attribute) statechart.Condition {
	if r.values() {
		return statechart.Condition{Expression: statechart.Expression(r.sourceText(isCondition, e, a))}
	}
	m := inPredicate.FindStringSubmatchIndex(a.value)
	if m == nil {
		r.noteAttribute(chartfile.CodeDataModel, e, a, "the null data model has no other condition than In('ID')", valuesHint)
		return statechart.Condition{}
	}
	from, to := m[2], m[3]
	if from < 0 {
		from, to = m[4], m[5]
	}
	id := a.value[from:to]
	t := r.states[id]
	if t != nil && t.local != "history" {
		return statechart.Condition{In: "#" + id}
	}
	message, hint := "there is no state "+quote(id)+", so the condition never holds", r.nearest(id, r.stateIDs(), "In takes the id of a state")
	if t != nil {
		message, hint = quote(id)+" is a history, which is never active: the condition never holds", "name its parent"
	}
	r.warn(statechart.CodeUnknownState, e, a.offset(from), message, hint)
	return statechart.Not(statechart.Condition{In: "#" + r.doc.Definition.ID})
}
