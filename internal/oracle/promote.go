package oracle

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// promote merges the promotions of an exited state outward (R33, dec. 19).
// One that fails merges nothing, and the next goes on.
func (s *Session) promote(st *state) {
	for _, p := range st.def.Promote {
		x := s.scope(st)
		value, err := x.value(p.Value)
		if err == nil {
			outer := s.scope(st.parent)
			var merged any
			if merged, err = merge(p.Merge, outer.Variable(p.Variable), value); err == nil {
				err = outer.Set(p.Variable, merged)
			}
		}
		if err != nil {
			s.fail("data", err)
		}
	}
}

// merge combines an outer value with a promoted one.
func merge(how string, old, value any) (any, error) {
	switch {
	case how == "" || how == "replace":
		return value, nil
	case value == nil: // nil is neutral
		return old, nil
	case how == "append":
		list, err := asList(old)
		return append(append([]any{}, list...), value), err
	case how == "union":
		return union(old, value)
	}
	return number(how, old, value)
}

// asList takes nil for the empty list.
func asList(v any) ([]any, error) {
	list, ok := v.([]any)
	if !ok && v != nil {
		return nil, fmt.Errorf("%v is no list", v)
	}
	return list, nil
}

func union(old, value any) (any, error) {
	list, err := asList(old)
	if err != nil {
		return nil, err
	}
	more, err := asList(value)
	if err != nil {
		return nil, err
	}
	out := append([]any{}, list...)
	seen := map[string]bool{}
	for _, v := range list {
		seen[canonical(v)] = true
	}
	for _, v := range more {
		if !seen[canonical(v)] {
			seen[canonical(v)] = true
			out = append(out, v)
		}
	}
	return out, nil
}

func canonical(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// number is sum, max and min.
func number(how string, old, value any) (any, error) {
	if !isNumber(value) || old != nil && !isNumber(old) {
		return nil, fmt.Errorf("%s of %v and %v", how, old, value)
	}
	if old == nil {
		return value, nil
	}
	a, ok := old.(int64)
	b, ok2 := value.(int64)
	if ok && ok2 {
		return integers(how, a, b)
	}
	x, y := asFloat(old), asFloat(value)
	switch how {
	case "sum":
		return x + y, nil
	case "max":
		return math.Max(x, y), nil
	}
	return math.Min(x, y), nil
}

func integers(how string, a, b int64) (any, error) {
	switch how {
	case "max":
		return max(a, b), nil
	case "min":
		return min(a, b), nil
	}
	sum := a + b
	if b > 0 && sum < a || b < 0 && sum > a {
		return nil, errors.New("sum overflows")
	}
	return sum, nil
}

func isNumber(v any) bool {
	switch v.(type) {
	case int64, float64:
		return true
	}
	return false
}

func asFloat(v any) float64 {
	if n, ok := v.(int64); ok {
		return float64(n)
	}
	return v.(float64)
}
