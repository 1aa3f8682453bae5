package measure

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/detent-run/detent/bench/internal/workload"
)

// world is a computer on which time passes only when a machine works.
type world struct {
	now time.Duration
	log []string // who worked, a letter for each slice
}

// robot is a flat machine on that computer; an event costs it perEvent.
type robot struct {
	world    *world
	name     string
	perEvent func() time.Duration
	at       int
	worked   int
	breaksAt int // turns everything down from this lap on; 0 is never
	wedged   bool
	kept     *[]byte
	allocate bool
}

func (r *robot) Send(i int) bool {
	if !r.wedged {
		r.at = 1 - r.at
	}
	return true
}

func (r *robot) Laps(n int) bool {
	r.world.log = append(r.world.log, r.name)
	r.worked += n
	if r.breaksAt > 0 && r.worked >= r.breaksAt {
		return false
	}
	if r.allocate {
		for range 2 * n {
			b := make([]byte, 64)
			r.kept = &b
		}
	}
	r.world.now += time.Duration(2*n) * r.perEvent()
	return true
}

func (r *robot) State() string           { return [...]string{"a", "b"}[r.at] }
func (r *robot) Counts() workload.Counts { return workload.Counts{} }

func constant(d time.Duration) func() time.Duration { return func() time.Duration { return d } }

func (w *world) config(count int) Config {
	return Config{Count: count, Time: time.Millisecond, Clock: func() time.Duration { return w.now }}
}

func TestCompareMeasuresAndPairs(t *testing.T) {
	w := &world{}
	// The computer slows down by the hour, for both alike.
	drift := func(base time.Duration) func() time.Duration {
		return func() time.Duration { return base + base*time.Duration(w.now/(2*time.Millisecond)) }
	}
	out, err := Compare(workload.ByID(workload.Flat), []Entrant{
		{"one", &robot{world: w, name: "1", perEvent: drift(10)}},
		{"four", &robot{world: w, name: "4", perEvent: constant(40)}},
	}, w.config(3))
	if err != nil {
		t.Fatal(err)
	}
	if len(out) != 2 || out[0].Name != "one" || out[1].Name != "four" {
		t.Fatalf("measured %+v", out)
	}
	if got := out[1].NS(); got != 40 {
		t.Errorf("an event of 40 ns was measured as %v", got)
	}
	if out[0].Spread() == 0 || out[1].Spread() != 0 {
		t.Errorf("spread %v of the drifting one, %v of the steady one", out[0].Spread(), out[1].Spread())
	}
}

func TestCompareTakesTurns(t *testing.T) {
	w := &world{}
	entrants := []Entrant{}
	for _, name := range []string{"a", "b", "c"} {
		entrants = append(entrants, Entrant{name, &robot{world: w, name: name, perEvent: constant(100)}})
	}
	if _, err := Compare(workload.ByID(workload.Flat), entrants, w.config(3)); err != nil {
		t.Fatal(err)
	}
	if order := strings.Join(w.log[len(w.log)-9:], ""); order != "abcbcacab" {
		t.Errorf("the last three turns went %s, want abcbcacab", order)
	}
}

// A slice lasts about as long as asked, however fast the machine.
func TestCompareFillsSlices(t *testing.T) {
	for _, perEvent := range []time.Duration{1, 100, 20_000} {
		t.Run(fmt.Sprint(perEvent), func(t *testing.T) {
			w := &world{}
			r := &robot{world: w, name: "r", perEvent: constant(perEvent)}
			if _, err := Compare(workload.ByID(workload.Flat), []Entrant{{"r", r}}, w.config(1)); err != nil {
				t.Fatal(err)
			}
			before, calls := w.now, len(w.log)
			k := contest{machine: r}
			if err := errors.Join(k.prepare(workload.ByID(workload.Flat), w.config(1)), nil); err != nil {
				t.Fatal(err)
			}
			filled := time.Duration(2*k.laps) * perEvent
			if filled < 900*time.Microsecond || filled > 1100*time.Microsecond {
				t.Errorf("a slice of 1 ms lasts %v (%d calls, %v so far)", filled, len(w.log)-calls, w.now-before)
			}
		})
	}
}

func TestCompareCountsAllocations(t *testing.T) {
	w := &world{}
	out, err := Compare(workload.ByID(workload.Flat), []Entrant{
		{"frugal", &robot{world: w, name: "f", perEvent: constant(50)}},
		{"lavish", &robot{world: w, name: "l", perEvent: constant(50), allocate: true}},
	}, w.config(5))
	if err != nil {
		t.Fatal(err)
	}
	// make([]byte, 64) and the header that kept points to.
	if a := math.Round(out[1].Allocs); a != 2 {
		t.Errorf("lavish: %v allocations an event, want 2", out[1].Allocs)
	}
	if b := out[1].Bytes; b < 80 || b > 100 {
		t.Errorf("lavish: %v bytes an event, want 64 and a slice header", b)
	}
	if a := math.Round(out[0].Allocs); a != 0 {
		t.Errorf("frugal: %v allocations an event, want 0", out[0].Allocs)
	}
}

func TestCompareRefusesWhatDoesNotWork(t *testing.T) {
	w := &world{}
	entrant := func(r robot) []Entrant {
		r.world, r.perEvent = w, constant(100)
		return []Entrant{{"r", &r}}
	}
	flat := workload.ByID(workload.Flat)
	if _, err := Compare(flat, entrant(robot{wedged: true}), w.config(1)); err == nil {
		t.Error("a machine that never moves was measured")
	}
	if _, err := Compare(flat, entrant(robot{breaksAt: 1}), w.config(1)); !errors.Is(err, workload.ErrNotTaken) {
		t.Errorf("a machine that turns events down: %v", err)
	}
	if _, err := Compare(flat, entrant(robot{breaksAt: 6_000}), w.config(9)); !errors.Is(err, workload.ErrNotTaken) {
		t.Errorf("a machine that breaks while it is measured: %v", err)
	}
	if _, err := Compare(flat, entrant(robot{}), Config{}); err == nil {
		t.Error("nothing was measured, and no error")
	}
}

func TestRatioIsTakenWithinTurns(t *testing.T) {
	// The second turn was slow for both: each turn says 2, and so must the
	// ratio.
	ours := Measurement{Samples: []float64{4, 40, 6}}
	theirs := Measurement{Samples: []float64{2, 20, 3}}
	if r := ours.Ratio(theirs); r != 2 {
		t.Errorf("ratio %v, want 2", r)
	}
}

func TestQuantiles(t *testing.T) {
	values := []float64{5, 1, 3, 2}
	if m := Median(values); m != 2.5 {
		t.Errorf("median %v, want 2.5", m)
	}
	if !slices.Equal(values, []float64{5, 1, 3, 2}) {
		t.Error("the caller's values were sorted")
	}
	if m := Median([]float64{7}); m != 7 {
		t.Errorf("median of one value %v, want 7", m)
	}
	if m := Median(nil); !math.IsNaN(m) {
		t.Errorf("median of nothing %v, want NaN", m)
	}
}

func TestHeap(t *testing.T) {
	if b := Heap(10_000, func() any { return new([64]byte) }); b < 63 || b > 70 {
		t.Errorf("64 bytes were measured as %v", b)
	}
}

// The clock moves when work is done, in steps much finer than a slice.
func TestCPUTimeMoves(t *testing.T) {
	start := CPUTime()
	spent := 0
	for CPUTime()-start < time.Millisecond {
		spent++
	}
	if spent == 0 {
		t.Error("the clock moved by a millisecond at once")
	}
}
