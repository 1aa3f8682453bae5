package sqlite

import (
	"context"
	"database/sql/driver"
	"fmt"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/internal/failpoint"
)

// Commit makes all changes durable in one transaction and one sync, or none.
func (s *Store) Commit(ctx context.Context, c durable.Commit) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.may(ctx); err != nil {
		return err
	}
	if err := s.bounded(); err != nil {
		return err
	}
	return s.durably(func() error { return s.apply(c) })
}

// may says why the caller may not write now. The store's lock is held.
func (s *Store) may(ctx context.Context) error {
	if err := s.owned(); err != nil {
		return err
	}
	return ctx.Err()
}

// durably runs f in a transaction and looks after the log. The store's lock is
// held.
func (s *Store) durably(f func() error) error {
	err := s.transaction(f)
	if err == nil {
		s.logged()
	}
	return err
}

// meta is the one row of what the owner knows.
type meta struct {
	epoch           uint64
	clock, position int64
	format          int64
}

func (s *Store) meta() (m meta, err error) {
	err = s.writer.query(context.Background(), "SELECT epoch, clock, position, format FROM meta WHERE id = 1", func(row []driver.Value) error {
		m = meta{uint64(num(row[0])), num(row[1]), num(row[2]), num(row[3])}
		return nil
	})
	return m, err
}

// fence compares the epoch with the newest (X9).
func (s *Store) fence(epoch uint64) (meta, error) {
	m, err := s.meta()
	if err == nil && m.epoch != epoch {
		err = fmt.Errorf("%w: it has epoch %d, this one %d", durable.ErrFenced, m.epoch, epoch)
	}
	return m, err
}

func (s *Store) apply(c durable.Commit) error {
	before, err := s.fence(c.Epoch)
	if err != nil {
		return err
	}
	after := before
	after.clock = max(after.clock, c.Clock)
	for i := range c.Changes {
		change := &c.Changes[i]
		if err := s.change(change, after.clock); err != nil {
			return err
		}
		for _, in := range change.Put {
			after.position = max(after.position, int64(in.Position))
		}
		if change.Head != nil {
			after.format = max(after.format, int64(change.Head.Format))
		}
	}
	if after == before {
		return nil
	}
	_, err = s.writer.exec("UPDATE meta SET clock = ?, position = ?, format = ? WHERE id = 1", after.clock, after.position, after.format)
	return err
}

// change applies one change.
func (s *Store) change(c *durable.Change, clock int64) error {
	if c.Session == "" {
		return s.record(c.Records, clock)
	}
	if c.Delete && c.Whatever {
		return s.removeUnread(c.Session)
	}
	r, err := s.find(c.Session)
	if err != nil {
		return err
	}
	if c.Head != nil || c.Delete {
		if r == nil && c.Before != 0 || r != nil && r.revision != c.Before {
			return &durable.StaleError{Session: c.Session}
		}
	}
	switch {
	case c.Delete:
		return s.remove(c.Session, r)
	case c.Head != nil:
		if err := fits(c); err != nil {
			return err
		}
		if r, err = s.write(c, r); err != nil {
			return err
		}
	case r == nil:
		return nil // the session is gone
	default:
		if err := s.receive(c, r); err != nil {
			return err
		}
	}
	failpoint.Hit("store.write")
	if err := s.journal(c, r.n); err != nil {
		return err
	}
	failpoint.Hit("store.write")
	for i := range c.Effects {
		if err := s.effect(r.n, &c.Effects[i], clock); err != nil {
			return err
		}
	}
	failpoint.Hit("store.write")
	return s.record(c.Records, clock)
}

// fits refuses what the columns cannot hold, or another version could not
// read.
func fits(c *durable.Change) error {
	switch {
	case c.Head.Format > bodyFormat:
		return fmt.Errorf("bodies of format %d are newer than this store knows", c.Head.Format)
	case c.Head.Sequence > maxSequence:
		return fmt.Errorf("the session %q has more journal rows than can be numbered", c.Session)
	}
	return nil
}

// write puts the head in, and the inbox with it.
func (s *Store) write(c *durable.Change, r *row) (*row, error) {
	head := *c.Head
	head.Revision = c.Before + 1
	if r == nil {
		made, err := s.insertRow(c.Session, &head)
		if err != nil || len(c.Put) == 0 {
			return made, err
		}
		r = made
	}
	queued, err := s.inbox(c, r)
	if err != nil {
		return nil, err
	}
	return r, s.updateRow(r, c.Session, &head, queued)
}

