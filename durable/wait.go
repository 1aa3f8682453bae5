package durable

import (
	"context"
	"slices"
	"strings"
)

// waiter waits for a session to be somewhere.
type waiter struct {
	until   Until
	promise *promise
}

// Wait waits until the session is where until says, and returns it. A session
// that is over, suspended or parked ends the waiting, too: look at the status.
func (e *Engine) Wait(ctx context.Context, session string, until Until) (View, error) {
	if err := ctx.Err(); err != nil {
		return View{}, err
	}
	w := &waiter{until: until, promise: e.promise()}
	e.mu.Lock()
	if err := e.usable(); err != nil {
		e.mu.Unlock()
		return View{}, err
	}
	e.waiters[session] = append(e.waiters[session], w)
	// A turn without work looks at the waiters: only the memory knows whether
	// something is on its way.
	e.order(session, &control{do: func(*turn) error { return nil }, dropped: func(err error) { w.promise.keep(nil, err) }})
	e.mu.Unlock()
	_, err := e.await(ctx, w.promise)
	e.mu.Lock()
	e.waiters[session] = slices.DeleteFunc(e.waiters[session], func(o *waiter) bool { return o == w })
	if len(e.waiters[session]) == 0 {
		delete(e.waiters, session)
	}
	e.mu.Unlock()
	if err != nil {
		return View{}, err
	}
	return e.Get(ctx, session)
}

// tellWaiters keeps the promises that have come true with the last commit.
// The engine's lock is held.
func (e *Engine) tellWaiters(s *session) {
	for _, w := range e.waiters[s.id] {
		if s.reached(w.until) {
			w.promise.keep(nil, nil)
		}
	}
}

// reached reports whether the session is where a waiter wants it.
func (s *session) reached(u Until) bool {
	if s.head.Status != Active {
		return true
	}
	switch u.level {
	case levelState:
		return slices.ContainsFunc(s.head.Configuration, func(path string) bool {
			return path == u.state || strings.HasPrefix(path, u.state+".")
		})
	case levelSettled:
		return s.settled()
	case levelEnd:
		return false
	}
	return true
}

// settled reports whether nothing happens unless time passes or somebody
// sends.
func (s *session) settled() bool {
	if len(s.events) > 0 || s.more {
		return false
	}
	for _, f := range s.effects {
		if f.runs() {
			return false
		}
	}
	return true
}
