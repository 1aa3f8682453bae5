package statechart

import "strings"

// Code identifies a kind of [Error] or [Reason]. Codes are stable: programs
// may compare them.
type Code string

// Codes of errors found by [Compile].
const (
	CodeMissing       Code = "missing"         // a required field is empty
	CodeInvalidName   Code = "invalid_name"    // a name holds what it may not
	CodeDuplicate     Code = "duplicate"       // two things of one name or id
	CodeUnknownState  Code = "unknown_state"   // a target or In that is no state
	CodeUnknownGuard  Code = "unknown_guard"   // not registered
	CodeUnknownAction Code = "unknown_action"  // not registered
	CodeUnknownSource Code = "unknown_source"  // a performer that is not registered
	CodeUnknownName   Code = "unknown_name"    // a variable, list or delay
	CodeInvalid       Code = "invalid"         // a value outside its set
	CodeNotAllowed    Code = "not_allowed"     // a field that this kind of state cannot have
	CodeTargets       Code = "illegal_targets" // targets that cannot be active together (R17)
	CodeReserved      Code = "reserved_event"  // the engine's names (R28)
	CodeExpression    Code = "bad_expression"  // the language refused it
	CodeCondition     Code = "bad_condition"   // not exactly one form
	CodeAction        Code = "bad_action"      // not exactly one form
	CodeCycle         Code = "always_cycle"    // an unguarded cycle of always
	CodeConflict      Code = "promote_conflict"
	CodeLimit         Code = "limit" // too large, too deep, too many
	CodeContextType   Code = "context_type"
	CodeSemantics     Code = "semantics"
	CodeSchema        Code = "bad_schema" // the schema language refused it
)

// Codes of reasons and of errors while running.
const (
	CodeNotTaken       Code = "not_taken"        // no transition for the event here
	CodeGuardFalse     Code = "guard_false"      // candidates, but no guard held
	CodeForbidden      Code = "forbidden"        // the chart forbids it here
	CodeDeferred       Code = "deferred"         // kept for later
	CodeUnknownEvent   Code = "unknown_event"    // the chart does not know the event
	CodeStale          Code = "stale"            // the answer of something that is over
	CodeEnded          Code = "ended"            // the session takes no events any more
	CodeReentrant      Code = "reentrant"        // sent from inside a callback
	CodeFull           Code = "deferred_full"    // limits.deferred
	CodeMicrosteps     Code = "limit_microsteps" // R29
	CodeRaised         Code = "limit_raised"     // R29
	CodeEffects        Code = "limit_effects"    // R29
	CodeFuel           Code = "limit_fuel"       // R29
	CodeUnhandled      Code = "unhandled_error"  // R21
	CodeUnknownOutcome Code = "unknown_outcome"  // R21
	CodeSender         Code = "not_from"         // the event may not come from there
	CodeData           Code = "bad_data"         // the payload does not fit its schema
	CodeInput          Code = "bad_input"        // the input does not fit its schema
	CodeStart          Code = "start_failed"     // the root's data could not be made
	CodeChartMismatch  Code = "chart_mismatch"   // a snapshot of another chart
	CodeSnapshot       Code = "bad_snapshot"     // it cannot be read
)

// Error is one thing that is wrong, with its place. It is what a user can
// meet; everything else is a plain error.
type Error struct {
	// Code is stable.
	Code Code `json:"code"`
	// Path is where: keys of the definition from the root, such as
	// "root.states.closed.on[0].target".
	Path string `json:"path,omitempty"`
	// Message is one sentence.
	Message string `json:"message"`
	// Hint says what to do, where there is something to say.
	Hint string `json:"hint,omitempty"`
	// Cause is the error behind it, if there is one.
	Cause error `json:"-"`
}

// Error returns place, message and hint in one line.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Path != "" {
		b.WriteString(e.Path)
		b.WriteString(": ")
	}
	b.WriteString(e.Message)
	if e.Hint != "" {
		b.WriteString(" (")
		b.WriteString(e.Hint)
		b.WriteString(")")
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Errors is every error of one definition, in document order.
type Errors []*Error

// Error returns the errors, one a line.
func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the single errors, for [errors.Is] and [errors.As].
func (es Errors) Unwrap() []error {
	out := make([]error, len(es))
	for i, e := range es {
		out[i] = e
	}
	return out
}
