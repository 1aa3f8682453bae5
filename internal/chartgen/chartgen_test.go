package chartgen

import (
	"fmt"
	"os"
	"reflect"
	"sort"
	"testing"

	"github.com/detent-run/detent/internal/oracle"
)

// run plays a case on the oracle alone.
func run(t *testing.T, c Case) []oracle.Record {
	t.Helper()
	chart, err := oracle.New(c.Definition, Behaviour(c.Typed))
	if err != nil {
		t.Fatalf("case %d: %v", c.Number, err)
	}
	w := &World{}
	s, r := chart.Start(c.Context(), c.Input, 0)
	out := []oracle.Record{r}
	w.Observe(r)
	for _, op := range c.Script {
		r = s.Step(w.Delivery(op, r), w.Now)
		out = append(out, r)
		w.Observe(r)
		for {
			_, kept, ok := s.Next(w.Now)
			if !ok {
				break
			}
			r = kept
			out = append(out, r)
			w.Observe(r)
		}
	}
	return out
}

// The same seed makes the same chart, and the oracle, which checks each
// configuration (R2), plays all of them.
func TestCasesAreDeterministicAndLegal(t *testing.T) {
	outcomes := map[string]int{}
	shares := map[string]int{}
	n := 2000
	for i := range n {
		c := New(1, uint64(i))
		if !reflect.DeepEqual(c, New(1, uint64(i))) {
			t.Fatalf("case %d is not the same twice", i)
		}
		for name, on := range Features(c.Definition) {
			if on {
				shares[name]++
			}
		}
		for i, r := range run(t, c) {
			if i == 0 {
				outcomes[fmt.Sprintf("start %s %s %s", r.Outcome, r.Code, r.Status)]++
			}
			outcomes[fmt.Sprintf("%s %s", r.Outcome, r.Code)]++
			outcomes["status "+string(r.Status)]++
		}
	}
	if testing.Verbose() {
		show(shares, n)
		show(outcomes, 21*n)
	}
	for _, name := range Shared {
		if shares[name]*5 < n {
			t.Errorf("only %d of %d charts have %s", shares[name], n, name)
		}
	}
}

func show(m map[string]int, of int) {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		fmt.Fprintf(os.Stdout, "%-40s %6d %5.1f%%\n", k, m[k], 100*float64(m[k])/float64(of))
	}
}

// What a difference prints can be read back.
func TestTextForm(t *testing.T) {
	for i := range 300 {
		c := New(2, uint64(i))
		text := JSON(c.Definition)
		back, err := Read(text)
		if err != nil {
			t.Fatalf("case %d: %v\n%s", i, err, text)
		}
		if again := JSON(back); again != text {
			t.Fatalf("case %d reads back as\n%s\nnot\n%s", i, again, text)
		}
	}
}
