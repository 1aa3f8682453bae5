package expression_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/statechart"
)

// megabytes is what one macrostep may take, whatever its expression is.
const megabytes = 64 << 20

// hostile are sources that would go on, or grow, without the meter. Each
// must end in a typed error: "fuel", the macrostep's own, or a code.
var hostile = []struct{ name, source, want string }{
	{"text doubled thirty times", `reduce(1..30, #acc + #acc, "aaaa")`, "fuel"},
	{"text doubled in a list", `reduce(1..60, [#acc, #acc], "aaaa") | toJSON()`, "fuel"},
	{"empty needle in replace", `reduce(1..20, replace(#acc, "", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), "a")`, "fuel"},
	{"three bodies over 2,000 each", `count(1..2000, {count(1..2000, {count(1..2000, true) > 0}) > 0})`, "fuel"},
	{"three bodies with a list each", `map(1..2000, {map(1..2000, {map(1..2000, #)})})`, "fuel"},
	{"objects in a body", `map(1..1000000, {{a: 1}})`, "fuel"},
	{"lists in a body", `map(1..1000000, [#, #])`, "fuel"},
	{"texts in a body", `map(1..1000000, string(#))`, "fuel"},
	{"filter that keeps all", `filter(1..1000000, true)`, "fuel"},
	{"a range of a billion", `1..1000000000`, "fuel"},
	{"a range of all integers", `(-9223372036854775807 - 1)..9223372036854775807`, "fuel"},
	{"the size of a range that is read", `len(1..1000000000)`, "fuel"},
	{"a gigabyte repeated", `repeat("a", 1000000000)`, "fuel"},
	{"repeated past all integers", `repeat("aaaaaaaa", 9223372036854775807)`, "fuel"},
	{"repeated again and again", `reduce(1..10, repeat(#acc, 100), "a")`, "fuel"},
	{"split into characters", `split(repeat("a", 4000000), "")`, "fuel"},
	{"join with a large glue", `join(split(repeat("a", 1000), ""), repeat("g", 100000))`, "fuel"},
	{"replace with a large text", `replace(repeat("a", 100000), "a", repeat("b", 1000))`, "fuel"},
	{"upper again and again", `count(1..100000, {upper(repeat("a", 1000)) != ""})`, "fuel"},
	{"search in a large text", `count(1..100000, {repeat("a", 4000) contains "b"})`, "fuel"},
	{"trim of many characters", `trim(repeat("a", 1000000), repeat("éa", 1000))`, "fuel"},
	{"base64 of base64", `reduce(1..60, toBase64(#acc), repeat("a", 1000))`, "fuel"},
	{"JSON of JSON", `reduce(1..40, toJSON(#acc), "\"")`, "fuel"},
	{"JSON that is read again", `count(1..100000, {fromJSON(toJSON(1..1000)) != nil})`, "fuel"},
	{"JSON of many small lists", `fromJSON("[" + repeat("[],", 100000) + "1]")`, "fuel"},
	{"JSON of many small objects", `fromJSON("[" + repeat("{},", 70000) + "1]")`, "fuel"},
	{"JSON of many fields", `fromJSON("{" + join(map(1..100000, "\"" + string(#) + "\":1"), ",") + "}")`, "fuel"},
	{"JSON of large objects again and again", `let j = "{" + join(map(1..1000, "\"" + string(#) + "\":{}"), ",") + "}"; count(1..100000, {fromJSON(j) != nil})`, "fuel"},
	{"JSON of lists again and again", `let j = "[" + repeat("[1],", 10000) + "1]"; count(1..100000, {fromJSON(j) != nil})`, "fuel"},
	{"equal values that are shared", `let a = reduce(1..40, [#acc, #acc], 1); let b = reduce(1..40, [#acc, #acc], 1); a == b`, "fuel"},
	{"shared values in a list", `reduce(1..40, [#acc, #acc], 1) in [reduce(1..40, [#acc, #acc], 1)]`, "fuel"},
	{"equal objects that are shared", `reduce(1..40, {{"a": #acc, "b": #acc}}, 1) == reduce(1..40, {{"a": #acc, "b": #acc}}, 1)`, "fuel"},
	{"JSON of what is shared", `toJSON(reduce(1..40, [#acc, #acc], 1))`, "fuel"},
	{"text of what is shared", `text(reduce(1..40, [#acc, #acc], 1))`, "fuel"},
	{"text of a list again and again", `let x = map(1..1000, -1.2345678901234567e-6); count(1..1000, {text(x) != ""})`, "fuel"},
	{"flatten again and again", `let x = 1..90000; count(1..12, {len(flatten(x)) > 0})`, "fuel"},
	{"flatten what is shared", `flatten(reduce(1..40, [#acc, #acc], 1))`, "fuel"},
	{"the largest of what is shared", `max(reduce(1..40, [#acc, #acc], 1))`, "fuel"},
	{"the median of what is shared", `median(reduce(1..40, [#acc, #acc], 1))`, "fuel"},
	{"the first of equal ones that are shared", `uniq(map(1..2000, [reduce(1..8, [#acc, #acc], #)]))`, "fuel"},
	{"concat doubled", `reduce(1..40, concat(#acc, #acc), [1])`, "fuel"},
	{"merge of a growing object", `reduce(1..100000, merge(#acc, {(string(#)): 1}), {})`, "fuel"},
	{"set on a growing object", `reduce(1..100000, set(#acc, string(#), #), {})`, "fuel"},
	{"as many groups as elements", `groupBy(1..1000000, #)`, "fuel"},
	{"pairs of a large object", `toPairs(groupBy(1..60000, #))`, "fuel"},
	{"sort of a large list", `sort(reverse(1..400000))`, "fuel"},
	{"sort of long texts", `sort(map(1..1000, repeat("a", 1000) + string(#)))`, "fuel"},
	{"sort with a body", `sortBy(1..1000000, -#)`, "fuel"},
	{"sort again and again", `count(1..100000, {len(sort(1..1000)) > 0})`, "fuel"},
	{"keys again and again", `let o = groupBy(1..1000, #); count(1..100000, {len(keys(o)) > 0})`, "fuel"},
	{"keys that are long", `let o = reduce(1..8, merge(#acc, {(repeat("k", 4000) + string(#)): 1}), {}); count(1..100000, {len(keys(o)) > 0})`, "fuel"},
	{"take and slice again and again", `reduce(1..1000000, take(#acc, 1)[0:], [1])`, "fuel"},
	{"a slow match", `repeat("a", 1000000) matches "(a|aa|aaa|a?a?a?a?a?a?a?a?)*b"`, "fuel"},
	{"a pattern that is computed", `count(1..100000, {"aaaa" matches ("a{" + string(#) + "}")})`, "fuel"},
	{"the index of each", `count(1..1000000, {indexOf("abcdefgh", "h") == #index})`, "fuel"},
	{"nested deeper than data", `toJSON(reduce(1..10000, [#acc], 1))`, "limit"},
	{"equality deeper than data", `reduce(1..10000, [#acc], 1) == reduce(1..10000, [#acc], 1)`, "limit"},
	{"objects deeper than data", `reduce(1..10000, {{"a": #acc}}, 1) == reduce(1..10000, {{"a": #acc}}, 1)`, "limit"},
	{"flatten deeper than data", `flatten(reduce(1..10000, [#acc], 1))`, "limit"},
	{"numbers deeper than data", `max(reduce(1..10000, [#acc], 1))`, "limit"},
	{"JSON text deeper than data", `fromJSON(repeat("[", 10000))`, "limit"},
	{"a path of many steps", `set({}, repeat("a.", 1000) + "a", 1)`, "limit"},
	{"a pattern of repeated repeats", `"a" matches "(a{1000}){1000}"`, "bad_expression"},
	{"a pattern that grows", `"a" matches "((a{30}){30}){30}"`, "bad_expression"},
	{"a pattern of many repeats", `"a" matches "a{900}a{900}a{900}"`, "limit"},
	{"a pattern that is long", `"a" matches repeat("a", 1001)`, "limit"},
	{"a computed pattern that grows", `"a" matches ("a{900}" + "a{900}a{900}")`, "limit"},
	{"classes of many characters", `"a" matches "` + strings.Repeat(`[\\pL\\pN\\pS]{40}`, 40) + `"`, "limit"},
	{"a pattern that ignores case in wide ranges", `"a" matches "(?i)[B-\\x{1E942}]"`, "limit"},
	{"a computed one", `"a" matches ("(?s-U:(?i)[^-!-" + "\\x{01E942}])")`, "limit"},
	{"one that begins with an escape", `"a" matches "(?i)[\\--\\x{1E942}]"`, "limit"},
	{"one of many ranges", `"a" matches "(?i)` + strings.Repeat(`[\\x{100}-\\x{102}ǿ-\\x{04FF}]`, 8) + `"`, "limit"},
	{"the last of nearly all integers", `findLast(0..9223372036854775807, true)`, "limit"},
	{"two thousand parentheses", strings.Repeat("(", 2000) + "1" + strings.Repeat(")", 2000), "limit"},
	{"many open brackets", strings.Repeat("[", 4096), "limit"},
	{"many open parentheses", strings.Repeat("(", 4096), "limit"},
	{"many not", strings.Repeat("!", 4090) + "true", "limit"},
	{"many minus", strings.Repeat("-", 4090) + "1", "limit"},
	{"many powers", strings.Repeat("1**", 1000) + "1", "limit"},
	{"many conditions", strings.Repeat("true?1:", 500) + "1", "limit"},
	{"many conditions inside", strings.Repeat("true?", 500) + "1" + strings.Repeat(":1", 500), "limit"},
	{"many let", strings.Repeat("let a=1;", 500) + "1", "limit"},
	{"many parts", strings.Repeat("1;", 2000) + "1", "limit"},
	{"many objects", strings.Repeat("{a:", 800) + "1" + strings.Repeat("}", 800), "limit"},
	{"many comparisons, each with a part twice", strings.Repeat("1 < (1 < ", 15) + "1" + strings.Repeat(" < 1) < 1", 15), "limit"},
	{"many short conditions, each with a part twice", strings.Repeat("(", 30) + "1" + strings.Repeat(" ?: 1)", 30), "limit"},
	{"many members", "event" + strings.Repeat("?.b", 1000), "limit"},
	{"a large list of literals", "[" + strings.Repeat("1,", 1500) + "1]", "limit"},
	{"bodies inside bodies", strings.Repeat("map([1],", 40) + "1" + strings.Repeat(")", 40), "limit"},
}

