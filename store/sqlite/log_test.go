package sqlite_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/store/sqlite"
)

const frame = 4096 + 24 // a page in the log

var every = flag.Bool("every", false, "cut the log at every byte, which takes minutes")

// edges are places in a page of the log where something begins or ends: its
// number, the mark of a commit, checksums, the page itself.
var edges = []int{1, 4, 8, 16, 23, 24, 25, frame - 1}

// D2: whatever of the log's tail a power cut leaves, the store has the first
// so many commits, each whole. The tail is cut, filled with zeros and filled
// with what stood there before.
func TestD2TornTail(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "s.db")
	startOwner(t, path)()
	file, log := read(t, path), read(t, path+"-wal")
	if len(log) < steps*frame {
		t.Fatalf("the log of the killed child has %d bytes", len(log))
	}
	write(t, filepath.Join(dir, "file.db"), string(file))
	least := inspect(t, filepath.Join(dir, "file.db"))
	seen := map[uint64]int{}
	for at := 0; at <= len(log); at++ {
		if !*every && at%512 != 0 && at != len(log) && !slices.Contains(edges, (at-32)%frame) {
			continue
		}
		old := bytes.Repeat([]byte{0xa5}, len(log)-at)
		for tail, content := range map[string][]byte{"cut": nil, "zeros": make([]byte, len(log)-at), "old": old} {
			if tail != "cut" && at%512 != 0 {
				continue
			}
			image := filepath.Join(dir, "image.db")
			write(t, image, string(file))
			write(t, image+"-wal", string(log[:at])+string(content))
			sequence := inspect(t, image)
			seen[sequence]++
			if sequence > least+uint64(at/(2*frame)) {
				t.Fatalf("%d bytes of the log cannot hold %d commits", at, sequence)
			}
			if at == len(log) && sequence != steps {
				t.Fatalf("%s: the whole log gives %d of %d commits", tail, sequence, steps)
			}
			_ = os.Remove(image + "-shm") // there is none after a clean end
		}
	}
	if len(seen) != steps-int(least)+1 {
		t.Errorf("the images have %v commits, want each number from %d to %d", seen, least, steps)
	}
	t.Logf("images by the commits in them: %v", seen)
}

// inspect acquires an image and tells how many steps it has.
func inspect(t *testing.T, path string) uint64 {
	t.Helper()
	s, err := sqlite.Open(path, sqlite.Options{Readers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx := context.Background()
	got, err := s.Load(ctx, durable.LoadQuery{Session: "one"})
	if errors.Is(err, durable.ErrNotFound) {
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range got.Since {
		if want := fmt.Sprintf(`{"step":%d}`, i+1); r.Sequence != uint64(i+1) || string(r.Body) != want && string(r.Body) != string(benchBody) {
			t.Fatalf("row %d is %d %s", i+1, r.Sequence, r.Body)
		}
	}
	if got.Head.Sequence != uint64(len(got.Since)) || got.Head.Revision != got.Head.Sequence {
		t.Fatalf("the row says %d, the journal has %d rows", got.Head.Sequence, len(got.Since))
	}
	return got.Head.Sequence
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func size(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// Somebody who follows a journal page by page never holds the log.
func TestLogStaysSmallBehindAFollower(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s, epoch := owned(t, path, sqlite.Options{LogPages: 64})
	follower := open(t, path, sqlite.Options{})
	h, next, largest := head("one"), uint64(1), int64(0)
	for i := range 2000 {
		commit(t, s, epoch, advance(&h, int64(i), benchBody))
		rows, err := follower.Journal(context.Background(), "one", next, 10)
		if err != nil {
			t.Fatal(err)
		}
		next += uint64(len(rows))
		largest = max(largest, size(t, path+"-wal"))
	}
	if next != 2001 {
		t.Errorf("the follower read %d rows", next-1)
	}
	if largest > 2*64*frame {
		t.Errorf("the log grew to %d pages", largest/frame)
	}
}

// Somebody who holds one version of the file for ever stops commits before the
// disk is full, loses nothing, and all goes on when it is gone.
func TestLogIsBoundedBehindAReader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	const limit = 400 * frame
	s, epoch := owned(t, path, sqlite.Options{LogPages: 64, LogLimit: limit})
	h := head("one")
	commit(t, s, epoch, advance(&h, 0, benchBody))
	reader, err := sqlite.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; ; i++ {
		before := h
		err := s.Commit(context.Background(), durable.Commit{Epoch: epoch, Changes: []durable.Change{advance(&h, int64(i), benchBody)}})
		if err != nil {
			h = before
			if !errors.Is(err, durable.ErrFull) {
				t.Fatal(err)
			}
			break
		}
		if i > 2000 {
			t.Fatal("2,000 commits and no bound")
		}
	}
	if got := size(t, path+"-wal"); got > limit+64*frame {
		t.Errorf("the log grew to %d bytes, the limit is %d", got, limit)
	}
	if got, err := s.Load(context.Background(), durable.LoadQuery{Session: "one"}); err != nil || got.Head.Sequence != h.Sequence {
		t.Errorf("a refused commit left %+v (%v), want the sequence %d", got, err, h.Sequence)
	}
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	commit(t, s, epoch, advance(&h, 9, benchBody))
	if got := size(t, path+"-wal"); got > 65*frame {
		t.Errorf("after the reader has gone the log has %d pages", got/frame)
	}
}

// A store at rest is not written: not by its owner who looks for requests, nor
// by those who read.
func TestIdleWritesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s, epoch := owned(t, path, sqlite.Options{})
	visitor := open(t, path, sqlite.Options{})
	h := head("one")
	commit(t, s, epoch, advance(&h, 1, benchBody))
	before := touched(t, path, path+"-wal")
	for range 500 {
		if r, err := s.Requests(context.Background(), 10); err != nil || len(r) != 0 {
			t.Fatalf("%v (%v)", r, err)
		}
		if _, err := s.Due(context.Background(), 100, 10); err != nil {
			t.Fatal(err)
		}
		if _, err := visitor.Load(context.Background(), durable.LoadQuery{Session: "one"}); err != nil {
			t.Fatal(err)
		}
	}
	if after := touched(t, path, path+"-wal"); after != before {
		t.Errorf("500 looks wrote: the files were\n%s\nand are\n%s", before, after)
	}
}

// touched is when files were written last, and their sizes.
func touched(t *testing.T, names ...string) (s string) {
	t.Helper()
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		s += fmt.Sprintln(filepath.Base(name), info.Size(), info.ModTime().UnixNano())
	}
	return s
}
