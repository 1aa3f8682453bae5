package expression

import (
	"math"
	"strconv"
	"strings"
)

// writer writes canonical JSON as the core does: sorted keys, no white
// space, every decimal with a point or an exponent. Values may be shared, so
// it pays as it walks.
type writer struct {
	meter meter
	out   []byte
}

// toJSON is a value as canonical JSON.
func toJSON(m meter, v any) (any, error) {
	w := writer{meter: m}
	if err := w.value(v, 0); err != nil {
		return nil, err
	}
	if err := chargeText(m, len(w.out)); err != nil {
		return nil, err
	}
	return string(w.out), nil
}

func tooDeep() error {
	return tooMuch("", "a value is nested deeper than %d", MaxDepth)
}

func (w *writer) value(v any, depth int) error {
	if depth > MaxDepth {
		return tooDeep()
	}
	if err := w.meter.Charge(1); err != nil {
		return err
	}
	switch x := v.(type) {
	case nil:
		w.out = append(w.out, "null"...)
	case bool:
		w.out = strconv.AppendBool(w.out, x)
	case int64:
		w.out = strconv.AppendInt(w.out, x, 10)
	case float64:
		w.out = appendDecimal(w.out, x)
	case string:
		return w.text(x)
	case []any:
		return w.list(x, depth)
	case map[string]any:
		return w.object(x, depth)
	}
	return nil
}

func (w *writer) list(x []any, depth int) error {
	w.out = append(w.out, '[')
	for i, e := range x {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		if err := w.value(e, depth+1); err != nil {
			return err
		}
	}
	w.out = append(w.out, ']')
	return nil
}

func (w *writer) object(x map[string]any, depth int) error {
	keys, err := keysOf(w.meter, x)
	if err != nil {
		return err
	}
	w.out = append(w.out, '{')
	for i, k := range keys {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		if err := w.text(k); err != nil {
			return err
		}
		w.out = append(w.out, ':')
		if err := w.value(x[k], depth+1); err != nil {
			return err
		}
	}
	w.out = append(w.out, '}')
	return nil
}

const hexDigits = "0123456789abcdef"

// text writes a text; a control character becomes six bytes.
func (w *writer) text(s string) error {
	if err := w.meter.Charge(1 + textCost(len(s))); err != nil {
		return err
	}
	w.out = append(w.out, '"')
	start := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		if err := w.meter.Charge(1); err != nil {
			return err
		}
		w.out = append(w.out, s[start:i]...)
		start = i + 1
		if c == '"' || c == '\\' {
			w.out = append(w.out, '\\', c)
		} else {
			w.out = append(w.out, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	w.out = append(append(w.out, s[start:]...), '"')
	return nil
}

// appendDecimal writes a decimal so that it reads back as one.
func appendDecimal(b []byte, f float64) []byte {
	format := byte('f')
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	s := strconv.FormatFloat(f, format, -1, 64)
	b = append(b, s...)
	if !strings.ContainsAny(s, ".e") {
		b = append(b, ".0"...)
	}
	return b
}
