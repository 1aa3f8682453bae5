package performer

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/detent-run/detent/host"
)

// Clean is the outcome without the secrets that redact knows: every text in
// it, keys included, is what redact makes of it. A nil redact changes nothing.
// What o points to is not changed.
func Clean(o host.Outcome, redact func(string) string) host.Outcome {
	if redact == nil {
		return o
	}
	o.Output = CleanValue(o.Output, redact)
	if o.Failure != nil {
		f := *o.Failure
		f.Code, f.Message = redact(f.Code), redact(f.Message)
		f.Detail = CleanValue(f.Detail, redact)
		o.Failure = &f
	}
	if o.More != nil {
		m := *o.More
		m.Continuation = json.RawMessage(redact(string(m.Continuation)))
		m.Effects = slices.Clone(m.Effects)
		for i := range m.Effects {
			m.Effects[i].Input = CleanValue(m.Effects[i].Input, redact)
		}
		o.More = &m
	}
	return o
}

// CleanValue is [Clean] for data.
func CleanValue(v any, redact func(string) string) any {
	if redact == nil {
		return v
	}
	switch v := v.(type) {
	case string:
		return redact(v)
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = CleanValue(e, redact)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) { // two keys may become one
			out[redact(key)] = CleanValue(v[key], redact)
		}
		return out
	}
	return v
}
