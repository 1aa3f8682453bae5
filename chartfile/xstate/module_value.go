package xstate

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/statechart"
)

// value translates what stands in a value position.
func (t *translator) value(v any) *js {
	switch x := v.(type) {
	case nil:
		return raw("null")
	case statechart.Expression:
		return raw(t.source(x).at(levelChoice))
	case string:
		return quotedText(x)
	case bool:
		return raw(strconv.FormatBool(x))
	case []string:
		out := listOf()
		for _, s := range x {
			out.items = append(out.items, quotedText(s))
		}
		return out
	case []any:
		out := listOf()
		for _, item := range x {
			out.items = append(out.items, t.value(item))
		}
		return out
	case map[string]any:
		out := &js{form: object}
		for _, k := range slices.Sorted(maps.Keys(x)) {
			out.add(k, t.value(x[k]))
		}
		return out
	}
	return raw(t.number(v))
}

func (t *translator) number(v any) string {
	const most = 1 << 53
	switch x := reflect.ValueOf(v); x.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if n := x.Int(); n >= -most && n <= most {
			return strconv.FormatInt(n, 10)
		}
		return t.refuse("use smaller numbers, or text", "JavaScript cannot tell the integer %d from its neighbours", x.Int()).text
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if n := x.Uint(); n <= most {
			return strconv.FormatUint(n, 10)
		}
		return t.refuse("use smaller numbers, or text", "JavaScript cannot tell the integer %d from its neighbours", x.Uint()).text
	case reflect.Float32, reflect.Float64:
		if f := x.Float(); !math.IsNaN(f) && !math.IsInf(f, 0) {
			return formatFloat(f)
		}
	}
	return t.refuse("use null, booleans, numbers, text, lists and objects", "%v of type %T is no data", v, v).text
}

// ended notes what could not be said, and that it can fail in a block.
func (t *translator) ended() {
	if t.err != nil {
		t.m.refuse(t.place.path, t.err.hint, "%s", t.err.message)
	}
}

// wrapped is the value as it stands, or a function of the arguments that it
// uses.
func (t *translator) wrapped(v *js) *js {
	t.ended()
	if len(t.uses) == 0 && !t.fails {
		return v
	}
	return t.function1(v)
}

// function1 is a function around a value.
func (t *translator) function1(v *js) *js {
	return &js{form: arrow, text: t.parameters(), items: []*js{v}}
}

// computed translates a value to what it is, or to a function that gives it.
func (m *module) computed(v any, p where) (*js, *translator) {
	t := m.translator(p)
	out := t.wrapped(t.value(v))
	return out, t
}

// literal is data that nothing is evaluated in.
func (m *module) literal(v any, path string) *js {
	t := m.translator(where{path: path})
	out := t.value(v)
	if t.ended(); !constant(v) {
		m.refuse(path, "say the value itself", "an expression where nothing is evaluated")
	}
	return out
}

// sources are the expressions of a value for a comment, with what they are
// the value of.
func sources(v any, label string) []string {
	switch x := v.(type) {
	case statechart.Expression:
		return []string{label + spoken(x)}
	case []any:
		var out []string
		for i, item := range x {
			out = append(out, sources(item, fmt.Sprintf("%s[%d]: ", trimmed(label), i))...)
		}
		return out
	case map[string]any:
		var out []string
		for _, k := range slices.Sorted(maps.Keys(x)) {
			inner := k + ": "
			if label != "" {
				inner = trimmed(label) + "." + k + ": "
			}
			out = append(out, sources(x[k], inner)...)
		}
		return out
	}
	return nil
}

// spoken is an expression on one line. A text that is joined of parts is said
// as in a chart file.
func spoken(e statechart.Expression) string {
	tree, err := expression.Parse(string(e))
	if err != nil {
		return oneLine(string(e))
	}
	call, ok := tree.Syntax().(*ast.CallNode)
	if !ok || len(call.Arguments) == 0 {
		return oneLine(string(e))
	}
	if callee, ok := call.Callee.(*ast.IdentifierNode); !ok || callee.Value != "text" {
		return oneLine(string(e))
	}
	var b strings.Builder
	for _, n := range call.Arguments {
		if text, ok := n.(*ast.StringNode); ok {
			b.WriteString(text.Value)
		} else {
			b.WriteString("${ " + n.String() + " }")
		}
	}
	return oneLine(b.String())
}

func trimmed(label string) string {
	if len(label) > 2 {
		return label[:len(label)-2]
	}
	return ""
}
