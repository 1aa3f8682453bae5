package statechart

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Bounds of any value: its nesting, and how many values it is made of, each
// counted as often as it is reached.
const (
	maxValueDepth = 64
	maxValueSize  = 100_000
	maxValueBytes = 16 << 20 // of text in it
)

// normalize returns v in the JSON-like form that charts work with: nil,
// bool, int64, float64, string, []any, map[string]any, of those. Lists and
// objects that have that form already are returned as they are.
func normalize(v any) (any, error) { return normalizeWithin(maxValueSize, v) }

// normalizeWithin is normalize with a lower bound on the value's size.
func normalizeWithin(limit int, v any) (any, error) {
	n := normalizer{limit: limit}
	out, _, err := n.normal(v, 0)
	return out, err
}

// errText says that text cannot be kept: stores refuse it.
var errText = errors.New("text that is not UTF-8, or holds a NUL")

// normalizer counts the values of which one is made. Expressions are values
// in definitions only.
type normalizer struct {
	size, limit int
	bytes       int // of text
	definition  bool
	fields      int // of objects, whose keys were sorted
}

// boundError says that a value is too large as a whole; where in it that was
// noticed says nothing.
type boundError string

func (e boundError) Error() string { return string(e) }

// within puts the place in the value before what is wrong there.
func within(place string, err error) error {
	if _, whole := err.(boundError); whole {
		return err
	}
	return fmt.Errorf("%s: %w", place, err)
}

// normal reports besides whether out differs from v.
func (c *normalizer) normal(v any, depth int) (out any, changed bool, err error) {
	if depth > maxValueDepth {
		return nil, false, boundError(fmt.Sprintf("nested deeper than %d", maxValueDepth))
	}
	if c.size++; c.size > c.limit {
		return nil, false, c.tooLarge()
	}
	switch x := v.(type) {
	case nil, bool, int64:
		return v, false, nil
	case Expression:
		if !c.definition {
			return nil, false, fmt.Errorf("an expression is no data")
		}
		return v, false, nil
	case string:
		if c.bytes += len(x); c.bytes > maxValueBytes {
			return nil, false, fmt.Errorf("more than %d bytes of text", maxValueBytes)
		}
		if !validText(x) {
			return nil, false, errText
		}
		return v, false, nil
	case float64:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, false, fmt.Errorf("%v is not a number that can be kept", x)
		}
		return v, false, nil
	case int:
		return int64(x), true, nil
	case float32:
		out, _, err = c.normal(float64(x), depth)
		return out, true, err
	case []string:
		list := make([]any, len(x))
		for i, s := range x {
			list[i] = s
		}
		out, _, err = c.normalList(list, depth)
		return out, true, err
	case []any:
		return c.normalList(x, depth)
	case map[string]any:
		return c.normalObject(x, depth)
	}
	return integer(v)
}

// foreign reports whether v is of a Go type that is no data of a chart, such
// as a program's own struct.
func foreign(v any) bool {
	switch v.(type) {
	case nil, bool, int64, int, string, float64, float32, []string, []any, map[string]any:
		return false
	}
	_, _, err := integer(v)
	return err != nil
}

// integer turns the rarer integer types into int64.
func integer(v any) (out any, changed bool, err error) {
	var u uint64
	switch x := v.(type) {
	case int8:
		return int64(x), true, nil
	case int16:
		return int64(x), true, nil
	case int32:
		return int64(x), true, nil
	case uint8:
		u = uint64(x)
	case uint16:
		u = uint64(x)
	case uint32:
		u = uint64(x)
	case uint:
		u = uint64(x)
	case uint64:
		u = x
	default:
		return nil, false, fmt.Errorf("a %T is not JSON-like data", v)
	}
	if u > math.MaxInt64 {
		return nil, false, fmt.Errorf("%d does not fit a 64-bit integer with a sign", u)
	}
	return int64(u), true, nil
}

func (c *normalizer) tooLarge() error {
	return boundError(fmt.Sprintf("made of more than %d values", c.limit))
}

func (c *normalizer) normalList(x []any, depth int) (any, bool, error) {
	if x == nil {
		return []any{}, true, nil
	}
	var out []any
	for i, e := range x {
		n, changed, err := c.normal(e, depth+1)
		if err != nil {
			return nil, false, within(fmt.Sprintf("[%d]", i), err)
		}
		if changed {
			if out == nil {
				out = slices.Clone(x)
			}
			out[i] = n
		}
	}
	if out != nil {
		return out, true, nil
	}
	return x, false, nil
}

