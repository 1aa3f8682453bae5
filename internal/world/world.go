// Package world drives sessions of charts in memory and without chance: one
// inbox, one virtual clock, performers that answer from a script. The same
// calls give the same records, always.
//
// It is the smallest honest host. It keeps the order that every host must
// keep (an event's deferred followers before newer events, timers by due
// time, an outside call only after the macrostep that asked for it) and has
// no database, no goroutine and no clock of its own. Test libraries,
// simulations and conformance suites are built on it.
//
// A World belongs to one goroutine.
package world

import (
	"errors"
	"fmt"

	"github.com/detent-run/detent/statechart"
)

// Options configure a [World]. The zero value is a world without charts for
// children and without performers, at time 0.
type Options struct {
	// Charts are what a call of the source "chart:ID" starts, by ID.
	Charts map[string]*statechart.Chart
	// Find gives the chart of a call whose source is neither of the form
	// "chart:ID" nor a performer's: the text of a document, or a file's name.
	// Nil: such a call stays open.
	Find func(src string) (*statechart.Chart, error)
	// Performers answer calls, by source. A call whose source has none stays
	// open until [World.Answer].
	Performers map[string]Performer
	// Now is the clock's first reading, in milliseconds.
	Now int64
	// Limit bounds the macrosteps that happen without time passing, so that
	// two sessions which answer each other for ever are an error and not a
	// hanging test. Zero means 100,000.
	Limit int
	// Reload writes every session to its encoded snapshot and reads it back
	// before each macrostep, as a host does that keeps nothing in memory.
	// By R31 no record may differ from those of a world without it.
	Reload bool
	// Details makes each Record carry what happened inside its macrostep and
	// what the session holds after it. Both cost time and memory.
	Details bool
}

// World is a set of sessions, the events on their way, and the time.
type World struct {
	options  Options
	now      int64
	sessions map[string]*session
	started  []*session // in the order in which they were started
	inbox    []delivery // of all sessions; each session's part is its inbox
	agenda   []appointment
	counter  uint64 // numbers appointments
	records  []Record
}

// ErrLimit is returned when [Options.Limit] macrosteps happened and there
// were still events to deliver.
var ErrLimit = errors.New("world: the sessions do not come to rest")

// New returns an empty world.
func New(o Options) *World {
	if o.Limit == 0 {
		o.Limit = 100_000
	}
	return &World{options: o, now: o.Now, sessions: map[string]*session{}}
}

// Start starts a session and runs its initial macrostep. What that sends
// waits in the inbox until [World.Run]. The error is for an id that is taken;
// a chart that cannot start is the Record's outcome.
func (w *World) Start(id string, c *statechart.Chart, input any) (Record, error) {
	return w.Begin(c, statechart.Start{Session: id, Input: input})
}

// Begin is [World.Start] for a session that needs more than an input, such as
// a typed context. Its Now is set by the world.
func (w *World) Begin(c *statechart.Chart, how statechart.Start) (Record, error) {
	s, err := w.add(how.Session, c)
	if err != nil {
		return Record{}, err
	}
	return w.begin(s, how), nil
}

// Send puts an event into a session's inbox. Nothing happens before
// [World.Run] or another call that lets the world go on. The error is for a
// session that does not exist.
func (w *World) Send(id string, e statechart.Event) error { return w.SendAs(id, "client", e) }

// SendAs is [World.Send] by another sender than a client: "model", "human",
// "session" or "tool". The chart may not take the event from it.
func (w *World) SendAs(id, from string, e statechart.Event) error {
	s, err := w.find(id)
	if err != nil {
		return err
	}
	w.deliver(s, w.stamp(statechart.Delivery{Event: e}, from))
	return nil
}

// Step lets one macrostep happen and returns its record: the oldest event of
// the inbox, else the first that is due by now, else none (false). Deferred
// events that follow from it are macrosteps and records of their own, after
// it; the record that is returned is the event's.
func (w *World) Step() (Record, bool) {
	d, ok := w.take()
	if !ok {
		return Record{}, false
	}
	if d.start != nil {
		return w.begin(d.to, *d.start), true
	}
	return w.macrostep(d.to, d.event), true
}

// Run lets everything happen that needs no time to pass. The only error is
// [ErrLimit].
func (w *World) Run() error {
	for range w.options.Limit {
		if _, ok := w.Step(); !ok {
			return nil
		}
	}
	if due, ok := w.Due(); len(w.inbox) == 0 && (!ok || due > w.now) {
		return nil
	}
	return fmt.Errorf("%w: %d macrosteps at time %d, the last was %s",
		ErrLimit, w.options.Limit, w.now, w.records[len(w.records)-1])
}

// Advance lets ms milliseconds pass. Whatever comes due on the way happens at
// its own time and in order.
func (w *World) Advance(ms int64) error {
	end := w.now + ms
	if err := w.Run(); err != nil {
		return err
	}
	for {
		due, ok := w.Due()
		if !ok || due > end {
			w.now = max(w.now, end)
			return nil
		}
		w.now = max(w.now, due)
		if err := w.Run(); err != nil {
			return err
		}
	}
}

// AdvanceToNext runs, then lets time pass until the next timer or answer is
// due, and runs again. It reports false when nothing is due, ever.
func (w *World) AdvanceToNext() (bool, error) {
	if err := w.Run(); err != nil {
		return false, err
	}
	due, ok := w.Due()
	if !ok {
		return false, nil
	}
	w.now = max(w.now, due)
	return true, w.Run()
}

// Now returns the clock's reading, in milliseconds.
func (w *World) Now() int64 { return w.now }

// Records returns the record of each macrostep so far, in the order in which
// they happened. The slice is the world's and must not be changed.
func (w *World) Records() []Record { return w.records }

// Sessions returns the ids of all sessions, ended ones included, in the order
// in which they were started.
func (w *World) Sessions() []string {
	ids := make([]string, len(w.started))
	for i, s := range w.started {
		ids[i] = s.id
	}
	return ids
}

// Instance returns a session's instance for reading, nil when there is no
// such session or its first macrostep is still to come. It may be another
// one after the next macrostep; events go through [World.Send] only.
func (w *World) Instance(id string) *statechart.Instance {
	if s := w.sessions[id]; s != nil {
		return s.in
	}
	return nil
}

// Rows gives out the rows that a session has appended to its lists, for
// whoever steps a snapshot of it. Nil when there is no such session.
func (w *World) Rows(id string) statechart.Rows {
	if s := w.sessions[id]; s != nil {
		return s.read
	}
	return nil
}

func (w *World) find(id string) (*session, error) {
	if s := w.sessions[id]; s != nil {
		return s, nil
	}
	return nil, fmt.Errorf("world: no session %q", id)
}
