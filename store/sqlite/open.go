package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/detent-run/detent/durable"
)

// Options say how a file is used. The zero value serves.
type Options struct {
	// MustExist refuses a file that is not there instead of making it.
	MustExist bool
	// Readers is how many reads run side by side; 0: 4. Each costs a file
	// handle and up to 2 MB of cache.
	Readers int
	// LogPages is how many pages of 4 KiB the log holds before the owner moves
	// them into the file; 0: 8,192 (32 MiB). Fewer cost speed, more make the
	// start after a crash slower.
	LogPages int
	// LogLimit is the size in bytes past which the log may not grow because
	// somebody reads an old version of the file for very long; 0: 1 GiB.
	// Commits return [durable.ErrFull] until the reader is gone.
	LogLimit int64
	// MaxPages bounds the file, in pages of 4 KiB; 0: no bound. Past it
	// commits return [durable.ErrFull].
	MaxPages int64
}

const (
	pageBytes  = 4096
	frameBytes = pageBytes + 24 // a page in the log
)

// Store is a file of sessions. It implements [durable.Store] and
// [durable.Visited]; its methods may be called concurrently.
type Store struct {
	path    string
	options Options

	// readers are the connections for reading; taking one out makes it the
	// caller's. A nil one is opened when it is wanted.
	readers chan *conn
	closing sync.Once

	// watch guards the connection that looks for requests.
	watch   sync.Mutex
	watcher watcher

	// mu guards what follows: the owner's side.
	mu     sync.Mutex
	closed bool
	lock   *fileLock
	writer *conn
	epoch  uint64
	broken error
	rows   rowCache
	log    logSize
}

var (
	_ durable.Store   = (*Store)(nil)
	_ durable.Visited = (*Store)(nil)
)

// Open opens the file at path, or makes it. It takes no ownership: see
// [Store.Acquire]. Errors that a user can do something about are
// [*statechart.Error] with a code of this package.
func Open(path string, o Options) (*Store, error) {
	o.Readers = orElse(o.Readers, 4)
	o.LogPages = orElse(o.LogPages, 8192)
	o.LogLimit = orElse(o.LogLimit, 1<<30)
	path, err := resolve(path)
	if err != nil {
		return nil, refuse(CodeUnavailable, err, "name a file in a directory that exists", "the store %s cannot be opened: %v", path, err)
	}
	if err := local(filepath.Dir(path)); err != nil {
		return nil, err
	}
	if err := ensure(path, o); err != nil {
		return nil, err
	}
	s := &Store{path: path, options: o, readers: make(chan *conn, o.Readers)}
	first, err := s.connectReader()
	if err == nil {
		err = s.readied(first)
	}
	if err != nil {
		if first != nil {
			err = unwrapJoin(errors.Join(err, first.close()))
		}
		if errors.Is(err, durable.ErrDamaged) {
			err = refuse(durable.CodeDamaged, err, "restore a backup", "the store %s cannot be read: %v", path, err)
		}
		return nil, err
	}
	s.readers <- first
	for len(s.readers) < cap(s.readers) {
		s.readers <- nil
	}
	return s, nil
}

func orElse[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}

// unwrapJoin gives back the only error of a join.
func unwrapJoin(err error) error {
	if j, ok := err.(interface{ Unwrap() []error }); ok && len(j.Unwrap()) == 1 {
		return j.Unwrap()[0]
	}
	return err
}

// resolve gives the one name of a file, so that two names of it have one lock.
func resolve(path string) (string, error) {
	if path == "" {
		return path, errors.New("it has no name")
	}
	full, err := filepath.Abs(path)
	if err != nil {
		return path, err
	}
	if real, err := filepath.EvalSymlinks(full); err == nil {
		return real, nil
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(full))
	if err != nil {
		return path, err
	}
	return filepath.Join(dir, filepath.Base(full)), nil
}

