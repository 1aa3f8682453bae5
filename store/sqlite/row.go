package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"

	"github.com/detent-run/detent/durable"
)

// row is what the owner knows of a session's row: enough to compare and to
// tell which columns a change touches.
type row struct {
	n        int64
	revision uint64
	sequence uint64
	queued   int64
	own      bool // what the head itself says of Ready
	ready    bool // that, or something is queued
	waits    bool
	due      int64
	status   durable.Status
	fixed    fixed
}

// fixed are the columns that hardly ever change.
type fixed struct{ chart, digest, user, tags, parent, reason string }

// rowCache keeps rows of sessions that were changed lately. It is right as
// long as the epoch is ours: nobody else writes sessions.
type rowCache struct{ of map[string]*row }

// maxRows bounds the cache, at some 400 bytes a row.
const maxRows = 16384

func (c *rowCache) put(session string, r *row) {
	if len(c.of) >= maxRows {
		c.clear()
	}
	if c.of == nil {
		c.of = map[string]*row{}
	}
	c.of[session] = r
}

func (c *rowCache) drop(session string) { delete(c.of, session) }

func (c *rowCache) clear() { c.of = nil }

// find gives the row of a session, nil if there is none.
func (s *Store) find(session string) (*row, error) {
	if r, ok := s.rows.of[session]; ok {
		return r, nil
	}
	var r *row
	err := s.writer.query(context.Background(),
		"SELECT "+headColumns+" FROM sessions WHERE session = ?", func(v []driver.Value) error {
			// Of Ready the head's blob has what the engine said, the column
			// that or that something is queued.
			var own durable.Head
			if !unpackHead(blob(v[14]), &own) {
				return damaged("the row of the session %q cannot be read", session)
			}
			h, err := headOf(v)
			r = &row{n: num(v[15]), revision: h.Revision, sequence: h.Sequence, queued: num(v[16]), own: own.Ready, ready: num(v[4]) != 0,
				waits: h.Waits, due: h.Due, status: h.Status, fixed: fixedIn(v)}
			return err
		}, session)
	if err == nil && r != nil {
		s.rows.put(session, r)
	}
	return r, err
}

// The columns that an update names decide which indexes SQLite writes, whether
// the values differ or not. So there is one text for each set of columns that
// differ.
const (
	touchStatus = 1 << iota // status and ready: one index
	touchWaits
	touchDue
	touchFixed
	touches
)

var updates = func() (texts [touches]string) {
	for mask := range texts {
		t := "UPDATE sessions SET revision = ?, queued = ?, updated = ?, states = ?, head = ?, sum = ?"
		if mask&touchStatus != 0 {
			t += ", status = ?, ready = ?"
		}
		if mask&touchWaits != 0 {
			t += ", waits = ?"
		}
		if mask&touchDue != 0 {
			t += ", due = ?"
		}
		if mask&touchFixed != 0 {
			t += ", chart = ?, digest = ?, user = ?, tags = ?, parent = ?, reason = ?"
		}
		texts[mask] = t + " WHERE n = ?"
	}
	return texts
}()

const insertSession = `INSERT INTO sessions(session, revision, queued, updated, states, head, status, ready, waits, due,
	chart, digest, user, tags, parent, reason, sum) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

func fixedOf(h *durable.Head) fixed {
	return fixed{h.Chart, h.Digest, h.User, joined(h.Tags), h.Parent, h.ReasonCode}
}

// maxSequence and maxSessions are bounds of the journal's key.
const (
	maxSequence = 1<<32 - 1
	maxSessions = 1<<31 - 1
)

func journalID(n int64, sequence uint64) int64 { return n<<32 | int64(sequence) }

// insertRow makes the row of a new session.
func (s *Store) insertRow(session string, h *durable.Head) (*row, error) {
	f, states, head := fixedOf(h), joined(h.Configuration), packHead(h)
	n, err := s.writer.insert(insertSession, session, h.Revision, 0, h.Updated, states, head, string(h.Status), h.Ready, h.Waits, h.Due,
		f.chart, f.digest, f.user, f.tags, f.parent, f.reason, sessionSum(session, h.Revision, h.Updated, h.Due, h.Waits, h.Status, states, f, head))
	if err != nil {
		return nil, err
	}
	if n > maxSessions {
		return nil, errors.New("the store has no room for more sessions")
	}
	r := &row{n: n, revision: h.Revision, sequence: h.Sequence, own: h.Ready, ready: h.Ready, waits: h.Waits, due: h.Due, status: h.Status, fixed: f}
	s.rows.put(session, r)
	return r, nil
}

// updateRow writes a head over a row and notes what is there now.
func (s *Store) updateRow(r *row, session string, h *durable.Head, queued int64) error {
	ready, f, states, head, mask := h.Ready || queued > 0, fixedOf(h), joined(h.Configuration), packHead(h), 0
	args := append(make([]any, 0, 19), h.Revision, queued, h.Updated, states, head,
		sessionSum(session, h.Revision, h.Updated, h.Due, h.Waits, h.Status, states, f, head))
	if h.Status != r.status || ready != r.ready {
		mask |= touchStatus
		args = append(args, string(h.Status), ready)
	}
	if h.Waits != r.waits {
		mask |= touchWaits
		args = append(args, h.Waits)
	}
	if h.Due != r.due {
		mask |= touchDue
		args = append(args, h.Due)
	}
	if f != r.fixed {
		mask |= touchFixed
		args = append(args, f.chart, f.digest, f.user, f.tags, f.parent, f.reason)
	}
	if err := s.changed(updates[mask], append(args, r.n)...); err != nil {
		return err
	}
	*r = row{n: r.n, revision: h.Revision, sequence: h.Sequence, queued: queued, own: h.Ready, ready: ready, waits: h.Waits, due: h.Due, status: h.Status, fixed: f}
	return nil
}

// queue notes how many rows wait in a session's inbox without touching its
// head.
func (s *Store) queue(r *row, queued int64) error {
	ready := r.own || queued > 0
	args := []any{queued}
	t := "UPDATE sessions SET queued = ? WHERE n = ?"
	if ready != r.ready {
		t = "UPDATE sessions SET queued = ?, ready = ? WHERE n = ?"
		args = append(args, ready)
	}
	if err := s.changed(t, append(args, r.n)...); err != nil {
		return err
	}
	r.queued, r.ready = queued, ready
	return nil
}

// changed runs an update that must meet exactly one row.
func (s *Store) changed(t string, args ...any) error {
	n, err := s.writer.exec(t, args...)
	if err == nil && n != 1 {
		err = damaged("an update of one session met %d rows", n)
	}
	return err
}
