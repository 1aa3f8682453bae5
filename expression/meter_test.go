package expression_test

import (
	"sort"
	"sync"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// cost is the least fuel with which a source gives its value, less what the
// macrostep itself takes.
func (w world) cost(t *testing.T, source string) int64 {
	t.Helper()
	least := func(source string) int64 {
		const most = 1_000_000
		fuel := sort.Search(most, func(n int) bool {
			w := w
			w.fuel = int64(n + 1)
			_, err := w.evaluate(source)
			if err != nil && codeOf(err) != "fuel" {
				return false
			}
			return err == nil
		})
		if fuel == most {
			t.Fatalf("%s does not end within %d", source, most)
		}
		return int64(fuel)
	}
	return least(source) - least("1") + 1
}

// What an expression costs is a part of its meaning: a change here changes
// which expressions end, so it raises the language's version.
func TestCosts(t *testing.T) {
	w := world{data: data(t, `{"n": 3, "s": "0123456789abcdef", "l": [3, 1, 2], "o": {"a": 1, "b": 2}}`), tools: []string{"a", "b"}}
	for _, c := range []struct {
		source string
		want   int64
	}{
		{`1`, 1},
		{`n`, 1},
		{`n + 1`, 3},
		{`n > 1 and n < 5`, 7},
		{`n < 1 and n < 5`, 7}, // the parts are paid for whether they run or not
		{`event.type`, 3},
		{`[1, 2, 3]`, 4},
		{`[n, n, n]`, 8},                     // 4 parts, a list of 3
		{`{a: n}`, 16},                       // 3 parts, an object of 1, which the core looks through
		{`s + s`, 7},                         // 3 parts, 32 bytes
		{`s == s`, 5},                        // 3 parts, 16 bytes
		{`l == l`, 3},                        // one list is equal to itself
		{`l == [3, n - 2, 2]`, 15},           // 8 parts, a list of 3 that is made, 3 elements compared
		{`upper(s)`, 8},                      // 2 parts, three times 16 bytes
		{`text(s, s)`, 14},                   // 3 parts, 2 arguments, 32 bytes twice
		{`repeat(s, 10)`, 27},                // 3 parts, 2 arguments, 160 bytes
		{`count(1..100, true)`, 207},         // 5 parts, a local, 100 turns of 2
		{`count(1..100, # > 50)`, 407},       // 100 turns of 4
		{`len(map(1..100, #))`, 308},         // 100 turns of 2 and 100 elements
		{`sort(l)`, 23},                      // 2 parts, an argument, 3 numbers in order
		{`len(1..1000)`, 1005},               //
		{`toJSON(o)`, 16},                    // 2 parts, 3 values, 2 keys in order and as text, 13 bytes
		{`merge(o, o)`, 32},                  // 3 parts, 2 arguments, an object of 4, which the core looks through
		{`s matches "^[0-9a-f]+$"`, 20},      // 3 parts, 16 bytes
		{`s matches ("^" + "[0-9]")`, 519},   // the pattern is read at each use
		{`"" matches "(a?b?c?d?){50}$"`, 73}, // nothing to look at is looked at once
		{`text(1, n)`, 8},                    // 3 parts, 2 arguments, 2 values
		{`text(l)`, 8},                       // 2 parts, an argument, 4 values
		{`flatten([l, l])`, 26},              // 4 parts, a list of 2, then twice 2 and 6 elements
		{`tools`, 6},                         // 1 part, a list of 2
	} {
		if got := w.cost(t, c.source); got != c.want {
			t.Errorf("%s costs %d, want %d", c.source, got, c.want)
		}
	}
}

// What is about to be made is paid for before: with one unit less than it
// costs nothing is made, and no more was taken than there was.
func TestFuelEndsAtOnce(t *testing.T) {
	for _, source := range []string{`repeat("a", 900000)`, `1..90000`, `replace("aaa", "a", repeat("b", 100))`, `count(1..100, # > 5)`} {
		w := world{}
		w.fuel = w.cost(t, source) + w.overhead() - 1
		if got := w.result(source); got == "error: fuel" {
			t.Errorf("%s does not end with what it costs", source)
		}
		w.fuel--
		if got := w.result(source); got != "error: fuel" {
			t.Errorf("%s ends with less than it costs: %.40s", source, got)
		}
	}
}

// overhead is what the macrostep takes besides the expression "1".
func (w world) overhead() int64 {
	for fuel := int64(1); ; fuel++ {
		w.fuel = fuel
		if _, err := w.evaluate("1"); err == nil {
			return fuel
		}
	}
}

// One budget is for all expressions of a macrostep.
func TestFuelIsOfTheMacrostep(t *testing.T) {
	l := &spy{}
	r := statechart.NewRegistry()
	r.Language(l)
	half := statechart.Action{Log: statechart.Expression(`count(1..300000, true)`)}
	c, err := statechart.Compile(statechart.Definition{ID: "c", Root: statechart.State{On: []statechart.Transition{
		{Event: "once", Actions: []statechart.Action{half}},
		{Event: "twice", Actions: []statechart.Action{half, half}},
	}}}, r)
	if err != nil {
		t.Fatal(err)
	}
	in := &statechart.Instance{}
	c.Start(in, statechart.Start{Session: "s"})
	for range 3 {
		if res := in.Send(statechart.Event{Name: "once"}); res.Outcome != statechart.Taken {
			t.Errorf("one: %s %v", res.Outcome, res.Reason)
		}
	}
	if res := in.Send(statechart.Event{Name: "twice"}); res.Reason == nil || res.Reason.Code != statechart.CodeFuel {
		t.Errorf("two: %s %v", res.Outcome, res.Reason)
	}
}

// A chart is shared: instances evaluate one program at the same time.
func TestConcurrentUse(t *testing.T) {
	w := world{data: data(t, `{"rows": [{"id": 1, "k": "x"}, {"id": 2, "k": "y"}]}`)}
	chart, err := w.chart(`sum(sortBy(filter(rows, .k matches "x|y"), .id), {let a = .id; a * 2 + #index})`)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			in := &statechart.Instance{}
			chart.Start(in, statechart.Start{Session: "s"})
			for range 100 {
				in.Send(statechart.Event{Name: "go"})
			}
			if got := in.Data()[""]["out"]; show(got) != `7` {
				t.Errorf("%s", show(got))
			}
		})
	}
	all.Wait()
}

