package cli

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/store/sqlite"
)

// ownership is who carries the sessions of a store: another process, or this
// one from the beginning or from when that ended.
type ownership struct {
	store  *sqlite.Store
	config durable.Config

	mu      sync.Mutex
	engine  *durable.Engine
	drained bool
	taken   chan struct{} // closed when this process owns the store

	cancel context.CancelFunc // of standing by
	over   chan struct{}      // closed when nobody stands by any more
}

// standby is how often a process that follows looks whether the owner has
// ended. A dead owner's lock is free at once.
const standby = 250 * time.Millisecond

// own opens the engine. With the error [durable.ErrOwned] the ownership is good
// for [ownership.standBy].
func own(ctx context.Context, store *sqlite.Store, c durable.Config) (*ownership, error) {
	o := &ownership{store: store, config: c, taken: make(chan struct{}), over: make(chan struct{}), cancel: func() {}}
	engine, err := durable.Open(ctx, store, c)
	if err == nil {
		o.engine = engine
		close(o.taken)
		close(o.over)
	}
	return o, err
}

// standBy takes over when the owner ends, and calls then.
func (o *ownership) standBy(then func()) {
	ctx, cancel := context.WithCancel(context.Background())
	o.cancel = cancel
	go func() {
		defer close(o.over)
		tick := time.NewTicker(standby)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			engine, err := durable.Open(ctx, o.store, o.config)
			if errors.Is(err, durable.ErrOwned) {
				continue
			}
			if err != nil {
				return // whoever reads the store says why
			}
			o.mu.Lock()
			o.engine = engine
			o.mu.Unlock()
			then()
			close(o.taken)
			return
		}
	}()
}

// owner is the engine, nil while another process has the store and where it
// is only read.
func (o *ownership) owner() *durable.Engine {
	if o == nil {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.engine
}

// drain brings the engine to rest after Ctrl-C: calls have their ten seconds.
func (o *ownership) drain(ctx context.Context) {
	o.drained = true
	_ = o.owner().Drain(ctx, 0)
}

// end stops standing by, lets calls that run come to their end, so that none
// is cut off whose outcome nobody would know, and closes the engine. It calls
// slow when that takes long.
func (o *ownership) end(slow func()) {
	o.cancel()
	<-o.over
	if o.engine == nil {
		return
	}
	timer := time.AfterFunc(patience, slow)
	if !o.drained {
		_ = o.engine.Drain(context.Background(), durable.UntilTheyEnd)
	}
	timer.Stop()
	o.engine.Close()
}

// patience is how long a command ends without a word.
const patience = 500 * time.Millisecond
