package scxml

import (
	"errors"
	"reflect"
	"strings"

	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/statechart"
)

// expression is an expression of the chart in the document: states are asked
// for by id, and done events have the names that they have there.
func (t *translator) expression(e statechart.Expression, place string) statechart.Expression {
	source, locals, err := expression.ForDocument(string(e), expression.Rewording{
		Variable: t.nameHere,
		State: func(path string) (string, bool) {
			n := t.tree.find(path)
			if n == nil || n.name == "" {
				return "", false
			}
			if n == t.tree.root && t.starting {
				t.fail(place, "write true", "the root is active when its data is made in a chart, and not yet in SCXML")
			}
			return n.name, true
		},
		Text: func(literal string) string {
			if name, ok := t.renamed[literal]; ok {
				return name
			}
			return literal
		},
	})
	if err != nil {
		t.badExpression(err, place)
		return "null"
	}
	for _, name := range locals {
		if t.taken[name] {
			t.fail(place, "choose another name", "let defines %q, which is the name of a variable of another state, and SCXML has one scope for all", name)
		}
	}
	return statechart.Expression(strings.TrimSpace(source))
}

func (t *translator) badExpression(err error, path string) {
	hint := "write it in another way"
	message := err.Error()
	if e, ok := errors.AsType[*expression.Error](err); ok {
		message = e.Message
		if e.Hint != "" {
			hint = e.Hint
		}
	}
	t.fail(path, hint, "the expression cannot be written: %s", message)
}

// parses sees that an expression that was put together keeps the bounds of
// one.
func (t *translator) parses(source, path string) {
	if _, err := (expression.Document{}).Parse(source); err != nil {
		t.badExpression(err, path)
	}
}

// condition is a guard as one expression; "" is none.
func (t *translator) condition(c *statechart.Condition, path string) string {
	if reflect.DeepEqual(*c, statechart.Condition{}) {
		return ""
	}
	return t.joined(c, path, false)
}

func (t *translator) joined(c *statechart.Condition, path string, part bool) string {
	bracket := func(text string) string {
		if part {
			return inBrackets(text)
		}
		return text
	}
	switch {
	case c.Expression != "":
		return bracket(string(t.expression(c.Expression, path)))
	case c.In != "":
		if n := t.tree.find(c.In); n != nil && n.name != "" {
			return "In(" + expression.Quote(n.name) + ")"
		}
		t.fail(path+".in", "name one of its states", "the chart has no state %q that SCXML could ask for", c.In)
		return "false"
	case c.Not != nil:
		return "not (" + t.joined(c.Not, path+".not", false) + ")"
	case c.Name != "":
		t.fail(path, "write an expression", "the guard %q in Go cannot be said in SCXML", c.Name)
		return "false"
	}
	list, word, field := c.And, " and ", ".and"
	if c.Or != nil {
		list, word, field = c.Or, " or ", ".or"
	}
	parts := make([]string, len(list))
	for i := range list {
		parts[i] = t.joined(&list[i], path+index(field, i), true)
	}
	text := strings.Join(parts, word)
	if len(parts) == 1 {
		return text
	}
	return bracket(text)
}

// visitStrings calls f for each expression in a part of a definition, and for
// each state that a condition asks for.
func visitStrings(part any, f func(condition bool, text string)) {
	var visit func(v reflect.Value)
	visit = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			if !v.IsNil() {
				visit(v.Elem())
			}
		case reflect.Slice:
			for i := range v.Len() {
				visit(v.Index(i))
			}
		case reflect.Map:
			for _, k := range v.MapKeys() {
				visit(v.MapIndex(k))
			}
		case reflect.String:
			if v.Type() == reflect.TypeFor[statechart.Expression]() && v.Len() > 0 {
				f(false, v.String())
			}
		case reflect.Struct:
			if c, ok := v.Interface().(statechart.Condition); ok && c.In != "" {
				f(true, c.In)
			}
			for i := range v.NumField() {
				visit(v.Field(i))
			}
		}
	}
	visit(reflect.ValueOf(part))
}
