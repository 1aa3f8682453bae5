package chartfile

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// on groups the transitions of a state by their events.
func (w *writer) on(s *statechart.State, path string, at *scope) *document.Node {
	var b objectBuilder
	groups := map[string][]*document.Node{}
	var events []string
	for i := range s.On {
		t := &s.On[i]
		if t.Event == "" {
			w.fail(fmt.Sprintf("%s[%d].event", path, i), "name its event", "a transition of on has no event")
			continue
		}
		if groups[t.Event] == nil {
			events = append(events, t.Event)
		}
		groups[t.Event] = append(groups[t.Event], w.transition(t, fmt.Sprintf("%s[%d]", path, i), at, s, nil))
	}
	for _, event := range events {
		b.add(event, oneOrManyNode(groups[event]))
	}
	return b.optional()
}

// transitions are the candidates of one event that stands elsewhere. Extra
// adds what the place wants in each.
func (w *writer) transitions(list []statechart.Transition, path string, at *scope, s *statechart.State, extra func(*objectBuilder)) *document.Node {
	if len(list) == 0 {
		return nil
	}
	var out []*document.Node
	for i := range list {
		path := fmt.Sprintf("%s[%d]", path, i)
		if list[i].Event != "" {
			w.fail(path+".event", "leave it empty", "the event %q cannot be said here: it follows from the place", list[i].Event)
		}
		out = append(out, w.transition(&list[i], path, at, s, extra))
	}
	return oneOrManyNode(out)
}

// transition is a target, or an object; {} does nothing and so forbids.
func (w *writer) transition(t *statechart.Transition, path string, at *scope, s *statechart.State, extra func(*objectBuilder)) *document.Node {
	var b objectBuilder
	targets := strings.Fields(t.Target)
	if list := textsNode(targets); list != nil {
		b.add("target", oneOrManyNode(list.Items))
	}
	b.add("guard", w.condition(&t.Guard, path+".guard", at))
	b.add("actions", w.actionList(t.Actions, path+".actions", at))
	b.addTrue("reenter", w.reenters(t, targets, path, s))
	b.addText("description", t.Description)
	b.add("meta", w.literal(t.Meta, path+".meta"))
	if extra != nil {
		extra(&b)
	}
	if len(targets) == 1 && len(b.fields) == 1 {
		return b.fields[0].Value
	}
	return onOneLine(b.ordered(reflect.TypeFor[transitionObject]()))
}

// reenters reports whether a transition is external. An internal one is local
// or external, by its source and targets (R9); where that does not show here
// it cannot be written.
func (w *writer) reenters(t *statechart.Transition, targets []string, path string, s *statechart.State) bool {
	switch {
	case t.Type == statechart.External:
		return true
	case t.Type == statechart.Local || len(targets) == 0:
		return false
	case t.Type != statechart.Internal:
		w.fail(path+".type", `leave it empty, or "external" or "internal"`, "the type %q is not known", string(t.Type))
		return false
	case s.Type == statechart.Parallel || len(s.States) == 0:
		return true
	}
	if slices.ContainsFunc(targets, func(target string) bool { return len(target) < 2 || target[0] != '.' }) {
		w.fail(path+".type", "write its targets as .path, leave the type empty, or make it external", "whether an internal transition leaves its source does not show in these targets")
	}
	return false
}

// condition is a guard, nil when there is none.
func (w *writer) condition(c *statechart.Condition, path string, at *scope) *document.Node {
	var b objectBuilder
	forms := 0
	form := func(is bool, write func()) {
		if is {
			forms++
			write()
		}
	}
	var short *document.Node
	form(c.Name != "", func() {
		w.guards[c.Name] = true
		if c.Params == nil && !at.has(c.Name) {
			short = textNode(c.Name)
		}
		b.add("type", textNode(c.Name))
		b.add("params", w.params(c.Params, path+".params", at))
	})
	form(c.Expression != "", func() { short = w.bare(c.Expression, path) })
	form(c.And != nil, func() { b.add("and", w.conditions(c.And, path+".and", at)) })
	form(c.Or != nil, func() { b.add("or", w.conditions(c.Or, path+".or", at)) })
	form(c.Not != nil, func() { b.add("not", w.condition(c.Not, path+".not", at)) })
	form(c.In != "", func() { b.addText("in", c.In) })
	switch {
	case forms == 0 && c.Params == nil:
		return nil
	case forms != 1 || c.Params != nil && c.Name == "":
		return w.fail(path, "a name with params, an expression, and, or, not, in", "a condition has one form; this has %d", forms)
	case short != nil:
		return short
	case len(b.fields) == 0:
		return nil // it was refused
	}
	return onOneLine(b.node())
}

func (w *writer) conditions(list []statechart.Condition, path string, at *scope) *document.Node {
	n := listNode(nil)
	for i := range list {
		path := fmt.Sprintf("%s[%d]", path, i)
		if item := w.condition(&list[i], path, at); item != nil {
			n.Items = append(n.Items, item)
		} else {
			w.fail(path, "remove it", "an empty condition cannot be written")
		}
	}
	return n
}

// bare is an expression where nothing but an expression may stand.
func (w *writer) bare(e statechart.Expression, path string) *document.Node {
	source := strings.TrimSpace(string(e))
	if _, err := expression.Parse(source); err != nil && strings.Contains(source, "${") {
		return w.fail(path, "write the expression alone", "the expression has a ${ in it that no text holds")
	}
	w.bares = append(w.bares, bareExpression{source, path})
	return textNode(source)
}
