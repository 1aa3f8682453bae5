package expression

import "math"

// Arithmetic: two integers stay integers for + - * and %, anything else is
// computed in doubles. What leaves the range is an error.

func overflow() error {
	return wrong("compute in decimals: float(x)", "the result does not fit a 64-bit integer")
}

// finite refuses what is no number.
func finite(f float64) (any, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, wrong("", "the result is not a finite number")
	}
	return f, nil
}

func toFloat(v any) (float64, bool) {
	switch x := v.(type) {
	case float64:
		return x, true
	case int64:
		return float64(x), true
	}
	return 0, false
}

// whole returns the integer that a decimal is exactly.
func whole(f float64) (int64, bool) {
	if f != math.Trunc(f) || f < math.MinInt64 || f >= -math.MinInt64 {
		return 0, false
	}
	return int64(f), true
}

// floats returns both operands as doubles.
func floats(op string, a, b any) (x, y float64, err error) {
	x, okX := toFloat(a)
	y, okY := toFloat(b)
	if !okX || !okY {
		return 0, 0, wrong("", "%q needs two numbers, not %s and %s", op, describe(a), describe(b))
	}
	return x, y, nil
}

func add(m meter, a, b any) (any, error) {
	switch x := a.(type) {
	case int64:
		if y, ok := b.(int64); ok {
			sum := x + y
			if (x^sum)&(y^sum) < 0 {
				return nil, overflow()
			}
			return sum, nil
		}
	case string:
		if y, ok := b.(string); ok {
			if err := chargeText(m, len(x)+len(y)); err != nil {
				return nil, err
			}
			return x + y, nil
		}
	}
	x, okX := toFloat(a)
	y, okY := toFloat(b)
	if !okX || !okY {
		return nil, wrong(addHint(kindOf(a), kindOf(b)), `"+" needs two numbers or two texts, not %s and %s`, describe(a), describe(b))
	}
	return finite(x + y)
}

// addHint says how to add what + does not.
func addHint(a, b kind) string {
	switch {
	case a == textual || b == textual:
		return `turn the other into text with string(x), or join with text(a, b)`
	case a == list && b == list:
		return "join lists with concat(a, b)"
	case a == object && b == object:
		return "join objects with merge(a, b)"
	}
	return ""
}

func subtract(_ meter, a, b any) (any, error) {
	if x, ok := a.(int64); ok {
		if y, ok := b.(int64); ok {
			d := x - y
			if (x^y)&(x^d) < 0 {
				return nil, overflow()
			}
			return d, nil
		}
	}
	x, y, err := floats("-", a, b)
	if err != nil {
		return nil, err
	}
	return finite(x - y)
}

func multiply(_ meter, a, b any) (any, error) {
	if x, ok := a.(int64); ok {
		if y, ok := b.(int64); ok {
			p := x * y
			if x != 0 && (p/x != y || x == -1 && y == math.MinInt64) {
				return nil, overflow()
			}
			return p, nil
		}
	}
	x, y, err := floats("*", a, b)
	if err != nil {
		return nil, err
	}
	return finite(x * y)
}

// divide gives a decimal, also of two integers.
func divide(_ meter, a, b any) (any, error) {
	x, y, err := floats("/", a, b)
	if err != nil {
		return nil, err
	}
	if y == 0 {
		return nil, wrong("", "division by zero")
	}
	return finite(x / y)
}

func remainder(_ meter, a, b any) (any, error) {
	x, okX := a.(int64)
	y, okY := b.(int64)
	switch {
	case !okX || !okY:
		return nil, wrong("turn decimals into integers with int(x)", `"%%" needs two integers, not %s and %s`, describe(a), describe(b))
	case y == 0:
		return nil, wrong("", "division by zero")
	}
	return x % y, nil
}

// power gives a decimal, also of two integers.
func power(_ meter, a, b any) (any, error) {
	x, y, err := floats("**", a, b)
	if err != nil {
		return nil, err
	}
	return finite(math.Pow(x, y))
}

func negate(v any) (any, error) {
	switch x := v.(type) {
	case int64:
		if x == math.MinInt64 {
			return nil, overflow()
		}
		return -x, nil
	case float64:
		return -x, nil
	}
	return nil, wrong("", `"-" needs a number, not %s`, describe(v))
}
