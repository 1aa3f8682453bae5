package sqlite

import (
	"errors"
	"fmt"
)

const (
	// applicationID marks a file as ours, in the header that SQLite keeps for
	// this: "Dtnt".
	applicationID = 0x44746e74
	// bodyFormat is the newest format of bodies that this version can read.
	bodyFormat = 1

	// durablePragma syncs the log in each commit; fullPragma reaches through
	// the cache of the disk on macOS, where a plain sync does not.
	durablePragma = "synchronous = FULL"
	fullPragma    = "fullfsync = 1"
)

// migrations take a file from the format of their index to the next. The
// number of a file's format is its user_version. None is ever changed after a
// release; testdata holds a file of each format.
var migrations = [][]string{{
	// The one row of what the owner knows. position and clock are the highest
	// ever, format is that of the newest body.
	`CREATE TABLE meta(
		id INTEGER PRIMARY KEY CHECK(id = 1),
		epoch INTEGER NOT NULL, clock INTEGER NOT NULL, position INTEGER NOT NULL, format INTEGER NOT NULL
	) STRICT`,
	`INSERT INTO meta VALUES(1, 0, 0, 0, 0)`,

	// A session. What filters need are columns, the rest is in head. ready is
	// what the head says, or that something is queued in the inbox. An index
	// is written only when one of its columns is named in the update, so a
	// plain step touches none.
	`CREATE TABLE sessions(
		n INTEGER PRIMARY KEY,
		session TEXT NOT NULL UNIQUE,
		revision INTEGER NOT NULL, queued INTEGER NOT NULL, updated INTEGER NOT NULL,
		due INTEGER NOT NULL, ready INTEGER NOT NULL, waits INTEGER NOT NULL,
		status TEXT NOT NULL, states TEXT NOT NULL,
		chart TEXT NOT NULL, digest TEXT NOT NULL, user TEXT NOT NULL, tags TEXT NOT NULL,
		parent TEXT NOT NULL, reason TEXT NOT NULL,
		head BLOB NOT NULL
	) STRICT`,
	`CREATE INDEX sessions_due ON sessions(due, session) WHERE due > 0`,
	`CREATE INDEX sessions_ready ON sessions(status, session) WHERE ready = 1`,
	`CREATE INDEX sessions_waits ON sessions(session) WHERE waits = 1`,
	`CREATE INDEX sessions_parent ON sessions(parent, session) WHERE parent <> ''`,

	// id is the session's n and the row's sequence, 32 bits each: the rows of
	// a session lie side by side, and one page is written for a step.
	`CREATE TABLE journal(id INTEGER PRIMARY KEY, time INTEGER NOT NULL, hash TEXT NOT NULL, body BLOB NOT NULL) STRICT`,
	`CREATE TABLE states(n INTEGER PRIMARY KEY, at INTEGER NOT NULL, body BLOB NOT NULL) STRICT`,
	`CREATE TABLE inbox(n INTEGER NOT NULL, position INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY(n, position)) STRICT, WITHOUT ROWID`,

	// live stands in the key so that the live rows of a session lie together
	// and need no index.
	`CREATE TABLE effects(
		n INTEGER NOT NULL, live INTEGER NOT NULL, key TEXT NOT NULL, time INTEGER NOT NULL, body BLOB NOT NULL,
		PRIMARY KEY(n, live, key)
	) STRICT, WITHOUT ROWID`,
	`CREATE TABLE records(
		session TEXT NOT NULL, namespace TEXT NOT NULL, key TEXT NOT NULL, time INTEGER NOT NULL, text TEXT NOT NULL, body BLOB NOT NULL,
		PRIMARY KEY(session, namespace, key)
	) STRICT, WITHOUT ROWID`,
	`CREATE INDEX records_text ON records(namespace, session, key) WHERE text <> ''`,

	// What visitors ask of the owner. epoch is that of the owner who replied,
	// time the store's clock then.
	`CREATE TABLE requests(
		n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, body BLOB NOT NULL,
		reply BLOB, epoch INTEGER NOT NULL DEFAULT 0, time INTEGER NOT NULL DEFAULT 0
	) STRICT`,
	`CREATE INDEX requests_open ON requests(n) WHERE reply IS NULL`,
}, {
	// Sums find what changed on the disk, see sum.go. A row that was written
	// before has none.
	`ALTER TABLE sessions ADD COLUMN sum INTEGER`,
	`ALTER TABLE journal ADD COLUMN sum INTEGER`,
	`ALTER TABLE states ADD COLUMN sum INTEGER`,
	`ALTER TABLE inbox ADD COLUMN sum INTEGER`,
	`ALTER TABLE effects ADD COLUMN sum INTEGER`,
	`ALTER TABLE records ADD COLUMN sum INTEGER`,

	// Who is suspended, parked or failed for one reason, among all others.
	`CREATE INDEX sessions_reason ON sessions(reason, session) WHERE reason <> ''`,
}}

// migrate brings a file to the newest format, each step in one transaction.
func migrate(c *conn) error {
	for {
		at, err := c.number("PRAGMA user_version")
		if err != nil || at >= int64(len(migrations)) {
			return err
		}
		if err := step(c, int(at)); err != nil {
			_, undone := c.exec("ROLLBACK")
			return errors.Join(err, undone)
		}
	}
}

func step(c *conn, at int) error {
	texts := append([]string{"BEGIN IMMEDIATE"}, migrations[at]...)
	texts = append(texts,
		fmt.Sprintf("PRAGMA application_id = %d", applicationID),
		fmt.Sprintf("PRAGMA user_version = %d", at+1),
		"COMMIT")
	for _, t := range texts {
		if _, err := c.exec(t); err != nil {
			return err
		}
	}
	c.forget() // what was prepared before stands for the old tables
	return nil
}
