package durable

import (
	"context"
	"errors"
)

// Close ends the engine in this order. The doors: nothing new comes in, no
// request is served, no timer fires, and the contexts of running calls are
// cancelled. The workers: each finishes the turn that it is in. The committer:
// what the workers handed in is committed and acknowledged. Whoever still
// waits is told that the engine is closed, and that means: not accepted.
//
// [Engine.Drain] before it lets calls end. Those that were cut off are dealt
// with by their mode when the store is opened again. Close returns when
// everything has ended; a store or a performer that does not come back is
// given up after five seconds, with an error. Twice is fine.
func (e *Engine) Close() error {
	e.mu.Lock()
	if !e.closing {
		e.closing = true
		e.shut(e.usable())
		e.commits.Open() // the committer waits for the workers now
	}
	e.mu.Unlock()
	if e.ended(e.runtime.Now() + closeGrace) {
		return nil
	}
	e.mu.Lock()
	for _, u := range e.committing {
		u.settle(storeProblem(errCut, ""))
	}
	e.cancel(errClosed()) // somebody hangs: nothing more is acknowledged
	e.abandon(errClosed())
	e.mu.Unlock()
	if e.ended(e.runtime.Now() + closeGrace/5) {
		return nil
	}
	return problem(CodeClosed, "end the process: what was acknowledged is stored", "the engine is closed, and a store or a performer has not come back")
}

// closeGrace is how long Close waits for a store or a performer, in
// milliseconds.
const closeGrace = 5000

// ended waits until nothing of the engine runs, and reports whether that came
// before the time was up.
func (e *Engine) ended(until int64) bool {
	for {
		e.mu.Lock()
		n := e.running
		e.mu.Unlock()
		if n == 0 {
			e.over.Open() // for others who close
			return true
		}
		if err := e.over.Wait(context.Background(), until); errors.Is(err, ErrTime) {
			return false
		}
	}
}

// workerEnds counts a worker out. The committer waits for the last.
func (e *Engine) workerEnds() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.steppers--
	e.commits.Open()
}

// lastCommitted reports whether there is nothing left to commit for good. The
// engine's lock is held.
func (e *Engine) lastCommitted() bool { return e.closing && e.steppers == 0 && len(e.units) == 0 }

// committerEnds tells those who are left, and ends what may still run.
func (e *Engine) committerEnds() {
	e.mu.Lock()
	defer e.mu.Unlock()
	err := e.failure
	if err == nil {
		err = errClosed()
	}
	e.abandon(err)
	e.cancel(err)
}

// abandon tells everybody who waits that nothing will come. The engine's lock
// is held.
func (e *Engine) abandon(err error) {
	for _, s := range e.sessions {
		for _, c := range s.control {
			c.promise.keep(nil, err)
		}
		for _, m := range s.events {
			m.promise.keep(nil, err)
		}
	}
	for _, u := range e.units {
		u.settle(err)
	}
	e.units = nil
	for _, list := range e.waiters {
		for _, w := range list {
			w.promise.keep(nil, err)
		}
	}
	for _, list := range e.watchers {
		for _, w := range list {
			w.gate.Open()
		}
	}
}

// errCut is what became of a commit that did not come back before the engine
// ended: nobody knows.
var errCut = errors.New("the engine ended before the commit came back")

// cutOff says so of an error.
func (e *Engine) cutOff(err error) error {
	if err != nil && e.context.Err() != nil {
		return errCut
	}
	return err
}
