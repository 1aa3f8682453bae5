package host

import "encoding/json"

// Kind is how a call ended.
type Kind string

// The kinds of outcome.
const (
	// KindDone: it happened; Output is what it gave.
	KindDone Kind = "done"
	// KindError: it failed; Failure says how, and whether it was executed.
	KindError Kind = "error"
	// KindUnknown: nobody saw whether it happened.
	KindUnknown Kind = "unknown"
	// KindMore: the call goes on with the effects in More.
	KindMore Kind = "more"
	// KindWait: no code runs any more; a person answers Question.
	KindWait Kind = "wait"
	// KindCancelled is given by hosts, not by performers: the call was taken
	// back. It stands in records and in results.
	KindCancelled Kind = "cancelled"
)

// Outcome is what a performer saw of a call. Use the functions that make one.
type Outcome struct {
	Kind     Kind      `json:"kind"`
	Output   any       `json:"output,omitempty"`
	Failure  *Failure  `json:"failure,omitempty"`
	More     *More     `json:"more,omitempty"`
	Question *Question `json:"question,omitempty"`
}

// Failure is why a call failed, or what little is known of it.
type Failure struct {
	// Code is for guards of charts: lower case, stable, such as
	// "rate_limited".
	Code string `json:"code"`
	// Message is one sentence for people. It must hold no secret.
	Message string `json:"message,omitempty"`
	// Status is a protocol's own number, such as that of HTTP; 0: none.
	Status int `json:"status,omitempty"`
	// Executed says that the other side has, or may have, done something. A
	// failed call that was not executed may be tried again in every mode.
	Executed bool `json:"executed,omitempty"`
	// Final forbids further attempts, whatever the policy says.
	Final bool `json:"final,omitempty"`
	// RetryAfter is the least wait before the next attempt, in milliseconds,
	// where the other side said one.
	RetryAfter int64 `json:"retryAfter,omitempty"`
	// Detail is more for the chart; JSON-like.
	Detail any `json:"detail,omitempty"`
}

// More asks for further effects before the call can end. They are stored
// under keys that derive from the call's, run side by side, and when all have
// ended the performer is called again with their results. This is how a call
// of many steps survives a crash between any two.
type More struct {
	// Effects are at most 100. None: the performer is called again at once.
	Effects []Request `json:"effects"`
	// Continuation is what the performer wants back; at most 64 KiB.
	Continuation json.RawMessage `json:"continuation,omitempty"`
}

// Request is one further effect.
type Request struct {
	Src     string `json:"src"`
	Input   any    `json:"input,omitempty"`
	Mode    Mode   `json:"mode,omitempty"` // empty: as the source's traits say
	Retry   *Retry `json:"retry,omitempty"`
	Timeout int64  `json:"timeout,omitempty"` // of one attempt, in milliseconds
}

// Question is what a person is asked. It is stored; an answer is given
// through the host, also after a restart.
type Question struct {
	// Text is the question and Detail what it is about; JSON-like.
	Text   string `json:"text"`
	Detail any    `json:"detail,omitempty"`
	// Kind is "approve", answered by a yes or a no, or "input".
	Kind string `json:"kind"`
	// Schema is the JSON Schema of the answer, nil for none.
	Schema any `json:"schema,omitempty"`
	// Who may answer: names of people or roles; empty: anybody but an agent.
	Who []string `json:"who,omitempty"`
	// Within is how long an answer is waited for, in milliseconds; 0: for
	// ever. Then Default is the answer, or if that is nil the call fails with
	// the code "expired".
	Within  int64 `json:"within,omitempty"`
	Default any   `json:"default,omitempty"`
}

// Done is the outcome of a call that happened.
func Done(output any) Outcome { return Outcome{Kind: KindDone, Output: output} }

// Fail is the outcome of a call that failed and was not executed.
func Fail(code, message string) Outcome {
	return Outcome{Kind: KindError, Failure: &Failure{Code: code, Message: message}}
}

// Failed is [Fail] with all details.
func Failed(f Failure) Outcome { return Outcome{Kind: KindError, Failure: &f} }

// Unknown is the outcome of a call of which nobody saw whether it happened.
func Unknown(code, message string) Outcome {
	return Outcome{Kind: KindUnknown, Failure: &Failure{Code: code, Message: message, Executed: true}}
}

// GoOn asks for further effects, see [More].
func GoOn(m More) Outcome { return Outcome{Kind: KindMore, More: &m} }

// Ask leaves the answer to a person.
func Ask(q Question) Outcome { return Outcome{Kind: KindWait, Question: &q} }

// Ends reports whether the call is over with this outcome.
func (o Outcome) Ends() bool { return o.Kind != KindMore && o.Kind != KindWait }

// Event is the data of the event that a chart hears of the end: the output, or
// an object with code, message, status, executed ("yes", "no", or "unknown")
// and detail.
func (o Outcome) Event() any {
	if o.Kind == KindDone {
		return o.Output
	}
	f := o.Failure
	if f == nil {
		f = &Failure{Code: string(o.Kind)}
	}
	executed := "no"
	switch {
	case o.Kind == KindUnknown:
		executed = "unknown"
	case f.Executed:
		executed = "yes"
	}
	out := map[string]any{"code": f.Code, "message": f.Message, "executed": executed}
	if f.Status != 0 {
		out["status"] = int64(f.Status)
	}
	if f.Detail != nil {
		out["detail"] = f.Detail
	}
	return out
}
