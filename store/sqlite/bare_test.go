package sqlite

import (
	"bytes"
	"strings"
)

// Bare is what a step costs without a store around it: the same rows and bytes
// under the same numbers in plain tables, with nothing compared and no index.
type Bare struct {
	c        *conn
	sessions int
	seq      int64
	pages    int
}

// OpenBare makes the tables, with a row for each session.
func OpenBare(path string, sessions int) (*Bare, error) {
	c, err := connect(path, "rwc", "synchronous = FULL", "journal_mode = WAL", "wal_autocheckpoint = 0", "cache_size = -16000")
	if err != nil {
		return nil, err
	}
	b := &Bare{c: c, sessions: sessions}
	for _, t := range []string{
		"CREATE TABLE owner(id INTEGER PRIMARY KEY, epoch INTEGER, clock INTEGER)", "INSERT INTO owner VALUES(1, 1, 0)",
		"CREATE TABLE heads(n INTEGER PRIMARY KEY, head BLOB)",
		"CREATE TABLE steps(id INTEGER PRIMARY KEY, time INTEGER, hash TEXT, body BLOB)",
	} {
		if _, err := c.exec(t); err != nil {
			return nil, err
		}
	}
	for i := range sessions {
		if _, err := c.exec("INSERT INTO heads VALUES(?, ?)", i+1, bareHead); err != nil {
			return nil, err
		}
	}
	return b, nil
}

var (
	bareHead = bytes.Repeat([]byte("h"), 250) // about what a row of sessions has
	bareHash = strings.Repeat("0", 64)
)

// Commit writes one step of each session in one transaction.
func (b *Bare) Commit(body []byte) error {
	b.seq++
	if _, err := b.c.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	for n := 1; n <= b.sessions; n++ {
		if _, err := b.c.exec("UPDATE heads SET head = ? WHERE n = ?", bareHead, n); err != nil {
			return err
		}
		if _, err := b.c.exec("INSERT INTO steps VALUES(?, ?, ?, ?)", journalID(int64(n), uint64(b.seq)), b.seq, bareHash, body); err != nil {
			return err
		}
	}
	if _, err := b.c.exec("UPDATE owner SET clock = ? WHERE id = 1", b.seq); err != nil {
		return err
	}
	if _, err := b.c.exec("COMMIT"); err != nil {
		return err
	}
	if b.pages += b.c.written(); b.pages > 4096 {
		b.pages = 0
		err := b.c.pragma("wal_checkpoint(PASSIVE)")
		b.c.written()
		return err
	}
	return nil
}

// Close frees the connection.
func (b *Bare) Close() error { return b.c.close() }
