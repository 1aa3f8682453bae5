package durable

import (
	"slices"
	"strings"
)

// preempt makes room for a call of a more important session in a pool that is
// full: the least important of the sessions that hold a place is suspended,
// and resumed when the pool has room again. A call of it that may be repeated
// is cut off; another one goes on to its end. The engine's lock is held.
func (e *Engine) preempt(w *want) {
	var victim *want
	for h := range w.pool.holders {
		if h.priority >= w.priority || h.session == w.session {
			continue
		}
		if victim == nil || h.priority < victim.priority || h.priority == victim.priority && h.order > victim.order {
			victim = h
		}
	}
	if victim == nil || e.calls.yielding[victim.session] != nil {
		return
	}
	e.calls.yielding[victim.session] = w.pool
	e.order(victim.session, &control{do: func(t *turn) error { return t.giveWay(victim, w) },
		dropped: func(error) { delete(e.calls.yielding, victim.session) }})
}

// giveWay suspends the session for a more important one.
func (t *turn) giveWay(held, w *want) error {
	id := t.s.id
	stays := func() { delete(t.e.calls.yielding, id) }
	t.unit.lost = append(t.unit.lost, func(error) { stays() })
	if t.s.head.Status != Active {
		t.later(stays)
		return nil
	}
	if f := t.s.effects[held.key]; f != nil && held.repeatable && f.Stands == standsClaimed {
		f.Attempt-- // it is not held against the call
		if fresh := t.fresh[f.Key]; fresh != nil {
			fresh.left = true
		}
		t.set(f, standsPending)
		t.later(func() { t.e.calls.cancel(held.key, errLeft) })
	}
	return t.wish(&wish{Verb: verbSuspend, Session: id, By: "engine", Reason: "the session " + w.session + " is more important", Code: reasonPreempted}, nil)
}

// gaveWay notes, once it is durable, that the session is suspended for a more
// important one.
func (t *turn) gaveWay() {
	d, h := &t.e.calls, t.s.head
	t.later(func() {
		p := d.yielding[h.Session]
		d.preempted = append(d.preempted, preemption{h.Session, h.Priority, p})
		delete(d.yielding, h.Session)
		if p != nil {
			t.e.resumePreempted(p)
		}
	})
}

// resumePreempted lets the most important of the sessions that gave way for a
// place of the pool go on, when it has room and nobody waits. The engine's
// lock is held.
func (e *Engine) resumePreempted(p *pool) {
	d := &e.calls
	if len(d.preempted) == 0 || len(p.waiting) > 0 || p.limit > 0 && p.busy >= p.limit || e.usable() != nil {
		return
	}
	slices.SortStableFunc(d.preempted, func(a, b preemption) int {
		if a.priority != b.priority {
			return b.priority - a.priority
		}
		return strings.Compare(a.session, b.session)
	})
	for i, first := range d.preempted {
		if first.pool == nil || first.pool == p {
			d.preempted = slices.Delete(d.preempted, i, i+1)
			e.letGoOn(first.session, p)
			return
		}
	}
}

// letGoOn resumes a session if it is one that gave way. If it is not any more,
// because somebody has ended it meanwhile, the room is the next one's of those
// that gave way for a place of the pool. The engine's lock is held.
func (e *Engine) letGoOn(session string, p *pool) {
	next := func() {
		if p != nil {
			e.resumePreempted(p)
		}
	}
	e.order(session, &control{again: true, dropped: func(error) { next() }, do: func(t *turn) error {
		if t.s.head.Status != Suspended || t.s.head.ReasonCode != string(reasonPreempted) {
			t.later(next)
			return nil
		}
		return t.wish(&wish{Verb: verbResume, Session: t.s.id, By: "engine"}, nil)
	}})
}

// poolsInOrder lists the pools by name.
func (e *Engine) poolsInOrder() []*pool {
	out := make([]*pool, 0, len(e.calls.pools))
	for _, p := range e.calls.pools {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b *pool) int { return strings.Compare(a.name, b.name) })
	return out
}
