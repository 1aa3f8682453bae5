package sqlite_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/sqlite"
)

func TestOpenRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(t *testing.T, path string)
		want statechart.Code
		says string
	}{
		{"nothing there", func(*testing.T, string) {}, sqlite.CodeNoStore, "there is no store"},
		{"an empty file", func(t *testing.T, path string) { write(t, path, "") }, sqlite.CodeNotStore, "is empty"},
		{"a text", func(t *testing.T, path string) { write(t, path, strings.Repeat("some text\n", 1000)) }, sqlite.CodeNotStore, "not an SQLite database"},
		{"a short text", func(t *testing.T, path string) { write(t, path, "hello") }, sqlite.CodeNotStore, "not an SQLite database"},
		{"a directory", func(t *testing.T, path string) {
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		}, sqlite.CodeNotStore, "is no file"},
		{"another program's database", func(t *testing.T, path string) { raw(t, path, "CREATE TABLE t(x)", "INSERT INTO t VALUES(1)") }, sqlite.CodeNotStore, "another program's"},
		{"a newer format", func(t *testing.T, path string) { made(t, path); raw(t, path, "PRAGMA user_version = 3") }, sqlite.CodeNewer, "format 3.0, this Detent reads up to 2.1"},
		{"newer bodies", func(t *testing.T, path string) { made(t, path); raw(t, path, "UPDATE meta SET format = 2") }, sqlite.CodeNewer, "format 2.2, this Detent reads up to 2.1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s.db")
			c.make(t, path)
			_, err := sqlite.Open(path, sqlite.Options{MustExist: true})
			var e *statechart.Error
			if !errors.As(err, &e) {
				t.Fatalf("got %v", err)
			}
			if e.Code != c.want || !strings.Contains(e.Message, c.says) || e.Hint == "" {
				t.Errorf("got %s: %s (%s)", e.Code, e.Message, e.Hint)
			}
		})
	}
}

func TestOpenMakesAFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a name?with#odd%20characters.db")
	s, epoch := owned(t, path, sqlite.Options{})
	h := head("one")
	commit(t, s, epoch, advance(&h, 1, []byte("{}")))
	if err := s.Backup(context.Background(), path+"-copy"); err != nil {
		t.Fatal(err)
	}
	for _, end := range []string{"", "-wal", "-shm", "-lock", "-copy"} {
		if info, err := os.Stat(path + end); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v (%v), want a file that only its user reads", end, info, err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatalf("closed twice: %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 3 {
		t.Errorf("after Close there is %v, want the store, its lock and the copy", left)
	}
	if _, err := s.Load(context.Background(), durable.LoadQuery{Session: "one"}); err == nil {
		t.Error("a closed store reads")
	}
	again := open(t, path, sqlite.Options{MustExist: true})
	if got, err := again.Load(context.Background(), durable.LoadQuery{Session: "one"}); err != nil || got.Head.Sequence != 1 {
		t.Errorf("read again: %+v (%v)", got, err)
	}
}

// A directory that is not there is said to be so.
func TestOpenWithoutDirectory(t *testing.T) {
	_, err := sqlite.Open(filepath.Join(t.TempDir(), "no", "s.db"), sqlite.Options{})
	var e *statechart.Error
	if !errors.As(err, &e) || e.Code != sqlite.CodeUnavailable {
		t.Fatalf("got %v", err)
	}
}

// A connection that cannot be had for the moment is nothing that a session
// could be blamed for.
func TestNoConnectionForTheMoment(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s, epoch := owned(t, path, sqlite.Options{Readers: 2})
	h := head("one")
	commit(t, s, epoch, advance(&h, 1, []byte("{}")))
	if err := os.Rename(path, path+"-away"); err != nil {
		t.Fatal(err)
	}
	failed := 0
	for range 4 {
		_, err := s.Load(context.Background(), durable.LoadQuery{Session: "one"})
		var e *statechart.Error
		if errors.As(err, &e) || errors.Is(err, durable.ErrDamaged) || errors.Is(err, durable.ErrNotFound) {
			t.Errorf("got %v", err)
		}
		if err != nil {
			failed++
		}
	}
	if failed == 0 {
		t.Error("every read had a connection")
	}
	if err := os.Rename(path+"-away", path); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Load(context.Background(), durable.LoadQuery{Session: "one"}); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// made makes an empty store.
func made(t *testing.T, path string) {
	t.Helper()
	s, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// raw runs statements past the store.
func raw(t *testing.T, path string, statements ...string) {
	t.Helper()
	if err := sqlite.Raw(path, statements...); err != nil {
		t.Fatal(err)
	}
}
