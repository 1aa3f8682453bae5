package oracle

import (
	"fmt"
	"maps"

	"github.com/detent-run/detent/statechart"
)

// enterRoot enters the root, whose scope is there already, and by default
// what lies below it (dec. 16).
func (s *Session) enterRoot() {
	s.arrive(s.chart.root, nil)
	es := s.computeEntrySet(nil, nil)
	s.addDescendantStatesToEnter(s.chart.root, es)
	s.enterStates(es)
}

// enterStates is Appendix D's.
func (s *Session) enterStates(es *entrySet) {
	for _, st := range sorted(es.states) {
		if !s.config[st] { // R9: else it restarts, only its children are entered
			s.enter(st, es.restored[st])
		}
		if es.byDefault[st] {
			s.runBlock(st, st.def.InitialActions)
		}
		if h := es.defaultHistory[st]; h != nil {
			s.runBlock(st, h.def.InitialActions)
		}
		if st.isFinal() {
			s.enteredFinal(st)
		}
	}
}

// enter enters one state, restoring what p parked for it (R12, R33).
func (s *Session) enter(st *state, p *parking) {
	s.config[st] = true
	for _, h := range st.histories {
		delete(s.parked, h)
	}
	if scope, ok := parkedScope(p, st); ok {
		s.scopes[st] = maps.Clone(scope)
	} else {
		s.createScope(st)
	}
	s.arrive(st, p)
}

func parkedScope(p *parking, st *state) (map[string]any, bool) {
	if p == nil {
		return nil, false
	}
	scope, ok := p.scopes[st]
	return scope, ok
}

// arrive is what follows a state's scope: entry block, timers, invocations.
func (s *Session) arrive(st *state, p *parking) {
	s.runBlock(st, st.def.Entry)
	for i := range st.def.After {
		if p != nil {
			if remaining, kept := p.remaining[st][i]; kept {
				s.arm(timer{kind: "after", name: timerName("after", st, i), state: st, index: i, due: s.now + remaining})
				continue
			}
		}
		s.armFor(st, "after", i, st.def.After[i].Delay)
	}
	for i := range st.def.Every {
		s.armFor(st, "every", i, st.def.Every[i].Delay)
	}
	if st.def.WarnAfter != nil {
		s.armFor(st, "warn", 0, st.def.WarnAfter)
	}
	for i := range st.def.Invoke {
		s.prepareInvocation(st, i)
	}
}

// armFor evaluates a delay and arms one of a state's own timers (R27).
func (s *Session) armFor(st *state, kind string, i int, delay any) {
	ms, err := s.scope(st).delay(delay)
	if err != nil {
		s.fail("action", err)
		return
	}
	name := timerName(kind, st, i)
	if kind == "warn" {
		name = "after." + st.place + ":warn"
	}
	s.arm(timer{kind: kind, name: name, state: st, index: i, due: s.now + max(0, ms), period: ms})
}

// arm arms a timer under the next entry counter.
func (s *Session) arm(t timer) {
	s.counter++
	t.entry = s.counter
	if t.id == "" && t.kind != "raise" && t.kind != "send" {
		t.id = t.name
	}
	s.timers = append(s.timers, t)
	e := statechart.Effect{Type: statechart.EffectSchedule, State: t.state.path, Event: t.name, Due: t.due, Data: t.data, Source: t.source()}
	if t.kind == "send" {
		e.To = t.to
	}
	s.effect(e)
}

// createScope creates the variables of a state, in order; it reports whether
// all initialisers worked. The root's failure is the start's (dec. 16, 17).
func (s *Session) createScope(st *state) bool {
	scope := map[string]any{}
	declared := st.def.Context
	if st == s.chart.root {
		declared = append(append([]statechart.Variable{}, s.chart.def.Constants...), declared...)
	}
	if len(declared) > 0 {
		s.scopes[st] = scope
	}
	for _, v := range declared {
		value, err := s.scope(st).value(v.Value)
		if err != nil && st == s.chart.root {
			return false
		}
		if err != nil {
			s.fail("data", err)
			value = nil
		}
		scope[v.Name] = value
	}
	return true
}

// enteredFinal queues the done events (R18: climbing) or ends the session.
func (s *Session) enteredFinal(f *state) {
	p := f.parent
	output := s.outputOf(f)
	if p.isCompound() {
		if p == s.chart.root {
			s.rootDone(output)
			return
		}
		s.raise(statechart.Event{Name: "done.state." + p.doneID, Data: output})
		p = p.parent
	}
	for p != nil && p.isParallel() && s.isInFinalState(p) {
		if p == s.chart.root {
			s.rootDone(nil)
			return
		}
		s.raise(statechart.Event{Name: "done.state." + p.doneID, Data: s.outputOf(p)})
		p = p.parent
	}
}

// outputOf evaluates a state's output; a failing one is an error of its own,
// before the done event (R39's way).
func (s *Session) outputOf(st *state) any {
	v, err := s.scope(st).value(st.def.Output)
	if err != nil {
		s.fail("data", err)
		return nil
	}
	return v
}

// isInFinalState is Appendix D's, and R18's: a final region is done itself.
func (s *Session) isInFinalState(st *state) bool {
	switch {
	case st.isFinal():
		return s.config[st]
	case st.isCompound():
		for _, c := range st.children {
			if c.isFinal() && s.config[c] {
				return true
			}
		}
		return false
	case st.isParallel():
		for _, c := range st.children {
			if !s.isInFinalState(c) {
				return false
			}
		}
		return true
	}
	return false
}

// rootDone notes that the session ends after this microstep (R19).
func (s *Session) rootDone(output any) {
	s.m.done, s.m.end, s.m.endOutput = true, statechart.Completed, output
	for _, c := range s.chart.root.children {
		if c.isFinal() && s.config[c] && c.def.Status == "failed" {
			s.m.end = statechart.FailedStatus
		}
	}
}

// prepareInvocation notes an invocation of a state just entered. In chart
// files its arguments are evaluated now, in SCXML when it starts (R25).
func (s *Session) prepareInvocation(st *state, i int) {
	pc := pendingCall{index: i}
	if !s.chart.scxml {
		var err error
		if pc.prepared, err = s.scope(st).prepare(&st.def.Invoke[i]); err != nil {
			s.fail("action", fmt.Errorf("invocation: %w", err))
			return
		}
	}
	s.m.pending[st] = append(s.m.pending[st], pc)
}

// startInvocations starts those of the states that are still active (R25).
func (s *Session) startInvocations() {
	pending := s.m.pending
	s.m.pending = map[*state][]pendingCall{}
	for _, st := range s.chart.states {
		for _, pc := range pending[st] {
			p, id := pc.prepared, callID(st, pc.index)
			if p == nil {
				var err error
				if st.def.Invoke[pc.index].ID == "" { // SCXML 6.4.1: made when it starts
					s.made++
					id = fmt.Sprintf("%s.%d", st.callName(), s.made)
				}
				if p, err = s.scope(st).prepare(&st.def.Invoke[pc.index]); err != nil {
					s.fail("action", err)
					continue
				}
			}
			s.startCall(statechart.EffectInvoke, "invoke", id, st, p)
		}
	}
}

// startCall makes a call live and asks for it.
func (s *Session) startCall(effect statechart.EffectType, kind, id string, st *state, p *prepared) {
	s.counter++
	src := statechart.Source{Kind: kind, ID: id, Entry: s.counter}
	s.calls = append(s.calls, call{source: src, state: st, src: p.options.Src})
	options := p.options
	s.effect(statechart.Effect{Type: effect, State: st.path, Source: src, Data: p.input, Call: &options})
}
