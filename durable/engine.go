package durable

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/detent-run/detent/statechart"
)

// Engine runs the sessions of one store. Its methods may be called
// concurrently. An engine that was opened must be closed.
type Engine struct {
	reader
	config  Config
	runtime Runtime
	log     *slog.Logger
	lease   Lease

	// outer is the context of what goes on outside of the steps: calls, time,
	// other processes. context is that of the steps and commits. Close ends
	// them in this order.
	outer, context context.Context
	shut, cancel   context.CancelCauseFunc

	// Gates: work to step, units to commit, time to look at, and the end of
	// all goroutines.
	work, commits, time, over Gate

	mu         sync.Mutex
	clock      authority
	sessions   map[string]*session
	ready      []*session
	idle       *list.List
	units      []*unit
	committing []*unit // what the committer is busy with
	losses     int     // commits that failed in a row
	agenda     agenda
	calls      dispatcher
	position   uint64
	queued     int // events that wait in memory
	waiters    map[string][]*waiter
	watchers   map[string][]*watcher
	running    int // goroutines of the engine
	steppers   int // workers that have not ended
	closing    bool
	draining   bool
	serving    map[string]bool   // requests of other processes
	handed     map[string]handed // charts that they brought
	failure    error
	failed     chan struct{}
}

// Open takes ownership of the store and goes on with every session that has
// something to do. The store stays the caller's to close, after the engine. An
// error that is [ErrOwned] says that another engine has it: see [Visit].
func Open(ctx context.Context, store Store, c Config) (*Engine, error) {
	c = c.withDefaults()
	lease, err := store.Acquire(ctx)
	if errors.Is(err, ErrOwned) {
		return nil, &statechart.Error{Code: CodeOwned, Message: "another engine has the store", Hint: "end it, or leave it a request", Cause: err}
	}
	if err != nil {
		return nil, storeProblem(err, "")
	}
	e := &Engine{config: c, runtime: c.Runtime, log: c.Log, lease: lease, idle: list.New(),
		sessions: map[string]*session{}, waiters: map[string][]*waiter{}, watchers: map[string][]*watcher{},
		position: lease.Position, failed: make(chan struct{}), serving: map[string]bool{}, handed: map[string]handed{}}
	e.reader = reader{store: store, library: &library{charts: c.Charts, known: map[string]*statechart.Chart{}}}
	e.context, e.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	e.outer, e.shut = context.WithCancelCause(e.context)
	e.work, e.commits, e.time, e.over = e.runtime.Gate(), e.runtime.Gate(), e.runtime.Gate(), e.runtime.Gate()
	e.clock.last = lease.Clock
	e.agenda.due = map[string]int64{}
	e.calls = newDispatcher(c.Calls)
	if err := e.recover(ctx); err != nil {
		return nil, storeProblem(err, "")
	}
	e.steppers = c.Workers
	for i := range c.Workers {
		e.start(fmt.Sprintf("worker %d", i), e.worker)
	}
	e.start("committer", e.committer)
	e.start("timekeeper", e.timekeeper)
	if visited, ok := store.(Visited); ok {
		e.start("doorkeeper", func() { e.doorkeeper(visited) })
	}
	if err := e.goOnWithWishes(ctx); err != nil {
		e.Close()
		return nil, storeProblem(err, "")
	}
	return e, nil
}

// recover wakes the sessions that have work which waits for no time. Those
// that are suspended or parked are not even counted.
func (e *Engine) recover(ctx context.Context) error {
	for _, status := range []Status{Active, Completed, Failed, Cancelled, Expired} {
		after := ""
		for {
			heads, err := e.store.Select(ctx, Filter{Ready: true, Status: status, After: after, Limit: 1000})
			if err != nil {
				return err
			}
			e.mu.Lock()
			for _, h := range heads {
				e.wakeID(h.Session)
				after = h.Session
			}
			e.mu.Unlock()
			if len(heads) < 1000 {
				break
			}
		}
	}
	preempted, err := e.store.Select(ctx, Filter{Status: Suspended, ReasonCode: string(reasonPreempted), Limit: 10_000})
	if err != nil {
		return err
	}
	// What they gave way to may be over. If it is not, they give way again.
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, h := range preempted {
		e.letGoOn(h.Session, nil)
	}
	return nil
}

// start runs a goroutine that [Engine.Close] waits for.
func (e *Engine) start(name string, f func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.startLocked(name, f)
}

// startLocked is start with the engine's lock held.
func (e *Engine) startLocked(name string, f func()) {
	e.running++
	e.runtime.Go(name, func() {
		defer func() {
			e.mu.Lock()
			e.running--
			last := e.running == 0
			e.mu.Unlock()
			if last {
				e.over.Open()
			}
		}()
		f()
	})
}

// Failed is closed when the engine has stopped because its store failed or
// was taken over; Err says why. A program should end then.
func (e *Engine) Failed() <-chan struct{} { return e.failed }

// Err is why the engine stopped, nil while it runs.
func (e *Engine) Err() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.failure
}

// fail stops the engine: nothing more is acknowledged (D7).
func (e *Engine) fail(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.failLocked(err)
}

func (e *Engine) failLocked(err error) {
	if e.failure != nil {
		return
	}
	e.failure = storeProblem(err, "")
	e.log.Error("the engine stops: " + err.Error())
	close(e.failed)
	e.cancel(e.failure)
	e.abandon(e.failure)
}

// usable says why the engine takes nothing more. The engine's lock is held.
func (e *Engine) usable() error {
	switch {
	case e.failure != nil:
		return e.failure
	case e.closing:
		return errClosed()
	}
	return nil
}

// await waits for a promise. When the caller's context ends first, what was
// asked may still happen.
func (e *Engine) await(ctx context.Context, p *promise) (any, error) {
	for {
		err := p.gate.Wait(ctx, 0)
		if p.kept.Load() {
			return p.answer, p.err
		}
		if err != nil {
			return nil, err
		}
	}
}

func (e *Engine) promise() *promise { return &promise{gate: e.runtime.Gate()} }
