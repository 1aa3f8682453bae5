package oracle

import (
	"fmt"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// process is one turn of Appendix D's main event loop for an event that came
// from outside: consume what it answers, select, step, exhaust, invoke.
func (s *Session) process(d statechart.Delivery) result {
	taken := result{outcome: statechart.Taken}
	stale := result{statechart.Ignored, statechart.CodeStale}
	switch src := source(d); src.Kind {
	case "timer":
		t, ok := s.takeTimer(src)
		switch {
		case !ok:
			return stale
		case t.kind == "every" && s.rearm(t): // R27, T4
			return stale
		case t.kind == "warn":
			s.effect(statechart.Effect{Type: statechart.EffectWarn})
			return taken
		case t.kind == "send" && t.to != "self" && !s.chart.scxml:
			s.effect(statechart.Effect{Type: statechart.EffectSend, Event: t.name, To: t.to, Data: t.data,
				Source: statechart.Source{Kind: "send", ID: t.id}})
			return taken
		}
		d.Name, d.Data = t.name, t.data
		if t.kind == "send" && t.to != "self" { // a document's, to nobody
			d.Name, d.Data = "error.communication", nil
		}
		s.m.event = d.Event
	case "invoke", "do":
		if !s.takeAnswer(src, d.Name) && !s.chart.scxml { // there it is an event like any other
			return stale // R26
		}
	}
	r := s.external(d)
	if s.m.over == nil && r.code != statechart.CodeFull {
		s.exhaust()
	}
	return s.finish(r)
}

// takeTimer takes up a due timer; its record goes (dec. 5).
func (s *Session) takeTimer(src statechart.Source) (timer, bool) {
	for i, t := range s.timers {
		if t.entry == src.Entry {
			s.timers = append(s.timers[:i:i], s.timers[i+1:]...)
			return t, true
		}
	}
	return timer{}, false
}

// rearm arms the next tick of an every and reports whether this one is
// skipped by its policy (T4).
func (s *Session) rearm(t timer) (skipped bool) {
	missed := t.state.def.Every[t.index].Missed
	late := t.due+t.period <= s.now
	next := t
	next.due = t.due + t.period
	for missed != "all" && next.due <= s.now {
		next.due += t.period
	}
	s.arm(next)
	return missed == "skip" && late
}

// takeAnswer reports whether a call is live; done, error and unknown end it.
func (s *Session) takeAnswer(src statechart.Source, name string) bool {
	for i, c := range s.calls {
		if c.source == src {
			if !strings.HasPrefix(name, "progress.") {
				s.calls = append(s.calls[:i:i], s.calls[i+1:]...)
			}
			return true
		}
	}
	return false
}

// external selects for an event from outside and steps; the result says what
// became of the event.
func (s *Session) external(d statechart.Delivery) result {
	sel := s.selectTransitions(d)
	switch {
	case sel.acts():
		s.microstep(sel.chosen)
		return result{outcome: statechart.Taken}
	case len(sel.chosen) > 0:
		return result{statechart.Ignored, statechart.CodeForbidden}
	case len(sel.deferBy) > 0:
		if len(s.deferred) >= s.limit().Deferred {
			return result{statechart.Refused, statechart.CodeFull}
		}
		s.deferred = append(s.deferred, d)
		return result{statechart.Deferred, statechart.CodeDeferred}
	}
	r := result{statechart.Ignored, statechart.CodeNotTaken}
	if sel.asked {
		r.code = statechart.CodeGuardFalse
	}
	if s.chart.def.Unhandled == "reject" && source(d).Kind == "" { // R34
		r.outcome = statechart.Refused
	}
	if source(d).Kind != "" {
		s.unhandled(d.Event)
	}
	return r
}

// unhandled is what an event of the engine's, internal or from outside, leads
// to when nothing takes it (R21).
func (s *Session) unhandled(e statechart.Event) {
	is := func(prefix string) bool { return strings.HasPrefix(e.Name, prefix) }
	switch {
	case s.chart.scxml || !reserved(e.Name):
	case is("error.do."), is("unknown.do."), e.Name == "error.execution" && mild(e):
		s.effect(statechart.Effect{Type: statechart.EffectWarn})
	case is("unknown.invoke."):
		s.status = statechart.Parked
		s.m.over = &result{statechart.Ignored, statechart.CodeUnknownOutcome}
	case is("error.execution"), is("error.communication"), is("error.platform"), is("error.budget"), is("error.invoke."):
		s.status = statechart.FailedStatus
		s.m.over = &result{statechart.Failed, statechart.CodeUnhandled}
	}
}

// mild reports whether an error.execution is of a kind that only warns.
func mild(e statechart.Event) bool {
	data, _ := e.Data.(map[string]any)
	return data["kind"] == "guard" || data["kind"] == "do"
}

// exhaust is the inner loop of Appendix D's main event loop, with the start
// of invocations, which may raise events of their own.
func (s *Session) exhaust() {
	for {
		s.exhaustQueue()
		if s.m.done || s.m.over != nil {
			return
		}
		s.startInvocations()
		if len(s.m.queue) == 0 {
			return
		}
	}
}

func (s *Session) exhaustQueue() {
	for !s.m.done && s.m.over == nil {
		if sel := s.selectEventlessTransitions(); len(sel.chosen) > 0 {
			s.microstep(sel.chosen)
			continue
		}
		if len(s.m.queue) == 0 {
			return
		}
		s.m.event = s.m.queue[0]
		s.m.queue = s.m.queue[1:]
		switch sel := s.choose(s.internalCandidates(s.m.event.Name)); {
		case sel.acts():
			s.microstep(sel.chosen)
		case len(sel.chosen) == 0:
			s.unhandled(s.m.event)
		}
	}
}

// internalCandidates are those for an internal event, which is never kept.
func (s *Session) internalCandidates(name string) func(*state) []*transition {
	return func(st *state) []*transition { return s.chart.candidates(st, name) }
}

// finish ends the macrostep: a failed or parked session overrides r, a root
// that is done ends the session.
func (s *Session) finish(r result) result {
	if s.m.over != nil {
		return *s.m.over
	}
	if s.m.done {
		s.terminate()
	}
	return r
}

// microstep is Appendix D's: exit, act, (R33: promote and park,) enter.
func (s *Session) microstep(chosen []*transition) {
	s.microstepCounted()
	domains := make([]*state, len(chosen))
	exits := set{}
	for i, t := range chosen {
		domains[i] = s.getTransitionDomain(t)
		for st := range s.computeExitSet(t) {
			exits[st] = true
		}
	}
	parkings := s.exitStates(exits)
	for _, t := range chosen {
		s.runBlock(t.source, t.def.Actions)
	}
	s.closeScopes(exits, parkings)
	s.enterStates(s.computeEntrySet(chosen, domains))
	s.checkLegal()
}

func (s *Session) microstepCounted() {
	s.m.microsteps++
	if s.m.microsteps > s.limit().Microsteps {
		panic(bound{statechart.CodeMicrosteps})
	}
}

// raise puts an event on the internal queue.
func (s *Session) raise(e statechart.Event) {
	if s.m.raised++; s.m.raised > s.limit().Raised && !s.m.unbounded {
		panic(bound{statechart.CodeRaised})
	}
	s.m.queue = append(s.m.queue, e)
}

// fail raises error.execution for an error of the given kind (R20).
func (s *Session) fail(kind string, err error) {
	if s.m.silent {
		return
	}
	s.raise(statechart.Event{Name: "error.execution", Data: map[string]any{"kind": kind, "message": err.Error()}})
}

// effect adds an effect (R23).
func (s *Session) effect(e statechart.Effect) {
	if e.Type != statechart.EffectUnschedule && e.Type != statechart.EffectStop {
		if s.m.counted++; s.m.counted > s.limit().Effects && !s.m.unbounded {
			panic(bound{statechart.CodeEffects})
		}
	}
	e.Sequence, e.Index = s.sequence, len(s.m.effects)
	s.m.effects = append(s.m.effects, e)
}

// checkLegal panics when the configuration is not legal (R2).
func (s *Session) checkLegal() {
	if err := s.chart.Legal(s.config); err != nil {
		panic(err)
	}
}

// Legal says what is wrong with a configuration: one active child of every
// active compound, all children of every active parallel, and the parents of
// all (R2).
func (c *Chart) Legal(config set) error {
	if !config[c.root] {
		return fmt.Errorf("the root is not active")
	}
	for st := range config {
		active := 0
		for _, child := range st.children {
			if config[child] {
				active++
			}
		}
		switch {
		case st.isHistory(), st.parent != nil && !config[st.parent]:
			return fmt.Errorf("%s cannot be active here", st.place)
		case st.isCompound() && active != 1, st.isParallel() && active != len(st.children):
			return fmt.Errorf("%s has %d active children", st.place, active)
		}
	}
	return nil
}
