package sqlite_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/store/sqlite"
)

func TestOneOwnerInAProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	first, epoch := owned(t, path, sqlite.Options{})
	second := open(t, path, sqlite.Options{})
	if _, err := second.Acquire(context.Background()); !errors.Is(err, durable.ErrOwned) {
		t.Fatalf("a second owner got %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	lease, err := second.Acquire(context.Background())
	if err != nil || lease.Epoch != epoch+1 {
		t.Fatalf("after the first closed: epoch %d (%v), want %d", lease.Epoch, err, epoch+1)
	}
}

// A name that leads to the same file leads to the same lock.
func TestOneOwnerUnderTwoNames(t *testing.T) {
	dir := t.TempDir()
	owned(t, filepath.Join(dir, "s.db"), sqlite.Options{})
	if err := os.Symlink("s.db", filepath.Join(dir, "other.db")); err != nil {
		t.Fatal(err)
	}
	second := open(t, filepath.Join(dir, "other.db"), sqlite.Options{})
	if _, err := second.Acquire(context.Background()); !errors.Is(err, durable.ErrOwned) {
		t.Fatalf("a second owner under another name got %v", err)
	}
}

// A file with two names of its own would have two logs and two locks. It is
// refused, whoever has it already, and taken when it has one name again.
func TestHardLink(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "s.db"), filepath.Join(dir, "other.db")
	made(t, path)
	if err := os.Link(path, other); err != nil {
		t.Fatal(err)
	}
	refused(t, path, sqlite.CodeUnavailable)
	refused(t, other, sqlite.CodeUnavailable)
	if err := os.Remove(other); err != nil {
		t.Fatal(err)
	}
	owned(t, path, sqlite.Options{})
}

// The lock of an owner that was killed is free at once, and what it committed
// is there.
func TestKilledOwner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	kill := startOwner(t, path)
	s := open(t, path, sqlite.Options{})
	if _, err := s.Acquire(context.Background()); !errors.Is(err, durable.ErrOwned) {
		t.Fatalf("beside a living owner: %v", err)
	}
	if got, err := s.Load(context.Background(), durable.LoadQuery{Session: "one"}); err != nil || got.Head.Sequence != steps {
		t.Fatalf("a visitor reads %+v (%v)", got, err)
	}
	kill()
	lease, err := s.Acquire(context.Background())
	if err != nil || lease.Epoch != 2 || lease.Clock != steps-1 {
		t.Fatalf("after the kill: %+v (%v)", lease, err)
	}
	if got, err := s.Load(context.Background(), durable.LoadQuery{Session: "one"}); err != nil || len(got.Since) != steps {
		t.Fatalf("after the kill: %+v (%v)", got, err)
	}
}

// X9: whoever has lost its lock without noticing is stopped by the epoch.
func TestX9StaleEpoch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	first, epoch := owned(t, path, sqlite.Options{})
	h := head("one")
	commit(t, first, epoch, advance(&h, 1, []byte("{}")))
	if err := os.Remove(path + "-lock"); err != nil {
		t.Fatal(err)
	}
	second, next := owned(t, path, sqlite.Options{})
	stale := advance(&h, 2, []byte("{}"))
	for name, err := range map[string]error{
		"commit": first.Commit(context.Background(), durable.Commit{Epoch: epoch, Changes: []durable.Change{stale}}),
		"reply":  first.Reply(context.Background(), epoch, "r", []byte("{}")),
		"compact": func() error {
			_, err := first.Compact(context.Background(), sqlite.CompactOptions{Journal: 100})
			return err
		}(),
		"commit under a number of before": second.Commit(context.Background(), durable.Commit{Epoch: next - 1, Changes: []durable.Change{stale}}),
	} {
		if !errors.Is(err, durable.ErrFenced) {
			t.Errorf("%s: %v, want %v", name, err, durable.ErrFenced)
		}
	}
	if got, err := second.Load(context.Background(), durable.LoadQuery{Session: "one"}); err != nil || got.Head.Sequence != 1 {
		t.Fatalf("a stale owner changed the store: %+v (%v)", got, err)
	}
	commit(t, second, next, stale)
}
