package sqlite

import (
	"context"
	"database/sql/driver"

	"github.com/detent-run/detent/durable"
)

// Raw runs statements on a file past the store.
func Raw(path string, statements ...string) error {
	c, err := connect(path, "rwc")
	if err != nil {
		return err
	}
	for _, s := range statements {
		if err = c.query(context.Background(), s, func([]driver.Value) error { return nil }); err != nil {
			break
		}
	}
	if closed := c.close(); err == nil {
		err = closed
	}
	return err
}

// Reader is somebody else who reads one version of a file for long.
type Reader struct{ c *conn }

// OpenReader begins to read.
func OpenReader(path string) (*Reader, error) {
	c, err := connect(path, "ro")
	if err != nil {
		return nil, err
	}
	if _, err := c.exec("BEGIN"); err != nil {
		return nil, err
	}
	_, err = c.number("SELECT count(*) FROM sessions")
	return &Reader{c}, err
}

// Close ends it.
func (r *Reader) Close() error { return r.c.close() }

// Plans are how SQLite would go about the queries that an engine asks at its
// start and while it runs.
func (s *Store) Plans(ctx context.Context, filters ...durable.Filter) (plans []string, err error) {
	err = s.read(ctx, func(c *conn) error {
		explain := func(t string, args []any) error {
			return c.query(ctx, "EXPLAIN QUERY PLAN "+t, func(v []driver.Value) error {
				plans = append(plans, text(v[3]))
				return nil
			}, args...)
		}
		if err := explain(dueQuery, []any{int64(1), int64(1)}); err != nil {
			return err
		}
		for _, f := range filters {
			t, args := filtered(f)
			if err := explain(t, args); err != nil {
				return err
			}
		}
		return nil
	})
	return plans, err
}

// Work is what a store's owner has done so far.
type Work struct {
	// Statements were run by the connection that writes, and Rows changed.
	// Reads are the statements of the connections that only read.
	Statements, Rows, Reads int64
	// Pages went into the log; they are in it until somebody moves them.
	Pages int
}

// Work tells what was done since the store was opened. No read may be going
// on, and the log must not have begun anew.
func (s *Store) Work() (w Work, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w.Statements, w.Pages = s.writer.statements, s.log.pages
	w.Rows, err = s.writer.number("SELECT total_changes()")
	s.writer.statements-- // that one
	for range cap(s.readers) {
		c := <-s.readers
		if c != nil {
			w.Reads += c.statements
		}
		s.readers <- c
	}
	return w, err
}

// Newer adds a format, as a Detent of another day has it, until it is undone.
func Newer(statements ...string) (undo func()) {
	before := migrations
	migrations = append(migrations[:len(migrations):len(migrations)], statements)
	return func() { migrations = before }
}
