package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"sync"

	"github.com/detent-run/detent/durable"
)

// watcher looks for requests. It has a connection of its own because a
// connection knows cheaply whether others wrote since it last looked.
type watcher struct {
	conn    *conn
	version int64
	closed  bool
}

func (w *watcher) close(mu *sync.Mutex) error {
	mu.Lock()
	defer mu.Unlock()
	w.closed = true
	if w.conn == nil {
		return nil
	}
	c := w.conn
	w.conn = nil
	return c.close()
}

// Ask leaves a request for the owner, durably. The same request twice is one.
func (s *Store) Ask(ctx context.Context, r durable.Request) error {
	// The readers' connections keep the file open, so that closing this one
	// never moves the log: only the owner does.
	return s.read(ctx, func(reader *conn) error {
		if _, err := reader.number("SELECT epoch FROM meta"); err != nil {
			return err
		}
		c, err := connect(s.path, "rw", "busy_timeout = 5000", durablePragma, fullPragma, "wal_autocheckpoint = 0")
		if err != nil {
			return s.cannotOpen(err)
		}
		n, err := c.exec("INSERT INTO requests(id, body) VALUES(?, ?) ON CONFLICT(id) DO NOTHING", r.ID, solid(r.Body))
		if err == nil && n == 0 {
			err = same(c, r)
		}
		return unwrapJoin(errors.Join(known(err, true), c.close()))
	})
}

// same sees that a request that is there already is this one.
func same(c *conn, r durable.Request) error {
	n, err := c.number("SELECT count(*) FROM requests WHERE id = ? AND body = ?", r.ID, solid(r.Body))
	if err == nil && n == 0 {
		err = fmt.Errorf("another request has the id %q", r.ID)
	}
	return err
}

// Answered returns the reply to a request.
func (s *Store) Answered(ctx context.Context, id string) (reply []byte, ok bool, err error) {
	err = s.read(ctx, func(c *conn) error {
		return c.query(context.Background(), "SELECT reply FROM requests WHERE id = ? AND reply IS NOT NULL", func(v []driver.Value) error {
			reply, ok = full(v[0]), true
			return nil
		}, id)
	})
	return reply, ok, err
}

// Requests lists those without a reply, oldest first. While nobody wrote it
// only looks at a counter in shared memory.
func (s *Store) Requests(ctx context.Context, limit int) (out []durable.Request, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.watch.Lock()
	defer s.watch.Unlock()
	w := &s.watcher
	if w.closed {
		return nil, errClosed
	}
	if w.conn == nil {
		if w.conn, err = s.connectReader(); err != nil {
			return nil, err
		}
		w.version = -1
	}
	version, err := w.conn.number("PRAGMA data_version")
	if err != nil || version == w.version {
		return nil, known(err, false)
	}
	err = w.conn.query(context.Background(), "SELECT id, body FROM requests INDEXED BY requests_open WHERE reply IS NULL ORDER BY n LIMIT ?",
		func(v []driver.Value) error {
			out = append(out, durable.Request{ID: text(v[0]), Body: full(v[1])})
			return nil
		}, max(limit, 0))
	if err == nil && len(out) == 0 {
		w.version = version // what is left open is listed again
	}
	return out, known(err, false)
}

// Reply stores the reply to a request, for the asker to fetch. A request that
// has one keeps the first.
func (s *Store) Reply(ctx context.Context, epoch uint64, id string, reply []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.may(ctx); err != nil {
		return err
	}
	return s.durably(func() error {
		m, err := s.fence(epoch)
		if err != nil {
			return err
		}
		_, err = s.writer.exec("UPDATE requests SET reply = ?, epoch = ?, time = ? WHERE id = ? AND reply IS NULL", solid(reply), epoch, m.clock, id)
		return err
	})
}
