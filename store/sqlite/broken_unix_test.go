//go:build linux || darwin

package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/store/sqlite"
)

// breakDisk is a child whose files cannot grow any more, by a limit of the
// system, after some commits: the next write of the log is an I/O error. It
// tells what each commit met; before the last one the disk works again.
func breakDisk(path string) string {
	s, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		return err.Error()
	}
	ctx := context.Background()
	lease, err := s.Acquire(ctx)
	if err != nil {
		return err.Error()
	}
	h := head("one")
	var said []string
	try := func() {
		err := s.Commit(ctx, durable.Commit{Epoch: lease.Epoch, Changes: []durable.Change{advance(&h, 1, benchBody)}})
		said = append(said, fmt.Sprintf("nil=%t broken=%t", err == nil, errors.Is(err, durable.ErrBroken)))
	}
	try()
	signal.Ignore(unix.SIGXFSZ)
	info, err := os.Stat(path + "-wal")
	if err != nil {
		return err.Error()
	}
	var before unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &before); err != nil {
		return err.Error()
	}
	limit := before
	limit.Cur = uint64(info.Size()) + frame + 100
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
		return err.Error()
	}
	try()
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &before); err != nil {
		return err.Error()
	}
	try()
	return strings.Join(append(said, fmt.Sprint(s.Close())), "; ")
}

// D7: after an error of the disk in a commit the store takes no more, even
// when the disk works again; what it had acknowledged is there.
func TestD7BrokenDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(self)
	child.Env = append(os.Environ(), breakEnv+"="+path)
	out, err := child.CombinedOutput()
	if want := "nil=true broken=false; nil=false broken=true; nil=false broken=true; <nil>\n"; err != nil || string(out) != want {
		t.Fatalf("the child said %q (%v), want %q", out, err, want)
	}
	if got := inspect(t, path); got != 1 {
		t.Errorf("there are %d steps, want the one that was acknowledged", got)
	}
}
