package chartfile

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// value is what stands in a value position.
func (w *writer) value(v any, path string, at *scope) *document.Node {
	switch x := v.(type) {
	case statechart.Expression:
		return w.expression(x, path)
	case string:
		n := textNode(escape(x))
		if at.refuses(x) {
			return single("text", n)
		}
		return n
	case []string:
		n := listNode(nil)
		for i, s := range x {
			n.Items = append(n.Items, w.value(s, fmt.Sprintf("%s[%d]", path, i), at))
		}
		return n
	case []any:
		n := listNode(nil)
		for i, item := range x {
			if item := w.value(item, fmt.Sprintf("%s[%d]", path, i), at); item != nil {
				n.Items = append(n.Items, item)
			}
		}
		return n
	case map[string]any:
		return w.object(x, path, at)
	}
	return w.scalar(v, path)
}

// object is an object in a value position, its keys sorted.
func (w *writer) object(m map[string]any, path string, at *scope) *document.Node {
	var b objectBuilder
	for _, k := range slices.Sorted(maps.Keys(m)) {
		b.add(k, w.value(m[k], path+"."+k, at))
	}
	return b.node()
}

// optional is a value, nil when there is none.
func (w *writer) optional(v any, path string, at *scope) *document.Node {
	if v == nil {
		return nil
	}
	return w.value(v, path, at)
}

// literal is what is said as it stands, nil when there is nothing.
func (w *writer) literal(v any, path string) *document.Node {
	if v == nil {
		return nil
	}
	return w.plain(v, path)
}

func (w *writer) plain(v any, path string) *document.Node {
	switch x := v.(type) {
	case statechart.Expression:
		return w.fail(path, "say the value itself", "an expression where nothing is evaluated")
	case string:
		return textNode(x)
	case []string:
		n := listNode(nil)
		for _, s := range x {
			n.Items = append(n.Items, textNode(s))
		}
		return n
	case []any:
		n := listNode(nil)
		for i, item := range x {
			if item := w.plain(item, fmt.Sprintf("%s[%d]", path, i)); item != nil {
				n.Items = append(n.Items, item)
			}
		}
		return n
	case map[string]any:
		var b objectBuilder
		for _, k := range slices.Sorted(maps.Keys(x)) {
			b.add(k, w.plain(x[k], path+"."+k))
		}
		return b.node()
	}
	return w.scalar(v, path)
}

// schemaFirst are the keys of a JSON Schema that people read first.
var schemaFirst = []string{"$schema", "$id", "title", "description", "type", "required", "properties", "items", "enum", "const"}

// schema is a JSON Schema, nil when there is none.
func (w *writer) schema(v any, path string) *document.Node {
	n := w.literal(v, path)
	orderSchema(n)
	return n
}

func orderSchema(n *document.Node) {
	if n == nil {
		return
	}
	n.Flow = true
	for _, item := range n.Items {
		orderSchema(item)
	}
	rank := func(key string) int {
		if i := slices.Index(schemaFirst, key); i >= 0 {
			return i
		}
		return len(schemaFirst)
	}
	slices.SortStableFunc(n.Fields, func(a, b document.Field) int { return rank(a.Key) - rank(b.Key) })
	for _, f := range n.Fields {
		orderSchema(f.Value)
	}
}

// literalObject is an object of the format that is carried for the host, its
// keys in the order of its type; nil when there is none.
func (w *writer) literalObject(m map[string]any, object reflect.Type, path string) *document.Node {
	if m == nil {
		return nil
	}
	var b objectBuilder
	for _, k := range slices.Sorted(maps.Keys(m)) {
		b.add(k, w.plain(m[k], path+"."+k))
	}
	return b.ordered(object)
}

// scalar is null, a truth value or a number.
func (w *writer) scalar(v any, path string) *document.Node {
	switch x := v.(type) {
	case nil:
		return &document.Node{Kind: document.Null}
	case bool:
		return boolNode(x)
	}
	switch x := reflect.ValueOf(v); x.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return intNode(x.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if x.Uint() <= math.MaxInt64 {
			return intNode(int64(x.Uint()))
		}
	case reflect.Float32, reflect.Float64:
		if f := x.Float(); !math.IsNaN(f) && !math.IsInf(f, 0) {
			return &document.Node{Kind: document.Float, Float: f}
		}
	}
	return w.fail(path, "use null, booleans, numbers, text, lists and objects", "%v of type %T is no data", v, v)
}

// delay is a duration, a delay's name or an expression that yields one, as
// text.
func (w *writer) delay(v any, path string) *document.Node {
	switch x := v.(type) {
	case statechart.Expression:
		return w.expression(x, path)
	case string:
		return textNode(escape(x))
	case float64:
		return textNode(strconv.FormatFloat(x, 'f', -1, 64) + "ms")
	}
	n := w.scalar(v, path)
	if n == nil {
		return nil
	}
	if n.Kind != document.Int {
		return w.fail(path, "such as 500ms", "%v is no delay", v)
	}
	return textNode(strconv.FormatInt(n.Int, 10) + "ms")
}

// escape writes a text so that nothing in it is evaluated.
func escape(s string) string { return strings.ReplaceAll(s, "${", "$${") }
