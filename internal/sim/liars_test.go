package sim

import (
	"context"
	"math/rand/v2"

	"github.com/detent-run/detent/durable"
)

// liars are stores with one deliberate bug each.
var liars = map[string]func(durable.Store, *rand.Rand) durable.Store{
	"M3 an acknowledgement before the commit": func(s durable.Store, _ *rand.Rand) durable.Store { return &early{Store: s} },
	"M4 no dedupe":              func(s durable.Store, _ *rand.Rand) durable.Store { return forgetful{s} },
	"a stale read":              func(s durable.Store, r *rand.Rand) durable.Store { return &stale{s, r, map[string]*durable.Stored{}} },
	"a queue that is not kept":  func(s durable.Store, r *rand.Rand) durable.Store { return careless{s, r} },
	"a full disk that is not":   func(s durable.Store, r *rand.Rand) durable.Store { return falseFull{s, r} },
	"a row that is not updated": func(s durable.Store, r *rand.Rand) durable.Store { return sticky{s, r} },
}

// early says yes to a commit and stores it with the next.
type early struct {
	durable.Store
	held *durable.Commit
}

func (s *early) Commit(ctx context.Context, c durable.Commit) error {
	if s.held != nil {
		if err := s.Store.Commit(ctx, *s.held); err != nil {
			return err
		}
	}
	s.held = &c
	return nil
}

// forgetful keeps no event's id.
type forgetful struct{ durable.Store }

func (s forgetful) Commit(ctx context.Context, c durable.Commit) error {
	return s.Store.Commit(ctx, edited(c, func(x *durable.Change) {
		var kept []durable.Record
		for _, r := range x.Records {
			if r.Namespace != durable.SpaceDedupe {
				kept = append(kept, r)
			}
		}
		x.Records = kept
	}))
}

// stale sometimes reads what it read before.
type stale struct {
	durable.Store
	random *rand.Rand
	before map[string]*durable.Stored
}

func (s *stale) Load(ctx context.Context, q durable.LoadQuery) (*durable.Stored, error) {
	if q.Row {
		return s.Store.Load(ctx, q)
	}
	if old := s.before[q.Session]; old != nil && s.random.IntN(4) == 0 {
		return old, nil
	}
	got, err := s.Store.Load(ctx, q)
	if err == nil {
		s.before[q.Session] = got
	}
	return got, err
}

// careless loses one queued event in four.
type careless struct {
	durable.Store
	random *rand.Rand
}

func (s careless) Commit(ctx context.Context, c durable.Commit) error {
	return s.Store.Commit(ctx, edited(c, func(x *durable.Change) {
		if s.random.IntN(4) == 0 {
			x.Put = nil
		}
	}))
}

// falseFull sometimes says that nothing was stored when all was.
type falseFull struct {
	durable.Store
	random *rand.Rand
}

func (s falseFull) Commit(ctx context.Context, c durable.Commit) error {
	if err := s.Store.Commit(ctx, c); err != nil || s.random.IntN(20) > 0 {
		return err
	}
	return durable.ErrFull
}

// sticky sometimes leaves a queued event where it is, though it was taken.
type sticky struct {
	durable.Store
	random *rand.Rand
}

func (s sticky) Commit(ctx context.Context, c durable.Commit) error {
	return s.Store.Commit(ctx, edited(c, func(x *durable.Change) {
		if s.random.IntN(4) == 0 {
			x.Take = nil
		}
	}))
}

// edited is the commit with each change passed through f.
func edited(c durable.Commit, f func(*durable.Change)) durable.Commit {
	changes := append([]durable.Change(nil), c.Changes...)
	for i := range changes {
		f(&changes[i])
	}
	c.Changes = changes
	return c
}
