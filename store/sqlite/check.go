package sqlite

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/detent-run/detent/durable"
)

// Finding is one thing that is wrong with a file.
type Finding struct {
	// Session is the one that it is about, empty for the file.
	Session string
	What    string
}

// maxFindings bounds a list: who has as many does not read on.
const maxFindings = 1000

// Check reads the whole file and lists what is wrong: pages and indexes, and
// rows that do not fit each other. Hashes of the journal are the engine's to
// check. It takes as long as reading the file does, and changes nothing.
func (s *Store) Check(ctx context.Context) (found []Finding, err error) {
	add := func(session, format string, args ...any) {
		if len(found) < maxFindings {
			found = append(found, Finding{session, fmt.Sprintf(format, args...)})
		}
	}
	err = s.read(ctx, func(c *conn) error {
		return c.query(ctx, fmt.Sprintf("PRAGMA integrity_check(%d)", maxFindings), func(v []driver.Value) error {
			for _, line := range strings.Split(text(v[0]), "\n") {
				if line != "ok" && line != "" {
					add("", "%s", line)
				}
			}
			return nil
		})
	})
	for after, more := int64(0), true; more && err == nil; {
		err = s.read(ctx, func(c *conn) error {
			return view(c, func() (err error) {
				after, more, err = checkSome(ctx, c, after, add)
				return err
			})
		})
	}
	if err != nil {
		return found, err
	}
	return found, s.read(ctx, func(c *conn) error {
		if err := checkSums(ctx, c, add); err != nil {
			return err
		}
		return orphans(ctx, c, add)
	})
}

// what is wrong, without saying that something is.
func what(err error) string { return strings.TrimPrefix(err.Error(), durable.ErrDamaged.Error()+": ") }

// report notes a finding.
type report func(session, format string, args ...any)

// checkSome looks at some sessions after the one with that number. One view
// each keeps the log from growing behind it.
func checkSome(ctx context.Context, c *conn, after int64, add report) (last int64, more bool, err error) {
	const some = 500
	type one struct {
		n, queued int64
		head      durable.Head
	}
	var group []one
	err = c.query(ctx, "SELECT "+headColumns+" FROM sessions WHERE n > ? ORDER BY n LIMIT ?", func(v []driver.Value) error {
		h, err := headOf(v)
		last = num(v[15])
		more = true
		if err != nil {
			add(h.Session, "%s", what(err))
			return nil
		}
		group = append(group, one{last, num(v[16]), h})
		return nil
	}, after, some)
	for _, g := range group {
		if err != nil {
			break
		}
		if err = checkJournal(ctx, c, g.n, g.head, add); err != nil {
			break
		}
		var waiting int64
		if waiting, err = c.number("SELECT count(*) FROM inbox WHERE n = ?", g.n); err == nil && waiting != g.queued {
			add(g.head.Session, "%d events wait in its inbox, its row says %d", waiting, g.queued)
		}
	}
	return last, more, err
}

// checkJournal sees that the sequences follow on from where the journal was
// cut to the head's (D4).
func checkJournal(ctx context.Context, c *conn, n int64, h durable.Head, add report) error {
	base := Base{}
	err := c.query(ctx, "SELECT body FROM records WHERE session = ? AND namespace = ? AND key = ?", func(v []driver.Value) error {
		if json.Unmarshal(blob(v[0]), &base) != nil {
			add(h.Session, "the record of where its journal was cut cannot be read")
		}
		return nil
	}, h.Session, durable.SpaceBase, BaseKey)
	if err != nil {
		return err
	}
	next, hash := base.Sequence+1, base.Hash
	err = c.query(ctx, "SELECT id, hash FROM journal WHERE id BETWEEN ? AND ? ORDER BY id", func(v []driver.Value) error {
		if at := uint64(num(v[0])) & maxSequence; at != next {
			add(h.Session, "the journal row %d stands where %d is due", at, next)
			next = at
		}
		next++
		hash = text(v[1])
		return nil
	}, journalID(n, 0), journalID(n, maxSequence))
	if err != nil {
		return err
	}
	if next-1 != h.Sequence {
		add(h.Session, "its journal ends at %d, its row says %d", next-1, h.Sequence)
	} else if hash != h.Hash {
		add(h.Session, "the hash of its last journal row is not the one in its row")
	}
	at, err := c.number("SELECT at FROM states WHERE n = ?", n)
	if err == nil && (uint64(at) > h.Sequence || uint64(at) < base.Sequence) {
		add(h.Session, "its state is of %d, its journal goes from %d to %d", at, base.Sequence, h.Sequence)
	}
	return err
}

// orphans looks for rows of sessions that are not there.
func orphans(ctx context.Context, c *conn, add report) error {
	for _, o := range []struct{ what, query string }{
		{"journal rows", "SELECT count(*) FROM journal WHERE (id >> 32) NOT IN (SELECT n FROM sessions)"},
		{"states", "SELECT count(*) FROM states WHERE n NOT IN (SELECT n FROM sessions)"},
		{"inbox rows", "SELECT count(*) FROM inbox WHERE n NOT IN (SELECT n FROM sessions)"},
		{"effects", "SELECT count(*) FROM effects WHERE n NOT IN (SELECT n FROM sessions)"},
	} {
		err := c.query(ctx, o.query, func(v []driver.Value) error {
			if n := num(v[0]); n > 0 {
				add("", "%d %s belong to no session", n, o.what)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
