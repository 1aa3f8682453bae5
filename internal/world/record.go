package world

import (
	"fmt"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// Record is what one macrostep did. Its slices are its own; the values in
// them are shared and must not be changed.
type Record struct {
	// Session is the id of the session that took the step.
	Session string
	// Sequence is the session's number after the macrostep. An event that
	// was refused before the step leaves it where it was.
	Sequence uint64
	// Now is the world's time, in milliseconds.
	Now int64
	// Event is what was delivered; "detent.init" with the input as Data for
	// the initial macrostep, whose Origin is the parent's session.
	Event statechart.Delivery
	// Deferred is set when Event had been kept and was delivered now.
	Deferred bool
	// Cancelled is set when the session was ended from outside; the event is
	// then "detent.cancel".
	Cancelled bool
	// Result is what became of Event.
	statechart.Result
	// Status is the session's, after the macrostep.
	Status statechart.Status
	// Configuration are the paths of the active leaves, in document order.
	Configuration []string
	// Effects are what the macrostep asked for, in order.
	Effects []statechart.Effect
	// Trace is what happened inside the macrostep, in order, and After the
	// session at its end; both only with [Options.Details].
	Trace []statechart.TraceRecord
	After statechart.Snapshot
}

// String is the record in one line: session, number, event, outcome with the
// reason's code, configuration, and the status once it is not active.
func (r Record) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s#%d %s", r.Session, r.Sequence, r.Event.Name)
	if r.Deferred {
		b.WriteString(" (deferred)")
	}
	fmt.Fprintf(&b, ": %s", r.Outcome)
	if r.Reason != nil {
		fmt.Fprintf(&b, " %s", r.Reason.Code)
	}
	fmt.Fprintf(&b, " [%s]", strings.Join(r.Configuration, " "))
	if r.Status != statechart.Active {
		fmt.Fprintf(&b, " %s", r.Status)
	}
	return b.String()
}
