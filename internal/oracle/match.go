package oracle

import (
	"sort"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// reservedNames are the engine's names (R28); a trailing dot means a prefix.
var reservedNames = []string{
	"done.state.", "done.invoke.", "done.do.", "error.execution", "error.communication", "error.platform",
	"error.budget", "error.invoke.", "error.do.", "unknown.", "progress.", "after.", "every.", "detent.",
}

func reserved(name string) bool {
	for _, r := range reservedNames {
		if name == r || strings.HasSuffix(r, ".") && strings.HasPrefix(name, r) {
			return true
		}
	}
	return false
}

// rank says how well a descriptor matches a name in the chart dialect: 0 is
// exact, then the longer prefix first, then "*"; ok is false for no match
// (R6).
func rank(descriptor, name string) (rank int, ok bool) {
	const last = 1 << 20
	switch prefix, wild := strings.CutSuffix(descriptor, ".*"); {
	case descriptor == "*":
		return last, !reserved(name)
	case wild:
		return last - len(prefix), name == prefix || strings.HasPrefix(name, prefix+".")
	}
	return 0, descriptor == name
}

// tokens reports whether one of SCXML's descriptors is a token prefix of
// name.
func tokens(descriptors, name string) bool {
	for _, d := range strings.Fields(descriptors) {
		d = strings.TrimSuffix(strings.TrimSuffix(d, ".*"), ".")
		if d == "*" || d == name || strings.HasPrefix(name, d+".") {
			return true
		}
	}
	return false
}

// candidates lists the transitions of s for an event, best first (R6).
func (c *Chart) candidates(s *state, name string) []*transition {
	var out []*transition
	ranks := map[*transition]int{}
	for _, t := range s.on {
		r, ok := 0, false
		switch {
		case t.exactly != "":
			ok = t.exactly == name
		case c.scxml:
			ok = tokens(t.def.Event, name)
		default:
			r, ok = rank(t.def.Event, name)
		}
		if ok {
			out = append(out, t)
			ranks[t] = r
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return ranks[out[i]] < ranks[out[j]] })
	return out
}

// lists reports whether one of the descriptors of a defer list matches.
func (c *Chart) lists(descriptors []string, name string) bool {
	for _, d := range descriptors {
		if _, ok := rank(d, name); ok || c.scxml && tokens(d, name) {
			return true
		}
	}
	return false
}

// knows reports whether the chart knows an event by name, as the door asks.
func (c *Chart) knows(name string) bool {
	if c.scxml {
		return true
	}
	for _, d := range c.def.Events {
		if d.Name == name {
			return true
		}
	}
	for _, s := range c.states {
		if c.lists(s.def.Defer, name) || !s.isHistory() && len(c.candidates(s, name)) > 0 {
			return true
		}
	}
	return false
}

// deferring lists the active states that keep d for later.
func (s *Session) deferring(d statechart.Delivery) []*state {
	if source(d).Kind != "" {
		return nil // R32: the engine's events never are
	}
	var out []*state
	for _, st := range sorted(s.config) {
		all := st == s.chart.root && s.chart.def.Unhandled == "defer" // R34
		if all || s.chart.lists(st.def.Defer, d.Name) {
			out = append(out, st)
		}
	}
	return out
}

// source is where d comes from; zero for a plain event.
func source(d statechart.Delivery) statechart.Source {
	if d.Envelope == nil {
		return statechart.Source{}
	}
	return d.Envelope.Source
}
