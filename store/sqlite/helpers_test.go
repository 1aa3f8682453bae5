package sqlite_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/store/sqlite"
)

func open(t testing.TB, path string, o sqlite.Options) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// owned opens a store, acquires it and tells the epoch.
func owned(t testing.TB, path string, o sqlite.Options) (*sqlite.Store, uint64) {
	t.Helper()
	s := open(t, path, o)
	lease, err := s.Acquire(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s, lease.Epoch
}

// head is a plain session that did nothing yet.
func head(session string) durable.Head {
	return durable.Head{Session: session, Format: 1, Chart: "door", Digest: strings.Repeat("d", 32), Status: durable.Active, User: "ann",
		Tags: []string{"test"}, Configuration: []string{"work.first"}, Created: 1, Since: 1}
}

// advance is a step of a session: the change, with h as it is then.
func advance(h *durable.Head, now int64, body []byte) durable.Change {
	h.Sequence++
	h.Updated = now
	h.Hash = fmt.Sprintf("%064d", h.Sequence)
	c := durable.Change{Session: h.Session, Before: h.Revision, Journal: []durable.JournalRow{{Sequence: h.Sequence, Time: now, Hash: h.Hash, Body: body}}}
	h.Revision++
	next := *h
	c.Head = &next
	return c
}

func commit(t testing.TB, s *sqlite.Store, epoch uint64, changes ...durable.Change) {
	t.Helper()
	if err := s.Commit(context.Background(), durable.Commit{Epoch: epoch, Clock: 1, Changes: changes}); err != nil {
		t.Fatal(err)
	}
}
