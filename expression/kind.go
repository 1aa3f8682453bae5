package expression

import (
	"math/bits"
	"slices"
	"strings"
)

// kind is a set of kinds of values.
type kind uint8

const (
	null kind = 1 << iota
	boolean
	integer
	decimal
	textual
	list
	object

	number   = integer | decimal
	anything = null | boolean | number | textual | list | object
)

var kindNames = [...]string{"null", "a boolean", "an integer", "a decimal", "text", "a list", "an object"}

// String names the set for a message.
func (k kind) String() string {
	switch k {
	case number:
		return "a number"
	case anything:
		return "any value"
	}
	var names []string
	if k&number == number {
		names, k = append(names, "a number"), k&^number
	}
	for k != 0 {
		i := bits.TrailingZeros8(uint8(k))
		names, k = append(names, kindNames[i]), k&(k-1)
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(b, a) })
	return strings.Join(names, " or ")
}

// kindOf returns the one kind of a value.
func kindOf(v any) kind {
	switch v.(type) {
	case nil:
		return null
	case bool:
		return boolean
	case int64:
		return integer
	case float64:
		return decimal
	case string:
		return textual
	case []any:
		return list
	}
	return object
}

// describe names the kind of a value for a message.
func describe(v any) string { return kindOf(v).String() }

// shape is what is known of a value before the expression runs: its kinds,
// and the JSON Schema that it was checked against, if there is one.
type shape struct {
	kinds  kind
	schema map[string]any
}

var unknown = shape{kinds: anything}

func only(k kind) shape { return shape{kinds: k} }

// shapeOf reads the part of a JSON Schema that says what fields there are.
func shapeOf(schema any) shape {
	m, ok := schema.(map[string]any)
	if !ok {
		return unknown
	}
	s := shape{schema: m}
	switch t := m["type"].(type) {
	case string:
		s.kinds = schemaKind(t)
	case []any:
		for _, x := range t {
			name, _ := x.(string)
			s.kinds |= schemaKind(name)
		}
	case []string:
		for _, name := range t {
			s.kinds |= schemaKind(name)
		}
	}
	if s.kinds == 0 {
		s.kinds = anything
	}
	return s
}

// schemaKind is of a schema's type. A schema counts 3.0 as an integer.
func schemaKind(name string) kind {
	switch name {
	case "null":
		return null
	case "boolean":
		return boolean
	case "integer", "number":
		return number
	case "string":
		return textual
	case "array":
		return list
	case "object":
		return object
	}
	return anything
}

// field is the shape of a field, and whether the object can have it.
func (s shape) field(name string) (shape, bool) {
	properties, _ := s.schema["properties"].(map[string]any)
	if schema, ok := properties[name]; ok {
		return shapeOf(schema), true
	}
	return unknown, !s.closed()
}

// closed says that the schema names all fields.
func (s shape) closed() bool {
	more, ok := s.schema["additionalProperties"].(bool)
	_, patterns := s.schema["patternProperties"]
	return ok && !more && !patterns
}

// fields are the names that the schema lists, sorted.
func (s shape) fields() []string {
	properties, _ := s.schema["properties"].(map[string]any)
	return sortedKeys(properties)
}

// element is the shape of a list's elements.
func (s shape) element() shape {
	if _, ok := s.schema["prefixItems"]; ok {
		return unknown
	}
	return shapeOf(s.schema["items"])
}
