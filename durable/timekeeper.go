package durable

// timekeeper wakes what is due. It ends when the engine takes no more work.
func (e *Engine) timekeeper() {
	for {
		e.mu.Lock()
		now := e.now()
		if now > e.agenda.planned+downtimeAfter {
			e.agenda.downtime = now
		}
		e.wakeDue(now)
		e.expireAttempts(now)
		planned := e.nextLook(now)
		e.agenda.planned = planned
		ask := e.agenda.mustAsk(now)
		until := e.clock.wall + planned - now
		e.mu.Unlock()
		if ask {
			if err := e.lookAhead(now); err != nil {
				if e.outer.Err() == nil {
					e.fail(err)
				}
				return
			}
			continue
		}
		if err := e.time.Wait(e.outer, until); err != nil && err != ErrTime {
			return
		}
	}
}

func (e *Engine) wakeDue(now int64) {
	perSlice := max(e.config.CatchUp*catchUpSlice/1000, 1)
	for {
		session, ok := e.agenda.takeDue(now, perSlice)
		if !ok {
			return
		}
		e.wakeID(session)
	}
}

// nextLook is when the timekeeper looks again.
func (e *Engine) nextLook(now int64) int64 {
	next := e.agenda.nextLook()
	if at := e.nextExpiry(); at != 0 {
		next = min(next, at)
	}
	if now > e.clock.wall { // the wall clock is behind: look often
		next = min(next, now+maxPace/2)
	}
	return max(next, now)
}

// lookAhead takes the near future from the store's index: the first
// [maxAgenda] sessions of it, and the next when these have had their time.
func (e *Engine) lookAhead(now int64) error {
	horizon := now + nearFuture
	e.mu.Lock()
	// From here on: what is committed while the store reads may be missing in
	// its answer.
	e.agenda.horizon, e.agenda.news = horizon, map[string]bool{}
	e.mu.Unlock()
	list, err := e.store.Due(e.outer, horizon, maxAgenda)
	e.mu.Lock()
	defer e.mu.Unlock()
	news := e.agenda.news
	e.agenda.lookAt, e.agenda.news = 0, nil
	if err != nil {
		return err
	}
	if len(list) == maxAgenda {
		// Those that are being woken are still in the index, so it is not
		// asked in a loop.
		horizon, e.agenda.lookAt = list[len(list)-1].At, now+catchUpSlice
	}
	e.agenda.horizon = horizon
	for _, d := range list {
		switch s := e.sessions[d.Session]; {
		case news[d.Session]:
		case s == nil || !s.busy && !s.loaded:
			e.agenda.set(d.Session, max(d.At, 1))
		case !s.busy:
			e.agenda.set(d.Session, s.head.Due)
		} // who has the turn tells after its commit
	}
	return nil
}
