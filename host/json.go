package host

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/detent-run/detent/internal/strictjson"
	"github.com/detent-run/detent/statechart"
)

// Encode writes a value of structs, maps, slices and JSON-like data as
// canonical JSON by its json tags. Unlike encoding/json it keeps the
// difference between the numbers 3 and 3.0, so that [Decode] gives back what
// was there.
func Encode(v any) ([]byte, error) { return AppendJSON(nil, v) }

// AppendJSON is [Encode] behind what b holds.
func AppendJSON(b []byte, v any) ([]byte, error) {
	plain, err := plain(reflect.ValueOf(v))
	if err != nil {
		return b, err
	}
	return statechart.AppendDocument(b, plain)
}

// Decode reads what [Encode] wrote: strictly, with exact numbers. Fields that
// the type does not know are an error.
func Decode(data []byte, into any) error {
	return strictjson.Unmarshal(data, strictjson.Limits{Depth: 512}, into)
}

var rawType = reflect.TypeFor[json.RawMessage]()

// plain turns a value into JSON-like data.
func plain(v reflect.Value) (any, error) {
	if !v.IsValid() {
		return nil, nil
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil, nil
		}
		return plain(v.Elem())
	case reflect.Struct:
		return plainStruct(v)
	case reflect.Map:
		return plainMap(v)
	case reflect.Slice:
		if v.Type() == rawType {
			if v.Len() == 0 {
				return nil, nil
			}
			return statechart.ReadDocument(v.Bytes())
		}
		out := make([]any, v.Len())
		for i := range out {
			var err error
			if out[i], err = plain(v.Index(i)); err != nil {
				return nil, err
			}
		}
		return out, nil
	case reflect.String:
		return v.String(), nil
	case reflect.Bool:
		return v.Bool(), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return v.Int(), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return int64(v.Uint()), nil
	case reflect.Float32, reflect.Float64:
		return v.Float(), nil
	}
	return nil, fmt.Errorf("a %s is no data", v.Type())
}

func plainMap(v reflect.Value) (any, error) {
	out := make(map[string]any, v.Len()) // of a nil map, too: so does the core
	for it := v.MapRange(); it.Next(); {
		e, err := plain(it.Value())
		if err != nil {
			return nil, err
		}
		out[it.Key().String()] = e
	}
	return out, nil
}

func plainStruct(v reflect.Value) (any, error) {
	out := map[string]any{}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || !f.IsExported() {
			continue
		}
		if name == "" {
			name = f.Name
		}
		x := v.Field(i)
		empty := x.IsZero() || (x.Kind() == reflect.Map || x.Kind() == reflect.Slice) && x.Len() == 0
		if strings.Contains(options, "omit") && empty {
			continue
		}
		e, err := plain(x)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out[name] = e
	}
	return out, nil
}
