package memory

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/detent-run/detent/durable"
)

// Load reads one session.
func (s *Store) Load(ctx context.Context, q durable.LoadQuery) (*durable.Stored, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, err := s.find(ctx, q.Session)
	if err != nil {
		return nil, err
	}
	if q.Row {
		return &durable.Stored{Head: m.shown()}, nil
	}
	out := &durable.Stored{Head: m.shown(), State: bytes.Clone(m.state), StateAt: m.stateAt, Since: m.rows(m.stateAt+1, len(m.journal))}
	n := min(max(q.Inbox, 0), len(m.inbox))
	for _, r := range m.inbox[:n] {
		out.Inbox = append(out.Inbox, durable.InboxRow{Position: r.Position, Body: bytes.Clone(r.Body)})
	}
	out.MoreInbox = n < len(m.inbox)
	keys := slices.Clone(q.Effects)
	for k := range m.live {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range slices.Compact(keys) {
		if f, ok := m.effects[k]; ok {
			f.Body = bytes.Clone(f.Body)
			out.Effects = append(out.Effects, f)
		}
	}
	return out, nil
}

// find returns a session. The caller holds mu.
func (s *Store) find(ctx context.Context, id string) (*session, error) {
	if err := s.usable(ctx); err != nil {
		return nil, err
	}
	if m := s.sessions[id]; m != nil {
		return m, nil
	}
	return nil, durable.ErrNotFound
}

// shown is the head as others see it: ready also while something is queued.
func (m *session) shown() durable.Head {
	h := copyHead(m.head)
	h.Ready = h.Ready || len(m.inbox) > 0
	return h
}

func (m *session) rows(from uint64, limit int) []durable.JournalRow {
	i, _ := slices.BinarySearchFunc(m.journal, from, func(r durable.JournalRow, n uint64) int { return cmp.Compare(r.Sequence, n) })
	var out []durable.JournalRow
	for _, r := range m.journal[i:] {
		if len(out) >= limit {
			break
		}
		r.Body = bytes.Clone(r.Body)
		out = append(out, r)
	}
	return out
}

// Journal reads rows of a session, [durable.ErrNotFound] if there is none.
func (s *Store) Journal(ctx context.Context, session string, from uint64, limit int) ([]durable.JournalRow, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, err := s.find(ctx, session)
	if err != nil {
		return nil, err
	}
	return m.rows(from, limit), nil
}

// Due lists the sessions that must be looked at, the first due first.
func (s *Store) Due(ctx context.Context, through int64, limit int) ([]durable.Due, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(ctx); err != nil {
		return nil, err
	}
	var out []durable.Due
	for d := range s.due.from(durable.Due{}) {
		if d.At > through || len(out) >= limit {
			break
		}
		out = append(out, d)
	}
	return out, nil
}

// Select lists heads that fit the filter, by id.
func (s *Store) Select(ctx context.Context, f durable.Filter) ([]durable.Head, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(ctx); err != nil {
		return nil, err
	}
	limit := f.Limit
	if limit <= 0 {
		limit = 100
	}
	limit = min(limit, 10_000)
	var out []durable.Head
	for id := range s.ids.from(f.After) {
		if len(out) == limit {
			break
		}
		if m := s.sessions[id]; id != f.After && m.fits(&f) {
			out = append(out, m.shown())
		}
	}
	return out, nil
}

func (m *session) fits(f *durable.Filter) bool {
	h := &m.head
	for _, c := range [...]struct{ want, is string }{
		{f.Chart, h.Chart}, {f.Digest, h.Digest}, {f.User, h.User}, {f.Parent, h.Parent}, {f.ReasonCode, h.ReasonCode}, {string(f.Status), string(h.Status)},
	} {
		if c.want != "" && c.want != c.is {
			return false
		}
	}
	switch {
	case f.Ready && !h.Ready && len(m.inbox) == 0, f.Waits && !h.Waits,
		f.UpdatedFrom != 0 && h.Updated < f.UpdatedFrom, f.UpdatedTo != 0 && h.Updated >= f.UpdatedTo,
		f.Tag != "" && !slices.Contains(h.Tags, f.Tag):
		return false
	}
	return f.State == "" || slices.ContainsFunc(h.Configuration, func(path string) bool {
		rest, ok := strings.CutPrefix(path, f.State)
		return ok && (rest == "" || rest[0] == '.')
	})
}

// Records reads side records, by session and key.
func (s *Store) Records(ctx context.Context, q durable.RecordQuery) ([]durable.Record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(ctx); err != nil {
		return nil, err
	}
	everywhere := q.Session == "*" && len(q.Search) > 0
	start := recordKey{session: q.Session, namespace: q.Namespace, key: q.From}
	if everywhere {
		start = recordKey{}
	}
	var out []durable.Record
	limit := q.Limit
	if limit <= 0 {
		limit = 1000
	}
	for k := range s.keys.from(start) {
		if !everywhere && (k.session != q.Session || k.namespace != q.Namespace || q.To != "" && k.key >= q.To) {
			break
		}
		if len(out) == limit && !q.Reverse {
			break
		}
		if k.namespace != q.Namespace || k.key < q.From || q.To != "" && k.key >= q.To || !contains(s.records[k].Text, q.Search) {
			continue
		}
		out = append(out, s.records[k])
	}
	if q.Reverse {
		slices.Reverse(out)
	}
	out = out[:min(limit, len(out))]
	for i := range out {
		out[i].Body = bytes.Clone(out[i].Body)
	}
	return out, nil
}

// contains reports whether a text has all words, without regard to case.
func contains(text string, words []string) bool {
	text = strings.ToLower(text)
	for _, w := range words {
		if !strings.Contains(text, strings.ToLower(w)) {
			return false
		}
	}
	return true
}
