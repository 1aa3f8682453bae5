package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
)

// errRehearsed undoes a transaction that was only to be counted.
var errRehearsed = errors.New("this was a rehearsal")

// rehearse counts what [Store.Compact] would remove.
func (s *Store) rehearse(ctx context.Context, o CompactOptions, out *Compacted) error {
	err := s.upkeep(ctx, func() error {
		for after, more := int64(0), true; more; {
			var err error
			if after, more, err = s.rehearseGroup(ctx, o, after, out); err != nil {
				return err
			}
		}
		for gone := o.Sessions > 0; gone; {
			n, err := s.rehearseExpire(ctx, o.Sessions)
			if err != nil {
				return err
			}
			out.Sessions += n
			gone = n > 0
		}
		return errRehearsed
	})
	if errors.Is(err, errRehearsed) {
		return nil
	}
	return err
}

// listed are the number and the name of a session.
type listed struct {
	n       int64
	session string
}

// listed reads some sessions through the connection that writes, which sees
// what it has not committed.
func (s *Store) listed(ctx context.Context, query string, args ...any) (group []listed, err error) {
	err = s.writer.query(ctx, query, func(v []driver.Value) error {
		group = append(group, listed{num(v[0]), text(v[1])})
		return nil
	}, args...)
	return group, err
}

func (s *Store) rehearseGroup(ctx context.Context, o CompactOptions, after int64, out *Compacted) (last int64, more bool, err error) {
	group, err := s.listed(ctx, "SELECT n, session FROM sessions WHERE n > ? ORDER BY n LIMIT ?", after, compactGroup)
	for _, g := range group {
		if err == nil {
			err = s.compactOne(o, g.n, g.session, out)
		}
		after = g.n
	}
	return after, len(group) == compactGroup, err
}

// rehearseExpire deletes all sessions that are over and that nobody needs.
func (s *Store) rehearseExpire(ctx context.Context, before int64) (gone int64, err error) {
	for after := int64(0); ; {
		group, err := s.listed(ctx, "SELECT n, session FROM sessions AS s WHERE n > ? AND"+expired+" ORDER BY n LIMIT ?", after, before, compactGroup)
		if err != nil || len(group) == 0 {
			return gone, err
		}
		for _, g := range group {
			if err := s.remove(g.session, &row{n: g.n}); err != nil {
				return gone, err
			}
			after = g.n
			gone++
		}
	}
}
