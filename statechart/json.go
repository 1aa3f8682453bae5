package statechart

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
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
	if !utf8.ValidString(s) {
		return b, fmt.Errorf("text that is not UTF-8")
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

// decodeStrict reads one JSON document: duplicate keys, bad UTF-8, trailing
// text, and nesting past the bound are errors. Numbers with a point or an
// exponent become float64, others int64; one that fits neither stays a
// json.Number, which is no value of a chart.
func decodeStrict(data []byte) (any, error) {
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("text that is not UTF-8")
	}
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	v, err := decodeValue(d, 0)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err == nil {
		return nil, fmt.Errorf("something follows the document")
	}
	if rest := data[d.InputOffset():]; len(strings.TrimSpace(string(rest))) > 0 {
		return nil, fmt.Errorf("something follows the document")
	}
	return v, nil
}

func decodeValue(d *json.Decoder, depth int) (any, error) {
	if depth > 4*maxValueDepth {
		return nil, fmt.Errorf("nested deeper than %d", 4*maxValueDepth)
	}
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch x := token.(type) {
	case json.Number:
		if n, err := decodeNumber(string(x)); err == nil {
			return n, nil
		}
		return x, nil
	case json.Delim:
		if x == '[' {
			return decodeList(d, depth)
		}
		return decodeObject(d, depth)
	}
	return token, nil
}

func decodeNumber(text string) (any, error) {
	if strings.ContainsAny(text, ".eE") {
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, fmt.Errorf("%s does not fit a number", quote(text))
		}
		return f, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%s does not fit a 64-bit integer", quote(text))
	}
	return n, nil
}

func decodeList(d *json.Decoder, depth int) (any, error) {
	out := []any{}
	for d.More() {
		v, err := decodeValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	_, err := d.Token()
	return out, err
}

func decodeObject(d *json.Decoder, depth int) (any, error) {
	out := map[string]any{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		key := token.(string)
		if _, twice := out[key]; twice {
			return nil, fmt.Errorf("the key %s stands twice", quote(key))
		}
		if out[key], err = decodeValue(d, depth+1); err != nil {
			return nil, err
		}
	}
	_, err := d.Token()
	return out, err
}
