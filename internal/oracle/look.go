package oracle

import "github.com/detent-run/detent/statechart"

// lookThrough charges for a computed value: one for every 16 values in it,
// one for every 1,024 bytes of text, and one for every field of its objects.
func (x *Scope) lookThrough(v any) {
	values, bytes, fields := weigh(v)
	if cost := values/16 + bytes/1024 + fields; cost > 0 {
		_ = x.Charge(int64(cost))
	}
}

// weigh counts the values of which v is made, the bytes of text that stand as
// values (keys do not count), and the fields of objects.
func weigh(v any) (values, bytes, fields int) {
	values = 1
	add := func(e any) {
		n, b, f := weigh(e)
		values, bytes, fields = values+n, bytes+b, fields+f
	}
	switch v := v.(type) {
	case string:
		bytes = len(v)
	case []any:
		for _, e := range v {
			add(e)
		}
	case map[string]any:
		fields = len(v)
		for _, e := range v {
			add(e)
		}
	}
	return values, bytes, fields
}

// computes reports whether an expression stands anywhere in v.
func computes(v any) bool {
	switch v := v.(type) {
	case statechart.Expression:
		return true
	case []any:
		for _, e := range v {
			if computes(e) {
				return true
			}
		}
	case map[string]any:
		for _, e := range v {
			if computes(e) {
				return true
			}
		}
	}
	return false
}
