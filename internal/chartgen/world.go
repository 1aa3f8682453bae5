package chartgen

import (
	"github.com/detent-run/detent/internal/oracle"
	"github.com/detent-run/detent/statechart"
)

// World stands for the host while a script runs: its clock, the sends to
// oneself that wait in the inbox, and what was ever armed or started.
type World struct {
	Now    int64
	outbox []statechart.Event
	seen   []statechart.Delivery // answers to everything there ever was
}

// Observe takes in what a macrostep left behind.
func (w *World) Observe(r oracle.Record) {
	for _, e := range r.Effects {
		switch {
		case e.Type == statechart.EffectSend && e.To == "self":
			w.outbox = append(w.outbox, statechart.Event{Name: e.Event, Data: e.Data})
		case e.Type == statechart.EffectSchedule:
			w.seen = append(w.seen, from(e.Event, nil, e.Source))
		case e.Type == statechart.EffectInvoke || e.Type == statechart.EffectDo:
			w.seen = append(w.seen, from("done."+e.Source.Kind+"."+e.Source.ID, nil, e.Source))
		}
	}
}

func from(name string, data any, source statechart.Source) statechart.Delivery {
	return statechart.Delivery{Event: statechart.Event{Name: name, Data: data}, Envelope: &statechart.Envelope{Source: source}}
}

// Delivery is what op sends now, after the macrostep that last describes. An op
// that finds nothing to act on sends a plain event.
func (w *World) Delivery(op Op, last oracle.Record) statechart.Delivery {
	w.Now += op.Wait
	switch {
	case (op.Kind == "timer" || op.Kind == "late") && len(last.Timers) > 0:
		t := last.Timers[0]
		w.Now = max(w.Now, t.Due)
		if op.Kind == "late" {
			w.Now += 130
		}
		return t.Delivery()
	case op.Kind == "answer" && len(last.Live) > 0:
		source := last.Live[op.Pick%len(last.Live)].Source
		return from(op.Name+"."+source.Kind+"."+source.ID, op.Data, source)
	case op.Kind == "stale" && len(w.seen) > 0:
		return w.seen[(op.Pick*7)%len(w.seen)]
	case op.Kind == "self" && len(w.outbox) > 0:
		e := w.outbox[0]
		w.outbox = w.outbox[1:]
		return statechart.Delivery{Event: e}
	case op.Kind == "trouble":
		return from("error.communication", map[string]any{"n": int64(1)}, statechart.Source{Kind: "send", ID: "s0"})
	}
	name := op.Name
	if op.Kind != "event" {
		name = names[op.Pick%len(names)]
	}
	return statechart.Delivery{Event: statechart.Event{Name: name, Data: op.Data}}
}
