// Package memory is a store in memory, for tests and trials.
package memory

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/detent-run/detent/durable"
)

// Store is a [durable.Store] in memory. Bodies are shared with who hands them
// in and must not be changed. What is read is found by looking at everything:
// it is for hundreds of sessions, not for a million.
type Store struct {
	mu       sync.Mutex
	owned    bool
	epoch    uint64
	clock    int64
	position uint64
	sessions map[string]*session
	records  map[string]durable.Record
}

type session struct {
	head    durable.Head
	state   []byte
	stateAt uint64
	journal []durable.JournalRow
	inbox   []durable.InboxRow
	effects map[string]durable.EffectRow
}

// New makes an empty store.
func New() *Store {
	return &Store{sessions: map[string]*session{}, records: map[string]durable.Record{}}
}

// Acquire is [durable.Store.Acquire].
func (s *Store) Acquire(context.Context) (durable.Lease, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.owned {
		return durable.Lease{}, durable.ErrOwned
	}
	s.owned = true
	s.epoch++
	return durable.Lease{Epoch: s.epoch, Clock: s.clock, Position: s.position}, nil
}

// Close gives up ownership and keeps what is stored: a new engine may open it.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.owned = false
	return nil
}

// Commit is [durable.Store.Commit].
func (s *Store) Commit(_ context.Context, c durable.Commit) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.Epoch != s.epoch {
		return durable.ErrFenced
	}
	revisions := map[string]uint64{}
	for _, x := range c.Changes {
		if x.Head == nil && !x.Delete {
			continue
		}
		now, ok := revisions[x.Session]
		if !ok && s.sessions[x.Session] != nil {
			now = s.sessions[x.Session].head.Revision
		}
		if now != x.Before {
			return &durable.StaleError{Session: x.Session}
		}
		revisions[x.Session] = x.Before + 1
		if x.Delete {
			revisions[x.Session] = 0
		}
	}
	s.clock = max(s.clock, c.Clock)
	for _, x := range c.Changes {
		s.apply(x)
	}
	return nil
}

func recordKey(r durable.Record) string { return r.Namespace + "\x00" + r.Session + "\x00" + r.Key }

func (s *Store) apply(x durable.Change) {
	m := s.sessions[x.Session]
	if x.Delete {
		delete(s.sessions, x.Session)
		for k, r := range s.records {
			if r.Session == x.Session {
				delete(s.records, k)
			}
		}
		return
	}
	if m == nil {
		if x.Head == nil {
			return
		}
		m = &session{effects: map[string]durable.EffectRow{}}
		s.sessions[x.Session] = m
	}
	for _, p := range x.Take {
		m.inbox = slices.DeleteFunc(m.inbox, func(r durable.InboxRow) bool { return r.Position == p })
	}
	m.inbox = append(m.inbox, x.Put...)
	slices.SortFunc(m.inbox, func(a, b durable.InboxRow) int { return int(a.Position) - int(b.Position) })
	for _, p := range x.Put {
		s.position = max(s.position, p.Position)
	}
	if x.Head != nil {
		m.head = *x.Head
		m.head.Tags, m.head.Configuration = slices.Clone(x.Head.Tags), slices.Clone(x.Head.Configuration)
	}
	m.head.Ready = m.head.Ready || len(m.inbox) > 0
	if x.State != nil {
		m.state, m.stateAt = slices.Clone(x.State), x.Head.Sequence
	}
	m.journal = append(m.journal, x.Journal...)
	for _, f := range x.Effects {
		m.effects[f.Key] = f
	}
	for _, r := range x.Records {
		if r.Body == nil {
			delete(s.records, recordKey(r))
		} else {
			r.Body = slices.Clone(r.Body)
			s.records[recordKey(r)] = r
		}
	}
}

