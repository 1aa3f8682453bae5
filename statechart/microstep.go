package statechart

import (
	"math"
	"slices"
	"unsafe"
)

// microstep carries out the chosen transitions in the order of R11.
func (in *Instance) microstep() {
	r := in.rare
	if !in.chart.calm && !in.spendMicrostep() {
		return
	}
	in.gather()
	if len(in.chart.histories) > 0 {
		in.recordHistories()
	}
	in.gatherDynamic()
	for _, s := range r.exits {
		in.exit(s)
	}
	for i := 0; i < len(r.chosen) && r.broken == nil; i++ {
		t := &in.chart.transitions[r.chosen[i].t]
		if r.trace != nil {
			in.traceTaken(t)
		}
		in.runBlock(t.actions, t.source)
	}
	if len(in.chart.slots) > 0 || len(in.chart.histories) > 0 {
		for _, s := range r.exits {
			in.leaveScope(s)
		}
	}
	for i := 0; i < len(r.entries) && r.broken == nil; i++ {
		in.enter(r.entries[i])
	}
	if len(in.chart.histories) > 0 {
		in.dropParkings()
	}
	if invariants && r.broken == nil && !in.chart.legal(r.active) {
		panic("statechart: internal error: illegal configuration " + joinPaths(in.leafPaths(r.active)))
	}
}

// spendMicrostep counts one and remembers the last configurations of a
// macrostep that is about to pass its bound.
func (in *Instance) spendMicrostep() bool {
	r, limit := in.rare, in.chart.limits.Microsteps
	const remembered = 10
	if r.microsteps >= limit-remembered {
		r.cycle = append(r.cycle, joinPaths(in.leafPaths(r.active)))
	}
	if r.microsteps++; r.microsteps > limit {
		in.breakOff(CodeMicrosteps, "the macrostep has too many microsteps")
		return false
	}
	return true
}

// breakOff notes that a bound was passed; the macrostep will be undone.
func (in *Instance) breakOff(code Code, message string) {
	if in.rare.broken == nil {
		in.rare.broken = &Reason{Code: code, Message: message}
	}
}

// gather lists what the chosen transitions exit, in reverse document order,
// and enter, in document order.
func (in *Instance) gather() {
	r, c := in.rare, in.chart
	r.exits, r.entries, r.restored = r.exits[:0], r.entries[:0], r.restored[:0]
	for i := len(r.chosen) - 1; i >= 0; i-- {
		d := r.chosen[i].domain
		if d < 0 {
			continue
		}
		for s := r.active.previous(c.nodes[d].last); s > d; s = r.active.previous(s - 1) {
			r.exits = append(r.exits, s)
		}
	}
	for _, ch := range r.chosen {
		if ch.domain >= 0 && !c.transitions[ch.t].dynamic {
			r.entries = append(r.entries, c.transitions[ch.t].entry.states...)
		}
	}
}

// gatherDynamic adds the entries of transitions that are not known before:
// those through a history, which may have been recorded in this very
// microstep, and those that enter very many states.
func (in *Instance) gatherDynamic() {
	r, c := in.rare, in.chart
	history := r.records()
	dynamic := false
	for _, ch := range r.chosen {
		if ch.domain < 0 || !c.transitions[ch.t].dynamic {
			continue
		}
		plan, _ := r.planner.plan(c.transitions[ch.t].targets, ch.domain, history)
		r.entries = append(r.entries, plan.states...)
		r.restored = append(r.restored, plan.restored...)
		dynamic = true
	}
	if dynamic {
		slices.SortFunc(r.entries, func(a, b entryState) int { return int(a.state - b.state) })
	}
}

// exit leaves one state: its exit block, its timers, its calls, and then it
// is out of the configuration.
func (in *Instance) exit(s int32) {
	r, n := in.rare, &in.chart.nodes[s]
	in.runBlock(n.exit, s)
	if len(n.timed) > 0 {
		in.unscheduleOf(s)
	}
	if len(n.invocations) > 0 {
		in.stopCallsOf(s)
	}
	r.active.remove(s)
	if r.trace != nil {
		in.traceState(TraceExited, s)
	}
}

