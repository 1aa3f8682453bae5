package oracle

import (
	"fmt"
	"sort"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// Chart is a definition as a tree of linked states. Building it checks only
// what the oracle itself relies on: refusing bad definitions is the product's
// business.
type Chart struct {
	def       statechart.Definition
	behaviour Behaviour
	root      *state
	states    []*state // document order, histories included
	scxml     bool
}

// state is one state of the tree.
type state struct {
	def       *statechart.State
	order     int
	path      string // "" is the root
	place     string // path, or # and the chart's id for the root
	doneID    string // what stands after done.state.
	parent    *state
	children  []*state // without histories
	histories []*state
	initial   []*state // of a compound: its initial; of a history: its default
	on        []*transition
	always    []*transition
}

// transition is one candidate.
type transition struct {
	def     *statechart.Transition
	source  *state
	exactly string // the one engine event it is for; else descriptors count
	targets []*state
}

// forbidden reports whether choosing t does nothing at all.
func (t *transition) forbidden() bool { return len(t.targets) == 0 && len(t.def.Actions) == 0 }

func (s *state) isHistory() bool  { return s.def.Type == statechart.History }
func (s *state) isFinal() bool    { return s.def.Type == statechart.Final }
func (s *state) isParallel() bool { return s.def.Type == statechart.Parallel }
func (s *state) isAtomic() bool   { return !s.isHistory() && len(s.children) == 0 }
func (s *state) isCompound() bool { return !s.isParallel() && len(s.children) > 0 }

// isDescendant reports whether s lies properly below a.
func isDescendant(s, a *state) bool {
	for p := s.parent; p != nil; p = p.parent {
		if p == a {
			return true
		}
	}
	return false
}

// properAncestors lists the ancestors of s, innermost first, up to but
// without end; with end nil, the root is the last. As Appendix D has it, it is
// empty when end is s or lies below it.
func properAncestors(s, end *state) []*state {
	if end != nil && (end == s || isDescendant(end, s)) {
		return nil
	}
	var out []*state
	for p := s.parent; p != nil && p != end; p = p.parent {
		out = append(out, p)
	}
	return out
}

// set is a set of states.
type set map[*state]bool

// sorted lists a set in document order.
func sorted(s set) []*state {
	out := make([]*state, 0, len(s))
	for st := range s {
		out = append(out, st)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].order < out[j].order })
	return out
}

