package cli

import (
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Retention bounds a store: what is old goes, what is needed to go on stays,
// and verify says from where on the chain was checked.
func TestCompact(t *testing.T) {
	s := newShop(t)
	s.detent("run", "turnstile.yaml", "--id", "t", "--event", "coin", "--until", "open")
	s.detent("run", "turnstile.yaml", "--id", "over", "--event", "coin", "--event", "close")
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"compact"}, 0, "removed 0 journal rows, 0 ended calls, 0 event ids and 0 sessions"},
		{[]string{"compact", "--journal", "0s", "--keep", "5", "--dry-run"}, 0, "would remove 0 journal rows"},
		{[]string{"compact", "--journal", "0s", "--dry-run"}, 0, "would remove"},
		{[]string{"verify", "t"}, 0, "t: 2 rows, whole and unchanged"},
		{[]string{"compact", "--journal", "0s", "--sessions", "0s", "--shrink"}, 0, "and 1 session\n"},
		{[]string{"verify", "t"}, 0, "(those before were compacted away), whole and unchanged"},
		{[]string{"show", "over"}, exitNotTaken, `no session "over"`},
		{[]string{"resume", "t", "--event", "push", "--until", "locked"}, 0, "in locked"},
		{[]string{"doctor"}, 0, "is well: 1 session,"},
		{[]string{"compact", "--journal", "soon"}, exitUsage, "--journal is no age: soon"},
		{[]string{"compact", "--json"}, 0, `"dryRun":false,"rows":`},
	} {
		code, out, err := s.detent(test.args...)
		if code != test.code || !strings.Contains(out+err, test.want) {
			t.Errorf("%s: exit code %d, want %d with %q\n%s%s", strings.Join(test.args, " "), code, test.code, test.want, out, err)
		}
	}
}

// The contracts of show, log and run: which members, in which order.
func TestContractsOfSessions(t *testing.T) {
	s := newShop(t)
	row := []string{"sequence", "time", "event", "outcome", "from", "to", "took", "data", "effects", "reason", "hash"}
	_, out, _ := s.detent("run", "turnstile.yaml", "--id", "t", "--event", "coin", "--until", "open", "--json")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 3 {
		t.Fatalf("run wrote %d lines\n%s", len(lines), out)
	}
	inOrder(t, "a row of run", lines[0], row)
	inOrder(t, "a row of run", lines[1], row)
	inOrder(t, "the end of run", lines[2], []string{"session", "status", "configuration", "sequence", "output", "reason"})
	_, out, _ = s.detent("log", "t", "--from", "2", "--json")
	inOrder(t, "a row of log", strings.TrimSpace(out), row)
	_, out, _ = s.detent("show", "t")
	inOrder(t, "show", out, []string{"session", "chart", "digest", "status", "sequence", "configuration", "data", "timers", "effects", "pending", "since"})
	_, out, _ = s.detent("doctor", "--json")
	inOrder(t, "doctor", out, []string{"store", "well", "owned", "format"})
}

// inOrder sees that a JSON object begins with these members.
func inOrder(t *testing.T, what, text string, keys []string) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	if _, err := d.Token(); err != nil {
		t.Fatalf("%s: %v\n%s", what, err, text)
	}
	for _, want := range keys {
		key, err := d.Token()
		if err != nil || key != want {
			t.Fatalf("%s has the member %v, want %s (%v)\n%s", what, key, want, err, text)
		}
		var skipped json.RawMessage
		if err := d.Decode(&skipped); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
}

