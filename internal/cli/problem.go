package cli

import (
	"errors"
	"fmt"
	"io"
	"syscall"
)

// The exit codes.
const (
	exitOK       = 0 // done
	exitFailed   = 1 // diagnostics, a difference, or it could not be done
	exitUsage    = 2 // the command line itself is wrong
	exitNotTaken = 3 // an event was ignored or refused
)

// problem is what a command tells its user on standard error before it ends.
// Every one has a hint.
type problem struct {
	message, hint string
	exit          int
	more          []string // further messages, each for a line of its own
}

// Error returns message and hint in one line.
func (p *problem) Error() string {
	if p.hint == "" {
		return p.message
	}
	return p.message + " (" + p.hint + ")"
}

// failure is a problem of what the command works on.
func failure(message, hint string) *problem {
	return &problem{message: message, hint: hint, exit: exitFailed}
}

// usage is a problem of the command line.
func usage(message, hint string) *problem {
	return &problem{message: message, hint: hint, exit: exitUsage}
}

// notTaken is a problem of what should happen to a session.
func notTaken(message, hint string) *problem {
	return &problem{message: message, hint: hint, exit: exitNotTaken}
}

// exit ends a command that has said all there is to say.
type exit int

// Error names the code; nobody is shown it.
func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// output remembers the first error of a stream and writes nothing after it,
// so that commands need not look at each print.
type output struct {
	io.Writer
	err error
}

// Write is that of the stream until it fails.
func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.Writer.Write(p)
	o.err = err
	return n, err
}

// broken tells whether nobody reads the stream any more, as when the reader
// is "head".
func (o *output) broken() bool {
	return errors.Is(o.err, syscall.EPIPE) || errors.Is(o.err, io.ErrClosedPipe)
}
