package sandbox

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A file that the parent has open, and that every program it starts would
// inherit, is not open in the child.
func TestInheritedFilesAreClosed(t *testing.T) {
	c := newChild(t, Config{})
	ask(t, c, "pid")
	fd, err := syscall.Open("/dev/null", syscall.O_RDONLY, 0) // no O_CLOEXEC
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd)
	high, _, wrong := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_DUPFD, 100)
	if wrong != 0 {
		t.Fatal(wrong)
	}
	defer syscall.Close(int(high))
	out, err := exec.Command("readlink", fmt.Sprint("/proc/self/fd/", high)).Output()
	if string(out) != "/dev/null\n" {
		t.Fatalf("an ordinary child does not inherit the file: %q, %v", out, err)
	}
	if got := ask(t, newChild(t, Config{}), fmt.Sprint("open ", high)); got != "false" {
		t.Error("the child has the file open")
	}
}

// A child that used much processor time is replaced between requests, and
// one that uses all of it is killed by the system.
func TestProcessorTime(t *testing.T) {
	c := newChild(t, Config{Limits: Limits{CPU: 4 * time.Second, Deadline: time.Minute}})
	before := ask(t, c, "pid")
	if after := ask(t, c, "pid"); after == before {
		t.Error("a child with less time left than a request may take goes on")
	}
	c = newChild(t, Config{Limits: Limits{CPU: time.Second, Deadline: time.Minute}})
	if _, err := c.Do(t.Context(), []byte("loop")); !errors.Is(err, ErrCrashed) {
		t.Errorf("the error is %v", err)
	}
}

// A child does not outlive its parent, even if both end in the middle of
// everything.
func TestChildEndsWithItsParent(t *testing.T) {
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), "BE_A_PARENT=yes")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	// A descriptor of the process becomes readable when it ends.
	const pidfdOpen = 434
	fd, _, wrong := syscall.Syscall(pidfdOpen, uintptr(pid), syscall.O_NONBLOCK, 0)
	if wrong != 0 {
		t.Fatal(wrong)
	}
	end := os.NewFile(fd, "the child")
	defer end.Close()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	_ = end.SetReadDeadline(time.Now().Add(time.Minute))
	raw, err := end.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	first := true
	err = raw.Read(func(uintptr) bool { was := first; first = false; return !was })
	if err != nil {
		t.Errorf("the child %d lives on: %v", pid, err)
	}
}
