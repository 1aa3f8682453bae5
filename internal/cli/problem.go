package cli

import "fmt"

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
