package durable

import (
	"context"
	"errors"
	"fmt"

	"github.com/detent-run/detent/statechart"
)

// Codes of errors that an engine's caller can meet; errors are
// [*statechart.Error].
const (
	CodeStoreFailed   statechart.Code = "store_failed"    // the engine stopped: nothing more is acknowledged
	CodeOwned         statechart.Code = "store_owned"     // another engine has the store
	CodeFull          statechart.Code = "disk_full"       // refused, nothing was changed; it may pass
	CodeOverload      statechart.Code = "overload"        // refused before acceptance: too much waits
	CodeClosed        statechart.Code = "closed"          // the engine is closing
	CodeNoSession     statechart.Code = "no_such_session" // no session of the id
	CodeNoChart       statechart.Code = "no_such_chart"   // no chart of the id or digest
	CodeSessionExists statechart.Code = "session_exists"  // another start has the id
	CodeConflict      statechart.Code = "event_conflict"  // one event id, two payloads
	CodeStatus        statechart.Code = "wrong_status"    // the session's status does not allow it
	CodeNoEffect      statechart.Code = "no_such_effect"  // nothing of the id can be settled or answered
	CodeAnswer        statechart.Code = "answer_refused"  // who, what or when does not fit the question
	CodeBadID         statechart.Code = "bad_id"          // an id that cannot be kept
	CodeDamaged       statechart.Code = "damaged"         // a row cannot be what was written
	CodePoison        statechart.Code = "poison"          // the session broke the engine's step
	CodeDocument      statechart.Code = "bad_export"      // a document that is no export
	CodeNotRepeatable statechart.Code = "not_repeatable"  // an at_most_once call is never repeated unasked
)

func problem(code statechart.Code, hint, format string, args ...any) *statechart.Error {
	return &statechart.Error{Code: code, Message: fmt.Sprintf(format, args...), Hint: hint}
}

func noSession(id string) *statechart.Error {
	return problem(CodeNoSession, "detent ps lists the sessions of a store", "there is no session %q", id)
}

// storeProblem gives a store's error the form that callers know.
func storeProblem(err error, session string) error {
	var known *statechart.Error
	switch {
	case err == nil || errors.As(err, &known) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, ErrNotFound):
		return noSession(session)
	case errors.Is(err, ErrFull):
		return &statechart.Error{Code: CodeFull, Message: "the disk is full; nothing was changed", Hint: "free some space and send again", Cause: err}
	case errors.Is(err, ErrDamaged):
		return &statechart.Error{Code: CodeDamaged, Message: fmt.Sprintf("what is stored of the session %q cannot be read: %v", session, err),
			Hint: "detent verify says where; restore a backup, or delete the session", Cause: err}
	}
	return &statechart.Error{Code: CodeStoreFailed, Message: "the store failed: " + err.Error(),
		Hint: "start again: what was acknowledged is there", Cause: err}
}

func errClosed() error {
	return problem(CodeClosed, "open the store again", "the engine is closed")
}
