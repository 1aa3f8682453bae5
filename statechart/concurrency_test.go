package statechart_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// crowd is a chart with many configurations: regions that go round, some of
// them guarded, with notes of their entries.
func crowd() (Definition, *Registry) {
	var names []string
	s := State{Type: statechart.Parallel, On: []Transition{on("all", "", note("all"))}}
	for r := range 5 {
		region := State{Name: fmt.Sprint("r", r), Initial: "s0"}
		for i := range 3 {
			name := fmt.Sprint("s", i)
			mark := fmt.Sprint("r", r, "s", i)
			names = append(names, mark)
			next := fmt.Sprint("s", (i+1)%3)
			region.States = append(region.States, State{Name: name, Entry: []Action{note(mark)}, On: []Transition{
				on(fmt.Sprint("e", r), next), {Event: "step", Guard: statechart.When(fmt.Sprint("g", i)), Target: next},
			}})
		}
		s.States = append(s.States, region)
	}
	reg := diarist(nil, append(names, "all")...)
	for _, g := range []string{"g0", "g1", "g2"} {
		statechart.Guard(reg, g, func(d *diary, _ Event) bool { return d.Answers[g] })
	}
	return Definition{Root: s}, reg
}

// walk drives an instance through a script that follows from a seed, and
// says what happened. The context has an answer for each guard that changes
// with the steps.
func walk(in *Instance, seed uint64, steps int) string {
	r := rand.New(rand.NewPCG(seed, 1))
	d := in.Context().(*diary)
	text := ""
	for range steps {
		for g := range 3 {
			d.Answers[fmt.Sprint("g", g)] = r.IntN(2) == 0
		}
		name := []string{"e0", "e1", "e2", "e3", "e4", "step", "all", "nosuch"}[r.IntN(8)]
		text += told(in, name)[:2]
		if r.IntN(20) == 0 {
			in.Trace(&statechart.Trace{})
			text += told(in, "step")[:2]
			in.Trace(nil)
		}
	}
	return text + fmt.Sprint(in.Configuration(), len(d.Notes), in.Sequence())
}

// Any number of goroutines, each with instances of its own on one chart, see
// what one alone would see, while plans are made and configurations interned
// under them.
func TestConcurrentInstances(t *testing.T) {
	d, reg := crowd()
	base := compile(t, d, reg)
	const goroutines, rounds, steps = 8, 6, 60
	want := make([]string, goroutines*rounds)
	alone := base.WithCache(statechart.Cache{})
	for i := range want {
		want[i] = walk(alone.Instance(newDiary()), uint64(i), steps)
	}
	for name, cache := range map[string]statechart.Cache{
		"everything": {}, "one configuration": {Configurations: 1}, "few": {Configurations: 20}, "regions": {Configurations: -1}, "bitsets": {Configurations: -1, Regions: -1}, "few and bitsets": {Configurations: 9, Regions: -1},
	} {
		t.Run(name, func(t *testing.T) {
			chart := base.WithCache(cache)
			got := make([]string, len(want))
			var all sync.WaitGroup
			for g := range goroutines {
				all.Go(func() {
					for round := range rounds {
						i := g*rounds + round
						got[i] = walk(chart.Instance(newDiary()), uint64(i), steps)
					}
				})
			}
			all.Wait()
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("walk %d is\n%s\nalone\n%s", i, got[i], want[i])
				}
			}
		})
	}
}

// One snapshot may be stepped, read and encoded by many at once.
func TestConcurrentSteps(t *testing.T) {
	c := compile(t, rich())
	next, err := c.Begin(statechart.Start{Session: "s", Now: 10})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range richScript {
		const goroutines = 4
		got := make([]string, goroutines)
		var all sync.WaitGroup
		for g := range goroutines {
			all.Go(func() {
				after, err := l.step(c, next.Snapshot)
				if err != nil {
					got[g] = err.Error()
					return
				}
				text, err := after.Snapshot.Encode()
				got[g] = fmt.Sprint(string(text), err, compact(after.Effects), next.Snapshot.Configuration(), next.Snapshot.Timers())
			})
		}
		all.Wait()
		for _, other := range got[1:] {
			if other != got[0] {
				t.Fatalf("%v leads to\n%s\nand\n%s", l, got[0], other)
			}
		}
		if next, err = l.step(c, next.Snapshot); err != nil {
			t.Fatal(err)
		}
	}
}

// Charts may be compiled, and given other caches, at the same time with one
// registry.
func TestConcurrentCompiles(t *testing.T) {
	d, reg := crowd()
	d.ID = "c"
	digests := make([]string, 8)
	var all sync.WaitGroup
	for i := range digests {
		all.Go(func() {
			c, err := statechart.Compile(d, reg)
			if err != nil {
				return
			}
			c = c.WithCache(statechart.Cache{Configurations: i})
			digests[i] = c.Digest() + walk(c.Instance(newDiary()), 1, 20)
		})
	}
	all.Wait()
	for i, digest := range digests {
		if digest != digests[0] || digest == "" {
			t.Errorf("number %d differs: %s and %s", i, digest, digests[0])
		}
	}
}
