package durable

import (
	"strings"

	"github.com/detent-run/detent/statechart"
)

// Event is what a sender hands in.
type Event struct {
	// Session is who it is for.
	Session string
	// Name and Data are the event; Data is JSON-like.
	Name string
	Data any
	// ID is the sender's own, needed to send again safely when no answer
	// came; at most 200 bytes. Empty: the event is not known again.
	ID string
	// From is who sends: client (the default), model, human, session or tool.
	From string
	// By names the person or program, for the record.
	By string
	// Until is what the answer waits for; the zero value is [Committed].
	Until Until
}

// Until is what a call waits for before it answers.
type Until struct {
	level level
	state string
}

type level uint8

const (
	levelCommitted level = iota
	levelAccepted
	levelSettled
	levelState
	levelEnd
)

// What can be waited for.
var (
	// Committed: the event's step is durable. Of a suspended or parked
	// session: the event stands in its inbox.
	Committed = Until{}
	// Accepted: the event stands in the inbox, durably.
	Accepted = Until{level: levelAccepted}
	// Settled: besides, no event waits and no outside call runs, or the
	// session takes none any more.
	Settled = Until{level: levelSettled}
	// End: the session is over.
	End = Until{level: levelEnd}
)

// NamedUntil finds one of these by what String calls it.
func NamedUntil(name string) (u Until, ok bool) {
	for _, u := range []Until{Committed, Accepted, Settled, End} {
		if u.String() == name {
			return u, true
		}
	}
	return Until{}, false
}

// String names what is waited for: committed, accepted, settled, end, or the
// word state with a path.
func (u Until) String() string {
	if u.level == levelState {
		return statePrefix + u.state
	}
	return [...]string{levelCommitted: "committed", levelAccepted: "accepted", levelSettled: "settled", levelEnd: "end"}[u.level]
}

const statePrefix = "state "

// readUntil reads what String wrote.
func readUntil(text string) Until {
	if path, ok := strings.CutPrefix(text, statePrefix); ok {
		return InState(path)
	}
	u, _ := NamedUntil(text)
	return u
}

// InState waits until the state is active, or the session is over.
func InState(path string) Until { return Until{level: levelState, state: path} }

// Answer is what a sender is told. An event that the chart does not take is
// an answer, not an error.
type Answer struct {
	Session string `json:"session"`
	// Position is the event's place in the order of everything accepted.
	Position uint64 `json:"position"`
	// Sequence is the journal row that records it, 0 while it is queued.
	Sequence uint64 `json:"sequence,omitempty"`
	// Queued: it stands in the inbox and is not taken up yet.
	Queued bool `json:"queued,omitempty"`
	// Duplicate: the id was known, and this is the first one's answer.
	Duplicate bool `json:"duplicate,omitempty"`
	// Outcome and Reason are those of the step.
	Outcome statechart.Outcome `json:"-"`
	Reason  *statechart.Reason `json:"reason,omitempty"`
	// Status and Configuration are the session's after the step, or, when
	// something was waited for, after that.
	Status        Status   `json:"status"`
	Configuration []string `json:"configuration"`

	snap statechart.Snapshot
}

// Next are the events possible after the step, in the order of the chart.
func (a Answer) Next() []statechart.PossibleEvent { return possible(a.snap) }

// possible lists what the session waits for.
func possible(s statechart.Snapshot) []statechart.PossibleEvent {
	var in statechart.Instance
	if s.IsZero() || s.Chart().Resume(&in, s) != nil {
		return nil
	}
	return in.Events()
}

// Start is what a new session begins with.
type Start struct {
	// ID is the session's; at most 200 bytes, no "/". Empty: one is drawn.
	// Starting an id again with the same chart and input is a duplicate, with
	// others a conflict.
	ID string
	// Chart is the id of one of the engine's charts, or a digest.
	Chart string
	Input any
	// Context is a pointer to the typed context that the chart's registered
	// functions take; nil makes a zero one. It is kept as encoding/json writes
	// it, and is the engine's from then on. Only an engine of this process can
	// be given one.
	Context any
	User    string
	Tags    []string
	// Priority decides who gets a scarce resource; higher is first.
	Priority int
	Until    Until
}
