package sim

import (
	"context"
	"errors"

	"github.com/detent-run/detent/durable"
)

// Store is a store with faults, for one life of an engine. Behind it is one
// that survives.
type Store struct {
	durable.Store
	world *World
	// Rate is how many of 1,000 commits go wrong.
	Rate int
	// Faults counts what went wrong, by kind.
	Faults map[string]int
	// Stored, if set, is told of each commit that the store has taken, at once
	// and before anybody else.
	Stored func(durable.Commit)
	full   int // commits that still find the disk full
	gone   bool
}

// NewStore puts faults before a store.
func NewStore(w *World, inner durable.Store, rate int, faults map[string]int) *Store {
	return &Store{Store: inner, world: w, Rate: rate, Faults: faults}
}

// Leave fences the life off: nothing of it reaches the store any more.
func (s *Store) Leave() { s.gone = true }

var (
	errGone  = errors.New("this life is over")
	errFault = errors.New("the connection broke")
)

// Load reads, after others had a chance to go first.
func (s *Store) Load(ctx context.Context, q durable.LoadQuery) (*durable.Stored, error) {
	s.world.Yield()
	if s.gone {
		return nil, errGone
	}
	return s.Store.Load(ctx, q)
}

// Commit stores, or fails: before anything happened, or after all of it did.
func (s *Store) Commit(ctx context.Context, c durable.Commit) error {
	r := s.world.random
	for range r.IntN(3) {
		s.world.Yield()
	}
	if s.gone {
		return errGone
	}
	if s.full > 0 {
		s.full--
		return durable.ErrFull
	}
	if r.IntN(1000) >= s.Rate {
		err := s.commit(ctx, c)
		s.world.Yield() // stored, and nobody was told yet
		return err
	}
	switch r.IntN(4) {
	case 0:
		s.Faults["failed commit"]++
		return errFault
	case 1:
		s.Faults["disk full"]++
		s.full = r.IntN(3)
		return durable.ErrFull
	case 2:
		s.Faults["slow commit"]++
		s.world.Sleep(ctx, int64(r.IntN(5000)))
		return s.commit(ctx, c)
	}
	s.Faults["unseen commit"]++
	if err := s.commit(ctx, c); err != nil {
		return err
	}
	return errFault
}

func (s *Store) commit(ctx context.Context, c durable.Commit) error {
	err := s.Store.Commit(ctx, c)
	if err == nil && s.Stored != nil {
		s.Stored(c)
	}
	return err
}
