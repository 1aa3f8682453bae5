package sqlite

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"os"

	"github.com/detent-run/detent/durable"
)

// CompactOptions say what may go. All times are milliseconds since 1970; zero
// keeps all of its kind.
type CompactOptions struct {
	// Journal: rows of the journal and ended effects from before this time go,
	// as far as no replay from the newest full state needs them.
	Journal int64
	// Keep is how many of a session's newest rows stay however old they are.
	Keep uint64
	// Dedupe: ids of events, and replies to visitors, from before this time
	// go. The same event sent again afterwards counts as new.
	Dedupe int64
	// Sessions: sessions that are over and did not change since go with
	// everything they have, children before their parents.
	Sessions int64
	// Shrink gives the free space back to the disk. It rewrites the whole
	// file, needs that much space for a while, and holds commits up.
	Shrink bool
	// Rehearse counts what would go and changes nothing. It does the work in
	// one transaction and undoes it, and shrinks nothing: commits wait.
	Rehearse bool
}

// Compacted says what went, in rows, and the size of the file in bytes.
type Compacted struct {
	Journal, Effects, Dedupe, Sessions int64
	Before, After                      int64
}

// Base is the body of the record in [durable.SpaceBase] under the key
// [BaseKey]: where the chain of a session's journal goes on.
type Base struct {
	// Hash and Sequence are those of the row that was cut last.
	Hash     string `json:"hash"`
	Sequence uint64 `json:"sequence"`
}

// BaseKey is the key of the record in [durable.SpaceBase].
const BaseKey = "journal"

// compactGroup is how many sessions one transaction compacts: commits wait for
// no more than that.
const compactGroup = 64

// Compact removes what is old (S8). Only the owner may call it; it goes on in
// small transactions between commits. Replay from the newest full state, ids
// within their retention and the chain of hashes stay as they are.
func (s *Store) Compact(ctx context.Context, o CompactOptions) (Compacted, error) {
	out := Compacted{Before: s.size()}
	if o.Rehearse {
		err := s.rehearse(ctx, o, &out)
		out.After = out.Before
		return out, err
	}
	for after, more := int64(0), true; more; {
		var err error
		if after, more, err = s.compactGroup(ctx, o, after, &out); err != nil {
			return out, err
		}
	}
	for gone := o.Sessions > 0; gone; {
		// Each time round, parents whose children went can go.
		n, err := s.expire(ctx, o.Sessions)
		out.Sessions += n
		if err != nil {
			return out, err
		}
		gone = n > 0
	}
	if o.Dedupe > 0 {
		err := s.upkeep(ctx, func() error {
			_, err := s.writer.exec("DELETE FROM requests WHERE reply IS NOT NULL AND time < ?", o.Dedupe)
			return err
		})
		if err != nil {
			return out, err
		}
	}
	err := s.settle(ctx, o.Shrink)
	out.After = s.size()
	return out, err
}

