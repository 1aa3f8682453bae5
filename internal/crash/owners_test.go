package crash

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/store/sqlite"
)

// oneFence is for trying each of the two fences with the other one taken out.
var oneFence = flag.Bool("onefence", false, "do not mind that an owner who was overtaken goes on, as long as nothing is lost")

// X9: the file of the lock is removed under an owner, and a second process
// becomes the owner, too. The first one's commits change no row, and nothing
// that either acknowledged is lost.
func TestX9TwoOwners(t *testing.T) {
	for round := range 5 {
		dir := folder(t)
		stale, said, err := twoOwners(t.Context(), dir)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		if stale > 0 && !*oneFence {
			t.Errorf("X9: the owner that was overtaken acknowledged %d events", stale)
		}
		bad, rows, err := check(dir, folder(t), said, false)
		if err != nil || len(bad) > 0 {
			t.Fatalf("round %d: %v\n%s", round, err, strings.Join(bad, "\n"))
		}
		t.Logf("two owners: round %d, %d acknowledged events (%d by the one that was overtaken, after that), %d journal rows, 0 bad", round, len(said), stale, rows)
	}
}

// owner opens a store and an engine on it.
func owner(ctx context.Context, dir string) (*durable.Engine, func() error, error) {
	all, err := charts()
	if err != nil {
		return nil, nil, err
	}
	store, err := sqlite.Open(filepath.Join(dir, "store.db"), sqlite.Options{Readers: 1})
	if err != nil {
		return nil, nil, err
	}
	e, err := durable.Open(ctx, store, durable.Config{Charts: durable.NewCharts(all...), Full: 5})
	if err != nil {
		_ = store.Close()
		return nil, nil, err
	}
	return e, func() error {
		_ = e.Close() // the one that was overtaken has failed, and says so
		return store.Close()
	}, nil
}

// twoOwners returns what was acknowledged, and how much of it by the first
// owner once there was a second.
func twoOwners(ctx context.Context, dir string) (stale int, said map[string]int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	first, closeFirst, err := owner(ctx, dir)
	if err != nil {
		return 0, nil, err
	}
	defer closeFirst()
	said = map[string]int64{}
	for _, s := range sessions {
		if _, err := first.Start(ctx, durable.Start{ID: s, Chart: "main"}); err != nil {
			return 0, nil, err
		}
		if err := send(ctx, first, s, "before", 5, said); err != nil {
			return 0, nil, err
		}
	}
	if err := os.Remove(filepath.Join(dir, "store.db-lock")); err != nil {
		return 0, nil, err
	}
	second, closeSecond, err := owner(ctx, dir)
	if err != nil {
		return 0, nil, err
	}
	defer closeSecond()
	var wait sync.WaitGroup
	late, fresh := map[string]int64{}, map[string]int64{}
	wait.Go(func() {
		for i := range 10 {
			_ = send(ctx, first, sessions[i%2], fmt.Sprint("late", i), 2, late) // refused, or the test counts it
		}
	})
	wait.Go(func() {
		for i := 0; i < 10 && err == nil; i++ {
			err = send(ctx, second, sessions[i%2], fmt.Sprint("fresh", i), 2, fresh)
		}
	})
	wait.Wait()
	if *oneFence {
		err = nil // a send that was overtaken is one without an answer
	}
	for _, more := range []map[string]int64{late, fresh} {
		for id, sequence := range more {
			said[id] = sequence
		}
	}
	return len(late), said, err
}

// send sends events that nothing takes, and notes what was acknowledged.
func send(ctx context.Context, e *durable.Engine, session, prefix string, n int, said map[string]int64) error {
	for i := range n {
		id := fmt.Sprint(prefix, "-", i)
		a, err := e.Send(ctx, durable.Event{Session: session, Name: "nothing", ID: id})
		if err != nil {
			return err
		}
		said[session+"/"+id] = int64(a.Sequence)
	}
	return nil
}
