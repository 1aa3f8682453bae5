package statechart

import (
	"sync/atomic"
	"unsafe"
)

// planCache remembers, for a chart, the configurations that instances
// reached and what each event does there: as regexp engines do with a lazy
// automaton. A cell [configuration][event] is one word, read atomically; a
// plan is the flat list of callbacks of exits, actions and entries.
//
// Readers load one pointer and never wait. Whoever finds a cell unbuilt
// builds it if nobody else builds anything at that moment, and otherwise
// takes the general way for this once: there is no lock to hold.
type planCache struct {
	table    atomic.Pointer[table]
	building atomic.Bool
	chart    *Chart
	ids      map[string]uint32 // bits -> row; builder only
	bound    int
	selector *Instance // scratch for the builder
}

// table is what readers see. Its slices grow in place within their capacity
// and are replaced, never changed, beyond. A configuration is known by its
// row, the place of its first cell, so that finding a cell is one addition;
// row 0 is nobody's.
type table struct {
	events int
	cells  []atomic.Uint64
	confs  []uint64 // words per configuration, one after the other
	words  int
	nodes  []planNode
}

// A cell holds where the event leads in its upper half and how in its lower.
const (
	cellUnbuilt uint32 = iota
	cellSlow           // the general way
	cellIgnored        // no candidate
	cellMove           // taken, nothing to ask and nothing to run
	firstPlan          // node number + firstPlan
)

// planNode asks a guard, or ends.
type planNode struct {
	guard   func(unsafe.Pointer, Event) bool
	run     []func(unsafe.Pointer, Event)
	yes, no uint32
	to      uint32
	end     planEnd
	result  Result // of endNotTaken
}

type planEnd uint8

const (
	endTaken planEnd = iota
	endNotTaken
	endSlow
)

// Bounds of a chart's cache.
const (
	maxConfigurations = 4_096
	maxCells          = 1 << 17
	maxPlanNodes      = 1 << 16
	maxGuardsAsked    = 8 // per plan: a tree of guards doubles with each
)

func newPlanCache(c *Chart) *planCache {
	p := &planCache{chart: c, ids: map[string]uint32{}, bound: maxConfigurations}
	if c.cache.Configurations != 0 {
		p.bound = min(c.cache.Configurations, maxConfigurations)
	}
	if !c.quick {
		p.bound = -1
	}
	events := len(c.events)
	p.bound = min(p.bound, maxCells/events-1)
	p.table.Store(&table{events: events, words: len(newSet(len(c.nodes))), cells: make([]atomic.Uint64, events), confs: make([]uint64, len(newSet(len(c.nodes))))})
	return p
}

// cell returns the cell, or 0 where there is none.
func (t *table) cell(row uint32, id EventID) uint64 {
	if int(id) >= t.events {
		return uint64(cellSlow)
	}
	at := uint(row) + uint(id)
	if at >= uint(len(t.cells)) {
		return uint64(cellUnbuilt)
	}
	return t.cells[at].Load()
}

// bits returns the active states of the configuration in a row.
func (t *table) bits(row uint32) set {
	i := int(row) / t.events * t.words
	return t.confs[i : i+t.words]
}

// intern returns the row of a configuration, or 0 when it has none.
func (p *planCache) intern(active set) uint32 {
	if p.bound <= 0 || !p.building.CompareAndSwap(false, true) {
		return 0
	}
	defer p.building.Store(false)
	return p.internLocked(active)
}

// internLocked is intern for the builder.
func (p *planCache) internLocked(active set) uint32 {
	key := make([]byte, 0, 64)
	for _, w := range active {
		key = append(key, byte(w), byte(w>>8), byte(w>>16), byte(w>>24), byte(w>>32), byte(w>>40), byte(w>>48), byte(w>>56))
	}
	if row, ok := p.ids[string(key)]; ok {
		return row
	}
	if len(p.ids) >= p.bound {
		return 0
	}
	old := p.table.Load()
	row := uint32(len(p.ids)+1) * uint32(old.events)
	p.table.Store(old.grow(row, active))
	p.ids[string(key)] = row
	return row
}

// grow returns a table with one more configuration, in the row after the
// last.
func (t *table) grow(row uint32, active set) *table {
	n := *t
	need := int(row) + t.events
	if need > cap(t.cells) {
		cells := make([]atomic.Uint64, need, max(2*cap(t.cells), 4*t.events))
		for i := range t.cells {
			cells[i].Store(t.cells[i].Load())
		}
		n.cells = cells
	} else {
		n.cells = t.cells[:need]
	}
	n.confs = append(t.confs, active...)
	return &n
}

// build fills the cell of a configuration and an event if it is unbuilt, and
// reports whether it is built now.
func (p *planCache) build(row uint32, id EventID) bool {
	if row == 0 || p.bound <= 0 || !p.building.CompareAndSwap(false, true) {
		return false
	}
	defer p.building.Store(false)
	t := p.table.Load()
	if int(id) >= t.events || uint32(t.cell(row, id)) != cellUnbuilt {
		return true
	}
	cell := uint64(cellSlow)
	if len(t.nodes) < maxPlanNodes && p.plannable(t.bits(row), id) {
		b := planBuilder{cache: p, active: t.bits(row), row: row, event: id, nodes: t.nodes}
		cell = b.cell()
		n := *p.table.Load()
		n.nodes = b.nodes
		p.table.Store(&n)
		t = &n
	}
	t.cells[int(row)+int(id)].Store(cell)
	return true
}

