package sqlite

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"strings"

	"github.com/detent-run/detent/durable"
)

// question is a statement that is put together.
type question struct {
	where []string
	args  []any
}

func (q *question) and(condition string, args ...any) {
	q.where = append(q.where, condition)
	q.args = append(q.args, args...)
}

func (q *question) equal(column, value string) {
	if value != "" {
		q.and(column+" = ?", value)
	}
}

// filtered makes the statement of a filter. Which index is read is said, not
// left to guesses: what is rare goes first.
func filtered(f durable.Filter) (string, []any) {
	var q question
	index := ""
	switch {
	case f.Parent != "":
		index = " INDEXED BY sessions_parent"
		q.and("parent <> ''")
	case f.Ready:
		index = " INDEXED BY sessions_ready"
	case f.Waits:
		index = " INDEXED BY sessions_waits"
	case f.ReasonCode != "":
		index = " INDEXED BY sessions_reason"
		q.and("reason <> ''")
	}
	if f.Ready {
		q.and("ready = 1")
	}
	if f.Waits {
		q.and("waits = 1")
	}
	q.equal("parent", f.Parent)
	q.equal("status", string(f.Status))
	q.equal("chart", f.Chart)
	q.equal("digest", f.Digest)
	q.equal("user", f.User)
	q.equal("reason", f.ReasonCode)
	if f.Tag != "" {
		q.and("instr(tags, ?) > 0", separator+escaped(f.Tag)+separator)
	}
	if f.State != "" {
		at := separator + escaped(f.State)
		q.and("(instr(states, ?) > 0 OR instr(states, ?) > 0)", at+separator, at+".")
	}
	if f.UpdatedFrom != 0 {
		q.and("updated >= ?", f.UpdatedFrom)
	}
	if f.UpdatedTo != 0 {
		q.and("updated < ?", f.UpdatedTo)
	}
	if f.After != "" {
		q.and("session > ?", f.After)
	}
	t := "SELECT " + headColumns + " FROM sessions" + index
	if len(q.where) > 0 {
		t += " WHERE " + strings.Join(q.where, " AND ")
	}
	return t + " ORDER BY session LIMIT ?", append(q.args, min(orElse(max(f.Limit, 0), 100), 10_000))
}

// Select lists heads that fit the filter, by id. A row that is damaged stands
// as parked for that reason.
func (s *Store) Select(ctx context.Context, f durable.Filter) (out []durable.Head, err error) {
	t, args := filtered(f)
	err = s.read(ctx, func(c *conn) error {
		return c.query(ctx, t, func(v []driver.Value) error {
			h, err := headOf(v)
			if err != nil {
				h = unreadable(h.Session, err)
			}
			out = append(out, h)
			return nil
		}, args...)
	})
	return out, err
}

// unreadable stands in a list for a row that is damaged: one of them must not
// hide all others.
func unreadable(session string, err error) durable.Head {
	h := durable.Head{Session: session, Status: durable.Parked, ReasonCode: string(durable.CodeDamaged)}
	h.Reason, _ = json.Marshal(map[string]string{"code": h.ReasonCode, "message": what(err)}) // texts cannot fail
	return h
}

// Records reads side records, by session and key. A search compares in Go,
// with the case rules of Unicode, not only of ASCII as SQLite would.
func (s *Store) Records(ctx context.Context, r durable.RecordQuery) (out []durable.Record, err error) {
	t, args := recorded(r)
	limit := orElse(max(r.Limit, 0), 1000)
	words := make([]string, 0, len(r.Search))
	for _, w := range r.Search {
		words = append(words, strings.ToLower(w))
	}
	err = s.read(ctx, func(c *conn) error {
		err := c.query(ctx, t, func(v []driver.Value) error {
			if !contains(text(v[3]), words) {
				return nil
			}
			if len(out) == limit {
				return errEnough
			}
			got, err := recordRow(v)
			out = append(out, got)
			return err
		}, args...)
		if err == errEnough {
			return nil
		}
		return err
	})
	return out, err
}

// errEnough ends a query whose answer is full.
var errEnough = enough{}

type enough struct{}

func (enough) Error() string { return "there is enough" }

// contains reports whether a text has all words, which are in lower case.
func contains(text string, words []string) bool {
	if len(words) == 0 {
		return true
	}
	text = strings.ToLower(text)
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

func recorded(r durable.RecordQuery) (string, []any) {
	var q question
	index := ""
	if r.Session == "*" && len(r.Search) > 0 {
		index = " INDEXED BY records_text"
		q.and("text <> '' AND namespace = ?", r.Namespace)
	} else {
		q.and("session = ? AND namespace = ?", r.Session, r.Namespace)
	}
	if r.From != "" {
		q.and("key >= ?", r.From)
	}
	if r.To != "" {
		q.and("key < ?", r.To)
	}
	order := " ORDER BY session, key"
	if r.Reverse {
		order = " ORDER BY session DESC, key DESC"
	}
	t := "SELECT " + recordColumns + " FROM records" + index + " WHERE " + strings.Join(q.where, " AND ") + order
	if len(r.Search) == 0 {
		t += " LIMIT ?"
		q.args = append(q.args, orElse(max(r.Limit, 0), 1000))
	}
	return t, q.args
}
