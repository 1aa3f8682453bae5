package world

import (
	"fmt"
	"slices"

	"github.com/detent-run/detent/statechart"
)

// session is one instance with what its host must remember of it.
type session struct {
	id    string
	place int // in World.started
	chart *statechart.Chart
	in    *statechart.Instance // nil before the first macrostep
	calls []*call              // open, in the order in which they were made
	rows  map[string][]any     // of the append-only lists
	// answers is the parent's call that this session is; nil without parent.
	answers *call
	depth   int // how many sessions are above it
	// gone is set when the parent cancelled it; it hears nothing any more.
	gone bool
	// due is the first timer of an active session, kept because it only
	// changes in a macrostep.
	due   statechart.Timer
	timed bool
	// trace collects what happens inside the macrostep; nil unless asked for.
	trace *statechart.Trace
}

// read gives out rows of the session's lists (statechart.Rows).
func (s *session) read(list string, from, to int64) ([]any, error) {
	return s.rows[list][from:to], nil
}

func (w *World) add(id string, c *statechart.Chart) (*session, error) {
	if w.sessions[id] != nil {
		return nil, fmt.Errorf("world: session %q exists", id)
	}
	s := &session{id: id, chart: c, place: len(w.started)}
	if w.options.Details {
		s.trace = &statechart.Trace{}
	}
	w.sessions[id] = s
	w.started = append(w.started, s)
	return s, nil
}

func (s *session) active() bool {
	return s.in != nil && !s.gone && s.in.Status() == statechart.Active
}

// neverStarted is the number of a session before its initial macrostep. A
// chart that cannot start may leave it at 0, and its end is still reported.
const neverStarted = ^uint64(0)

// begin runs a session's initial macrostep.
func (w *World) begin(s *session, how statechart.Start) Record {
	how.Now, how.Trace = w.now, s.trace
	s.in = new(statechart.Instance)
	result := s.chart.Start(s.in, how)
	s.in.SetRows(s.read)
	init := statechart.Delivery{Event: statechart.Event{Name: "detent.init", Data: how.Input}}
	if how.Parent != "" {
		init.Envelope = &statechart.Envelope{Origin: how.Parent}
	}
	return w.after(s, Record{Event: init, Result: result}, neverStarted)
}

// macrostep delivers one event, then each deferred event that can be taken
// now: they come before whatever is newer (R32).
func (w *World) macrostep(s *session, e statechart.Delivery) Record {
	before := w.prepare(s)
	record := w.after(s, Record{Event: e, Result: s.in.Step(e)}, before)
	for s.active() {
		before = w.prepare(s)
		kept, result, ok := s.in.Next()
		if !ok {
			break
		}
		w.after(s, Record{Event: kept, Result: result, Deferred: true}, before)
	}
	return record
}

// prepare makes a session ready for a macrostep and returns its number.
func (w *World) prepare(s *session) uint64 {
	w.reload(s)
	s.in.SetNow(w.now)
	if s.trace != nil {
		s.trace.Records = nil
		s.in.Trace(s.trace)
	}
	return s.in.Sequence()
}

// after completes and keeps the record of a macrostep and does what it asks
// for. When the number is still the one before, the event was refused at the
// door and nothing happened.
func (w *World) after(s *session, r Record, before uint64) Record {
	r.Session, r.Now = s.id, w.now
	r.Sequence, r.Status = s.in.Sequence(), s.in.Status()
	r.Configuration = slices.Clone(s.in.Configuration())
	stepped := r.Sequence != before
	if stepped {
		r.Effects = slices.Clone(s.in.Effects())
	}
	if s.trace != nil {
		r.Trace, r.After = s.trace.Records, s.in.Snapshot()
	}
	w.records = append(w.records, r)
	if !stepped {
		return r
	}
	s.timed = false
	if timers := s.in.Timers(); s.active() && len(timers) > 0 {
		s.due, s.timed = timers[0], true
	}
	w.settle(s, r.Event)
	w.perform(s, r.Effects)
	w.end(s)
	return r
}

// end reports the end of a session to its parent and stops its calls.
func (w *World) end(s *session) {
	if s.in.Status() == statechart.Active || s.in.Status() == statechart.Parked {
		return
	}
	for len(s.calls) > 0 {
		w.stop(s.calls[0])
	}
	if c := s.answers; c != nil && !c.ended && !s.gone {
		w.answer(c, report(s))
	}
}

// report is what a parent hears of its child's end (R26).
func report(s *session) Answer {
	if s.in.Status() == statechart.Completed {
		return Done(s.in.Output())
	}
	problem := map[string]any{"code": "failed", "message": "the session " + s.id + " failed"}
	if reason := s.in.Reason(); reason != nil {
		problem["code"], problem["message"] = string(reason.Code), reason.Message
	}
	if output := s.in.Output(); output != nil {
		problem["output"] = output
	}
	return Error(problem)
}