// The same source on the same data gives the same bytes, whatever the order
// of the maps.
func TestDeterminism(t *testing.T) {
	w := world{
		data:  data(t, `{"o": {"e": 1, "d": 2, "c": 3, "b": 4, "a": 5, "f": 6, "g": 7, "h": 8, "i": 9}}`),
		event: statechart.Event{Name: "go", Data: map[string]any{"x": int64(1), "y": int64(2)}},
	}
	for _, source := range []string{
		`keys(o)`, `values(o)`, `toPairs(o)`, `toJSON(o)`, `text(o)`, `string(o)`, `toJSON(event)`, `toJSON(session)`, `toJSON(merge(o, {z: 1}))`,
		`groupBy(values(o), # % 3) | toJSON()`, `o.q`, `o == set(o, "a", "b")`, `toJSON(fromJSON(toJSON(o)))`, `reduce(keys(o), #acc + #)`,
	} {
		first := w.result(source)
		for range 20 {
			if again := w.result(source); again != first {
				t.Fatalf("%s gives %s, then %s", source, first, again)
			}
		}
	}
}

// So does the fuel that it takes.
func TestFuelIsDeterministic(t *testing.T) {
	w := world{data: data(t, `{"o": {"e": [1], "d": [2], "c": [3], "b": "0123456789abcdef", "a": [5]}}`)}
	for _, source := range []string{`o == set(o, "c", [4])`, `toJSON(o)`, `keys(o)`, `o == {a: [5], b: "0123456789abcdef", c: [3], d: [2], e: [2]}`} {
		first := w.cost(t, source)
		for range 3 {
			if again := w.cost(t, source); again != first {
				t.Fatalf("%s costs %d, then %d", source, first, again)
			}
		}
	}
}
