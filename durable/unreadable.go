package durable

import (
	"errors"
	"slices"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// unreadable ends a turn of a session that cannot be read: the store failed,
// or a row is damaged, or the chart is gone. What can be blamed on the session
// parks it; nothing is repaired by deleting.
func (e *Engine) unreadable(t *turn, err error) {
	s := t.s
	if e.blindly(t) {
		return
	}
	if e.context.Err() == nil {
		e.log.Error("a session cannot be read", "session", s.id, "error", err.Error())
	}
	parked := e.parkUnread(t, err)
	e.mu.Lock()
	head := s.head
	e.forget(s)
	var again []*control
	for _, c := range s.control {
		switch {
		case c.again && !parked && e.context.Err() == nil:
			again = append(again, c)
		case c.again: // its call stays claimed: the next engine deals with it by its mode
		default:
			c.promise.keep(nil, storeProblem(err, s.id))
			if c.dropped != nil {
				c.dropped(err)
			}
		}
	}
	for _, m := range s.events {
		m.promise.keep(nil, storeProblem(err, s.id))
	}
	e.queued -= len(s.events)
	s.control, s.events = again, nil
	if !parked {
		s.busy, s.again, s.missed = false, false, false
		if e.mayPass(err) || len(again) > 0 {
			e.retryLater(s)
		} else {
			delete(e.sessions, s.id)
		}
	}
	e.mu.Unlock()
	if parked {
		s.head = head
		e.submit(t.unit)
	}
}

// mayPass reports whether a session that could not be read may be readable
// soon: what it has to do must not wait for somebody to ask.
func (e *Engine) mayPass(err error) bool {
	var known *statechart.Error
	return e.context.Err() == nil && !errors.Is(err, ErrDamaged) && !errors.As(err, &known)
}

// parkUnread prepares the parking of a session of which only the row could be
// read.
func (e *Engine) parkUnread(t *turn, err error) bool {
	h := &t.s.head
	if h.Session == "" && errors.Is(err, ErrDamaged) {
		// The session was never read; its row alone may well be whole.
		if row, rowErr := e.headOf(e.context, t.s.id); rowErr == nil && row != nil {
			*h = *row
		}
	}
	var known *statechart.Error
	if h.Session == "" || h.Status != Active || !errors.Is(err, ErrDamaged) && !errors.As(err, &known) {
		return false
	}
	why := &statechart.Reason{Code: CodeDamaged, Message: err.Error()}
	if known != nil {
		why.Code = known.Code
	}
	t.own, t.before = Change{Session: t.s.id}, h.Revision
	h.Status, h.Ready, h.Due, h.Updated = Parked, false, 0, t.now
	t.setReason(why)
	r := &host.Record{Sequence: h.Sequence + 1, Time: t.now, AcceptedAt: t.now, Event: "detent.park", Outcome: statechart.Taken.String(), Reason: why,
		From: h.Configuration, To: h.Configuration, Status: string(Parked)}
	body, encodeErr := r.Encode()
	if encodeErr != nil {
		return false
	}
	h.Sequence, h.Hash, h.Revision = r.Sequence, chained(h.Hash, body), h.Revision+1
	head := *h
	t.own.Before, t.own.Head = t.before, &head
	t.own.Journal = []JournalRow{{Sequence: r.Sequence, Time: t.now, Hash: h.Hash, Body: body}}
	t.unit.changes = []Change{t.own}
	return true
}

// blindly does the control work that needs no state, such as deleting, and
// reports whether there was any.
func (e *Engine) blindly(t *turn) bool {
	s := t.s
	var work []*control
	e.mu.Lock()
	s.control = slices.DeleteFunc(s.control, func(c *control) bool {
		if c.blind {
			work = append(work, c)
		}
		return c.blind
	})
	e.mu.Unlock()
	if len(work) == 0 {
		return false
	}
	var damage error // of the row itself: only that it is there is known
	if s.head.Session == "" {
		var h *Head
		if h, damage = e.headOf(e.context, s.id); damage == nil && h != nil {
			s.head = *h
		}
	}
	t.before, t.own.Session = s.head.Revision, s.id
	for _, c := range work {
		err := error(storeProblem(ErrDamaged, s.id))
		if s.head.Session != "" || c.absent || errors.Is(damage, ErrDamaged) {
			err = c.do(t)
		}
		t.unit.promises = append(t.unit.promises, kept{promise: c.promise, err: err})
	}
	if err := t.finish(); err != nil {
		e.brokenStep(t, err)
	}
	return true
}
