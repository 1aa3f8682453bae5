package oracle

import "github.com/detent-run/detent/statechart"

// lookThrough charges for a computed value: one for every 16 values in it,
// and one for every 1,024 bytes of text.
func (x *Scope) lookThrough(v any) {
	values, bytes := weigh(v)
	if cost := values/16 + bytes/1024; cost > 0 {
		_ = x.Charge(int64(cost))
	}
}

// weigh counts the values of which v is made, and the bytes of text that
// stand as values (keys do not count).
func weigh(v any) (values, bytes int) {
	values = 1
	switch v := v.(type) {
	case string:
		return 1, len(v)
	case []any:
		for _, e := range v {
			n, b := weigh(e)
			values, bytes = values+n, bytes+b
		}
	case map[string]any:
		for _, e := range v {
			n, b := weigh(e)
			values, bytes = values+n, bytes+b
		}
	}
	return values, bytes
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