// enter enters one state (R12), or, when it is active already, only takes
// its initial again.
func (in *Instance) enter(e entryState) {
	r, n := in.rare, &in.chart.nodes[e.state]
	if !r.active.has(e.state) {
		r.active.add(e.state)
		if r.trace != nil {
			in.traceState(TraceEntered, e.state)
		}
		switch {
		case in.chart.scxml:
			in.bindData(e.state)
		case len(n.variables) > 0:
			in.makeScope(e.state)
		}
		in.runBlock(n.entry, e.state)
		if len(n.timed) > 0 {
			in.schedule(e.state)
		}
		if len(n.invocations) > 0 {
			in.prepareCalls(e.state)
		}
	}
	if e.byDefault {
		in.runBlock(n.initialActions, e.state)
	}
	if e.history != nil {
		in.runBlock(e.history, e.state)
	}
	if n.kind == Final {
		in.finalEntered(e.state)
	}
}

// runBlock runs a list of actions; an error stops it and is raised (R20).
func (in *Instance) runBlock(b *block, state int32) {
	r := in.rare
	if b == nil || r.broken != nil {
		return
	}
	if b.quick != nil && r.trace == nil {
		in.runQuick(b.quick)
		return
	}
	outer := r.scope
	r.scope = Scope{in: in, state: state}
	if err := b.inline(&r.scope); err != nil {
		if r.broken != nil {
			in.boundAt(b.place, err)
		} else {
			in.actionError(err, b.place)
		}
	}
	r.scope = outer
}

func (in *Instance) runQuick(list []func(unsafe.Pointer, Event)) {
	r := in.rare
	if !in.chart.calm {
		if r.fuel -= int64(len(list)); r.fuel < 0 {
			in.breakOff(CodeFuel, "the macrostep's fuel is spent")
			return
		}
	}
	for _, f := range list {
		f(in.ctx, r.event)
	}
}

// inline runs the actions as a part of the block around them.
func (b *block) inline(s *Scope) error {
	if b == nil {
		return nil
	}
	for i := range b.steps {
		if err := b.steps[i].run(s); err != nil {
			if _, placed := err.(*stepError); !placed {
				err = &stepError{place: b.steps[i].place, do: b.steps[i].do, cause: err}
			}
			return err
		}
		if s.in.rare.broken != nil {
			return &stepError{place: b.steps[i].place, cause: errBroken}
		}
	}
	return nil
}

// finalEntered raises the done events that follow from a final state (R18),
// or notes the end of the session (R19).
func (in *Instance) finalEntered(f int32) {
	r, c := in.rare, in.chart
	output := in.outputOf(f)
	p := c.nodes[f].parent
	if c.nodes[p].kind == Compound {
		if p == 0 {
			r.final = f
			r.output = output
			return
		}
		in.raiseAs(queued{Event: Event{Name: c.nodes[p].doneName, Data: output}, platform: true})
		p = c.nodes[p].parent
	}
	for ; p >= 0 && c.nodes[p].kind == Parallel; p = c.nodes[p].parent {
		if !in.done(p) {
			return
		}
		if p == 0 {
			r.final = 0
			return
		}
		in.raiseAs(queued{Event: Event{Name: c.nodes[p].doneName, Data: in.outputOf(p)}, platform: true})
	}
}

// outputOf evaluates a state's output; an error is raised and leaves nil.
func (in *Instance) outputOf(s int32) any {
	n := &in.chart.nodes[s]
	if n.output == nil {
		return nil
	}
	v, err := in.evaluate(n.output, s)
	if err != nil {
		in.executionError("data", n.place+".output", err)
		return nil
	}
	return v
}

// done reports whether a state is in a final configuration (isInFinalState).
func (in *Instance) done(s int32) bool {
	n, active := &in.chart.nodes[s], in.rare.active
	switch n.kind {
	case Final:
		return active.has(s)
	case Compound:
		for _, k := range n.children {
			if in.chart.nodes[k].kind == Final && active.has(k) {
				return true
			}
		}
	case Parallel:
		for _, k := range n.children {
			if !in.done(k) {
				return false
			}
		}
		return true
	}
	return false
}

