package statechart

import (
	"slices"
	"strings"
)

// field is a text field of an encoded object, left out when it is empty.
type field struct {
	key  string
	text *string
}

// sender lists what an envelope says of the session that sent the event.
func (e *Envelope) sender() []field {
	return []field{{"sendID", &e.SendID}, {"origin", &e.Origin}, {"invocation", &e.Invocation}}
}

// boundPaths lists the states whose data were given their first values.
func (s *snapshot) boundPaths() []any {
	var paths []any
	if len(s.bound) > 0 {
		for i := s.bound.next(0); i >= 0; i = s.bound.next(i + 1) {
			paths = append(paths, s.chart.nodes[i].path)
		}
	}
	return paths
}

// filled reads a text that would not have been written when empty.
func (d *decoder) filled(path string, v any) string {
	text := d.text(path, v)
	if text == "" {
		d.bad(path, "this is text that is not empty, or left out")
	}
	return text
}

// peers reads what only sessions of SCXML documents have.
func (d *decoder) peers(m map[string]any) {
	s, c := &d.s, d.c
	if parent, ok := m["parent"]; ok {
		if s.parent = d.filled("parent", parent); !c.scxml {
			d.bad("parent", "only a session of an SCXML document knows its parent")
		}
	}
	heard, bound := d.list("heard", m["heard"]), d.list("bound", m["bound"])
	if len(heard) > 0 && !c.scxml || len(heard) > maxHeard {
		d.bad("heard", "a session of this chart has not heard from so many others")
		return
	}
	seen := map[string]bool{}
	for _, v := range heard {
		id := d.filled("heard", v)
		if seen[id] || id == s.session || id == s.parent {
			d.bad("heard", "these are other sessions, each once")
		}
		seen[id] = true
		s.heard = append(s.heard, id)
	}
	if c.late() {
		s.bound = newSet(len(c.nodes))
	}
	last := int32(-1)
	for _, v := range bound {
		at := d.state("bound", v)
		if d.err == nil && (!c.late() || len(c.nodes[at].data) == 0 || at <= last) {
			d.bad("bound", "these are the states whose data have their first values, in document order")
		}
		if d.err != nil {
			return
		}
		last = at
		s.bound.add(at)
	}
}

// callKeys are the keys of a running call. The ids of an SCXML document's
// calls may be made when they start, so the place in the state stands beside.
func (d *decoder) callKeys() []string {
	keys := []string{"source", "key", "src", "state"}
	if d.c.scxml {
		keys = append(keys, "index")
	}
	return keys
}

// callIndex finds the invocation that a running call of a state is of, or -1.
func (d *decoder) callIndex(path string, m map[string]any, state int32, id string) int {
	calls := d.c.nodes[state].invocations
	if !d.c.scxml {
		return slices.IndexFunc(calls, func(x invocation) bool { return x.id == id })
	}
	i := d.integer(path+".index", m["index"])
	if d.err != nil || i >= int64(len(calls)) {
		return -1
	}
	if made := strings.HasPrefix(id, d.c.callPrefix(state)); calls[i].def.ID == "" && made || calls[i].def.ID == id {
		return int(i)
	}
	return -1
}
