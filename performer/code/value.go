package code

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"
)

const maxDepth = 64 // of an output

// toStarlark makes data a program's. The members of an object stand in the
// order of their names.
func toStarlark(v any) (starlark.Value, error) {
	switch v := v.(type) {
	case nil:
		return starlark.None, nil
	case bool:
		return starlark.Bool(v), nil
	case int64:
		return starlark.MakeInt64(v), nil
	case float64:
		return starlark.Float(v), nil
	case string:
		return starlark.String(v), nil
	case []any:
		list := make([]starlark.Value, len(v))
		for i, e := range v {
			var err error
			if list[i], err = toStarlark(e); err != nil {
				return nil, err
			}
		}
		return starlark.NewList(list), nil
	case map[string]any:
		dict := starlark.NewDict(len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			e, err := toStarlark(v[key])
			if err == nil {
				err = dict.SetKey(starlark.String(key), e)
			}
			if err != nil {
				return nil, err
			}
		}
		return dict, nil
	}
	return nil, fmt.Errorf("a %T is no data", v)
}

// fromStarlark makes what a program gives data. What is nested deeper is an
// error, so that what holds itself is, too.
func fromStarlark(v starlark.Value, depth int) (any, error) {
	if depth < 0 {
		return nil, fmt.Errorf("it is nested deeper than %d", maxDepth)
	}
	switch v := v.(type) {
	case starlark.NoneType:
		return nil, nil
	case starlark.Bool:
		return bool(v), nil
	case starlark.Int:
		n, ok := v.Int64()
		if !ok {
			return nil, errors.New("a whole number has more than 64 bits")
		}
		return n, nil
	case starlark.Float:
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return nil, fmt.Errorf("%s is no number", v)
		}
		return float64(v), nil
	case starlark.String:
		return text(v)
	case *starlark.Dict:
		return object(v, depth)
	case *starlark.List:
		return list(v, depth)
	case starlark.Tuple:
		return list(v, depth)
	}
	return nil, fmt.Errorf("a %s is none", v.Type())
}

func text(s starlark.String) (string, error) {
	if !utf8.ValidString(string(s)) || strings.IndexByte(string(s), 0) >= 0 {
		return "", errors.New("a text is not UTF-8, or holds a NUL")
	}
	return string(s), nil
}

func list(v starlark.Indexable, depth int) (any, error) {
	out := make([]any, v.Len())
	for i := range out {
		var err error
		if out[i], err = fromStarlark(v.Index(i), depth-1); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func object(v *starlark.Dict, depth int) (any, error) {
	out := make(map[string]any, v.Len())
	for _, item := range v.Items() {
		key, ok := item[0].(starlark.String)
		if !ok {
			return nil, fmt.Errorf("a key is a %s and must be a text", item[0].Type())
		}
		name, err := text(key)
		if err != nil {
			return nil, err
		}
		if out[name], err = fromStarlark(item[1], depth-1); err != nil {
			return nil, err
		}
	}
	return out, nil
}
