//go:build unix

package process_test

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/performer/process"
)

// pipe makes a named pipe. What reads from it sees the end when every process
// that has it open for writing is gone.
func pipe(t *testing.T) (name string, open func() *bufio.Reader) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	return name, func() *bufio.Reader {
		f, err := os.Open(name) // waits for a writer
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return bufio.NewReader(f)
	}
}

func line(t *testing.T, r *bufio.Reader, want string) {
	t.Helper()
	if got, err := r.ReadString('\n'); err != nil || got != want+"\n" {
		t.Fatalf("the program says %q, %v", got, err)
	}
}

// When the call ends, everything that the program started ends, whatever it
// does about signals.
func TestGroupEnds(t *testing.T) {
	for _, x := range []struct {
		name, script string
		grace        time.Duration
	}{
		{"a program", `echo up >&3; exec cat /dev/zero >/dev/null`, time.Hour},
		{"a shell and its child", `cat /dev/zero >/dev/null & echo up >&3; wait`, time.Hour},
		{"no ear for TERM", `trap '' TERM; echo up >&3; exec cat /dev/zero >/dev/null`, time.Millisecond},
		{"children without an ear", `trap '' TERM; (cat /dev/zero >/dev/null & cat /dev/zero >/dev/null) & echo up >&3; wait`, time.Millisecond},
		{"a child that outlives its parent's end", `(trap '' TERM; echo up >&3; exec cat /dev/zero >/dev/null) & wait`, time.Hour},
		{"a stopped program", `echo up >&3; kill -STOP $$`, time.Millisecond},
	} {
		t.Run(x.name, func(t *testing.T) {
			name, open := pipe(t)
			c := script(text(`exec 3>"$1"; `+x.script), text(name))
			c.Grace = x.grace
			p, err := process.New(c)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan host.Outcome)
			go func() { done <- p.Perform(ctx, host.Call{}) }()
			r := open()
			line(t, r, "up")
			cancel()
			if o := <-done; o.Kind != host.KindUnknown || o.Failure.Code != "cancelled" {
				t.Errorf("the outcome is %s", show(t, o))
			}
			if rest, err := io.ReadAll(r); err != nil || len(rest) > 0 {
				t.Errorf("it goes on: %q, %v", rest, err)
			}
		})
	}
}

// What a program leaves behind when it ends by itself ends, too, and the
// output is not waited for longer than that.
func TestNothingIsLeftBehind(t *testing.T) {
	name, open := pipe(t)
	c := script(`exec 3>"$1"; (trap '' TERM HUP; echo up >&3; exec cat /dev/zero >/dev/null) & read x <"$2"; echo out`, text(name), text(name+"2"))
	if err := syscall.Mkfifo(name+"2", 0o600); err != nil {
		t.Fatal(err)
	}
	c.Timeout, c.Grace = time.Hour, time.Hour
	p, err := process.New(c)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan host.Outcome)
	go func() { done <- p.Perform(t.Context(), host.Call{}) }()
	r := open()
	line(t, r, "up")
	if err := os.WriteFile(name+"2", []byte("go\n"), 0); err != nil {
		t.Fatal(err)
	}
	if o := <-done; o.Kind != host.KindDone || o.Output != "out" {
		t.Errorf("the outcome is %s", show(t, o))
	}
	if rest, err := io.ReadAll(r); err != nil || len(rest) > 0 {
		t.Errorf("it goes on: %q, %v", rest, err)
	}
}

// A program may use its grace to tidy up, but its call is over.
func TestGrace(t *testing.T) {
	name, open := pipe(t)
	c := script(`exec 3>"$1"; trap 'echo tidy >&3; exit 0' TERM; echo up >&3; while :; do :; done`, text(name))
	c.Grace = time.Hour
	p, err := process.New(c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	done := make(chan host.Outcome)
	go func() { done <- p.Perform(ctx, host.Call{}) }()
	r := open()
	line(t, r, "up")
	cancel(context.DeadlineExceeded)
	line(t, r, "tidy")
	if o := <-done; o.Kind != host.KindUnknown || o.Failure.Code != "timeout" || o.Failure.Message != "sh took too long and was ended" {
		t.Errorf("the outcome is %s", show(t, o))
	}
}

// What a program writes says that it lives.
func TestHeartbeat(t *testing.T) {
	p, err := process.New(script(`echo a; echo b >&2`))
	if err != nil {
		t.Fatal(err)
	}
	beats := make(chan bool, 10)
	p.Perform(t.Context(), host.Call{Heartbeat: func() { beats <- true }})
	if len(beats) != 2 {
		t.Errorf("%d beats", len(beats))
	}
}
