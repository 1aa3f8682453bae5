package ecma

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/dop251/goja"
)

// toScript copies a JSON-like value into the engine, so that no expression
// can change the chart's. A variable without a value is undefined.
func toScript(e *goja.Runtime, v any) goja.Value {
	switch v := v.(type) {
	case nil:
		return goja.Undefined()
	case []any:
		elements := make([]any, len(v))
		for i, element := range v {
			elements[i] = inner(e, element)
		}
		return e.NewArray(elements...)
	case map[string]any:
		object := e.NewObject()
		for _, key := range slices.Sorted(maps.Keys(v)) {
			_ = object.Set(key, inner(e, v[key])) // a new object refuses nothing
		}
		return object
	}
	return e.ToValue(v)
}

// inner is toScript inside lists and objects, where nothing is null.
func inner(e *goja.Runtime, v any) goja.Value {
	if v == nil {
		return goja.Null()
	}
	return toScript(e, v)
}

// maxDepth bounds the nesting of results; a cyclic value exceeds it.
const maxDepth = 64

// fromScript copies a result out of the engine. Functions, symbols and
// numbers that JSON cannot say are errors.
func fromScript(v goja.Value) (any, error) { return export(v, 0) }

func export(v goja.Value, depth int) (any, error) {
	if depth > maxDepth {
		return nil, errors.New("the value is nested too deep")
	}
	if v == nil || goja.IsUndefined(v) || goja.IsNull(v) {
		return nil, nil
	}
	object, isObject := v.(*goja.Object)
	if !isObject {
		return scalar(v.Export())
	}
	switch object.ClassName() {
	case "Array":
		return exportList(object, depth)
	case "Object":
		return exportObject(object, depth)
	}
	return nil, fmt.Errorf("a value of class %s cannot be kept", object.ClassName())
}

func scalar(v any) (any, error) {
	switch v := v.(type) {
	case bool, int64, string:
		return v, nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("the number %v cannot be kept", v)
		}
		return v, nil
	}
	return nil, fmt.Errorf("a value of type %T cannot be kept", v)
}

func exportList(list *goja.Object, depth int) (any, error) {
	out := make([]any, list.Get("length").ToInteger())
	for i := range out {
		var err error
		if out[i], err = export(list.Get(fmt.Sprint(i)), depth+1); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func exportObject(object *goja.Object, depth int) (any, error) {
	out := map[string]any{}
	for _, key := range object.Keys() {
		value := object.Get(key)
		if goja.IsUndefined(value) {
			continue
		}
		exported, err := export(value, depth+1)
		if err != nil {
			return nil, err
		}
		out[key] = exported
	}
	return out, nil
}
