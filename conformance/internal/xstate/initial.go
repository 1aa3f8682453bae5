package xstate

import "strings"

// XState runs the actions of a state's initial only where the state was a
// target or was reached by default from one. SCXML and we run them wherever
// the state is entered by default (R12): also in regions beside a target, in
// states that a history restored, and where a local transition starts its
// source's children again. On the other hand it runs those of a state whose
// history, having nothing to restore, takes that initial.

// entered judges a microstep when it is over: whether the actions of an
// initial ran here and not there.
func (w *watcher) entered() Row {
	m := w.step
	w.step = microstep{}
	d := defaults{watcher: w, states: map[string]bool{}}
	for _, t := range m.taken {
		for _, target := range t.targets {
			if target == t.source && !t.external {
				if w.tree.nodes[target].initialActions {
					return RowInitial
				}
				d.descend(target)
				continue
			}
			d.target(target)
		}
	}
	if d.borrowed {
		return RowInitial
	}
	for _, s := range m.entered {
		if w.tree.nodes[s].initialActions && !d.states[s] && !d.targeted(s) {
			return RowInitial
		}
	}
	return ""
}

// microstep is what one did so far.
type microstep struct {
	taken   []*transition
	entered []string
}

// defaults are the states that XState takes for entered by default.
type defaults struct {
	*watcher
	states  map[string]bool
	targets []string
	// borrowed is set when a history took its parent's initial, which has
	// actions: they run in XState.
	borrowed bool
}

// targeted reports whether a target lies below a state, so that its initial
// is not taken.
func (d *defaults) targeted(state string) bool {
	for _, t := range d.targets {
		if d.tree.below(t, state) {
			return true
		}
	}
	return false
}

func (d *defaults) target(path string) {
	if !d.tree.nodes[path].history {
		d.states[path] = true
		d.targets = append(d.targets, path)
		d.descend(path)
		return
	}
	if d.tree.nodes[path].initial == "" && len(d.recorded[path]) == 0 {
		parent, _ := d.tree.parent(path)
		d.states[parent] = true
		d.borrowed = d.borrowed || d.tree.nodes[parent].initialActions
	}
	for _, s := range d.resolve(path, 0) {
		d.targets = append(d.targets, s)
		d.descend(s)
	}
}

// descend adds what is entered by default below a state.
func (d *defaults) descend(path string) {
	n := d.tree.nodes[path]
	switch {
	case n.parallel:
		for _, region := range n.children {
			if !d.targeted(region) {
				d.states[region] = true
				d.descend(region)
			}
		}
	case n.initial != "":
		child := strings.TrimPrefix(path+"."+n.initial, ".")
		if d.tree.nodes[child].history {
			d.target(child)
			return
		}
		d.states[child] = true
		d.descend(child)
	}
}
