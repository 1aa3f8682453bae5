package xstate_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/statechart"
)

// paddedMachine has exactly n bytes.
func paddedMachine(n int) string {
	const machine = `{"id": "m", "description": ""}`
	return strings.Replace(machine, `""`, `"`+strings.Repeat("x", n-len(machine))+`"`, 1)
}

// deepMachine has n lists and objects inside each other.
func deepMachine(n int) string {
	return `{"id": "m", "meta": ` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + `}`
}

// deepGuard is a machine whose guard nots stand n deep.
func deepGuard(n int) string {
	depth := n - 3 // the machine, on, the transition
	return `{"id": "m", "on": {"E": {"guard": ` + strings.Repeat(`{"not": `, depth) + `"g"` + strings.Repeat("}", depth) + `}}}`
}

// wideMachine has n states, the root among them.
func wideMachine(n int) string {
	var b strings.Builder
	b.WriteString(`{"id": "m", "type": "parallel", "states": {`)
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, `%s"s%d": {}`, strings.Repeat(",", min(i-1, 1)), i)
	}
	return b.String() + "}}"
}

// longStubs uses what meta says of one name n times a hundred values.
func longStubs(n int) string {
	var raises []string
	for range 25 { // with the raise, its text and the two of its data: four values, and the list
		raises = append(raises, `{"log": [1]}`)
	}
	names := strings.Repeat(`"a",`, n/76)
	return `{"id": "m", "entry": [` + strings.TrimSuffix(names, ",") + `], "meta": {"detent": {"actions": {"a": [` + strings.Join(raises, ",") + `]}}}}`
}

// Each limit: at it, one above, a hundred times as much. What is refused is
// refused with its code, and without much work.
func TestReadLimits(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(n int) string
		most int
		code statechart.Code
	}{
		{"bytes", paddedMachine, 1 << 20, chartfile.CodeTooLarge},
		{"nesting", deepMachine, 64, chartfile.CodeTooLarge},
		{"nesting of guards", deepGuard, 64, chartfile.CodeTooLarge},
		{"states", wideMachine, 10_000, statechart.CodeLimit},
		{"what names stand for", longStubs, 19_990, chartfile.CodeTooLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			if found := check(c.make(c.most)); len(found) > 0 {
				t.Errorf("at the limit: %v", found[0])
			}
			for _, n := range []int{c.most + 100, 100 * c.most} {
				machine := c.make(n)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				found := check(machine)
				runtime.ReadMemStats(&after)
				if !slices.ContainsFunc(found, func(d chartfile.Diagnostic) bool {
					return d.Code == c.code || d.Code == chartfile.CodeTooLarge
				}) {
					t.Errorf("%d: %v", n, found[:min(len(found), 3)])
				}
				if used := after.TotalAlloc - before.TotalAlloc; used > 128<<20 {
					t.Errorf("%d: %d MiB were allocated", n, used>>20)
				}
			}
		})
	}
}

// Thousands of names that nothing uses are not all compared with thousands
// that are: the hints end, the warnings go on.
func TestReadComparesSoManyNames(t *testing.T) {
	var used, unused strings.Builder
	for i := range 900 {
		fmt.Fprintf(&used, `"used%03d",`, i)
		fmt.Fprintf(&unused, `"usd%03d": [],`, i)
	}
	found := check(`{"id": "m", "entry": [` + strings.TrimSuffix(used.String(), ",") + `], "meta": {"detent": {"actions": {` + strings.TrimSuffix(unused.String(), ",") + `}}}}`)
	if len(found) != 900 {
		t.Fatalf("%d things are said", len(found))
	}
	if first, last := found[0].Hint, found[899].Hint; first != `did you mean "used000"?` || last != "leave it out" {
		t.Errorf("the hints are %q and %q", first, last)
	}
}

// However much is wrong, what is said has an end.
func TestReadSaysAThousandThings(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"id": "m", "on": {`)
	for i := range 5_000 {
		fmt.Fprintf(&b, `%s"E%d": {"cond": 1}`, strings.Repeat(",", min(i, 1)), i)
	}
	found := check(b.String() + "}}")
	if len(found) < 1_000 || len(found) > 1_001 {
		t.Errorf("%d things are said", len(found))
	}
	if last := found[len(found)-1].Message; !strings.Contains(last, "more than 1000 things") {
		t.Errorf("the last is %q", last)
	}
}
