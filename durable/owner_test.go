package durable_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/sqlite"
)

func file(t *testing.T, path string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(path, sqlite.Options{})
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func hasCode(err error, code statechart.Code) bool {
	var known *statechart.Error
	return errors.As(err, &known) && known.Code == code && known.Hint != ""
}

// A second engine is refused at once, may visit, and owns when the first has
// ended.
func TestASecondOwnerIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "detent.db")
	config := durable.Config{Charts: durable.NewCharts(light(t))}
	ctx := within(t)
	kept := file(t, path)
	first := open(t, kept, config)
	_, err := first.Start(ctx, durable.Start{ID: "s", Chart: "light"})
	must(t, err)
	other := file(t, path)
	for range 3 {
		if _, err := durable.Open(ctx, other, config); !hasCode(err, durable.CodeOwned) {
			t.Fatalf("a second engine is answered by %v", err)
		}
	}
	visitor, err := durable.Visit(other, durable.VisitConfig{})
	must(t, err)
	if a, err := visitor.Send(ctx, durable.Event{Session: "s", Name: "go", ID: "1"}); err != nil || a.Sequence != 2 {
		t.Errorf("a visitor's event is answered by %+v %v", a, err)
	}
	must(t, first.Close())
	must(t, kept.Close())
	second := open(t, other, config)
	if a, err := second.Send(ctx, durable.Event{Session: "s", Name: "go", ID: "1"}); err != nil || !a.Duplicate || a.Sequence != 2 {
		t.Errorf("the next owner answers the visitor's event by %+v %v", a, err)
	}
}

// X9: an owner that lost its lock and does not know it changes nothing: its
// first commit is fenced, it acknowledges nothing, and stops. The other one
// does not notice.
func TestX9AStaleOwnerIsFenced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "detent.db")
	config := durable.Config{Charts: durable.NewCharts(light(t))}
	ctx := within(t)
	stale := open(t, file(t, path), config)
	for _, id := range []string{"s", "r"} {
		_, err := stale.Start(ctx, durable.Start{ID: id, Chart: "light"})
		must(t, err)
	}
	must(t, os.Remove(path+"-lock")) // what is locked now is nobody's file
	owner := open(t, file(t, path), config)
	_, err := owner.Send(ctx, durable.Event{Session: "s", Name: "go"})
	must(t, err)
	// Neither the session that moved nor the one that did not.
	for _, id := range []string{"r", "s"} {
		if a, err := stale.Send(ctx, durable.Event{Session: id, Name: "go"}); !hasCode(err, durable.CodeStoreFailed) {
			t.Errorf("the stale owner answers %+v %v", a, err)
		}
	}
	<-stale.Failed()
	if !errors.Is(stale.Err(), durable.ErrFenced) {
		t.Errorf("it stopped because of %v", stale.Err())
	}
	for id, want := range map[string]uint64{"s": 2, "r": 1} {
		v, err := owner.Get(ctx, id)
		must(t, err)
		if v.Sequence != want {
			t.Errorf("%s stands at %d, want %d", id, v.Sequence, want)
		}
		if a, err := owner.Send(ctx, durable.Event{Session: id, Name: "off"}); err != nil || a.Sequence != want+1 {
			t.Errorf("the owner answers %+v %v", a, err)
		}
		if c, err := owner.Verify(ctx, id); err != nil || len(c.Problems) > 0 {
			t.Errorf("%s does not verify: %v %v", id, c.Problems, err)
		}
	}
}
