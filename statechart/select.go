package statechart

import "slices"

// choose fills r.chosen with the transitions that the event takes: for each
// active leaf in document order the first candidate that holds, from the
// leaf upwards (R3), conflicts resolved (R4). It reports whether there are
// any. Guards are asked once each, on the configuration as it stands (R8).
// deferrable says that the event came from outside, so that states may keep
// it for later (R32).
func (in *Instance) choose(id EventID, deferrable bool) bool {
	r, c := in.rare, in.chart
	r.chosen = r.chosen[:0]
	r.guardSaid, r.deferring = false, false
	if id == unmatched {
		return false
	}
	if r.mark += 2; r.mark == 0 { // the marks would repeat
		clear(r.marks)
		r.mark = 2
	}
	deferring := deferrable && c.hasDefer && in.deferring(id)
	for leaf := nextIn(r.active, c.leafMask, 0); leaf >= 0; leaf = nextIn(r.active, c.leafMask, leaf+1) {
		for s := leaf; s >= 0; s = c.nodes[s].parent {
			if deferring && in.deferredBelow(s, id) {
				continue
			}
			if in.chooseAt(s, id) {
				break
			}
		}
	}
	r.deferring = deferring
	return len(r.chosen) > 0
}

// nextIn returns the first member of both sets from i on, or -1.
func nextIn(a, b set, i int32) int32 {
	for s := a.next(i); s >= 0; s = a.next(s + 1) {
		if b.has(s) {
			return s
		}
	}
	return -1
}

// chooseAt asks the candidates of one state; true ends the leaf's climb.
func (in *Instance) chooseAt(s int32, id EventID) bool {
	r, c := in.rare, in.chart
	for _, t := range c.candidates(s, id, &r.scratch) {
		switch r.marks[t] {
		case r.mark:
			continue // asked before: no
		case r.mark + 1:
			return true // chosen before, by another leaf
		}
		r.marks[t] = r.mark
		if !in.ask(&c.transitions[t]) {
			continue
		}
		r.marks[t] = r.mark + 1
		in.add(t)
		return true
	}
	return false
}

// ask evaluates the guard of a transition.
func (in *Instance) ask(t *transition) bool {
	r := in.rare
	if r.plan != nil {
		return r.plan(t)
	}
	if t.guard == nil {
		if r.trace != nil {
			in.traceCandidate(t, true, nil)
		}
		return true
	}
	r.scope = Scope{in: in, state: t.source}
	holds, err := t.guard.holds(&r.scope)
	if err != nil {
		holds = false
		in.guardError(t, err)
	}
	if !holds {
		r.guardSaid = true
	}
	if r.trace != nil {
		in.traceCandidate(t, holds, err)
	}
	return holds
}

// guardError raises error.execution once per transition and macrostep (R7).
func (in *Instance) guardError(t *transition, err error) {
	r := in.rare
	if r.dry {
		return
	}
	if r.broken != nil {
		in.boundAt(t.place, err)
		return
	}
	for _, f := range r.failed {
		if f == t.index {
			return
		}
	}
	r.failed = append(r.failed, t.index)
	in.executionError("guard", t.place, err)
}

// add puts a transition among the chosen, or leaves it out: of two whose
// exit sets intersect the later wins only if its source lies below the
// other's (R4). The domains of the chosen are disjoint and in document
// order, and one conflicts with a new domain only together with all after
// it, so the walk starts from the end.
func (in *Instance) add(t int32) {
	r, c := in.rare, in.chart
	tr := &c.transitions[t]
	domain := tr.domain
	if tr.dynamic {
		r.planner.history = r.history
		domain = c.domain(tr, r.planner.resolve(tr.targets))
	}
	if domain < 0 || c.nodes[domain].kind == Atomic { // it exits nothing (R9)
		r.chosen = append(r.chosen, choice{t, -1})
		return
	}
	keep := len(r.chosen)
	for i := len(r.chosen) - 1; i >= 0; i-- {
		other := r.chosen[i]
		if other.domain < 0 {
			continue
		}
		if other.domain != domain && !c.isDescendant(other.domain, domain) && !c.isDescendant(domain, other.domain) {
			break
		}
		if !c.isDescendant(tr.source, c.transitions[other.t].source) {
			if r.trace != nil {
				in.tracePreempted(t)
			}
			return
		}
		keep = i
	}
	in.drop(keep)
	r.chosen = append(r.chosen, choice{t, domain})
}

// drop takes the chosen transitions with a domain from keep on out again.
func (in *Instance) drop(keep int) {
	r := in.rare
	left := r.chosen[:keep]
	for _, ch := range r.chosen[keep:] {
		if ch.domain < 0 {
			left = append(left, ch)
		} else if r.trace != nil {
			in.tracePreempted(ch.t)
		}
	}
	r.chosen = left
}

// deferring reports whether an active state defers the event.
func (in *Instance) deferring(id EventID) bool {
	c := in.chart
	for s := in.rare.active.next(0); s >= 0; s = in.rare.active.next(s + 1) {
		if c.defers(s, id) {
			return true
		}
	}
	return false
}

// deferredBelow reports whether an active state below s defers the event,
// so that the transitions of s do not take it (R32).
func (in *Instance) deferredBelow(s int32, id EventID) bool {
	active, c := in.rare.active, in.chart
	for d := active.next(s + 1); d >= 0 && d <= c.nodes[s].last; d = active.next(d + 1) {
		if c.defers(d, id) {
			return true
		}
	}
	return false
}

// defers reports whether the state keeps the event for later.
func (c *Chart) defers(s int32, id EventID) bool {
	for _, d := range c.nodes[s].defers {
		if slices.Contains(c.events[id].chain, d) {
			return true
		}
	}
	return false
}
