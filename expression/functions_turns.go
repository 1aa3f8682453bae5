package expression

import (
	"github.com/detent-run/detent/statechart"
)

// turnFunctions run a body for each element of a list. In the body # is the
// element, .a its field a, and #index its number.
var turnFunctions = map[string]*function{
	"all":           {usage: "all(list, body)", does: "whether the body is true for every element", least: 2, most: 2, turns: quantifier(false, func(n int64) bool { return n == 0 })},
	"none":          {usage: "none(list, body)", does: "whether the body is true for no element", least: 2, most: 2, turns: quantifier(true, func(n int64) bool { return n == 0 })},
	"any":           {usage: "any(list, body)", does: "whether the body is true for an element", least: 2, most: 2, turns: quantifier(true, func(n int64) bool { return n > 0 })},
	"one":           {usage: "one(list, body)", does: "whether the body is true for exactly one element", least: 2, most: 2, turns: one},
	"count":         {usage: "count(list [, body])", does: "for how many elements the body is true; without a body, how many are true", least: 1, most: 2, turns: count},
	"filter":        {usage: "filter(list, body)", does: "the elements for which the body is true", least: 2, most: 2, turns: filter},
	"map":           {usage: "map(list, body)", does: "what the body gives for each element", least: 2, most: 2, turns: mapping},
	"find":          {usage: "find(list, body)", does: "the first element for which the body is true, else null", least: 2, most: 2, turns: finding(false, false)},
	"findLast":      {usage: "findLast(list, body)", does: "the last element for which the body is true, else null", least: 2, most: 2, turns: finding(true, false)},
	"findIndex":     {usage: "findIndex(list, body)", does: "the number of the first element for which the body is true, else null", least: 2, most: 2, turns: finding(false, true)},
	"findLastIndex": {usage: "findLastIndex(list, body)", does: "the number of the last element for which the body is true, else null", least: 2, most: 2, turns: finding(true, true)},
	"sum":           {usage: "sum(list [, body])", does: "the sum of the numbers, or of what the body gives; 0 of none", least: 1, most: 2, turns: sum},
	"groupBy":       {usage: "groupBy(list, body)", does: "an object of lists: the elements by what the body gives", least: 2, most: 2, turns: groupBy},
	"sortBy":        {usage: `sortBy(list, body [, "desc"])`, does: "in the order of what the body gives; equal ones stay as they are", least: 2, most: 3, turns: sortBy},
	"reduce":        {usage: "reduce(list, body [, initial])", does: "what the body gives at the end; #acc is what it gave before, at first the initial value or else the first element", least: 2, most: 3, turns: reduce},
}

// quantifier stops at the first element that decides.
func quantifier(deciding bool, result func(found int64) bool) func(*compiler, *turns) (code, error) {
	return func(_ *compiler, t *turns) (code, error) {
		is, err := t.each.condition(`the body of "` + t.name + `"`)
		if err != nil {
			return code{}, err
		}
		return decides(t.at, func(s *statechart.Scope, l []any) (bool, error) {
			found := int64(0)
			err := t.until(s, l, is, false, func(_ int64, b bool) bool {
				if b == deciding {
					found++
				}
				return found > 0
			})
			return result(found), err
		}), nil
	}
}

func one(_ *compiler, t *turns) (code, error) {
	is, err := t.each.condition(`the body of "one"`)
	if err != nil {
		return code{}, err
	}
	return decides(t.at, func(s *statechart.Scope, l []any) (bool, error) {
		found := 0
		err := t.until(s, l, is, false, func(_ int64, b bool) bool {
			if b {
				found++
			}
			return found > 1
		})
		return found == 1, err
	}), nil
}

func count(_ *compiler, t *turns) (code, error) {
	is, err := t.each.condition(`the body of "count"`)
	if err != nil {
		return code{}, err
	}
	return yields(integer, t.at, func(s *statechart.Scope, l []any) (any, error) {
		found := int64(0)
		err := t.until(s, l, is, false, func(_ int64, b bool) bool {
			if b {
				found++
			}
			return false
		})
		return found, err
	}), nil
}

func filter(_ *compiler, t *turns) (code, error) {
	is, err := t.each.condition(`the body of "filter"`)
	if err != nil {
		return code{}, err
	}
	return yields(list, t.at, func(s *statechart.Scope, l []any) (any, error) {
		out := []any{}
		var failed error
		err := t.until(s, l, is, false, func(_ int64, b bool) bool {
			if b {
				failed = s.Charge(1)
				out = append(out, l[t.element])
			}
			return failed != nil
		})
		if err == nil {
			err = failed
		}
		return out, err
	}), nil
}

