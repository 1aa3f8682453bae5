package durable

import (
	"encoding/json"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// events takes up what waits: deferred events that can be taken now, then
// events by their acceptance and timers by their due times, events first on
// ties (R32, R35). What is left when the turn is used up has another.
func (t *turn) events() {
	for t.steps < t.e.config.Turn {
		more, err := t.next()
		if err != nil {
			panic(err)
		}
		if !more {
			break
		}
	}
	if t.s.more && !t.storedLeft() {
		t.later(func() { t.s.missed = true }) // the rest of the inbox
	}
	t.wantCalls()
}

func (t *turn) storedLeft() bool {
	t.e.mu.Lock()
	defer t.e.mu.Unlock()
	return len(t.s.events) > 0 && t.s.events[0].stored
}

// next does one thing and reports whether there may be another.
func (t *turn) next() (bool, error) {
	s := t.s
	if s.head.Status != Active {
		return t.nextOfQuiet()
	}
	if !s.snap.IsZero() && len(s.snap.Deferred()) > 0 {
		if done, err := t.deferred(); done || err != nil {
			return true, err
		}
	}
	m := t.front()
	if timer, due := t.dueTimer(); due && (m == nil || timer.Due < m.At) {
		return true, t.fire(timer)
	}
	if m == nil || s.more && !m.stored {
		return false, nil // what the store still has comes first
	}
	t.remove(0)
	return true, t.takeUp(m)
}

// takeUp takes up one message that was removed from the queue.
func (t *turn) takeUp(m *entry) error {
	t.hand = m
	err := t.take(m)
	if err == nil {
		t.hand = nil
	}
	return err
}

// nextOfQuiet takes what a session accepts that is not active: ends of calls
// and cancellation; events are queued, or refused when it is over.
func (t *turn) nextOfQuiet() (bool, error) {
	over := t.s.head.Status.Over()
	for i := 0; ; i++ {
		t.e.mu.Lock()
		if i >= len(t.s.events) {
			t.e.mu.Unlock()
			return false, nil
		}
		m := t.s.events[i]
		t.e.mu.Unlock()
		switch {
		case m.Kind == messageCancel || m.Kind == messageOutcome || over:
			t.remove(i)
			return true, t.takeUp(m)
		case m.promise != nil:
			if done, err := t.enqueue(m, i); done || err != nil {
				return true, err
			}
		}
	}
}

// front is the first event that waits, nil if none does.
func (t *turn) front() *entry {
	t.e.mu.Lock()
	defer t.e.mu.Unlock()
	if len(t.s.events) == 0 {
		return nil
	}
	return t.s.events[0]
}

func (t *turn) remove(i int) {
	t.e.mu.Lock()
	defer t.e.mu.Unlock()
	m := t.s.events[i]
	if i == 0 { // a long queue is not copied for each event
		t.s.events[0], t.s.events = nil, t.s.events[1:]
	} else {
		t.s.events = append(t.s.events[:i:i], t.s.events[i+1:]...)
	}
	t.e.queued--
	if m.stored {
		t.own.Take = append(t.own.Take, m.position)
		t.dirty = true
	}
}

// take takes up one message.
func (t *turn) take(m *entry) error {
	switch m.Kind {
	case messageStart:
		return t.begin(m)
	case messageOutcome:
		return t.childEnded(m)
	case messageCancel:
		return t.cancelled(m)
	}
	if first, known, err := t.known(m); err != nil || known {
		if known {
			t.answer(m, first, nil)
		}
		return err
	}
	if t.s.head.Status.Over() {
		t.refuseEnded(m)
		return nil
	}
	if err := t.tellNoise(); err != nil {
		return err
	}
	result, err := t.step(m.message, false)
	if err != nil {
		return err
	}
	a := t.answerNow(m)
	a.Sequence, a.Outcome, a.Reason = t.s.head.Sequence, result.Outcome, result.Reason
	t.remember(m, a)
	t.answer(m, a, nil)
	return nil
}

// answerNow begins the answer to an event from how the session stands.
func (t *turn) answerNow(m *entry) Answer {
	return Answer{Session: t.s.id, Position: m.position, Status: t.s.head.Status, Configuration: configurationOf(t.s.snap), snap: t.s.snap}
}

// refuseEnded answers an event that came after the session's end.
func (t *turn) refuseEnded(m *entry) {
	a := t.answerNow(m)
	a.Outcome = statechart.Refused
	a.Reason = &statechart.Reason{Code: statechart.CodeEnded, Message: "the session is " + string(t.s.head.Status) + " and takes no events"}
	t.answer(m, a, nil)
}

func (t *turn) answer(m *entry, a Answer, err error) {
	if m.promise != nil {
		t.unit.promises = append(t.unit.promises, kept{promise: m.promise, answer: a, err: err})
	}
}

// known looks an event's id up (E1): the answer is the first one's, or the
// error of another payload under the same id.
func (t *turn) known(m *entry) (Answer, bool, error) {
	if m.ID == "" || m.Source != nil {
		return Answer{}, false, nil
	}
	body, err := t.seenBefore(m.ID)
	if err != nil || body == nil {
		return Answer{}, false, err
	}
	var first seen
	if err := host.Decode(body, &first); err != nil {
		return Answer{}, false, err
	}
	if m.stored && first.Sequence == 0 && first.Position == m.position {
		return Answer{}, false, nil // itself: it was queued
	}
	if first.Digest != m.digest() {
		t.answer(m, Answer{}, conflict(t.s.id, m.ID))
		m.promise = nil
		return Answer{}, true, nil
	}
	a := t.answerNow(m)
	a.Duplicate, a.Position, a.Sequence, a.Outcome, a.Queued = true, first.Position, first.Sequence, first.Outcome, first.Sequence == 0
	if len(first.Reason) > 0 {
		a.Reason = new(statechart.Reason)
		if err := host.Decode(first.Reason, a.Reason); err != nil {
			return a, false, err
		}
	}
	return a, true, nil
}

func conflict(session, id string) error {
	return problem(CodeConflict, "an id stands for one event: give the new event another", "the session %q knows the id %q with another event", session, id)
}

// remember notes an event's id with the answer.
func (t *turn) remember(m *entry, a Answer) {
	if m.ID == "" || m.Source != nil {
		return
	}
	first := seen{Digest: m.digest(), Position: m.position, Sequence: a.Sequence, Time: t.now, Outcome: a.Outcome}
	if a.Reason != nil {
		first.Reason, _ = json.Marshal(a.Reason) // only text in it
	}
	body, err := first.encode()
	if err != nil {
		panic(err)
	}
	t.own.Records = append(t.own.Records, Record{Namespace: SpaceDedupe, Session: t.s.id, Key: m.ID, Body: body})
	t.s.ids.add(m.ID)
	t.dirty = true
}

// record reads a side record of the session, as this turn leaves it.
func (t *turn) record(space, key string) ([]byte, error) {
	for i := len(t.own.Records) - 1; i >= 0; i-- {
		if r := &t.own.Records[i]; r.Namespace == space && r.Key == key {
			return r.Body, nil
		}
	}
	list, err := t.e.store.Records(t.e.context, RecordQuery{Namespace: space, Session: t.s.id, From: key, To: key + "\x00", Limit: 1})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return list[0].Body, nil
}

// enqueue accepts an event of a session that takes none now: it stands in the
// inbox. It reports whether the queue has changed.
func (t *turn) enqueue(m *entry, i int) (bool, error) {
	if first, known, err := t.known(m); err != nil || known {
		t.remove(i)
		t.answer(m, first, nil)
		return true, err
	}
	a := t.answerNow(m)
	a.Queued = true
	t.remember(m, a)
	t.answer(m, a, nil)
	m.promise, m.mustStore = nil, true
	t.dirty = true
	return false, nil
}
