package memory

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/detent-run/detent/durable"
)

// Commit applies all changes or none.
func (s *Store) Commit(ctx context.Context, c durable.Commit) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch err := s.usable(ctx); {
	case err != nil:
		return err
	case s.owners == 0:
		return errors.New("the store was not acquired")
	case c.Epoch != s.epoch:
		return fmt.Errorf("%w: it has epoch %d, this one %d", durable.ErrFenced, s.epoch, c.Epoch)
	}
	if err := s.fits(c.Changes); err != nil {
		return err
	}
	s.clock = max(s.clock, c.Clock)
	for i := range c.Changes {
		s.apply(&c.Changes[i])
	}
	return nil
}

// place is where a session stands while a commit is checked.
type place struct{ revision, sequence uint64 }

// fits sees that every change can be applied after those before it.
func (s *Store) fits(changes []durable.Change) error {
	places := map[string]place{}
	for i := range changes {
		c := &changes[i]
		p, ok := places[c.Session]
		if m := s.sessions[c.Session]; !ok && m != nil {
			p.revision = m.head.Revision
			if n := len(m.journal); n > 0 {
				p.sequence = m.journal[n-1].Sequence
			}
		}
		switch {
		case (c.Head != nil || c.Delete && !c.Whatever) && p.revision != c.Before:
			return &durable.StaleError{Session: c.Session}
		case c.Delete:
			p = place{}
		case c.Head != nil:
			p.revision++
		case p.revision == 0:
			continue
		}
		for _, j := range c.Journal {
			if j.Sequence <= p.sequence {
				return fmt.Errorf("the session %q has a journal row %d already", c.Session, j.Sequence)
			}
			p.sequence = j.Sequence
		}
		places[c.Session] = p
	}
	return nil
}

func (s *Store) apply(c *durable.Change) {
	m := s.sessions[c.Session]
	switch {
	case c.Session == "": // what all share, of no session
	case c.Delete:
		if m != nil {
			s.remove(c.Session, m)
		}
		return
	case m == nil && c.Head == nil:
		return
	case m == nil:
		m = &session{effects: map[string]durable.EffectRow{}, live: map[string]bool{}}
		s.sessions[c.Session] = m
		s.ids.insert(c.Session)
	}
	if m != nil {
		s.receive(m, c)
		s.step(m, c)
	}
	for _, r := range c.Records {
		s.record(r)
	}
}

// receive changes the inbox.
func (s *Store) receive(m *session, c *durable.Change) {
	if len(c.Take) > 0 {
		m.inbox = slices.DeleteFunc(m.inbox, func(r durable.InboxRow) bool { return slices.Contains(c.Take, r.Position) })
	}
	for _, r := range c.Put {
		m.inbox = append(m.inbox, durable.InboxRow{Position: r.Position, Body: bytes.Clone(r.Body)})
		s.position = max(s.position, r.Position)
	}
	if len(c.Put) > 0 {
		slices.SortStableFunc(m.inbox, func(a, b durable.InboxRow) int { return cmp.Compare(a.Position, b.Position) })
	}
}

// step puts in what a step of the session changed.
func (s *Store) step(m *session, c *durable.Change) {
	if c.Head != nil {
		s.unschedule(m)
		m.head = copyHead(*c.Head)
		m.head.Session, m.head.Revision = c.Session, c.Before+1
		if m.head.Due != 0 {
			s.due.insert(durable.Due{Session: c.Session, At: m.head.Due})
		}
		if c.State != nil {
			m.state, m.stateAt = bytes.Clone(c.State), c.Head.Sequence
		}
	}
	for _, j := range c.Journal {
		j.Body = bytes.Clone(j.Body)
		m.journal = append(m.journal, j)
	}
	for _, f := range c.Effects {
		f.Body = bytes.Clone(f.Body)
		m.effects[f.Key] = f
		delete(m.live, f.Key)
		if f.Live {
			m.live[f.Key] = true
		}
	}
}

func (s *Store) record(r durable.Record) {
	k := recordKey{r.Session, r.Namespace, r.Key}
	if r.Body == nil {
		delete(s.records, k)
		s.keys.remove(k)
		return
	}
	r.Body = bytes.Clone(r.Body)
	s.records[k] = r
	s.keys.insert(k)
}

func (s *Store) remove(id string, m *session) {
	s.unschedule(m)
	s.ids.remove(id)
	delete(s.sessions, id)
	var gone []recordKey
	for k := range s.keys.from(recordKey{session: id}) {
		if k.session != id {
			break
		}
		gone = append(gone, k)
	}
	for _, k := range gone {
		delete(s.records, k)
		s.keys.remove(k)
	}
}

func (s *Store) unschedule(m *session) {
	if m.head.Due != 0 {
		s.due.remove(durable.Due{Session: m.head.Session, At: m.head.Due})
	}
}

func copyHead(h durable.Head) durable.Head {
	h.Reason, h.Tags, h.Configuration = bytes.Clone(h.Reason), slices.Clone(h.Tags), slices.Clone(h.Configuration)
	return h
}
