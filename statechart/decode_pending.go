package statechart

import (
	"fmt"
	"slices"
)

// This file reads what of a snapshot is still to come: timers, calls and
// deferred events.

func (d *decoder) pending(m map[string]any) {
	d.counters = map[uint64]bool{}
	for i, v := range d.list("timers", m["timers"]) {
		if d.err == nil {
			d.timer(fmt.Sprintf("timers[%d]", i), v)
		}
	}
	for i, v := range d.list("live", m["live"]) {
		if d.err == nil {
			d.call(fmt.Sprintf("live[%d]", i), v)
		}
	}
	for i, v := range d.list("deferred", m["deferred"]) {
		if d.err == nil {
			d.deferred(fmt.Sprintf("deferred[%d]", i), v)
		}
	}
	if len(d.s.deferred) > d.c.limits.Deferred {
		d.bad("deferred", "more events are kept than the chart allows")
	}
	if s := &d.s; s.ended && len(s.timers)+len(s.live)+len(s.deferred) > 0 {
		d.bad("status", "a session that has ended waits for nothing")
	}
}

// counter checks that a timer or a call has a counter of its own, which the
// session has drawn.
func (d *decoder) counter(path string, s Source) {
	if s.Entry == 0 || s.Entry > d.s.counter || d.counters[s.Entry] {
		d.bad(path+".source.entry", "each timer and call has a counter of its own, up to that of the session")
	}
	d.counters[s.Entry] = true
}

func (d *decoder) timer(path string, v any) {
	m := d.object(path, v)
	d.keys(path, m, "name", "kind", "due", "source", "state", "to", "data", "period")
	t := Timer{Name: d.text(path+".name", m["name"]), Kind: d.text(path+".kind", m["kind"]), Due: d.integer(path+".due", m["due"]),
		Source: d.source(path+".source", m["source"]), Data: d.value(path+".data", m["data"]), state: -1}
	if m["to"] != nil {
		t.To = d.text(path+".to", m["to"])
	}
	if m["period"] != nil {
		t.Period = d.integer(path+".period", m["period"])
	}
	if d.err != nil {
		return
	}
	d.counter(path, t.Source)
	switch t.Kind {
	case "after", "every", "warn":
		d.ownTimer(path, m, &t)
	case "raise", "send":
		if m["state"] != nil || t.Period != 0 || t.Source.Kind != "timer" || t.Name == "" || !d.c.scxml && reserved(t.Name) || (t.To == "") != (t.Kind == "raise") {
			d.bad(path, "this is no delayed raise or send of a chart")
		}
	default:
		d.bad(path+".kind", "this is no timer of a chart")
	}
	if d.err != nil {
		return
	}
	if n := len(d.s.timers); n > 0 && !before(&d.s.timers[n-1], &t) {
		d.bad(path, "timers stand in the order of their due times and counters")
	}
	d.s.timers = append(d.s.timers, t)
}

// ownTimer checks a timer of a state.
func (d *decoder) ownTimer(path string, m map[string]any, t *Timer) {
	t.state = d.state(path+".state", m["state"])
	n := &d.c.nodes[t.state]
	t.State = n.path
	i := slices.IndexFunc(n.timed, func(x timed) bool { return x.name == t.Name && x.kind() == t.Kind })
	if i < 0 || !d.s.active.has(t.state) || t.Source != (Source{Kind: "timer", ID: t.Name, Entry: t.Source.Entry}) ||
		(t.Kind == "every") != (t.Period > 0) || t.To != "" || t.Data != nil {
		d.bad(path, "no active state has such a timer")
	}
	t.index = int32(i)
}

// before is the order in which timers fire.
func before(a, b *Timer) bool {
	return a.Due < b.Due || a.Due == b.Due && a.Source.Entry < b.Source.Entry
}

func (d *decoder) call(path string, v any) {
	m := d.object(path, v)
	d.keys(path, m, d.callKeys()...)
	l := LiveCall{Source: d.source(path+".source", m["source"]), Key: d.text(path+".key", m["key"]), Src: d.text(path+".src", m["src"]), state: -1}
	s := d.state(path+".state", m["state"])
	l.State = d.c.nodes[s].path
	d.counter(path, l.Source)
	switch l.Source.Kind {
	case "invoke":
		i := d.callIndex(path, m, s, l.Source.ID)
		if i < 0 || !d.s.active.has(s) {
			d.bad(path, "no active state makes such a call")
			return
		}
		l.state, l.index = s, int32(i)
	case "do":
	default:
		d.bad(path+".source.kind", "this is no call")
	}
	d.s.live = append(d.s.live, l)
}

func (d *decoder) deferred(path string, v any) {
	m := d.object(path, v)
	d.keys(path, m, "name", "data", "envelope")
	e := Delivery{Event: Event{Name: d.text(path+".name", m["name"]), Data: d.value(path+".data", m["data"])}}
	if m["envelope"] != nil {
		x := d.object(path+".envelope", m["envelope"])
		d.keys(path+".envelope", x, "id", "acceptedAt", "from", "effect", "sendID", "origin", "invocation")
		e.Envelope = &Envelope{ID: d.text(path, x["id"]), AcceptedAt: d.integer(path, x["acceptedAt"]), From: d.text(path, x["from"]), Effect: d.text(path, x["effect"])}
		for _, f := range e.Envelope.sender() {
			if v, given := x[f.key]; given {
				*f.text = d.filled(path+".envelope."+f.key, v)
			}
		}
	}
	if id := d.c.lookup(e.Name); d.err == nil && !d.c.scxml && (id == unmatched || reserved(e.Name)) {
		d.bad(path+".name", "the chart keeps no such event")
	}
	d.s.deferred = append(d.s.deferred, e)
}
