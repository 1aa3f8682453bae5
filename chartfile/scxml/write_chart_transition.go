package scxml

import (
	"fmt"
	"slices"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// transitions are those of a state in the order in which a chart asks them:
// exact names, then prefixes from the longest, then "*" (R6).
func (t *translator) transitions(n *node, out *statechart.State) {
	type candidate struct {
		rank int
		statechart.Transition
	}
	var all []candidate
	add := func(tr *statechart.Transition, event, path string) {
		rank := 0
		switch {
		case event == "*":
			rank = 2000
		case strings.HasSuffix(event, ".*"):
			rank = 1000 - len(event)
		}
		all = append(all, candidate{rank, t.transition(n, tr, event, path)})
	}
	s := n.state
	for i := range s.On {
		path := fmt.Sprintf("%s.on[%d]", n.place, i)
		add(&s.On[i], t.descriptor(s.On[i].Event, path+".event"), path)
	}
	if n.parent != nil {
		for i := range s.OnDone {
			add(&s.OnDone[i], "done.state."+n.name, fmt.Sprintf("%s.onDone[%d]", n.place, i))
		}
	}
	for i := range s.After {
		for k := range s.After[i].Transitions {
			add(&s.After[i].Transitions[k], timerName(n, i), fmt.Sprintf("%s.after[%d].transitions[%d]", n.place, i, k))
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return a.rank - b.rank })
	for _, c := range all {
		out.On = append(out.On, c.Transition)
	}
	for i := range s.Always {
		out.Always = append(out.Always, t.transition(n, &s.Always[i], "", fmt.Sprintf("%s.always[%d]", n.place, i)))
	}
}

// descriptor is the name of an event as the document has it.
func (t *translator) descriptor(text, path string) string {
	if name, ok := t.renamed[text]; ok {
		return name
	}
	stem, isPrefix := strings.CutSuffix(text, ".*")
	switch {
	case isPrefix && strings.HasPrefix(stem, "done.state."):
		t.fail(path, "write done.state.*, or name the states", "done events of %q have other names in SCXML", stem)
	}
	return text
}

// transition is one candidate.
func (t *translator) transition(n *node, tr *statechart.Transition, event, path string) statechart.Transition {
	out := statechart.Transition{Event: event, Type: statechart.External, Description: tr.Description}
	cond := t.condition(&tr.Guard, path+".guard")
	if more := t.narrowed(event); more != "" {
		if cond != "" {
			more += " and " + inBrackets(cond)
		}
		cond = more
	}
	if cond != "" {
		t.parses(cond, path+".guard")
		out.Guard.Expression = statechart.Expression(cond)
	}
	if tr.Target != "" {
		t.aim(n, tr, path, &out)
	}
	out.Actions = t.actions(tr.Actions, path+".actions")
	if event == "" && cond == "" && out.Target == "" {
		t.fail(path, "give it a guard", "a transition that waits for nothing and leads nowhere cannot be said in SCXML")
	}
	return out
}

// aim says what a transition with targets exits and enters (R9).
func (t *translator) aim(n *node, tr *statechart.Transition, path string, out *statechart.Transition) {
	var targets []*node
	for _, one := range strings.Fields(tr.Target) {
		to := t.tree.target(n, one)
		if to == nil {
			t.fail(path+".target", "name a state of the chart", "there is no state %q here", one)
			return
		}
		targets = append(targets, to)
	}
	kind := tr.Type
	if n.parent == nil {
		kind = statechart.Local // the root is never left
	}
	if kind == statechart.Local {
		t.local(n, targets, path, out)
		return
	}
	if slices.Contains(targets, t.tree.root) {
		t.fail(path+".target", "name the states that are entered", "a transition to the root cannot be said in SCXML")
		return
	}
	out.Type, out.Target = kind, idsOf(targets)
	if kind == statechart.External || !n.isCompound() || !allBelow(targets, n) {
		t.leavesRoot(n, targets, path)
	}
}

// local says what a local transition does: nothing is left but what lies
// below its source, when all targets do.
func (t *translator) local(n *node, targets []*node, path string, out *statechart.Transition) {
	itself := len(targets) == 1 && targets[0] == n
	switch {
	case itself && n.isCompound():
		if targets = t.restart(n); targets == nil {
			t.again(n, []*node{n}, path, out)
			return
		}
		out.Type, out.Target = statechart.Internal, idsOf(targets)
	case itself && n.hasChildren():
		t.again(n, targets, path, out)
	case itself:
		// On a leaf it is the same as without a target.
	case n.parent == nil && isFinal(targets[0]):
		out.Target = idsOf(targets) // it lies beside the state that the root is
	case allBelow(targets, n) && n.isCompound():
		out.Type, out.Target = statechart.Internal, idsOf(targets)
	case allBelow(targets, n):
		t.again(n, targets, path, out)
	case slices.Contains(targets, t.tree.root):
		t.fail(path+".target", "name the states that are entered", "a transition to the root cannot be said in SCXML")
	default:
		for _, to := range targets {
			if to.state.Type == statechart.History && n.isBelow(to.parent) {
				t.fail(path+".target", "write reenter: true", "a local transition to a history above its source cannot be said in SCXML")
			}
		}
		out.Target = idsOf(targets)
		t.leavesRoot(n, targets, path)
	}
}

// restart are the states that a compound state is entered in by default; nil
// where that cannot be said as the targets of a transition.
func (t *translator) restart(n *node) []*node {
	if len(n.state.InitialActions) > 0 {
		return nil
	}
	var out []*node
	for _, one := range strings.Fields(n.state.Initial) {
		to := t.tree.initial(n, one)
		if to == nil || !to.isBelow(n) || n.parent == nil && isFinal(to) {
			return nil
		}
		out = append(out, to)
	}
	return out
}

// again says with an external transition what a local one does, which is the
// same when nothing notices that the source is left and entered again.
func (t *translator) again(n *node, targets []*node, path string, out *statechart.Transition) {
	if !t.unnoticed(n) {
		t.fail(path+".target", "write reenter: true, or name the states that are entered",
			"a transition that restarts what is in %q, and does not leave it, cannot be said in SCXML", n.label())
		return
	}
	out.Target = idsOf(targets)
}

// unnoticed reports whether it makes no difference when a state is left and
// entered again together with what is in it.
func (t *translator) unnoticed(n *node) bool {
	s := n.state
	quiet := len(s.Entry)+len(s.Exit)+len(s.After)+len(s.Invoke) == 0 && !t.asked[n] && (n.parent == nil || len(s.Context) == 0)
	kept := slices.ContainsFunc(n.children, func(c *node) bool { return c.state.Type == statechart.History })
	return quiet && !kept && (n.parent == nil || n.parent.isCompound())
}

// leavesRoot refuses a transition that leaves a root of regions, which a chart
// never does, unless it makes no difference.
func (t *translator) leavesRoot(n *node, targets []*node, path string) {
	root := t.tree.root
	if !t.wrapped || root.state.Type != statechart.Parallel {
		return
	}
	for up := n.parent; up != nil; up = up.parent {
		if up.isCompound() && allBelow(targets, up) {
			return
		}
	}
	if !t.unnoticed(root) {
		t.fail(path+".target", "keep it within one region", "a transition over the regions of the root would leave the root in SCXML")
	}
}

func isFinal(n *node) bool { return n.state.Type == statechart.Final && n.parent.parent == nil }

func allBelow(targets []*node, n *node) bool {
	return !slices.ContainsFunc(targets, func(to *node) bool { return !to.isBelow(n) })
}

func idsOf(targets []*node) string {
	ids := make([]string, len(targets))
	for i, to := range targets {
		ids[i] = "#" + to.name
	}
	return strings.Join(ids, " ")
}

// label names a state for a message.
func (n *node) label() string {
	if n.path == "" {
		return n.id
	}
	return n.path
}
