package document

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// NewObject returns an object of these fields, in this order. Keys must differ;
// [Write] refuses others.
func NewObject(fields ...Field) *Node { return &Node{Kind: Object, Fields: fields} }

// NewField returns a field for [NewObject].
func NewField(key string, value *Node) Field { return Field{Key: key, Value: value} }

// NewList returns a list of these items.
func NewList(items ...*Node) *Node { return &Node{Kind: List, Items: items} }

// NewText returns a text.
func NewText(text string) *Node { return &Node{Kind: String, Text: text} }

// NewBool returns true or false.
func NewBool(value bool) *Node { return &Node{Kind: Bool, Bool: value} }

// NewInt returns a whole number.
func NewInt(value int64) *Node { return &Node{Kind: Int, Int: value} }

// NewValue returns the node of a value as [Node.Value] has them; int and
// float32 are taken too. The fields of maps are sorted by key. Other types,
// NaN and infinities are an error.
func NewValue(v any) (*Node, error) {
	switch x := v.(type) {
	case nil:
		return &Node{}, nil
	case bool:
		return NewBool(x), nil
	case int:
		return NewInt(int64(x)), nil
	case int64:
		return NewInt(x), nil
	case float32:
		return NewValue(float64(x))
	case float64:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("%v cannot be written", x)
		}
		return &Node{Kind: Float, Float: x}, nil
	case string:
		return NewText(x), nil
	case []any:
		n := NewList(make([]*Node, len(x))...)
		for i, e := range x {
			var err error
			if n.Items[i], err = NewValue(e); err != nil {
				return nil, err
			}
		}
		return n, nil
	case map[string]any:
		n := NewObject()
		for _, key := range slices.Sorted(maps.Keys(x)) {
			value, err := NewValue(x[key])
			if err != nil {
				return nil, err
			}
			n.Fields = append(n.Fields, NewField(key, value))
		}
		return n, nil
	}
	return nil, fmt.Errorf("a %T cannot be written", v)
}
