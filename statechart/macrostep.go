package statechart

import "strings"

// step is one event that was not planned. stepped is false when nothing is
// left to do after it: the door refused it, or it was taken region by region.
func (in *Instance) step(id EventID, e Delivery) (result Result, stepped bool) {
	if why := in.door(id, &e); why != nil {
		return in.refuse(why), false
	}
	r := in.wake()
	r.forget()
	if in.chart.calm && !e.engine() {
		return in.calmStep(id, e), true
	}
	engine := e.engine()
	mark := in.begin(e)
	result = in.process(id, e)
	switch r.broken {
	case nil:
		return result, true
	case reasonFull, reasonNotKept:
		why := r.broken
		in.undoStep(mark, false)
		in.uncount()
		r.busy = false
		in.settle()
		return Result{Refused, why}, false
	}
	return in.undoStep(mark, engine), true
}

// uncached takes an event in the forms that serve where configurations are
// not interned. ok is false, and nothing happened, where the general way is
// needed.
func (in *Instance) uncached(id EventID, e Event) (result Result, ok bool) {
	r, c := in.rare, in.chart
	switch {
	case in.inside() || r.status != Active:
		return Result{}, false
	case r.form == formRegions:
		return c.local.step(in, id, e)
	case c.word != nil && r.form == formBits && r.trace == nil && len(r.subscribers) == 0:
		return c.word.step(in, id, e)
	}
	return Result{}, false
}

// uncachedResult is the outcome of a step in one of these forms. Their charts
// are calm, so an event that nothing takes leaves nothing to do.
func (in *Instance) uncachedResult(taken, forbidden, guardSaid bool) Result {
	in.count()
	switch {
	case taken:
		return Result{Outcome: Taken}
	case forbidden:
		return Result{Ignored, reasonForbidden}
	case guardSaid:
		return Result{in.chart.unhandled, reasonGuardFalse}
	}
	return Result{in.chart.unhandled, reasonNotTaken}
}

// refuse turns an event away; nothing has happened.
func (in *Instance) refuse(why *Reason) Result {
	if in.rare != nil && !in.inside() {
		in.rare.forget()
	}
	return Result{Refused, why}
}

// forget drops the effects of the call before, but not those of the event
// that a subscriber is being told of.
func (r *rare) forget() {
	if r.telling == 0 {
		r.effects = r.effects[:0]
	}
}

// inside reports whether the instance is inside a step. It stays so when a
// callback panicked: nobody knows then where the step ended.
func (in *Instance) inside() bool {
	return in.row == 0 && (in.rare == nil || in.rare.busy || in.rare.form == formBusy)
}

// door says why an event may not come in at all (R28).
func (in *Instance) door(id EventID, e *Delivery) *Reason {
	if in.inside() {
		return reasonReentrant
	}
	r := in.rare
	if r != nil && r.status != Active {
		return &Reason{Code: CodeEnded, Message: "the session is " + string(r.status) + " and takes no events"}
	}
	if in.chart.scxml {
		return nil
	}
	switch {
	case e.engine():
		return nil
	case (in.chart.events[id].reserved || id == unmatched) && reserved(e.Name):
		return reasonReserved
	case id == unmatched:
		return reasonUnknownEvent
	}
	return in.unwelcome(id, e)
}

// calmStep is the macrostep of a chart in which nothing can go wrong and
// nothing follows: one selection, one microstep, nothing to undo.
func (in *Instance) calmStep(id EventID, e Delivery) Result {
	r := in.rare
	r.event, r.envelope, r.internal = e.Event, e.Envelope, false
	if r.trace != nil {
		in.traceEvent(e.Event)
	}
	in.count()
	if !in.choose(id, true) {
		return in.untaken(e)
	}
	return in.take()
}

func (in *Instance) count() {
	if in.steps++; in.steps == 0 {
		in.rare.carried++
	}
}

// uncount takes back what count did.
func (in *Instance) uncount() {
	if in.steps--; in.steps == ^uint32(0) {
		in.rare.carried--
	}
}

