package sqlite

import (
	"context"
	"database/sql/driver"
	"os"

	"github.com/detent-run/detent/durable"
)

// Stats describe a file.
type Stats struct {
	// Path is the file's full name, SQLite the version of the library.
	Path, SQLite string
	// Format is the number of the tables' format, Bodies that of the newest
	// body.
	Format, Bodies int
	// Epoch counts the owners so far, Clock is the latest time of a commit.
	Epoch uint64
	Clock int64
	// Owner is set when this store is the owner.
	Owner bool
	// Bytes is the size of the file, Free how much of it is unused, Log the
	// size of the log beside it.
	Bytes, Free, Log int64
	// Sessions are counted by status; all statuses that occur, in order.
	Sessions []StatusCount
	// Queued counts events that wait in inboxes, Effects those that have not
	// ended, Due the sessions with a time to be looked at, Requests those of
	// visitors without a reply.
	Queued, Effects, Due, Requests int64
}

// StatusCount says how many sessions have a status.
type StatusCount struct {
	Status durable.Status
	Count  int64
}

// Stats reads them. It counts rows, so it takes longer the more sessions there
// are.
func (s *Store) Stats(ctx context.Context) (st Stats, err error) {
	s.mu.Lock()
	st.Owner = s.writer != nil
	s.mu.Unlock()
	st.Path = s.path
	for name, size := range map[string]*int64{s.path: &st.Bytes, s.path + "-wal": &st.Log} {
		if info, err := os.Stat(name); err == nil {
			*size = info.Size()
		}
	}
	err = s.read(ctx, func(c *conn) error {
		return view(c, func() error { return st.count(ctx, c) })
	})
	return st, err
}

func (st *Stats) count(ctx context.Context, c *conn) error {
	err := c.query(ctx, "SELECT epoch, clock, format, sqlite_version() FROM meta", func(v []driver.Value) error {
		st.Epoch, st.Clock, st.Bodies, st.SQLite = uint64(num(v[0])), num(v[1]), int(num(v[2])), text(v[3])
		return nil
	})
	if err != nil {
		return err
	}
	err = c.query(ctx, "SELECT status, count(*), sum(queued) FROM sessions GROUP BY status ORDER BY status", func(v []driver.Value) error {
		st.Sessions = append(st.Sessions, StatusCount{durable.Status(text(v[0])), num(v[1])})
		st.Queued += num(v[2])
		return nil
	})
	if err != nil {
		return err
	}
	format := int64(0)
	for _, n := range []struct {
		into  *int64
		query string
	}{
		{&format, "PRAGMA user_version"},
		{&st.Free, "PRAGMA freelist_count"},
		{&st.Effects, "SELECT count(*) FROM effects WHERE live = 1"},
		{&st.Due, "SELECT count(*) FROM sessions WHERE due > 0"},
		{&st.Requests, "SELECT count(*) FROM requests WHERE reply IS NULL"},
	} {
		if *n.into, err = c.number(n.query); err != nil {
			return err
		}
	}
	st.Format, st.Free = int(format), st.Free*pageBytes
	return nil
}