// reversed lists a set in reverse document order.
func reversed(s set) []*state {
	out := sorted(s)
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// New builds the chart of a definition that the product has accepted.
func New(def statechart.Definition, b Behaviour) (c *Chart, err error) {
	defer func() {
		if r := recover(); r != nil {
			c, err = nil, fmt.Errorf("oracle: %v", r)
		}
	}()
	c = &Chart{def: def, behaviour: b, scxml: def.Dialect == "scxml"}
	c.root = c.number(&c.def.Root, nil)
	for _, s := range c.states {
		c.link(s)
	}
	for _, s := range c.states {
		if s.isHistory() && leadsTo(s, s, 0) {
			return nil, fmt.Errorf("the default of %s is itself", s.path)
		}
	}
	return c, nil
}

// number adds s and what lies below it, in document order (R1).
func (c *Chart) number(def *statechart.State, parent *state) *state {
	s := &state{def: def, order: len(c.states), parent: parent}
	c.states = append(c.states, s)
	s.place, s.doneID = "#"+c.def.ID, c.def.ID
	if parent != nil {
		s.path = strings.TrimPrefix(parent.path+"."+def.Name, ".")
		s.place, s.doneID = s.path, c.def.ID+"."+s.path
	}
	if def.ID != "" {
		s.doneID = def.ID
	}
	for i := range def.States {
		child := c.number(&def.States[i], s)
		if child.isHistory() {
			s.histories = append(s.histories, child)
		} else {
			s.children = append(s.children, child)
		}
	}
	return s
}

// link resolves the names in s.
func (c *Chart) link(s *state) {
	if s.isHistory() {
		s.initial = c.defaultOf(s)
		return
	}
	s.initial = below(s, s.def.Initial)
	add := func(list *[]*transition, exactly string, defs []statechart.Transition) {
		for i := range defs {
			t := &transition{def: &defs[i], source: s, exactly: exactly}
			for _, name := range strings.Fields(defs[i].Target) {
				t.targets = append(t.targets, c.target(s, name))
			}
			*list = append(*list, t)
		}
	}
	add(&s.on, "", s.def.On)
	add(&s.always, "", s.def.Always)
	for i := range s.def.After {
		add(&s.on, timerName("after", s, i), s.def.After[i].Transitions)
	}
	for i := range s.def.Every {
		add(&s.on, timerName("every", s, i), s.def.Every[i].Transitions)
	}
	add(&s.on, "done.state."+s.doneID, s.def.OnDone)
	for i := range s.def.Invoke {
		id := callID(s, i)
		add(&s.on, "done.invoke."+id, s.def.Invoke[i].OnDone)
		add(&s.on, "error.invoke."+id, s.def.Invoke[i].OnError)
		add(&s.on, "unknown.invoke."+id, s.def.Invoke[i].OnUnknown)
		add(&s.on, "progress.invoke."+id, s.def.Invoke[i].OnProgress)
	}
}

func timerName(kind string, s *state, i int) string { return fmt.Sprintf("%s.%s:%d", kind, s.place, i) }

func callID(s *state, i int) string {
	if id := s.def.Invoke[i].ID; id != "" {
		return id
	}
	return fmt.Sprintf("%s:%d", s.place, i)
}

// callName is what the ids of an SCXML state's calls begin with.
func (s *state) callName() string {
	switch {
	case s.parent == nil:
		return strings.TrimPrefix(s.place, "#")
	case s.def.ID != "":
		return s.def.ID
	}
	return s.path
}

// defaultOf is the default of a history: its own, else its parent's initial,
// else (a parallel parent) all regions.
func (c *Chart) defaultOf(h *state) []*state {
	switch p := h.parent; {
	case h.def.Initial != "":
		return below(p, h.def.Initial)
	case p.isParallel():
		return p.children
	default:
		return below(p, p.def.Initial)
	}
}

// leadsTo reports whether the defaults of histories lead from h to end.
func leadsTo(h, end *state, depth int) bool {
	for _, st := range h.initial {
		if st == end || depth > 8 || st.isHistory() && leadsTo(st, end, depth+1) {
			return true
		}
	}
	return false
}

// below resolves paths relative to s.
func below(s *state, text string) []*state {
	var out []*state
	for _, path := range strings.Fields(text) {
		out = append(out, walk(s, path))
	}
	return out
}

// walk follows keys from s.
func walk(s *state, path string) *state {
	for _, name := range strings.Split(path, ".") {
		s = child(s, name)
	}
	return s
}

func child(s *state, name string) *state {
	for _, list := range [][]*state{s.children, s.histories} {
		for _, c := range list {
			if c.def.Name == name {
				return c
			}
		}
	}
	panic("no state " + name + " below " + s.place)
}

// target resolves one target of a transition of source.
func (c *Chart) target(source *state, text string) *state {
	switch {
	case text[0] == '#':
		return c.byID(text[1:])
	case text == ".":
		return source
	case text[0] == '.':
		return walk(source, text[1:])
	}
	first, rest, more := strings.Cut(text, ".")
	s := source
	if source.def.Name != first || source.parent == nil {
		s = child(source.parent, first)
	}
	if more {
		s = walk(s, rest)
	}
	return s
}

// byID resolves "id" or "id.path"; the id ends at the first dot.
func (c *Chart) byID(text string) *state {
	id, rest, more := strings.Cut(text, ".")
	var s *state
	for _, candidate := range c.states {
		if candidate.def.ID == id {
			s = candidate
		}
	}
	if s == nil && id == c.def.ID {
		s = c.root
	}
	if s == nil {
		panic("no state with the id " + id)
	}
	if more {
		s = walk(s, rest)
	}
	return s
}

// find resolves the operand of In: "#id" or a path from the root.
func (c *Chart) find(path string) *state {
	if strings.HasPrefix(path, "#") {
		return c.byID(path[1:])
	}
	return walk(c.root, path)
}