func (c *normalizer) normalObject(x map[string]any, depth int) (any, bool, error) {
	if x == nil {
		return map[string]any{}, true, nil
	}
	if c.size+len(x) > c.limit { // no more are sorted than are looked at
		c.size = c.limit + 1
		return nil, false, c.tooLarge()
	}
	c.fields += len(x)
	var out map[string]any
	for _, k := range sortedKeys(x) {
		if !validText(k) {
			return nil, false, fmt.Errorf("a key: %w", errText)
		}
		n, changed, err := c.normal(x[k], depth+1)
		if err != nil {
			return nil, false, within(k, err)
		}
		if changed {
			if out == nil {
				out = maps.Clone(x)
			}
			out[k] = n
		}
	}
	if out != nil {
		return out, true, nil
	}
	return x, false, nil
}

// sortedKeys is how objects are walked: in an order that does not depend on
// the map.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// compareValues orders two numbers; ok is false for anything else.
func compareValues(a, b any) (order int, ok bool) {
	x, okX := a.(int64)
	y, okY := b.(int64)
	if okX && okY {
		switch {
		case x < y:
			return -1, true
		case x > y:
			return 1, true
		}
		return 0, true
	}
	f, okF := number(a)
	g, okG := number(b)
	if !okF || !okG {
		return 0, false
	}
	switch {
	case f < g:
		return -1, true
	case f > g:
		return 1, true
	}
	return 0, true
}

func number(v any) (float64, bool) {
	switch x := v.(type) {
	case int64:
		return float64(x), true
	case float64:
		return x, true
	}
	return 0, false
}

// milliseconds reads a delay (R27): a number, or a duration as text, where
// "d" may stand for days. Fractions of a millisecond round up.
func milliseconds(v any) (int64, error) {
	switch x := v.(type) {
	case int64:
		return x, nil
	case float64:
		return ceilMillis(x)
	case string:
		return parseDuration(x)
	}
	return 0, fmt.Errorf("%s is no delay", describeValue(v))
}

func ceilMillis(f float64) (int64, error) {
	f = math.Ceil(f)
	if math.IsNaN(f) || f > math.MaxInt64/2 || f < math.MinInt64/2 {
		return 0, fmt.Errorf("%v is no delay", f)
	}
	return int64(f), nil
}

// durationUnits are those of Go and the day, in nanoseconds. Of two that
// begin alike the longer stands first.
var durationUnits = []struct {
	name  string
	nanos int64
}{{"ms", 1e6}, {"us", 1e3}, {"µs", 1e3}, {"ns", 1}, {"d", 864e11}, {"h", 36e11}, {"m", 6e10}, {"s", 1e9}}

// parseDuration reads a duration: Go's syntax, with days besides.
func parseDuration(text string) (int64, error) {
	bad := fmt.Errorf("%s is no delay", quote(text))
	rest, negative := strings.CutPrefix(text, "-")
	if !negative {
		rest = strings.TrimPrefix(text, "+")
	}
	if rest == "0" {
		return 0, nil
	}
	if rest == "" || len(text) > 64 {
		return 0, bad
	}
	var millis, nanos int64
	for rest != "" {
		var ok bool
		if rest, ok = addDuration(rest, &millis, &nanos); !ok {
			return 0, bad
		}
	}
	millis += nanos / 1e6
	if negative {
		return -millis, nil // a fraction rounds up, towards zero
	}
	if nanos%1e6 > 0 {
		millis++
	}
	return millis, nil
}

// addDuration adds the number and unit that the text begins with, and
// returns what is left of the text.
func addDuration(text string, millis, nanos *int64) (rest string, ok bool) {
	whole, rest, digits := leadingInt(text)
	fraction, scale := int64(0), 1.0
	if after, dot := strings.CutPrefix(rest, "."); dot {
		var n int
		fraction, rest, n = leadingInt(after)
		digits += n
		for range n {
			scale *= 10
		}
	}
	if digits == 0 || digits > 15 {
		return "", false
	}
	for _, u := range durationUnits {
		after, is := strings.CutPrefix(rest, u.name)
		if !is {
			continue
		}
		per := max(u.nanos/1e6, 1)
		if whole > math.MaxInt64/4/per {
			return "", false
		}
		if u.nanos >= 1e6 {
			*millis += whole * per
		} else {
			*millis += whole * u.nanos / 1e6
			*nanos += whole * u.nanos % 1e6
		}
		*nanos += int64(math.Ceil(float64(fraction) * (float64(u.nanos) / scale)))
		return after, *millis >= 0
	}
	return "", false
}

// leadingInt reads the digits that the text begins with.
func leadingInt(text string) (n int64, rest string, digits int) {
	for digits < len(text) && digits < 16 && text[digits] >= '0' && text[digits] <= '9' {
		n = n*10 + int64(text[digits]-'0')
		digits++
	}
	return n, text[digits:], digits
}

// quote quotes a name for a message, cut short when it is long.
func quote(s string) string {
	if len(s) > 80 {
		s = strings.ToValidUTF8(s[:80], "") + "…"
	}
	return strconv.Quote(s)
}

func describeValue(v any) string {
	switch x := v.(type) {
	case nil:
		return "null"
	case string:
		return quote(x)
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	}
	return fmt.Sprint(v)
}
