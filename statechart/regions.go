package statechart

import "unsafe"

// regionTable is the second form of a configuration, for charts whose
// configurations are too many to intern: one active leaf per region, and a
// plan per (leaf, event). It serves configurations whose number of leaves
// does not change and events that each leaf answers within its own region.
type regionTable struct {
	chart  *Chart
	events int
	plans  []localPlan // [event*states+leaf]
	to     []int32     // the plans' to, apart, for events that only move
	kinds  []eventKind // by event
}

// eventKind says how an event is answered in the region form.
type eventKind uint8

const (
	eventGeneral eventKind = iota // some leaf needs the general way
	eventMoves                    // every leaf moves at once or ignores
	eventLocal                    // guards or callbacks, each within its region
)

// localPlan is what one leaf does with an event.
type localPlan struct {
	to     int32 // the new leaf, or -1: nothing
	guard  func(unsafe.Pointer, Event) bool
	exit   []func(unsafe.Pointer, Event)
	action []func(unsafe.Pointer, Event)
	entry  []func(unsafe.Pointer, Event)
}

// maxLocalPlans bounds the table: about a hundred bytes an entry.
const maxLocalPlans = 1 << 13

// newRegionTable returns nil where the form cannot serve.
func newRegionTable(c *Chart) *regionTable {
	if !c.quick || !c.calm || len(c.nodes)*len(c.events) > maxLocalPlans {
		return nil
	}
	t := &regionTable{chart: c, events: len(c.events), plans: make([]localPlan, len(c.nodes)*len(c.events)), to: make([]int32, len(c.nodes)*len(c.events)), kinds: make([]eventKind, len(c.events))}
	useful := false
	for id := int(unmatched) + 1; id < len(c.events); id++ {
		t.kinds[id] = t.planEvent(EventID(id))
		useful = useful || t.kinds[id] != eventGeneral
	}
	if !useful {
		return nil
	}
	return t
}

// planEvent plans the event for every leaf.
func (t *regionTable) planEvent(id EventID) eventKind {
	c, kind := t.chart, eventMoves
	if c.events[id].reserved {
		return eventGeneral
	}
	for leaf := c.leafMask.next(0); leaf >= 0; leaf = c.leafMask.next(leaf + 1) {
		p, ok := t.planLeaf(leaf, id)
		if !ok {
			return eventGeneral
		}
		if p.guard != nil || len(p.exit)+len(p.action)+len(p.entry) > 0 {
			kind = eventLocal
		}
		at := int(id)*len(c.nodes) + int(leaf)
		t.plans[at], t.to[at] = p, p.to
	}
	return kind
}

// planLeaf plans a leaf's answer; ok is false when it is not local.
func (t *regionTable) planLeaf(leaf int32, id EventID) (localPlan, bool) {
	c := t.chart
	var scratch []int32
	for s := leaf; s >= 0; s = c.nodes[s].parent {
		list := c.candidates(s, id, &scratch)
		if len(list) == 0 {
			continue
		}
		if len(list) > 1 || !t.ends(s, id, list) {
			return localPlan{}, false
		}
		return t.planTransition(leaf, &c.transitions[list[0]])
	}
	return localPlan{to: -1}, true
}

// ends reports whether nothing above s needs to be asked once its only
// candidate was.
func (t *regionTable) ends(s int32, id EventID, list []int32) bool {
	c := t.chart
	if c.transitions[list[0]].guard == nil {
		return true
	}
	var scratch []int32
	for up := c.nodes[s].parent; up >= 0; up = c.nodes[up].parent {
		if len(c.candidates(up, id, &scratch)) > 0 {
			return false
		}
	}
	return true
}

