package conformance

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/detent-run/detent/conformance/internal/xstate"
)

var (
	casesFlag       = flag.Int("cases", 0, "how many random cases TestXStateRandom plays; 0 is a number that fits a normal test run")
	seedFlag        = flag.Uint64("seed", 1, "the seed of the random cases")
	firstFlag       = flag.Uint64("first", 0, "the number of the first random case")
	differencesFlag = flag.Int("differences", 1, "how many differences to shrink and print")
)

// goldens is how many cases are committed with XState's results.
const goldens = 500

const goldenFile = "testdata/xstate/goldens.jsonl"

// TestXStateRandom plays random charts and scripts on our core and, exported
// as JavaScript modules, on XState, and compares what is seen after each
// step. A difference is shrunk and printed with its chart.
//
//	go test -run TestXStateRandom -v . -cases 20000 -seed 7
//	go test -run TestXStateRandom -v . -cases 1 -seed 7 -first 1234
//
// Where there is no node or no registry, the committed results of the first
// cases are what is left; under CI=true that is a failure. With -update they
// are written.
func TestXStateRandom(t *testing.T) {
	node := startNode(t)
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // many small charts, little memory
	seed, first, n := *seedFlag, *firstFlag, *casesFlag
	switch {
	case *updateVerdicts:
		seed, first, n = 1, 0, goldens
	case n == 0:
		n = usualCases
	}
	tally := newXStateTally(node)
	for v := range prepared(seed, first, n) {
		tally.add(v)
	}
	tally.report(t, n)
	if *updateVerdicts && !t.Failed() {
		writeGoldens(t, tally.goldens)
	}
}

// prepared makes cases on all processors and gives them out in order.
func prepared(seed, first uint64, n int) <-chan *xstate.Verdict {
	type slot chan *xstate.Verdict
	slots := make(chan slot, 4*runtime.GOMAXPROCS(0))
	numbers := make(chan struct {
		number uint64
		slot
	})
	for range runtime.GOMAXPROCS(0) {
		go func() {
			for n := range numbers {
				v := xstate.Prepare(seed, n.number)
				n.slot <- &v
			}
		}()
	}
	go func() {
		defer close(slots)
		defer close(numbers)
		for i := range n {
			s := make(slot, 1)
			slots <- s
			numbers <- struct {
				number uint64
				slot
			}{first + uint64(i), s}
		}
	}()
	out := make(chan *xstate.Verdict)
	go func() {
		defer close(out)
		for s := range slots {
			out <- <-s
		}
	}()
	return out
}

// xstateTally gathers what many cases showed.
type xstateTally struct {
	node                           *xstate.Node
	bad                            []*xstate.Verdict
	goldens                        []xstate.Golden
	features                       map[string]int
	stopped                        map[xstate.Row]int
	steps, scripts, taken, restore int
	redrawn                        int
}

func newXStateTally(node *xstate.Node) *xstateTally {
	return &xstateTally{node: node, features: map[string]int{}, stopped: map[xstate.Row]int{}}
}

// add finishes a case and counts it.
func (y *xstateTally) add(v *xstate.Verdict) {
	v.Finish(y.node)
	for name := range xstate.Features(v.Case) {
		y.features[name]++
	}
	if v.Bad() {
		y.bad = append(y.bad, v)
		return
	}
	y.stopped[v.Run.Stopped]++
	y.steps += len(v.Run.Steps)
	y.scripts += len(v.Case.Script) + 1
	y.restore += v.Played.Restored
	y.redrawn += v.Run.Redrawn
	for _, s := range v.Run.Steps {
		if s.Taken {
			y.taken++
		}
	}
	if *updateVerdicts {
		y.goldens = append(y.goldens, xstate.NewGolden(v.Case, v.Module, v.Played.Steps[:len(v.Run.Steps)]))
	}
}

// report prints what was compared and fails for what differs.
func (y *xstateTally) report(t *testing.T, n int) {
	t.Helper()
	for i, v := range y.bad {
		if i < *differencesFlag {
			small := v.Shrink(y.node)
			t.Errorf("shrunk:\n%s", small.String())
			continue
		}
		t.Errorf("seed %d, case %d: %s", v.Case.Seed, v.Case.Number, firstLine(v))
	}
	for _, name := range xstate.Shared {
		share := 100 * float64(y.features[name]) / float64(n)
		t.Logf("%-20s in %3.0f %% of the charts", name, share)
		if share < 20 && n >= 200 {
			t.Errorf("only %.1f %% of the charts have %s", share, name)
		}
	}
	stops := 0
	for _, r := range xstate.Rows {
		how := "never made"
		if r.Stops {
			how = fmt.Sprintf("stopped %4d scripts", y.stopped[r.Row])
			stops += y.stopped[r.Row]
		}
		t.Logf("%-20s %s: %s; %s", r.Row, how, r.Differ, r.How)
	}
	t.Logf("compared %d steps of %d, in %d of which an event was taken; %d scripts were stopped early; XState was restored %d times", y.steps, y.scripts, y.taken, stops, y.restore)
	t.Logf("%d other charts were thrown away, for they do not come to rest or go in a circle that is refused", y.redrawn)
	tallies = append(tallies, fmt.Sprintf("xstate-random %d/%d", n-len(y.bad), n))
}

func firstLine(v *xstate.Verdict) string {
	text := fmt.Sprint(v.Problem)
	if v.Difference != nil {
		text = v.Difference.String()
	}
	line, _, _ := strings.Cut(text, "\n")
	return line
}

func writeGoldens(t *testing.T, list []xstate.Golden) {
	t.Helper()
	text, err := xstate.WriteGoldens(list)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(goldenFile, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

func readGoldens(t *testing.T) []xstate.Golden {
	t.Helper()
	f, err := os.Open(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	list, err := xstate.ReadGoldens(f)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestXStateGoldens compares our side with the committed results of XState,
// which needs no node. That the modules are still those which gave them is
// checked by their digests.
func TestXStateGoldens(t *testing.T) {
	list := readGoldens(t)
	if len(list) != goldens {
		t.Errorf("%d cases are committed, want %d", len(list), goldens)
	}
	var wait sync.WaitGroup
	var stale atomic.Int64
	next := make(chan xstate.Golden)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for g := range next {
				if v := golden(t, g); v.Problem == nil && xstate.Digest(v.Module) != g.Module {
					stale.Add(1)
				} else if v.Bad() {
					t.Error(v.String())
				}
			}
		})
	}
	for i := 0; i < len(list); i += goldenStride {
		next <- list[i]
	}
	close(next)
	wait.Wait()
	if n := stale.Load(); n > 0 {
		t.Errorf("%d of %d exported modules are not those that XState ran: see that they are meant, and run them again with go test -run 'TestXStateRandom$' . -update", n, len(list))
	}
}

// golden plays a committed case again on our side.
func golden(t *testing.T, g xstate.Golden) xstate.Verdict {
	steps, err := g.Observations()
	if err != nil {
		t.Error(err)
	}
	c, err := g.Case()
	if err != nil {
		return xstate.Verdict{Case: c, Problem: err}
	}
	v := xstate.Again(c)
	v.Difference = xstate.Compare(v.Run.Steps, steps)
	if v.Difference == nil && v.Problem == nil && len(steps) != len(v.Run.Steps) {
		v.Problem = fmt.Errorf("%d steps are comparable, committed are %d", len(v.Run.Steps), len(steps))
	}
	return v
}
