package statechart

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/detent-run/detent/internal/strictjson"
)

// Canonical JSON: object keys sorted, no white space, integers as such and
// every float64 with a point or an exponent, so that reading gives back the
// same Go types. Equal values have equal bytes.

// appendJSON appends v, which must be JSON-like.
func appendJSON(b []byte, v any) ([]byte, error) {
	w := jsonWriter{limit: maxValueSize}
	return w.value(b, v, 0)
}

// jsonWriter counts the values that it writes: a list may hold one list many
// times.
type jsonWriter struct{ size, limit int }

func (w *jsonWriter) value(b []byte, v any, depth int) ([]byte, error) {
	if depth > maxValueDepth {
		return b, fmt.Errorf("nested deeper than %d", maxValueDepth)
	}
	if w.size++; w.size > w.limit {
		return b, fmt.Errorf("made of more than %d values", w.limit)
	}
	switch x := v.(type) {
	case nil:
		return append(b, "null"...), nil
	case bool:
		return strconv.AppendBool(b, x), nil
	case int64:
		return strconv.AppendInt(b, x, 10), nil
	case float64:
		return appendFloat(b, x)
	case string:
		return appendString(b, x)
	case rawJSON:
		return append(b, x...), nil
	case Expression: // in definitions
		return w.value(b, map[string]any{"$expression": string(x)}, depth)
	case []any:
		return w.list(b, x, depth)
	case map[string]any:
		return w.object(b, x, depth)
	}
	c := normalizer{limit: maxValueSize}
	n, changed, err := c.normal(v, max(depth, 0))
	if err == nil && !changed {
		err = fmt.Errorf("a %T is not JSON-like data", v)
	}
	if err != nil {
		return b, err
	}
	return w.value(b, n, depth)
}

func (w *jsonWriter) list(b []byte, x []any, depth int) (_ []byte, err error) {
	b = append(b, '[')
	for i, e := range x {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = w.value(b, e, depth+1); err != nil {
			return b, err
		}
	}
	return append(b, ']'), nil
}

func (w *jsonWriter) object(b []byte, x map[string]any, depth int) (_ []byte, err error) {
	b = append(b, '{')
	for i, k := range sortedKeys(x) {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendString(b, k); err != nil {
			return b, err
		}
		b = append(b, ':')
		if b, err = w.value(b, x[k], depth+1); err != nil {
			return b, err
		}
	}
	return append(b, '}'), nil
}

func appendFloat(b []byte, f float64) ([]byte, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return b, fmt.Errorf("%v is not a number that can be kept", f)
	}
	start := len(b)
	format := byte('f')
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	b = strconv.AppendFloat(b, f, format, -1, 64)
	if !slices.ContainsFunc(b[start:], func(c byte) bool { return c == '.' || c == 'e' }) {
		b = append(b, '.', '0')
	}
	return b, nil
}

const hexDigits = "0123456789abcdef"

func appendString(b []byte, s string) ([]byte, error) {
	if !validText(s) {
		return b, errText
	}
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[start:i]...)
		start = i + 1
		if c == '"' || c == '\\' {
			b = append(b, '\\', c)
		} else {
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	b = append(b, s[start:]...)
	return append(b, '"'), nil
}

// canonical returns v as canonical JSON, for comparing; data that is not
// JSON-like compares by nothing.
func canonical(v any) string {
	b, err := appendJSON(nil, v)
	if err != nil {
		return "\x00" + err.Error()
	}
	return string(b)
}

// exact is how the core reads JSON that it wrote itself: deeper than values
// may be, by the levels of the document around them.
var exact = strictjson.Limits{Depth: 4 * maxValueDepth}

// decodeStrict reads one JSON document. A number that fits neither an int64
// nor a float64 stays a json.Number, which is no value of a chart.
func decodeStrict(data []byte) (any, error) {
	n, err := strictjson.Parse(data, exact)
	if err != nil {
		return nil, err
	}
	return decoded(n), nil
}

func decoded(n *strictjson.Node) any {
	switch n.Kind {
	case strictjson.Array:
		list := make([]any, len(n.Items))
		for i := range n.Items {
			list[i] = decoded(&n.Items[i])
		}
		return list
	case strictjson.Object:
		object := make(map[string]any, len(n.Members))
		for i := range n.Members {
			object[n.Members[i].Key] = decoded(&n.Members[i].Value)
		}
		return object
	}
	v, err := n.Value()
	if err != nil {
		return json.Number(n.Text)
	}
	return v
}
