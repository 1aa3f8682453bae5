package sqlite_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/store/sqlite"
)

// answers asks a store everything and keeps what each question got: a text, or
// the error.
func answers(t *testing.T, s *sqlite.Store) map[string]string {
	t.Helper()
	ctx, out := context.Background(), map[string]string{}
	note := func(question string, answer any, err error) {
		switch {
		case errors.Is(err, durable.ErrDamaged):
			out[question] = "damaged"
		case errors.Is(err, durable.ErrNotFound):
			out[question] = "gone"
		case err != nil:
			t.Fatalf("%s: %v, which says neither", question, err)
		default:
			out[question] = fmt.Sprintf("%+v", answer)
		}
	}
	for i := range 12 {
		id := fmt.Sprintf("session-%02d", i)
		stored, err := s.Load(ctx, durable.LoadQuery{Session: id, Inbox: 10, Effects: []string{"over"}})
		if err == nil {
			note("load "+id, *stored, nil)
		} else {
			note("load "+id, nil, err)
		}
		rows, err := s.Journal(ctx, id, 1, 100)
		note("journal "+id, rows, err)
		records, err := s.Records(ctx, durable.RecordQuery{Namespace: durable.SpaceList, Session: id})
		note("records "+id, records, err)
	}
	heads, err := s.Select(ctx, durable.Filter{})
	note("list", len(heads), err)
	for _, h := range heads {
		if h.ReasonCode != string(durable.CodeDamaged) {
			note("list "+h.Session, h, nil)
		}
	}
	return out
}

