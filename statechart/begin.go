package statechart

// initialize runs the initial macrostep: everything is entered from the
// root, and what follows from that.
func (in *Instance) initialize(input any) Result {
	r := in.rare
	value, err := normalizeWithin(in.chart.limits.Data, input)
	if err != nil {
		why := &Reason{Code: CodeStart, Message: "the input cannot be kept: " + err.Error()}
		r.end(FailedStatus, why)
		return Result{Failed, why}
	}
	if in.chart.input != nil {
		if err := in.chart.input(value); err != nil {
			why := &Reason{Code: CodeInput, Message: "the input does not fit its schema: " + err.Error()}
			r.end(FailedStatus, why)
			return Result{Refused, why}
		}
	}
	r.busy = true
	r.input = value
	in.begin(Delivery{Event: Event{Name: "detent.init", Data: value}})
	r.microsteps = 1
	r.chosen, r.exits, r.restored = r.chosen[:0], r.exits[:0], r.restored[:0]
	r.entries = append(r.entries[:0], r.planner.start(r.records()).states...)
	for i := 0; i < len(r.entries) && r.broken == nil; i++ {
		in.enter(r.entries[i])
	}
	in.exhaust()
	r.input = nil
	switch {
	case r.broken != nil:
		why := r.broken
		why.Cycle = append([]string(nil), r.cycle...)
		in.restoreUndo()
		r.input = nil
		r.effects = r.effects[:0]
		r.end(FailedStatus, why)
		return Result{Failed, why}
	case r.halted:
		return Result{Failed, r.reason}
	}
	return Result{Outcome: Taken}
}
