package statechart

// Trace collects what happens inside macrosteps, in order. It is filled
// while it is attached with [Instance.Trace]; nothing is collected, and
// nothing costs time, otherwise.
type Trace struct {
	Records []TraceRecord
}

// TraceRecord is one thing that happened.
type TraceRecord struct {
	Kind TraceKind `json:"kind"`
	// Name is the event, the state's path, the transition's place in the
	// definition or the variable, by Kind.
	Name string `json:"name"`
	// Holds and Guard are the answer of a candidate's guard, and its name.
	Holds bool   `json:"holds,omitempty"`
	Guard string `json:"guard,omitempty"`
	// Value is what was assigned or promoted.
	Value any `json:"value,omitempty"`
	// Error is the text of a guard's or an action's error.
	Error string `json:"error,omitempty"`
}

// TraceKind is the kind of a [TraceRecord].
type TraceKind string

// The kinds of trace record.
const (
	TraceEvent     TraceKind = "event"     // an event is taken up
	TraceCandidate TraceKind = "candidate" // a transition is considered
	TracePreempted TraceKind = "preempted" // it lost a conflict (R4)
	TraceTaken     TraceKind = "taken"     // its actions begin
	TraceExited    TraceKind = "exited"
	TraceEntered   TraceKind = "entered"
	TraceAssigned  TraceKind = "assigned"
	TracePromoted  TraceKind = "promoted"
	TraceRaised    TraceKind = "raised"
	TraceDeferred  TraceKind = "deferred"
	TraceRecorded  TraceKind = "recorded" // a history
	TraceError     TraceKind = "error"
)

// Trace attaches t, or nothing when it is nil. An instance that is traced
// does not use the fast path.
func (in *Instance) Trace(t *Trace) {
	if in.chart == nil || t == nil && in.rare == nil {
		return
	}
	r := in.watch()
	r.trace = t
	if t == nil && !in.inside() {
		in.settle()
	}
}

func (in *Instance) note(r TraceRecord) {
	in.rare.trace.Records = append(in.rare.trace.Records, r)
}

func (in *Instance) traceEvent(e Event) { in.note(TraceRecord{Kind: TraceEvent, Name: e.Name}) }

func (in *Instance) traceCandidate(t *transition, holds bool, err error) {
	r := TraceRecord{Kind: TraceCandidate, Name: t.place, Holds: holds}
	if t.guard != nil {
		r.Guard = t.guard.name
	}
	if err != nil {
		r.Error = err.Error()
	}
	in.note(r)
}

func (in *Instance) tracePreempted(t int32) {
	in.note(TraceRecord{Kind: TracePreempted, Name: in.chart.transitions[t].place})
}

func (in *Instance) traceTaken(t *transition) {
	in.note(TraceRecord{Kind: TraceTaken, Name: t.place})
}

func (in *Instance) traceState(kind TraceKind, s int32) {
	in.note(TraceRecord{Kind: kind, Name: in.chart.nodes[s].path})
}

func (in *Instance) traceValue(kind TraceKind, name string, v any) {
	in.note(TraceRecord{Kind: kind, Name: name, Value: v})
}

func (in *Instance) traceNote(kind TraceKind, name string) {
	in.note(TraceRecord{Kind: kind, Name: name})
}

func (in *Instance) traceRecorded(h *node, states []int32) {
	paths := make([]any, len(states))
	for i, s := range states {
		paths[i] = in.chart.nodes[s].path
	}
	in.note(TraceRecord{Kind: TraceRecorded, Name: h.path, Value: paths})
}

func (in *Instance) traceError(kind, place string, err error) {
	in.note(TraceRecord{Kind: TraceError, Name: place, Guard: kind, Error: err.Error()})
}