// receive changes the inbox alone.
func (s *Store) receive(c *durable.Change, r *row) error {
	queued, err := s.inbox(c, r)
	if err != nil || queued == r.queued {
		return err
	}
	return s.queue(r, queued)
}

// inbox takes rows and adds some, and returns how many there are then.
func (s *Store) inbox(c *durable.Change, r *row) (int64, error) {
	queued := r.queued
	for _, position := range c.Take {
		n, err := s.writer.exec("DELETE FROM inbox WHERE n = ? AND position = ?", r.n, position)
		if err != nil {
			return 0, err
		}
		queued -= n
	}
	for _, in := range c.Put {
		if _, err := s.writer.exec("INSERT INTO inbox(n, position, body, sum) VALUES(?, ?, ?, ?)", r.n, in.Position, solid(in.Body), inboxSum(r.n, int64(in.Position), in.Body)); err != nil {
			return 0, err
		}
		queued++
	}
	return queued, nil
}

func (s *Store) journal(c *durable.Change, n int64) error {
	for i := range c.Journal {
		j := &c.Journal[i]
		if j.Sequence > maxSequence {
			return fmt.Errorf("the session %q has more journal rows than can be numbered", c.Session)
		}
		id := journalID(n, j.Sequence)
		if _, err := s.writer.exec("INSERT INTO journal(id, time, hash, body, sum) VALUES(?, ?, ?, ?, ?)", id, j.Time, j.Hash, solid(j.Body),
			journalSum(id, j.Time, j.Hash, j.Body)); err != nil {
			if resultOf(err)&0xff == resultConstraint {
				return fmt.Errorf("the session %q has a journal row %d already", c.Session, j.Sequence)
			}
			return err
		}
	}
	if c.State == nil || c.Head == nil {
		return nil
	}
	_, err := s.writer.exec("INSERT OR REPLACE INTO states(n, at, body, sum) VALUES(?, ?, ?, ?)", n, c.Head.Sequence, c.State, stateSum(n, int64(c.Head.Sequence), c.State))
	return err
}

// effect puts a row in. It may have stood among those of the other kind.
func (s *Store) effect(n int64, e *durable.EffectRow, clock int64) error {
	if _, err := s.writer.exec("DELETE FROM effects WHERE n = ? AND live = ? AND key = ?", n, !e.Live, e.Key); err != nil {
		return err
	}
	live := int64(0)
	if e.Live {
		live = 1
	}
	_, err := s.writer.exec("INSERT OR REPLACE INTO effects(n, live, key, time, body, sum) VALUES(?, ?, ?, ?, ?, ?)", n, live, e.Key, clock, solid(e.Body),
		effectSum(n, live, e.Key, e.Body))
	return err
}

func (s *Store) record(records []durable.Record, clock int64) error {
	for i := range records {
		r := &records[i]
		var err error
		if r.Body == nil {
			_, err = s.writer.exec("DELETE FROM records WHERE session = ? AND namespace = ? AND key = ?", r.Session, r.Namespace, r.Key)
		} else {
			_, err = s.writer.exec("INSERT OR REPLACE INTO records(session, namespace, key, time, text, body, sum) VALUES(?, ?, ?, ?, ?, ?, ?)",
				r.Session, r.Namespace, r.Key, clock, r.Text, r.Body, recordSum(r.Session, r.Namespace, r.Key, r.Text, r.Body))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// remove deletes a session with all its rows.
func (s *Store) remove(session string, r *row) error {
	if r == nil {
		return nil
	}
	s.rows.drop(session)
	for _, d := range []struct {
		text string
		args []any
	}{
		{"DELETE FROM journal WHERE id BETWEEN ? AND ?", []any{journalID(r.n, 0), journalID(r.n, maxSequence)}},
		{"DELETE FROM states WHERE n = ?", []any{r.n}},
		{"DELETE FROM inbox WHERE n = ?", []any{r.n}},
		{"DELETE FROM effects WHERE n = ?", []any{r.n}},
		{"DELETE FROM records WHERE session = ?", []any{session}},
		{"DELETE FROM sessions WHERE n = ?", []any{r.n}},
	} {
		if _, err := s.writer.exec(d.text, d.args...); err != nil {
			return err
		}
	}
	return nil
}

// removeUnread deletes a session whose row nobody looks at.
func (s *Store) removeUnread(session string) error {
	var r *row
	err := s.writer.query(context.Background(), "SELECT n FROM sessions WHERE session = ?", func(v []driver.Value) error {
		r = &row{n: num(v[0])}
		return nil
	}, session)
	if err != nil {
		return err
	}
	return s.remove(session, r)
}

// solid is a body that is never NULL in the file.
func solid(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
