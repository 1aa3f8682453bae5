package expression

import (
	"unicode/utf8"

	"github.com/expr-lang/expr/ast"

	"github.com/detent-run/detent/statechart"
)

// rangeSize is how many integers lie in lo..hi.
func rangeSize(lo, hi int64) int64 {
	if lo > hi {
		return 0
	}
	if n := uint64(hi) - uint64(lo) + 1; n > 0 && n < most {
		return int64(n)
	}
	return most
}

// makeRange pays for the whole list before it makes it, numbers and all.
func makeRange(m meter, a, b any) (any, error) {
	lo, hi, err := rangeEnds(a, b)
	if err != nil {
		return nil, err
	}
	n := rangeSize(lo, hi)
	if err := m.Charge(n + perList); err != nil {
		return nil, err
	}
	out := make([]any, n)
	for i := range out {
		out[i] = lo + int64(i)
	}
	return out, nil
}

func rangeEnds(a, b any) (lo, hi int64, err error) {
	lo, okA := a.(int64)
	hi, okB := b.(int64)
	if !okA || !okB {
		return 0, 0, wrong("turn decimals into integers with int(x)", `".." needs two integers, not %s and %s`, describe(a), describe(b))
	}
	return lo, hi, nil
}

// slice is x[from:to] of a list, or of a text by characters. What lies
// outside is cut off.
func (c *compiler) slice(x *ast.SliceNode, lenient bool) (code, error) {
	base, err := c.lenient(x.Node, lenient)
	if err != nil {
		return code{}, err
	}
	at := c.at(x)
	if base.kinds&(list|textual) == 0 {
		return code{}, refuse(statechart.CodeExpression, at, "", "%s cannot be sliced", base.kinds)
	}
	from, to := constant(int64(0), at), constant(nil, at)
	if x.From != nil {
		if from, err = c.end(x.From); err != nil {
			return code{}, err
		}
	}
	if x.To != nil {
		if to, err = c.end(x.To); err != nil {
			return code{}, err
		}
	}
	parts := [3]eval{base.eval, from.eval, to.eval}
	return yields(base.kinds&(list|textual), at, func(s *statechart.Scope, l []any) (any, error) {
		var v [3]any
		for i, p := range parts {
			var err error
			if v[i], err = p(s, l); err != nil {
				return nil, err
			}
		}
		out, err := sliceOf(s, v[0], v[1], v[2])
		return out, placed(err, at)
	}), nil
}

// end compiles the end of a slice.
func (c *compiler) end(n ast.Node) (code, error) {
	end, err := c.node(n)
	if err == nil && end.kinds&integer == 0 {
		err = refuse(statechart.CodeExpression, end.at, "", "a slice ends at an integer, not at %s", end.kinds)
	}
	return end, err
}

func sliceOf(m meter, v, from, to any) (any, error) {
	switch x := v.(type) {
	case []any:
		lo, hi, err := ends(from, to, int64(len(x)))
		if err != nil {
			return nil, err
		}
		return x[lo:hi:hi], nil
	case string:
		if err := chargeText(m, 2*len(x)); err != nil {
			return nil, err
		}
		lo, hi, err := ends(from, to, int64(utf8.RuneCountInString(x)))
		if err != nil {
			return nil, err
		}
		return x[byteOffset(x, int(lo)):byteOffset(x, int(hi))], nil
	}
	return nil, wrong("", "%s cannot be sliced", describe(v))
}

// ends brings both ends of a slice into 0..n; to is nil where it is left out.
func ends(from, to any, n int64) (lo, hi int64, err error) {
	lo, okFrom := from.(int64)
	hi, okTo := to.(int64)
	if to == nil {
		hi, okTo = n, true
	}
	if !okFrom || !okTo {
		return 0, 0, wrong("", "a slice ends at integers, not at %s and %s", describe(from), describe(to))
	}
	if lo < 0 {
		lo += n
	}
	if hi < 0 {
		hi += n
	}
	hi = min(max(hi, 0), n)
	return min(max(lo, 0), hi), hi, nil
}
