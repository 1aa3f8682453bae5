package sqlite_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/store/sqlite"
)

// childEnv names the file that a child process of a test owns; breakEnv one
// that it owns and whose disk breaks.
const (
	childEnv = "DETENT_TEST_OWN"
	breakEnv = "DETENT_TEST_BREAK"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(childEnv); path != "" {
		if err := own(path); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	if path := os.Getenv(breakEnv); path != "" {
		fmt.Println(breakDisk(path))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// steps is how many commits a child makes before it waits for its end.
const steps = 6

// own is the child: it acquires the file, takes steps, says so and stays.
func own(path string) error {
	ctx := context.Background()
	s, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		return err
	}
	lease, err := s.Acquire(ctx)
	if err != nil {
		return err
	}
	h := head("one")
	for i := range steps {
		c := advance(&h, int64(i), []byte(fmt.Sprintf(`{"step":%d}`, i+1)))
		if err := s.Commit(ctx, durable.Commit{Epoch: lease.Epoch, Clock: int64(i), Changes: []durable.Change{c}}); err != nil {
			return err
		}
	}
	fmt.Println("owned")
	select {}
}

// startOwner starts a child that owns the file, and returns what kills it.
func startOwner(t *testing.T, path string) (kill func()) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(self)
	child.Env = append(os.Environ(), childEnv+"="+path)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	dead := false
	kill = func() {
		if !dead {
			dead = true
			_ = child.Process.Kill() // it may have ended by itself
			_ = child.Wait()         // killed
		}
	}
	t.Cleanup(kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || line != "owned\n" {
		t.Fatalf("the child said %q (%v)", line, err)
	}
	return kill
}
