package chartfile

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxCheckWork is how many steps one check may take: values looked at, bytes
// compared. A chart's schema can be made to multiply them.
const maxCheckWork = 4_000_000

// misfit is the first thing about a value that does not fit.
type misfit struct {
	place   string // in the value: "steps[2].name"; "" for all of it
	message string // "is missing"
	hint    string
}

// Error returns place and message in one sentence.
func (m *misfit) Error() string {
	place := m.place
	if place == "" {
		place = "it"
	}
	if m.hint == "" {
		return place + " " + m.message
	}
	return place + " " + m.message + " (" + m.hint + ")"
}

// schemaCheck is one check.
type schemaCheck struct{ work int }

var exhausted = &misfit{message: "takes too long to check"}

// spend counts steps and reports whether some are left.
func (c *schemaCheck) spend(n int) bool {
	c.work -= n
	return c.work >= 0
}

// check returns the first thing that does not fit, or nil.
func (c *schemaCheck) check(s *schema, v any, place string) *misfit {
	if !c.spend(1) {
		return exhausted
	}
	if s.never {
		return &misfit{place, "may not be there", ""}
	}
	if m := c.scalar(s, v, place); m != nil {
		return m
	}
	switch x := v.(type) {
	case string:
		if m := c.text(s, x, place); m != nil {
			return m
		}
	case []any:
		if m := c.list(s, x, place); m != nil {
			return m
		}
	case map[string]any:
		if m := c.object(s, x, place); m != nil {
			return m
		}
	}
	return c.logic(s, v, place)
}

// scalar checks what every kind of value can be asked.
func (c *schemaCheck) scalar(s *schema, v any, place string) *misfit {
	if s.types != nil && !slices.ContainsFunc(s.types, func(t string) bool { return isType(v, t) }) {
		return &misfit{place, fmt.Sprintf("is %s, not %s", typeOf(v), typeList(s.types)), ""}
	}
	if s.constant != nil && !c.same(*s.constant, v) {
		return &misfit{place, fmt.Sprintf("is %s, not %s", brief(v), brief(*s.constant)), ""}
	}
	if s.enum != nil && !slices.ContainsFunc(s.enum, func(e any) bool { return c.same(e, v) }) {
		return &misfit{place, fmt.Sprintf("is %s, not one of %s", brief(v), briefList(s.enum)), ""}
	}
	switch v.(type) {
	case int64, float64:
	default:
		return nil
	}
	switch {
	case s.minimum != nil && compareNumbers(v, s.minimum) < 0:
		return &misfit{place, fmt.Sprintf("is %s, less than %s", brief(v), brief(s.minimum)), ""}
	case s.maximum != nil && compareNumbers(v, s.maximum) > 0:
		return &misfit{place, fmt.Sprintf("is %s, more than %s", brief(v), brief(s.maximum)), ""}
	case s.above != nil && compareNumbers(v, s.above) <= 0:
		return &misfit{place, fmt.Sprintf("is %s, not more than %s", brief(v), brief(s.above)), ""}
	case s.below != nil && compareNumbers(v, s.below) >= 0:
		return &misfit{place, fmt.Sprintf("is %s, not less than %s", brief(v), brief(s.below)), ""}
	case s.multipleOf != nil && !isMultiple(v, s.multipleOf):
		return &misfit{place, fmt.Sprintf("is %s, no multiple of %s", brief(v), brief(s.multipleOf)), ""}
	}
	return nil
}

func (c *schemaCheck) text(s *schema, x, place string) *misfit {
	if s.minLength != nil || s.maxLength != nil {
		n := utf8.RuneCountInString(x)
		if !c.spend(len(x) / 8) {
			return exhausted
		}
		switch {
		case s.minLength != nil && n < *s.minLength && n == 0:
			return &misfit{place, "is empty", ""}
		case s.minLength != nil && n < *s.minLength:
			return &misfit{place, fmt.Sprintf("has %s, fewer than %d", counted(n, "character"), *s.minLength), ""}
		case s.maxLength != nil && n > *s.maxLength:
			return &misfit{place, fmt.Sprintf("has %s, more than %d", counted(n, "character"), *s.maxLength), ""}
		}
	}
	if s.pattern != nil && !c.matches(s.pattern, s.steps, x) {
		return c.over(&misfit{place, fmt.Sprintf("is %s, which does not match %s", brief(x), brief(s.pattern.String())), ""})
	}
	return nil
}

// over is m unless the work is spent.
func (c *schemaCheck) over(m *misfit) *misfit {
	if c.work < 0 {
		return exhausted
	}
	return m
}

func (c *schemaCheck) matches(p *regexp.Regexp, steps int, text string) bool {
	return c.spend((len(text)+1)*steps/16) && p.MatchString(text)
}

func (c *schemaCheck) list(s *schema, x []any, place string) *misfit {
	switch {
	case s.minItems != nil && len(x) < *s.minItems:
		return &misfit{place, fmt.Sprintf("has %s, fewer than %d", counted(len(x), "item"), *s.minItems), ""}
	case s.maxItems != nil && len(x) > *s.maxItems:
		return &misfit{place, fmt.Sprintf("has %s, more than %d", counted(len(x), "item"), *s.maxItems), ""}
	}
	for i, item := range x {
		inner := s.items
		if i < len(s.prefix) {
			inner = s.prefix[i]
		}
		if inner == nil {
			continue
		}
		if m := c.check(inner, item, place+"["+strconv.Itoa(i)+"]"); m != nil {
			return m
		}
	}
	if m := c.containing(s, x, place); m != nil {
		return m
	}
	if s.unique {
		return c.unique(x, place)
	}
	return nil
}

