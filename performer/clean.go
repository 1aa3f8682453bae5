package performer

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

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

// CleanValue is [Clean] for data. A number that is a secret becomes text.
func CleanValue(v any, redact func(string) string) any {
	if redact == nil {
		return v
	}
	switch v := v.(type) {
	case string:
		return redact(v)
	case int64:
		return cleanNumber(v, strconv.FormatInt(v, 10), redact)
	case float64:
		return cleanNumber(v, strconv.FormatFloat(v, 'f', -1, 64), redact)
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

// cleanNumber is the number, or the mask of a secret that is this number.
func cleanNumber(v any, text string, redact func(string) string) any {
	if masked := redact(text); masked != text && !strings.ContainsAny(masked, "0123456789") {
		return masked
	}
	return v
}