// Load is [durable.Store.Load].
func (s *Store) Load(_ context.Context, q durable.LoadQuery) (*durable.Stored, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.sessions[q.Session]
	if m == nil {
		return nil, durable.ErrNotFound
	}
	out := &durable.Stored{Head: m.head, State: slices.Clone(m.state), StateAt: m.stateAt}
	for _, r := range m.journal {
		if r.Sequence > m.stateAt {
			out.Since = append(out.Since, r)
		}
	}
	n := min(q.Inbox, len(m.inbox))
	out.Inbox, out.MoreInbox = slices.Clone(m.inbox[:n]), n < len(m.inbox)
	for _, f := range m.effects {
		if f.Live || slices.Contains(q.Effects, f.Key) {
			out.Effects = append(out.Effects, f)
		}
	}
	slices.SortFunc(out.Effects, func(a, b durable.EffectRow) int { return strings.Compare(a.Key, b.Key) })
	return out, nil
}

// Due is [durable.Store.Due].
func (s *Store) Due(_ context.Context, through int64, limit int) ([]durable.Due, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []durable.Due
	for id, m := range s.sessions {
		if m.head.Due != 0 && m.head.Due <= through {
			out = append(out, durable.Due{Session: id, At: m.head.Due})
		}
	}
	slices.SortFunc(out, func(a, b durable.Due) int {
		if a.At != b.At {
			return int(a.At - b.At)
		}
		return strings.Compare(a.Session, b.Session)
	})
	return out[:min(limit, len(out))], nil
}

// Select is [durable.Store.Select].
func (s *Store) Select(_ context.Context, f durable.Filter) ([]durable.Head, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []durable.Head
	for _, m := range s.sessions {
		h := m.head
		ok := (f.Chart == "" || f.Chart == h.Chart) && (f.Digest == "" || f.Digest == h.Digest) && (f.User == "" || f.User == h.User) &&
			(f.Parent == "" || f.Parent == h.Parent) && (f.ReasonCode == "" || f.ReasonCode == h.ReasonCode) && (f.Status == "" || f.Status == h.Status) &&
			(!f.Ready || h.Ready) && (!f.Waits || h.Waits) && (f.Tag == "" || slices.Contains(h.Tags, f.Tag)) && h.Session > f.After &&
			(f.UpdatedFrom == 0 || h.Updated >= f.UpdatedFrom) && (f.UpdatedTo == 0 || h.Updated < f.UpdatedTo) &&
			(f.State == "" || slices.ContainsFunc(h.Configuration, func(p string) bool { return p == f.State || strings.HasPrefix(p, f.State+".") }))
		if ok {
			out = append(out, h)
		}
	}
	slices.SortFunc(out, func(a, b durable.Head) int { return strings.Compare(a.Session, b.Session) })
	if f.Limit == 0 {
		f.Limit = 100
	}
	return out[:min(f.Limit, len(out))], nil
}

// Journal is [durable.Store.Journal].
func (s *Store) Journal(_ context.Context, id string, from uint64, limit int) ([]durable.JournalRow, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.sessions[id]
	if m == nil {
		return nil, durable.ErrNotFound
	}
	var out []durable.JournalRow
	for _, r := range m.journal {
		if r.Sequence >= from && len(out) < limit {
			out = append(out, r)
		}
	}
	return out, nil
}

// Records is [durable.Store.Records].
func (s *Store) Records(_ context.Context, q durable.RecordQuery) ([]durable.Record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	every := q.Session == "*" && len(q.Search) > 0
	var out []durable.Record
	for _, r := range s.records {
		if r.Namespace == q.Namespace && (every || r.Session == q.Session) && r.Key >= q.From && (q.To == "" || r.Key < q.To) && holds(r.Text, q.Search) {
			r.Body = slices.Clone(r.Body)
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b durable.Record) int {
		if a.Session != b.Session {
			return strings.Compare(a.Session, b.Session)
		}
		return strings.Compare(a.Key, b.Key)
	})
	if q.Reverse {
		slices.Reverse(out)
	}
	if q.Limit == 0 {
		q.Limit = 1000
	}
	return out[:min(q.Limit, len(out))], nil
}

// holds reports whether the text contains all the words, without regard to
// case.
func holds(text string, words []string) bool {
	text = strings.ToLower(text)
	for _, w := range words {
		if !strings.Contains(text, strings.ToLower(w)) {
			return false
		}
	}
	return true
}