func (c *schemaCheck) containing(s *schema, x []any, place string) *misfit {
	if s.contains == nil {
		return nil
	}
	n := 0
	for _, item := range x {
		if c.check(s.contains, item, "") == nil {
			n++
		}
	}
	least := 1
	if s.minContains != nil {
		least = *s.minContains
	}
	switch {
	case c.work < 0:
		return exhausted
	case n < least:
		return &misfit{place, fmt.Sprintf("has %s of the kind that is wanted, fewer than %d", counted(n, "item"), least), ""}
	case s.maxContains != nil && n > *s.maxContains:
		return &misfit{place, fmt.Sprintf("has %s of the kind that is counted, more than %d", counted(n, "item"), *s.maxContains), ""}
	}
	return nil
}

func (c *schemaCheck) unique(x []any, place string) *misfit {
	seen := make(map[string]int, len(x))
	for i, item := range x {
		var b strings.Builder
		if !c.canonical(&b, item) {
			return exhausted
		}
		if first, twice := seen[b.String()]; twice {
			return &misfit{place, fmt.Sprintf("has one item twice, at %d and %d", first, i), ""}
		}
		seen[b.String()] = i
	}
	return nil
}

func (c *schemaCheck) object(s *schema, x map[string]any, place string) *misfit {
	for _, name := range s.required {
		if _, given := x[name]; !given {
			return &misfit{below(place, name), "is missing", ""}
		}
	}
	switch {
	case s.minFields != nil && len(x) < *s.minFields:
		return &misfit{place, fmt.Sprintf("has %s, fewer than %d", counted(len(x), "field"), *s.minFields), ""}
	case s.maxFields != nil && len(x) > *s.maxFields:
		return &misfit{place, fmt.Sprintf("has %s, more than %d", counted(len(x), "field"), *s.maxFields), ""}
	}
	for _, name := range sortedNames(s.needs) {
		if _, given := x[name]; !given {
			continue
		}
		for _, other := range s.needs[name] {
			if _, given := x[other]; !given {
				return &misfit{below(place, other), "is missing beside " + name, ""}
			}
		}
	}
	if s.properties == nil && s.patterns == nil && s.additional == nil && s.names == nil {
		return nil
	}
	for _, name := range sortedNames(x) {
		if m := c.field(s, x, name, place); m != nil {
			return m
		}
	}
	return nil
}

func (c *schemaCheck) field(s *schema, x map[string]any, name, place string) *misfit {
	where := below(place, name)
	if s.names != nil {
		if m := c.check(s.names, name, ""); m != nil {
			return c.over(&misfit{where, "has a name that is not allowed: it " + m.message, ""})
		}
	}
	inner, known := s.properties[name]
	if known {
		if m := c.check(inner, x[name], where); m != nil {
			return m
		}
	}
	for _, p := range s.patterns {
		if !c.matches(p.pattern, p.steps, name) {
			continue
		}
		known = true
		if m := c.check(p.schema, x[name], where); m != nil {
			return m
		}
	}
	switch {
	case c.work < 0:
		return exhausted
	case known || s.additional == nil:
		return nil
	case s.additional.never:
		return &misfit{where, "is not a field that is allowed", nearest(name, sortedNames(s.properties))}
	}
	return c.check(s.additional, x[name], where)
}

// logic checks the schemas that are combined.
func (c *schemaCheck) logic(s *schema, v any, place string) *misfit {
	if s.refers != nil {
		if m := c.check(s.refers, v, place); m != nil {
			return m
		}
	}
	for _, inner := range s.all {
		if m := c.check(inner, v, place); m != nil {
			return m
		}
	}
	if m := c.alternatives(s, v, place); m != nil {
		return m
	}
	if s.not != nil && c.check(s.not, v, place) == nil {
		return &misfit{place, "is of a kind that is not allowed", ""}
	}
	if s.when != nil {
		branch := s.otherwise
		if c.check(s.when, v, place) == nil {
			branch = s.then
		}
		if branch != nil {
			if m := c.check(branch, v, place); m != nil {
				return m
			}
		}
	}
	if x, isObject := v.(map[string]any); isObject {
		for _, name := range sortedNames(s.given) {
			if _, given := x[name]; !given {
				continue
			}
			if m := c.check(s.given[name], v, place); m != nil {
				return m
			}
		}
	}
	return c.over(nil)
}

// alternatives checks anyOf and oneOf. When none fits, the one that fits
// furthest says why.
func (c *schemaCheck) alternatives(s *schema, v any, place string) *misfit {
	for k, list := range [][]*schema{s.any, s.one} {
		if len(list) == 0 {
			continue
		}
		fits := 0
		var deepest *misfit
		for _, inner := range list {
			m := c.check(inner, v, place)
			if m == nil {
				fits++
			} else if deepest == nil || placeDepth(m.place) > placeDepth(deepest.place) {
				deepest = m
			}
		}
		switch {
		case c.work < 0:
			return exhausted
		case fits == 0 && placeDepth(deepest.place) > placeDepth(place):
			return deepest
		case fits == 0:
			return &misfit{place, fmt.Sprintf("is %s, which is none of the %d kinds that are allowed", brief(v), len(list)), ""}
		case k == 1 && fits > 1:
			return &misfit{place, fmt.Sprintf("is of %d kinds of which it may be one", fits), ""}
		}
	}
	return nil
}

// placeDepth is how far below the value a place lies.
func placeDepth(place string) int {
	if place == "" {
		return 0
	}
	return 1 + strings.Count(place, ".") + strings.Count(place, "[")
}

func below(place, name string) string {
	if place == "" {
		return name
	}
	return place + "." + name
}
