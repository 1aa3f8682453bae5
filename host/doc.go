// Package host holds the words that all hosts of charts share: what is handed
// to the side that makes an outside call, what it gives back, when it is tried
// again, and the record of one step.
//
// A chart asks for an outside call as an effect; a host stores the effect with
// the step that asked for it and only then lets a [Performer] make the call.
// What the performer saw comes back as an [Outcome] and reaches the chart as an
// event.
package host
