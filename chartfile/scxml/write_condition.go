package scxml

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/statechart"
)

// words are how a language joins conditions.
type words struct{ and, or, not string }

var joiners = map[string]words{
	modelDetent:  {" and ", " or ", "not "},
	"ecmascript": {" && ", " || ", "!"},
}

// condition writes a guard; ok is false when there is none.
func (w *writer) condition(c *statechart.Condition, path string) (text string, ok bool) {
	if reflect.DeepEqual(*c, statechart.Condition{}) {
		return "", false
	}
	if c.Not != nil && c.Not.In == "#"+w.tree.root.id && w.model == modelNull {
		return "In('" + w.nowhere() + "')", true
	}
	return w.joined(c, path, false), true
}

// nowhere is an id that no state has.
func (w *writer) nowhere() string {
	id := "nowhere"
	for w.hasName(id) {
		id += "_"
	}
	return id
}

func (w *writer) hasName(id string) bool {
	for _, n := range w.tree.all {
		if n.name == id {
			return true
		}
	}
	return false
}

// joined writes a condition as one expression; part says that it is a part of
// another.
func (w *writer) joined(c *statechart.Condition, path string, part bool) string {
	join, known := joiners[w.model]
	switch {
	case c.Expression != "":
		if part {
			return inBrackets(string(c.Expression))
		}
		return string(c.Expression)
	case c.In != "":
		n := w.tree.find(c.In)
		if n == nil || n.name == "" {
			w.fail(path+".in", "name a state that has an id", "there is no state %q with an id", c.In)
			return ""
		}
		return "In(" + expression.Quote(n.name) + ")"
	case c.Name != "":
		w.fail(path, "write an expression", "the guard %q in Go cannot be said in SCXML", c.Name)
		return ""
	case !known:
		w.fail(path, "write one expression", "and, or and not cannot be said in the data model %s", w.model)
		return ""
	case c.Not != nil:
		return join.not + "(" + w.joined(c.Not, path+".not", false) + ")"
	}
	list, word, name := c.And, join.and, "and"
	if c.Or != nil {
		list, word, name = c.Or, join.or, "or"
	}
	parts := make([]string, len(list))
	for i := range list {
		parts[i] = w.joined(&list[i], fmt.Sprintf("%s.%s[%d]", path, name, i), true)
	}
	text := strings.Join(parts, word)
	if part && len(parts) > 1 {
		return "(" + text + ")"
	}
	return text
}

// needsValues reports whether a definition has data or expressions.
func needsValues(def *statechart.Definition) bool {
	return holdsValues(reflect.ValueOf(def.Root))
}

func holdsValues(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return !v.IsNil() && holdsValues(v.Elem())
	case reflect.Slice:
		if _, is := v.Interface().([]statechart.Variable); is && v.Len() > 0 {
			return true
		}
		for i := range v.Len() {
			if holdsValues(v.Index(i)) {
				return true
			}
		}
	case reflect.Map:
		return v.Len() > 0
	case reflect.String:
		return v.Type() == reflect.TypeFor[statechart.Expression]() && v.Len() > 0
	case reflect.Struct:
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if (name == "Data" || name == "Foreach" || name == "Output" || name == "Input" || name == "Script" || name == "IDLocation") && !v.Field(i).IsZero() {
				return true
			}
			if name != "Meta" && name != "Params" && holdsValues(v.Field(i)) {
				return true
			}
		}
	}
	return false
}
