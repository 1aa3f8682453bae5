package expression

import (
	"cmp"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strings"
)

// order compares two numbers or two texts.
func order(m meter, a, b any) (int, error) {
	switch x := a.(type) {
	case int64:
		if y, ok := b.(int64); ok {
			return cmp.Compare(x, y), nil
		}
	case string:
		if y, ok := b.(string); ok {
			if n := min(len(x), len(y)); n >= bytesPerUnit {
				if err := chargeText(m, n); err != nil {
					return 0, err
				}
			}
			return strings.Compare(x, y), nil
		}
	}
	if kindOf(a)&number == 0 || kindOf(b)&number == 0 {
		return 0, wrong("", "%s and %s cannot be put in order", describe(a), describe(b))
	}
	return orderNumbers(a, b), nil
}

// orderNumbers compares by value, exactly: 2^53 + 1 is not the double 2^53.
func orderNumbers(a, b any) int {
	switch x := a.(type) {
	case int64:
		switch y := b.(type) {
		case int64:
			return cmp.Compare(x, y)
		case float64:
			return orderMixed(x, y)
		}
	case float64:
		switch y := b.(type) {
		case int64:
			return -orderMixed(y, x)
		case float64:
			return cmp.Compare(x, y)
		}
	}
	return 0
}

func orderMixed(i int64, f float64) int {
	switch {
	case f >= -math.MinInt64:
		return -1
	case f < math.MinInt64:
		return 1
	}
	t := math.Trunc(f)
	if c := cmp.Compare(i, int64(t)); c != 0 {
		return c
	}
	return cmp.Compare(t, f)
}

// equal compares deeply, numbers by value. It pays for what it visits, since
// a value may be reached in many ways.
func equal(m meter, a, b any, depth int) (bool, error) {
	switch x := a.(type) {
	case nil:
		return b == nil, nil
	case bool:
		y, ok := b.(bool)
		return ok && x == y, nil
	case string:
		y, ok := b.(string)
		if !ok || len(x) != len(y) {
			return false, nil
		}
		if len(x) >= bytesPerUnit {
			if err := chargeText(m, len(x)); err != nil {
				return false, err
			}
		}
		return x == y, nil
	case int64, float64:
		return kindOf(b)&number != 0 && orderNumbers(a, b) == 0, nil
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return false, nil
		}
		return equalLists(m, x, y, depth)
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false, nil
		}
		return equalObjects(m, x, y, depth)
	}
	return false, nil
}

func equalLists(m meter, x, y []any, depth int) (bool, error) {
	if depth > MaxDepth {
		return false, tooDeep()
	}
	if len(x) == 0 || &x[0] == &y[0] {
		return true, nil // the same list
	}
	if err := m.Charge(int64(len(x))); err != nil {
		return false, err
	}
	for i := range x {
		if same, err := equal(m, x[i], y[i], depth+1); !same || err != nil {
			return false, err
		}
	}
	return true, nil
}

func equalObjects(m meter, x, y map[string]any, depth int) (bool, error) {
	if depth > MaxDepth {
		return false, tooDeep()
	}
	// In order, so that the fuel that is used, and the error of a value that
	// is too deep, do not depend on the map.
	keys, err := keysOf(m, x)
	if err != nil {
		return false, err
	}
	for _, k := range keys {
		other, ok := y[k]
		if !ok {
			return false, nil
		}
		if same, err := equal(m, x[k], other, depth+1); !same || err != nil {
			return false, err
		}
	}
	return true, nil
}

// keysOf returns an object's keys, sorted, and pays for it: also for the
// length of the keys, which are compared.
func keysOf(m meter, x map[string]any) ([]string, error) {
	bytes := 0
	for k := range maps.Keys(x) {
		bytes += len(k)
	}
	if err := m.Charge(perList + sortCost(len(x), bytes)); err != nil {
		return nil, err
	}
	keys := make([]string, 0, len(x))
	for k := range maps.Keys(x) {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys, nil
}

// sortCost is what sorting n things costs that are bytes long together.
func sortCost(n, bytes int) int64 {
	return times(int64(n)+int64(bytes)/(8*bytesPerUnit), int64(max(1, bits.Len(uint(n)))))
}