func mapping(_ *compiler, t *turns) (code, error) {
	return yields(list, t.at, func(s *statechart.Scope, l []any) (any, error) {
		out := []any{}
		err := t.all(s, l, func(_, v any) error {
			out = append(out, v)
			return s.Charge(1)
		})
		if err != nil {
			return nil, err
		}
		return out, nil
	}), nil
}

func finding(back, index bool) func(*compiler, *turns) (code, error) {
	return func(_ *compiler, t *turns) (code, error) {
		is, err := t.each.condition(`the body of "` + t.name + `"`)
		if err != nil {
			return code{}, err
		}
		gives := t.elements.kinds | null
		if index {
			gives = integer | null
		}
		return yields(gives, t.at, func(s *statechart.Scope, l []any) (any, error) {
			var found any
			err := t.until(s, l, is, back, func(i int64, b bool) bool {
				if b {
					found = l[t.element]
				}
				if b && index {
					found = i
				}
				return b
			})
			return found, err
		}), nil
	}
}

func sum(_ *compiler, t *turns) (code, error) {
	if t.each.kinds&number == 0 {
		return code{}, refuse(statechart.CodeExpression, t.each.at, "", `"sum" needs numbers, not %s`, t.each.kinds)
	}
	return yields(number, t.at, func(s *statechart.Scope, l []any) (any, error) {
		var total any = int64(0)
		err := t.all(s, l, func(_, v any) error {
			if kindOf(v)&number == 0 {
				return wrong("", `"sum" needs numbers, not %s`, describe(v))
			}
			var err error
			total, err = add(s, total, v)
			return err
		})
		return total, err
	}), nil
}

func groupBy(_ *compiler, t *turns) (code, error) {
	return yields(object, t.at, func(s *statechart.Scope, l []any) (any, error) {
		if err := chargeObject(s, 0); err != nil {
			return nil, err
		}
		groups := map[string]any{}
		err := t.all(s, l, func(element, v any) error {
			key, err := keyText(s, v)
			if err != nil {
				return err
			}
			group, ok := groups[key].([]any)
			cost := int64(2)
			if !ok {
				cost += 2 * perEntry
			}
			groups[key] = append(group, element)
			return s.Charge(cost)
		})
		if err != nil {
			return nil, err
		}
		return groups, nil
	}), nil
}

func sortBy(_ *compiler, t *turns) (code, error) {
	if t.hasThird && t.third.kinds&textual == 0 {
		return code{}, refuse(statechart.CodeExpression, t.third.at, "", `the order is "asc" or "desc", not %s`, t.third.kinds)
	}
	return yields(list, t.at, func(s *statechart.Scope, l []any) (any, error) {
		var down bool
		if t.hasThird {
			v, err := t.third.eval(s, l)
			if err != nil {
				return nil, err
			}
			if down, err = descending([]any{v}); err != nil {
				return nil, placed(err, t.third.at)
			}
		}
		var values, keys []any
		err := t.all(s, l, func(element, v any) error {
			values, keys = append(values, element), append(keys, v)
			return s.Charge(2)
		})
		if err != nil {
			return nil, err
		}
		out, err := sorted(s, values, keys, down)
		if err != nil {
			return nil, placed(err, t.at)
		}
		return out, nil
	}), nil
}

func reduce(_ *compiler, t *turns) (code, error) {
	return yields(anything, t.at, func(s *statechart.Scope, l []any) (any, error) {
		from := int64(0)
		var acc any
		if t.hasThird {
			var err error
			if acc, err = t.third.eval(s, l); err != nil {
				return nil, err
			}
		}
		q, err := t.open(s, l)
		if err != nil {
			return nil, err
		}
		if !t.hasThird {
			if q.size == 0 {
				return nil, refuse(statechart.CodeExpression, t.at, "give an initial value: reduce(list, body, initial)", "an empty list cannot be reduced")
			}
			acc, from = q.element(0), 1
		}
		for i := from; i < q.size; i++ {
			if err := t.enter(s, l, &q, i); err != nil {
				return nil, err
			}
			l[t.acc] = acc
			if acc, err = t.each.eval(s, l); err != nil {
				return nil, err
			}
		}
		return acc, nil
	}), nil
}
