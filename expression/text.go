package expression

import (
	"strings"
	"unicode/utf8"
)

// checkText refuses text that is no data of a chart.
func checkText(s string) *Error {
	if !utf8.ValidString(s) {
		return wrong("", "text that is not UTF-8 is no data of a chart")
	}
	if strings.IndexByte(s, 0) >= 0 {
		return wrong("", "text that holds a NUL is no data of a chart")
	}
	return nil
}

// joinText is text(…): the parts as text, one after the other.
func joinText(m meter, parts []any) (any, error) {
	size := 0
	for _, p := range parts {
		s, _ := p.(string)
		size += len(s)
	}
	if err := chargeText(m, 2*size); err != nil {
		return nil, err
	}
	w := writer{meter: m, out: make([]byte, 0, size+8*len(parts))}
	room := cap(w.out)
	for _, p := range parts {
		switch x := p.(type) {
		case string:
			w.out = append(w.out, x...)
		case nil:
			return nil, wrong(`give another value for it: x ?? "none"`, "null cannot be put into text")
		default:
			if err := w.value(p, 0); err != nil {
				return nil, err
			}
		}
	}
	if err := chargeText(m, max(0, len(w.out)-room)); err != nil {
		return nil, err
	}
	return string(w.out), nil
}

// toText is string(x): text as it is, all else as JSON.
func toText(m meter, v any) (any, error) {
	if _, ok := v.(string); ok {
		return v, nil
	}
	return toJSON(m, v)
}

// keyText is the text by which an object's field is named after a scalar.
func keyText(m meter, v any) (string, error) {
	switch x := v.(type) {
	case string:
		return x, nil
	case float64:
		if i, ok := whole(x); ok {
			v = i
		}
	case bool, int64:
	default:
		return "", wrong("use text, a number or a boolean", "%s cannot name a field", describe(v))
	}
	t, err := toJSON(m, v)
	if err != nil {
		return "", err
	}
	return t.(string), nil
}
