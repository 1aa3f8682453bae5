package statechart

import (
	"slices"
	"strings"
)

// Explanation says what an event would do now, and why not more.
type Explanation struct {
	// Outcome is what would become of it; Reason, if it would not be taken.
	Outcome Outcome
	Reason  *Reason
	// Candidates are all transitions for the event from the active states,
	// in the order in which they are asked.
	Candidates []Candidate
	// DeferredBy are the active states that keep the event.
	DeferredBy []string
}

// Candidate is one transition that an [Explanation] looked at.
type Candidate struct {
	// Source is the path of its state, Place where it stands in the
	// definition, and Target as it is written there.
	Source, Place, Target string
	// Guard names the guard; empty: none. Parts are the answers of the parts
	// of a compound guard, in order.
	Guard string
	Parts []Answer
	// Asked is false when another transition was found first.
	Asked bool
	Holds bool
	Error string
	// Chosen says that it would be taken; Preempted, that it lost a conflict.
	Chosen, Preempted bool
}

// Answer is what one guard says.
type Answer struct {
	Guard string
	Holds bool
	Error string
}

// Can reports whether a transition that does something would take the event
// now, if it were sent. Nothing changes.
func (in *Instance) Can(e Event) bool {
	if in.asleep() || in.door(in.chart.lookup(e.Name), &Delivery{Event: e}) != nil {
		return false
	}
	defer in.peek()()
	return in.takes(Delivery{Event: e})
}

// asleep reports whether the instance takes no events at all.
func (in *Instance) asleep() bool {
	return in.chart == nil || in.inside() || in.rare != nil && in.rare.status != Active
}

// peek readies the instance for questions and returns what ends them.
func (in *Instance) peek() (end func()) {
	row, form := in.row, formBusy
	if in.rare != nil {
		form = in.rare.form
	}
	r := in.wake()
	return func() {
		r.busy = false
		in.row, r.form = row, form
	}
}

// Explain says what the event would do now, and why not more: every
// candidate with each guard's answer. Nothing changes. One of the engine's
// events is explained as if it came from the engine, in answer to something
// that is still live.
func (in *Instance) Explain(e Event) Explanation {
	if in.asleep() {
		return Explanation{Outcome: Refused, Reason: &Reason{Code: CodeEnded, Message: "the session takes no events"}}
	}
	id := in.chart.lookup(e.Name)
	if why := in.door(id, &Delivery{Event: e}); why != nil && why != reasonReserved {
		return Explanation{Outcome: Refused, Reason: why}
	}
	defer in.peek()()
	defer in.look(Delivery{Event: e})()
	trace := &Trace{}
	in.rare.trace = trace
	x := Explanation{}
	x.Outcome, x.Reason = in.explainOutcome(id, !reserved(e.Name))
	in.rare.trace = nil
	in.explainCandidates(&x, id, trace)
	return x
}

func (in *Instance) explainOutcome(id EventID, outside bool) (Outcome, *Reason) {
	r := in.rare
	if in.choose(id, outside) {
		result := in.takenOrForbidden()
		return result.Outcome, result.Reason
	}
	why := reasonNotTaken
	if r.guardSaid {
		why = reasonGuardFalse
	}
	switch {
	case !outside:
		return Ignored, why
	case r.deferring || in.chart.unhandled == Deferred:
		return Deferred, reasonDeferred
	}
	return in.chart.unhandled, why
}

