package durable

import (
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// turn is a session's time with a worker: what waits for it is done in memory,
// and what follows is handed to the committer as one unit.
type turn struct {
	e    *Engine
	s    *session
	now  int64
	own  Change
	unit *unit
	// before is the revision that the store has.
	before uint64
	// dirty: there is something to store. whole: store the state as a whole.
	dirty, whole bool
	// quiet: the parent is ending, too, and is told of no failure.
	quiet bool
	// fresh are the calls that were claimed in this turn.
	fresh map[string]*want
	// work is the control work that was not begun, doing the one that was, and
	// hand the event that is being taken up: if the step breaks, they are told.
	work  []*control
	doing *control
	hand  *entry
	steps int
}

// worker steps sessions, one turn at a time.
func (e *Engine) worker() {
	defer e.workerEnds()
	for {
		e.mu.Lock()
		var s *session
		if len(e.ready) > 0 && e.usable() == nil {
			s = e.ready[0]
			e.ready = e.ready[1:]
			if len(e.ready) > 0 {
				e.work.Open() // another worker may help
			}
		}
		e.mu.Unlock()
		if s == nil {
			if e.work.Wait(e.outer, 0) != nil {
				return
			}
			continue
		}
		e.turn(s)
	}
}

// turn does what waits for the session. The session is the worker's until the
// unit is handed in.
func (e *Engine) turn(s *session) {
	t := &turn{e: e, s: s, unit: &unit{session: s}}
	defer func() {
		if p := recover(); p != nil {
			e.brokenStep(t, p)
		}
	}()
	e.mu.Lock()
	s.again = false
	if s.missed {
		s.missed = false
		e.forget(s)
	}
	t.now = e.now()
	t.unit.now = t.now
	e.mu.Unlock()
	if !s.loaded {
		if err := t.load(); err != nil {
			e.unreadable(t, err)
			return
		}
	}
	t.before = s.head.Revision
	t.own.Session = s.id
	t.controls()
	if s.exists {
		if err := t.onTime(); err != nil {
			e.brokenStep(t, err)
			return
		}
		t.events()
	} else {
		t.refuseAll(noSession(s.id))
	}
	if err := t.finish(); err != nil {
		e.brokenStep(t, err)
	}
}

// onTime does what the session's own times ask for: waking up, and deadlines.
func (t *turn) onTime() error {
	h := &t.s.head
	if wake := wakeAt(h.Reason); h.Status == Suspended && wake != 0 && wake <= t.now {
		if err := t.resume("clock"); err != nil {
			return err
		}
	}
	if h.Status != Active {
		return nil
	}
	return t.dueEffects()
}

// controls does the session's control work. Verbs work on a session over
// every limit (S7).
func (t *turn) controls() {
	t.e.mu.Lock()
	t.work, t.s.control = t.s.control, nil
	t.e.mu.Unlock()
	for len(t.work) > 0 {
		c := t.work[0]
		t.work, t.doing = t.work[1:], c
		err := error(noSession(t.s.id))
		if t.s.exists || c.absent {
			t.unit.again = append(t.unit.again, repeated(c)...)
			err = c.do(t)
		}
		if err != nil && c.dropped != nil {
			t.later(func() { c.dropped(err) })
		}
		if c.promise != nil {
			t.unit.promises = append(t.unit.promises, kept{promise: c.promise, err: err})
		}
		t.doing = nil
	}
}

func repeated(c *control) []*control {
	if c.again {
		return []*control{c}
	}
	return nil
}

// later does f, under the engine's lock, once the unit is durable.
func (t *turn) later(f func()) { t.unit.after = append(t.unit.after, f) }

// finish hands in the unit, or ends the turn where there is nothing to store.
func (t *turn) finish() error {
	if !t.dirty {
		t.e.mu.Lock()
		if err := t.e.failure; err != nil {
			t.unit.settle(err)
			t.e.mu.Unlock()
			return nil
		}
		t.e.publish(t.unit)
		t.e.mu.Unlock()
		t.unit.acknowledge()
		return nil
	}
	if t.s.exists {
		if err := t.complete(); err != nil {
			return err
		}
	}
	t.unit.changes = append([]Change{t.own}, t.unit.changes...)
	t.e.submit(t.unit)
	return nil
}

// complete fills in the row, the effects and what of the inbox has moved.
func (t *turn) complete() error {
	s := t.s
	for _, f := range effectsInOrder(s.effects) {
		if !f.dirty {
			continue
		}
		row, err := f.row()
		if err != nil {
			return err
		}
		t.own.Effects = append(t.own.Effects, row)
		f.dirty = false
		if !row.Live {
			delete(s.effects, f.Key)
		}
	}
	if err := t.putRest(); err != nil {
		return err
	}
	h := &s.head
	h.Revision = t.before + 1
	h.Format = bodyFormat
	h.Updated = t.now
	if !s.snap.IsZero() {
		h.Configuration = s.snap.Configuration()
	}
	h.Due, h.Ready, h.Waits = t.outlook()
	head := *h
	t.own.Before, t.own.Head = t.before, &head
	if s.snap.IsZero() {
		return nil
	}
	if t.whole || s.changed >= len(s.doc) || s.sinceFull >= t.e.config.Full || h.Status != Active && s.sinceFull > 0 {
		t.own.State = s.doc
		s.sinceFull, s.changed = 0, 0
	}
	return nil
}

// bodyFormat is the number of the format of everything that the engine hands
// to a store as a body.
const bodyFormat = 1

// putRest stores what steps of this turn have sent to the session itself, or
// what it was asked to accept, and which was not taken up.
func (t *turn) putRest() error {
	t.e.mu.Lock()
	rest := slices.Clone(t.s.events)
	t.e.mu.Unlock()
	for _, m := range rest {
		if m.stored || !m.mustStore {
			continue
		}
		body, err := m.encode()
		if err != nil {
			return err
		}
		t.own.Put = append(t.own.Put, InboxRow{Position: m.position, Body: body})
		t.later(func() { m.stored = true })
	}
	return nil
}

// outlook says when, and whether, the session needs to be looked at.
func (t *turn) outlook() (due int64, ready, waits bool) {
	s := t.s
	soonest := func(at int64) {
		if at != 0 && (due == 0 || at < due) {
			due = max(at, 1)
		}
	}
	over := s.head.Status.Over()
	for _, f := range s.effects {
		waits = waits || f.Stands == standsHeld
		if s.head.Status == Active || over {
			ready = ready || f.urgent()
			soonest(f.Due)
		}
	}
	switch s.head.Status {
	case Active:
		if timers := s.snap.Timers(); len(timers) > 0 {
			soonest(timers[0].Due)
		}
	case Suspended:
		soonest(wakeAt(s.head.Reason))
	}
	return due, ready, waits
}

// refuseAll answers every event that waits with the error.
func (t *turn) refuseAll(err error) {
	t.e.mu.Lock()
	list := t.s.events
	t.s.events = nil
	t.e.queued -= len(list)
	t.e.mu.Unlock()
	for _, m := range list {
		if m.promise != nil {
			t.unit.promises = append(t.unit.promises, kept{promise: m.promise, err: err})
		}
	}
}

// write adds a journal row. The caller has filled in what is known of the
// event and its outcome; the state in memory is the new one.
func (t *turn) write(r *host.Record, before []string, doc []byte) error {
	s := t.s
	r.Sequence, r.Time = s.head.Sequence+1, t.now
	r.From, r.To, r.Status = before, configurationOf(s.snap), string(s.head.Status)
	if len(s.doc) <= len(noState) {
		s.doc = []byte(noState)
		r.Chart = s.head.Digest
		t.whole = true
	}
	if len(doc) == 0 {
		doc = s.doc
	}
	change, err := difference(s.doc, doc)
	if err != nil {
		return err
	}
	if len(change) > 2 {
		r.Change = change
	}
	body, err := r.Encode()
	if err != nil {
		return err
	}
	s.head.Hash = chained(s.head.Hash, body)
	s.head.Sequence = r.Sequence
	r.Hash = s.head.Hash
	if !slices.Equal(before, r.To) {
		s.head.Since = t.now
	}
	s.doc = doc
	s.sinceFull++
	s.changed += len(change)
	t.own.Journal = append(t.own.Journal, JournalRow{Sequence: r.Sequence, Time: r.Time, Hash: r.Hash, Body: body})
	t.dirty = true
	t.later(func() { t.e.logRow(s.id, r) }) // nobody changes it any more
	return nil
}

// noState is the encoded state before the first step.
const noState = "{}"

// brokenStep ends a turn that broke: the session is read again, and parked
// when that happens too often (S6).
func (e *Engine) brokenStep(t *turn, what any) {
	s := t.s
	e.log.Error("the step of a session broke", "session", s.id, "problem", fmt.Sprint(what), "stack", string(debug.Stack()))
	err := problem(CodePoison, "detent show says where it stands; it is parked when this goes on", "the step of the session %q broke: %v", s.id, what)
	e.mu.Lock()
	defer e.mu.Unlock()
	broke := s.broke + 1
	e.forget(s)
	s.broke = broke
	t.undo(err)
	again := t.unit.again
	if broke >= e.config.Poison {
		// What it was to take up may be what breaks it: the calls of which that
		// tells stay claimed, and the next engine deals with them by their mode.
		s.broke = 0
		for _, m := range s.events {
			m.promise.keep(nil, err)
		}
		e.queued -= len(s.events)
		s.events = nil
		again = []*control{{do: func(t *turn) error {
			return t.park(&statechart.Reason{Code: CodePoison, Message: fmt.Sprintf("the step broke %d times: %v", broke, what)})
		}}}
	}
	s.control = append(append(again, t.work...), s.control...)
	s.again = true
	e.rest(s)
}

// undo tells everybody who has to do with a turn that broke that nothing came
// of it. The engine's lock is held.
func (t *turn) undo(err error) {
	for _, f := range t.unit.lost {
		f(err)
	}
	t.unit.settle(err)
	if c := t.doing; c != nil {
		c.promise.keep(nil, err)
		if c.dropped != nil && !c.again {
			c.dropped(err)
		}
	}
	if t.hand != nil {
		t.hand.promise.keep(nil, err)
	}
}
