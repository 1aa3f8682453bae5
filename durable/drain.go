package durable

import (
	"context"
	"errors"
	"math"
)

// errDrained is why the context of a call ends when the engine is drained.
var errDrained = errors.New("the engine is ending")

// Drain brings the engine to rest before it is closed: no call is claimed any
// more and no event comes in; calls that run have so many milliseconds to end
// (0: Config.Drain, [UntilTheyEnd]), and then their contexts are cancelled.
// What has not ended is dealt with by its mode when the store is opened again.
// It returns when no call runs, or when ctx is done.
func (e *Engine) Drain(ctx context.Context, patience int64) error {
	e.mu.Lock()
	e.draining = true
	deadline := int64(math.MaxInt64)
	if patience == 0 {
		patience = e.config.Drain
	}
	if patience > 0 {
		deadline = e.runtime.Now() + patience
	}
	e.mu.Unlock()
	gate := e.runtime.Gate()
	cut := false
	for {
		e.mu.Lock()
		n := 0
		for _, a := range e.attempts() {
			if !a.over {
				n++
				if cut {
					a.cancel(errDrained)
				}
			}
		}
		busy := len(e.ready) > 0 || len(e.units) > 0
		over := e.usable() != nil
		e.mu.Unlock()
		if over || n == 0 && !busy {
			return nil
		}
		now := e.runtime.Now()
		if !cut && now >= deadline {
			cut = true
			continue
		}
		if cut && now >= deadline+drainGrace {
			return nil // performers that do not listen
		}
		if err := gate.Wait(ctx, now+drainPace); err != nil && !errors.Is(err, ErrTime) {
			return err
		}
	}
}

// UntilTheyEnd lets [Engine.Drain] wait for running calls however long they
// take.
const UntilTheyEnd = -1

// drainPace is how often Drain looks, and drainGrace how long it waits for
// calls that were cut off; milliseconds.
const (
	drainPace  = 20
	drainGrace = 2000
)
