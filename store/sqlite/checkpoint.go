package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"

	"github.com/detent-run/detent/durable"
)

// logSize is what the owner knows of the log without looking at it.
type logSize struct {
	// pages were put into it since it last began anew, and since is how many
	// of them after the last attempt to move them into the file.
	pages, since int
}

// found is what a log has at the start, by its size: at most that.
func (l *logSize) found(path string) {
	if info, err := os.Stat(path + "-wal"); err == nil {
		l.pages = int(info.Size() / frameBytes)
		l.since = l.pages
	}
}

// moved notes what a checkpoint found. A log that is in the file as a whole
// begins anew with the next commit. Pages are negative when somebody else was
// at it.
func (l *logSize) moved(pages, moved int, err error) {
	switch {
	case err != nil || pages < 0:
	case pages == moved:
		l.pages = 0
	default:
		l.pages = pages
	}
}

// checkpoint moves the log into the file as far as readers let it, and returns
// how many pages the log holds and how many of them are in the file. PASSIVE
// waits for nobody; TRUNCATE waits for readers to leave, and empties the log.
// The caller holds mu.
func (s *Store) checkpoint(mode string) (pages, moved int, err error) {
	err = s.writer.query(context.Background(), "PRAGMA wal_checkpoint("+mode+")", func(row []driver.Value) error {
		pages, moved = int(num(row[1])), int(num(row[2]))
		return nil
	})
	s.writer.written() // what it wrote went to the file, not to the log
	return pages, moved, known(err, true)
}

// logged is called after each commit and keeps the log small. The next writer
// begins it anew when all of it is in the file and nobody reads it.
func (s *Store) logged() {
	n := s.writer.written()
	s.log.pages += n
	s.log.since += n
	if s.log.since < s.options.LogPages {
		return
	}
	s.log.since = 0
	pages, moved, err := s.checkpoint("PASSIVE")
	if err == nil && pages > 4*s.options.LogPages && int64(pages)*frameBytes < s.options.LogLimit {
		// Readers that overlap never let it begin anew: one short wait for
		// those of now, while new ones read the file.
		pages, moved, err = s.patient("TRUNCATE", 50)
	}
	if errors.Is(err, durable.ErrBroken) {
		// The commit is in the log and stands; the file cannot be trusted with
		// the next one.
		s.broken = err
		return
	}
	s.log.moved(pages, moved, err)
}

// patient checkpoints with another bound on the wait, in milliseconds.
func (s *Store) patient(mode string, wait int) (pages, moved int, err error) {
	if err := s.writer.pragma(fmt.Sprintf("busy_timeout = %d", wait)); err != nil {
		return 0, 0, known(err, true)
	}
	pages, moved, err = s.checkpoint(mode)
	if undo := s.writer.pragma("busy_timeout = 5000"); err == nil {
		err = known(undo, true)
	}
	if resultOf(err)&0xff == resultBusy {
		err = nil
	}
	return pages, moved, err
}

// bounded refuses what would make the log grow past its limit.
func (s *Store) bounded() error {
	if int64(s.log.pages)*frameBytes < s.options.LogLimit {
		return nil
	}
	pages, moved, err := s.patient("TRUNCATE", 0)
	if err != nil {
		if errors.Is(err, durable.ErrBroken) {
			s.broken = err
		}
		return err
	}
	s.log.moved(pages, moved, nil)
	if int64(s.log.pages)*frameBytes >= s.options.LogLimit {
		return refuse(durable.CodeFull, durable.ErrFull, "end whoever reads the store for so long, such as a backup or another program",
			"somebody reads an old version of the store, so its log of %d MiB cannot be emptied; nothing was changed", int64(pages)*frameBytes>>20)
	}
	return nil
}
