package durable

import (
	"context"
	"iter"
	"slices"

	"github.com/detent-run/detent/host"
)

// watcher is somebody who follows a session. It only learns that there is
// something new: the rows come from the store, so a slow one loses nothing and
// holds nobody up.
type watcher struct{ gate Gate }

// watchPage is how many rows a watcher reads at once.
const watchPage = 100

// Watch yields the rows of a session's journal from a sequence on (0: from
// the first), those that are there and those that come. It ends with an error
// when ctx is done or the engine closes, and without one after the last row of
// a session that is over.
func (e *Engine) Watch(ctx context.Context, session string, from uint64) iter.Seq2[host.Record, error] {
	return func(yield func(host.Record, error) bool) {
		w := &watcher{gate: e.runtime.Gate()}
		e.mu.Lock()
		e.watchers[session] = append(e.watchers[session], w)
		e.mu.Unlock()
		defer e.unwatch(session, w)
		next := max(from, 1)
		for {
			rows, err := e.history(ctx, session, next, watchPage)
			for _, r := range rows {
				if !yield(r, nil) {
					return
				}
				next = r.Sequence + 1
			}
			if err == nil && len(rows) == 0 {
				var over bool
				if over, err = e.atEnd(ctx, session, next); over {
					return
				}
				if err == nil {
					err = e.lookOut(ctx, w)
				}
			}
			if err != nil {
				yield(host.Record{}, err)
				return
			}
		}
	}
}

// atEnd reports whether the session is over and all its rows were seen.
func (e *Engine) atEnd(ctx context.Context, session string, next uint64) (bool, error) {
	head, err := e.headOf(ctx, session)
	if err == nil && head == nil {
		err = noSession(session)
	}
	return err == nil && head.Status.Over() && next > head.Sequence, err
}

// lookOut waits until there may be something new.
func (e *Engine) lookOut(ctx context.Context, w *watcher) error {
	e.mu.Lock()
	err := e.usable()
	e.mu.Unlock()
	if err != nil {
		return err
	}
	return w.gate.Wait(ctx, 0)
}

func (e *Engine) unwatch(session string, w *watcher) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.watchers[session] = slices.DeleteFunc(e.watchers[session], func(o *watcher) bool { return o == w })
	if len(e.watchers[session]) == 0 {
		delete(e.watchers, session)
	}
}
