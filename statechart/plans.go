package statechart

import (
	"encoding/binary"
	"sync/atomic"
	"unsafe"
)

// planCache remembers, for a chart, the configurations that instances
// reached and what each event does there: as regexp engines do with a lazy
// automaton. A cell [configuration][event] points to a plan: a tree of guards
// whose leaves list the callbacks of exits, actions and entries.
//
// Readers load one pointer and never wait. Whoever finds a cell empty builds
// its plan if nobody else builds anything at that moment, and otherwise takes
// the general way for this once: there is no lock to hold.
type planCache struct {
	table    atomic.Pointer[table]
	building atomic.Bool
	chart    *Chart
	rows     map[string]uint32 // bits -> row; builder only
	plans    int
	bound    int
	selector *Instance            // scratch for the builder
	spare    atomic.Pointer[rare] // see Chart.spare
}

// table is what readers see. Its slices grow in place within their capacity
// and are replaced, never changed, beyond. A configuration is known by its
// row, the place of its first cell, so that finding a cell is one addition;
// row 0 is nobody's.
type table struct {
	names []string // of the events
	cells []atomic.Pointer[plan]
	confs []uint64 // words per configuration, one after the other
	words int
}

// plan asks a guard, or ends. It is not changed once it is published.
type plan struct {
	guard   func(unsafe.Pointer, Event) bool
	yes, no *plan
	// The callbacks: three in place, which saves a load for each, and the
	// rest.
	first  [3]func(unsafe.Pointer, Event)
	rest   []func(unsafe.Pointer, Event)
	to     uint32 // the row that follows
	end    planEnd
	result Result // of endNotTaken
}

type planEnd uint8

const (
	endMove  planEnd = iota // taken, nothing to ask and nothing to run
	endTaken                // or a guard to ask first
	endNotTaken
	endSlow // the general way
)

// Bounds of a chart's cache.
const (
	maxConfigurations = 4_096
	maxCells          = 1 << 17
	maxPlans          = 1 << 16
	maxGuardsAsked    = 8 // per plan: a tree of guards doubles with each
)

func newPlanCache(c *Chart) *planCache {
	p := &planCache{chart: c, rows: map[string]uint32{}, bound: maxConfigurations}
	if c.cache.Configurations != 0 {
		p.bound = min(c.cache.Configurations, maxConfigurations)
	}
	if !c.quick {
		p.bound = -1
	}
	p.bound = min(p.bound, maxCells/len(c.events)-1)
	t := &table{names: make([]string, len(c.events)), words: len(c.leafMask)}
	for i := range c.events {
		t.names[i] = c.events[i].name
	}
	t.cells, t.confs = make([]atomic.Pointer[plan], len(c.events)), make([]uint64, t.words)
	p.table.Store(t)
	return p
}

// bits returns the active states of the configuration in a row.
func (t *table) bits(row uint32) set {
	i := int(row) / len(t.names) * t.words
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
		key = binary.LittleEndian.AppendUint64(key, w)
	}
	if row, ok := p.rows[string(key)]; ok {
		return row
	}
	if len(p.rows) >= p.bound {
		return 0
	}
	old := p.table.Load()
	row := uint32(len(p.rows)+1) * uint32(len(old.names))
	p.table.Store(old.grow(row, active))
	p.rows[string(key)] = row
	return row
}

// grow returns a table with one more configuration, in the row after the
// last.
func (t *table) grow(row uint32, active set) *table {
	n := *t
	need := int(row) + len(t.names)
	if need > cap(t.cells) {
		cells := make([]atomic.Pointer[plan], need, max(2*cap(t.cells), 4*len(t.names)))
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

// slowPlan stands in each cell whose event needs the general way.
var slowPlan = &plan{end: endSlow}

// at returns the plan of a configuration and an event, which is built if need
// be; nil when that cannot be done now.
func (p *planCache) at(row uint32, id EventID) *plan {
	cell := &p.table.Load().cells[row+uint32(id)]
	if found := cell.Load(); found != nil || p.bound <= 0 || !p.building.CompareAndSwap(false, true) {
		return found
	}
	defer p.building.Store(false)
	built := slowPlan
	if active := p.table.Load().bits(row); p.plans < maxPlans && p.plannable(active, id) {
		b := planBuilder{cache: p, active: active, row: row, event: id}
		built = b.expand(nil)
		if built.end == endSlow {
			built = slowPlan
		}
	}
	p.table.Load().cells[row+uint32(id)].Store(built)
	return built
}

// plannable reports whether the outcome of the event depends on nothing but
// the configuration and quick guards.
func (p *planCache) plannable(active set, id EventID) bool {
	c := p.chart
	if id <= unmatched || c.events[id].reserved || c.events[id].check != nil || c.unhandled == Deferred {
		return false
	}
	for s := active.next(0); s >= 0; s = active.next(s + 1) {
		if c.defers(s, id) || len(c.nodes[s].always) > 0 || c.nodes[s].forwards {
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
}

// expand returns the plan for the guards answered so far.
func (b *planBuilder) expand(answers []bool) *plan {
	b.cache.plans++
	in, unanswered, ok := b.choose(answers)
	switch {
	case !ok || unanswered != nil && len(answers) == maxGuardsAsked:
		return &plan{end: endSlow, to: b.row}
	case unanswered != nil:
		yes := b.expand(append(answers[:len(answers):len(answers)], true))
		no := b.expand(append(answers[:len(answers):len(answers)], false))
		return &plan{guard: unanswered, yes: yes, no: no, end: endTaken}
	}
	return b.leaf(in)
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
func (b *planBuilder) leaf(in *Instance) *plan {
	r, c := in.rare, in.chart
	if len(r.chosen) == 0 {
		why := reasonNotTaken
		if r.guardSaid {
			why = reasonGuardFalse
		}
		return &plan{end: endNotTaken, to: b.row, result: Result{c.unhandled, why}}
	}
	if in.takenOrForbidden().Outcome != Taken {
		return &plan{end: endNotTaken, to: b.row, result: Result{Ignored, reasonForbidden}}
	}
	run, after, ok := flatten(in)
	to := uint32(0)
	if ok {
		to = b.cache.internLocked(after)
	}
	if to == 0 {
		return &plan{end: endSlow, to: b.row}
	}
	p := &plan{end: endTaken, to: to}
	if n := copy(p.first[:], run); n < len(run) {
		p.rest = run[n:]
	}
	if len(run) == 0 {
		p.end = endMove
	}
	return p
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
