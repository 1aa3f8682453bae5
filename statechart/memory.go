package statechart

import (
	"slices"
	"unsafe"
)

// memory is what an instance knows beyond its configuration, its typed
// context and the number of its macrosteps. A snapshot holds a copy of it.
type memory struct {
	session  string
	user     string
	now      int64
	counter  uint64 // the entry counter: invocations, dos, timers
	ids      uint64 // for NextID
	status   Status
	reason   *Reason
	output   any
	ended    bool      // by a final state: only the root's scope is left
	history  [][]int32 // by ordinal; nil: nothing recorded
	parked   []parking // by ordinal
	slots    []any
	lists    []int64
	timers   []Timer // by (due, entry)
	live     []LiveCall
	deferred []Delivery
	input    any // until the first macrostep is over
	// The rest is of SCXML documents: the parent's session, the sessions that
	// were heard from, and the states whose data were given their first values.
	parent string
	heard  []string
	bound  set
}

// parking is what a history keeps of the data below its parent (R33). It is
// not changed once made.
type parking struct {
	scopes []parkedScope
	timers []parkedTimer
}

type parkedScope struct {
	state  int32
	values []any
}

type parkedTimer struct {
	state, index int32
	remaining    int64
}

// copyFrom makes m equal to from, reusing m's slices. Inner slices are
// shared: they are not changed once made.
func (m *memory) copyFrom(from *memory) {
	history, parked, slots, lists, timers, live, deferred := m.history, m.parked, m.slots, m.lists, m.timers, m.live, m.deferred
	heard, bound := m.heard, m.bound
	*m = *from
	m.history = append(history[:0], from.history...)
	m.parked = append(parked[:0], from.parked...)
	m.slots = append(slots[:0], from.slots...)
	m.lists = append(lists[:0], from.lists...)
	m.timers = append(timers[:0], from.timers...)
	m.live = append(live[:0], from.live...)
	m.deferred = append(deferred[:0], from.deferred...)
	m.heard = append(heard[:0], from.heard...)
	m.bound = append(bound[:0], from.bound...)
}

// plain reports whether nothing here differs from a fresh instance's, so
// that it need not be kept.
func (m *memory) plain() bool {
	return m.session == "" && m.user == "" && m.now == 0 && m.counter == 0 && m.ids == 0 && m.status == Active && len(m.slots) == 0 && len(m.lists) == 0 &&
		len(m.timers) == 0 && len(m.live) == 0 && len(m.deferred) == 0 && len(m.history) == 0 && m.input == nil &&
		m.parent == "" && len(m.heard) == 0 && len(m.bound) == 0
}

// form is how rare holds the configuration while Instance.row is 0.
type form uint8

const (
	// formBusy: nowhere; the instance is inside a planned step.
	formBusy form = iota
	// formBits: in active.
	formBits
	// formRegions: one leaf per region, in leaves.
	formRegions
)

// rare is what an instance needs outside the fast path: its memory, and
// scratch for the macrostep.
type rare struct {
	memory
	carried uint64 // overflows of Instance.steps
	form    form
	rows    Rows // of the append-only lists, from the host
	busy    bool
	active  set
	leaves  []int32

	work
	undo        memory
	undoActive  set
	undoContext unsafe.Pointer

	trace       *Trace
	subscribers []*subscriber
	telling     int // subscribers are being told
}

// work is the scratch of one macrostep.
type work struct {
	event      Event
	envelope   *Envelope // of event
	inner      queued    // event, when internal says that it is an internal one
	internal   bool
	scope      Scope
	planner    *planner
	chosen     []choice
	marks      []uint32 // by transition: asked or chosen in selection mark
	mark       uint32
	exits      []int32
	entries    []entryState
	restored   []int32
	coverings  []covering
	scratch    []int32
	queue      []queued
	head       int
	pending    []pendingCall
	effects    []Effect
	effectsAt  uint64  // the last sequence that they belong to
	failed     []int32 // transitions whose guard failed in this macrostep (R7)
	broken     *Reason // a bound was passed
	halted     bool    // an error that nothing took: the session is over
	cycle      []string
	microsteps int
	raised     int
	counted    int // effects that count
	fuel       int64
	final      int32                  // the final state that ends the session, 0 for a done root, or -1
	guardSaid  bool                   // some guard said no in the last selection
	dry        bool                   // only looking: nothing may change
	deferring  bool                   // an active state defers the event
	plan       func(*transition) bool // answers guards for the plan builder
}

