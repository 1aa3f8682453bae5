package sim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"

	"github.com/detent-run/detent/durable"
)

// World is a clock and a scheduler. Only its current goroutine, or whoever
// calls Run, may use it.
type World struct {
	random *rand.Rand
	now    int64
	jump   int64 // what the wall clock is off by
	tasks  []*task
	active *task
	back   chan struct{}
	life   int
	steps  int
	trace  []string
	// Trace keeps the last lines of what happened.
	Trace bool
}

// task is one goroutine.
type task struct {
	name  string
	life  int
	wake  chan struct{}
	gate  *gate
	ctx   context.Context
	until int64
	timed bool // the last wait ended by the time
	done  bool
	dead  bool
}

// begin is where the clock of every world starts: some day in 2027.
const begin = 1_800_000_000_000

// New makes a world under a seed.
func New(seed uint64) *World {
	return &World{random: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)), now: begin, back: make(chan struct{})}
}

// Random is the world's source of chance.
func (w *World) Random() *rand.Rand { return w.random }

// Elapsed is how much time has passed, in milliseconds.
func (w *World) Elapsed() int64 { return w.now - begin }

// Steps is how often a goroutine was let go on.
func (w *World) Steps() int { return w.steps }

// Jump sets the wall clock forward or back. Time itself goes on.
func (w *World) Jump(ms int64) { w.jump += ms }

// Note adds a line to the trace.
func (w *World) Note(format string, args ...any) {
	if w.Trace {
		w.trace = append(w.trace, fmt.Sprintf("%d +%d ", w.steps, w.Elapsed())+fmt.Sprintf(format, args...))
	}
}

// Text is the trace.
func (w *World) Text() string { return strings.Join(w.trace, "\n") }

// Runtime returns the runtime of a new life: that of one engine until
// [World.Crash].
func (w *World) Runtime() durable.Runtime {
	w.life++
	return &life{w, w.life}
}

type life struct {
	w  *World
	id int
}

func (l *life) Now() int64         { return l.w.now + l.w.jump }
func (l *life) Draw() uint64       { return l.w.random.Uint64() }
func (l *life) Gate() durable.Gate { return &gate{w: l.w} }

func (l *life) Go(name string, f func()) { l.w.start(l.id, name, f) }

// start makes a task that waits to be let go.
func (w *World) start(life int, name string, f func()) *task {
	t := &task{name: name, life: life, wake: make(chan struct{})}
	w.tasks = append(w.tasks, t)
	go func() {
		defer func() {
			t.done = true
			w.back <- struct{}{}
		}()
		<-t.wake
		if !t.dead {
			f()
		}
	}()
	return t
}

type gate struct {
	w    *World
	open bool
}

// Open lets one waiter through.
func (g *gate) Open() { g.open = true }

// Wait hands control to another goroutine until the gate is open.
func (g *gate) Wait(ctx context.Context, until int64) error {
	t := g.w.active
	if until != 0 {
		until -= g.w.jump // the caller means the wall clock
	}
	t.gate, t.ctx, t.until, t.timed = g, ctx, until, false
	g.w.park(t)
	t.gate = nil
	switch {
	case g.open:
		g.open = false
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return durable.ErrTime
}

// park gives control back until the task is let go on.
func (w *World) park(t *task) {
	w.back <- struct{}{}
	<-t.wake
	if t.dead {
		runtime.Goexit()
	}
}

// Yield lets others go first.
func (w *World) Yield() {
	if t := w.active; t != nil {
		w.park(t)
	}
}

// Sleep waits for the time to pass, in milliseconds, or for ctx to be done.
func (w *World) Sleep(ctx context.Context, ms int64) error {
	g := &gate{w: w}
	if err := g.Wait(ctx, w.now+w.jump+max(ms, 1)); err != durable.ErrTime {
		return err
	}
	return nil
}

// runnable reports whether the task can go on now.
func (w *World) runnable(t *task) bool {
	g := t.gate
	return g == nil || g.open || t.ctx.Err() != nil || t.until != 0 && t.until <= w.now
}

// Run lets goroutines go on, one at a time, until the condition holds. It
// returns an error when nothing can go on any more, or after too many steps.
func (w *World) Run(until func() bool, budget int) error {
	for end := w.steps + budget; w.steps < end; {
		if until() {
			return nil
		}
		w.sweep()
		ready, next := w.look()
		if len(ready) == 0 {
			if next == 0 {
				return fmt.Errorf("nothing can go on: %s", w.standing())
			}
			w.now = next
			continue
		}
		w.let(ready[w.random.IntN(len(ready))])
	}
	return fmt.Errorf("no end after %d steps: %s", budget, w.standing())
}

// let gives control to a task until it waits or ends.
func (w *World) let(t *task) {
	w.steps++
	w.active = t
	t.wake <- struct{}{}
	<-w.back
	w.active = nil
}

// sweep forgets tasks that have ended.
func (w *World) sweep() {
	kept := w.tasks[:0]
	for _, t := range w.tasks {
		if !t.done {
			kept = append(kept, t)
		}
	}
	clear(w.tasks[len(kept):])
	w.tasks = kept
}

func (w *World) standing() string {
	var names []string
	for _, t := range w.tasks {
		names = append(names, t.name)
	}
	return strings.Join(names, ", ")
}

// Do runs f as a goroutine of the world and waits for it, with everything
// else going on meanwhile.
func (w *World) Do(name string, budget int, f func()) error {
	t := w.start(0, name, f)
	return w.Run(func() bool { return t.done }, budget)
}

// Start runs f as a goroutine that no crash ends, such as a client.
func (w *World) Start(name string, f func()) (done func() bool) {
	t := w.start(0, name, f)
	return func() bool { return t.done }
}

// Crash ends every goroutine of the engine's life at once: none of them does
// anything any more but what is deferred. Call it from outside of them.
func (w *World) Crash() {
	for _, t := range w.tasks {
		if t.life == w.life && !t.done {
			t.dead = true
		}
	}
	for _, t := range append([]*task(nil), w.tasks...) {
		if t.dead && !t.done {
			w.let(t)
		}
	}
	w.sweep()
}

// Pass lets goroutines go on until ms milliseconds have passed and none of
// them has anything left to do then. Zero lets all be done that needs no time.
func (w *World) Pass(ms int64, budget int) error {
	until := w.now + ms
	for end := w.steps + budget; w.steps < end; {
		w.sweep()
		ready, next := w.look()
		switch {
		case len(ready) > 0:
			w.let(ready[w.random.IntN(len(ready))])
		case next != 0 && next <= until:
			w.now = next
		default:
			w.now = until
			return nil
		}
	}
	return fmt.Errorf("no end after %d steps: %s", budget, w.standing())
}

// look lists the goroutines that can go on, and says when the next could; 0:
// never.
func (w *World) look() (ready []*task, next int64) {
	for _, t := range w.tasks {
		switch {
		case w.runnable(t):
			ready = append(ready, t)
		case t.until != 0 && (next == 0 || t.until < next):
			next = t.until
		}
	}
	return ready, next
}
