package chartgen

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// In the text form of a chart an expression is "${source}", wherever it
// stands.
var (
	written = regexp.MustCompile(`\{"\$expression":"((?:[^"\\]|\\.)*)"\}`)
	short   = regexp.MustCompile(`"\$\{((?:[^"\\]|\\.)*)\}"`)
)

// JSON renders a definition or a script on one line. [Read] reads it back.
func JSON(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err.Error()
	}
	return strings.TrimSpace(written.ReplaceAllString(b.String(), `"$${$1}"`))
}

// Read reads a definition in its text form. Unknown keys are errors; numbers
// are integers where they can be.
func Read(text string) (statechart.Definition, error) {
	var d statechart.Definition
	dec := json.NewDecoder(strings.NewReader(short.ReplaceAllString(text, `{"$$expression":"$1"}`)))
	dec.UseNumber()
	dec.DisallowUnknownFields()
	err := dec.Decode(&d)
	plain(reflect.ValueOf(&d).Elem())
	return d, err
}

// plain turns what stands where any value may into the values that charts
// work on.
func plain(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			plain(v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			plain(v.Index(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			plain(v.Elem())
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			if value := plainValue(v.MapIndex(k).Interface()); value != nil {
				v.SetMapIndex(k, reflect.ValueOf(value))
			}
		}
	case reflect.Interface:
		if !v.IsNil() {
			v.Set(reflect.ValueOf(plainValue(v.Interface())))
		}
	}
}

func plainValue(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = plainValue(v[i])
		}
	case map[string]any:
		if source, ok := v["$expression"].(string); ok {
			return statechart.Expression(source)
		}
		for k := range v {
			v[k] = plainValue(v[k])
		}
	}
	return v
}
