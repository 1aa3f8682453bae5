package crash

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/sqlite"
)

// fullDirectory is the variable that makes this binary the child of a full
// disk, and says where; ballastFile one that it fills the disk with itself.
const (
	fullDirectory = "DETENT_CRASH_FULL"
	ballastFile   = "ballast"
)

// small is a way to have a disk that fills up and gets space again.
type small struct {
	name    string
	command func(dir string) []string // what runs the child
}

// smallDisks are tried in this order: a file system of its own needs the right
// to mount, which not every machine gives; strace needs nothing.
func smallDisks(strace string) []small {
	const mount = `mount -t tmpfs -o size=1536k none "$1" && "$2"; code=$?; cp "$1"/store.db* "$3"; exit $code`
	mounted := func(flags string) func(dir string) []string {
		return func(dir string) []string {
			return []string{"unshare", flags, "sh", "-c", mount, "sh", filepath.Join(dir, "small"), os.Args[0], dir}
		}
	}
	all := []small{{"a file system of 1.5 MB in a namespace", mounted("-m")}, {"a file system of 1.5 MB in a namespace of a user", mounted("-Urm")}}
	if strace != "" {
		all = append(all, small{"strace, which refuses writes for a while", func(dir string) []string {
			return []string{strace, "-f", "--seccomp-bpf", "-qqq", "-o", os.DevNull, "-e", "signal=none", "-e", "trace=pwrite64",
				"-e", "inject=pwrite64:error=ENOSPC:when=150..190", "sh", "-c", `"$2"; code=$?; cp "$1"/store.db* "$3"; exit $code`, "sh", filepath.Join(dir, "small"), os.Args[0], dir}
		}})
	}
	return all
}

// D7: a disk that is full refuses sends and nothing else, and with space again
// all goes on; nothing that was acknowledged is lost. Every way that works on
// this machine is tried.
func TestD7FullDisk(t *testing.T) {
	worked := 0
	for _, disk := range smallDisks(needStrace(t, "a full disk without a file system of its own")) {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "small"), 0o700); err != nil {
			t.Fatal(err)
		}
		args := disk.command(dir)
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Env = append(os.Environ(), fullDirectory+"="+filepath.Join(dir, "small"))
		var out, complaints bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &complaints
		err := cmd.Run()
		if out.Len() == 0 {
			t.Logf("full disk: not by %s: %v %s", disk.name, err, strings.TrimSpace(complaints.String()))
			continue
		}
		worked++
		if err != nil {
			t.Errorf("%s: %v\n%s%s", disk.name, err, out.String(), complaints.String())
		}
		acks := acksIn(out.String())
		bad, rows, err := check(dir, t.TempDir(), acks, false)
		if err == nil {
			var found []string
			found, err = verify(filepath.Join(dir, "store.db"))
			bad = append(bad, found...)
		}
		if err != nil || len(bad) > 0 {
			t.Errorf("%s: %v\n%s", disk.name, err, strings.Join(bad, "\n"))
		}
		for line := range strings.Lines(out.String()) {
			if !strings.HasPrefix(line, "ack ") {
				t.Logf("full disk: %s", strings.TrimSpace(line))
			}
		}
		t.Logf("full disk: by %s: %d acknowledged events, %d journal rows, %d bad", disk.name, len(acks), rows, len(bad))
	}
	if worked == 0 {
		t.Error("no way to fill a disk works here")
	}
}

// acksIn are the acknowledgements that a child printed.
func acksIn(out string) map[string]int64 {
	acks := map[string]int64{}
	for line := range strings.Lines(out) {
		var session, id string
		var sequence int64
		if n, _ := fmt.Sscanf(line, "ack %s %s %d\n", &session, &id, &sequence); n == 3 {
			acks[session+"/"+id] = sequence
		}
	}
	return acks
}

