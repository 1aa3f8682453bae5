package world

import (
	"slices"

	"github.com/detent-run/detent/statechart"
)

// delivery is an event in the inbox of its session, or the start of one.
type delivery struct {
	to    *session
	event statechart.Delivery
	start *statechart.Start
}

// appointment is an answer that will come at a later time.
type appointment struct {
	due    int64
	number uint64 // the order in which they were made
	call   *call
	answer Answer
}

func (w *World) deliver(s *session, e statechart.Delivery) {
	w.inbox = append(w.inbox, delivery{to: s, event: e})
}

// stamp gives an event the envelope of an accepted one, on a copy.
func (w *World) stamp(e statechart.Delivery, from string) statechart.Delivery {
	var envelope statechart.Envelope
	if e.Envelope != nil {
		envelope = *e.Envelope
	}
	if envelope.AcceptedAt == 0 {
		envelope.AcceptedAt = w.now
	}
	if envelope.From == "" && envelope.Source.Kind == "" {
		envelope.From = from
	}
	e.Envelope = &envelope
	return e
}

// take removes what happens next: the oldest delivery; when there is none,
// what is due by now. An event thus comes before a timer of the same time.
func (w *World) take() (delivery, bool) {
	for len(w.inbox) > 0 {
		d := w.inbox[0]
		w.inbox = slices.Delete(w.inbox, 0, 1)
		if !d.to.gone {
			return d, true
		}
	}
	answer, timed := w.nextAnswer(), w.nextTimer()
	switch {
	case answer >= 0 && w.agenda[answer].due <= w.now && (timed == nil || w.agenda[answer].due <= timed.due.Due):
		a := w.agenda[answer]
		w.agenda = slices.Delete(w.agenda, answer, answer+1)
		return delivery{to: a.call.from, event: w.event(a.call, a.answer)}, true
	case timed != nil && timed.due.Due <= w.now:
		return delivery{to: timed, event: w.stamp(timed.due.Delivery(), "")}, true
	}
	return delivery{}, false
}

// Due returns when the next timer or answer comes, which may be in the past.
// Events that already wait in the inbox are not looked at.
func (w *World) Due() (int64, bool) {
	answer, timed := w.nextAnswer(), w.nextTimer()
	switch {
	case answer < 0 && timed == nil:
		return 0, false
	case answer < 0:
		return timed.due.Due, true
	case timed == nil:
		return w.agenda[answer].due, true
	}
	return min(timed.due.Due, w.agenda[answer].due), true
}

// nextTimer returns the session whose timer is first by due time, then by the
// order in which the sessions started; within one it is the arming order.
func (w *World) nextTimer() *session {
	var first *session
	for _, s := range w.started {
		if s.timed && s.active() && (first == nil || s.due.Due < first.due.Due) {
			first = s
		}
	}
	return first
}

// nextAnswer returns the index of the first appointment, -1 without any.
func (w *World) nextAnswer() int {
	first := -1
	for i, a := range w.agenda {
		if first < 0 || a.due < w.agenda[first].due || a.due == w.agenda[first].due && a.number < w.agenda[first].number {
			first = i
		}
	}
	return first
}
