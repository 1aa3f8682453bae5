package sqlite_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/sqlite"
)

// D8: a copy that is made while the owner goes on is a store with the first so
// many commits.
func TestD8Backup(t *testing.T) {
	dir := t.TempDir()
	s, epoch := owned(t, filepath.Join(dir, "s.db"), sqlite.Options{LogPages: 16})
	ctx := context.Background()
	h := head("one")
	commit(t, s, epoch, advance(&h, 1, []byte(`{"step":1}`)))
	visitor := open(t, s.Path(), sqlite.Options{})
	done := make(chan error)
	go func() { done <- visitor.Backup(ctx, filepath.Join(dir, "copy.db")) }()
	for running := true; running; {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			running = false
		default:
			commit(t, s, epoch, advance(&h, 1, []byte(fmt.Sprintf(`{"step":%d}`, h.Sequence+1))))
		}
	}
	if got := inspect(t, filepath.Join(dir, "copy.db")); got < 1 || got > h.Sequence {
		t.Errorf("the copy has %d steps of %d", got, h.Sequence)
	}
	copied, next := owned(t, filepath.Join(dir, "copy.db"), sqlite.Options{MustExist: true})
	if next <= epoch {
		t.Errorf("the copy begins with epoch %d after %d", next, epoch)
	}
	if found, err := copied.Check(ctx); err != nil || len(found) > 0 {
		t.Errorf("check: %v (%v)", found, err)
	}
	var e *statechart.Error
	if err := s.Backup(ctx, filepath.Join(dir, "copy.db")); !errors.As(err, &e) || e.Code != sqlite.CodeExists {
		t.Errorf("over a file that is there: %v", err)
	}
	commit(t, s, epoch, advance(&h, 1, []byte("{}")))
	if _, err := visitor.Load(ctx, durable.LoadQuery{Session: "one"}); err != nil {
		t.Error(err)
	}
}

// A backup that is given up leaves nothing.
func TestBackupGivenUp(t *testing.T) {
	dir := t.TempDir()
	s, epoch := owned(t, filepath.Join(dir, "s.db"), sqlite.Options{})
	h := head("one")
	for range 20 {
		commit(t, s, epoch, advance(&h, 1, bytes.Repeat([]byte("x"), 1<<20)))
	}
	target := filepath.Join(t.TempDir(), "copy.db")
	ctx, cancel := context.WithCancel(context.Background())
	go func() { // as soon as it has begun
		for {
			if list, _ := os.ReadDir(filepath.Dir(target)); len(list) > 0 {
				cancel()
				return
			}
		}
	}()
	if err := s.Backup(ctx, target); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if list, err := os.ReadDir(filepath.Dir(target)); err != nil || len(list) != 0 {
		t.Errorf("it left %v (%v)", list, err)
	}
	commit(t, s, epoch, advance(&h, 1, benchBody))
	if err := s.Backup(context.Background(), target); err != nil {
		t.Error(err)
	}
}

