package expression

import (
	"unicode/utf8"

	"github.com/expr-lang/expr/ast"

	"github.com/detent-run/detent/statechart"
)

var listFunctions = map[string]*function{
	"first":   {usage: "first(list)", does: "the first element, null of none", least: 1, most: 1, takes: []kind{list}, gives: anything, one: first},
	"take":    {usage: "take(list, n)", does: "the first n elements", least: 2, most: 2, takes: []kind{list, integer}, gives: list, many: take},
	"reverse": {usage: "reverse(list)", does: "the last element first", least: 1, most: 1, takes: []kind{list}, gives: list, one: reverse},
	"uniq":    {usage: "uniq(list)", does: "of equal elements the first", least: 1, most: 1, takes: []kind{list}, gives: list, one: uniq},
	"concat":  {usage: "concat(a, b, …)", does: "one list after the other", least: 1, most: -1, takes: []kind{list}, gives: list, many: concat},
	"flatten": {usage: "flatten(list)", does: "without the lists in it, but with their elements, however deep", least: 1, most: 1, takes: []kind{list}, gives: list, one: flatten},
	"sort":    {usage: `sort(list [, "desc"])`, does: "numbers or texts in order; equal ones stay as they are", least: 1, most: 2, takes: []kind{list, textual}, gives: list, many: sortList},
}

// first is written "last" for the last element, in functions_chart.
func first(_ meter, v any) (any, error) {
	if x := v.([]any); len(x) > 0 {
		return x[0], nil
	}
	return nil, nil
}

func take(_ meter, args []any) (any, error) {
	x, n := args[0].([]any), args[1].(int64)
	if n < 0 {
		return nil, wrong("", "%d elements cannot be taken", n)
	}
	n = min(n, int64(len(x)))
	return x[:n:n], nil
}

func reverse(m meter, v any) (any, error) {
	x := v.([]any)
	if err := chargeList(m, len(x)); err != nil {
		return nil, err
	}
	out := make([]any, len(x))
	for i, e := range x {
		out[len(x)-1-i] = e
	}
	return out, nil
}

// uniq looks scalars up, and compares lists and objects one by one.
func uniq(m meter, v any) (any, error) {
	x := v.([]any)
	if err := m.Charge(perObject + 3*int64(len(x))); err != nil {
		return nil, err
	}
	out, scalars, others := make([]any, 0, len(x)), map[any]bool{}, []any{}
	for _, e := range x {
		key, scalar := e, kindOf(e)&(list|object) == 0
		if f, ok := e.(float64); ok {
			if i, ok := whole(f); ok {
				key = i
			}
		}
		if s, ok := e.(string); ok {
			if err := chargeText(m, len(s)); err != nil {
				return nil, err
			}
		}
		if scalar && scalars[key] {
			continue
		}
		if !scalar {
			known, err := isIn(m, e, others)
			if err != nil {
				return nil, err
			}
			if known {
				continue
			}
			others = append(others, e)
		} else {
			if err := m.Charge(perEntry); err != nil {
				return nil, err
			}
			scalars[key] = true
		}
		out = append(out, e)
	}
	return out, nil
}

func concat(m meter, args []any) (any, error) {
	n := 0
	for _, a := range args {
		n += len(a.([]any))
	}
	if err := chargeList(m, n); err != nil {
		return nil, err
	}
	out := make([]any, 0, n)
	for _, a := range args {
		out = append(out, a.([]any)...)
	}
	return out, nil
}

func flatten(m meter, v any) (any, error) {
	return flattenInto(m, []any{}, v.([]any), 0)
}

func flattenInto(m meter, out, x []any, depth int) (_ []any, err error) {
	if depth > MaxDepth {
		return nil, tooDeep()
	}
	// The list grows as it is filled, which takes more than its size.
	if err := m.Charge(perList + 2*int64(len(x))); err != nil {
		return nil, err
	}
	for _, e := range x {
		if inner, ok := e.([]any); ok {
			if out, err = flattenInto(m, out, inner, depth+1); err != nil {
				return nil, err
			}
			continue
		}
		out = append(out, e)
	}
	return out, nil
}

func sortList(m meter, args []any) (any, error) {
	x := args[0].([]any)
	down, err := descending(args[1:])
	if err != nil {
		return nil, err
	}
	return sorted(m, x, x, down)
}

// descending reads the order, if one is given.
func descending(args []any) (bool, error) {
	if len(args) == 0 {
		return false, nil
	}
	switch args[0] {
	case "asc":
		return false, nil
	case "desc":
		return true, nil
	}
	return false, wrong("", `the order is "asc" or "desc"`)
}