// explainCandidates lists the candidates with what the selection found.
func (in *Instance) explainCandidates(x *Explanation, id EventID, trace *Trace) {
	r, c := in.rare, in.chart
	chosen := slices.Clone(r.chosen)
	seen := map[int32]bool{}
	asked := map[string]TraceRecord{}
	preempted := map[string]bool{}
	for _, rec := range trace.Records {
		if rec.Kind == TraceCandidate {
			asked[rec.Name] = rec
		}
		preempted[rec.Name] = preempted[rec.Name] || rec.Kind == TracePreempted
	}
	var scratch []int32
	for leaf := nextIn(r.active, c.leafMask, 0); leaf >= 0; leaf = nextIn(r.active, c.leafMask, leaf+1) {
		for s := leaf; s >= 0; s = c.nodes[s].parent {
			if c.defers(s, id) && !slices.Contains(x.DeferredBy, c.nodes[s].path) {
				x.DeferredBy = append(x.DeferredBy, c.nodes[s].path)
			}
			for _, t := range c.candidates(s, id, &scratch) {
				if !seen[t] {
					seen[t] = true
					tr := &c.transitions[t]
					cand := in.candidate(tr)
					if rec, ok := asked[tr.place]; ok {
						cand.Asked, cand.Holds, cand.Error = true, rec.Holds, rec.Error
					}
					cand.Preempted = preempted[tr.place]
					cand.Chosen = slices.ContainsFunc(chosen, func(ch choice) bool { return ch.t == t })
					x.Candidates = append(x.Candidates, cand)
				}
			}
		}
	}
}

// candidate describes a transition, with what its guard says by itself.
func (in *Instance) candidate(t *transition) Candidate {
	out := Candidate{Source: in.chart.nodes[t.source].path, Place: t.place, Target: t.def.Target}
	if t.guard != nil {
		out.Guard = t.guard.name
		in.answers(t.guard, t.source, &out.Parts)
	}
	return out
}

// answers lists what each part of a guard says by itself.
func (in *Instance) answers(g *guard, state int32, into *[]Answer) {
	if len(g.kids) > 0 {
		for _, k := range g.kids {
			in.answers(k, state, into)
		}
		return
	}
	in.rare.scope = Scope{in: in, state: state}
	holds, err := g.holds(&in.rare.scope)
	a := Answer{Guard: g.name, Holds: holds && err == nil}
	if err != nil {
		a.Error = err.Error()
	}
	*into = append(*into, a)
}

// PossibleEvent is an event that a transition of an active state waits for.
type PossibleEvent struct {
	// Name is the event's, or its descriptor when that is a prefix or "*".
	Name string
	// Data is the schema of its payload and From who may send it, where the
	// definition declares them.
	Data any
	From []string
	// Guarded: whether it is taken depends on a guard.
	Guarded bool
}

// Events returns what could be taken now, in the order of the definition's
// events: all that have a candidate with a target or an action. The engine's
// own events are not listed.
func (in *Instance) Events() []PossibleEvent {
	if in.asleep() {
		return nil
	}
	defer in.peek()()
	var out []PossibleEvent
	active := in.rare.active
	for id := unmatched + 1; int(id) < len(in.chart.events); id++ {
		ev := &in.chart.events[id]
		// In SCXML each name also stands for the longer ones that begin with it.
		if ev.reserved || in.chart.scxml && strings.HasSuffix(ev.name, ".*") {
			continue
		}
		possible, guarded := in.possible(active, id)
		if !possible {
			continue
		}
		p := PossibleEvent{Name: ev.name, Guarded: guarded}
		if ev.declared != nil {
			p.Data, p.From = ev.declared.Data, ev.declared.From
		}
		out = append(out, p)
	}
	return out
}

// possible reports whether some leaf may find a transition for the event,
// and whether none finds it without a guard.
func (in *Instance) possible(active set, id EventID) (possible, guarded bool) {
	c := in.chart
	guarded = true
	var scratch []int32
	for leaf := nextIn(active, c.leafMask, 0); leaf >= 0; leaf = nextIn(active, c.leafMask, leaf+1) {
	climb:
		for s := leaf; s >= 0; s = c.nodes[s].parent {
			if c.hasDefer && in.deferredBelow(s, id) {
				continue
			}
			for _, t := range c.candidates(s, id, &scratch) {
				tr := &c.transitions[t]
				possible = possible || !tr.inert
				if tr.guard == nil {
					guarded = guarded && tr.inert
					break climb
				}
			}
		}
	}
	return possible, guarded
}
