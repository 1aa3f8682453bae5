package durable

import (
	"container/list"
	"slices"
	"sync/atomic"

	"github.com/detent-run/detent/statechart"
)

// session is one session in memory. The fields of the first part are guarded
// by the engine's lock; those of the second belong to whoever has the turn,
// which is one goroutine at a time: busy says that somebody has.
type session struct {
	id string

	busy    bool // queued for a turn, in one, or in a commit
	again   bool // somebody wants another turn
	missed  bool // the store has what this memory does not: read again
	control []*control
	events  []*entry
	idle    *list.Element // in the engine's list of idle sessions
	// loaded: what is below is known; exists: there is such a session; more:
	// the inbox in the store goes on; read: the inbox rows that were read.
	loaded, exists, more bool
	read                 map[uint64]bool

	head  Head
	chart *statechart.Chart
	snap  statechart.Snapshot
	doc   []byte // the encoded state
	// sinceFull are rows, and changed their bytes, since the state was stored
	// as a whole.
	sinceFull, changed int
	effects            map[string]*effect
	broke              int // how often its step broke
	noise              map[string]*noise
	// listed are how many rows of each append-only list the store has, and
	// appended those that are not stored yet.
	listed   map[string]int64
	appended map[string][]any
	// ids are those of the events that it has seen.
	ids ids
}

// control is a piece of work that is done in a session's turn, before its
// events: a verb of a caller, the claim of an effect, or the end of one.
type control struct {
	do func(t *turn) error
	// absent: do it although there is no such session; blind: also when its
	// state cannot be read.
	absent, blind bool
	promise       *promise
	// again: if the commit fails, it is done again, because what it brings is
	// known nowhere else.
	again bool
	// dropped is told when it could not be done, with the reason.
	dropped func(err error)
}

// promise is what a caller waits for.
type promise struct {
	gate   Gate
	answer any
	err    error
	// taken: somebody keeps it; kept: answer and err stand.
	taken, kept atomic.Bool
}

// keep fulfils the promise. Only the first time counts.
func (p *promise) keep(answer any, err error) {
	if p == nil || !p.taken.CompareAndSwap(false, true) {
		return
	}
	p.answer, p.err = answer, err
	p.kept.Store(true)
	p.gate.Open()
}

// wake makes sure that the session has a turn soon. The engine's lock is held.
func (e *Engine) wake(s *session) {
	if s.busy {
		s.again = true
		return
	}
	s.busy = true
	if s.idle != nil {
		e.idle.Remove(s.idle)
		s.idle = nil
	}
	e.ready = append(e.ready, s)
	e.work.Open()
}

// session finds or makes the memory of a session. The engine's lock is held.
func (e *Engine) session(id string) *session {
	s := e.sessions[id]
	if s == nil {
		s = &session{id: id}
		e.sessions[id] = s
	}
	return s
}

// wakeID wakes a session by its id. The engine's lock is held.
func (e *Engine) wakeID(id string) { e.wake(e.session(id)) }

// rest ends a turn: the session waits for its next, or may leave memory. The
// engine's lock is held.
func (e *Engine) rest(s *session) {
	s.busy = false
	if s.again || s.missed {
		s.again = false
		e.wake(s)
		return
	}
	if !s.loaded || !s.exists || s.head.Status != Active {
		// Quiet sessions leave the queue to those that take events.
		crowded := e.queued > max(e.config.Queue/2, inboxWindow) && !slices.ContainsFunc(s.events, func(m *entry) bool { return !m.stored })
		if (len(s.events) == 0 || crowded) && len(s.control) == 0 {
			e.queued -= len(s.events)
			delete(e.sessions, s.id)
			return
		}
	}
	s.idle = e.idle.PushBack(s)
	for e.idle.Len() > e.config.Resident {
		oldest := e.idle.Remove(e.idle.Front()).(*session)
		e.queued -= len(oldest.events) // they stand in the store
		delete(e.sessions, oldest.id)
	}
}

// forget drops what is known of the session: it is read again before its next
// step. Events that stand in the store come back from there, and what a step
// that is undone has sent never was. The engine's lock is held.
func (e *Engine) forget(s *session) {
	s.loaded, s.exists, s.more, s.read = false, false, false, nil
	s.head, s.chart, s.snap, s.doc, s.effects = Head{}, nil, statechart.Snapshot{}, nil, nil
	s.listed, s.appended, s.noise, s.sinceFull, s.changed = nil, nil, nil, 0, 0
	s.ids = ids{}
	before := len(s.events)
	s.events = slices.DeleteFunc(s.events, func(m *entry) bool { return m.stored || m.mustStore })
	e.queued -= before - len(s.events)
}

// nextDue is when time brings the session something new. A call whose time
// has come waits for a place and not for time any more; a timer that is due
// has another turn.
func (s *session) nextDue(now int64) int64 {
	if s.head.Due > now || s.head.Due == 0 {
		return s.head.Due
	}
	next := int64(0)
	soonest := func(at int64) {
		if at != 0 && (next == 0 || at < next) {
			next = at
		}
	}
	if !s.snap.IsZero() && s.head.Status == Active {
		if timers := s.snap.Timers(); len(timers) > 0 {
			soonest(timers[0].Due)
		}
	}
	for _, f := range s.effects {
		if f.Due > now {
			soonest(f.Due)
		}
	}
	return next
}
