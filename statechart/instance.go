package statechart

import "unsafe"

// Instance is one running statechart, driven in place by one owner: its
// methods must not be called concurrently, and not from inside the callbacks
// that it runs. It may be held by value in the owner's own struct or slice,
// but not copied once it runs.
//
// In the common case, a plain event taken between states whose actions work
// on a typed context, a step allocates nothing.
type Instance struct {
	chart *Chart
	ctx   unsafe.Pointer
	rare  *rare // what most instances of plain charts never need
	// row is where the plans of the interned configuration stand, or 0: busy,
	// not started, ended, or held in another form by rare.
	row   uint32
	steps uint32 // macrosteps; rare.carried counts its overflows
}

// Start is what a session begins with.
type Start struct {
	// Context is a pointer to the typed context, of the type that the
	// registry's functions take; nil makes a zero one. The instance works on
	// it in place and owns it from now on.
	Context any
	// Session is the session's id, a part of each effect's key.
	Session string
	// Input is what a new run takes, read by the root's initial values and
	// carried by the event detent.init.
	Input any
	// Now is the host's clock in milliseconds.
	Now int64
}

// Instance makes an instance and starts it: the initial macrostep is run and
// its effects can be read. Where that fails, Status and Reason say so.
func (c *Chart) Instance(context any) *Instance {
	in := new(Instance)
	c.Start(in, Start{Context: context})
	return in
}

// Start starts an instance that the caller holds. What it was before is
// forgotten.
func (c *Chart) Start(in *Instance, s Start) Result {
	*in = Instance{chart: c}
	if r := in.bind(s.Context); r != nil {
		in.rare = newRare(c)
		in.rare.end(FailedStatus, r)
		return Result{Refused, r}
	}
	in.rare = newRare(c)
	in.rare.session, in.rare.now = s.Session, s.Now
	result := in.initialize(s.Input)
	for result.Outcome != Failed {
		if _, _, more := in.next(); !more {
			break
		}
	}
	in.rest()
	return result
}

// bind takes the context of the registry's type.
func (in *Instance) bind(context any) *Reason {
	t := in.chart.context
	switch {
	case t == nil && context == nil:
		return nil
	case t == nil:
		return &Reason{Code: CodeContextType, Message: "the chart's registry has no functions on a typed context, so none is taken"}
	case context == nil:
		in.ctx = t.make()
		return nil
	}
	p, ok := t.pointer(context)
	if !ok {
		return &Reason{Code: CodeContextType, Message: "the context is not a pointer of the type that the registered functions take"}
	}
	in.ctx = p
	return nil
}

// Send gives the instance an event: one macrostep, and then one for each
// deferred event that can be taken now. The result is that of e.
func (in *Instance) Send(e Event) Result {
	if in.chart == nil {
		return Result{Refused, reasonNotStarted}
	}
	id, known := in.chart.eventIDs[e.Name]
	if !known || e.Envelope != nil {
		return in.send(in.chart.lookup(e.Name), e)
	}
	t := in.chart.plans.table.Load()
	cell := t.cell(in.row, id)
	switch kind := uint32(cell); {
	case kind >= firstPlan:
		return in.follow(t, cell, e)
	case kind == cellMove:
		return in.move(cell)
	case kind == cellIgnored:
		return in.ignored()
	}
	return in.send(id, e)
}

// SendID is [Instance.Send] for an event without an envelope whose name was
// resolved before.
func (in *Instance) SendID(id EventID, data any) Result {
	if in.chart == nil {
		return Result{Refused, reasonNotStarted}
	}
	t := in.chart.plans.table.Load()
	cell := t.cell(in.row, id)
	switch kind := uint32(cell); {
	case kind >= firstPlan:
		return in.follow(t, cell, Event{Name: in.chart.events[id].name, Data: data})
	case kind == cellMove:
		return in.move(cell)
	case kind == cellIgnored:
		return in.ignored()
	}
	if int(id) >= len(in.chart.events) {
		return Result{Refused, reasonUnknownEvent}
	}
	return in.send(id, Event{Name: in.chart.events[id].name, Data: data})
}

// move is the quickest step: nothing to ask and nothing to run.
func (in *Instance) move(cell uint64) Result {
	in.row = uint32(cell >> 32)
	if in.steps++; in.steps == 0 {
		in.carry()
	}
	return Result{Outcome: Taken}
}

// ignored is the quickest no.
func (in *Instance) ignored() Result {
	if in.steps++; in.steps == 0 {
		in.carry()
	}
	return Result{Ignored, reasonNotTaken}
}

