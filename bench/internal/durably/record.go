package durably

import (
	"context"
	"os"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/store/sqlite"
)

// event is what one event of the engine puts into a store: the bytes of its
// rows.
type event struct {
	head    []byte // what an update of the session's row writes
	hash    string
	journal []byte
	state   []byte // nil for most
	record  []byte // what is kept under the event's id
}

// noting is the store, and notes what the engine hands it.
type noting struct {
	*sqlite.Store
	commits atomic.Int64
	mu      sync.Mutex
	record  bool
	events  []event
}

// Commit notes the changes and stores them.
func (s *noting) Commit(ctx context.Context, c durable.Commit) error {
	s.commits.Add(1)
	if s.record {
		s.note(c)
	}
	return s.Store.Commit(ctx, c)
}

func (s *noting) note(c durable.Commit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range c.Changes {
		for n, row := range c.Changes[i].Journal {
			e := event{hash: row.Hash, journal: row.Body}
			if n < len(c.Changes[i].Records) {
				e.record = c.Changes[i].Records[n].Body
			}
			if n == len(c.Changes[i].Journal)-1 {
				e.head, e.state = rowBytes(c.Changes[i].Head), c.Changes[i].State
			}
			s.events = append(s.events, e)
		}
	}
}

// rowBytes are as many bytes as the texts and numbers of a session's row.
func rowBytes(h *durable.Head) []byte {
	texts := []string{h.Session, h.Chart, h.Digest, string(h.Status), string(h.Reason), h.ReasonCode, h.User, h.Parent, h.ParentKey, h.Hash}
	texts = append(append(texts, h.Tags...), h.Configuration...)
	const numbers = 10 * 4 // as SQLite packs them, about
	return []byte(strings.Join(texts, "") + strings.Repeat("0", numbers))
}

// cycle is how many events of a session are recorded: the state is stored as
// a whole several times in it.
const cycle = 256

// recorded plays one session and returns what each of its events stored.
func recorded() ([]event, error) {
	directory, err := os.MkdirTemp("", "detent-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(directory)
	e, err := NewEngine(directory, 1)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	e.store.record = true // its start is over, and nothing else goes on
	for range cycle {
		if err := e.Send(0); err != nil {
			return nil, err
		}
	}
	return e.store.events, nil
}
