package durable

import (
	"container/heap"
	"context"
	"fmt"

	"github.com/detent-run/detent/host"
)

// dispatcher decides which calls may run now: the engine's own bound, that of
// the source's pool, and priorities. The engine's lock guards it.
type dispatcher struct {
	limit, busy int
	counter     uint64
	pools       map[string]*pool
	wanted      map[string]*want
	running     map[string]*attempt
	preempted   []preemption
	yielding    map[string]*pool // sessions that are being suspended for another, and for what
}

// pool counts the calls that share a source's bound.
type pool struct {
	name        string
	limit, busy int
	waiting     wants
	holders     map[*want]bool
}

// heldPool is where calls wait that this engine does not start.
const heldPool = "\x00held"

// want is a call that wants to run, or does.
type want struct {
	key, session string
	priority     int
	order        uint64
	pool         *pool
	repeatable   bool
	at           int  // in the pool's heap, -1 outside
	left         bool // it was taken back in the turn that claimed it
}

// preemption is a session that was suspended for a more important one.
type preemption struct {
	session  string
	priority int
	pool     *pool // the one that it gave way in; nil: an earlier engine's
}

func newDispatcher(limit int) dispatcher {
	return dispatcher{limit: limit, pools: map[string]*pool{}, wanted: map[string]*want{}, running: map[string]*attempt{}, yielding: map[string]*pool{}}
}

// runs reports whether an attempt of this effect is known to run, or to have
// given what is not committed yet.
func (d *dispatcher) runs(f *effect) bool {
	a := d.running[f.Key]
	return a != nil && a.number == f.Attempt
}

// cancel ends the context of a call that runs.
func (d *dispatcher) cancel(key string, cause error) {
	if a := d.running[key]; a != nil {
		a.cancel(cause)
		delete(d.running, key)
	}
}

type wants []*want

func (w wants) Len() int { return len(w) }
func (w wants) Less(i, j int) bool {
	if w[i].priority != w[j].priority {
		return w[i].priority > w[j].priority
	}
	return w[i].order < w[j].order
}
func (w wants) Swap(i, j int) {
	w[i], w[j] = w[j], w[i]
	w[i].at, w[j].at = i, j
}
func (w *wants) Push(x any) {
	x.(*want).at = len(*w)
	*w = append(*w, x.(*want))
}
func (w *wants) Pop() any {
	old := *w
	x := old[len(old)-1]
	x.at = -1
	*w = old[:len(old)-1]
	return x
}

// wantCalls registers what of the session's calls can run now.
func (t *turn) wantCalls() {
	s := t.s
	if s.head.Status != Active && !s.head.Status.Over() {
		return
	}
	for _, f := range effectsInOrder(s.effects) {
		ready := f.Stands == standsPending || (f.Stands == standsRetrying || f.Stands == standsAsking) && f.Due <= t.now
		if !ready {
			continue
		}
		key, src, repeatable, priority := f.Key, f.Src, f.Mode == host.AtLeastOnce, s.head.Priority
		t.later(func() { t.e.want(s.id, key, src, priority, repeatable) })
	}
}

// want queues a call for a place. The engine's lock is held.
func (e *Engine) want(session, key, src string, priority int, repeatable bool) {
	d := &e.calls
	id := session + "\x00" + key
	if d.wanted[id] != nil {
		return
	}
	_, traits, _ := e.find(src)
	name := traits.Pool
	if name == "" {
		name = src
	}
	if e.held(session, src) {
		name, traits = heldPool, host.Traits{}
	}
	p := d.pools[name]
	if p == nil {
		p = &pool{name: name, holders: map[*want]bool{}}
		d.pools[name] = p
	}
	p.limit = traits.Concurrency
	d.counter++
	w := &want{key: key, session: session, priority: priority, order: d.counter, pool: p, repeatable: repeatable}
	d.wanted[id] = w
	heap.Push(&p.waiting, w)
	e.grant(p)
	if w.at >= 0 && p.limit > 0 && p.busy >= p.limit {
		e.preempt(w)
	}
}

// find asks the program for a performer. A panic of it is a no: it must not
// take the engine down.
func (e *Engine) find(src string) (p host.Performer, traits host.Traits, ok bool) {
	defer func() {
		if r := recover(); r != nil {
			e.log.Error("Performers.Find panicked", "src", src, "problem", fmt.Sprint(r))
			p, traits, ok = nil, host.Traits{}, false
		}
	}()
	return e.config.Performers.Find(src)
}

// held asks the program whether a call must wait for the next engine. After a
// panic it must.
func (e *Engine) held(session, src string) (yes bool) {
	defer func() {
		if r := recover(); r != nil {
			e.log.Error("Config.Hold panicked", "src", src, "problem", fmt.Sprint(r))
			yes = true
		}
	}()
	return e.config.Hold != nil && e.config.Hold(session, src)
}

// grant gives free places of a pool to those who wait, the most important
// first. The engine's lock is held.
func (e *Engine) grant(p *pool) {
	d := &e.calls
	if p.name == heldPool {
		return
	}
	for len(p.waiting) > 0 && d.busy < d.limit && (p.limit <= 0 || p.busy < p.limit) && !e.draining {
		w := heap.Pop(&p.waiting).(*want)
		d.busy++
		p.busy++
		p.holders[w] = true
		e.order(w.session, &control{do: func(t *turn) error { return t.claim(w) }, dropped: func(error) { e.release(w) }})
	}
}

// release gives a place back. The engine's lock is held.
func (e *Engine) release(w *want) {
	d := &e.calls
	id := w.session + "\x00" + w.key
	if d.wanted[id] == w {
		delete(d.wanted, id)
	}
	if !w.pool.holders[w] {
		return
	}
	delete(w.pool.holders, w)
	full := d.busy >= d.limit
	d.busy--
	w.pool.busy--
	e.grant(w.pool)
	if full {
		for _, p := range e.poolsInOrder() {
			e.grant(p)
		}
	}
	if w.pool.busy == 0 && len(w.pool.waiting) == 0 && w.pool.limit <= 0 {
		delete(d.pools, w.pool.name)
	}
	e.resumePreempted(w.pool)
}

// order puts a piece of control work before a session. The engine's lock is
// held.
func (e *Engine) order(session string, c *control) {
	s := e.session(session)
	s.control = append(s.control, c)
	e.wake(s)
}

// attempt is one try of a call while it runs.
type attempt struct {
	want     *want
	number   int
	cancel   context.CancelCauseFunc
	deadline int64 // 0: none
	beat     int64 // the next heartbeat must come by then; 0: none
	rhythm   int64
	over     bool
	news     *any // progress that is held back
	told     int64
}
