package scxml

import (
	"encoding/json"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/statechart"
)

// bareKey is a key of an object that needs no quotes.
var bareKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// sourceOf writes a value as an expression of the data model "detent". It is
// not ok for what is no data.
func sourceOf(v any) (source string, ok bool) {
	switch x := v.(type) {
	case statechart.Expression:
		return string(x), true
	case string:
		return expression.Quote(x), written(x)
	case []string:
		return sourceOf(anyList(x))
	case []any:
		parts := make([]string, len(x))
		for i, item := range x {
			if parts[i], ok = partOf(item); !ok {
				return "", false
			}
		}
		return "[" + strings.Join(parts, ", ") + "]", true
	case map[string]any:
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(x)) {
			part, ok := partOf(x[k])
			if !ok || !written(k) {
				return "", false
			}
			key := k
			if !bareKey.MatchString(k) || expression.Reserved(k) {
				key = expression.Quote(k)
			}
			parts = append(parts, key+": "+part)
		}
		return "{" + strings.Join(parts, ", ") + "}", true
	}
	return scalarOf(v)
}

// partOf is sourceOf for a part of a list or an object.
func partOf(v any) (string, bool) {
	text, ok := sourceOf(v)
	if _, isExpression := v.(statechart.Expression); isExpression && strings.ContainsAny(text, ";/") {
		text = inBrackets(text)
	}
	return text, ok
}

// operand is an expression that binds as tightly as anything: a name, a path,
// a literal, or In.
var operand = regexp.MustCompile(`^(?:[\pL_$][\pL\pN_$]*(?:\.[\pL_$][\pL\pN_$]*)*|\d+|"[^"\\]*"|'[^'\\]*'|In\('[^'\\]*'\))$`)

// inBrackets puts an expression into brackets, where it needs them to be a
// part of another one.
func inBrackets(source string) string {
	switch {
	case operand.MatchString(strings.TrimSpace(source)) || isBracketed(source):
		return strings.TrimSpace(source)
	case strings.Contains(source, "//"):
		return "(" + source + "\n)" // it may end in a comment
	}
	return "(" + source + ")"
}

// isBracketed reports whether one pair of brackets stands around a whole
// expression. With a text or a comment in it nothing is promised.
func isBracketed(source string) bool {
	source = strings.TrimSpace(source)
	if !strings.HasPrefix(source, "(") || strings.ContainsAny(source, "'\"`/#") {
		return false
	}
	depth := 0
	for i, r := range source {
		switch r {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 && i < len(source)-1 {
				return false
			}
		}
	}
	return depth == 0
}

func anyList(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// scalarOf writes null, a truth value or a number.
func scalarOf(v any) (string, bool) {
	switch x := v.(type) {
	case nil:
		return "null", true
	case bool:
		return strconv.FormatBool(x), true
	}
	switch x := reflect.ValueOf(v); x.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if x.Int() == math.MinInt64 {
			return "(-9223372036854775807 - 1)", true // its digits alone are no integer
		}
		return strconv.FormatInt(x.Int(), 10), true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return strconv.FormatUint(x.Uint(), 10), x.Uint() <= math.MaxInt64
	case reflect.Float32, reflect.Float64:
		return decimal(x.Float()), !math.IsNaN(x.Float()) && !math.IsInf(x.Float(), 0)
	}
	return "", false
}

// decimal writes a number so that it stays one with a fraction.
func decimal(f float64) string {
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

// contentOf writes a literal as the content of an element, so that reading it
// gives the same: text as it stands where nothing else is read in it, all else
// as JSON.
func contentOf(v any) (text string, ok bool) {
	if s, isText := v.(string); isText {
		trimmed := strings.TrimSpace(s)
		switch {
		case !written(s):
			return "", false
		case s == "" || trimmed != s || s[0] == '{' || s[0] == '[':
		case s[0] == '<':
			return s, true
		case strings.Join(strings.Fields(s), " ") == s && !json.Valid([]byte(s)):
			return s, true
		}
	}
	return jsonOf(v)
}

// jsonOf writes a literal as JSON: sorted keys, and decimals that stay so.
func jsonOf(v any) (text string, ok bool) {
	switch x := v.(type) {
	case statechart.Expression:
		return "", false
	case string:
		data, err := json.Marshal(x)
		plain := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(data))
		return plain, err == nil && strings.ToValidUTF8(x, "") == x
	case []string:
		return jsonOf(anyList(x))
	case []any:
		parts := make([]string, len(x))
		for i, item := range x {
			if parts[i], ok = jsonOf(item); !ok {
				return "", false
			}
		}
		return "[" + strings.Join(parts, ", ") + "]", true
	case map[string]any:
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(x)) {
			key, _ := jsonOf(k)
			part, ok := jsonOf(x[k])
			if !ok {
				return "", false
			}
			parts = append(parts, key+": "+part)
		}
		return "{" + strings.Join(parts, ", ") + "}", true
	case int64:
		return strconv.FormatInt(x, 10), true
	}
	return scalarOf(v)
}

// isLiteral reports whether nothing in a value is evaluated.
func isLiteral(v any) bool {
	switch x := v.(type) {
	case statechart.Expression:
		return false
	case []any:
		return !slices.ContainsFunc(x, func(item any) bool { return !isLiteral(item) })
	case map[string]any:
		for _, item := range x {
			if !isLiteral(item) {
				return false
			}
		}
	}
	return true
}