// sorted returns the values in the order of their keys, those of equal keys
// as they stood. It is a merge sort, since one of the library's cannot be
// stopped when the fuel is spent.
func sorted(m meter, values, keys []any, down bool) ([]any, error) {
	n := len(values)
	if err := m.Charge(perList + 4*int64(n) + sortCost(n, 0)); err != nil {
		return nil, err
	}
	if n == 1 && kindOf(keys[0])&(number|textual) == 0 {
		return nil, wrong("sortBy(list, …) sorts by something in them", "%s cannot be put in order", describe(keys[0]))
	}
	at, spare := make([]int, n), make([]int, n)
	for i := range at {
		at[i] = i
	}
	s := sorter{meter: m, keys: keys, down: down}
	s.sort(at, spare)
	if s.err != nil {
		return nil, s.err
	}
	out := make([]any, n)
	for i, k := range at {
		out[i] = values[k]
	}
	return out, nil
}

type sorter struct {
	meter meter
	keys  []any
	down  bool
	err   error
}

func (s *sorter) sort(at, spare []int) {
	if len(at) < 2 || s.err != nil {
		return
	}
	half := len(at) / 2
	s.sort(at[:half], spare[:half])
	s.sort(at[half:], spare[half:])
	copy(spare, at)
	left, right := spare[:half], spare[half:]
	for i := range at {
		if len(left) > 0 && (len(right) == 0 || !s.before(right[0], left[0])) {
			at[i], left = left[0], left[1:]
		} else {
			at[i], right = right[0], right[1:]
		}
		if s.err != nil {
			return
		}
	}
}

// before says that the key a comes properly before the key b.
func (s *sorter) before(a, b int) bool {
	o, err := order(s.meter, s.keys[a], s.keys[b])
	if err != nil && s.err == nil {
		s.err = err
	}
	if s.down {
		return o > 0
	}
	return o < 0
}

// length is len of a value.
func length(m meter, v any) (any, error) {
	switch x := v.(type) {
	case []any:
		return int64(len(x)), nil
	case map[string]any:
		return int64(len(x)), nil
	case string:
		if err := chargeText(m, len(x)); err != nil {
			return nil, err
		}
		return int64(utf8.RuneCountInString(x)), nil
	}
	return nil, wrong("", "%s has no length", describe(v))
}

// rowsOf is the name of the append-only list that an argument names, if it
// does: its rows are no value, so only len and last take it.
func (c *compiler) rowsOf(n ast.Node) (string, bool) {
	i, ok := n.(*ast.IdentifierNode)
	if !ok || c.isLocal(i.Value) || !c.names.List(i.Value) {
		return "", false
	}
	return i.Value, true
}

func buildLen(c *compiler, n ast.Node, args []ast.Node) (code, error) {
	if name, ok := c.rowsOf(args[0]); ok {
		return yields(integer, c.at(n), func(s *statechart.Scope, _ []any) (any, error) { return s.Len(name), nil }), nil
	}
	f := &function{usage: "len(x)", takes: []kind{list | object | textual}, gives: integer, one: length}
	return c.callPlain(n, "len", f, args)
}

func buildLast(c *compiler, n ast.Node, args []ast.Node) (code, error) {
	name, rows := c.rowsOf(args[0])
	if !rows {
		f := &function{usage: "last(list [, n])", takes: []kind{list, integer}, gives: anything, many: last}
		return c.callPlain(n, "last", f, args)
	}
	if len(args) < 2 {
		return code{}, refuse(statechart.CodeExpression, c.at(n), "write last("+name+", 10)", "last of the list %s needs a number of rows", quote(name))
	}
	count, err := c.node(args[1])
	if err != nil {
		return code{}, err
	}
	if k, ok := count.value.(int64); count.kinds&integer == 0 || ok && (k < 0 || k > MaxRows) {
		return code{}, refuse(statechart.CodeExpression, count.at, "", "last reads 0 to %d rows of a list", MaxRows)
	}
	return yields(list, c.at(n), func(s *statechart.Scope, l []any) (any, error) {
		v, err := count.eval(s, l)
		if err != nil {
			return nil, err
		}
		k, ok := v.(int64)
		if !ok || k < 0 || k > MaxRows {
			return nil, refuse(statechart.CodeExpression, count.at, "", "last reads 0 to %d rows of a list", MaxRows)
		}
		out, err := s.Last(name, int(k))
		if err != nil {
			return nil, err
		}
		return out, nil
	}), nil
}

// last is the last element, or with a number the last n in their order.
func last(_ meter, args []any) (any, error) {
	x := args[0].([]any)
	if len(args) == 1 {
		if len(x) == 0 {
			return nil, nil
		}
		return x[len(x)-1], nil
	}
	n := args[1].(int64)
	if n < 0 {
		return nil, wrong("", "%d elements cannot be taken", n)
	}
	return x[len(x)-int(min(n, int64(len(x)))):], nil
}
