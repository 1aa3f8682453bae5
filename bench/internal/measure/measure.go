// Package measure times machines against each other on a computer that does
// other things as well.
//
// Three habits make the figures hold. Time is the CPU time of the process.
// Peers of one workload take turns in short slices, so that a slow second of
// the computer is slow for all of them. And each figure is the median of
// many slices; a ratio is the median of the ratios within each turn.
package measure

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/detent-run/detent/bench/internal/workload"
)

// Config says how long to measure.
type Config struct {
	// Count is how many slices each peer gets; at least 1.
	Count int
	// Time is the CPU time of one slice. Below a millisecond the clock's own
	// step shows.
	Time time.Duration
	// Clock is where time is read; nil means [CPUTime].
	Clock func() time.Duration
}

// An Entrant is a machine that takes part, and the name it goes by.
type Entrant struct {
	Name    string
	Machine workload.Machine
}

// Measurement is what one entrant needed for one event.
type Measurement struct {
	Name string
	// Samples are the nanoseconds per event, a figure for each slice.
	Samples []float64
	// Allocs and Bytes are allocations per event over all slices.
	Allocs, Bytes float64
}

// Compare measures the entrants on w in turns, one Measurement for each in
// their order. Before that, each has to walk through one lap correctly, and
// every slice's callbacks are counted.
func Compare(w workload.Workload, entrants []Entrant, c Config) ([]Measurement, error) {
	if c.Count < 1 || c.Time <= 0 {
		return nil, fmt.Errorf("count %d and time %v: both must be above zero", c.Count, c.Time)
	}
	if c.Clock == nil {
		c.Clock = CPUTime
	}
	contests := make([]contest, len(entrants))
	for i, e := range entrants {
		contests[i] = contest{Measurement: Measurement{Name: e.Name}, machine: e.Machine}
		if err := contests[i].prepare(w, c); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name, err)
		}
	}
	for turn := range c.Count {
		for i := range contests {
			// Each turn begins with another entrant, so that nobody always
			// runs in the wake of the same neighbour.
			k := &contests[(i+turn)%len(contests)]
			if err := k.slice(w, c); err != nil {
				return nil, fmt.Errorf("%s: %w", k.Name, err)
			}
		}
	}
	out := make([]Measurement, len(contests))
	for i := range contests {
		out[i] = contests[i].result()
	}
	return out, nil
}

// contest is an entrant's machine with what was measured of it so far.
type contest struct {
	Measurement
	machine workload.Machine
	laps    int // in a slice
	events  int // in all slices
	mallocs uint64
	bytes   uint64
}

// prepare checks the machine, warms it up, and finds how many laps fill a
// slice.
func (k *contest) prepare(w workload.Workload, c Config) error {
	if err := w.Walk(k.machine); err != nil {
		return err
	}
	const most = 1 << 40
	for k.laps = 64; k.laps < most; k.laps *= 2 {
		start := c.Clock()
		if err := w.Run(k.machine, k.laps); err != nil {
			return err
		}
		if took := c.Clock() - start; took >= c.Time/4 {
			k.laps = max(1, int(float64(k.laps)*float64(c.Time)/float64(took)))
			return nil
		}
	}
	return errors.New("the clock stands still")
}

// slice runs one slice and notes its figures. What the entrant before left
// behind is collected first, off the clock.
func (k *contest) slice(w workload.Workload, c Config) error {
	before := k.machine.Counts()
	var m0, m1 runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m0)
	start := c.Clock()
	taken := k.machine.Laps(k.laps)
	took := c.Clock() - start
	runtime.ReadMemStats(&m1)
	if !taken {
		return workload.ErrNotTaken
	}
	events := k.laps * len(w.Events)
	k.Samples = append(k.Samples, float64(took)/float64(events))
	k.events += events
	k.mallocs += m1.Mallocs - m0.Mallocs
	k.bytes += m1.TotalAlloc - m0.TotalAlloc
	return w.Check(k.machine, before, k.laps)
}

func (k *contest) result() Measurement {
	k.Allocs = float64(k.mallocs) / float64(k.events)
	k.Bytes = float64(k.bytes) / float64(k.events)
	return k.Measurement
}
