package oracle

import (
	"sort"

	"github.com/detent-run/detent/statechart"
)

// exitStates is Appendix D's: record all histories, then leave in reverse
// document order. It returns what each recorded history parks (R33).
func (s *Session) exitStates(exits set) map[*state]*parking {
	parkings := map[*state]*parking{}
	for st := range exits {
		for _, h := range st.histories {
			s.history[h] = s.recorded(h)
			parkings[h] = nil
		}
	}
	for h := range parkings { // when all are recorded: one can lead to another
		parkings[h] = s.parkingFor(h, exits)
	}
	for _, st := range reversed(exits) {
		s.leave(st, parkings)
	}
	return parkings
}

// recorded is the new value of a history: leaves when deep, else children
// (R15).
func (s *Session) recorded(h *state) []*state {
	var out []*state
	for _, st := range sorted(s.config) {
		if h.def.History == "deep" && st.isAtomic() && isDescendant(st, h.parent) || h.def.History != "deep" && st.parent == h.parent {
			out = append(out, st)
		}
	}
	return out
}

// parkingFor lists the states whose data a history keeps: its parent and every
// exited state below that restoring would enter again.
func (s *Session) parkingFor(h *state, exits set) *parking {
	p := &parking{states: []*state{h.parent}, scopes: map[*state]map[string]any{}, remaining: map[*state]map[int]int64{}}
	again := s.computeEntrySet(nil, nil)
	s.addDescendantStatesToEnter(h, again)
	for _, st := range sorted(again.states) {
		if exits[st] {
			p.states = append(p.states, st)
		}
	}
	return p
}

func (p *parking) holds(st *state) bool {
	for _, have := range p.states {
		if have == st {
			return true
		}
	}
	return false
}

// leave exits one state: its block, its timers, its calls, itself (dec. 12).
func (s *Session) leave(st *state, parkings map[*state]*parking) {
	s.runBlock(st, st.def.Exit)
	for _, t := range s.timersIn(func(t timer) bool { return t.state == st && t.kind != "raise" && t.kind != "send" }) {
		for _, p := range parkings {
			if t.kind == "after" && st.def.After[t.index].Keep && p.holds(st) {
				p.keep(st, t.index, max(0, t.due-s.now))
			}
		}
		s.unschedule(t, st)
	}
	for _, c := range s.callsIn(func(c call) bool { return c.source.Kind == "invoke" && c.state == st }) {
		s.stop(c, st)
	}
	delete(s.m.pending, st)
	delete(s.config, st)
}

func (p *parking) keep(st *state, index int, remaining int64) {
	if p.remaining[st] == nil {
		p.remaining[st] = map[int]int64{}
	}
	p.remaining[st][index] = remaining
}

// closeScopes promotes from, then parks or drops, the scope of each exited
// state, innermost first (R11).
func (s *Session) closeScopes(exits set, parkings map[*state]*parking) {
	for _, st := range reversed(exits) {
		s.promote(st)
		for _, p := range parkings {
			if scope, ok := s.scopes[st]; ok && p.holds(st) {
				p.scopes[st] = scope
			}
		}
		delete(s.scopes, st)
	}
	for h, p := range parkings {
		s.parked[h] = p
	}
}

// terminate is Appendix D's exitInterpreter (R19, dec. 15). Errors in its
// blocks go to a queue that nobody reads any more.
func (s *Session) terminate() {
	s.exitAll()
	s.output, s.status = s.m.endOutput, s.m.end
	if out := s.chart.root.def.Output; out != nil {
		v, err := s.scope(s.chart.root).value(out)
		if err != nil {
			s.effect(statechart.Effect{Type: statechart.EffectWarn})
		}
		s.output = v
	}
	s.effect(statechart.Effect{Type: statechart.EffectEnd, Name: string(s.status), Data: s.output})
}

// exitAll leaves every state and takes back all that runs.
func (s *Session) exitAll() {
	s.ended = sorted(s.config)
	exits := set{}
	for st := range s.config {
		exits[st] = true
	}
	for _, st := range reversed(exits) {
		s.leave(st, nil)
	}
	delete(exits, s.chart.root) // the root's data serves its output
	s.closeScopes(exits, nil)
	for _, t := range byDue(s.timersIn(func(timer) bool { return true })) {
		s.unschedule(t, s.chart.root)
	}
	for _, c := range s.callsIn(func(call) bool { return true }) {
		s.stop(c, s.chart.root)
	}
	for range s.deferred {
		s.m.counted-- // else a session that keeps much could never end
		s.effect(statechart.Effect{Type: statechart.EffectWarn})
	}
	s.deferred = nil
}

// timersIn lists the armed timers that match, as they were armed.
func (s *Session) timersIn(match func(timer) bool) []timer {
	var out []timer
	for _, t := range s.timers {
		if match(t) {
			out = append(out, t)
		}
	}
	return out
}

// callsIn lists the live calls that match, as they were started.
func (s *Session) callsIn(match func(call) bool) []call {
	var out []call
	for _, c := range s.calls {
		if match(c) {
			out = append(out, c)
		}
	}
	return out
}

// unschedule takes a timer back; at is the state that asks.
func (s *Session) unschedule(t timer, at *state) {
	s.takeTimer(t.source())
	s.effect(statechart.Effect{Type: statechart.EffectUnschedule, State: at.path, Event: t.name, Source: t.source()})
}

// stop cancels a call; at is the state that asks.
func (s *Session) stop(c call, at *state) {
	s.takeAnswer(c.source, "")
	s.effect(statechart.Effect{Type: statechart.EffectStop, State: at.path, Source: c.source})
}

// byDue orders timers by (due, entry counter).
func byDue(timers []timer) []timer {
	sort.SliceStable(timers, func(i, j int) bool {
		a, b := timers[i], timers[j]
		return a.due < b.due || a.due == b.due && a.entry < b.entry
	})
	return timers
}
