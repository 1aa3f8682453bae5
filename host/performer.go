package host

import (
	"context"
	"encoding/json"
)

// A Performer makes outside calls of one kind.
//
// Perform makes one attempt and says how it ended. It is called only after the
// claim of the effect is stored, from a goroutine of its own, and concurrently
// for different calls. It must return soon after ctx is done: what it returns
// then is kept as evidence. A panic counts as an outcome that nobody saw.
// Failures of the call are outcomes, not Go errors.
type Performer interface {
	// Perform makes one attempt.
	Perform(ctx context.Context, call Call) Outcome
}

// A Finder is a [Performer] that can be asked by key whether a call happened.
// It makes the mode [Reconcile] possible.
//
// Find must not make the call. [Found] adopts the outcome as the call's own,
// [Absent] says that it did not happen and can be tried, and [Unclear] is
// every other answer, an error of the look-up included: it is never taken for
// a no.
type Finder interface {
	// Find asks whether the call happened.
	Find(ctx context.Context, call Call) (Finding, Outcome)
}

// Finding is what a [Finder] learned.
type Finding string

// The findings.
const (
	Found   Finding = "found"
	Absent  Finding = "absent"
	Unclear Finding = "unclear"
)

// PerformerFunc makes a function a [Performer].
type PerformerFunc func(ctx context.Context, call Call) Outcome

// Perform calls f.
func (f PerformerFunc) Perform(ctx context.Context, call Call) Outcome { return f(ctx, call) }

// Call is one attempt of an outside call. Its values are shared with the host
// and must not be changed.
type Call struct {
	// Session, User and Chart say who calls; State is the path of the state
	// that asked for it.
	Session string `json:"session"`
	User    string `json:"user,omitempty"`
	Chart   string `json:"chart,omitempty"`
	State   string `json:"state,omitempty"`
	// Key is the same over all attempts, nodes and restarts: what the other
	// side can tell repetitions by.
	Key string `json:"key"`
	// Src is what is called, such as "tool:bank.handshake".
	Src string `json:"src"`
	// Input is the argument: nil, bool, int64, float64, string, []any or
	// map[string]any.
	Input any `json:"input,omitempty"`
	// Mode is the effective one, frozen when the effect was stored.
	Mode Mode `json:"mode"`
	// Attempt counts from 1, over restarts.
	Attempt int `json:"attempt"`
	// Choices are the events that a deciding model may choose from.
	Choices []string `json:"choices,omitempty"`
	// Timeout is how long the attempt may take, in milliseconds; 0: no limit.
	// ctx ends then; performers that can tell the other side may do so.
	Timeout int64 `json:"timeout,omitempty"`
	// Round is 0 at first, and n when the performer is called again after its
	// n-th [More]; Continuation is what that left, and Results are the ends
	// of the effects that it asked for, in the order in which it did.
	Round        int             `json:"round,omitempty"`
	Continuation json.RawMessage `json:"continuation,omitempty"`
	Results      []Result        `json:"results,omitempty"`

	// Progress reports news of a call that runs. Reports are coalesced to one
	// a second; it never blocks. Heartbeat says that the call lives, where
	// the chart demands it; Progress does, too. Neither is nil in a call that
	// a host makes.
	Progress  func(data any) `json:"-"`
	Heartbeat func()         `json:"-"`
}

// Result is how a further effect ended, which a [More] asked for.
type Result struct {
	Key     string  `json:"key"`
	Src     string  `json:"src"`
	Outcome Outcome `json:"outcome"`
}