// S8: compaction keeps what replay from the newest full state needs, the ids
// within their retention and the chain.
func TestS8Compact(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s, epoch := owned(t, path, sqlite.Options{})
	ctx := context.Background()
	h, last := head("one"), head("over")
	for i := range 10 {
		now := int64(100 * (i + 1))
		c := advance(&h, now, benchBody)
		if i == 6 {
			c.State = []byte(`{"at":7}`)
		}
		c.Records = []durable.Record{{Namespace: durable.SpaceDedupe, Session: "one", Key: fmt.Sprintf("event-%02d", i), Body: []byte("{}")},
			{Namespace: durable.SpaceList, Session: "one", Key: fmt.Sprintf("m/%02d", i), Body: []byte("{}")}}
		c.Effects = []durable.EffectRow{{Key: fmt.Sprintf("effect-%02d", i), Live: i%2 == 0, Body: []byte("{}")}}
		if err := s.Commit(ctx, durable.Commit{Epoch: epoch, Clock: now, Changes: []durable.Change{c}}); err != nil {
			t.Fatal(err)
		}
	}
	c := advance(&last, 300, benchBody)
	c.Head.Status = durable.Completed
	child := head("child")
	d := advance(&child, 200, benchBody)
	d.Head.Status, d.Head.Parent = durable.Failed, "over"
	commit(t, s, epoch, c, d)
	before, err := s.Load(ctx, durable.LoadQuery{Session: "one"})
	if err != nil {
		t.Fatal(err)
	}

	options := sqlite.CompactOptions{Journal: 900, Dedupe: 550, Sessions: 400, Shrink: true}
	if kept, err := s.Compact(ctx, sqlite.CompactOptions{Journal: 900, Keep: 5, Rehearse: true}); err != nil || kept.Journal != 5 {
		t.Errorf("with the five newest rows kept %d rows would go (%v), want 5", kept.Journal, err)
	}
	would, err := s.Compact(ctx, sqlite.CompactOptions{Journal: 900, Dedupe: 550, Sessions: 400, Rehearse: true})
	if rows, bad := s.Journal(ctx, "one", 1, 100); err != nil || bad != nil || len(rows) != 10 {
		t.Errorf("after a rehearsal the journal has %d rows (%v, %v)", len(rows), err, bad)
	}
	did, err := s.Compact(ctx, options)
	if would.Before, would.After = did.Before, did.After; would != did {
		t.Errorf("the rehearsal counted %+v, and %+v went", would, did)
	}
	if err != nil {
		t.Fatal(err)
	}
	if did.Journal != 7 || did.Effects != 4 || did.Dedupe != 5 || did.Sessions != 2 {
		t.Errorf("went: %+v, want 7 rows, 4 effects, 5 ids, 2 sessions", did)
	}
	after, err := s.Load(ctx, durable.LoadQuery{Session: "one"})
	if err != nil || fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("loaded %+v (%v), want %+v", after, err, before)
	}
	rows, err := s.Journal(ctx, "one", 1, 100)
	if err != nil || len(rows) != 3 || rows[0].Sequence != 8 {
		t.Errorf("the journal has %+v (%v)", rows, err)
	}
	base, err := s.Records(ctx, durable.RecordQuery{Namespace: durable.SpaceBase, Session: "one"})
	if want := fmt.Sprintf(`{"hash":"%064d","sequence":7}`, 7); err != nil || len(base) != 1 || base[0].Key != sqlite.BaseKey || string(base[0].Body) != want {
		t.Errorf("the chain goes on from %+v (%v), want %s", base, err, want)
	}
	ids, err := s.Records(ctx, durable.RecordQuery{Namespace: durable.SpaceDedupe, Session: "one"})
	if err != nil || len(ids) != 5 || ids[0].Key != "event-05" {
		t.Errorf("the ids that stay are %+v (%v)", ids, err)
	}
	if list, err := s.Records(ctx, durable.RecordQuery{Namespace: durable.SpaceList, Session: "one"}); err != nil || len(list) != 10 {
		t.Errorf("the list has %d rows (%v)", len(list), err)
	}
	if found, err := s.Check(ctx); err != nil || len(found) > 0 {
		t.Errorf("check: %v (%v)", found, err)
	}
	if again, err := s.Compact(ctx, sqlite.CompactOptions{Journal: 900, Dedupe: 550, Sessions: 400}); err != nil || again.Journal+again.Effects+again.Dedupe+again.Sessions != 0 {
		t.Errorf("a second time: %+v (%v)", again, err)
	}
	commit(t, s, epoch, advance(&h, 1100, benchBody))
}

// Compaction and retention bound the file however many sessions come and go.
func TestCompactBoundsTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s, epoch := owned(t, path, sqlite.Options{})
	ctx := context.Background()
	var first, largest int64
	for round := range int64(8) {
		var group []durable.Change
		for i := range 200 {
			h := head(fmt.Sprintf("session-%d-%03d", round, i))
			c := advance(&h, round+1, benchBody)
			c.Head.Status, c.State = durable.Completed, benchBody
			group = append(group, c)
		}
		commit(t, s, epoch, group...)
		did, err := s.Compact(ctx, sqlite.CompactOptions{Sessions: round + 1})
		if err != nil || round > 0 && did.Sessions != 200 {
			t.Fatalf("round %d: %+v (%v)", round, did, err)
		}
		if largest = max(largest, did.After); round == 1 {
			first = did.After
		}
	}
	if largest > first+first/5 {
		t.Errorf("the file grew from %d to %d bytes", first, largest)
	}
	did, err := s.Compact(ctx, sqlite.CompactOptions{Sessions: 100, Shrink: true})
	if err != nil || did.After >= did.Before/2 {
		t.Errorf("shrunk: %+v (%v)", did, err)
	}
}

func TestStats(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s, epoch := owned(t, path, sqlite.Options{})
	ctx := context.Background()
	for i := range 5 {
		h := head(fmt.Sprint(i))
		c := advance(&h, 1, benchBody)
		if i > 2 {
			c.Head.Status = durable.Suspended
		}
		c.Head.Due = int64(i)
		c.Put = []durable.InboxRow{{Position: uint64(i + 1), Body: []byte("{}")}}
		c.Effects = []durable.EffectRow{{Key: "a", Live: true, Body: []byte("{}")}, {Key: "b", Body: []byte("{}")}}
		commit(t, s, epoch, c)
	}
	if err := s.Ask(ctx, durable.Request{ID: "r", Body: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	st, err := s.Stats(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(st.Sessions) != "[{active 3} {suspended 2}]" || st.Queued != 5 || st.Effects != 5 || st.Due != 4 || st.Requests != 1 ||
		!st.Owner || st.Format != 2 || st.Bodies != 1 || st.Epoch != 1 || st.Bytes == 0 || st.Log == 0 || st.SQLite == "" {
		t.Errorf("got %+v", st)
	}
	visitor := open(t, path, sqlite.Options{})
	if st, err := visitor.Stats(ctx); err != nil || st.Owner {
		t.Errorf("a visitor is told %+v (%v)", st, err)
	}
}
