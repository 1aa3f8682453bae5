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

// settle tells those who wait that the unit was not stored. The engine's lock
// is held.
func (u *unit) settle(err error) {
	for _, k := range u.promises {
		k.promise.keep(nil, err)
	}
}

// acknowledge tells those who wait how the unit ended, which is published. It
// is called without the engine's lock: who waits goes on at once, and with a
// lock that is held would only wait again.
func (u *unit) acknowledge() {
	hit("ack.before")
	for _, k := range u.promises {
		k.promise.keep(k.answer, k.err)
	}
	hit("ack.after")
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
	if err == nil {
		e.publishGroup(group)
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
		e.lose(u, err)
	}
	return true
}

func (e *Engine) publishGroup(group []*unit) {
	e.mu.Lock()
	e.losses = 0
	for _, u := range group {
		e.publish(u)
	}
	e.mu.Unlock()
	for _, u := range group {
		u.acknowledge()
	}
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

// publish does what may only happen once the unit is durable; acknowledge comes
// after it. The engine's lock is held.
func (e *Engine) publish(u *unit) {
	s := u.session
	for _, f := range u.after {
		f()
	}
	if len(u.changes) > 0 {
		s.broke = 0
	}
	if s.exists {
		if e.agenda.set(s.id, s.nextDue(u.now)) || u.now > e.agenda.planned {
			e.time.Open() // past what was planned, the clock has jumped
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
		e.retryLater(u.session)
		return
	}
	u.session.again = true
	e.rest(u.session)
}

// retryLater wakes a session again when some time has passed. The engine's
// lock is held.
func (e *Engine) retryLater(s *session) {
	e.agenda.retries = append(e.agenda.retries, Due{s.id, e.now() + retryAfter})
	e.time.Open()
}

// retryAfter is how long a session waits, in milliseconds, before it is tried
// again when the disk was full, when it could not be read, or when more than quickRetries commits in a
// row have failed.
const (
	retryAfter   = 1000
	quickRetries = 10
)
