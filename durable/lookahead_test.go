package durable_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/memory"
)

// slowIndex is a store that gives what is due as it was some time ago.
type slowIndex struct {
	durable.Store
	once  sync.Once
	read  chan struct{} // closed when the first answer is made
	shown chan struct{} // close it, and the first answer is given
}

func (s *slowIndex) Due(ctx context.Context, before int64, limit int) ([]durable.Due, error) {
	list, err := s.Store.Due(ctx, before, limit)
	s.once.Do(func() {
		close(s.read)
		<-s.shown
	})
	return list, err
}

// T2: a timer that is armed while the engine asks the store what is due is not
// in the answer, and fires all the same.
func TestT2ArmedWhileTheStoreIsAsked(t *testing.T) {
	c := compile(t, "lamp", statechart.State{Name: "on", After: []statechart.Timed{{Delay: "500ms", Transitions: []statechart.Transition{{Target: "off"}}}}},
		statechart.State{Name: "off"})
	store := &slowIndex{Store: memory.New(), read: make(chan struct{}), shown: make(chan struct{})}
	// Less than the minute after which the store is asked again.
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	e, err := durable.Open(ctx, store, durable.Config{Charts: durable.NewCharts(c)})
	must(t, err)
	defer e.Close()
	<-store.read
	_, err = e.Start(ctx, durable.Start{ID: "s", Chart: "lamp"})
	must(t, err)
	close(store.shown)
	for r, err := range e.Watch(ctx, "s", 1) { // it only reads, where Wait would look at the session
		if err != nil {
			t.Fatalf("the timer did not fire: %v", err)
		}
		if slices.Contains(r.To, "off") {
			return
		}
	}
	t.Error("the watching ended before the timer fired")
}
