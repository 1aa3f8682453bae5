package scxml

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// madeUp are the names that Read gives to states without an id.
var madeUp = regexp.MustCompile(`^_(?:state|parallel|final|history)_\d+·*$`)

// names gives each state its id in the document.
func (w *writer) names() {
	taken := map[string]string{}
	for _, n := range w.tree.all[1:] {
		n.name = n.state.ID
		if n.name == "" && !madeUp.MatchString(n.state.Name) {
			n.name = n.state.Name
		}
		switch {
		case n.name == "":
			continue
		case len(strings.Fields(n.name)) != 1 || strings.TrimSpace(n.name) != n.name:
			w.fail(n.place+".id", "an id is one word", "the state has the id %q", n.name)
		case taken[n.name] != "":
			w.fail(n.place+".id", "give one of them another id", "the id %q is that of %s, too", n.name, taken[n.name])
		}
		taken[n.name] = n.place
	}
}

// top writes the root into <scxml>.
func (w *writer) top(t *tag) {
	n := w.tree.root
	s := n.state
	if s.Type != "" && s.Type != statechart.Compound || len(s.On)+len(s.Always)+len(s.Exit)+len(s.InitialActions)+len(s.Invoke) > 0 || s.Output != nil {
		w.fail("root", "put it into a state around the others", "the top of a document holds states, data and scripts, and nothing else")
	}
	if !n.hasChildren() || slices.ContainsFunc(n.children, func(c *node) bool { return c.state.Type == statechart.History }) {
		w.fail("root.states", "put them into a state", "at the top of a document there is a state and no history")
	}
	w.unsaid(n)
	w.initial(t, n)
	w.data(t, n)
	for i, block := range s.Entry {
		path := fmt.Sprintf("root.entry[%d]", i)
		for k, a := range block.Block {
			if a.Script == "" {
				w.fail(fmt.Sprintf("%s.block[%d]", path, k), "put it into a state around the others", "the top of a document has no other actions than scripts")
				continue
			}
			w.script(t, &a, path)
		}
		if block.Block == nil {
			w.fail(path, "put it into a state around the others", "the top of a document has no other actions than scripts")
		}
	}
	w.children(t, n)
}

// unsaid refuses what the elements of SCXML have no place for.
func (w *writer) unsaid(n *node) {
	s := n.state
	for _, f := range []struct {
		is         bool
		name, hint string
	}{
		{len(s.After) > 0, "after", "send an event with a delay on entry, and cancel it on exit"},
		{len(s.Every) > 0, "every", "send the next event with a delay whenever one comes"},
		{len(s.OnDone) > 0, "onDone", "write on: done.state." + n.id},
		{len(s.Promote) > 0, "promote", "assign it on exit"},
		{len(s.Defer) > 0, "defer", "SCXML has nothing like it"},
		{len(s.Tools) > 0 || s.ToolsOnly, "tools", "SCXML has nothing like it"},
		{s.WarnAfter != nil, "warnAfter", "SCXML has nothing like it"},
		{s.Output != nil && s.Type != statechart.Final && n.parent != nil, "output", "give it to a final state"},
	} {
		if f.is {
			w.fail(n.place+"."+f.name, f.hint, "%s cannot be said in SCXML", f.name)
		}
	}
}

func (w *writer) children(t *tag, n *node) {
	for _, c := range n.children {
		w.state(t, c)
	}
}

// state writes a state with all below it.
func (w *writer) state(parent *tag, n *node) {
	s := n.state
	name := "state"
	switch s.Type {
	case statechart.Parallel, statechart.Final, statechart.History:
		name = string(s.Type)
	}
	t := parent.add(name)
	t.comment = comment(s.Description)
	if n.name != "" {
		w.attribute(t, "id", n.name, n.place+".id")
	}
	w.unsaid(n)
	if s.Type == statechart.Final && n.parent.state.Type == statechart.Parallel {
		w.fail(n.place+".type", "put it into a state", "a final state that is a region cannot be said in SCXML")
	}
	if s.Type == statechart.History {
		w.history(t, n)
		return
	}
	w.initial(t, n)
	w.data(t, n)
	w.blocks(t, "onentry", s.Entry, n.place+".entry")
	w.blocks(t, "onexit", s.Exit, n.place+".exit")
	for i := range s.Invoke {
		w.invocation(t, &s.Invoke[i], fmt.Sprintf("%s.invoke[%d]", n.place, i))
	}
	for i := range s.On {
		w.transition(t, n, &s.On[i], fmt.Sprintf("%s.on[%d]", n.place, i), true)
	}
	for i := range s.Always {
		w.transition(t, n, &s.Always[i], fmt.Sprintf("%s.always[%d]", n.place, i), false)
	}
	if s.Output != nil {
		w.payload(t.add("donedata"), s.Output, n.place+".output")
	}
	w.children(t, n)
}