// terminate ends the session because the chart is done (R19): everything is
// exited, timers and calls are taken back, and the end is reported.
func (in *Instance) terminate() {
	r, c := in.rare, in.chart
	final, before := r.final, slices.Clone(r.active)
	in.exitAll()
	status := in.endStatus(final, before)
	if out := c.nodes[0].output; out != nil {
		v, err := in.evaluate(out, 0)
		if err != nil {
			v = nil
			in.effect(Effect{Type: EffectWarn, Data: "the output could not be made: " + err.Error()})
		}
		r.output = v
	}
	copy(r.active, before)
	r.status, r.ended = status, true
	in.effect(Effect{Type: EffectEnd, Name: string(status), Data: r.output})
}

// exitAll exits every active state in reverse document order and takes back
// all that is still to come. What the exits raise is dropped.
func (in *Instance) exitAll() {
	r := in.rare
	r.exits, r.pending, r.coverings = r.exits[:0], r.pending[:0], r.coverings[:0]
	for s := r.active.previous(int32(len(in.chart.nodes)) - 1); s >= 0; s = r.active.previous(s - 1) {
		r.exits = append(r.exits, s)
	}
	for _, s := range r.exits {
		in.exit(s)
	}
	for _, s := range r.exits {
		if s > 0 {
			in.leaveScope(s)
		}
	}
	counted := r.counted
	r.counted = math.MinInt // what is taken back and given up does not count
	in.takeBackAll()
	r.counted = counted
	r.queue, r.head = r.queue[:0], 0
	clear(r.history) // nothing will be restored any more
	clear(r.parked)
}

// Cancel ends the session from outside: everything is exited with its exit
// actions, timers and calls are taken back, and nothing is reported (R25). It
// is a macrostep of its own, with effects; afterwards the status is
// [Cancelled]. On a session that has ended it does nothing and is refused.
func (in *Instance) Cancel() Result {
	d := Delivery{Event: Event{Name: "detent.cancel"}, Envelope: &Envelope{Source: Source{Kind: "cancel"}}}
	if in.chart == nil {
		return Result{Refused, reasonNotStarted}
	}
	if r := in.rare; r != nil && r.status == Parked {
		r.status = Active // a parked session can be cancelled
	}
	if why := in.door(unmatched, &d); why != nil {
		return in.refuse(why)
	}
	r := in.wake()
	r.forget()
	mark := in.begin(d)
	before := slices.Clone(r.active)
	r.counted, r.raised = math.MinInt, math.MinInt // no bound keeps a session from ending
	r.fuel = maxFuel                               // nor the chart's own on fuel
	in.exitAll()
	if r.broken != nil { // an exit action's fuel is spent: end without them
		in.undoStep(mark, false)
		r.broken, r.counted = nil, math.MinInt
		in.takeBackAll()
	}
	copy(r.active, before)
	r.end(Cancelled, nil)
	r.ended = true
	result := Result{Outcome: Taken}
	in.rest(d.Event, result)
	return result
}

// endStatus is what the final state, or one of those that make a parallel
// root done, stands for.
func (in *Instance) endStatus(final int32, active set) Status {
	c := in.chart
	finals := []int32{final}
	if final == 0 {
		finals = c.nodes[0].children
	}
	for _, f := range finals {
		if active.has(f) && c.nodes[f].def.Status == string(FailedStatus) {
			return FailedStatus
		}
	}
	return Completed
}

// takeBackAll unschedules what timers are left, stops the dos and gives up
// deferred events.
func (in *Instance) takeBackAll() {
	r := in.rare
	for _, t := range r.timers {
		in.effect(Effect{Type: EffectUnschedule, Event: t.Name, Source: t.Source})
	}
	r.timers = r.timers[:0]
	for _, l := range r.live {
		in.effect(Effect{Type: EffectStop, Key: l.Key, Source: l.Source})
	}
	r.live = r.live[:0]
	for _, e := range r.deferred {
		in.effect(Effect{Type: EffectWarn, Event: e.Name, Data: "the deferred event " + e.Name + " was never taken"})
	}
	r.deferred = r.deferred[:0]
}