// ensure sees that there is a file. A new one appears under its name only when
// it is whole.
func ensure(path string, o Options) error {
	// Only asked for, never opened: closing a handle of ours would drop the
	// locks that SQLite holds on the file in this process.
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return refuse(CodeNotStore, nil, "name a file", "%s is no file", path)
	case err == nil && info.Size() == 0:
		return refuse(CodeNotStore, nil, "remove it, and a store is made in its place", "%s is empty", path)
	case err == nil:
		return singular(info, path)
	case !errors.Is(err, fs.ErrNotExist):
		return refuse(CodeUnavailable, err, "see who may read the file and its directory", "the store %s cannot be opened: %v", path, err)
	case o.MustExist:
		return refuse(CodeNoStore, nil, "detent run makes one; --db names another", "there is no store %s", path)
	}
	if err := create(path); err != nil && !errors.Is(err, fs.ErrExist) {
		return refuse(CodeUnavailable, err, "see that the directory exists and can be written", "the store %s cannot be made: %v", path, err)
	}
	return nil
}

func create(path string) error {
	temporary, err := reserve(path)
	if err != nil {
		return err
	}
	defer discard(temporary)
	if err := finish(temporary); err != nil {
		return err
	}
	return appear(temporary, path)
}

// discard removes what is left of a file that was being made.
func discard(temporary string) {
	for _, end := range []string{"", "-journal", "-wal", "-shm"} {
		_ = os.Remove(temporary + end)
	}
}

// reserve makes an empty file beside path that only its owner can read.
func reserve(path string) (string, error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-*")
	if err != nil {
		return "", err
	}
	return f.Name(), f.Close()
}

// finish brings a file that nobody else has open into the newest format and
// into WAL mode, and syncs it.
func finish(path string) error {
	c, err := connect(path, "rw", durablePragma, fullPragma, "journal_mode = WAL")
	if err != nil {
		return err
	}
	err = migrate(c)
	if err = errors.Join(err, c.close()); err != nil {
		return unwrapJoin(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return unwrapJoin(errors.Join(f.Sync(), f.Close()))
}

// appear gives a finished file its name, unless something has it.
func appear(temporary, path string) error {
	if err := rename(temporary, path); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return err
		}
		// A file system that cannot see to it: the check is not atomic there.
		if _, there := os.Stat(path); there == nil {
			return fs.ErrExist
		}
		if err := os.Rename(temporary, path); err != nil {
			return err
		}
	}
	return syncDirectory(filepath.Dir(path))
}

// connectReader opens a connection that cannot write.
func (s *Store) connectReader() (*conn, error) {
	c, err := connect(s.path, "ro", "busy_timeout = 5000", "query_only = 1", "cache_size = -2000")
	if err != nil {
		return nil, s.cannotOpen(err)
	}
	return c, nil
}

func (s *Store) cannotOpen(err error) error {
	switch resultOf(err) & 0xff {
	case resultNotDB:
		return refuse(CodeNotStore, err, "name a store that Detent made", "%s is no store: it is not an SQLite database", s.path)
	case resultCannotOpen:
		return refuse(CodeUnavailable, err, "see who may read and write the file and its directory", "the store %s cannot be opened", s.path)
	}
	return known(err, false)
}

// examine sees that a file is ours and that we can read all of it, and tells
// its format.
func examine(c *conn, path string) (format int, err error) {
	var version string
	err = c.query(context.Background(), "SELECT sqlite_version()", func(row []driver.Value) error {
		version = text(row[0])
		return nil
	})
	if err != nil {
		return 0, known(err, false)
	}
	if olderThan(version, minimumVersion) {
		return 0, refuse(CodeLibrary, nil, "build Detent with a newer modernc.org/sqlite", "SQLite %s is older than %s, which lost commits when the log began anew", version, minimumVersion)
	}
	id, err := c.number("PRAGMA application_id")
	switch result := resultOf(err) & 0xff; {
	case result == resultNotDB || err == nil && id != applicationID:
		what := "it is another program's SQLite database"
		if err != nil {
			what = "it is not an SQLite database"
		}
		return 0, refuse(CodeNotStore, err, "name a store that Detent made", "%s is no store: %s", path, what)
	case result == resultCannotOpen:
		return 0, refuse(CodeUnavailable, err, "see who may read and write the file and its directory", "the store %s cannot be opened", path)
	case err != nil:
		return 0, known(err, false)
	}
	at, err := c.number("PRAGMA user_version")
	if err != nil {
		return 0, known(err, false)
	}
	bodies := int64(0)
	if at <= int64(len(migrations)) {
		if bodies, err = c.number("SELECT format FROM meta"); err != nil {
			return 0, known(err, false)
		}
	}
	if at > int64(len(migrations)) || bodies > bodyFormat {
		return 0, refuse(CodeNewer, nil, "use the Detent that made it, or a newer one",
			"%s has format %d.%d, this Detent reads up to %d.%d", path, at, bodies, len(migrations), bodyFormat)
	}
	if at < 1 {
		return 0, damaged("%s has no format", path)
	}
	return int(at), nil
}

