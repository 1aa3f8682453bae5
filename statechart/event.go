package statechart

// Event is what an instance reacts to. It is passed by value and never
// changed. Data is shared, not copied: whoever keeps a reference to it must
// not write to it after the event was sent.
//
// Its size is four words and no more, because that is what the compiler keeps
// in registers over the callbacks of a step.
type Event struct {
	// Name is matched against the descriptors of transitions.
	Name string `json:"name"`
	// Data is the payload. Charts without typed contexts, and everything
	// that is encoded, need JSON-like data: nil, bool, int64, float64,
	// string, []any, map[string]any.
	Data any `json:"data,omitempty"`
}

// Delivery is an [Event] as a host hands it over: with what it knows of it.
type Delivery struct {
	Event
	// Envelope is nil for a plain event.
	Envelope *Envelope `json:"envelope,omitempty"`
}

// engine reports whether the event is one of the engine's.
func (d *Delivery) engine() bool { return d.Envelope != nil && d.Envelope.Source.Kind != "" }

// Envelope carries what a host knows of an [Event] beside its payload.
type Envelope struct {
	// ID is the sender's, for deduplication by the host.
	ID string `json:"id,omitempty"`
	// AcceptedAt is when the host accepted the event, in milliseconds.
	AcceptedAt int64 `json:"acceptedAt,omitempty"`
	// From is who sent it: client, model, human, session, tool.
	From string `json:"from,omitempty"`
	// Source is set by hosts only, on the engine's own events: what the
	// event is the answer of. An event without it may not bear a reserved
	// name (R28); a client's event must never be given one.
	Source Source `json:"source,omitzero"`
	// Effect is the key of the effect that the event is an outcome of.
	Effect string `json:"effect,omitempty"`
	// Of an event that a session sent: SendID is the id that its author gave
	// to the send, Origin the sender's session id, and Invocation, when the
	// sender is a child of the receiver, the id of the call that started it.
	SendID     string `json:"sendID,omitempty"`
	Origin     string `json:"origin,omitempty"`
	Invocation string `json:"invocation,omitempty"`
}

// Source is where an effect's answer goes: it is given out with the effect
// and comes back in the event's [Envelope]. Engine events match by ID and
// Entry together, so an answer to an earlier entry of a state never reaches
// a later one (R26).
type Source struct {
	// Kind is "invoke", "do", "timer" or "send". Empty: not the engine's.
	Kind string `json:"kind,omitempty"`
	// ID is the invocation's, the do's or the send's id.
	ID string `json:"id,omitempty"`
	// Entry is the counter that the effect was given when it was made.
	Entry uint64 `json:"entry,omitempty"`
}

// EventID is an event name resolved for one chart by [Chart.EventID]. With
// it [Instance.SendID] needs no look-up by name. It means nothing to another
// chart.
type EventID uint32

// Result is what became of one event.
type Result struct {
	// Outcome is always set.
	Outcome Outcome
	// Reason is nil when the event was taken. Otherwise it says why not; it
	// may be shared between results and must not be changed.
	Reason *Reason
}

// Outcome says what became of an event. Each is recorded; none is an error
// of the caller.
type Outcome uint8

// The outcomes.
const (
	// Ignored: no transition takes the event here, or it is forbidden here.
	Ignored Outcome = iota
	// Taken: at least one transition was taken.
	Taken
	// Deferred: kept until a transition takes it (R32).
	Deferred
	// Refused: turned away with nothing changed.
	Refused
	// Failed: the macrostep went past a bound and was undone, or an error
	// that nothing took ended the session (R21, R29).
	Failed
)

var outcomeNames = [...]string{"ignored", "taken", "deferred", "refused", "failed"}

// String returns the outcome's name as it stands in journals.
func (o Outcome) String() string {
	if int(o) < len(outcomeNames) {
		return outcomeNames[o]
	}
	return "unknown"
}

// Reason is why an event was not simply taken.
type Reason struct {
	// Code is stable.
	Code Code `json:"code"`
	// Message is one sentence for people.
	Message string `json:"message"`
	// Place is the path of the state or the transition at fault, if one is.
	Place string `json:"place,omitempty"`
	// Cycle lists the configurations of the last microsteps when a bound was
	// passed, oldest first (R29).
	Cycle []string `json:"cycle,omitempty"`
}

// Status is the standing of an instance.
type Status string

// The statuses of the core. Suspended and expired are a host's.
const (
	// Active: takes events.
	Active Status = "active"
	// Completed: a final state of the root was entered.
	Completed Status = "completed"
	// FailedStatus: ended by a final state with status failed, by an error
	// that nothing took, or by a bound passed on the engine's own event.
	FailedStatus Status = "failed"
	// Cancelled: ended by [Instance.Cancel].
	Cancelled Status = "cancelled"
	// Parked: an unknown outcome of an invocation that nothing takes (R21).
	Parked Status = "parked"
)