// follow runs a planned step. While callbacks run, row is 0, so that a send
// from inside one is told apart.
func (in *Instance) follow(t *table, cell uint64, e Event) Result {
	root := uint32(cell) - firstPlan
	if uint(root) >= uint(len(t.nodes)) { // built since t was loaded
		return in.send(in.chart.lookup(e.Name), e)
	}
	from, to := in.row, uint32(cell>>32)
	in.row = 0
	n := &t.nodes[root]
	for n.guard != nil {
		if n.guard(in.ctx, e) {
			n = &t.nodes[n.yes]
		} else {
			n = &t.nodes[n.no]
		}
		to = n.to
	}
	for _, f := range n.run {
		f(in.ctx, e)
	}
	if n.end != endTaken {
		return in.notTaken(n, from, e)
	}
	in.row = to
	if in.steps++; in.steps == 0 {
		in.carry()
	}
	return Result{Outcome: Taken}
}

//go:noinline
func (in *Instance) notTaken(n *planNode, from uint32, e Event) Result {
	in.row = from
	if n.end == endSlow {
		return in.general(in.chart.lookup(e.Name), e)
	}
	if in.steps++; in.steps == 0 {
		in.carry()
	}
	return n.result
}

//go:noinline
func (in *Instance) carry() {
	if in.rare == nil {
		in.rare = newRare(in.chart)
	}
	in.rare.carried++
}

// send is the way of every event whose plan is not at hand.
func (in *Instance) send(id EventID, e Event) Result {
	if e.Envelope == nil && in.plan(id) {
		t := in.chart.plans.table.Load()
		switch cell := t.cell(in.row, id); uint32(cell) {
		case cellMove:
			return in.move(cell)
		case cellIgnored:
			return in.ignored()
		default:
			return in.follow(t, cell, e)
		}
	}
	return in.general(id, e)
}

// general is the way of every event that has no plan.
func (in *Instance) general(id EventID, e Event) Result {
	if r := in.rare; in.row == 0 && e.Envelope == nil && r != nil && r.form != formBusy && !r.busy && in.uncached(id, e) {
		return Result{Outcome: Taken}
	}
	result, stepped := in.step(id, e, true)
	if !stepped {
		return result
	}
	for {
		if _, _, more := in.next(); !more {
			break
		}
	}
	in.rest()
	return result
}

// plan sees to it that there is a plan for the event here, if there can be
// one.
func (in *Instance) plan(id EventID) bool {
	if in.row == 0 {
		return false
	}
	p := in.chart.plans
	kind := uint32(p.table.Load().cell(in.row, id))
	if kind == cellUnbuilt && p.build(in.row, id) {
		kind = uint32(p.table.Load().cell(in.row, id))
	}
	return kind > cellSlow
}

// Step is [Instance.Send] without the deferred events: exactly one
// macrostep, for hosts that record each. [Instance.Next] gives the others.
func (in *Instance) Step(e Event) Result {
	if in.chart == nil {
		return Result{Refused, reasonNotStarted}
	}
	result, stepped := in.step(in.chart.lookup(e.Name), e, true)
	if stepped {
		in.rest()
	}
	return result
}

// Next delivers the first deferred event that can be taken now, as one
// macrostep. It returns false when there is none. A host that uses
// [Instance.Step] calls it until then, after each step (R32).
func (in *Instance) Next() (Event, Result, bool) {
	if in.rare == nil || len(in.rare.deferred) == 0 || in.row == 0 && in.rare.busy {
		return Event{}, Result{}, false
	}
	in.rare.effects = in.rare.effects[:0]
	e, result, ok := in.next()
	if ok {
		in.rest()
	}
	return e, result, ok
}

var (
	reasonNotStarted   = &Reason{Code: CodeEnded, Message: "the instance was not started"}
	reasonUnknownEvent = &Reason{Code: CodeUnknownEvent, Message: "the chart knows no such event"}
	reasonReserved     = &Reason{Code: CodeReserved, Message: "only the engine may send events of this name"}
	reasonReentrant    = &Reason{Code: CodeReentrant, Message: "the instance is inside a step: raise the event instead, or a callback panicked and the instance cannot go on"}
	reasonNotTaken     = &Reason{Code: CodeNotTaken, Message: "no transition takes the event in the current configuration"}
	reasonGuardFalse   = &Reason{Code: CodeGuardFalse, Message: "no guard of a transition for the event holds"}
	reasonForbidden    = &Reason{Code: CodeForbidden, Message: "the event is forbidden in the current configuration"}
	reasonDeferred     = &Reason{Code: CodeDeferred, Message: "the event is kept until a transition takes it"}
	reasonFull         = &Reason{Code: CodeFull, Message: "no more events can be deferred"}
	reasonStale        = &Reason{Code: CodeStale, Message: "the event answers something that is over"}
)