// choice is a chosen transition with its domain in this configuration.
type choice struct{ t, domain int32 }

// pendingCall is an invocation that starts when the macrostep is over (R25).
type pendingCall struct {
	state, index int32
	id           string
	src, input   any
	options      CallOptions
}

func newRare(c *Chart) *rare {
	r := c.plans.spare.Swap(nil)
	if r == nil {
		r = &rare{active: newSet(len(c.nodes)), work: work{marks: make([]uint32, len(c.transitions)), planner: newPlanner(c)}}
	}
	r.form = formBits
	r.status = Active
	r.final = -1
	if n := len(c.histories); n > 0 {
		r.history, r.parked = make([][]int32, n), make([]parking, n)
	}
	r.slots = make([]any, len(c.slots))
	r.lists = make([]int64, len(c.lists))
	if c.late() {
		r.bound = newSet(len(c.nodes))
	}
	return r
}

// spare keeps what an instance had that nobody will use any more, for the next
// one: the room of it alone, nothing that it held.
func (c *Chart) spare(in *Instance) {
	r := in.rare
	in.rare = nil
	if r == nil {
		return
	}
	r.active.clear()
	r.planner.history, r.planner.dynamic = nil, false
	*r = rare{active: r.active, work: work{marks: r.marks, mark: r.mark, planner: r.planner}}
	c.plans.spare.Store(r)
}

// end sets the status and why.
func (r *rare) end(s Status, why *Reason) { r.status, r.reason = s, why }

// wake brings the configuration into active and marks the instance busy.
func (in *Instance) wake() *rare {
	r := in.rare
	if r == nil {
		r = newRare(in.chart)
		in.rare = r
	}
	switch {
	case in.row != 0:
		copy(r.active, in.chart.plans.table.Load().bits(in.row))
	case r.form == formRegions:
		in.chart.local.bits(r.leaves, r.active)
	}
	in.row, r.form, r.busy = 0, formBits, true
	return r
}

// rest puts the configuration into the form that suits it, gives up what is
// not needed, and tells subscribers what became of the event.
func (in *Instance) rest(e Event, result Result) {
	r := in.rare
	r.busy = false
	r.event, r.envelope, r.inner, r.internal = Event{}, nil, queued{}, false
	r.effectsAt = in.sequence()
	in.settle()
	for _, s := range slices.Clone(r.subscribers) {
		in.notify(s, e, result)
	}
}

func (in *Instance) settle() {
	r, c := in.rare, in.chart
	if r.status != Active || r.trace != nil || len(r.subscribers) > 0 || len(r.deferred) > 0 {
		return
	}
	if id := c.plans.intern(r.active); id != 0 {
		in.row, r.form = id, formBusy
		if in.sequence() == 1 && r.plain() && len(r.effects) == 0 {
			in.rare = nil
		}
		return
	}
	if c.local != nil {
		r.leaves, r.form = c.local.leaves(r.active, r.leaves), formRegions
	}
}

// sequence is the number of the last macrostep.
func (in *Instance) sequence() uint64 {
	high := uint64(0)
	if in.rare != nil {
		high = in.rare.carried
	}
	return high<<32 | uint64(in.steps)
}

// saveUndo notes what a macrostep that passes a bound goes back to (R29).
func (in *Instance) saveUndo() {
	r := in.rare
	r.undo.copyFrom(&r.memory)
	r.undoActive = append(r.undoActive[:0], r.active...)
	if in.ctx != nil {
		r.undoContext = in.chart.context.copy(in.ctx, r.undoContext)
	}
}

func (in *Instance) restoreUndo() {
	r := in.rare
	r.memory, r.undo = r.undo, r.memory
	copy(r.active, r.undoActive)
	if in.ctx != nil {
		in.chart.context.assign(in.ctx, r.undoContext)
	}
}