// begin readies the scratch for a macrostep and returns how many effects
// there are already.
func (in *Instance) begin(e Delivery) (mark int) {
	in.saveUndo()
	in.count()
	r := in.rare
	r.event, r.envelope, r.internal = e.Event, e.Envelope, false
	r.queue, r.head = r.queue[:0], 0
	r.pending, r.failed, r.cycle = r.pending[:0], r.failed[:0], r.cycle[:0]
	r.broken, r.halted, r.final = nil, false, -1
	r.microsteps, r.raised, r.counted = 0, 0, 0
	r.fuel = in.chart.limits.Fuel
	if r.trace != nil {
		in.traceEvent(e.Event)
	}
	return len(r.effects)
}

// undoStep takes back a macrostep that passed a bound (R29).
func (in *Instance) undoStep(mark int, engine bool) Result {
	r := in.rare
	why := r.broken
	if why != nil && len(r.cycle) > 0 {
		why.Cycle = append([]string(nil), r.cycle...)
	}
	in.restoreUndo()
	r.effects = r.effects[:mark]
	r.final = -1
	if engine {
		r.end(FailedStatus, why)
	}
	return Result{Failed, why}
}

// process takes the event through selection and everything that follows
// from it, to the end of the macrostep.
func (in *Instance) process(id EventID, e Delivery) Result {
	r := in.rare
	if in.chart.scxml {
		if e.Envelope != nil {
			in.hear(e.Envelope.Origin)
		}
		in.finalize(&e)
	}
	if e.engine() {
		result, over, real := in.consume(&e)
		if over {
			return result
		}
		if real {
			id = in.chart.lookup(e.Name)
		}
		r.event, r.envelope = e.Event, e.Envelope
	}
	if in.chart.scxml {
		in.forward(&e)
	}
	result := Result{Outcome: Taken}
	if in.choose(id, !e.engine()) {
		result = in.take()
	} else if r.broken == nil {
		result = in.untaken(e)
		if why := in.unhandledError(e.Event); why != nil {
			return Result{r.unhandledOutcome(), why}
		}
	}
	in.exhaust()
	if r.halted {
		return Result{Failed, r.reason}
	}
	return result
}

// take carries out the chosen set, unless all of it forbids the event.
func (in *Instance) take() Result {
	result := in.takenOrForbidden()
	if result.Outcome == Taken {
		in.microstep()
	}
	return result
}

// takenOrForbidden tells a chosen set that does nothing from one that does.
func (in *Instance) takenOrForbidden() Result {
	for _, ch := range in.rare.chosen {
		if !in.chart.transitions[ch.t].inert {
			return Result{Outcome: Taken}
		}
	}
	return Result{Ignored, reasonForbidden}
}

// untaken is the outcome of an event that nothing takes (R32, R34).
func (in *Instance) untaken(e Delivery) Result {
	r := in.rare
	why := reasonNotTaken
	if r.guardSaid {
		why = reasonGuardFalse
	}
	if e.engine() {
		return Result{Ignored, why}
	}
	if r.deferring || in.chart.unhandled == Deferred {
		if len(r.deferred) >= in.chart.limits.Deferred {
			r.broken = reasonFull
			return Result{Refused, reasonFull}
		}
		kept, err := normalizeWithin(in.chart.limits.Data, e.Data)
		if err != nil && !(foreign(e.Data) && in.chart.context != nil) {
			r.broken = reasonNotKept
			return Result{Refused, reasonNotKept}
		}
		if err == nil {
			e.Data = kept
		}
		r.deferred = append(r.deferred, e)
		if r.trace != nil {
			in.traceNote(TraceDeferred, e.Name)
		}
		return Result{Deferred, reasonDeferred}
	}
	return Result{in.chart.unhandled, why}
}

// exhaust runs eventless transitions, internal events and the start of
// invocations until nothing is left to do (R5, R25).
func (in *Instance) exhaust() {
	r := in.rare
	for {
		in.drain()
		if r.broken != nil || r.halted {
			return
		}
		if r.final >= 0 {
			in.terminate()
			return
		}
		in.startPending()
		if r.head == len(r.queue) || r.broken != nil {
			return
		}
	}
}

// drain runs eventless transitions, and after them the internal events.
func (in *Instance) drain() {
	r := in.rare
	for r.broken == nil && !r.halted && r.final < 0 {
		if in.anyAlways() && in.choose(eventless, false) {
			in.microstep()
			continue
		}
		if r.broken != nil || r.head == len(r.queue) {
			return
		}
		r.inner, r.internal = r.queue[r.head], true
		r.head++
		e := r.inner.Event
		r.event, r.envelope = e, nil
		if r.trace != nil {
			in.traceEvent(e)
		}
		if in.choose(in.chart.lookup(e.Name), false) {
			in.take()
		} else if r.broken == nil {
			in.unhandledError(e)
		}
	}
}

