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

	// Workers is how many sessions are stepped side by side. Default 4. Too
	// few leave processors idle, too many only make more memory.
	Workers int
	// Resident is how many sessions that have nothing to do stay in memory.
	// Default 1,000. Too few cost a read before each event, too many cost
	// memory.
	Resident int
	// Turn is how many steps of one session go into one transaction before
	// the others have theirs. Default 32. Larger is faster for a session with
	// a long queue, and slower for the others.
	Turn int
	// Group is how many sessions' changes share one sync at most. Default 256.
	// Smaller costs syncs, larger makes the first of a group wait for more.
	Group int
	// CatchUp is how many sessions a second are woken whose time came while
	// nobody ran them: the engine was down, or the machine slept. Default
	// 5,000. Too few make them later still, too many swamp senders and tools.
	CatchUp int
	// Calls is how many outside calls run at once. Default 64. Too few make
	// calls wait for each other, too many swamp what is called.
	Calls int
	// Queue is how many events may wait in memory. Default 100,000; past it
	// events are refused with the code overload. SessionQueue is the bound
	// for one session, default 10,000. Smaller refuses sooner, larger costs
	// memory and lets senders run further ahead.
	Queue, SessionQueue int
	// Noise is how many events of one sender that a session does not take
	// are journaled one by one in a minute. Default 600. Those past it are
	// counted, and one row tells how many; fewer hide what a sender did wrong,
	// more let one that is stuck in a loop fill the store.
	Noise int
	// EventBytes bounds an event's payload, an input and a typed context, as
	// JSON in bytes. Default 262,144. StateBytes bounds a session's encoded
	// state in bytes, default 4 MiB: a step past it fails and is undone.
	// Smaller refuses what a chart may need, larger lets one session cost the
	// others time and the store room.
	EventBytes, StateBytes int
	// Poison is how often in a row a session may break its step, by a panic or
	// an error that no chart can cause, before it is parked. Default 3. Fewer
	// park for what would have passed, more waste time on what does not.
	Poison int
	// Hold says which outside calls this engine does not start: they stay
	// pending for the next one. Nil: none. It is for a process that opens a
	// store for a moment and would cut off what it started. It is called with
	// the engine's lock held.
	Hold func(session, src string) bool
	// Drain is how long [Engine.Drain] lets running calls go on, in
	// milliseconds, if it is not told otherwise. Default 10,000. Shorter
	// leaves more outcomes unknown, longer makes an end wait for them.
	Drain int64
	// Doors is how often requests of other processes are looked for, in
	// milliseconds, where the store can be opened by several. Default 50.
	// Rarer makes them wait, more often costs a read each time.
	Doors int64
	// Full is after how many journal rows the state is stored as a whole, if
	// the changes since have not outgrown it earlier. Default 64. It bounds
	// what a resume reads: larger makes resumes slower, smaller writes more.
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
	c.Log = slog.New(calm{c.Log.Handler()})
	for field, value := range map[*int]int{
		&c.Workers: 4, &c.Resident: 1000, &c.Turn: 32, &c.Group: 256, &c.Calls: 64, &c.Queue: 100_000,
		&c.SessionQueue: 10_000, &c.EventBytes: 256 << 10, &c.StateBytes: 4 << 20, &c.Poison: 3, &c.Full: 64, &c.CatchUp: 5000, &c.Noise: 600,
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
