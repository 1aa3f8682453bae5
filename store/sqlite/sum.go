package sqlite

import (
	"context"
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"sync"

	"github.com/detent-run/detent/durable"
)

// SQLite has no checksums in its pages, so a bit that changed on the disk
// would be read as if somebody had written it. Each row has a sum over its
// columns. Rows from before there were sums have none and are believed.

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sum is the checksum of a row's columns.
func sum(body []byte, numbers []int64, texts ...string) int64 {
	scratch := scratches.Get().(*[]byte)
	defer scratches.Put(scratch)
	b := (*scratch)[:0]
	for _, n := range numbers {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	for _, t := range texts {
		b = append(binary.AppendUvarint(b, uint64(len(t))), t...)
	}
	*scratch = b
	return int64(crc32.Update(crc32.Checksum(b, castagnoli), castagnoli, body))
}

// scratches are where sums put columns together: what crc32 is given escapes.
var scratches = sync.Pool{New: func() any { return new([]byte) }}

func stateSum(n, at int64, body []byte) int64 { return sum(body, []int64{n, at}) }

func journalSum(id, time int64, hash string, body []byte) int64 {
	return sum(body, []int64{id, time}, hash)
}

func inboxSum(n, position int64, body []byte) int64 { return sum(body, []int64{n, position}) }

func effectSum(n, live int64, key string, body []byte) int64 {
	return sum(body, []int64{n, live}, key)
}

func recordSum(session, namespace, key, text string, body []byte) int64 {
	return sum(body, nil, session, namespace, key, text)
}

// sessionSum leaves out what an event that is only queued changes, and the
// number of the row, which SQLite gives.
func sessionSum(session string, revision uint64, updated, due int64, waits bool, status durable.Status, states string, f fixed, head []byte) int64 {
	numbers := []int64{int64(revision), updated, due, 0}
	if waits {
		numbers[3] = 1
	}
	return sum(head, numbers, session, string(status), states, f.chart, f.digest, f.user, f.tags, f.parent, f.reason)
}

// sound compares the column of a sum with what the row has.
func sound(column driver.Value, want int64, format string, args ...any) error {
	if column != nil && column != driver.Value(want) {
		return damaged("%s is not what was written", fmt.Sprintf(format, args...))
	}
	return nil
}

// checkSums reads every row that has a sum. Those of sessions are seen when
// the sessions are.
func checkSums(ctx context.Context, c *conn, add report) error {
	for _, t := range []struct {
		query string
		check func(v []driver.Value) error
	}{
		{"SELECT " + journalColumns + " FROM journal", func(v []driver.Value) error { _, err := journalRow(v); return err }},
		{"SELECT " + stateColumns + " FROM states", func(v []driver.Value) error { _, _, err := stateRow(v); return err }},
		{"SELECT " + inboxColumns + " FROM inbox", func(v []driver.Value) error { _, err := inboxRow(v); return err }},
		{"SELECT " + effectColumns + " FROM effects", func(v []driver.Value) error { _, err := effectRow(v); return err }},
		{"SELECT " + recordColumns + " FROM records", func(v []driver.Value) error { _, err := recordRow(v); return err }},
	} {
		err := c.query(ctx, t.query, func(v []driver.Value) error {
			if err := t.check(v); err != nil {
				add("", "%s", what(err))
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

const (
	journalColumns = "id, time, hash, body, sum"
	stateColumns   = "n, at, body, sum"
	inboxColumns   = "n, position, body, sum"
	effectColumns  = "n, live, key, body, sum"
	recordColumns  = "session, namespace, key, text, body, sum"
)

func journalRow(v []driver.Value) (durable.JournalRow, error) {
	id := num(v[0])
	r := durable.JournalRow{Sequence: uint64(id) & maxSequence, Time: num(v[1]), Hash: text(v[2]), Body: full(v[3])}
	return r, sound(v[4], journalSum(id, r.Time, r.Hash, r.Body), "the journal row %d of the session with the number %d", r.Sequence, id>>32)
}

func stateRow(v []driver.Value) (at uint64, body []byte, err error) {
	at, body = uint64(num(v[1])), blob(v[2])
	return at, body, sound(v[3], stateSum(num(v[0]), num(v[1]), body), "the state of the session with the number %d", num(v[0]))
}

func inboxRow(v []driver.Value) (durable.InboxRow, error) {
	r := durable.InboxRow{Position: uint64(num(v[1])), Body: full(v[2])}
	return r, sound(v[3], inboxSum(num(v[0]), num(v[1]), r.Body), "the inbox row %d of the session with the number %d", r.Position, num(v[0]))
}

func effectRow(v []driver.Value) (durable.EffectRow, error) {
	r := durable.EffectRow{Key: text(v[2]), Live: num(v[1]) != 0, Body: full(v[3])}
	return r, sound(v[4], effectSum(num(v[0]), num(v[1]), r.Key, r.Body), "the effect %q of the session with the number %d", r.Key, num(v[0]))
}

func recordRow(v []driver.Value) (durable.Record, error) {
	r := durable.Record{Session: text(v[0]), Namespace: text(v[1]), Key: text(v[2]), Text: text(v[3]), Body: full(v[4])}
	return r, sound(v[5], recordSum(r.Session, r.Namespace, r.Key, r.Text, r.Body), "the record %q in %q of the session %q", r.Key, r.Namespace, r.Session)
}
