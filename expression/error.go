package expression

import (
	"errors"
	"fmt"

	"github.com/detent-run/detent/statechart"
)

// Error is what is wrong with an expression, or went wrong in it. Fuel that
// is spent is no Error: that is the macrostep's own.
type Error struct {
	// Code is stable: [statechart.CodeExpression] for the language itself,
	// [statechart.CodeUnknownName] and [statechart.CodeUnknownState] for
	// names, [statechart.CodeLimit] for a bound.
	Code statechart.Code
	// Offset is where in the source it is, in bytes from its beginning.
	Offset int
	// Message is one sentence.
	Message string
	// Hint says what to do, where there is something to say.
	Hint string
}

// Error returns message and hint in one line.
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + " (" + e.Hint + ")"
}

// Diagnose returns code and hint, for errors that wrap this one.
func (e *Error) Diagnose() (statechart.Code, string) { return e.Code, e.Hint }

// unplaced is the offset of an error that does not know its place yet.
const unplaced = -1

// wrong is an error of a value; the part of the expression in which it
// happens adds the place.
func wrong(hint, format string, args ...any) *Error {
	return &Error{Code: statechart.CodeExpression, Offset: unplaced, Message: fmt.Sprintf(format, args...), Hint: hint}
}

// tooMuch is an error of a bound.
func tooMuch(hint, format string, args ...any) *Error {
	e := wrong(hint, format, args...)
	e.Code = statechart.CodeLimit
	return e
}

// placed gives an error its place unless it has one.
func placed(err error, at int) error {
	if e, ok := errors.AsType[*Error](err); ok && e.Offset == unplaced {
		e.Offset = at
	}
	return err
}
