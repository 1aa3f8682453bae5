package chartgen

import (
	"reflect"

	"github.com/detent-run/detent/internal/chartgen/prefix"
	"github.com/detent-run/detent/statechart"
)

// render turns each expression within v into one of chart files. What may be
// shared with another definition is copied.
func render(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			render(v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			render(v.Index(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			render(v.Elem())
		}
	case reflect.Map, reflect.Interface:
		if !v.IsNil() {
			v.Set(reflect.ValueOf(renderValue(v.Interface())))
		}
	case reflect.String:
		if e, ok := v.Interface().(statechart.Expression); ok && e != "" {
			v.SetString(string(renderExpression(e)))
		}
	}
}

func renderValue(v any) any {
	switch x := v.(type) {
	case statechart.Expression:
		return renderExpression(x)
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = renderValue(x[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(x))
		for k := range x {
			out[k] = renderValue(x[k])
		}
		return out
	}
	return v
}

func renderExpression(e statechart.Expression) statechart.Expression {
	x, err := prefix.Parse(string(e))
	if err != nil {
		panic(err) // the generator wrote it
	}
	return statechart.Expression(x.Render())
}