// targets writes the ids of targets, and says which of them there are not.
func (w *writer) targets(text string, resolve func(string) *node, path string) string {
	var ids []string
	for _, one := range strings.Fields(text) {
		switch n := resolve(one); {
		case n == nil || n == w.tree.root:
			w.fail(path, "a target is a state of the document", "there is no state %q here", one)
		case n.name == "":
			w.fail(path, "give it an id", "the state %q has no id", one)
		default:
			ids = append(ids, n.name)
		}
	}
	return strings.Join(ids, " ")
}

// initial writes where a state is entered by default.
func (w *writer) initial(t *tag, n *node) {
	s := n.state
	if !n.isCompound() || s.Initial == "" {
		return
	}
	resolve := func(text string) *node { return w.tree.initial(n, text) }
	first := n.children[slices.IndexFunc(n.children, func(c *node) bool { return c.state.Type != statechart.History })]
	if len(s.InitialActions) == 0 && resolve(s.Initial) == first && first.name == "" {
		return // what has no id is entered because it is the first
	}
	ids := w.targets(s.Initial, resolve, n.place+".initial")
	if len(s.InitialActions) == 0 {
		w.attribute(t, "initial", ids, n.place+".initial")
		return
	}
	inner := t.add("initial").add("transition")
	inner.set("target", ids)
	w.actions(inner, s.InitialActions, n.place+".initialActions")
}

func (w *writer) history(t *tag, n *node) {
	s := n.state
	if s.History == "deep" {
		t.set("type", "deep")
	}
	if s.Initial == "" {
		return
	}
	inner := t.add("transition")
	w.attribute(inner, "target", w.targets(s.Initial, func(text string) *node { return w.tree.initial(n.parent, text) }, n.place+".initial"), n.place+".initial")
	w.actions(inner, s.InitialActions, n.place+".initialActions")
}

// data writes the variables of a state. What is not declared as data, of loops
// and of the data model itself, comes back by itself.
func (w *writer) data(t *tag, n *node) {
	list := n.state.Context
	if len(list) == 0 {
		return
	}
	model := t.add("datamodel")
	for _, v := range list {
		path := n.place + ".context." + v.Name
		d := model.add("data")
		w.attribute(d, "id", v.Name, path)
		w.value(d, v.Value, path)
	}
}

// blocks writes the blocks of <onentry> or <onexit>. What is not in a block is
// one, together with what follows it.
func (w *writer) blocks(t *tag, name string, list []statechart.Action, path string) {
	for i := range list {
		at := fmt.Sprintf("%s[%d]", path, i)
		if list[i].Block != nil {
			w.actions(t.add(name), list[i].Block, at+".block")
			continue
		}
		if slices.ContainsFunc(list[i:], func(a statechart.Action) bool { return a.Block != nil }) {
			w.fail(at, "put it into a block of its own, or behind the blocks", "an error of this action would stop the blocks behind it, and SCXML cannot say so")
			continue
		}
		w.actionsAt(t.add(name), list[i:], path, i)
		return
	}
}

// transition writes one candidate of n.
func (w *writer) transition(parent *tag, n *node, tr *statechart.Transition, path string, event bool) {
	t := parent.add("transition")
	t.comment = comment(tr.Description)
	if event {
		w.attribute(t, "event", strings.Join(strings.Fields(tr.Event), " "), path+".event")
	}
	if cond, ok := w.condition(&tr.Guard, path+".guard"); ok {
		w.attribute(t, "cond", cond, path+".guard")
	}
	if tr.Target != "" {
		w.attribute(t, "target", w.targets(tr.Target, func(text string) *node { return w.tree.target(n, text) }, path+".target"), path+".target")
	}
	switch {
	case tr.Type == statechart.Internal:
		t.set("type", "internal")
	case tr.Type == statechart.Local && tr.Target != "":
		w.fail(path+".type", `write "external" or "internal"`, "a local transition cannot be said in SCXML")
	}
	w.actions(t, tr.Actions, path+".actions")
}
