package durable_test

import (
	"context"
	"errors"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/store/memory"
)

// failing is a store whose next commits end with an error, when a caller
// waits for them.
type failing struct {
	durable.Store
	err    error
	stored bool // what failed was stored all the same
	hold   chan struct{}
	inside chan struct{}
}

func (f *failing) Commit(ctx context.Context, c durable.Commit) error {
	if f.err == nil {
		return f.Store.Commit(ctx, c)
	}
	f.inside <- struct{}{}
	<-f.hold
	if f.stored {
		if err := f.Store.Commit(ctx, c); err != nil {
			return err
		}
	}
	return f.err
}

// Whoever waits for a start, an event or a verb while the store fails is told
// so, and nobody waits for ever: also not who comes while it fails.
func TestWhoWaitsIsToldThatTheStoreFails(t *testing.T) {
	for _, c := range []struct {
		name   string
		err    error
		stored bool
		ends   bool // the engine stops
	}{
		{"broken", durable.ErrBroken, false, true},
		{"fenced", durable.ErrFenced, false, true},
		{"nobody knows, and it was not stored", errors.New("the connection broke"), false, false},
		{"nobody knows, and it was stored", errors.New("the connection broke"), true, false},
		{"full", durable.ErrFull, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			store := &failing{Store: memory.New(), hold: make(chan struct{}), inside: make(chan struct{}, 100)}
			e := open(t, store, durable.Config{Charts: durable.NewCharts(light(t)), Workers: 1, Group: 1})
			ctx := within(t)
			_, err := e.Start(ctx, durable.Start{ID: "s", Chart: "light"})
			must(t, err)
			store.err, store.stored = c.err, c.stored
			waits := map[string]func() error{
				"start": func() error { _, err := e.Start(ctx, durable.Start{ID: "new", Chart: "light"}); return err },
				"send":  func() error { _, err := e.Send(ctx, durable.Event{Session: "s", Name: "go", ID: "1"}); return err },
				"accepted": func() error {
					_, err := e.Send(ctx, durable.Event{Session: "s", Name: "stop", ID: "2", Until: durable.Accepted})
					return err
				},
				"suspend": func() error { return e.Suspend(ctx, "s", durable.Suspension{}) },
				"end":     func() error { _, err := e.Wait(ctx, "s", durable.End); return err },
			}
			told := make(chan string, len(waits))
			for name, f := range waits {
				go func() {
					err := f()
					suspended := name == "end" && c.stored // that ends the waiting, too
					if err == nil && !suspended || ctx.Err() != nil {
						t.Errorf("%s is told %v", name, err)
					}
					told <- name
				}()
			}
			<-store.inside // one commit is on its way, and the others wait
			close(store.hold)
			for name := range waits {
				if name != "end" || c.ends {
					<-told
				}
			}
			if c.ends {
				<-e.Failed()
				if _, err := e.Send(ctx, durable.Event{Session: "s", Name: "go"}); !hasCode(err, durable.CodeStoreFailed) {
					t.Errorf("later, an event is answered by %v", err)
				}
			}
			must(t, e.Close())
			if !c.ends {
				<-told
			}
		})
	}
}
