package durable

import "container/heap"

// authority is the engine's clock: the wall clock, floored by the latest time
// that was ever committed. When the wall clock jumps back, it goes on from
// where it was at the wall clock's pace, so that timers neither fire again nor
// freeze (T1, T5). The engine's lock guards it.
type authority struct {
	last, wall int64
}

// maxPace is how far the clock goes on in one reading while the wall clock is
// behind it: a larger step is a jump of the wall clock, not time.
const maxPace = 2000

func (a *authority) now(wall int64) int64 {
	switch {
	case wall >= a.last:
		a.last = wall
	case wall > a.wall:
		a.last += min(wall-a.wall, maxPace)
	}
	a.wall = wall
	return a.last
}

// now reads the engine's clock. The engine's lock is held.
func (e *Engine) now() int64 { return e.clock.now(e.runtime.Now()) }

// agenda holds when sessions must be looked at, as far as the horizon; what
// is due later stays in the store's index. The engine's lock guards it.
type agenda struct {
	due     map[string]int64
	heap    dueHeap
	horizon int64 // everything due before it is in the heap
}

// nearFuture is how far the agenda looks ahead, and maxAgenda how many
// sessions it takes from the store at once.
const (
	nearFuture = 60_000
	maxAgenda  = 10_000
)

// set notes when the session is due next, 0 for never.
func (a *agenda) set(session string, at int64) {
	if at == 0 || at > a.horizon {
		delete(a.due, session)
		return
	}
	if a.due[session] == at {
		return
	}
	a.due[session] = at
	heap.Push(&a.heap, Due{session, at})
}

// next returns what is due first. Entries that were overtaken are dropped.
func (a *agenda) next() (Due, bool) {
	for len(a.heap) > 0 {
		if d := a.heap[0]; a.due[d.Session] == d.At {
			return d, true
		}
		heap.Pop(&a.heap)
	}
	return Due{}, false
}

// take removes what next returned.
func (a *agenda) take() {
	d := heap.Pop(&a.heap).(Due)
	delete(a.due, d.Session)
}

type dueHeap []Due

func (h dueHeap) Len() int { return len(h) }
func (h dueHeap) Less(i, j int) bool {
	if h[i].At != h[j].At {
		return h[i].At < h[j].At
	}
	return h[i].Session < h[j].Session
}
func (h dueHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *dueHeap) Push(x any)   { *h = append(*h, x.(Due)) }
func (h *dueHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

// timekeeper wakes what is due. It ends with the engine's context.
func (e *Engine) timekeeper() {
	for {
		e.mu.Lock()
		now := e.now()
		e.wakeDue(now)
		e.expireAttempts(now)
		until := e.nextLook(now)
		refill := e.agenda.horizon <= now
		e.mu.Unlock()
		if refill {
			if err := e.lookAhead(now); err != nil {
				e.fail(err)
				return
			}
			continue
		}
		if err := e.time.Wait(e.context, until); err != nil && err != ErrTime {
			return
		}
	}
}

func (e *Engine) wakeDue(now int64) {
	for {
		d, ok := e.agenda.next()
		if !ok || d.At > now {
			return
		}
		e.agenda.take()
		e.wakeID(d.Session)
	}
}

// nextLook is when the timekeeper looks again, by the wall clock.
func (e *Engine) nextLook(now int64) int64 {
	next := e.agenda.horizon
	if d, ok := e.agenda.next(); ok {
		next = min(next, d.At)
	}
	if at := e.nextExpiry(); at != 0 {
		next = min(next, at)
	}
	wait := max(next-now, 0)
	if now > e.clock.wall { // the wall clock is behind: look often
		wait = min(wait, maxPace/2)
	}
	return e.clock.wall + wait
}

// lookAhead takes the near future from the store's index.
func (e *Engine) lookAhead(now int64) error {
	horizon := now + nearFuture
	list, err := e.store.Due(e.context, horizon, maxAgenda)
	if err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(list) == maxAgenda {
		horizon = max(list[len(list)-1].At, now+1)
	}
	e.agenda.horizon = horizon
	for _, d := range list {
		switch s := e.sessions[d.Session]; {
		case s == nil || !s.busy && !s.loaded:
			e.agenda.set(d.Session, max(d.At, 1))
		case !s.busy:
			e.agenda.set(d.Session, s.head.Due)
		} // who has the turn tells after its commit
	}
	return nil
}
