package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// maxDepth is how deep data may nest.
const maxDepth = 100

// object is a JSON object that keeps the order of its fields: a typed context
// is shown as its author wrote it.
type object []field

type field struct {
	name  string
	value any
}

// decodeJSON reads one JSON value as charts take it: int64, float64, string,
// bool, nil, []any and map[string]any.
func decodeJSON(text string) (any, error) {
	v, err := decodeOrdered(text)
	if err != nil {
		return nil, err
	}
	return unordered(v), nil
}

// decodeOrdered is decodeJSON with objects as object.
func decodeOrdered(text string) (any, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	v, err := decodeValue(d, 0)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, errors.New("it ends too early")
	}
	if err != nil {
		return nil, err
	}
	if rest := strings.TrimSpace(text[d.InputOffset():]); rest != "" {
		return nil, errors.New("something follows it: " + clip(rest))
	}
	return v, nil
}

func decodeValue(d *json.Decoder, depth int) (any, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("nested deeper than %d", maxDepth)
	}
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch x := token.(type) {
	case json.Number:
		return decodeNumber(string(x))
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
			return nil, fmt.Errorf("%s is too large", clip(text))
		}
		return f, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%s does not fit 64 bits", clip(text))
	}
	return n, nil
}

func decodeList(d *json.Decoder, depth int) (any, error) {
	list := []any{}
	for d.More() {
		v, err := decodeValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := d.Token()
	return list, err
}

func decodeObject(d *json.Decoder, depth int) (any, error) {
	o := object{}
	seen := map[string]bool{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		name, _ := token.(string)
		if seen[name] {
			return nil, fmt.Errorf("the field %s stands twice", clip(name))
		}
		seen[name] = true
		v, err := decodeValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		o = append(o, field{name, v})
	}
	_, err := d.Token()
	return o, err
}

func unordered(v any) any {
	switch x := v.(type) {
	case []any:
		for i := range x {
			x[i] = unordered(x[i])
		}
	case object:
		m := make(map[string]any, len(x))
		for _, f := range x {
			m[f.name] = unordered(f.value)
		}
		return m
	}
	return v
}

// formatJSON writes a value on one line for people: fields of maps by name, a
// space after each comma and colon, float64 always with a point or an
// exponent. What is no JSON-like data is shown as encoding/json has it.
func formatJSON(v any) string {
	var b strings.Builder
	writeJSON(&b, v, 0)
	return b.String()
}

func writeJSON(b *strings.Builder, v any, depth int) {
	switch x := v.(type) {
	case nil:
		b.WriteString("null")
	case bool:
		b.WriteString(strconv.FormatBool(x))
	case int64:
		b.WriteString(strconv.FormatInt(x, 10))
	case float64:
		b.WriteString(formatFloat(x))
	case string:
		b.WriteString(quoteJSON(x))
	case []any:
		writeList(b, x, depth)
	case object:
		writeObject(b, x, depth)
	case map[string]any:
		names := make([]string, 0, len(x))
		for name := range x {
			names = append(names, name)
		}
		slices.Sort(names)
		o := make(object, len(names))
		for i, name := range names {
			o[i] = field{name, x[name]}
		}
		writeObject(b, o, depth)
	default:
		b.WriteString(formatOther(v, depth))
	}
}

func writeList(b *strings.Builder, list []any, depth int) {
	b.WriteByte('[')
	for i, e := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		writeJSON(b, e, depth+1)
	}
	b.WriteByte(']')
}

func writeObject(b *strings.Builder, o object, depth int) {
	b.WriteByte('{')
	for i, f := range o {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(quoteJSON(f.name) + ": ")
		writeJSON(b, f.value, depth+1)
	}
	b.WriteByte('}')
}

func formatFloat(f float64) string {
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(text, ".eIN") {
		text += ".0"
	}
	return text
}

// formatOther shows a Go value by way of encoding/json.
func formatOther(v any, depth int) string {
	raw, err := json.Marshal(v)
	if err == nil && depth < maxDepth {
		var plain any
		if plain, err = decodeOrdered(string(raw)); err == nil {
			return formatJSON(plain)
		}
	}
	return fmt.Sprintf("(%T)", v)
}

// quoteJSON writes text as a JSON string without the escapes that only HTML
// needs.
func quoteJSON(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		return strconv.Quote(text)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