func TestHostileSourcesEnd(t *testing.T) {
	for _, c := range hostile {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			v, err := world{}.evaluate(c.source)
			runtime.ReadMemStats(&after)
			if got := codeOf(err); got != c.want {
				t.Errorf("it ends in %q (%v), want %q", got, err, c.want)
			}
			if err == nil {
				t.Errorf("it gives %.100s", show(v))
			}
			used := after.TotalAlloc - before.TotalAlloc
			t.Logf("%d KiB", used>>10)
			if used > megabytes {
				t.Errorf("it takes %d MiB", used>>20)
			}
		})
	}
}

// What is longer than a source may be is not even read.
func TestHostileSourcesAreTooLong(t *testing.T) {
	for _, source := range []string{
		strings.Repeat("(", 10_000) + "1" + strings.Repeat(")", 10_000),
		strings.Repeat("[", 10_000),
		strings.Repeat("!", 1<<20),
		strings.Repeat("a", expression.MaxSource+1),
	} {
		_, err := expression.Parse(source)
		if got := codeOf(err); got != "limit" {
			t.Errorf("%.20s… of %d bytes: %v", source, len(source), err)
		}
	}
	if _, err := expression.Parse(strings.Repeat("a", expression.MaxSource)); err != nil {
		t.Errorf("as long as a source may be: %v", err)
	}
}

// Ten thousand levels of data cannot come in from outside, and those that an
// expression makes cannot be kept.
func TestHostileDepthIsNotKept(t *testing.T) {
	in, l, err := world{}.start(`reduce(1..10000, [#acc], 1)`)
	if err != nil {
		t.Fatal(err)
	}
	res := in.Send(statechart.Event{Name: "go"})
	if l.err != nil || res.Outcome != statechart.Failed {
		t.Errorf("the event is %s, the expression's error %v", res.Outcome, l.err)
	}
}

// codeOf names an error by its code.
func codeOf(err error) string {
	switch e := err.(type) {
	case nil:
		return ""
	case *expression.Error:
		return string(e.Code)
	case spent:
		return "fuel"
	case statechart.Errors:
		return string(e[0].Code)
	}
	return "untyped: " + err.Error()
}
