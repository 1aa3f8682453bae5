package statechart

import (
	"math"
	"slices"
)

// Timer is an armed timer: of an after, an every or a warnAfter, or of a
// raise or send with a delay. Due times are absolute and part of the state.
type Timer struct {
	// Name is the event that it becomes.
	Name string `json:"name"`
	// Kind is after, every, warn, raise or send.
	Kind string `json:"kind"`
	// Due is when it fires, in milliseconds.
	Due int64 `json:"due"`
	// Source identifies it; Entry is the arming counter, and timers of equal
	// Due fire in its order.
	Source Source `json:"source"`
	// State is the path of the state that it belongs to, for after, every
	// and warn.
	State string `json:"state,omitempty"`
	// To is the receiver of a delayed send.
	To string `json:"to,omitempty"`
	// Data is the payload of a delayed raise or send.
	Data any `json:"data,omitempty"`
	// Period is an every's, in milliseconds.
	Period int64 `json:"period,omitempty"`
	index  int32 // in the state's list of timed
	state  int32 // -1: none
}

// Delivery is what a host hands over when the timer is due.
func (t Timer) Delivery() Delivery {
	return Delivery{Event: Event{Name: t.Name, Data: t.Data}, Envelope: &Envelope{Source: t.Source}}
}

// schedule arms the timers of a state that was just entered (R27).
func (in *Instance) schedule(s int32) {
	n := &in.chart.nodes[s]
	for i := range n.timed {
		t := &n.timed[i]
		remaining, kept := int64(0), false
		if t.keep {
			remaining, kept = in.restoredTimer(s, int32(i))
		}
		if !kept {
			v, err := in.evaluate(t.delay, s)
			if err == nil {
				remaining, err = in.milliseconds(v)
			}
			if err != nil {
				in.executionError("action", t.place, err)
				continue
			}
		}
		armed := Timer{Name: t.name, Kind: t.kind(), Due: in.due(remaining), State: n.path, index: int32(i), state: s}
		if t.every {
			armed.Period = max(remaining, 1)
		}
		in.arm(armed, t.name, s)
	}
}

// milliseconds reads a computed delay, which may be the name of one of the
// definition's delays.
func (in *Instance) milliseconds(v any) (int64, error) {
	if name, ok := v.(string); ok {
		if named, ok := in.chart.delays[name]; ok {
			x, err := in.evaluate(named, 0)
			if err != nil {
				return 0, err
			}
			return milliseconds(x)
		}
	}
	return milliseconds(v)
}

func (t *timed) kind() string {
	switch {
	case t.every:
		return "every"
	case t.warning:
		return "warn"
	}
	return "after"
}

// due is the time after a delay, without overflow.
func (in *Instance) due(delay int64) int64 {
	now := in.rare.now
	if delay <= 0 {
		return now
	}
	if delay > math.MaxInt64-now {
		return math.MaxInt64
	}
	return now + delay
}

// arm gives the timer its counter and its place among the others; asking is
// the state that wants it.
func (in *Instance) arm(t Timer, id string, asking int32) {
	r := in.rare
	r.counter++
	t.Source = Source{Kind: "timer", ID: id, Entry: r.counter}
	in.insert(t)
	in.effect(Effect{Type: EffectSchedule, Event: t.Name, State: in.chart.nodes[asking].path, Source: t.Source, To: t.To, Data: t.Data, Due: t.Due})
}

func (in *Instance) insert(t Timer) {
	r := in.rare
	at, _ := slices.BinarySearchFunc(r.timers, t, func(a, b Timer) int {
		switch {
		case a.Due != b.Due:
			return cmpInt(a.Due, b.Due)
		case a.Source.Entry < b.Source.Entry:
			return -1
		}
		return 1
	})
	r.timers = slices.Insert(r.timers, at, t)
}

func cmpInt(a, b int64) int {
	if a < b {
		return -1
	}
	return 1
}

// unscheduleOf takes back the timers of a state that is left, in the order
// in which they were armed, and parks those to keep.
func (in *Instance) unscheduleOf(s int32) {
	in.unschedule(s, func(t *Timer) bool { return t.state == s }, func(a, b Timer) int { return cmpInt(int64(a.Source.Entry), int64(b.Source.Entry)) })
}

// unschedule takes back the timers that match, in the given order, because
// the state asks for it.
func (in *Instance) unschedule(asking int32, match func(*Timer) bool, order func(a, b Timer) int) {
	r := in.rare
	var gone []Timer
	kept := r.timers[:0]
	for i := range r.timers {
		if match(&r.timers[i]) {
			gone = append(gone, r.timers[i])
		} else {
			kept = append(kept, r.timers[i])
		}
	}
	r.timers = kept
	if order != nil {
		slices.SortFunc(gone, order)
	}
	for i := range gone {
		t := &gone[i]
		if t.state >= 0 && in.chart.nodes[t.state].timed[t.index].keep {
			in.parkTimer(t.state, t)
		}
		in.effect(Effect{Type: EffectUnschedule, Event: t.Name, State: in.chart.nodes[asking].path, Source: t.Source})
	}
}

// fire takes up a timer: over is true when nothing is left to process, real
// when it turned into the event e.
func (in *Instance) fire(e *Delivery) (result Result, over, real bool) {
	r := in.rare
	i := slices.IndexFunc(r.timers, func(t Timer) bool { return t.Source.Entry == e.Envelope.Source.Entry })
	if i < 0 {
		return Result{Ignored, reasonStale}, true, false
	}
	t := r.timers[i]
	r.timers = slices.Delete(r.timers, i, i+1)
	e.Name, e.Data = t.Name, t.Data
	switch t.Kind {
	case "every":
		if in.rearm(t) {
			return Result{Ignored, reasonMissed}, true, false
		}
	case "warn":
		in.effect(Effect{Type: EffectWarn, State: t.State, Event: t.Name, Data: "the state " + quote(in.chart.pathOf(t.state)) + " is active for longer than its warnAfter"})
		return Result{Outcome: Taken}, true, false
	case "raise":
		e.Envelope = in.sentBySelf(e.Envelope, t.Source.ID)
	case "send":
		if in.chart.scxml && !in.reachable(t.To) {
			failed := *e.Envelope
			failed.Source.Kind = "send"
			e.Event, e.Envelope = unreachable(t.Name, t.To, t.Source.ID), &failed
			return Result{}, false, true
		}
		e.Envelope = in.sentBySelf(e.Envelope, t.Source.ID)
		if t.To != "self" {
			in.sendNow(t.Name, t.To, t.Source.ID, t.Data, 0)
			return Result{Outcome: Taken}, true, false
		}
	}
	return Result{}, false, true
}

// sentBySelf is the envelope of a delayed event of the session's own.
func (in *Instance) sentBySelf(e *Envelope, id string) *Envelope {
	own := *e
	own.SendID, own.Origin = id, in.rare.session
	return &own
}

var reasonMissed = &Reason{Code: CodeStale, Message: "the tick was missed, and the chart skips missed ticks"}

// rearm arms an every again before its event is processed, and reports
// whether this tick is one to skip.
func (in *Instance) rearm(t Timer) (skip bool) {
	r := in.rare
	missed := int64(0)
	if r.now > t.Due {
		missed = (r.now - t.Due) / t.Period
	}
	how := in.chart.nodes[t.state].timed[t.index].missed
	due := t.Due
	if how == "all" {
		missed = 0
	}
	if due += (missed + 1) * t.Period; due < t.Due {
		due = math.MaxInt64
	}
	skip = how == "skip" && missed > 0
	t.Due = due
	in.arm(t, t.Name, t.state)
	return skip
}