func (t *regionTable) planTransition(leaf int32, tr *transition) (localPlan, bool) {
	c := t.chart
	if tr.dynamic || tr.inert || !t.private(tr.source) {
		return localPlan{}, false
	}
	p := localPlan{to: leaf, action: tr.actions.quickly()}
	if tr.guard != nil {
		if tr.guard.op != opQuick {
			return localPlan{}, false
		}
		p.guard = tr.guard.quick
	}
	if tr.targetless {
		return p, true
	}
	if !t.private(tr.domain) {
		return localPlan{}, false
	}
	for s := leaf; s > tr.domain; s = c.nodes[s].parent {
		p.exit = append(p.exit, c.nodes[s].exit.quickly()...)
	}
	leaves := 0
	for _, e := range tr.entry.states {
		n := &c.nodes[e.state]
		if e.state != tr.domain {
			p.entry = append(p.entry, n.entry.quickly()...)
		}
		if e.byDefault {
			p.entry = append(p.entry, n.initialActions.quickly()...)
		}
		if n.kind == Atomic {
			p.to = e.state
			leaves++
		}
	}
	return p, leaves == 1
}

// private reports whether a state can have one active leaf only: there is no
// parallel state from it downwards.
func (t *regionTable) private(s int32) bool {
	for x := s; x <= t.chart.nodes[s].last; x++ {
		if t.chart.nodes[x].kind == Parallel {
			return false
		}
	}
	return true
}

// leaves lists the active leaves, reusing into.
func (t *regionTable) leaves(active set, into []int32) []int32 {
	into = into[:0]
	for s := nextIn(active, t.chart.leafMask, 0); s >= 0; s = nextIn(active, t.chart.leafMask, s+1) {
		into = append(into, s)
	}
	return into
}

// bits writes the configuration of the leaves into active.
func (t *regionTable) bits(leaves []int32, active set) {
	active.clear()
	for _, l := range leaves {
		for s := l; s >= 0 && !active.has(s); s = t.chart.nodes[s].parent {
			active.add(s)
		}
	}
}

// step takes the event if it can be answered in this form; otherwise
// nothing happened.
func (t *regionTable) step(in *Instance, id EventID, e Event) (result Result, ok bool) {
	switch t.kinds[id] {
	case eventMoves:
		return in.uncachedResult(t.move(in, id), false, false), true
	case eventLocal:
		return t.local(in, id, e), true
	}
	return Result{}, false
}

// moves takes an event that nothing is asked or run for, and reports whether
// this is one and it was taken.
func (t *regionTable) moves(in *Instance, id EventID) bool {
	if t.kinds[id] != eventMoves || !t.move(in, id) {
		return false
	}
	in.count()
	return true
}

// move lets every leaf go its way: the order does not show.
func (t *regionTable) move(in *Instance, id EventID) (taken bool) {
	states := len(t.chart.nodes)
	row := t.to[int(id)*states:][:states]
	leaves, all := in.rare.leaves, int32(-1)
	for i, l := range leaves {
		to := row[l]
		all &= to // negative only if each is
		if to >= 0 {
			leaves[i] = to
		}
	}
	return all >= 0
}

// local lets every leaf answer within its region: all guards first, then
// exits in reverse order, actions, entries (R8, R11).
func (t *regionTable) local(in *Instance, id EventID, e Event) Result {
	r := in.rare
	chosen := r.scratch[:0]
	plans := t.plans[int(id)*len(t.chart.nodes):]
	taken, guardSaid := false, false
	r.busy = true
	for _, l := range r.leaves {
		p := &plans[l]
		if p.to < 0 {
			l = -1
		} else if p.guard != nil && !p.guard(in.ctx, e) {
			l, guardSaid = -1, true
		}
		taken = taken || l >= 0
		chosen = append(chosen, l)
	}
	r.scratch = chosen
	if taken {
		t.carryOut(in, chosen, id, e)
	}
	r.busy = false
	return in.uncachedResult(taken, false, guardSaid)
}

func (t *regionTable) carryOut(in *Instance, chosen []int32, id EventID, e Event) {
	at := func(l int32) *localPlan { return &t.plans[int(id)*len(t.chart.nodes)+int(l)] }
	run := func(list []func(unsafe.Pointer, Event)) {
		for _, f := range list {
			f(in.ctx, e)
		}
	}
	for i := len(chosen) - 1; i >= 0; i-- {
		if chosen[i] >= 0 {
			run(at(chosen[i]).exit)
		}
	}
	for _, l := range chosen {
		if l >= 0 {
			run(at(l).action)
		}
	}
	for i, l := range chosen {
		if l >= 0 {
			run(at(l).entry)
			in.rare.leaves[i] = at(l).to
		}
	}
}
