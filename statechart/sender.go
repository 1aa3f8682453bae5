package statechart

// Sender is what is known of where the event in process came from: what
// SCXML's _event says of it beside its name and data (5.10.1).
type Sender struct {
	// Type is "external", "internal" for an event that the chart raised, or
	// "platform" for one that the engine raised itself, such as
	// error.execution. It is empty while a session starts, before its first
	// event.
	Type string
	// SendID is the id that its author gave to the send; of an error event,
	// the id of the send that failed.
	SendID string
	// Origin is the id of the session that sent it.
	Origin string
	// Invocation is the id of the call that it comes from.
	Invocation string
}

// Sender returns what is known of the sender of the event in process.
func (s *Scope) Sender() Sender {
	r := s.in.rare
	if r.internal {
		kind := "internal"
		if r.inner.platform {
			kind = "platform"
		}
		return Sender{Type: kind, SendID: r.inner.sendID}
	}
	if r.event.Name == "" || r.event.Name == "detent.init" {
		return Sender{}
	}
	out := Sender{Type: "external"}
	e := r.envelope
	if e == nil {
		return out
	}
	out.SendID, out.Origin, out.Invocation = e.SendID, e.Origin, e.Invocation
	switch e.Source.Kind {
	case "invoke", "do":
		out.Invocation = e.Source.ID
	case "send":
		out.Type, out.SendID = "platform", e.Source.ID
	}
	return out
}

// queued is an event on the internal queue.
type queued struct {
	Event
	sendID   string
	platform bool // raised by the engine
}
