package durable

import (
	"context"
	"errors"
)

// Runtime is the world that an engine lives in: clock, goroutines, waiting and
// chance. [RealRuntime] is the process; internal/sim has one that is
// simulated under a seed. Its methods are safe for concurrent use.
type Runtime interface {
	// Now is the wall clock, in milliseconds since 1970. It may jump.
	Now() int64
	// Go runs f on its own. The engine counts what it starts and waits for it
	// when it closes.
	Go(name string, f func())
	// Gate makes a gate that is shut.
	Gate() Gate
	// Draw returns a random number.
	Draw() uint64
}

// A Gate is what goroutines of an engine wait at. The engine waits nowhere
// else, but for its store and its performers.
type Gate interface {
	// Open lets one waiter through: one that waits now or, if none does, the
	// next to come. Opening it again before that changes nothing.
	Open()
	// Wait returns nil once the gate was opened, [ErrTime] when the clock
	// reaches until (0: never), or the cause of ctx when that is done.
	Wait(ctx context.Context, until int64) error
}

// ErrTime is returned by [Gate.Wait] when the time has come.
var ErrTime = errors.New("the time has come")