// readied examines a file, and brings one of an older format to the newest.
func (s *Store) readied(c *conn) error {
	format, err := examine(c, s.path)
	if err != nil || format == len(migrations) {
		return err
	}
	lock, err := takeLock(s.path + "-lock")
	if errors.Is(err, durable.ErrOwned) {
		return refuse(CodeUnavailable, err, "end the Detent that has it, and open it again: it is then brought to the format of this one",
			"the store %s is in use and has the older format %d", s.path, format)
	}
	if err != nil {
		return err
	}
	w, err := connect(s.path, "rw", "busy_timeout = 5000", durablePragma, fullPragma, "wal_autocheckpoint = 0")
	if err != nil {
		return unwrapJoin(errors.Join(s.cannotOpen(err), lock.release()))
	}
	return unwrapJoin(errors.Join(known(migrate(w), false), w.close(), lock.release()))
}

// minimumVersion is the first SQLite without a race in which a restart of the
// log could lose commits.
const minimumVersion = "3.51.3"

func olderThan(version, than string) bool {
	a, b := strings.Split(version, "."), strings.Split(than, ".")
	for i := range b {
		var x, y int
		if i < len(a) {
			x, _ = strconv.Atoi(a[i])
		}
		y, _ = strconv.Atoi(b[i])
		if x != y {
			return x < y
		}
	}
	return false
}

// read runs f with a connection of its own, in one consistent view when f does
// more than one query and asks for it with begin.
func (s *Store) read(ctx context.Context, f func(c *conn) error) error {
	var c *conn
	select {
	case c = <-s.readers:
	case <-ctx.Done():
		return ctx.Err()
	}
	if c == closedReader {
		s.readers <- c
		return errClosed
	}
	defer func() { s.readers <- c }()
	if err := ctx.Err(); err != nil {
		return err
	}
	if c == nil {
		opened, err := s.connectReader()
		if err != nil && !errors.Is(err, durable.ErrDamaged) {
			// It could be opened before, so it may pass, as when there are too
			// many open files. Nothing is wrong with what was to be read.
			return fmt.Errorf("one more connection to the store: %v", err)
		}
		if err != nil {
			return err
		}
		c = opened
	}
	return known(f(c), false)
}

// closedReader stands in the pool of a closed store.
var closedReader = new(conn)

// view runs f in one consistent view.
func view(c *conn, f func() error) error {
	if _, err := c.exec("BEGIN"); err != nil {
		return err
	}
	err := f()
	if _, ended := c.exec("COMMIT"); err == nil && ended != nil {
		err = ended
	}
	return err
}

// Path is the file's full name.
func (s *Store) Path() string { return s.path }

// Close gives up ownership, moves the log into the file if it was held, and
// closes all connections. It waits for reads that run.
func (s *Store) Close() error {
	var err error
	s.closing.Do(func() { err = s.close() })
	return err
}

func (s *Store) close() error {
	var errs []error
	s.mu.Lock()
	s.closed = true
	if s.broken != nil && s.writer != nil {
		// The last connection to close moves the log into the file. Of a disk
		// that failed nothing more is asked: this one is not the last.
		errs = append(errs, s.writer.close())
		s.writer = nil
	}
	s.mu.Unlock()
	for range cap(s.readers) {
		if c := <-s.readers; c != nil {
			errs = append(errs, c.close())
		}
	}
	for range cap(s.readers) {
		s.readers <- closedReader
	}
	errs = append(errs, s.watcher.close(&s.watch))
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.writer != nil {
		// What cannot be moved now stays in the log and is moved later.
		_, _, _ = s.checkpoint("TRUNCATE")
		errs = append(errs, s.writer.close())
		s.writer = nil
	}
	if s.lock != nil {
		errs = append(errs, s.lock.release())
		s.lock = nil
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("closing %s: %w", s.path, err)
	}
	return nil
}
