package memory_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/store/memory"
	"github.com/detent-run/detent/store/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Opened {
		s := memory.New()
		return storetest.Opened{Store: s, Reopen: func() durable.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			return s
		}}
	})
}

// An owner that lost its store changes nothing more, and cannot take it from
// the next by closing.
func TestSteal(t *testing.T) {
	s, ctx := memory.New(), context.Background()
	first, err := s.Acquire(ctx)
	if err != nil {
		t.Fatal(err)
	}
	s.Steal()
	second, err := s.Acquire(ctx)
	if err != nil || second.Epoch <= first.Epoch {
		t.Fatalf("the second owner has %+v (%v)", second, err)
	}
	if err := s.Commit(ctx, durable.Commit{Epoch: first.Epoch}); !errors.Is(err, durable.ErrFenced) {
		t.Errorf("a commit of the first owner: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Commit(ctx, durable.Commit{Epoch: second.Epoch}); err != nil {
		t.Errorf("a commit of the second owner: %v", err)
	}
	if _, err := s.Acquire(ctx); !errors.Is(err, durable.ErrOwned) {
		t.Errorf("a third owner: %v", err)
	}
}

// The order of what is due holds over many blocks, with changes in between.
func TestDueOfMany(t *testing.T) {
	s, ctx := memory.New(), context.Background()
	lease, err := s.Acquire(ctx)
	if err != nil {
		t.Fatal(err)
	}
	const n = 20_000
	at := func(i int) int64 { return int64(i*7919%n) + 1 }
	for revision := range uint64(2) { // the second time half of them move or rest
		c := durable.Commit{Epoch: lease.Epoch}
		for i := range n {
			if revision == 1 && i%2 == 0 {
				continue
			}
			h := &durable.Head{Session: fmt.Sprint(i), Due: at(i)}
			if revision == 1 && i%4 == 1 {
				h.Due = 0
			}
			c.Changes = append(c.Changes, durable.Change{Session: h.Session, Before: revision, Head: h})
		}
		if err := s.Commit(ctx, c); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.Due(ctx, n, n)
	if err != nil || len(list) != n*3/4 {
		t.Fatalf("%d are due, want %d (%v)", len(list), n*3/4, err)
	}
	for i := 1; i < len(list); i++ {
		if list[i-1].At >= list[i].At {
			t.Fatalf("%+v stands before %+v", list[i-1], list[i])
		}
	}
}
