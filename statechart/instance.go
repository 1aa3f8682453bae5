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
	// User is the user whom the session belongs to, if it has one.
	User string
	// Parent is the session that started this one, "" if none did. Only SCXML
	// documents ask for it.
	Parent string
	// Input is what a new run takes, read by the root's initial values and
	// carried by the event detent.init.
	Input any
	// Now is the host's clock in milliseconds; below zero it counts as zero.
	Now int64
	// Trace, when set, is attached before the initial macrostep, as
	// [Instance.Trace] does later.
	Trace *Trace
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
	in.rare.introduce(s, c.scxml)
	in.rare.trace = s.Trace
	result := in.initialize(s.Input)
	in.rest(Event{Name: "detent.init", Data: s.Input}, result)
	return result
}

// introduce notes who the session is and when it is.
func (r *rare) introduce(s Start, scxml bool) {
	r.session, r.user, r.now = s.Session, s.User, max(s.Now, 0)
	if scxml {
		r.parent = s.Parent
	}
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
	if !known {
		if e.Name == "" || !validText(e.Name) {
			return in.refuse(reasonNoName)
		}
		return in.send(in.chart.lookupClass(e.Name), e)
	}
	return in.SendID(id, e.Data)
}

// Receive is [Instance.Send] for an event with its envelope: the way in of
// what a host answers, and of timers.
func (in *Instance) Receive(d Delivery) Result {
	switch {
	case in.chart == nil:
		return Result{Refused, reasonNotStarted}
	case d.Envelope == nil:
		return in.Send(d.Event)
	case d.Name == "" || !validText(d.Name):
		return in.refuse(reasonNoName)
	}
	return in.general(in.chart.lookup(d.Name), d)
}

// SendID is [Instance.Send] for an event whose name was resolved before.
func (in *Instance) SendID(id EventID, data any) Result {
	if in.chart == nil {
		return Result{Refused, reasonNotStarted}
	}
	t := in.chart.plans.table.Load()
	if uint(id) >= uint(len(t.names)) {
		return in.refuse(reasonUnknownEvent)
	}
	if at := uint(in.row) + uint(id); at < uint(len(t.cells)) {
		if p := t.cells[at].Load(); p != nil {
			switch p.end {
			case endMove:
				in.row = p.to
				if in.steps++; in.steps == 0 {
					in.carry()
				}
				return Result{Outcome: Taken}
			case endTaken:
				return in.follow(p, Event{Name: t.names[id], Data: data})
			}
		}
	}
	if r := in.rare; in.row == 0 && r != nil && r.form == formRegions && !r.busy && in.chart.local.moves(in, id) {
		return Result{Outcome: Taken}
	}
	return in.send(id, Event{Name: t.names[id], Data: data})
}

// follow runs a planned step. While callbacks run, row is 0, so that a send
// from inside one is told apart.
func (in *Instance) follow(p *plan, e Event) Result {
	ctx := in.ctx
	in.row = 0
	for p.guard != nil {
		if p.guard(ctx, e) {
			p = p.yes
		} else {
			p = p.no
		}
	}
	if p.end > endTaken {
		return in.notTaken(p, e)
	}
	if f := p.first[0]; f != nil {
		f(ctx, e)
		if f := p.first[1]; f != nil {
			f(ctx, e)
			if f := p.first[2]; f != nil {
				f(ctx, e)
				for _, f := range p.rest {
					f(ctx, e)
				}
			}
		}
	}
	in.row = p.to
	if in.steps++; in.steps == 0 {
		in.carry()
	}
	return Result{Outcome: Taken}
}

// notTaken ends a planned step in which no transition was taken.
//
//go:noinline
func (in *Instance) notTaken(p *plan, e Event) Result {
	in.row = p.to
	if p.end == endSlow {
		return in.general(in.chart.lookup(e.Name), Delivery{Event: e})
	}
	if in.steps++; in.steps == 0 {
		in.carry()
	}
	return p.result
}

//go:noinline
func (in *Instance) carry() {
	if in.rare == nil {
		in.rare = newRare(in.chart)
		in.rare.form = formBusy
	}
	in.rare.carried++
}

// send is the way of every event whose plan is not at hand.
func (in *Instance) send(id EventID, e Event) Result {
	if id == eventless { // what EventID gives for an unknown name
		return in.refuse(reasonUnknownEvent)
	}
	if in.row != 0 {
		if p := in.chart.plans.at(in.row, id); p != nil && p.end != endSlow {
			return in.follow(p, e)
		}
	} else if result, ok := in.uncached(id, e); ok {
		return result
	}
	return in.general(id, Delivery{Event: e})
}

// general is the way of every event that has no plan.
func (in *Instance) general(id EventID, d Delivery) Result {
	result, stepped := in.step(id, d)
	if !stepped {
		return result
	}
	for {
		if _, _, more := in.next(); !more {
			break
		}
	}
	in.rest(d.Event, result)
	return result
}

// Step is [Instance.Send] without the deferred events: exactly one
// macrostep, for hosts that record each. [Instance.Next] gives the others.
func (in *Instance) Step(d Delivery) Result {
	if in.chart == nil {
		return Result{Refused, reasonNotStarted}
	}
	if d.Name == "" || !validText(d.Name) {
		return in.refuse(reasonNoName)
	}
	result, stepped := in.step(in.chart.lookup(d.Name), d)
	if stepped {
		in.rest(d.Event, result)
	}
	return result
}

// Next delivers the first deferred event that can be taken now, as one
// macrostep. It returns false when there is none. A host that uses
// [Instance.Step] calls it until then, after each step (R32).
func (in *Instance) Next() (Delivery, Result, bool) {
	if in.rare == nil || in.inside() {
		return Delivery{}, Result{}, false
	}
	in.rare.forget()
	d, result, ok := in.next()
	if ok {
		in.rest(d.Event, result)
	}
	return d, result, ok
}

var (
	reasonNotStarted   = &Reason{Code: CodeEnded, Message: "the instance was not started"}
	reasonUnknownEvent = &Reason{Code: CodeUnknownEvent, Message: "the chart knows no such event"}
	reasonNotKept      = &Reason{Code: CodeInvalid, Message: "the event cannot be kept for later, for its payload cannot"}
	reasonNoName       = &Reason{Code: CodeInvalidName, Message: "the event's name is not text that can be kept"}
	reasonReserved     = &Reason{Code: CodeReserved, Message: "only the engine may send events of this name"}
	reasonReentrant    = &Reason{Code: CodeReentrant, Message: "the instance is inside a step: raise the event instead, or a callback panicked and the instance cannot go on"}
	reasonNotTaken     = &Reason{Code: CodeNotTaken, Message: "no transition takes the event in the current configuration"}
	reasonGuardFalse   = &Reason{Code: CodeGuardFalse, Message: "no guard of a transition for the event holds"}
	reasonForbidden    = &Reason{Code: CodeForbidden, Message: "the event is forbidden in the current configuration"}
	reasonDeferred     = &Reason{Code: CodeDeferred, Message: "the event is kept until a transition takes it"}
	reasonFull         = &Reason{Code: CodeFull, Message: "no more events can be deferred"}
	reasonStale        = &Reason{Code: CodeStale, Message: "the event answers something that is over"}
)
