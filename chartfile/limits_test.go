package chartfile_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/statechart"
)

// paddedDocument is a chart of exactly so many bytes.
func paddedDocument(n int) string {
	const chart = "id: c\ninitial: a\nstates: {a: {}}\n"
	return chart + "#" + strings.Repeat("x", n-len(chart)-1)
}

// deepDocument is a chart with a list in lists: the document, context and n lists.
func deepDocument(n int) string {
	return "id: c\ninitial: a\ncontext: {x: " + strings.Repeat("[", n-2) + strings.Repeat("]", n-2) + "}\nstates: {a: {}}\n"
}

// wideDocument is a chart with n states, the root among them.
func wideDocument(n int) string {
	var b strings.Builder
	b.WriteString("id: c\ninitial: s1\nstates:\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "  s%d: {}\n", i)
	}
	return b.String()
}

// longGuard is a chart whose guard has n bytes: a sum, which is wide and not
// deep.
func longGuard(n int) string {
	text := "len('" + strings.Repeat("x", n-len("len('') > 0")) + "') > 0"
	return "id: c\ninitial: a\nstates: {a: {on: {GO: {target: a, guard: \"" + text + "\"}}}}\n"
}

// longText is a chart with a text whose expression has n bytes.
func longText(n int) string {
	inner := "'" + strings.Repeat("x", n-2) + "'"
	return "id: c\ninitial: a\nstates: {a: {entry: [{log: \"${" + inner + "}\"}]}}\n"
}

// Each limit: at it, one above, a hundred times as much. What is refused is
// refused with its code, and without much work.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(n int) string
		most int
		code statechart.Code
	}{
		{"bytes", paddedDocument, 1 << 20, chartfile.CodeTooLarge},
		{"nesting", deepDocument, 64, chartfile.CodeTooLarge},
		{"states", wideDocument, 10_000, statechart.CodeLimit},
		{"bytes of a guard", longGuard, 4_096, statechart.CodeLimit},
		{"bytes of an expression in a text", longText, 4_096, statechart.CodeLimit},
	} {
		t.Run(c.name, func(t *testing.T) {
			if found := chartfile.Check("chart.yaml", []byte(c.make(c.most))); len(found) > 0 {
				t.Errorf("at the limit: %v", clip(found))
			}
			for _, n := range []int{c.most + 1, 100 * c.most} {
				document := []byte(c.make(n))
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				found := chartfile.Check("chart.yaml", document)
				runtime.ReadMemStats(&after)
				if !hasCode(found, c.code) && !hasCode(found, chartfile.CodeTooLarge) {
					t.Errorf("%d: %v", n, clip(found))
				}
				if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
					t.Errorf("%d: %d MiB were allocated", n, used>>20)
				}
			}
		})
	}
}

func hasCode(found chartfile.Diagnostics, code statechart.Code) bool {
	for _, d := range found {
		if d.Code == code {
			return true
		}
	}
	return false
}

func clip(found chartfile.Diagnostics) chartfile.Diagnostics { return found[:min(len(found), 5)] }

// A file with very many mistakes is refused in bounded time with a bounded
// list.
func TestManyMistakes(t *testing.T) {
	for name, document := range map[string]string{
		"unknown keys":     "id: c\n" + numbered("zzz%d: 1\n", 50_000),
		"blank values":     "id: c\ncontext:\n  x:\n" + numbered("    - {a%d: }\n", 40_000),
		"blank states":     "id: c\nstates:\n" + numbered("  s%d:\n", 50_000),
		"unknown targets":  "id: c\ninitial: a\nstates:\n  a:\n    on:\n" + numbered("      E%d: nowhere\n", 30_000),
		"unexpanded texts": "id: c\ninitial: a\nstates: {a: {}}\ncontext:\n  n: 0\n  x:\n" + numbered("    - n + %d\n", 60_000),
		"many variables":   "id: c\ninitial: a\nstates: {a: {}}\ncontext:\n" + numbered("  v%d: a b\n", 50_000),
	} {
		t.Run(name, func(t *testing.T) {
			found := chartfile.Check("chart.yaml", []byte(document))
			if !found.Errors() || len(found) > 1_001 {
				t.Errorf("%d diagnostics", len(found))
			}
			if len(found) > 1_000 && found[1_000].Code != statechart.CodeLimit {
				t.Errorf("the last of many is %v, and not that there are more", found[1_000])
			}
		})
	}
}

// Each of ten thousand states names a state that is not there: the hints do
// not cost the square of that.
func TestManyWrongTargets(t *testing.T) {
	document := []byte("id: c\ninitial: s0\nstates:\n" + numbered("  s%d: {on: {GO: nowhere}}\n", 9_999))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	found := chartfile.Check("chart.yaml", document)
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 512<<20 || len(found) != 1_001 {
		t.Errorf("%d MiB were allocated for %d diagnostics", used>>20, len(found))
	}
}

func numbered(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}
