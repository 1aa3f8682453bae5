package durably

import (
	"context"
	"database/sql/driver"
	"errors"
	"path/filepath"
	"strconv"
	"sync/atomic"

	modernc "modernc.org/sqlite"
)

// Bare writes the rows that events of the engine store, with nothing around
// them: plain tables with numbers for keys, no comparison, no index, prepared
// statements past database/sql, and one writer that puts whatever waits into
// one transaction and one sync. What is between it and [Engine] is what an
// engine costs.
type Bare struct {
	c        driver.Conn
	stmts    map[string]driver.Stmt
	args     []driver.NamedValue
	events   []event
	next     []int // by session: which event comes
	requests chan int
	replies  []chan error
	done     chan struct{}
	commits  atomic.Int64
	pages    int
}

// The statements. Those with numbers are run for each event.
const (
	bareHead    = "UPDATE heads SET head = ? WHERE n = ?"
	bareJournal = "INSERT INTO journal VALUES(?, ?, ?, ?)"
	bareState   = "INSERT OR REPLACE INTO states VALUES(?, ?)"
	bareRecord  = "INSERT INTO records VALUES(?, ?, ?)"
	bareOwner   = "UPDATE owner SET clock = ? WHERE id = 1"
)

// bareGroup bounds a transaction, as the engine's default does, and barePages
// the log.
const (
	bareGroup = 256
	barePages = 8192
)

// NewBare makes the tables in a new file, with a row for each session.
func NewBare(directory string, sessions int) (*Bare, error) {
	events, err := recorded()
	if err != nil {
		return nil, err
	}
	_, _ = modernc.Fdatasync(true) // as the store does
	connector, err := modernc.NewConnector("file:" + filepath.ToSlash(filepath.Join(directory, "bare.db")) + "?mode=rwc")
	if err != nil {
		return nil, err
	}
	c, err := connector.Connect(context.Background())
	if err != nil {
		return nil, err
	}
	b := &Bare{c: c, stmts: map[string]driver.Stmt{}, events: events, next: make([]int, sessions),
		requests: make(chan int, sessions), replies: make([]chan error, sessions), done: make(chan struct{})}
	if err := b.create(sessions); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	go b.write()
	return b, nil
}

func (b *Bare) create(sessions int) error {
	for _, t := range []string{
		"PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA wal_autocheckpoint = 0", "PRAGMA cache_size = -32000",
		"CREATE TABLE owner(id INTEGER PRIMARY KEY, clock INTEGER)", "INSERT INTO owner VALUES(1, 0)",
		"CREATE TABLE heads(n INTEGER PRIMARY KEY, head BLOB)",
		"CREATE TABLE journal(id INTEGER PRIMARY KEY, time INTEGER, hash TEXT, body BLOB)",
		"CREATE TABLE states(n INTEGER PRIMARY KEY, body BLOB)",
		"CREATE TABLE records(id INTEGER PRIMARY KEY, key TEXT, body BLOB)",
		"BEGIN",
	} {
		if err := b.exec(t); err != nil {
			return err
		}
	}
	for n := range sessions {
		b.replies[n] = make(chan error, 1)
		if err := b.exec("INSERT INTO heads VALUES(?, ?)", int64(n), b.events[0].head); err != nil {
			return err
		}
	}
	return b.exec("COMMIT")
}

func (b *Bare) exec(text string, args ...any) error {
	s, ok := b.stmts[text]
	if !ok {
		var err error
		if s, err = b.c.Prepare(text); err != nil {
			return err
		}
		b.stmts[text] = s
	}
	b.args = b.args[:0]
	for i, a := range args {
		b.args = append(b.args, driver.NamedValue{Ordinal: i + 1, Value: a})
	}
	_, err := s.(driver.StmtExecContext).ExecContext(context.Background(), b.args)
	return err
}

// Send hands the session's next event to the writer and waits.
func (b *Bare) Send(session int) error {
	b.requests <- session
	return <-b.replies[session]
}

// write is the one writer.
func (b *Bare) write() {
	defer close(b.done)
	group := make([]int, 0, bareGroup)
	for first := range b.requests {
		group = append(group[:0], first)
		for waits := true; waits && len(group) < bareGroup; {
			select {
			case n, ok := <-b.requests:
				if waits = ok; ok {
					group = append(group, n)
				}
			default:
				waits = false
			}
		}
		err := b.commit(group)
		for _, n := range group {
			b.replies[n] <- err
		}
	}
}

func (b *Bare) commit(group []int) error {
	n := b.commits.Add(1)
	if err := b.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	for _, session := range group {
		if err := b.step(session); err != nil {
			return err
		}
	}
	if err := b.exec(bareOwner, n); err != nil {
		return err
	}
	if err := b.exec("COMMIT"); err != nil {
		return err
	}
	written, _, err := b.c.(modernc.DBStatus).Status(modernc.DBStatusCacheWrite, true)
	if err != nil {
		return err
	}
	if b.pages += written; b.pages < barePages {
		return nil
	}
	b.pages = 0
	return b.checkpoint()
}

// step writes one event of a session.
func (b *Bare) step(n int) error {
	e, session, sequence := &b.events[b.next[n]%len(b.events)], int64(n), int64(b.next[n])
	b.next[n]++
	if err := b.exec(bareHead, e.head, session); err != nil {
		return err
	}
	id := session<<32 | sequence
	if err := b.exec(bareJournal, id, sequence, e.hash, e.journal); err != nil {
		return err
	}
	if e.state != nil {
		if err := b.exec(bareState, session, e.state); err != nil {
			return err
		}
	}
	return b.exec(bareRecord, id, strconv.FormatInt(sequence, 10), e.record)
}

func (b *Bare) checkpoint() error {
	if err := b.exec("PRAGMA wal_checkpoint(PASSIVE)"); err != nil {
		return err
	}
	_, _, err := b.c.(modernc.DBStatus).Status(modernc.DBStatusCacheWrite, true)
	return err
}

// Syncs is how many transactions were committed so far.
func (b *Bare) Syncs() int64 { return b.commits.Load() }

// Close ends the writer.
func (b *Bare) Close() error {
	close(b.requests)
	<-b.done
	var err error
	for _, s := range b.stmts {
		err = errors.Join(err, s.Close())
	}
	return errors.Join(err, b.c.Close())
}
