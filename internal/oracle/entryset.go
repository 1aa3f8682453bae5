package oracle

// entrySet is what a microstep enters and how.
type entrySet struct {
	domain         *state // of the transition at hand
	states         set
	byDefault      set               // statesForDefaultEntry
	defaultHistory map[*state]*state // parent -> the history whose default was taken
	restored       map[*state]*parking
}

// computeEntrySet is Appendix D's. The domains were found before the exits,
// because recording a history can change what its targets resolve to (R16).
func (s *Session) computeEntrySet(chosen []*transition, domains []*state) *entrySet {
	es := &entrySet{states: set{}, byDefault: set{}, defaultHistory: map[*state]*state{}, restored: map[*state]*parking{}}
	for i, t := range chosen {
		if len(t.targets) == 0 || domains[i].isAtomic() {
			continue // R9: local from a leaf to itself is targetless, even if another transition exits the leaf
		}
		es.domain = domains[i]
		for _, st := range t.targets {
			s.addDescendantStatesToEnter(st, es)
		}
		for _, st := range s.getEffectiveTargetStates(t.targets) {
			s.addAncestorStatesToEnter(st, domains[i], es)
			if domains[i].isParallel() && isDescendant(st, domains[i]) {
				s.addRegionsToEnter(domains[i], es) // R9: the domain can be a parallel
			}
		}
	}
	return es
}

// addDescendantStatesToEnter is Appendix D's.
func (s *Session) addDescendantStatesToEnter(st *state, es *entrySet) {
	if st.isHistory() {
		recorded, ok := s.history[st]
		if ok {
			s.markRestored(st, es) // R33
		} else {
			es.defaultHistory[st.parent] = st
			recorded = st.initial
		}
		end := st.parent
		if es.domain != nil && isDescendant(es.domain, end) {
			end = es.domain // R16: the domain can lie below the history's parent
		}
		s.addAllToEnter(recorded, end, es)
		return
	}
	es.states[st] = true
	if st.isCompound() {
		es.byDefault[st] = true
		s.addAllToEnter(st.initial, st, es)
	} else if st.isParallel() {
		s.addRegionsToEnter(st, es)
	}
}

func (s *Session) addAllToEnter(states []*state, ancestor *state, es *entrySet) {
	for _, st := range states {
		s.addDescendantStatesToEnter(st, es)
	}
	for _, st := range states {
		s.addAncestorStatesToEnter(st, ancestor, es)
	}
}

// addAncestorStatesToEnter is Appendix D's (R13).
func (s *Session) addAncestorStatesToEnter(st, ancestor *state, es *entrySet) {
	for _, anc := range properAncestors(st, ancestor) {
		es.states[anc] = true
		if anc.isParallel() {
			s.addRegionsToEnter(anc, es)
		}
	}
}

// addRegionsToEnter enters by default the regions that nothing targets (R14).
func (s *Session) addRegionsToEnter(parallel *state, es *entrySet) {
	for _, region := range parallel.children {
		targeted := false
		for st := range es.states {
			targeted = targeted || isDescendant(st, region)
		}
		if !targeted {
			s.addDescendantStatesToEnter(region, es)
		}
	}
}

// markRestored notes what a recorded history gives back (R33).
func (s *Session) markRestored(h *state, es *entrySet) {
	if p := s.parked[h]; p != nil {
		for _, st := range p.states {
			es.restored[st] = p
		}
	}
}
