// Package memory is a store in memory, for tests and trials. What it keeps
// ends with the process.
package memory

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/detent-run/detent/durable"
)

// Store is a [durable.Store] and [durable.Visited] in memory, for any number of
// goroutines; it starts none itself.
//
// Close gives up ownership and keeps the data, so that a test can restart: the
// next Acquire opens the same Store again. Between the two all else is an
// error.
type Store struct {
	mu     sync.Mutex
	owners int // more than one only after Steal
	stolen bool
	closed bool

	epoch    uint64
	clock    int64
	position uint64

	sessions map[string]*session
	ids      ordered[string]
	due      ordered[durable.Due]
	records  map[recordKey]durable.Record
	keys     ordered[recordKey]

	requests []durable.Request // without a reply, oldest first
	asked    map[string]*request
}

// session is what is kept of one session. Of its head, Ready is as the engine
// set it; what is queued is added on reading.
type session struct {
	head    durable.Head
	state   []byte
	stateAt uint64
	journal []durable.JournalRow
	inbox   []durable.InboxRow
	effects map[string]durable.EffectRow
	live    map[string]bool
}

// recordKey orders records by session first, so that those of one session lie
// together.
type recordKey struct{ session, namespace, key string }

func (k recordKey) compare(other recordKey) int {
	return cmp.Or(strings.Compare(k.session, other.session), strings.Compare(k.namespace, other.namespace), strings.Compare(k.key, other.key))
}

var errClosed = errors.New("the store is closed")

// New makes an empty store.
func New() *Store {
	return &Store{
		sessions: map[string]*session{},
		ids:      ordered[string]{compare: strings.Compare},
		due: ordered[durable.Due]{compare: func(a, b durable.Due) int {
			return cmp.Or(cmp.Compare(a.At, b.At), strings.Compare(a.Session, b.Session))
		}},
		records: map[recordKey]durable.Record{},
		keys:    ordered[recordKey]{compare: recordKey.compare},
		asked:   map[string]*request{},
	}
}

// Acquire makes the caller the owner, under the next epoch.
func (s *Store) Acquire(ctx context.Context) (durable.Lease, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return durable.Lease{}, err
	}
	if s.owners > 0 && !s.stolen {
		return durable.Lease{}, durable.ErrOwned
	}
	s.owners++
	s.stolen, s.closed = false, false
	s.epoch++
	s.forget()
	return durable.Lease{Epoch: s.epoch, Clock: s.clock, Position: s.position}, nil
}

// Steal lets the next Acquire succeed although the store is owned, as when an
// owner lost its lock and does not know it yet. For tests of the fence: the
// commits of the owner before give [durable.ErrFenced] from then on. Each of
// the two owners has to close the store.
func (s *Store) Steal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stolen = true
}

// Close gives up ownership, if it is held, and keeps what is stored.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.owners = max(0, s.owners-1)
	s.closed = s.owners == 0
	return nil
}

// usable says why nothing can be read. The caller holds mu.
func (s *Store) usable(ctx context.Context) error {
	if s.closed {
		return errClosed
	}
	return ctx.Err()
}
