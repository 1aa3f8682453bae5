package world

import "github.com/detent-run/detent/statechart"

// perform does what a macrostep asks for, in order. Timers need nothing: they
// are read from the session. Logs and the like are in the record.
func (w *World) perform(s *session, effects []statechart.Effect) {
	for _, e := range effects {
		switch e.Type {
		case statechart.EffectInvoke, statechart.EffectDo:
			w.open(s, e)
		case statechart.EffectStop:
			w.stopBySource(s, e.Source)
		case statechart.EffectAppend:
			if s.rows == nil {
				s.rows = map[string][]any{}
			}
			s.rows[e.Name] = append(s.rows[e.Name], e.Data)
		case statechart.EffectSend:
			w.route(s, e)
		case statechart.EffectForward:
			w.forward(s, e)
		}
	}
}

func (w *World) stopBySource(s *session, source statechart.Source) {
	for _, c := range s.calls {
		if c.Effect.Source == source {
			w.stop(c)
			return
		}
	}
}

// route delivers a send. Without a receiver the sender hears of it as
// error.communication.
func (w *World) route(s *session, e statechart.Effect) {
	to := w.receiver(s, e.To)
	if s.gone && s.answers != nil && (e.To == "parent" || to == s.answers.from) {
		return // who has left a call hears nothing more of it (R25)
	}
	if to == nil {
		w.deliver(s, w.stamp(statechart.Delivery{
			Event: statechart.Event{Name: "error.communication",
				Data: map[string]any{"kind": "send", "event": e.Event, "to": e.To, "message": "no session to send to"}},
			Envelope: &statechart.Envelope{Source: sendSource(e), Effect: e.Key},
		}, ""))
		return
	}
	envelope := &statechart.Envelope{ID: e.Key, SendID: e.Source.ID, Origin: s.id}
	if s.answers != nil && s.answers.from == to {
		envelope.Invocation = s.answers.Effect.Source.ID
	}
	w.deliver(to, w.stamp(statechart.Delivery{Event: statechart.Event{Name: e.Event, Data: e.Data}, Envelope: envelope}, "session"))
}

// forward passes an event on as it came (R37).
func (w *World) forward(s *session, e statechart.Effect) {
	for _, c := range s.calls {
		if c.Effect.Source == e.Source && c.child != nil && !c.child.gone {
			w.deliver(c.child, w.stamp(statechart.Delivery{Event: statechart.Event{Name: e.Event, Data: e.Data}, Envelope: e.Envelope}, "session"))
		}
	}
}

func sendSource(e statechart.Effect) statechart.Source {
	source := e.Source
	source.Kind = "send"
	return source
}

// receiver finds who an address means: the session itself, its parent, the
// child that a call of it started, or any session by id. Nobody receives for
// a session that is over.
func (w *World) receiver(s *session, to string) *session {
	var r *session
	switch to {
	case "", "self":
		return s
	case "parent":
		if s.answers != nil {
			r = s.answers.from
		}
	default:
		r = w.sessions[to]
		for _, c := range s.calls {
			if c.Effect.Source.ID == to && c.child != nil {
				r = c.child
			}
		}
	}
	if r == nil || r.gone || r.in != nil && !r.active() {
		return nil
	}
	return r
}
