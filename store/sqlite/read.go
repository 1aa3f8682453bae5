package sqlite

import (
	"context"
	"database/sql/driver"
	"slices"
	"strings"

	"github.com/detent-run/detent/durable"
)

// headColumns are read by headOf, in this order.
const headColumns = "session, revision, updated, due, ready, waits, status, states, chart, digest, user, tags, parent, reason, head, n, queued, sum"

func headOf(v []driver.Value) (durable.Head, error) {
	h := durable.Head{Session: text(v[0]), Revision: uint64(num(v[1])), Updated: num(v[2]), Due: num(v[3]), Waits: num(v[5]) != 0,
		Status: durable.Status(text(v[6])), Chart: text(v[8]), Digest: text(v[9]), User: text(v[10]), Parent: text(v[12]), ReasonCode: text(v[13])}
	states, f, head := text(v[7]), fixedIn(v), blob(v[14])
	if err := sound(v[17], sessionSum(h.Session, h.Revision, h.Updated, h.Due, h.Waits, h.Status, states, f, head), "the row of the session %q", h.Session); err != nil {
		return h, err
	}
	var whole, tagged bool
	h.Configuration, whole = split(states)
	h.Tags, tagged = split(f.tags)
	if !whole || !tagged || !unpackHead(head, &h) {
		return h, damaged("the row of the session %q cannot be read", h.Session)
	}
	h.Ready = h.Ready || num(v[16]) > 0 // or something is queued
	return h, nil
}

func fixedIn(v []driver.Value) fixed {
	return fixed{text(v[8]), text(v[9]), text(v[10]), text(v[11]), text(v[12]), text(v[13])}
}

// Load reads one session in one consistent view.
func (s *Store) Load(ctx context.Context, q durable.LoadQuery) (*durable.Stored, error) {
	var out *durable.Stored
	err := s.read(ctx, func(c *conn) (err error) {
		if q.Row { // one statement is a consistent view by itself
			out, err = load(c, q)
			return err
		}
		return view(c, func() (err error) {
			out, err = load(c, q)
			return err
		})
	})
	return out, err
}

func load(c *conn, q durable.LoadQuery) (*durable.Stored, error) {
	out, n, queued := (*durable.Stored)(nil), int64(0), int64(0)
	ctx := context.Background()
	err := c.query(ctx, "SELECT "+headColumns+" FROM sessions WHERE session = ?", func(v []driver.Value) error {
		h, err := headOf(v)
		out, n, queued = &durable.Stored{Head: h}, num(v[15]), num(v[16])
		return err
	}, q.Session)
	if err != nil {
		return nil, err
	}
	if out == nil {
		return nil, durable.ErrNotFound
	}
	if q.Row {
		return out, nil
	}
	err = c.query(ctx, "SELECT "+stateColumns+" FROM states WHERE n = ?", func(v []driver.Value) (err error) {
		out.StateAt, out.State, err = stateRow(v)
		return err
	}, n)
	if err != nil {
		return nil, err
	}
	if out.StateAt < out.Head.Sequence {
		if out.Since, err = journal(ctx, c, n, out.StateAt+1, maxSequence); err != nil {
			return nil, err
		}
	}
	if q.Inbox > 0 && queued > 0 {
		err = c.query(ctx, "SELECT "+inboxColumns+" FROM inbox WHERE n = ? ORDER BY position LIMIT ?", func(v []driver.Value) error {
			r, err := inboxRow(v)
			out.Inbox = append(out.Inbox, r)
			return err
		}, n, q.Inbox)
		if err != nil {
			return nil, err
		}
	}
	out.MoreInbox = queued > int64(len(out.Inbox))
	out.Effects, err = effects(c, n, q.Effects)
	return out, err
}

// effects reads the live rows and those of the keys, in the order of keys.
func effects(c *conn, n int64, keys []string) (out []durable.EffectRow, err error) {
	add := func(v []driver.Value) error {
		r, err := effectRow(v)
		out = append(out, r)
		return err
	}
	ctx := context.Background()
	if err := c.query(ctx, "SELECT "+effectColumns+" FROM effects WHERE n = ? AND live = 1 ORDER BY key", add, n); err != nil || len(keys) == 0 {
		return out, err
	}
	for _, k := range keys {
		if err := c.query(ctx, "SELECT "+effectColumns+" FROM effects WHERE n = ? AND live = 0 AND key = ?", add, n, k); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(out, func(a, b durable.EffectRow) int { return strings.Compare(a.Key, b.Key) })
	return slices.CompactFunc(out, func(a, b durable.EffectRow) bool { return a.Key == b.Key }), nil
}

func journal(ctx context.Context, c *conn, n int64, from uint64, limit int64) (out []durable.JournalRow, err error) {
	if from > maxSequence {
		return nil, nil
	}
	err = c.query(ctx, "SELECT "+journalColumns+" FROM journal WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?", func(v []driver.Value) error {
		r, err := journalRow(v)
		out = append(out, r)
		return err
	}, journalID(n, from), journalID(n, maxSequence), limit)
	return out, err
}

// full is the bytes of a column that is never NULL.
func full(v driver.Value) []byte { return solid(blob(v)) }

// Journal reads rows of a session from a sequence on. There are none of a
// session that does not exist.
func (s *Store) Journal(ctx context.Context, session string, from uint64, limit int) (out []durable.JournalRow, err error) {
	err = s.read(ctx, func(c *conn) error {
		return view(c, func() error {
			n, err := c.number("SELECT n FROM sessions WHERE session = ?", session)
			if err != nil {
				return err
			}
			if n == 0 {
				return durable.ErrNotFound
			}
			out, err = journal(ctx, c, n, from, int64(max(limit, 0)))
			return err
		})
	})
	return out, err
}

const dueQuery = "SELECT session, due FROM sessions WHERE due > 0 AND due <= ? ORDER BY due, session LIMIT ?"

// Due lists the sessions that must be looked at, from an index.
func (s *Store) Due(ctx context.Context, through int64, limit int) (out []durable.Due, err error) {
	err = s.read(ctx, func(c *conn) error {
		return c.query(context.Background(), dueQuery, func(v []driver.Value) error {
			out = append(out, durable.Due{Session: text(v[0]), At: num(v[1])})
			return nil
		}, through, max(limit, 0))
	})
	return out, err
}
