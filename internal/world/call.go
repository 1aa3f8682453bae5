package world

import (
	"fmt"
	"slices"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// Call is an outside call that a session has open.
type Call struct {
	// Session is who called.
	Session string
	// Effect is the EffectInvoke or EffectDo: Source.ID is the call's id,
	// Call.Src what is called, Data the input.
	Effect statechart.Effect
	// At is when it was made, in milliseconds.
	At int64
}

// Performer decides how a call is answered: with progress, then one end. An
// empty list leaves the call open. It must depend on the call alone, or on
// what itself remembers, so that a run can be repeated.
type Performer func(Call) []Answer

// Answer is one thing that is heard of a call. See [Done], [Error],
// [Unknown] and [Progress]; they come without delay.
type Answer struct {
	// Kind is "done", "error", "unknown" or "progress".
	Kind string
	// Data is the output, the error object or the progress.
	Data any
	// After is the time from the call, or from [World.Answer], in
	// milliseconds.
	After int64
}

// Done is the answer of a call that succeeded.
func Done(output any) Answer { return Answer{Kind: "done", Data: output} }

// Error is the answer of a call that failed.
func Error(problem any) Answer { return Answer{Kind: "error", Data: problem} }

// Unknown is the answer of a call of which nobody saw how it ended.
func Unknown(problem any) Answer { return Answer{Kind: "unknown", Data: problem} }

// Progress is news of a call that goes on.
func Progress(data any) Answer { return Answer{Kind: "progress", Data: data} }

// In returns the answer, delayed by ms milliseconds.
func (a Answer) In(ms int64) Answer {
	a.After = ms
	return a
}

// Always is a performer that answers each call alike.
func Always(answers ...Answer) Performer {
	return func(Call) []Answer { return answers }
}

// InTurn is a performer that gives its first call the first list of answers,
// its second call the second, and so on. Calls beyond the last stay open.
func InTurn(turns ...[]Answer) Performer {
	next := 0
	return func(Call) []Answer {
		if next == len(turns) {
			return nil
		}
		next++
		return turns[next-1]
	}
}

// call is an open call with its host's side of it.
type call struct {
	Call
	from  *session
	child *session // what it started, when its source is a chart
	ended bool     // its end is on the way, or it was stopped
}

// Calls returns the open calls of all sessions: those whose end is neither
// heard nor on its way. They are ordered by session, then by age.
func (w *World) Calls() []Call {
	var open []Call
	for _, s := range w.started {
		for _, c := range s.calls {
			if !c.ended {
				open = append(open, c.Call)
			}
		}
	}
	return open
}

// Answer gives an answer to the oldest open call of a session that has this
// id. The event enters the inbox, after the answer's delay if it has one. The
// error is for a call that is not open.
func (w *World) Answer(session, id string, a Answer) error {
	s, err := w.find(session)
	if err != nil {
		return err
	}
	for _, c := range s.calls {
		if c.Effect.Source.ID == id && !c.ended {
			w.answer(c, a)
			return nil
		}
	}
	return fmt.Errorf("world: session %q has no open call %q", session, id)
}

// open makes a call: a child session, or a performer's answers.
func (w *World) open(s *session, e statechart.Effect) {
	c := &call{Call: Call{Session: s.id, Effect: e, At: w.now}, from: s}
	s.calls = append(s.calls, c)
	src := e.Call.Src
	if name, ok := strings.CutPrefix(src, "chart:"); ok {
		w.spawnNamed(c, name)
		return
	}
	perform := w.options.Performers[src]
	if perform == nil {
		if w.options.Find != nil {
			w.spawnFound(c, src)
		}
		return
	}
	for _, a := range perform(c.Call) {
		w.answer(c, a)
	}
}

func (w *World) spawnNamed(c *call, name string) {
	chart := w.options.Charts[name]
	if chart == nil {
		w.answer(c, Error(map[string]any{"code": "no_such_chart", "message": "there is no chart " + name}))
		return
	}
	w.spawn(c, chart)
}

func (w *World) spawnFound(c *call, src string) {
	chart, err := w.options.Find(src)
	if err != nil {
		w.answer(c, Error(map[string]any{"code": "no_such_chart", "message": err.Error()}))
		return
	}
	w.spawn(c, chart)
}

// maxNested is how deep sessions may start sessions: a chart that calls
// itself would do so for ever.
const maxNested = 100

// spawn starts a child session. Its first macrostep takes its turn in the
// inbox: the parent may send to it, or cancel it, before.
func (w *World) spawn(c *call, chart *statechart.Chart) {
	if c.from.depth >= maxNested {
		w.answer(c, Error(map[string]any{"code": "too_deep", "message": fmt.Sprintf("sessions are nested deeper than %d", maxNested)}))
		return
	}
	source := c.Effect.Source
	child, err := w.add(fmt.Sprintf("%s/%s/%d", c.Session, source.ID, source.Entry), chart)
	if err != nil {
		w.answer(c, Error(map[string]any{"code": "duplicate_session", "message": err.Error()}))
		return
	}
	c.child, child.answers, child.depth = child, c, c.from.depth+1
	w.inbox = append(w.inbox, delivery{to: child, start: &statechart.Start{Session: child.id, Parent: c.Session, Input: c.Effect.Data}})
}

// answer sends an answer on its way.
func (w *World) answer(c *call, a Answer) {
	if a.Kind != "progress" {
		c.ended = true
	}
	if a.After > 0 {
		w.counter++
		w.agenda = append(w.agenda, appointment{due: w.now + a.After, number: w.counter, call: c, answer: a})
		return
	}
	w.deliver(c.from, w.event(c, a))
}

// event is the engine's event that stands for an answer (R26).
func (w *World) event(c *call, a Answer) statechart.Delivery {
	source := c.Effect.Source
	return w.stamp(statechart.Delivery{
		Event:    statechart.Event{Name: a.Kind + "." + source.Kind + "." + source.ID, Data: a.Data},
		Envelope: &statechart.Envelope{Source: source, Effect: c.Effect.Key, ID: c.Effect.Key + "/" + a.Kind},
	}, "")
}

// settle forgets a call whose end was just heard.
func (w *World) settle(s *session, e statechart.Delivery) {
	if e.Envelope == nil || strings.HasPrefix(e.Name, "progress.") {
		return
	}
	for _, c := range s.calls {
		if c.Effect.Source == e.Envelope.Source && c.ended {
			w.close(c)
			return
		}
	}
}

// stop cancels a call: answers to come are dropped, and a child hears, does
// and reports nothing any more. An answer that waits in the inbox already is
// delivered, for the chart to call it stale.
func (w *World) stop(c *call) {
	w.close(c)
	w.agenda = slices.DeleteFunc(w.agenda, func(a appointment) bool { return a.call == c })
	if c.child == nil || c.child.gone {
		return
	}
	child := c.child
	if child.in != nil && child.in.Status() != statechart.Completed {
		w.cancel(child)
	}
	child.gone = true
	for len(child.calls) > 0 {
		w.stop(child.calls[0])
	}
}

// cancel ends a session from outside: a macrostep of its own, in which its
// exit actions run (R25). Where it has ended already, nothing happens.
func (w *World) cancel(s *session) {
	before := w.prepare(s)
	result := s.in.Cancel()
	if s.in.Sequence() == before {
		return
	}
	s.gone = true // it reports nothing
	w.after(s, Record{Event: statechart.Delivery{Event: statechart.Event{Name: "detent.cancel"}}, Result: result, Cancelled: true}, before)
}

func (w *World) close(c *call) {
	c.ended = true
	c.from.calls = slices.DeleteFunc(c.from.calls, func(o *call) bool { return o == c })
}
