package statechart

import (
	"slices"
	"strconv"
	"strings"
)

// isSession reports whether a kind of process is an SCXML session (6.4).
func isSession(kind string) bool {
	switch strings.TrimSuffix(kind, "/") {
	case "", "scxml", "http://www.w3.org/TR/scxml":
		return true
	}
	return false
}

// callPrefix is what the made-up ids of a state's calls begin with (6.4.1).
func (c *Chart) callPrefix(state int32) string {
	if id := c.nodes[state].id; id != "" {
		return id + "."
	}
	return c.nodes[state].path + "."
}

// nameCall gives an SCXML call its id and stores it where the document wants
// it, and refuses a kind of process that cannot be started.
func (in *Instance) nameCall(p *pendingCall) error {
	v := &in.chart.nodes[p.state].invocations[p.index]
	p.id = v.id
	if v.def.ID == "" {
		in.rare.ids++
		p.id = in.chart.callPrefix(p.state) + strconv.FormatUint(in.rare.ids, 10)
	}
	s := Scope{in: in, state: p.state}
	if v.idLocation != nil {
		if err := v.idLocation(&s, p.id); err != nil {
			return err
		}
	}
	kind, err := s.textOf(v.kind, "type of a call")
	if err == nil && !isSession(kind) {
		err = &Error{Code: CodeInvalid, Message: "no process of the kind " + quote(kind) + " can be started"}
	}
	return err
}

// finalize runs the block of the call that an external event comes from,
// before the event is looked at (R36).
func (in *Instance) finalize(e *Delivery) {
	r := in.rare
	if len(r.live) == 0 || e.Envelope == nil {
		return
	}
	for _, l := range in.liveInOrder() {
		if l.Source != e.Envelope.Source && (e.Envelope.Invocation == "" || l.Source.ID != e.Envelope.Invocation) {
			continue
		}
		in.runBlock(in.chart.nodes[l.state].invocations[l.index].finalize, l.state)
	}
}

// forward passes an external event on to the calls that want all (R37). An
// error of a send is the session's own, whoever found it out.
func (in *Instance) forward(e *Delivery) {
	if len(in.rare.live) == 0 || e.engine() && e.Envelope.Source.Kind == "send" {
		return
	}
	var passed *Envelope
	for _, l := range in.liveInOrder() {
		if !in.chart.nodes[l.state].invocations[l.index].def.Forward {
			continue
		}
		if passed == nil {
			passed = e.passedOn()
		}
		in.effect(Effect{Type: EffectForward, Key: l.Key, State: l.State, Event: e.Name, Data: e.Data, Source: l.Source, Envelope: passed})
	}
}

// passedOn is the envelope of the copy of an event: it says the same of its
// sender, and it answers nothing.
func (d *Delivery) passedOn() *Envelope {
	var out Envelope
	if d.Envelope != nil {
		out = *d.Envelope
	}
	if kind := out.Source.Kind; kind == "invoke" || kind == "do" {
		out.Invocation = out.Source.ID
	}
	out.Source, out.Effect = Source{}, ""
	return &out
}

// liveInOrder returns the running calls of states, in document order.
func (in *Instance) liveInOrder() []LiveCall {
	calls := slices.DeleteFunc(slices.Clone(in.rare.live), func(l LiveCall) bool { return l.state < 0 })
	slices.SortStableFunc(calls, func(a, b LiveCall) int {
		if a.state != b.state {
			return int(a.state - b.state)
		}
		return int(a.index - b.index)
	})
	return calls
}
