package sqlite_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/store/sqlite"
)

// D7: a full disk refuses the commit and changes nothing; with space again all
// goes on.
func TestD7FullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s, epoch := owned(t, path, sqlite.Options{MaxPages: 40})
	ctx := context.Background()
	h := head("one")
	big := bytes.Repeat([]byte("x"), 5000)
	commits := 0
	for ; commits < 100; commits++ {
		before := h
		c := advance(&h, int64(commits), big)
		c.Put = []durable.InboxRow{{Position: uint64(commits + 1), Body: []byte("{}")}}
		err := s.Commit(ctx, durable.Commit{Epoch: epoch, Changes: []durable.Change{c}})
		if err != nil {
			h = before
			if !errors.Is(err, durable.ErrFull) {
				t.Fatalf("got %v", err)
			}
			break
		}
	}
	if commits == 0 || commits == 100 {
		t.Fatalf("%d commits until the file was full", commits)
	}
	got, err := s.Load(ctx, durable.LoadQuery{Session: "one", Inbox: 1000})
	if err != nil || got.Head.Sequence != h.Sequence || len(got.Since) != commits || len(got.Inbox) != commits {
		t.Fatalf("after the refusal: %d rows, %d events, %+v (%v)", len(got.Since), len(got.Inbox), got.Head, err)
	}
	other := head("two")
	small := advance(&other, 1, []byte("{}"))
	small.Head.Status = durable.Cancelled
	commit(t, s, epoch, small) // what still fits is taken
	commit(t, s, epoch, durable.Change{Session: "one", Before: h.Revision, Delete: true})
	h = head("one")
	commit(t, s, epoch, advance(&h, 1, big))
	if found, err := s.Check(ctx); err != nil || len(found) > 0 {
		t.Errorf("check: %v (%v)", found, err)
	}
}

// A damaged page is reported as that, wherever it is met, and what lies
// elsewhere can still be read.
func TestDamagedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s, epoch := owned(t, path, sqlite.Options{})
	ctx := context.Background()
	for i := range 200 {
		h := head(fmt.Sprintf("session-%03d", i))
		c := advance(&h, 1, benchBody)
		c.State = benchBody
		commit(t, s, epoch, c)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	b := read(t, path)
	found, whole, unopened := 0, 0, 0
	for page := 1; page < len(b)/4096; page++ {
		broken := bytes.Clone(b)
		copy(broken[page*4096:], bytes.Repeat([]byte{0xff}, 4096))
		image := filepath.Join(t.TempDir(), "image.db")
		write(t, image, string(broken))
		s, err := sqlite.Open(image, sqlite.Options{})
		if err != nil {
			if !errors.Is(err, durable.ErrDamaged) {
				t.Errorf("page %d: opening gives %v", page+1, err)
			}
			unopened++
			continue
		}
		for i := range 200 {
			_, err := s.Load(ctx, durable.LoadQuery{Session: fmt.Sprintf("session-%03d", i)})
			switch {
			case err == nil:
				whole++
			case errors.Is(err, durable.ErrDamaged):
				found++
			case !errors.Is(err, durable.ErrNotFound):
				t.Fatalf("page %d: %v", page+1, err)
			}
		}
		if list, err := s.Check(ctx); err == nil && len(list) == 0 {
			t.Errorf("page %d is broken and no check says so", page+1)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if found == 0 || whole == 0 {
		t.Errorf("%d sessions were damaged and %d whole", found, whole)
	}
	t.Logf("%d pages broken one at a time: %d loads damaged, %d whole, %d files not opened", len(b)/4096-1, found, whole, unopened)
}

// A row that no version wrote is damage, not a guess.
func TestDamagedRow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s, epoch := owned(t, path, sqlite.Options{})
	for _, id := range []string{"one", "two"} {
		h := head(id)
		commit(t, s, epoch, advance(&h, 1, benchBody))
	}
	raw(t, path, "UPDATE sessions SET head = x'0102' WHERE session = 'one'", "DELETE FROM journal WHERE id >> 32 = (SELECT n FROM sessions WHERE session = 'two')")
	ctx := context.Background()
	if _, err := s.Load(ctx, durable.LoadQuery{Session: "one"}); !errors.Is(err, durable.ErrDamaged) {
		t.Errorf("load: %v", err)
	}
	if list, err := s.Select(ctx, durable.Filter{}); err != nil || len(list) != 2 || list[0].ReasonCode != string(durable.CodeDamaged) || list[1].ReasonCode != "" {
		t.Errorf("select: %+v (%v)", list, err)
	}
	found, err := s.Check(ctx)
	if err != nil || len(found) != 2 || found[0].Session != "one" || found[1].Session != "two" {
		t.Errorf("check: %+v (%v)", found, err)
	}
}
