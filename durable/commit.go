package durable

import "errors"

// unit is what one turn wants stored: the changes to its session and, in the
// same transaction, what they mean for others.
type unit struct {
	session *session
	now     int64 // the time of the turn
	changes []Change
	// after is done, under the engine's lock, once the unit is durable.
	after []func()
	// lost is done, under the engine's lock, when it is not, or nobody knows.
	lost []func(err error)
	// promises are kept after either.
	promises []kept
	again    []*control
}

// kept is what a promise is fulfilled with once the unit is durable.
type kept struct {
	promise *promise
	answer  any
	err     error
}

// settle tells those who wait how the unit ended.
func (u *unit) settle(err error) {
	for _, k := range u.promises {
		if err != nil {
			k.promise.keep(nil, err)
		} else {
			k.promise.keep(k.answer, k.err)
		}
	}
}

// submit hands a unit to the committer.
func (e *Engine) submit(u *unit) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.failure; err != nil {
		u.settle(err)
		return
	}
	e.units = append(e.units, u)
	e.commits.Open()
}

// committer stores what the workers hand in: everything that waits goes into
// one transaction, and so into one sync.
func (e *Engine) committer() {
	defer e.committerEnds()
	for {
		e.mu.Lock()
		n := min(len(e.units), e.config.Group)
		group := append([]*unit(nil), e.units[:n]...)
		e.committing = group
		e.units = append(e.units[:0], e.units[n:]...)
		now, over := e.now(), n == 0 && e.lastCommitted()
		e.mu.Unlock()
		if over {
			return
		}
		if n == 0 {
			if e.commits.Wait(e.context, 0) != nil {
				return
			}
			continue
		}
		if !e.commitGroup(group, now) {
			return
		}
	}
}

// commitGroup commits one group and tells everybody. It reports whether the engine
// can go on.
func (e *Engine) commitGroup(group []*unit, now int64) bool {
	err := e.commit(group, now)
	var stale *StaleError
	if errors.As(err, &stale) && len(group) > 1 {
		for _, u := range group { // the others are not to blame
			if !e.commitGroup([]*unit{u}, now) {
				return false
			}
		}
		return true
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if errors.Is(err, ErrFenced) || errors.Is(err, ErrBroken) {
		for _, u := range group {
			u.settle(storeProblem(err, u.session.id))
		}
		e.failLocked(err)
		return false
	}
	for _, u := range group {
		if err != nil {
			e.lose(u, err)
		} else {
			e.losses = 0
			e.publish(u)
		}
	}
	return true
}

func (e *Engine) commit(group []*unit, now int64) error {
	n := 0
	for _, u := range group {
		n += len(u.changes)
	}
	c := Commit{Epoch: e.lease.Epoch, Clock: now, Changes: make([]Change, 0, n)}
	for _, u := range group {
		c.Changes = append(c.Changes, u.changes...)
	}
	hit("commit.before")
	err := e.cutOff(e.store.Commit(e.context, c))
	if err == nil {
		hit("commit.after")
	}
	return err
}

// publish does what may only happen once the unit is durable. The engine's
// lock is held.
func (e *Engine) publish(u *unit) {
	s := u.session
	for _, f := range u.after {
		f()
	}
	hit("ack.before")
	u.settle(nil)
	hit("ack.after")
	if len(u.changes) > 0 {
		s.broke = 0
	}
	if s.exists {
		if e.agenda.set(s.id, s.nextDue(u.now)) {
			e.time.Open()
		}
		e.tellWaiters(s)
	} else {
		e.agenda.set(s.id, 0)
	}
	for _, w := range e.watchers[s.id] {
		w.gate.Open()
	}
	// What a quiet session has queued waits for its resumption.
	if len(s.control) > 0 || s.head.Status == Active && (len(s.events) > 0 || s.more) || !s.exists && len(s.events) > 0 {
		s.again = true
	}
	e.rest(s)
}

// lose ends a unit that was not stored, or of which nobody knows whether it
// was: the session is dropped from memory and read again (D6).
func (e *Engine) lose(u *unit, err error) {
	e.log.Error("a commit failed", "session", u.session.id, "error", err.Error())
	e.forget(u.session)
	for _, f := range u.lost {
		f(err)
	}
	u.settle(storeProblem(err, u.session.id))
	u.session.control = append(u.again, u.session.control...)
	if e.losses++; errors.Is(err, ErrFull) || e.losses > quickRetries {
		// Nothing is tried again before some time has passed, or somebody asks.
		u.session.busy = false
		e.agenda.retries = append(e.agenda.retries, Due{u.session.id, e.now() + retryAfter})
		e.time.Open()
		return
	}
	u.session.again = true
	e.rest(u.session)
}

// retryAfter is how long a session waits, in milliseconds, before it is tried
// again when the disk was full, or when more than quickRetries commits in a
// row have failed.
const (
	retryAfter   = 1000
	quickRetries = 10
)