// fullChild is the child: it sends until it is refused, tries everything else,
// makes space and goes on.
func fullChild(dir string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	all, err := charts()
	if err != nil {
		return err
	}
	store, err := sqlite.Open(filepath.Join(dir, "store.db"), sqlite.Options{LogPages: 60})
	if err != nil {
		return err
	}
	e, err := durable.Open(ctx, store, durable.Config{Charts: durable.NewCharts(all...)})
	if err != nil {
		return err
	}
	f := filler{ctx: ctx, e: e, big: strings.Repeat("x", 9000)}
	for _, s := range []string{"one", "two", "three"} {
		if _, err := e.Start(ctx, durable.Start{ID: s, Chart: "main"}); err != nil {
			return err
		}
	}
	// The ballast leaves the store less than half a megabyte.
	if err := os.WriteFile(filepath.Join(dir, ballastFile), make([]byte, 600_000), 0o600); err != nil {
		return err
	}
	return errors.Join(f.fill(), f.refused(), os.Remove(filepath.Join(dir, ballastFile)), f.recovers(), e.Close(), store.Close())
}

// filler fills a disk.
type filler struct {
	ctx  context.Context
	e    *durable.Engine
	big  string
	sent int
}

// send sends the next event, and says what was acknowledged.
func (f *filler) send() error {
	id := fmt.Sprint("e", f.sent)
	a, err := f.e.Send(f.ctx, durable.Event{Session: "one", Name: "nothing", ID: id, Data: f.big})
	if err != nil {
		return err
	}
	f.sent++
	fmt.Println("ack one", id, a.Sequence)
	return nil
}

// fill sends until an event is refused because the disk is full.
func (f *filler) fill() error {
	for f.sent < 1000 {
		if err := f.send(); code(err) == durable.CodeFull {
			fmt.Println("refused: the event", f.sent, "with", durable.CodeFull)
			return nil
		} else if err != nil {
			return fmt.Errorf("event %d: %w", f.sent, err)
		}
	}
	return errors.New("1,000 events and the disk is not full")
}

// refused tries what must work with a full disk: reads do, and the verbs are
// done or refused as the events are, never in part.
func (f *filler) refused() error {
	v, err := f.e.Get(f.ctx, "one")
	if err != nil {
		return fmt.Errorf("get: %w", err)
	}
	heads, err := f.e.List(f.ctx, durable.Filter{})
	if err != nil || len(heads) != 3 {
		return fmt.Errorf("list: %d sessions, %w", len(heads), err)
	}
	rows, err := f.e.History(f.ctx, "one", 1, 1000)
	if err != nil || len(rows) != int(v.Sequence) {
		return fmt.Errorf("history: %d rows of %d, %w", len(rows), v.Sequence, err)
	}
	if _, err := f.e.Verify(f.ctx, "one"); err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	fmt.Println("full: get, list, history and verify work,", len(rows), "rows")
	for _, verb := range []struct {
		name string
		do   func() error
		want durable.Status
	}{
		{"suspend two", func() error { return f.e.Suspend(f.ctx, "two", durable.Suspension{}) }, durable.Suspended},
		{"cancel three", func() error { return f.e.Cancel(f.ctx, "three", "a person") }, durable.Cancelled},
	} {
		_, session, _ := strings.Cut(verb.name, " ")
		problem := verb.do()
		v, err := f.e.Get(f.ctx, session)
		if err != nil {
			return err
		}
		switch {
		case problem == nil && v.Status == verb.want:
			fmt.Println("full:", verb.name, "works")
		case code(problem) == durable.CodeFull && v.Status == durable.Active:
			fmt.Println("full:", verb.name, "is refused with", durable.CodeFull, "and changes nothing")
		default:
			return fmt.Errorf("%s: %v, and the session is %s", verb.name, problem, v.Status)
		}
	}
	return nil
}

// recovers sends until an event is taken again, and some more.
func (f *filler) recovers() error {
	tries := 1
	for ; ; tries++ {
		err := f.send()
		if err == nil {
			break
		}
		if code(err) != durable.CodeFull {
			return fmt.Errorf("with space again: %w", err)
		}
	}
	for range 10 {
		if err := f.send(); err != nil && code(err) != durable.CodeFull {
			return fmt.Errorf("with space again: %w", err)
		}
	}
	fmt.Println("space again: an event was taken at try", tries, "and all went on")
	return nil
}

// code is the code of an error that users know.
func code(err error) statechart.Code {
	var e *statechart.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}
