package statechart

// Effect is something that a macrostep asks its host to do. The core
// performs nothing (R23): effects are data, in the order in which they were
// asked for, and must be stored in one transaction with the state BEFORE any
// of them is performed.
type Effect struct {
	// Type says what is asked and which of the fields below are set.
	Type EffectType `json:"type"`
	// Sequence is the macrostep's number and Index the effect's place in it;
	// with the session's id they make the key.
	Sequence uint64 `json:"sequence"`
	Index    int    `json:"index"`
	// Key is the same over attempts, nodes and restarts: a hash of (session,
	// sequence, index), or of (session, src, declared key). Set for Invoke,
	// Do and Send; of Stop it is the key of the call to stop.
	Key string `json:"key,omitempty"`
	// State is the path of the state whose block asked for it ("" the root).
	State string `json:"state,omitempty"`
	// Source is where the answer goes: the host puts it into the [Envelope]
	// of the event that answers.
	Source Source `json:"source,omitzero"`
	// Event is the name of the event to send or emit, or of the timer.
	Event string `json:"event,omitempty"`
	// To is the receiver of a Send: "self", "parent", an invocation's or a
	// session's id.
	To string `json:"to,omitempty"`
	// Data is the payload, the input of a call, the logged value, the
	// appended element, the warning's text, or the output of the end.
	Data any `json:"data,omitempty"`
	// Name is the list of an Append, the level of a Log, the status of End.
	Name string `json:"name,omitempty"`
	// Due is when a timer fires, in milliseconds.
	Due int64 `json:"due,omitempty"`
	// Call holds what an Invoke or a Do says beside its input.
	Call *CallOptions `json:"call,omitempty"`
	// Envelope is what the event of a Forward says of its sender. It is
	// shared with other effects and must not be changed.
	Envelope *Envelope `json:"envelope,omitempty"`
}

// CallOptions is what a chart says of an outside call, evaluated.
type CallOptions struct {
	Src  string `json:"src"`
	Mode string `json:"mode,omitempty"`
	// DeclaredKey is the chart's own key; nil when it gave none.
	DeclaredKey any `json:"declaredKey,omitempty"`
	// Timeout and Heartbeat are in milliseconds; zero is none.
	Timeout   int64          `json:"timeout,omitempty"`
	Heartbeat int64          `json:"heartbeat,omitempty"`
	Retry     map[string]any `json:"retry,omitempty"`
	Approval  map[string]any `json:"approval,omitempty"`
	Choices   []string       `json:"choices,omitempty"`
}

// EffectType is the kind of an [Effect].
type EffectType string

// The kinds of effect.
const (
	// EffectInvoke starts a call that belongs to a state.
	EffectInvoke EffectType = "invoke"
	// EffectDo starts a call that the state does not wait for.
	EffectDo EffectType = "do"
	// EffectStop cancels a running call.
	EffectStop EffectType = "stop"
	// EffectSend sends an event; to "self" it goes to the end of the inbox.
	EffectSend EffectType = "send"
	// EffectForward passes the event of this macrostep on, unchanged and with
	// what is known of its sender, to the call in Source (R37).
	EffectForward EffectType = "forward"
	// EffectSchedule arms a timer, EffectUnschedule takes it back. The
	// snapshot holds the same timers; the effects say what changed.
	EffectSchedule   EffectType = "schedule"
	EffectUnschedule EffectType = "unschedule"
	// EffectAppend adds a row to an append-only list.
	EffectAppend EffectType = "append"
	// EffectEmit publishes an event to subscribers.
	EffectEmit EffectType = "emit"
	// EffectLog writes to the log and the journal.
	EffectLog EffectType = "log"
	// EffectWarn records a warning.
	EffectWarn EffectType = "warn"
	// EffectEnd reports the end of the session with its output.
	EffectEnd EffectType = "end"
)