func (s *Store) size() int64 {
	info, err := os.Stat(s.path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// upkeep runs f in a transaction of the owner.
func (s *Store) upkeep(ctx context.Context, f func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.may(ctx); err != nil {
		return err
	}
	if err := s.bounded(); err != nil {
		return err
	}
	return s.durably(func() error {
		if _, err := s.fence(s.epoch); err != nil {
			return err
		}
		return f()
	})
}

// compactGroup goes through some sessions after the one with that number.
func (s *Store) compactGroup(ctx context.Context, o CompactOptions, after int64, out *Compacted) (last int64, more bool, err error) {
	var group []listed
	sum := *out
	err = s.upkeep(ctx, func() error {
		var err error
		group, err = s.listed(ctx, "SELECT n, session FROM sessions WHERE n > ? ORDER BY n LIMIT ?", after, compactGroup)
		for _, g := range group {
			if err == nil {
				err = s.compactOne(o, g.n, g.session, &sum)
			}
		}
		return err
	})
	if err != nil || len(group) == 0 {
		return after, false, err
	}
	*out = sum
	return group[len(group)-1].n, len(group) == compactGroup, nil
}

func (s *Store) compactOne(o CompactOptions, n int64, session string, out *Compacted) error {
	if o.Journal > 0 {
		if err := s.cut(o, n, session, out); err != nil {
			return err
		}
		gone, err := s.writer.exec("DELETE FROM effects WHERE n = ? AND live = 0 AND time < ?", n, o.Journal)
		out.Effects += gone
		if err != nil {
			return err
		}
	}
	if o.Dedupe == 0 {
		return nil
	}
	gone, err := s.writer.exec("DELETE FROM records WHERE session = ? AND namespace = ? AND time < ?", session, durable.SpaceDedupe, o.Dedupe)
	out.Dedupe += gone
	return err
}

// cut removes rows of a journal up to the last that is old, has a full state
// after it or with it, and notes where the chain goes on.
func (s *Store) cut(o CompactOptions, n int64, session string, out *Compacted) error {
	base := Base{}
	id := int64(0)
	err := s.writer.query(context.Background(),
		"SELECT id, hash FROM journal WHERE id BETWEEN ? AND (SELECT ? + at FROM states WHERE n = ?)"+
			" AND id <= (SELECT max(id) FROM journal WHERE id BETWEEN ? AND ?) - ? AND time < ? ORDER BY id DESC LIMIT 1",
		func(v []driver.Value) error {
			id = num(v[0])
			base = Base{Hash: text(v[1]), Sequence: uint64(id) & maxSequence}
			return nil
		}, journalID(n, 0), journalID(n, 0), n, journalID(n, 0), journalID(n, maxSequence), int64(min(o.Keep, maxSequence)), o.Journal)
	if err != nil || id == 0 {
		return err
	}
	gone, err := s.writer.exec("DELETE FROM journal WHERE id BETWEEN ? AND ?", journalID(n, 0), id)
	if err != nil {
		return err
	}
	out.Journal += gone
	body, err := json.Marshal(base)
	if err != nil {
		return err
	}
	m, err := s.meta()
	if err != nil {
		return err
	}
	return s.record([]durable.Record{{Namespace: durable.SpaceBase, Session: session, Key: BaseKey, Body: body}}, m.clock)
}

// expired are sessions that are over and belong to nobody who is not.
const expired = ` status IN ('completed', 'cancelled', 'failed', 'expired') AND updated < ? AND queued = 0
	AND NOT EXISTS (SELECT 1 FROM sessions AS child WHERE child.parent = s.session AND child.parent <> '')
	AND NOT EXISTS (SELECT 1 FROM sessions AS p WHERE p.session = s.parent AND p.status IN ('active', 'suspended', 'parked'))`

// expire goes once through all sessions and deletes those that are over. It
// looks for them beside the owner's work, and looks again when it deletes.
func (s *Store) expire(ctx context.Context, before int64) (gone int64, err error) {
	for after := int64(0); ; {
		var names []string
		err := s.read(ctx, func(c *conn) error {
			return c.query(ctx, "SELECT n, session FROM sessions AS s WHERE n > ? AND"+expired+" ORDER BY n LIMIT ?", func(v []driver.Value) error {
				after = num(v[0])
				names = append(names, text(v[1]))
				return nil
			}, after, before, compactGroup)
		})
		if err != nil || len(names) == 0 {
			return gone, err
		}
		did := int64(0)
		err = s.upkeep(ctx, func() error {
			for _, name := range names {
				n, err := s.writer.number("SELECT n FROM sessions AS s WHERE session = ? AND"+expired, name, before)
				if err != nil {
					return err
				}
				if n == 0 {
					continue // it moved since
				}
				if err := s.remove(name, &row{n: n}); err != nil {
					return err
				}
				did++
			}
			return nil
		})
		if err != nil {
			return gone, err
		}
		gone += did
	}
}

// settle brings the log into the file and, if asked, shrinks it.
func (s *Store) settle(ctx context.Context, shrink bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.may(ctx); err != nil {
		return err
	}
	if shrink {
		// Numbers of rows stay: all tables have keys of their own.
		if _, err := s.writer.exec("VACUUM"); err != nil {
			return s.failed(err, false)
		}
		s.log.pages += s.writer.written()
	}
	pages, moved, err := s.patient("TRUNCATE", 1000)
	s.log.moved(pages, moved, err)
	return err
}
