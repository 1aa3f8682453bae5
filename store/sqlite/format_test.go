package sqlite_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/sqlite"
)

// newest is the number of the tables' format now. With -keep a new file of it
// is put into testdata, once, when the number has changed.
const newest = 2

var keep = flag.Bool("keep", false, "write a file of the newest format to testdata")

// kept makes what is in the files of testdata.
func kept(t *testing.T, path string) {
	t.Helper()
	s, epoch := owned(t, path, sqlite.Options{})
	h := head("order-7")
	for i := range 3 {
		c := advance(&h, int64(i), benchBody)
		switch i {
		case 0:
			c.Records = []durable.Record{{Namespace: durable.SpaceList, Session: h.Session, Key: "messages/0", Body: []byte(`{"text":"good morning"}`)},
				{Namespace: durable.SpaceList, Session: h.Session, Key: "messages/1", Body: []byte(`{"text":"good evening"}`), Text: "good evening"}}
		case 1:
			c.State = []byte(`{"at":2}`)
		case 2:
			c.Effects = []durable.EffectRow{{Key: "call", Live: true, Body: []byte(`{}`)}}
			c.Put = []durable.InboxRow{{Position: 4, Body: []byte(`{"event":"pay"}`)}}
		}
		commit(t, s, epoch, c)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// A file of each format that ever was opens for good: at once for who only
// reads, and as one of the newest format.
func TestFormats(t *testing.T) {
	if *keep {
		kept(t, fmt.Sprintf("testdata/format-%d.db", newest))
		_ = os.Remove(fmt.Sprintf("testdata/format-%d.db-lock", newest))
	}
	for format := 1; format <= newest; format++ {
		t.Run(fmt.Sprint(format), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s.db")
			write(t, path, string(read(t, fmt.Sprintf("testdata/format-%d.db", format))))
			ctx := context.Background()
			visitor := open(t, path, sqlite.Options{MustExist: true})
			if st, err := visitor.Stats(ctx); err != nil || st.Format != newest {
				t.Fatalf("for a visitor it has the format %d (%v), want %d", st.Format, err, newest)
			}
			got, err := visitor.Load(ctx, durable.LoadQuery{Session: "order-7", Inbox: 10})
			if err != nil {
				t.Fatal(err)
			}
			if got.Head.Sequence != 3 || got.StateAt != 2 || len(got.Since) != 1 || len(got.Inbox) != 1 || len(got.Effects) != 1 || !got.Head.Ready {
				t.Errorf("read %+v", got)
			}
			s, epoch := owned(t, path, sqlite.Options{MustExist: true})
			if r, err := s.Records(ctx, durable.RecordQuery{Namespace: durable.SpaceList, Session: "order-7"}); err != nil || len(r) != 2 {
				t.Errorf("records %+v (%v)", r, err)
			}
			h := got.Head
			commit(t, s, epoch, advance(&h, 10, []byte("{}")))
			if found, err := s.Check(ctx); err != nil || len(found) != 0 {
				t.Errorf("check: %v (%v)", found, err)
			}
		})
	}
}

// With the next format: an owner of before goes on and its file is not
// touched, then it is brought to the format by who opens it first, and a
// Detent of before does not write it any more.
func TestNextFormat(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	old, epoch := owned(t, path, sqlite.Options{})
	waiting := open(t, path, sqlite.Options{})
	h := head("one")
	commit(t, old, epoch, advance(&h, 1, []byte("{}")))

	undo := sqlite.Newer("CREATE TABLE invented(x INTEGER) STRICT", "INSERT INTO invented SELECT count(*) FROM sessions")
	defer undo()
	refused(t, path, sqlite.CodeUnavailable)
	commit(t, old, epoch, advance(&h, 2, []byte("{}")))
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	s := open(t, path, sqlite.Options{})
	got, err := s.Load(context.Background(), durable.LoadQuery{Session: "one"})
	if err != nil || got.Head.Sequence != 2 {
		t.Errorf("read %+v (%v)", got, err)
	}
	if st, err := s.Stats(context.Background()); err != nil || st.Format != newest+1 {
		t.Errorf("the format is %d (%v), want %d", st.Format, err, newest+1)
	}

	undo() // the one that waited for the owner's end is of before
	var e *statechart.Error
	if _, err := waiting.Acquire(context.Background()); !errors.As(err, &e) || e.Code != sqlite.CodeNewer {
		t.Errorf("an older Detent takes the store over: %v", err)
	}
	refused(t, path, sqlite.CodeNewer)
}

// A migration that cannot be done leaves the file as it was.
func TestBrokenMigration(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	kept(t, path)
	undo := sqlite.Newer("CREATE TABLE invented(x INTEGER) STRICT", "DROP TABLE nothing")
	if s, err := sqlite.Open(path, sqlite.Options{}); err == nil {
		t.Errorf("it was opened (%v)", s.Close())
	}
	undo()
	s, _ := owned(t, path, sqlite.Options{})
	if st, err := s.Stats(context.Background()); err != nil || st.Format != newest {
		t.Errorf("the format is %d (%v), want %d", st.Format, err, newest)
	}
	undo = sqlite.Newer("CREATE TABLE invented(x INTEGER) STRICT")
	defer undo()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	open(t, path, sqlite.Options{}) // nothing is left of the first try
}

func refused(t *testing.T, path string, want statechart.Code) {
	t.Helper()
	var e *statechart.Error
	s, err := sqlite.Open(path, sqlite.Options{})
	if err == nil {
		err = s.Close()
	}
	if !errors.As(err, &e) || e.Code != want || e.Hint == "" {
		t.Errorf("got %v, want the code %s", err, want)
	}
}
