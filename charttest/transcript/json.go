package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/detent-run/detent/internal/strictjson"
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
	v, err := strictjson.Decode([]byte(text), strictjson.Limits{Depth: maxDepth})
	if err != nil {
		return nil, onOneLine(err)
	}
	return v, nil
}

// onOneLine says where in its line a value cannot be read.
func onOneLine(err error) error {
	e, ok := errors.AsType[*strictjson.Error](err)
	if !ok || e.Line != 1 {
		return err
	}
	return fmt.Errorf("%s at character %d of it", e.Message, e.Column)
}

// decodeWritten is decodeJSON for what Go wrote.
func decodeWritten(text []byte) (any, error) {
	return strictjson.Decode(text, strictjson.Limits{Depth: maxDepth})
}

// decodeOrdered reads what Go wrote, with objects as object.
func decodeOrdered(text string) (any, error) {
	n, err := strictjson.Parse([]byte(text), strictjson.Limits{Depth: maxDepth})
	if err != nil {
		return nil, err
	}
	return ordered(n)
}

func ordered(n *strictjson.Node) (any, error) {
	switch n.Kind {
	case strictjson.Array:
		list := make([]any, len(n.Items))
		for i := range n.Items {
			var err error
			if list[i], err = ordered(&n.Items[i]); err != nil {
				return nil, err
			}
		}
		return list, nil
	case strictjson.Object:
		o := make(object, len(n.Members))
		for i := range n.Members {
			v, err := ordered(&n.Members[i].Value)
			if err != nil {
				return nil, err
			}
			o[i] = field{n.Members[i].Key, v}
		}
		return o, nil
	}
	return n.Value()
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
