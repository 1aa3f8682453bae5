package chartfile

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// isType reports whether a value is of a JSON Schema type.
func isType(v any, t string) bool {
	switch x := v.(type) {
	case nil:
		return t == "null"
	case bool:
		return t == "boolean"
	case int64:
		return t == "integer" || t == "number"
	case float64:
		return t == "number" || t == "integer" && x == math.Trunc(x)
	case string:
		return t == "string"
	case []any:
		return t == "array"
	case map[string]any:
		return t == "object"
	}
	return false
}

// typeNouns say in messages what a value of a type is.
var typeNouns = map[string]string{"null": "null", "boolean": "true or false", "integer": "a whole number", "number": "a number", "string": "text",
	"array": "a list", "object": "an object"}

func typeOf(v any) string {
	if b, ok := v.(bool); ok {
		return strconv.FormatBool(b)
	}
	for _, t := range []string{"null", "number", "string", "array", "object"} {
		if isType(v, t) {
			return typeNouns[t]
		}
	}
	return "no JSON"
}

func typeList(types []string) string {
	nouns := make([]string, len(types))
	for i, t := range types {
		nouns[i] = typeNouns[t]
	}
	return strings.Join(nouns, " or ")
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// brief shows a value in a message, never more than a few words of it.
func brief(v any) string {
	switch x := v.(type) {
	case nil:
		return "null"
	case string:
		return quote(x)
	case []any:
		return "a list of " + counted(len(x), "item")
	case map[string]any:
		return "an object of " + counted(len(x), "field")
	}
	return fmt.Sprint(v)
}

func briefList(list []any) string {
	const most = 8
	words := make([]string, 0, most+1)
	for i, v := range list {
		if i == most {
			words = append(words, "…")
			break
		}
		words = append(words, brief(v))
	}
	return strings.Join(words, ", ")
}

// compareNumbers compares int64 and float64 by their exact values.
func compareNumbers(a, b any) int {
	x, y := exact(a), exact(b)
	return x.Cmp(y)
}

func exact(v any) *big.Float {
	switch x := v.(type) {
	case int64:
		return new(big.Float).SetInt64(x)
	case float64:
		return new(big.Float).SetFloat64(x)
	}
	return new(big.Float)
}

// isMultiple divides decimally: 0.3 is a multiple of 0.1.
func isMultiple(v, of any) bool {
	a, okA := new(big.Rat).SetString(fmt.Sprint(v))
	b, okB := new(big.Rat).SetString(fmt.Sprint(of))
	return okA && okB && b.Sign() != 0 && new(big.Rat).Quo(a, b).IsInt()
}

// same compares two values; numbers by value.
func (c *schemaCheck) same(a, b any) bool {
	var x, y strings.Builder
	return c.canonical(&x, a) && c.canonical(&y, b) && x.String() == y.String()
}

// canonical writes a value so that equal values are written alike. It is
// false when the work is spent.
func (c *schemaCheck) canonical(b *strings.Builder, v any) bool {
	ok := c.spend(1)
	switch x := v.(type) {
	case string:
		ok = ok && c.spend(len(x)/8)
		b.WriteString(strconv.Quote(x))
	case float64:
		if x == math.Trunc(x) && math.Abs(x) < 1<<62 {
			b.WriteString(strconv.FormatInt(int64(x), 10))
		} else {
			b.WriteString(strconv.FormatFloat(x, 'g', -1, 64))
		}
	case []any:
		b.WriteByte('[')
		for _, item := range x {
			ok = ok && c.canonical(b, item)
			b.WriteByte(',')
		}
		b.WriteByte(']')
	case map[string]any:
		b.WriteByte('{')
		for _, name := range sortedNames(x) {
			b.WriteString(strconv.Quote(name))
			b.WriteByte(':')
			ok = ok && c.canonical(b, x[name])
			b.WriteByte(',')
		}
		b.WriteByte('}')
	default:
		fmt.Fprint(b, v)
	}
	return ok
}
