package crash

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	_ "modernc.org/sqlite" // the checker has its own SQL, not the store's
)

// checker reads a copy of the file with SQL of its own, and the tool's record.
type checker struct {
	db     *sql.DB
	acks   map[string]int64 // session/id → sequence
	bad    []string
	rows   int
	causes map[string]string // key → mode
	stands map[string]string // key → where it stands
	tries  map[string]int    // key → how many attempts were claimed
}

func (c *checker) badf(format string, args ...any) {
	c.bad = append(c.bad, fmt.Sprintf(format, args...))
}

// check looks at what a life left behind. At the end, everything must have
// come to its end as well.
func check(dir, scratch string, acks map[string]int64, end bool) (bad []string, rows int, err error) {
	if err := copyStore(dir, scratch); err != nil {
		return nil, 0, err
	}
	db, err := sql.Open("sqlite", filepath.Join(scratch, "store.db"))
	if err != nil {
		return nil, 0, err
	}
	defer db.Close()
	c := &checker{db: db, acks: acks, causes: map[string]string{}, stands: map[string]string{}, tries: map[string]int{}}
	if err := errors.Join(c.integrity(), c.sessions(end), c.effects(end), c.tool(dir)); err != nil {
		return nil, 0, err
	}
	return c.bad, c.rows, nil
}

