package oracle

import "github.com/detent-run/detent/statechart"

// computeExitSet is Appendix D's, of one transition.
func (s *Session) computeExitSet(t *transition) set {
	out := set{}
	if len(t.targets) == 0 {
		return out // R10
	}
	domain := s.getTransitionDomain(t)
	for st := range s.config {
		if isDescendant(st, domain) {
			out[st] = true
		}
	}
	return out
}

// getTransitionDomain is Appendix D's. It departs from it in two places.
func (s *Session) getTransitionDomain(t *transition) *state {
	targets := s.getEffectiveTargetStates(t.targets)
	properly, orSelf := true, true
	for _, st := range targets {
		below := isDescendant(st, t.source)
		properly = properly && below
		orSelf = orSelf && (below || st == t.source)
	}
	switch {
	case t.def.Type == statechart.Internal && t.source.isCompound() && properly:
		return t.source
	case t.def.Type == statechart.Local && orSelf:
		return t.source // R9: local, of any kind of source
	}
	return s.findLCCA(append([]*state{t.source}, targets...))
}

// findLCCA is Appendix D's: the least compound proper ancestor of the first
// state that all others lie below. R9: above the root there is nothing, and a
// root of any kind closes the search.
func (s *Session) findLCCA(states []*state) *state {
	for _, anc := range properAncestors(states[0], nil) {
		all := true
		for _, st := range states[1:] {
			all = all && isDescendant(st, anc)
		}
		if anc.isCompound() && all {
			return anc
		}
	}
	return s.chart.root
}

// getEffectiveTargetStates is Appendix D's: histories stand for what they
// recorded, else for their default (R16).
func (s *Session) getEffectiveTargetStates(targets []*state) []*state {
	var out []*state
	for _, st := range targets {
		switch recorded, ok := s.history[st]; {
		case !st.isHistory():
			out = append(out, st)
		case ok:
			out = append(out, recorded...)
		default:
			out = append(out, s.getEffectiveTargetStates(st.initial)...)
		}
	}
	return out
}
