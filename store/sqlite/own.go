package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strconv"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/internal/failpoint"
)

// Acquire takes the lock of the file, which the operating system releases with
// the process, and begins a new epoch.
func (s *Store) Acquire(ctx context.Context) (durable.Lease, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return durable.Lease{}, errClosed
	case s.lock != nil:
		return durable.Lease{}, fmt.Errorf("%w: this one has it already", durable.ErrOwned)
	case ctx.Err() != nil:
		return durable.Lease{}, ctx.Err()
	}
	lock, err := takeLock(s.path + "-lock")
	if err != nil {
		return durable.Lease{}, err
	}
	lease, err := s.begin()
	if err != nil {
		if s.writer != nil {
			err = errors.Join(err, s.writer.close())
			s.writer = nil
		}
		return durable.Lease{}, unwrapJoin(errors.Join(err, lock.release()))
	}
	s.lock, s.epoch = lock, lease.Epoch
	return lease, nil
}

// begin opens the connection that writes and moves the epoch on.
func (s *Store) begin() (durable.Lease, error) {
	w, err := connect(s.path, "rw", "busy_timeout = 5000", durablePragma, fullPragma, "journal_mode = WAL",
		"wal_autocheckpoint = 0", "journal_size_limit = "+strconv.Itoa(s.options.LogPages*frameBytes), "cache_size = -32000")
	if err != nil {
		return durable.Lease{}, s.cannotOpen(err)
	}
	s.writer, s.rows, s.log = w, rowCache{}, logSize{}
	s.log.found(s.path)
	if s.options.MaxPages > 0 {
		if err := w.pragma("max_page_count = " + strconv.FormatInt(s.options.MaxPages, 10)); err != nil {
			return durable.Lease{}, known(err, false)
		}
	}
	// A newer Detent may have had it since it was opened.
	if _, err := examine(w, s.path); err != nil {
		return durable.Lease{}, err
	}
	var lease durable.Lease
	err = s.transaction(func() error {
		if _, err := w.exec("UPDATE meta SET epoch = epoch + 1"); err != nil {
			return err
		}
		// Replies to what was asked of the owner before the last one: nobody
		// waits for them any more.
		if _, err := w.exec("DELETE FROM requests WHERE reply IS NOT NULL AND epoch < (SELECT epoch FROM meta) - 1"); err != nil {
			return err
		}
		return w.query(context.Background(), "SELECT epoch, clock, position FROM meta", func(row []driver.Value) error {
			lease = durable.Lease{Epoch: uint64(num(row[0])), Clock: num(row[1]), Position: uint64(num(row[2]))}
			return nil
		})
	})
	if err == nil && lease.Epoch == 0 {
		err = damaged("%s has no row of its owner", s.path)
	}
	return lease, err
}

// transaction runs f and commits, or changes nothing. The caller holds mu.
func (s *Store) transaction(f func() error) error {
	if s.broken != nil {
		return s.broken
	}
	w := s.writer
	if _, err := w.exec("BEGIN IMMEDIATE"); err != nil {
		return s.failed(err, false)
	}
	failpoint.Hit("store.begin")
	if err := f(); err != nil {
		return s.failed(err, true)
	}
	failpoint.Hit("store.sync")
	if _, err := w.exec("COMMIT"); err != nil {
		return s.failed(err, true)
	}
	return nil
}

// failed ends a transaction that cannot go on, and remembers an error after
// which nothing can be trusted.
func (s *Store) failed(err error, begun bool) error {
	s.rows.clear()
	err = known(err, true)
	if begun {
		// SQLite has rolled back by itself after some errors; then there is
		// nothing left to do and it says so.
		_, undone := s.writer.exec("ROLLBACK")
		if undone != nil && resultOf(undone)&0xff != resultError {
			err = fmt.Errorf("%w: %w", durable.ErrBroken, errors.Join(err, undone))
		}
	}
	if errors.Is(err, durable.ErrBroken) {
		s.broken = err
	}
	return err
}

// resultError is SQLite's code for a statement that makes no sense, such as a
// rollback without a transaction.
const resultError = 1

// owned says why the store cannot write as the owner, nil if it can. The
// caller holds mu.
func (s *Store) owned() error {
	switch {
	case s.closed:
		return errClosed
	case s.broken != nil:
		return s.broken
	case s.writer == nil:
		return errors.New("the store was not acquired")
	}
	return nil
}
