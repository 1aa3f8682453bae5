package expression

import (
	"strconv"
	"strings"
)

var objectFunctions = map[string]*function{
	"keys":      {usage: "keys(object)", does: "the names of the fields, sorted", least: 1, most: 1, takes: []kind{object}, gives: list, one: keysList},
	"values":    {usage: "values(object)", does: "the values of the fields, in the order of their names", least: 1, most: 1, takes: []kind{object}, gives: list, one: valuesList},
	"toPairs":   {usage: "toPairs(object)", does: "a list of [name, value], in the order of the names", least: 1, most: 1, takes: []kind{object}, gives: list, one: toPairs},
	"fromPairs": {usage: "fromPairs(list)", does: "the object of a list of [name, value]; of two with one name the last counts", least: 1, most: 1, takes: []kind{list}, gives: object, one: fromPairs},
	"merge":     {usage: "merge(a, b)", does: "a new object with the fields of both; of one name that of b counts", least: 2, most: 2, takes: []kind{object | null}, gives: object, many: mergeObjects},
	"set":       {usage: `set(object, "a.b", value)`, does: "a new object with the value at a path; objects on the way are made, a list's element is named by its number", least: 3, most: 3, takes: []kind{object | list | null, textual, anything}, gives: object | list, many: setPath},
	"get":       {usage: "get(x, key)", does: "a field, element or character, null where there is none", least: 2, most: 2, takes: []kind{object | list | textual | null, integer | textual}, gives: anything, many: get},
	"type":      {usage: "type(x)", does: `"nil", "bool", "int", "float", "string", "array" or "map"`, least: 1, most: 1, gives: textual, one: typeName},
}

func keysList(m meter, v any) (any, error) {
	keys, err := keysOf(m, v.(map[string]any))
	if err != nil {
		return nil, err
	}
	if err := chargeList(m, len(keys)); err != nil {
		return nil, err
	}
	return texts(keys), nil
}

func valuesList(m meter, v any) (any, error) {
	x := v.(map[string]any)
	keys, err := keysOf(m, x)
	if err != nil {
		return nil, err
	}
	out := make([]any, len(keys))
	for i, k := range keys {
		out[i] = x[k]
	}
	return out, nil
}

func toPairs(m meter, v any) (any, error) {
	x := v.(map[string]any)
	keys, err := keysOf(m, x)
	if err != nil {
		return nil, err
	}
	if err := m.Charge(3 * int64(len(keys))); err != nil {
		return nil, err
	}
	out := make([]any, len(keys))
	for i, k := range keys {
		out[i] = []any{k, x[k]}
	}
	return out, nil
}

func fromPairs(m meter, v any) (any, error) {
	pairs := v.([]any)
	if err := chargeObject(m, len(pairs)); err != nil {
		return nil, err
	}
	out := make(map[string]any, len(pairs))
	for _, p := range pairs {
		pair, _ := p.([]any)
		if len(pair) != 2 {
			return nil, wrong("", "fromPairs needs pairs [name, value]")
		}
		name, err := keyText(m, pair[0])
		if err != nil {
			return nil, err
		}
		out[name] = pair[1]
	}
	return out, nil
}

func mergeObjects(m meter, args []any) (any, error) {
	a, _ := args[0].(map[string]any)
	b, _ := args[1].(map[string]any)
	if err := chargeObject(m, len(a)+len(b)); err != nil {
		return nil, err
	}
	out := make(map[string]any, len(a)+len(b))
	for k, v := range a {
		out[k] = v
	}
	for k, v := range b {
		out[k] = v
	}
	return out, nil
}

func setPath(m meter, args []any) (any, error) {
	path := args[1].(string)
	if err := m.Charge(1 + 2*int64(len(path))); err != nil {
		return nil, err
	}
	steps := strings.Split(path, ".")
	if len(steps) > MaxDepth {
		return nil, tooMuch("", "the path has more than %d steps", MaxDepth)
	}
	return setStep(m, args[0], steps, args[2])
}

// setStep copies what lies on the way; everything else is shared.
func setStep(m meter, v any, steps []string, value any) (any, error) {
	if len(steps) == 0 {
		return value, nil
	}
	step := steps[0]
	switch x := v.(type) {
	case nil, map[string]any:
		old, _ := x.(map[string]any)
		if step == "" {
			return nil, wrong(`a path is "a.b"`, "a step of the path is empty")
		}
		if err := chargeObject(m, len(old)+1); err != nil {
			return nil, err
		}
		inner, err := setStep(m, old[step], steps[1:], value)
		if err != nil {
			return nil, err
		}
		out := make(map[string]any, len(old)+1)
		for k, v := range old {
			out[k] = v
		}
		out[step] = inner
		return out, nil
	case []any:
		i, err := strconv.Atoi(step)
		if err != nil || i < 0 || i >= len(x) || strconv.Itoa(i) != step {
			return nil, wrong("concat(list, [x]) appends to a list", "%s is no element of a list of %d", quote(step), len(x))
		}
		if err := chargeList(m, len(x)); err != nil {
			return nil, err
		}
		inner, err := setStep(m, x[i], steps[1:], value)
		if err != nil {
			return nil, err
		}
		out := append([]any(nil), x...)
		out[i] = inner
		return out, nil
	}
	return nil, wrong("", "%s stands in the way at %s", describe(v), quote(step))
}

func get(m meter, args []any) (any, error) {
	if args[0] == nil {
		return nil, nil
	}
	v, _, err := elementOf(m, args[0], args[1])
	return v, err
}

func typeName(_ meter, v any) (any, error) {
	switch v.(type) {
	case nil:
		return "nil", nil
	case bool:
		return "bool", nil
	case int64:
		return "int", nil
	case float64:
		return "float", nil
	case string:
		return "string", nil
	case []any:
		return "array", nil
	}
	return "map", nil
}