func (in *Instance) anyAlways() bool {
	for i, w := range in.rare.active {
		if w&in.chart.alwaysMask[i] != 0 {
			return true
		}
	}
	return false
}

// unhandledError applies R21 to an event that nothing takes. It returns why
// the session is over, or nil.
func (in *Instance) unhandledError(e Event) *Reason {
	r := in.rare
	if in.chart.scxml {
		return nil
	}
	warn := func() *Reason {
		in.effect(Effect{Type: EffectWarn, Event: e.Name, Data: "nothing takes " + e.Name + detail(e)})
		return nil
	}
	switch {
	case strings.HasPrefix(e.Name, "error.do."), strings.HasPrefix(e.Name, "unknown.do."):
		return warn()
	case strings.HasPrefix(e.Name, "unknown.invoke."):
		why := &Reason{Code: CodeUnknownOutcome, Message: "nothing takes " + e.Name + ": nobody knows whether the call happened"}
		r.end(Parked, why)
		r.halted = true
		return why
	case e.Name == "error.execution" && fieldOf(e.Data, "kind") != "action" && fieldOf(e.Data, "kind") != "data":
		return warn()
	case e.Name == "error.execution", e.Name == "error.communication", e.Name == "error.platform", e.Name == "error.budget",
		strings.HasPrefix(e.Name, "error.invoke."):
		why := &Reason{Code: CodeUnhandled, Message: "nothing takes " + e.Name + detail(e), Place: fieldOf(e.Data, "place")}
		r.end(FailedStatus, why)
		r.halted = true
		return why
	}
	return nil
}

func (r *rare) unhandledOutcome() Outcome {
	if r.status == Parked {
		return Ignored
	}
	return Failed
}

func detail(e Event) string {
	if message := fieldOf(e.Data, "message"); message != "" {
		return ": " + message
	}
	return ""
}

// fieldOf reads a text field of an object.
func fieldOf(data any, field string) string {
	object, _ := data.(map[string]any)
	text, _ := object[field].(string)
	return text
}

// next delivers the first deferred event that can be taken now.
func (in *Instance) next() (Delivery, Result, bool) {
	r := in.rare
	if r == nil || r.status != Active || len(r.deferred) == 0 {
		return Delivery{}, Result{}, false
	}
	in.wake()
	for i, e := range r.deferred {
		if !in.takes(e) {
			continue
		}
		mark := in.begin(e)
		r.deferred = append(r.deferred[:i:i], r.deferred[i+1:]...)
		result := in.process(in.chart.lookup(e.Name), e)
		if r.broken != nil {
			// The event stays where it is taken out: it would fail again.
			result = in.undoStep(mark, false)
			r.deferred = append(r.deferred[:i:i], r.deferred[i+1:]...)
		} else if result.Outcome == Deferred {
			// A guard said yes and then no: it is no function of the data. The
			// event stays, or it would be delivered for ever.
			in.undoStep(mark, false)
			in.uncount()
			continue
		}
		return e, result, true
	}
	r.busy = false
	return Delivery{}, Result{}, false
}

// takes reports whether the event would be taken now, without a trace of
// having asked.
func (in *Instance) takes(e Delivery) bool {
	r := in.rare
	defer in.look(e)()
	if !in.choose(in.chart.lookup(e.Name), !reserved(e.Name)) {
		return false
	}
	for _, ch := range r.chosen {
		if !in.chart.transitions[ch.t].inert {
			return true
		}
	}
	return false
}

// look readies the scratch for guards that are only asked, and returns what
// puts everything back.
func (in *Instance) look(e Delivery) (restore func()) {
	r := in.rare
	event, envelope, internal, trace, fuel, broken, ids := r.event, r.envelope, r.internal, r.trace, r.fuel, r.broken, r.ids
	r.event, r.envelope, r.internal, r.trace, r.dry, r.fuel, r.broken = e.Event, e.Envelope, false, nil, true, in.chart.limits.Fuel, nil
	return func() {
		r.event, r.envelope, r.internal, r.trace, r.dry, r.fuel, r.broken, r.ids = event, envelope, internal, trace, false, fuel, broken, ids
	}
}
