package chartfile

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// state adds what a state says to its object.
func (w *writer) state(b *objectBuilder, s *statechart.State, path string, at *scope) {
	b.addText("type", string(s.Type))
	b.addText("id", s.ID)
	b.addText("description", s.Description)
	initial := "initial"
	if s.Type == statechart.History {
		initial = "target"
	}
	b.add(initial, w.initial(s, path, at))
	b.add("context", w.variables(s.Context, path+".context", at))
	b.add("promote", w.promotions(s.Promote, path+".promote", at))
	b.add("tools", tools(s))
	b.add("defer", textsNode(s.Defer))
	b.add("entry", w.actionList(s.Entry, path+".entry", at))
	b.add("exit", w.actionList(s.Exit, path+".exit", at))
	b.add("invoke", w.invocations(s, path, at))
	b.add("on", w.on(s, path+".on", at))
	b.add("always", w.transitions(s.Always, path+".always", at, s, nil))
	b.add("after", w.timers(s, s.After, path+".after", at))
	b.add("every", w.timers(s, s.Every, path+".every", at))
	b.add("onDone", w.transitions(s.OnDone, path+".onDone", at, s, nil))
	if s.WarnAfter != nil {
		b.add("warnAfter", w.delay(s.WarnAfter, path+".warnAfter"))
	}
	b.add("states", w.states(s, path, at))
	b.addText("history", s.History)
	b.addText("status", s.Status)
	b.add("output", w.optional(s.Output, path+".output", at))
	b.add("tags", textsNode(s.Tags))
	b.add("meta", w.literal(s.Meta, path+".meta"))
}

func (w *writer) states(s *statechart.State, path string, at *scope) *document.Node {
	var b objectBuilder
	for i := range s.States {
		child := &s.States[i]
		path := path + ".states." + child.Name
		var object objectBuilder
		w.state(&object, child, path, at.inside(child.Context))
		n := object.ordered(reflect.TypeFor[stateObject]())
		n.Flow = len(child.States) == 0
		w.unique(&b, child.Name, path, n)
	}
	return b.optional()
}

// initial is where a state is entered by default, nil when it does not say.
func (w *writer) initial(s *statechart.State, path string, at *scope) *document.Node {
	targets := textsNode(strings.Fields(s.Initial))
	if targets != nil {
		targets = oneOrManyNode(targets.Items)
	}
	if len(s.InitialActions) == 0 {
		return targets
	}
	if targets == nil {
		return w.fail(path+".initialActions", "name the target", "actions of a default without a target")
	}
	var b objectBuilder
	b.add("target", targets)
	b.add("actions", w.actionList(s.InitialActions, path+".initialActions", at))
	return b.node()
}

func (w *writer) promotions(list []statechart.Promotion, path string, at *scope) *document.Node {
	var b objectBuilder
	for i, p := range list {
		path := fmt.Sprintf("%s[%d]", path, i)
		n := w.value(p.Value, path+".value", at)
		if n != nil && (p.Merge != "" || readsAsPromotion(n)) {
			var long objectBuilder
			long.add("value", n)
			long.addText("merge", p.Merge)
			n = long.node()
		}
		w.unique(&b, p.Variable, path, n)
	}
	return b.optional()
}

// readsAsPromotion reports whether a value would be taken for the long form.
func readsAsPromotion(n *document.Node) bool {
	_, ok := n.Field("value")
	return n.Kind == document.Object && ok
}

func tools(s *statechart.State) *document.Node {
	list := textsNode(s.Tools)
	if !s.ToolsOnly {
		return list
	}
	if list == nil {
		list = listNode(nil)
	}
	var b objectBuilder
	b.add("only", list)
	return b.node()
}

// timers are the transitions of after or every by their delays.
func (w *writer) timers(s *statechart.State, list []statechart.Timed, path string, at *scope) *document.Node {
	var b objectBuilder
	for i := range list {
		t := &list[i]
		path := fmt.Sprintf("%s[%d]", path, i)
		if len(t.Transitions) == 0 {
			w.fail(path, "give it a transition", "a timer without transitions")
			continue
		}
		delay := w.delay(t.Delay, path+".delay")
		if delay == nil {
			continue
		}
		n := w.transitions(t.Transitions, path+".transitions", at, s, func(b *objectBuilder) {
			b.addTrue("keep", t.Keep)
			b.addText("missed", t.Missed)
		})
		w.unique(&b, delay.Text, path, n)
	}
	return b.optional()
}
