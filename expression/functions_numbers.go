package expression

import (
	"math"
	"slices"
	"strconv"
)

var numberFunctions = map[string]*function{
	"abs":    {usage: "abs(x)", does: "without its sign", least: 1, most: 1, takes: []kind{number}, gives: number, one: abs},
	"ceil":   {usage: "ceil(x)", does: "rounded up; a decimal", least: 1, most: 1, takes: []kind{number}, gives: decimal, one: rounding(math.Ceil)},
	"floor":  {usage: "floor(x)", does: "rounded down; a decimal", least: 1, most: 1, takes: []kind{number}, gives: decimal, one: rounding(math.Floor)},
	"round":  {usage: "round(x)", does: "rounded to the nearest, halves away from zero; a decimal", least: 1, most: 1, takes: []kind{number}, gives: decimal, one: rounding(math.Round)},
	"int":    {usage: "int(x)", does: "a number without its fraction, or a text read, as an integer", least: 1, most: 1, takes: []kind{number | textual}, gives: integer, one: toInt},
	"float":  {usage: "float(x)", does: "a number, or a text read, as a decimal", least: 1, most: 1, takes: []kind{number | textual}, gives: decimal, one: toDecimal},
	"max":    {usage: "max(a, b, …)", does: "the largest of numbers and lists of numbers; null of none", least: 1, most: -1, takes: []kind{number | list}, gives: number | null, many: extreme(1)},
	"min":    {usage: "min(a, b, …)", does: "the smallest of numbers and lists of numbers; null of none", least: 1, most: -1, takes: []kind{number | list}, gives: number | null, many: extreme(-1)},
	"mean":   {usage: "mean(a, b, …)", does: "the mean of numbers and lists of numbers, a decimal; 0 of none", least: 1, most: -1, takes: []kind{number | list}, gives: decimal, many: mean},
	"median": {usage: "median(a, b, …)", does: "the median of numbers and lists of numbers, a decimal; 0 of none", least: 1, most: -1, takes: []kind{number | list}, gives: decimal, many: median},
}

func abs(_ meter, v any) (any, error) {
	switch x := v.(type) {
	case int64:
		if x < 0 {
			return negate(x)
		}
	case float64:
		return math.Abs(x), nil
	}
	return v, nil
}

func rounding(f func(float64) float64) func(meter, any) (any, error) {
	return func(_ meter, v any) (any, error) {
		x, _ := toFloat(v)
		return f(x), nil
	}
}

func toInt(m meter, v any) (any, error) {
	switch x := v.(type) {
	case float64:
		i, ok := whole(math.Trunc(x))
		if !ok {
			return nil, wrong("", "the decimal does not fit a 64-bit integer")
		}
		return i, nil
	case string:
		if err := chargeText(m, len(x)); err != nil {
			return nil, err
		}
		i, err := strconv.ParseInt(x, 10, 64)
		if err != nil {
			return nil, wrong("", "the text %s is no 64-bit integer", quote(x))
		}
		return i, nil
	}
	return v, nil
}

func toDecimal(m meter, v any) (any, error) {
	x, ok := v.(string)
	if !ok {
		f, _ := toFloat(v)
		return f, nil
	}
	if err := chargeText(m, len(x)); err != nil {
		return nil, err
	}
	f, err := strconv.ParseFloat(x, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, wrong("", "the text %s is no finite number", quote(x))
	}
	return f, nil
}

// eachNumber visits the numbers in arguments and nested lists, in order.
func eachNumber(m meter, values []any, depth int, visit func(any) error) error {
	if depth > MaxDepth {
		return tooDeep()
	}
	if err := m.Charge(int64(len(values))); err != nil {
		return err
	}
	for _, v := range values {
		var err error
		switch x := v.(type) {
		case int64, float64:
			err = visit(v)
		case []any:
			err = eachNumber(m, x, depth+1, visit)
		default:
			err = wrong("", "%s is among the numbers", describe(v))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// extreme finds the largest number, or with sign -1 the smallest.
func extreme(sign int) func(meter, []any) (any, error) {
	return func(m meter, args []any) (any, error) {
		var best any
		err := eachNumber(m, args, 0, func(v any) error {
			if best == nil || orderNumbers(v, best)*sign > 0 {
				best = v
			}
			return nil
		})
		return best, err
	}
}

func mean(m meter, args []any) (any, error) {
	total, n := 0.0, 0
	err := eachNumber(m, args, 0, func(v any) error {
		x, _ := toFloat(v)
		total, n = total+x, n+1
		return nil
	})
	if err != nil || n == 0 {
		return 0.0, err
	}
	return finite(total / float64(n))
}

func median(m meter, args []any) (any, error) {
	var all []float64
	err := eachNumber(m, args, 0, func(v any) error {
		x, _ := toFloat(v)
		all = append(all, x)
		return m.Charge(1)
	})
	if err != nil || len(all) == 0 {
		return 0.0, err
	}
	if err := m.Charge(sortCost(len(all), 0)); err != nil {
		return nil, err
	}
	slices.Sort(all)
	middle := len(all) / 2
	if len(all)%2 == 1 {
		return all[middle], nil
	}
	return finite((all[middle-1] + all[middle]) / 2)
}
