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
		{"a newer format", func(t *testing.T, path string) { made(t, path); raw(t, path, "PRAGMA user_version = 2") }, sqlite.CodeNewer, "format 2.0, this Detent reads up to 1.1"},
		{"newer bodies", func(t *testing.T, path string) { made(t, path); raw(t, path, "UPDATE meta SET format = 2") }, sqlite.CodeNewer, "format 1.2, this Detent reads up to 1.1"},
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
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatalf("closed twice: %v", err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v (%v), want a file that only its user reads", info, err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 2 {
		t.Errorf("after Close there is %v, want the store and its lock", left)
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

// A file of each format that ever was opens for good.
func TestFormats(t *testing.T) {
	b, err := os.ReadFile("testdata/format-1.db")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "s.db")
	write(t, path, string(b))
	s, epoch := owned(t, path, sqlite.Options{MustExist: true})
	ctx := context.Background()
	got, err := s.Load(ctx, durable.LoadQuery{Session: "order-7", Inbox: 10})
	if err != nil {
		t.Fatal(err)
	}
	if got.Head.Sequence != 3 || got.StateAt != 2 || len(got.Since) != 1 || len(got.Inbox) != 1 || len(got.Effects) != 1 || !got.Head.Ready {
		t.Errorf("read %+v", got)
	}
	if r, err := s.Records(ctx, durable.RecordQuery{Namespace: durable.SpaceList, Session: "order-7"}); err != nil || len(r) != 2 {
		t.Errorf("records %+v (%v)", r, err)
	}
	if found, err := s.Check(ctx); err != nil || len(found) != 0 {
		t.Errorf("check: %v (%v)", found, err)
	}
	h := got.Head
	commit(t, s, epoch, advance(&h, 10, []byte("{}")))
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
