// Package workload holds what all peers of the benchmark share: the context,
// the bodies of guards and callbacks, the order of events, and the counts
// that prove afterwards that the work was done.
package workload

import (
	"errors"
	"fmt"
)

// ID names a workload.
type ID string

// The workloads. The three forms of Regions are one chart; they differ only
// in how Detent is told to run it.
const (
	// Flat: two states, no callbacks, there and back.
	Flat ID = "flat"
	// Cycle: six states, one round of an agent; of six events three are
	// guarded, and each runs an exit, an action and an entry.
	Cycle ID = "cycle"
	// CycleByName is Cycle with each event looked up by its name when sent.
	CycleByName ID = "cycle by name"
	// Bubble: the root takes an event, without moving, while a leaf three
	// levels below it is active.
	Bubble ID = "bubble"
	// Cross: leaf to leaf with only the root in common, which is three exits
	// and three entries.
	Cross ID = "cross"
	// Regions: eight regions of two states; one event moves all of them.
	Regions       ID = "regions"
	RegionsByLeaf ID = "regions by leaf"
	RegionsByBits ID = "regions by bits"
)

// A Workload is a fixed order of events over a fixed chart. One lap sends
// every event once and ends in the state it began in.
type Workload struct {
	ID ID
	// Title is the ID and in a few words what happens.
	Title string
	// Events are those of one lap: two or six, because peers unroll a pair.
	Events []string
	// Visits are the states that the events lead to, one for each; the last
	// is also where the machine starts. Paths are parted by dots, active
	// leaves by spaces.
	Visits []string
	// Lap is what runs in one lap.
	Lap Counts
}

const (
	allOff = "r0.off r1.off r2.off r3.off r4.off r5.off r6.off r7.off"
	allOn  = "r0.on r1.on r2.on r3.on r4.on r5.on r6.on r7.on"
)

// All returns the workloads in the order of the report.
func All() []Workload {
	cycle := Workload{
		ID: Cycle, Title: "cycle: six states, guards, callbacks",
		Events: []string{"receive_task", "plan_ready", "call_tool", "tool_result", "finish", "reset"},
		Visits: []string{"planning", "executing", "waiting", "executing", "completed", "idle"},
		Lap:    Counts{Actions: 6, Entries: 6, Exits: 6},
	}
	byName := cycle
	byName.ID, byName.Title = CycleByName, "cycle by name: the same, events looked up"
	regions := Workload{
		ID: Regions, Title: "regions: eight, one event, cached",
		Events: []string{"tick", "tick"}, Visits: []string{allOn, allOff},
	}
	byLeaf, byBits := regions, regions
	byLeaf.ID, byLeaf.Title = RegionsByLeaf, "regions by leaf: the same, a leaf each"
	byBits.ID, byBits.Title = RegionsByBits, "regions by bits: the same, bitset"
	const a, b = "a1.a2.a3", "b1.b2.b3"
	return []Workload{
		{ID: Flat, Title: "flat: two states", Events: []string{"go_b", "go_a"}, Visits: []string{"b", "a"}},
		cycle,
		byName,
		{ID: Bubble, Title: "bubble: root's event, leaf at depth 4", Events: []string{"ping", "ping"},
			Visits: []string{a, a}, Lap: Counts{Actions: 2}},
		{ID: Cross, Title: "cross: leaf to leaf over the root", Events: []string{"swap", "swap"},
			Visits: []string{b, a}, Lap: Counts{Entries: 6, Exits: 6}},
		regions, byLeaf, byBits,
	}
}

// ByID returns the workload called id; it panics on an id that is not one of
// the constants.
func ByID(id ID) Workload {
	for _, w := range All() {
		if w.ID == id {
			return w
		}
	}
	panic("workload: internal error: no workload " + string(id))
}

// A Machine is one peer's machine, built and started for one workload. It is
// driven by one goroutine.
type Machine interface {
	// Laps runs n laps as fast as the peer can. It stops and returns false
	// as soon as an event is not taken.
	Laps(n int) bool
	// Send sends the i-th event of a lap and reports whether it was taken.
	Send(i int) bool
	// State returns the active leaves in the form of [Workload.Visits].
	State() string
	// Counts returns what has run since the machine was started.
	Counts() Counts
}

// ErrNotTaken is returned by [Workload.Run] when a machine turns down one of
// the workload's events.
var ErrNotTaken = errors.New("an event was not taken")

// Run runs n laps and checks that they did what they should: each callback
// as often as the workload says, and the machine back where it began.
func (w Workload) Run(m Machine, n int) error {
	before := m.Counts()
	if !m.Laps(n) {
		return fmt.Errorf("%s: %w in state %q", w.ID, ErrNotTaken, m.State())
	}
	return w.Check(m, before, n)
}

// Check compares m with what n whole laps since before must have done.
func (w Workload) Check(m Machine, before Counts, n int) error {
	after := m.Counts()
	got := Counts{after.Actions - before.Actions, after.Entries - before.Entries, after.Exits - before.Exits}
	want := Counts{n * w.Lap.Actions, n * w.Lap.Entries, n * w.Lap.Exits}
	if got != want {
		return fmt.Errorf("%s: %d laps ran %+v, want %+v", w.ID, n, got, want)
	}
	if at, home := m.State(), w.Visits[len(w.Visits)-1]; at != home {
		return fmt.Errorf("%s: after %d laps in state %q, want %q", w.ID, n, at, home)
	}
	return nil
}

// Walk sends one lap event by event and checks the state after each.
func (w Workload) Walk(m Machine) error {
	before := m.Counts()
	for i, event := range w.Events {
		if !m.Send(i) {
			return fmt.Errorf("%s: %w: %q in state %q", w.ID, ErrNotTaken, event, m.State())
		}
		if at := m.State(); at != w.Visits[i] {
			return fmt.Errorf("%s: %q leads to %q, want %q", w.ID, event, at, w.Visits[i])
		}
	}
	return w.Check(m, before, 1)
}
