package durable

import (
	"log/slog"

	"github.com/detent-run/detent/host"
)

// Config is how an engine runs. The zero value serves; without Charts there
// is nothing to start.
type Config struct {
	// Runtime is the clock, the goroutines and the chance; nil: the process's.
	Runtime Runtime
	// Charts finds charts by id and by digest. A [ChartSet] is one.
	Charts Charts
	// Performers make the outside calls; nil: each ends with the error
	// no_such_performer.
	Performers host.Performers
	// Deployment is a digest of how the engine was set up. A process that hands
	// a session over must have the same.
	Deployment string
	// Log gets every step at level info, every warning and every error; nil:
	// nothing is logged. It must not block for long.
	Log *slog.Logger

	// Workers step sessions side by side. Default 4. Too few leave processors
	// idle, too many only make more memory.
	Workers int
	// Resident is how many sessions that have nothing to do stay in memory.
	// Default 1,000. Too few cost a read before each event, too many cost
	// memory.
	Resident int
	// Turn is how many events of one session go into one transaction before
	// the others have theirs. Default 32. Larger is faster for a session with
	// a long queue, and slower for the others.
	Turn int
	// Group is how many sessions' changes share one sync at most. Default 256.
	Group int
	// Calls is how many outside calls run at once. Default 64.
	Calls int
	// Queue is how many events may wait in memory. Default 100,000; past it
	// events are refused with the code overload. SessionQueue is the bound
	// for one session, default 10,000.
	Queue, SessionQueue int
	// EventBytes bounds an event's payload and an input as JSON. Default
	// 262,144. StateBytes bounds a session's encoded state, default 4 MiB: a
	// step past it fails and is undone.
	EventBytes, StateBytes int
	// Poison is how often a session may break its step, by a panic or a state
	// that cannot be read, before it is parked. Default 3.
	Poison int
	// Drain is how long [Engine.Drain] lets running calls go on, in
	// milliseconds. Default 10,000.
	Drain int64
	// Doors is how often requests of other processes are looked for, in
	// milliseconds, where the store can be opened by several. Default 50.
	Doors int64
	// Full is after how many journal rows the state is stored as a whole, if
	// the changes since have not outgrown it earlier. Default 64. It bounds
	// what a resume reads.
	Full int
}

// withDefaults fills in what is zero.
func (c Config) withDefaults() Config {
	if c.Runtime == nil {
		c.Runtime = RealRuntime()
	}
	if c.Charts == nil {
		c.Charts = &ChartSet{}
	}
	if c.Performers == nil {
		c.Performers = host.Table{}
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	for field, value := range map[*int]int{
		&c.Workers: 4, &c.Resident: 1000, &c.Turn: 32, &c.Group: 256, &c.Calls: 64, &c.Queue: 100_000,
		&c.SessionQueue: 10_000, &c.EventBytes: 256 << 10, &c.StateBytes: 4 << 20, &c.Poison: 3, &c.Full: 64,
	} {
		if *field <= 0 {
			*field = value
		}
	}
	if c.Drain <= 0 {
		c.Drain = 10_000
	}
	if c.Doors <= 0 {
		c.Doors = 50
	}
	return c
}
