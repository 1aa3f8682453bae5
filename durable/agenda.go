package durable

import "container/heap"

// agenda holds when sessions must be looked at, as far as the horizon; what
// is due later stays in the store's index. The engine's lock guards it.
type agenda struct {
	due     map[string]int64
	heap    dueHeap
	horizon int64 // everything due before it is in the heap
	lookAt  int64 // the store's index is not asked again before
	planned int64 // when the timekeeper looks next
	// news are the sessions that were noted while the store was asked, nil
	// while it is not: they are newer than what it answers.
	news map[string]bool
	// What was due before downtime ended comes in slices of time.
	downtime int64 // it ended then
	slice    int64 // when the next slice begins
	left     int   // of the current one
	// retries are sessions whose commit found the disk full, in order.
	retries []Due
}

const (
	// nearFuture is how far the agenda looks ahead, in milliseconds, and
	// maxAgenda how many sessions it takes from the store at once.
	nearFuture = 60_000
	maxAgenda  = 10_000
	// catchUpSlice is how long a slice of catching up is, in milliseconds.
	catchUpSlice = 100
	// downtimeAfter is how much too late a look must be, in milliseconds, for
	// the time before to count as downtime: the machine slept.
	downtimeAfter = 10_000
)

// set notes when the session is due next, 0 for never. It reports whether
// that is a time to plan anew for: not where none or a later one than the
// horizon came, for which there is another look anyway.
func (a *agenda) set(session string, at int64) bool {
	if a.news != nil {
		a.news[session] = true
	}
	if at == 0 || at > a.horizon {
		delete(a.due, session)
		return false
	}
	if a.due[session] == at {
		return false
	}
	a.due[session] = at
	heap.Push(&a.heap, Due{session, at})
	if len(a.heap) > 2*len(a.due)+maxAgenda {
		a.tidy()
	}
	return true
}

// tidy throws away the entries that were overtaken.
func (a *agenda) tidy() {
	a.heap = a.heap[:0]
	for session, at := range a.due {
		a.heap = append(a.heap, Due{session, at})
	}
	heap.Init(&a.heap)
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

// takeDue removes the first that is due now and may be woken: what was due
// while nobody ran it comes at a bounded rate (T4).
func (a *agenda) takeDue(now int64, perSlice int) (session string, ok bool) {
	if len(a.retries) > 0 && a.retries[0].At <= now {
		session = a.retries[0].Session
		a.retries = a.retries[1:]
		return session, true
	}
	d, ok := a.next()
	if !ok || d.At > now {
		return "", false
	}
	if d.At < a.downtime {
		if now >= a.slice {
			a.slice, a.left = now+catchUpSlice, perSlice
		}
		if a.left == 0 {
			return "", false
		}
		a.left--
	}
	a.take()
	return d.Session, true
}

// nextLook is when something will be due, or the store is to be asked.
func (a *agenda) nextLook() int64 {
	next := max(a.horizon, a.lookAt)
	if d, ok := a.next(); ok {
		next = d.At
		if d.At < a.downtime && a.left == 0 {
			next = a.slice
		}
	}
	if len(a.retries) > 0 {
		next = min(next, a.retries[0].At)
	}
	return next
}

// mustAsk reports whether what is due next is only known to the store.
func (a *agenda) mustAsk(now int64) bool {
	_, some := a.next()
	return !some && a.horizon <= now && a.lookAt <= now
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
