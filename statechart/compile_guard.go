package statechart

import (
	"fmt"
	"slices"
	"unsafe"
)

// guard is a compiled condition.
type guard struct {
	op      guardOp
	quick   func(unsafe.Pointer, Event) bool
	general func(*Scope) (bool, error)
	kids    []*guard
	state   int32
	name    string // for the trace
	// fallible: something in it can fail or read data, so it cannot be
	// planned for the fast path.
	fallible bool
}

type guardOp uint8

const (
	opQuick guardOp = iota
	opGeneral
	opAnd
	opOr
	opNot
	opIn
)

// condition compiles a condition; none is nil.
func (c *compiler) condition(d *Condition, state int32, place string, local []localName) *guard {
	if isZero(d) {
		return nil
	}
	return c.conditionAt(d, state, place, local, 0)
}

func isZero(d *Condition) bool {
	return d.Name == "" && d.Params == nil && d.Expression == "" && d.And == nil && d.Or == nil && d.Not == nil && d.In == ""
}

func (c *compiler) conditionAt(d *Condition, state int32, place string, local []localName, depth int) *guard {
	if depth > maxDepth || c.overfull(1, place) {
		c.fail(CodeLimit, place, fmt.Sprintf("conditions nested deeper than %d, or too many", maxDepth), "")
		return &guard{}
	}
	count := 0
	for _, set := range []bool{d.Name != "", d.Expression != "", d.And != nil, d.Or != nil, d.Not != nil, d.In != ""} {
		if set {
			count++
		}
	}
	if count != 1 || d.Params != nil && d.Name == "" {
		c.fail(CodeCondition, place, "a condition has one form", "a name with params, an expression, and, or, not, in")
		return &guard{}
	}
	switch {
	case d.Name != "":
		return c.namedGuard(d, state, place, local)
	case d.Expression != "":
		c.guard = true
		f := c.expression(d.Expression, state, place, local)
		c.guard = false
		return &guard{op: opGeneral, name: string(d.Expression), fallible: true, general: func(s *Scope) (bool, error) { return truth(f(s)) }}
	case d.In != "":
		s, ok := c.chart.find(d.In)
		switch {
		case !ok:
			c.fail(CodeUnknownState, place+".in", "there is no state "+quote(d.In), nearest(c, d.In, c.chart.paths))
		case c.chart.nodes[s].kind == History:
			c.fail(CodeUnknownState, place+".in", quote(d.In)+" is a history", "a history is never active; name its parent")
		}
		return &guard{op: opIn, state: s, name: "in " + d.In}
	case d.Not != nil:
		return combine(opNot, "not", c.conditionAt(d.Not, state, place+".not", local, depth+1))
	}
	list, op, name := d.And, opAnd, "and"
	if d.Or != nil {
		list, op, name = d.Or, opOr, "or"
	}
	if len(list) == 0 {
		c.fail(CodeCondition, place+"."+name, "an empty "+name+" says nothing", "")
	}
	kids := make([]*guard, len(list))
	for i := range list {
		kids[i] = c.conditionAt(&list[i], state, fmt.Sprintf("%s.%s[%d]", place, name, i), local, depth+1)
	}
	return combine(op, name, kids...)
}

func combine(op guardOp, name string, kids ...*guard) *guard {
	g := &guard{op: op, name: name, kids: kids}
	g.fallible = slices.ContainsFunc(kids, func(k *guard) bool { return k.fallible })
	return g
}

func truth(v any, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	b, ok := v.(bool)
	if !ok {
		return false, fmt.Errorf("a guard must be true or false, not %s", describeValue(v))
	}
	return b, nil
}

func (c *compiler) namedGuard(d *Condition, state int32, place string, local []localName) *guard {
	f, ok := c.registry.guards[d.Name]
	if !ok {
		c.fail(CodeUnknownGuard, place, "the guard "+quote(d.Name)+" is not registered", nearest(c, d.Name, c.registry.guards))
		return &guard{}
	}
	c.used["guard "+d.Name] = true
	if f.quick != nil {
		if len(d.Params) > 0 {
			c.fail(CodeNotAllowed, place+".params", "the guard "+quote(d.Name)+" takes no parameters", "register it with Registry.Guard to read them")
		}
		return &guard{op: opQuick, quick: f.quick, name: d.Name}
	}
	params := c.params(d.Params, state, place, local)
	return &guard{op: opGeneral, name: d.Name, fallible: true, general: func(s *Scope) (holds bool, err error) {
		err = s.call(func(s *Scope) error { holds, err = f.general(s); return err }, params, false)
		return holds, err
	}}
}

// holds evaluates the guard on the data and the configuration as they stand.
func (g *guard) holds(s *Scope) (bool, error) {
	switch g.op {
	case opQuick:
		return g.quick(s.in.ctx, s.Event()), s.Charge(1)
	case opGeneral:
		return g.general(s)
	case opIn:
		return s.in.rare.active.has(g.state), nil
	case opNot:
		b, err := g.kids[0].holds(s)
		return !b && err == nil, err
	}
	for _, k := range g.kids {
		b, err := k.holds(s)
		if err != nil {
			return false, err
		}
		if b == (g.op == opOr) {
			return b, nil
		}
	}
	return g.op == opAnd, nil
}

// planned returns the guard as one quick function for a configuration in
// which every "in" is decided, or nil when it holds there always. It must
// not be fallible.
func (g *guard) planned(active set) (f func(unsafe.Pointer, Event) bool, always, never bool) {
	switch g.op {
	case opQuick:
		return g.quick, false, false
	case opIn:
		b := active.has(g.state)
		return nil, b, !b
	case opNot:
		inner, a, n := g.kids[0].planned(active)
		if a || n {
			return nil, n, a
		}
		return func(p unsafe.Pointer, e Event) bool { return !inner(p, e) }, false, false
	}
	var rest []func(unsafe.Pointer, Event) bool
	for _, k := range g.kids {
		inner, a, n := k.planned(active)
		switch {
		case inner != nil:
			rest = append(rest, inner)
		case a && g.op == opOr && len(rest) == 0:
			return nil, true, false
		case n && g.op == opAnd && len(rest) == 0:
			return nil, false, true
		case a && g.op == opOr || n && g.op == opAnd:
			rest = append(rest, func(unsafe.Pointer, Event) bool { return a })
		}
	}
	if len(rest) == 0 {
		return nil, g.op == opAnd, g.op == opOr
	}
	return combined(rest, g.op == opOr), false, false
}

func combined(list []func(unsafe.Pointer, Event) bool, or bool) func(unsafe.Pointer, Event) bool {
	return func(p unsafe.Pointer, e Event) bool {
		for _, f := range list {
			if f(p, e) == or {
				return or
			}
		}
		return !or
	}
}
