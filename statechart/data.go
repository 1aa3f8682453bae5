package statechart

import (
	"fmt"
	"math"
)

// makeScope gives a state its variables: restored with the history through
// which it is entered, or from their initial values, in order, each seeing
// the ones before it (R12, R33).
func (in *Instance) makeScope(s int32) {
	r, n := in.rare, &in.chart.nodes[s]
	if values, ok := in.restoredScope(s); ok {
		for i, v := range n.variables {
			r.slots[v.slot] = values[i]
		}
		return
	}
	for i := range n.variables {
		v := &n.variables[i]
		x, err := in.evaluate(v.value, s)
		if err != nil {
			if r.broken != nil {
				return
			}
			x = nil
			in.initialError(s, v, err)
		}
		r.slots[v.slot] = x
	}
}

// initialError deals with a failing initial value: for the root it refuses
// the start, elsewhere it is raised.
func (in *Instance) initialError(s int32, v *variable, err error) {
	if s == 0 {
		in.breakOff(CodeStart, "the initial value of "+v.name+" cannot be made: "+err.Error())
		return
	}
	in.executionError("data", in.chart.nodes[s].place+".context."+v.name, err)
}

// leaveScope promotes from an exited state, then parks or drops its scope
// (R11).
func (in *Instance) leaveScope(s int32) {
	r, n := in.rare, &in.chart.nodes[s]
	for i := range n.promotions {
		if r.broken != nil {
			return
		}
		in.promote(s, &n.promotions[i])
	}
	if len(n.variables) == 0 {
		return
	}
	if len(r.coverings) > 0 {
		in.park(s)
	}
	for _, v := range n.variables {
		r.slots[v.slot] = nil
	}
}

func (in *Instance) promote(s int32, p *promotion) {
	r := in.rare
	v, err := in.evaluate(p.value, s)
	if err == nil {
		v, err = merge(p.merge, r.slots[p.target], v)
	}
	if err == nil {
		v, err = normalizeWithin(in.chart.limits.Data, v)
	}
	if err != nil {
		if r.broken == nil {
			in.executionError("data", p.place, err)
		}
		return
	}
	r.slots[p.target] = v
	if r.trace != nil {
		in.traceValue(TracePromoted, p.name, v)
	}
}

// merge combines a promoted value with what the outer variable holds.
func merge(how string, old, v any) (any, error) {
	switch {
	case how == "replace":
		return v, nil
	case v == nil:
		return old, nil
	case how == "append":
		list, err := listOf(old)
		if err != nil {
			return nil, err
		}
		return append(list[:len(list):len(list)], v), nil
	case how == "union":
		return union(old, v)
	case old == nil:
		if _, ok := number(v); !ok {
			return nil, fmt.Errorf("%s is no number", describeValue(v))
		}
		return v, nil
	case how == "sum":
		return sum(old, v)
	}
	order, ok := compareValues(old, v)
	if !ok {
		return nil, fmt.Errorf("%s and %s cannot be compared", describeValue(old), describeValue(v))
	}
	if (how == "max") == (order < 0) && order != 0 {
		return v, nil
	}
	return old, nil
}

func listOf(v any) ([]any, error) {
	if v == nil {
		return []any{}, nil
	}
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("%s is no list", describeValue(v))
	}
	return list, nil
}

func union(old, v any) (any, error) {
	list, err := listOf(old)
	if err != nil {
		return nil, err
	}
	more, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("%s is no list", describeValue(v))
	}
	seen := make(map[string]bool, len(list)+len(more))
	for _, e := range list {
		seen[canonical(e)] = true
	}
	out := list[:len(list):len(list)]
	for _, e := range more {
		if key := canonical(e); !seen[key] {
			seen[key] = true
			out = append(out, e)
		}
	}
	return out, nil
}

func sum(a, b any) (any, error) {
	x, okX := a.(int64)
	y, okY := b.(int64)
	if okX && okY {
		if s := x + y; (s > x) == (y > 0) {
			return s, nil
		}
		return nil, fmt.Errorf("%d + %d does not fit 64 bits", x, y)
	}
	f, okF := number(a)
	g, okG := number(b)
	if !okF || !okG {
		return nil, fmt.Errorf("%s and %s cannot be added", describeValue(a), describeValue(b))
	}
	if s := f + g; !math.IsInf(s, 0) {
		return s, nil
	}
	return nil, fmt.Errorf("%v + %v is too large", f, g)
}
