package scxml

import (
	"fmt"
	"slices"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// state makes a state with all below it. The root of a chart becomes one, too,
// without the final states that end the session.
func (t *translator) state(n *node) statechart.State {
	s := n.state
	out := statechart.State{Name: n.name, ID: n.name, Description: s.Description}
	switch s.Type {
	case statechart.Parallel, statechart.Final, statechart.History:
		out.Type = s.Type
	}
	t.unsaid(n)
	t.at = n
	if s.Type == statechart.History {
		t.at = n.parent
		t.history(n, &out)
		return out
	}
	if n.isCompound() {
		out.Initial = t.initialPath(n, s.Initial, n.place+".initial")
		out.InitialActions = t.actions(s.InitialActions, n.place+".initialActions")
	}
	if n.parent != nil {
		t.localData(n, &out)
	}
	out.Entry = append(out.Entry, t.blocks(s.Entry, n.place+".entry")...)
	out.Exit = t.blocks(s.Exit, n.place+".exit")
	t.timers(n, &out)
	t.transitions(n, &out)
	if n.parent != nil && s.Type == statechart.Final {
		out.Output = t.output(n)
	}
	for _, c := range n.children {
		if n.parent == nil && c.state.Type == statechart.Final {
			continue
		}
		out.States = append(out.States, t.state(c))
	}
	return out
}

// output is what a final state's done event carries: a final state of the root
// carries the root's, if there is one.
func (t *translator) output(n *node) any {
	if root := n.parent.state; n.parent.parent == nil && root.Output != nil {
		t.at = n.parent
		return t.payload(root.Output, "root.output")
	}
	return t.payload(n.state.Output, n.place+".output")
}

// unsaid refuses what a state of a chart says and SCXML does not.
func (t *translator) unsaid(n *node) {
	s := n.state
	for _, f := range []struct {
		is          bool
		field, hint string
	}{
		{len(s.Every) > 0, "every", "use after, and enter the state again"},
		{len(s.Promote) > 0, "promote", "declare the variable above, and assign it"},
		{len(s.Defer) > 0, "defer", "SCXML has nothing like it"},
		{len(s.Tools) > 0 || s.ToolsOnly, "tools", "SCXML has nothing like it"},
		{s.WarnAfter != nil, "warnAfter", "SCXML has nothing like it"},
		{len(s.Invoke) > 0, "invoke", "SCXML invokes sessions of SCXML only; send an event to the one who can do it"},
		{s.Output != nil && s.Type == statechart.Parallel && n.parent != nil, "output", "give the outputs to final states"},
	} {
		if f.is {
			t.fail(n.place+"."+f.field, f.hint, "%s cannot be said in SCXML", f.field)
		}
	}
	if s.Type == statechart.Final && n.parent != nil && n.parent.state.Type == statechart.Parallel {
		t.fail(n.place+".type", "put it into a state of the parallel one", "a final state that is a region cannot be said in SCXML")
	}
}

// initialPath writes where a state is entered by default, as paths below it.
func (t *translator) initialPath(n *node, text, place string) string {
	var out []string
	for _, one := range strings.Fields(text) {
		if to := t.tree.initial(n, one); to != nil && to.isBelow(n) {
			out = append(out, docPath(to, n))
		} else {
			t.fail(place, "name a state below it", "there is no state %q below", one)
		}
	}
	if len(out) == 0 && text == "" {
		t.fail(place, "name one of its states", "a state with children needs an initial")
	}
	return strings.Join(out, " ")
}

// docPath is the path of a state below another, in the names of the document.
func docPath(n, base *node) string {
	path := n.name
	for up := n.parent; up != nil && up != base; up = up.parent {
		path = up.name + "." + path
	}
	return path
}

// history makes a history, which names its default.
func (t *translator) history(n *node, out *statechart.State) {
	s := n.state
	out.History = "shallow"
	if s.History == "deep" {
		out.History = "deep"
	}
	text, parent := s.Initial, n.parent
	switch {
	case text != "":
	case parent.state.Type == statechart.Parallel:
		var all []string
		for _, c := range parent.children {
			if c.state.Type != statechart.History {
				all = append(all, c.state.Name)
			}
		}
		text = strings.Join(all, " ")
	default:
		text = parent.state.Initial
	}
	out.Initial = t.initialPath(parent, text, n.place+".initial")
	out.InitialActions = t.actions(s.InitialActions, n.place+".initialActions")
}

// blocks are the blocks of an entry or an exit: a chart has one, or several
// that are marked.
func (t *translator) blocks(list []statechart.Action, path string) []statechart.Action {
	var out []statechart.Action
	for i := range list {
		if list[i].Block != nil {
			if actions := t.actions(list[i].Block, fmt.Sprintf("%s[%d].block", path, i)); len(actions) > 0 {
				out = append(out, statechart.Action{Block: actions})
			}
			continue
		}
		if slices.ContainsFunc(list[i:], func(a statechart.Action) bool { return a.Block != nil }) {
			t.fail(fmt.Sprintf("%s[%d]", path, i), "put it behind the blocks", "an error of this action would stop the blocks behind it, and SCXML cannot say so")
			continue
		}
		return append(out, statechart.Action{Block: t.actionsAt(list[i:], path, i)})
	}
	return out
}

// timers send the events of After when the state is entered, each in a block
// of its own behind the state's, and cancel them when it is left.
func (t *translator) timers(n *node, out *statechart.State) {
	var cancel []statechart.Action
	for i := range n.state.After {
		timed, path := &n.state.After[i], fmt.Sprintf("%s.after[%d]", n.place, i)
		if timed.Keep {
			t.fail(path+".keep", "let it begin anew", "a timer that goes on with what remained cannot be said in SCXML")
		}
		name := timerName(n, i)
		send := statechart.Action{Send: name, ID: name, Delay: t.delay(timed.Delay, path+".delay")}
		out.Entry = append(out.Entry, statechart.Action{Block: []statechart.Action{send}})
		cancel = append(cancel, statechart.Action{Cancel: name})
	}
	if len(cancel) > 0 {
		out.Exit = append(out.Exit, statechart.Action{Block: cancel})
	}
}

// timerName is the event, and the id, of a state's timer: the one that it has
// in the chart, for those who look at names.
func timerName(n *node, i int) string {
	path := n.path
	if n.parent == nil {
		path = "#" + n.id
	}
	return fmt.Sprintf("after.%s:%d", path, i)
}