// plannable reports whether the outcome of the event depends on nothing but
// the configuration and quick guards.
func (p *planCache) plannable(active set, id EventID) bool {
	c := p.chart
	if id <= unmatched || c.events[id].reserved || c.unhandled == Deferred {
		return false
	}
	for s := active.next(0); s >= 0; s = active.next(s + 1) {
		if c.nodes[s].deferrs(id) || len(c.nodes[s].always) > 0 {
			return false
		}
	}
	return true
}

// planBuilder builds the decision tree of one cell: it runs the general
// selection again and again, each time with one more guard answered.
type planBuilder struct {
	cache  *planCache
	active set
	row    uint32
	event  EventID
	nodes  []planNode
}

// cell builds the tree and returns what to store.
func (b *planBuilder) cell() uint64 {
	root := b.expand(nil)
	n := &b.nodes[root]
	if n.guard == nil {
		switch {
		case n.end == endSlow:
			return uint64(cellSlow)
		case n.end == endNotTaken && n.result.Reason == reasonNotTaken && b.cache.chart.unhandled == Ignored:
			return uint64(n.to)<<32 | uint64(cellIgnored)
		case n.end == endTaken && len(n.run) == 0:
			return uint64(n.to)<<32 | uint64(cellMove)
		}
	}
	return uint64(n.to)<<32 | uint64(root+firstPlan)
}

// expand returns the node for the guards answered so far.
func (b *planBuilder) expand(answers []bool) uint32 {
	in, unanswered, ok := b.choose(answers)
	switch {
	case !ok:
		return b.node(planNode{end: endSlow, to: b.row})
	case unanswered != nil:
		if len(answers) == maxGuardsAsked {
			return b.node(planNode{end: endSlow, to: b.row})
		}
		at := b.node(planNode{guard: unanswered})
		yes := b.expand(append(answers[:len(answers):len(answers)], true))
		no := b.expand(append(answers[:len(answers):len(answers)], false))
		b.nodes[at].yes, b.nodes[at].no = yes, no
		return at
	}
	return b.leaf(in)
}

func (b *planBuilder) node(n planNode) uint32 {
	b.nodes = append(b.nodes, n)
	return uint32(len(b.nodes) - 1)
}

// choose runs the selection with the answers at hand. unanswered is the
// first guard that needs one more.
func (b *planBuilder) choose(answers []bool) (in *Instance, unanswered func(unsafe.Pointer, Event) bool, ok bool) {
	in = b.cache.scratch(b.active)
	asked := 0
	ok = true
	in.rare.plan = func(t *transition) bool {
		if t.dynamic || t.guard != nil && t.guard.fallible {
			ok = false
			return false
		}
		if t.guard == nil {
			return true
		}
		f, always, _ := t.guard.planned(b.active)
		switch {
		case f == nil:
			in.rare.guardSaid = in.rare.guardSaid || !always
			return always
		case asked < len(answers):
			asked++
			in.rare.guardSaid = in.rare.guardSaid || !answers[asked-1]
			return answers[asked-1]
		case unanswered == nil:
			unanswered = f
		}
		return false
	}
	in.choose(b.event, true)
	return in, unanswered, ok
}

// scratch returns an instance for the builder to select with.
func (p *planCache) scratch(active set) *Instance {
	if p.selector == nil {
		p.selector = &Instance{chart: p.chart, rare: newRare(p.chart)}
	}
	copy(p.selector.rare.active, active)
	return p.selector
}

// leaf turns a selection into the end of a plan.
func (b *planBuilder) leaf(in *Instance) uint32 {
	r, c := in.rare, in.chart
	if len(r.chosen) == 0 {
		why := reasonNotTaken
		if r.guardSaid {
			why = reasonGuardFalse
		}
		return b.node(planNode{end: endNotTaken, to: b.row, result: Result{c.unhandled, why}})
	}
	if in.takenOrForbidden().Outcome != Taken {
		return b.node(planNode{end: endNotTaken, to: b.row, result: Result{Ignored, reasonForbidden}})
	}
	run, after, ok := flatten(in)
	to := uint32(0)
	if ok {
		to = b.cache.internLocked(after)
	}
	if to == 0 {
		return b.node(planNode{end: endSlow, to: b.row})
	}
	return b.node(planNode{end: endTaken, run: run, to: to})
}

// flatten lists the callbacks of the chosen transitions in the order of R11
// and the configuration that follows; ok is false when more than quick
// callbacks would happen.
func flatten(in *Instance) (run []func(unsafe.Pointer, Event), after set, ok bool) {
	r, c := in.rare, in.chart
	in.gather()
	after = append(set(nil), r.active...)
	for _, s := range r.exits {
		if !c.nodes[s].plain {
			return nil, nil, false
		}
		run = append(run, c.nodes[s].exit.quickly()...)
		after.remove(s)
	}
	for _, ch := range r.chosen {
		t := &c.transitions[ch.t]
		if t.dynamic || !t.actions.isQuick() {
			return nil, nil, false
		}
		run = append(run, t.actions.quickly()...)
	}
	for _, e := range r.entries {
		n := &c.nodes[e.state]
		if !n.plain || e.history != nil || len(n.always) > 0 {
			return nil, nil, false
		}
		if !after.has(e.state) {
			run = append(run, n.entry.quickly()...)
			after.add(e.state)
		}
		if e.byDefault {
			run = append(run, n.initialActions.quickly()...)
		}
	}
	return run, after, true
}

func (b *block) isQuick() bool { return b == nil || b.quick != nil }

func (b *block) quickly() []func(unsafe.Pointer, Event) {
	if b == nil {
		return nil
	}
	return b.quick
}