// A store that cannot be used: a clear error with its code and what to do.
func TestBadStores(t *testing.T) {
	for _, test := range []struct {
		name  string
		spoil func(t *testing.T, path string)
		args  []string
		code  int
		want  []string
	}{
		{"no store", func(t *testing.T, path string) { write(t, path, strings.Repeat("no store ", 1000)) }, []string{"ps"}, 1, []string{"[not_a_store]", "hint:"}},
		{"empty", func(t *testing.T, path string) { write(t, path, "") }, []string{"run", "turnstile.yaml"}, 1, []string{"[not_a_store]", "is empty"}},
		{"another program's", func(t *testing.T, path string) {
			os.Remove(path)
			alter(t, path, "CREATE TABLE notes(text TEXT)")
		}, []string{"ps"}, 1, []string{"[not_a_store]", "another program"}},
		{"newer", func(t *testing.T, path string) { alter(t, path, "PRAGMA user_version = 99") }, []string{"resume", "t"}, 1, []string{"[store_newer]", "newer one"}},
		{"damaged row", func(t *testing.T, path string) {
			alter(t, path, "UPDATE journal SET body = x'7b7d' WHERE id % 4294967296 = 2")
		}, []string{"verify", "t"}, 1,
			[]string{"[damaged]", "row 2", "hint:"}},
		{"damaged row, doctor", func(t *testing.T, path string) {
			alter(t, path, "UPDATE journal SET body = x'7b7d' WHERE id % 4294967296 = 2")
		}, []string{"doctor"}, 1,
			[]string{"wrong: t:", "row 2", "restore a backup"}},
		{"gone", func(t *testing.T, path string) { os.Remove(path) }, []string{"log", "t"}, 1, []string{"there is no store", "hint:"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newShop(t)
			s.detent("run", "turnstile.yaml", "--id", "t", "--event", "coin", "--until", "open")
			test.spoil(t, filepath.Join(s.folder, "detent.db"))
			code, out, err := s.detent(test.args...)
			for _, want := range test.want {
				if code != test.code || !strings.Contains(err, want) {
					t.Errorf("exit code %d, want %d with %q\n%s%s", code, test.code, want, out, err)
				}
			}
		})
	}
}

// A session whose state is damaged is parked, and the others run on.
func TestOneDamagedSessionLeavesTheOthers(t *testing.T) {
	s := newShop(t)
	for _, id := range []string{"bad", "good"} {
		s.detent("run", "turnstile.yaml", "--id", id, "--until", "locked")
	}
	alter(t, filepath.Join(s.folder, "detent.db"), "UPDATE states SET body = x'00' WHERE n = (SELECT n FROM sessions WHERE session = 'bad')")
	if code, out, err := s.detent("send", "good", "coin"); code != 0 {
		t.Errorf("the good one: %d %s%s", code, out, err)
	}
	if code, out, err := s.detent("send", "bad", "coin"); code == 0 || !strings.Contains(out+err, "hint:") && !strings.Contains(out+err, "parked") {
		t.Errorf("the bad one: %d %s%s", code, out, err)
	}
	if code, out, _ := s.detent("doctor"); code != 1 || !strings.Contains(out, "parked") {
		t.Errorf("doctor: %d %s", code, out)
	}
}

// A session whose row is damaged can be deleted, as the hint says.
func TestADamagedSessionCanBeDeleted(t *testing.T) {
	s := newShop(t)
	for _, id := range []string{"bad", "good"} {
		s.detent("run", "turnstile.yaml", "--id", id, "--until", "locked")
	}
	alter(t, filepath.Join(s.folder, "detent.db"), "UPDATE sessions SET user = 'x' WHERE session = 'bad'")
	if code, _, err := s.detent("show", "bad"); code != 1 || !strings.Contains(err, "[damaged]") {
		t.Errorf("show: %d %s", code, err)
	}
	if code, out, err := s.detent("delete", "bad"); code != 0 {
		t.Errorf("delete: %d %s%s", code, out, err)
	}
	if code, out, err := s.detent("doctor"); code != 0 {
		t.Errorf("doctor afterwards: %d %s%s", code, out, err)
	}
	if _, out, _ := s.detent("ps"); strings.Contains(out, "bad") || !strings.Contains(out, "good") {
		t.Errorf("ps shows %s", out)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func alter(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err == nil {
		_, err = db.Exec(statement)
	}
	if err != nil {
		t.Fatal(err)
	}
	db.Close()
}
