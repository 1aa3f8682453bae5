package ecmascript

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// kind is what a piece of source text is.
type kind string

const (
	anExpression kind = "expression"
	aCondition   kind = "condition"
	aScript      kind = "script"
	aLocation    kind = "location"
)

// Bounds of one value that comes out of the engine. The core has its own and
// looks again; these keep the way there short.
const (
	maxValues = 100_000
	maxBytes  = 4 << 20
	maxDepth  = 64
)

const requestLimits = `"limits":{"values":100000,"bytes":4194304,"depth":64}`

// maxMessage bounds a request, in bytes. As a child's message it has a byte
// more.
const maxMessage = 16<<20 - 1

// maxInteger bounds the integers that ECMAScript's numbers say exactly.
const maxInteger = 1 << 53

// response is what the harness answers.
type response struct {
	Error     string                     `json:"error"`
	Value     json.RawMessage            `json:"value"`
	Condition bool                       `json:"condition"`
	Changed   map[string]json.RawMessage `json:"changed"`
	Globals   map[string]json.RawMessage `json:"globals"` // nil: as before
}

// sort says what a request is.
type sort byte

// Requests to evaluate have a JSON text; what leaves the engine as it was, so
// that it can be used again, is told from the rest. Requests to check have a
// source text.
const (
	evaluateAgain sort = '='
	evaluateOnce  sort = '!'
	checkValue    sort = '?'
	checkLocation sort = '@'
	checkScript   sort = ';'
)

// request is what an engine is asked.
type request struct {
	sort sort
	text []byte
}

// checkRequest asks whether source is well formed.
func checkRequest(k kind, source string) request {
	sorts := map[kind]sort{anExpression: checkValue, aCondition: checkValue, aLocation: checkLocation, aScript: checkScript}
	return request{sorts[k], []byte(source)}
}

// message is the request for a child, and requestOf what the child makes of
// it.
func (r request) message() []byte { return append([]byte{byte(r.sort)}, r.text...) }

func requestOf(message []byte) request {
	if len(message) == 0 {
		return request{sort: evaluateOnce}
	}
	return request{sort(message[0]), message[1:]}
}

func appendField(b []byte, name, text string) []byte {
	b = append(b, ',', '"')
	b = append(b, name...)
	b = append(b, '"', ':')
	return appendText(b, text)
}

// writer writes values as JSON for the harness and notes the functions in
// them.
type writer struct {
	b         []byte
	functions []string // source texts of those written
	count     int      // of the values written
	depth     int      // of the value that is being written
}

// value writes a value. Variables are within the bounds of the core; what a
// host sends in an event may pass them, or contain itself.
func (w *writer) value(v any) error {
	if w.count++; w.count > maxValues {
		return fmt.Errorf("made of more than %d values", maxValues)
	}
	if w.depth++; w.depth > maxDepth+1 {
		return fmt.Errorf("nested deeper than %d", maxDepth)
	}
	err := w.written(v)
	w.depth--
	return err
}

func (w *writer) written(v any) error {
	switch v := v.(type) {
	case nil:
		w.b = append(w.b, "null"...)
	case bool:
		w.b = strconv.AppendBool(w.b, v)
	case int64:
		if v > maxInteger || v < -maxInteger {
			return fmt.Errorf("the integer %d is beyond 2^53, where ECMAScript is not exact; keep it as text", v)
		}
		w.b = strconv.AppendInt(w.b, v, 10)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%v is no number of JSON", v)
		}
		w.b = strconv.AppendFloat(w.b, v, 'g', -1, 64)
	case string:
		w.b = appendText(w.b, v)
	case []any:
		return w.list(v)
	case map[string]any:
		return w.object(v)
	default:
		return w.foreign(v)
	}
	return nil
}

// foreign writes the other types that the data of an event may be of, as a
// host made them.
func (w *writer) foreign(v any) error {
	switch v := v.(type) {
	case float32:
		return w.value(float64(v))
	case []string:
		list := make([]any, len(v))
		for i, s := range v {
			list[i] = s
		}
		return w.list(list)
	}
	switch r := reflect.ValueOf(v); {
	case r.CanInt():
		return w.value(r.Int())
	case r.CanUint() && r.Uint() <= math.MaxInt64:
		return w.value(int64(r.Uint()))
	}
	return fmt.Errorf("a %T is no data of a chart", v)
}

func (w *writer) list(list []any) error {
	w.b = append(w.b, '[')
	for i, v := range list {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		if err := w.value(v); err != nil {
			return err
		}
	}
	w.b = append(w.b, ']')
	return nil
}

func (w *writer) object(object map[string]any) error {
	if source, ok := object[functionKey].(string); ok && len(object) == 1 {
		w.functions = append(w.functions, source)
	}
	w.b = append(w.b, '{')
	for i, name := range slices.Sorted(maps.Keys(object)) {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.b = append(appendText(w.b, name), ':')
		if err := w.value(object[name]); err != nil {
			return err
		}
	}
	w.b = append(w.b, '}')
	return nil
}

// functionKey is the only field of an object that stands for a function; its
// value is the source text. Only what the engine makes of a function is such
// an object: data that has the field is not let into a variable, by the
// harness or by [language.Admit], or strangers could send code.
const functionKey = "$function"

// forged reports whether a value has an object that could be taken for a
// function.
func forged(v any) bool {
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, forged)
	case map[string]any:
		if _, has := v[functionKey]; has {
			return true
		}
		for _, field := range v {
			if forged(field) {
				return true
			}
		}
	}
	return false
}

func appendText(b []byte, s string) []byte {
	const plain, hex = 0x20, "0123456789abcdef"
	start := 0
	b = append(b, '"')
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= plain && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[start:i]...)
		b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		start = i + 1
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}

// decode reads a value of a response. The engine may be in the hands of the
// code that it ran, so nothing is taken on trust.
func decode(raw json.RawMessage) (any, error) {
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("the engine answers with no JSON: %w", err)
	}
	return settle(v, 0)
}

// settle gives numbers the types that charts work with: what is an integer
// is one, however it was reckoned.
func settle(v any, depth int) (any, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("the value is nested deeper than %d", maxDepth)
	}
	var err error
	switch x := v.(type) {
	case json.Number:
		return number(string(x))
	case []any:
		for i := range x {
			if x[i], err = settle(x[i], depth+1); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for name := range x {
			if x[name], err = settle(x[name], depth+1); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

func number(text string) (any, error) {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil && i <= maxInteger && i >= -maxInteger {
		return i, nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, fmt.Errorf("the engine answers with the number %.40s", text)
	}
	if f == math.Trunc(f) && math.Abs(f) <= maxInteger {
		return int64(f), nil
	}
	return f, nil
}