// varied is a store with rows of all kinds.
func varied(t *testing.T, path string) {
	t.Helper()
	s, epoch := owned(t, path, sqlite.Options{})
	for i := range 12 {
		h := head(fmt.Sprintf("session-%02d", i))
		h.Due, h.Waits, h.Priority = int64(1000+i), i%2 == 0, i
		for step := range 5 {
			c := advance(&h, int64(step), fmt.Appendf(nil, `{"event":"say","data":{"amount":%d}}`, 1000*i+step))
			if step == 2 {
				c.State = fmt.Appendf(nil, `{"data":{"total":%d}}`, 77*i)
			}
			c.Records = []durable.Record{{Namespace: durable.SpaceList, Session: h.Session, Key: fmt.Sprintf("m/%02d", step), Body: fmt.Appendf(nil, `{"text":"%d"}`, step), Text: "some text"}}
			commit(t, s, epoch, c)
		}
		c := advance(&h, 9, []byte(`{"event":"order"}`))
		c.Effects = []durable.EffectRow{{Key: "live", Live: true, Body: []byte(`{"to":"account 12345"}`)}, {Key: "over", Body: []byte(`{"paid":100}`)}}
		c.Put = []durable.InboxRow{{Position: uint64(10*i + 1), Body: []byte(`{"event":"pay","amount":250}`)}, {Position: uint64(10*i + 2), Body: []byte(`{"event":"pay","amount":251}`)}}
		commit(t, s, epoch, c)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// A bit that changed on the disk is never read as if somebody had written it:
// each question gets the right answer or is told of the damage, and where rows
// are not found any more, the check finds out why.
func TestFlippedBits(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "s.db")
	varied(t, path)
	s := open(t, path, sqlite.Options{})
	want := answers(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	const bits = 300
	b, dice := read(t, path), rand.New(rand.NewPCG(11, 11))
	unopened, damaged, gone, checked, same := 0, 0, 0, 0, 0
	for range bits {
		at, bit := dice.IntN(len(b)), byte(1)<<dice.IntN(8)
		broken := bytes.Clone(b)
		broken[at] ^= bit
		image := filepath.Join(dir, "image.db")
		write(t, image, string(broken))
		s, err := sqlite.Open(image, sqlite.Options{Readers: 1, MustExist: true})
		if err != nil {
			unopened++
			continue
		}
		worst := 0
		for question, answer := range answers(t, s) {
			switch {
			case answer == want[question]:
			case answer == "damaged":
				worst = max(worst, 1)
			default:
				worst = 2
			}
		}
		found, err := s.Check(context.Background())
		clean := err == nil && len(found) == 0
		switch {
		case worst == 2 && clean:
			t.Errorf("byte %d, bit %#x: an answer is another one, and no check finds it", at, bit)
		case worst == 1 && clean:
			t.Errorf("byte %d, bit %#x: a read says that it is damaged, the check does not", at, bit)
		case worst == 2:
			gone++
		case worst == 1:
			damaged++
		case !clean:
			checked++
		default:
			same++
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		for _, end := range []string{"", "-wal", "-shm", "-lock"} {
			_ = os.Remove(image + end)
		}
	}
	if damaged == 0 || same == 0 {
		t.Errorf("%d damaged, %d that changed nothing", damaged, same)
	}
	t.Logf("%d bits: %d not opened, %d reads told, %d rows hidden and the check told, %d told by the check alone, %d lay in free space", bits, unopened, damaged, gone, checked, same)
}

// A bit that changed in the log ends it there: what comes before is whole.
func TestFlippedBitsInTheLog(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "s.db")
	startOwner(t, path)()
	file, log, dice := read(t, path), read(t, path+"-wal"), rand.New(rand.NewPCG(12, 12))
	seen := map[uint64]int{}
	for range 100 {
		broken := bytes.Clone(log)
		broken[dice.IntN(len(log))] ^= byte(1) << dice.IntN(8)
		image := filepath.Join(dir, "image.db")
		write(t, image, string(file))
		write(t, image+"-wal", string(broken))
		seen[inspect(t, image)]++
		_ = os.Remove(image + "-shm") // there is none after a clean end
	}
	t.Logf("logs by the commits that were left: %v", seen)
}

// Each column of a row is under its sum.
func TestSumsCoverEveryColumn(t *testing.T) {
	made := filepath.Join(t.TempDir(), "s.db")
	varied(t, made)
	whole := read(t, made)
	for _, change := range []string{
		"UPDATE sessions SET revision = revision + 1", "UPDATE sessions SET updated = 77", "UPDATE sessions SET due = 77", "UPDATE sessions SET waits = 1 - waits",
		"UPDATE sessions SET status = 'completed'", "UPDATE sessions SET states = ''", "UPDATE sessions SET states = 'x'", "UPDATE sessions SET chart = 'c'",
		"UPDATE sessions SET digest = 'd'", "UPDATE sessions SET user = 'bob'", "UPDATE sessions SET tags = ''", "UPDATE sessions SET parent = 'p'",
		"UPDATE sessions SET reason = 'r'",
		"UPDATE journal SET time = 77", "UPDATE journal SET hash = ''", "UPDATE journal SET body = x'7b7d'", "UPDATE states SET body = x'7b7d'", "UPDATE states SET at = 4",
		"UPDATE inbox SET body = x'7b7d'", "UPDATE inbox SET position = position + 100", "UPDATE effects SET body = x'7b7d'", "UPDATE effects SET live = 1, key = key || '2'",
	} {
		t.Run(change, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s.db")
			write(t, path, string(whole))
			raw(t, path, change)
			s := open(t, path, sqlite.Options{})
			ctx := context.Background()
			if _, err := s.Load(ctx, durable.LoadQuery{Session: "session-03", Inbox: 10, Effects: []string{"over"}}); !errors.Is(err, durable.ErrDamaged) {
				if _, err := s.Journal(ctx, "session-03", 1, 100); !errors.Is(err, durable.ErrDamaged) {
					t.Errorf("read as if somebody had written it (%v)", err)
				}
			}
			if found, err := s.Check(ctx); err != nil || len(found) == 0 {
				t.Errorf("the check finds %v (%v)", found, err)
			}
		})
	}
}

// One damaged row does not hide the other sessions.
func TestDamagedRowAmongOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	varied(t, path)
	raw(t, path, "UPDATE sessions SET user = 'eve' WHERE session = 'session-03'")
	list, err := open(t, path, sqlite.Options{}).Select(context.Background(), durable.Filter{})
	if err != nil || len(list) != 12 {
		t.Fatalf("%d sessions (%v), want 12", len(list), err)
	}
	for i, h := range list {
		if bad := h.ReasonCode == string(durable.CodeDamaged) && h.Status == durable.Parked; bad != (i == 3) {
			t.Errorf("the list has %+v", h)
		}
	}
}