// copyStore copies the file and its log: opening them in place would change
// what the next life finds.
func copyStore(dir, scratch string) error {
	for _, name := range []string{"store.db", "store.db-wal"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			if err := os.Remove(filepath.Join(scratch, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(scratch, name), b, 0o600); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) integrity() error {
	var said string
	err := c.db.QueryRow("PRAGMA integrity_check").Scan(&said)
	if said != "ok" {
		c.badf("D2: the file is damaged: %s", said)
	}
	return err
}

// list calls f for each row.
func (c *checker) list(query string, args []any, f func(scan func(...any) error) error) error {
	rows, err := c.db.Query(query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// timed are the states that only a timer leaves.
var timed = regexp.MustCompile(`\b(timed|kept|wait)\b`)

func (c *checker) sessions(end bool) error {
	type session struct {
		n            int64
		name, status string
		states       string
		queued, due  int64
	}
	var all []session
	err := c.list("SELECT n, session, status, states, queued, due FROM sessions", nil, func(scan func(...any) error) error {
		var s session
		defer func() { all = append(all, s) }()
		return scan(&s.n, &s.name, &s.status, &s.states, &s.queued, &s.due)
	})
	if err != nil {
		return err
	}
	known := map[string]map[string]int64{}
	for _, s := range all {
		known[s.name] = map[string]int64{}
		if err := c.journal(s.n, s.name, known[s.name]); err != nil {
			return err
		}
		if s.status == "active" && s.due == 0 && timed.MatchString(s.states) {
			c.badf("T2: %s stands at %q and no timer is armed", s.name, s.states)
		}
		if end && (s.queued != 0 || s.status == "active" && !strings.Contains(s.states, "rest")) {
			c.badf("E5: %s stands at %s with %d queued events", s.name, s.states, s.queued)
		}
	}
	for ack, sequence := range c.acks {
		name, id, _ := strings.Cut(ack, "/")
		if known[name][id] != sequence {
			c.badf("D1: %s was acknowledged at %d, the journal has it at %d", ack, sequence, known[name][id])
		}
	}
	return nil
}

// row is what the checker wants of a journal row.
type row struct {
	Sequence uint64 `json:"sequence"`
	ID       string `json:"id"`
	Sender   string `json:"sender"`
	Deferred bool   `json:"deferred"`
	Event    string `json:"event"`
	Effect   string `json:"effect"`
	Effects  []struct {
		Type string `json:"type"`
		Key  string `json:"key"`
		Call struct {
			Src  string `json:"src"`
			Mode string `json:"mode"`
		} `json:"call"`
	} `json:"effects"`
}

func (c *checker) journal(n int64, name string, ids map[string]int64) error {
	want, hash := uint64(1), ""
	return c.list("SELECT id & 4294967295, hash, body FROM journal WHERE id >> 32 = ? ORDER BY id", []any{n}, func(scan func(...any) error) error {
		var sequence uint64
		var said string
		var body []byte
		var r row
		if err := errors.Join(scan(&sequence, &said, &body), json.Unmarshal(body, &r)); err != nil {
			return err
		}
		c.rows++
		if sequence != want || r.Sequence != want {
			c.badf("D4: %s has row %d (%d inside) where %d belongs", name, sequence, r.Sequence, want)
		}
		want = sequence + 1
		sum := sha256.Sum256(append([]byte(hash), body...))
		if hash = hex.EncodeToString(sum[:]); hash != said {
			c.badf("A1: the hash of row %d of %s does not fit", sequence, name)
		}
		if r.ID != "" && r.Sender == "client" && !r.Deferred {
			if at, twice := ids[r.ID]; twice {
				c.badf("E1: %s took %s at %d and at %d", name, r.ID, at, sequence)
			}
			ids[r.ID] = int64(sequence)
		}
		if kind, _, ok := strings.Cut(r.Event, ".invoke."); ok && r.ID != r.Effect+"/"+kind {
			c.badf("X7: row %d of %s is the result of %s, and its id is %s", sequence, name, r.Effect, r.ID)
		}
		for _, f := range r.Effects {
			if f.Type == "invoke" {
				c.causes[f.Key] = f.Call.Mode
			}
		}
		return nil
	})
}

func (c *checker) effects(end bool) error {
	err := c.list("SELECT key, live, body FROM effects", nil, func(scan func(...any) error) error {
		var key string
		var live bool
		var body []byte
		var f struct {
			Stands  string `json:"stands"`
			Attempt int    `json:"attempt"`
		}
		if err := errors.Join(scan(&key, &live, &body), json.Unmarshal(body, &f)); err != nil {
			return err
		}
		if _, twice := c.stands[key]; twice {
			c.badf("D2: the call %s stands twice in the outbox", key[:8])
		}
		c.stands[key], c.tries[key] = f.Stands, f.Attempt
		if c.causes[key] == "" && !strings.Contains(string(body), `"src":"chart:`) {
			c.badf("X1: the call %s has no committed cause", key[:8])
		}
		if end && live && f.Stands != "unknown" {
			c.badf("X2: the call %s still stands at %s", key[:8], f.Stands)
		}
		return nil
	})
	for key := range c.causes {
		if c.stands[key] == "" {
			c.badf("D2: the call %s is in the journal and not in the outbox", key[:8])
		}
	}
	return err
}

// tool compares with what really happened.
func (c *checker) tool(dir string) error {
	b, err := os.ReadFile(filepath.Join(dir, "tool"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	count := map[string]int{} // "start key", "done key"
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		if len(f) != 4 {
			c.badf("the tool's record has the line %q", line)
			continue
		}
		count[f[0]+f[1]]++
		if n, err := strconv.Atoi(f[3]); err != nil || n > c.tries[f[1]] {
			c.badf("X4: attempt %s of the call %s was made, and %d were claimed", f[3], f[1][:8], c.tries[f[1]])
		}
		if c.causes[f[1]] == "" {
			c.badf("X1: the tool was called for %s without a committed cause", f[1][:8])
		}
	}
	for key, mode := range c.causes {
		started, done := count["start"+key], count["done"+key]
		if mode == "at_most_once" && started > 1 {
			c.badf("X4: the call %s started %d times", key[:8], started)
		}
		if mode == "reconcile" && done > 1 {
			c.badf("X6: the call %s happened %d times", key[:8], done)
		}
		if mode != "" && mode != "at_most_once" && c.stands[key] == "ended" && done == 0 {
			c.badf("X5: the call %s ended and never happened", key[:8])
		}
	}
	return nil
}
