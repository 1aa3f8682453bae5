package oracle

import "github.com/detent-run/detent/statechart"

// selection is what one look for transitions found.
type selection struct {
	chosen  []*transition
	asked   bool // some guard said no, or failed
	deferBy []*state
}

// acts reports whether anything would be done: a selection of nothing but
// forbidden transitions does nothing.
func (sel selection) acts() bool {
	for _, t := range sel.chosen {
		if !t.forbidden() {
			return true
		}
	}
	return false
}

// selectTransitions is Appendix D's function of that name. Its eventless
// sister is the same over the other list, so both share one body.
func (s *Session) selectTransitions(event statechart.Delivery) selection {
	deferBy := s.deferring(event)
	sel := s.choose(func(st *state) []*transition {
		for _, d := range deferBy {
			if isDescendant(d, st) { // R32: defer beats a proper ancestor's transition
				return nil
			}
		}
		return s.chart.candidates(st, event.Name)
	})
	sel.deferBy = deferBy
	return sel
}

func (s *Session) selectEventlessTransitions() selection {
	return s.choose(func(st *state) []*transition { return st.always })
}

// choose asks each active leaf in document order, then its ancestors upward
// (R3).
func (s *Session) choose(candidates func(*state) []*transition) selection {
	var sel selection
	answers := map[*transition]bool{} // a guard is asked once
	for _, leaf := range sorted(s.config) {
		if leaf.isAtomic() {
			s.chooseFor(leaf, candidates, answers, &sel)
		}
	}
	sel.chosen = s.removeConflictingTransitions(sel.chosen)
	return sel
}

func (s *Session) chooseFor(leaf *state, candidates func(*state) []*transition, answers map[*transition]bool, sel *selection) {
	for _, st := range append([]*state{leaf}, properAncestors(leaf, nil)...) {
		for _, t := range candidates(st) {
			holds, known := answers[t]
			if !known {
				holds = s.guardHolds(t)
				answers[t] = holds
			}
			if holds {
				sel.add(t)
				return
			}
			sel.asked = true
		}
	}
}

// add adds to an ordered set.
func (sel *selection) add(t *transition) {
	for _, have := range sel.chosen {
		if have == t {
			return
		}
	}
	sel.chosen = append(sel.chosen, t)
}

// guardHolds asks a guard. One that cannot be evaluated is false and raises
// error.execution, once per transition and macrostep (R7).
func (s *Session) guardHolds(t *transition) bool {
	x := s.scope(t.source)
	holds, err := x.condition(&t.def.Guard)
	if err != nil && !s.m.failedGuards[t] {
		s.m.failedGuards[t] = true
		s.fail("guard", err)
	}
	return holds && err == nil
}

// removeConflictingTransitions is Appendix D's (R4).
func (s *Session) removeConflictingTransitions(enabled []*transition) []*transition {
	var filtered []*transition
	for _, t1 := range enabled {
		preempted := false
		remove := map[*transition]bool{}
		for _, t2 := range filtered {
			if intersect(s.computeExitSet(t1), s.computeExitSet(t2)) {
				if isDescendant(t1.source, t2.source) {
					remove[t2] = true
				} else {
					preempted = true
					break
				}
			}
		}
		if preempted {
			continue
		}
		var kept []*transition
		for _, t3 := range filtered {
			if !remove[t3] {
				kept = append(kept, t3)
			}
		}
		filtered = append(kept, t1)
	}
	return filtered
}

func intersect(a, b set) bool {
	for st := range a {
		if b[st] {
			return true
		}
	}
	return false
}
