package performer

import (
	"fmt"

	"github.com/detent-run/detent/host"
)

// Executed says whether a call that failed did something on the other side.
type Executed string

// What is known of it.
const (
	No    Executed = "no"
	Yes   Executed = "yes"
	Maybe Executed = "unknown"
)

// Failure is what an answer of the other side means to a chart: a row of a
// tool's errors.
type Failure struct {
	// Code is for guards of charts; empty: the performer's own.
	Code string
	// Executed is [Maybe] if empty.
	Executed Executed
}

// Check says what is wrong with f.
func (f Failure) Check() error {
	switch f.Executed {
	case No, Yes, Maybe, "":
		return nil
	}
	return fmt.Errorf("executed is %q; write no, yes or unknown", f.Executed)
}

// Outcome makes f the outcome of a call: an error, or unknown where nobody
// knows whether it was executed. The rest of more stands.
func (f Failure) Outcome(more host.Failure) host.Outcome {
	if f.Code != "" {
		more.Code = f.Code
	}
	switch f.Executed {
	case No:
		more.Executed = false
		return host.Failed(more)
	case Yes:
		more.Executed = true
		return host.Failed(more)
	}
	more.Executed = true
	return host.Outcome{Kind: host.KindUnknown, Failure: &more}
}
