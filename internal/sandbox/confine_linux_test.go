package sandbox

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
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

// Limits of whoever started the program stay where they are lower.
func TestLowerLimitsStay(t *testing.T) {
	command := []string{"/bin/sh", "-c", "ulimit -S -t 60; exec " + os.Args[0]}
	c := newChild(t, Config{Command: command, Limits: Limits{Deadline: time.Minute}})
	if got := ask(t, c, "limits"); !regexp.MustCompile(`Max cpu time +60 +60 `).MatchString(got) {
		t.Errorf("the limits are\n%s", got)
	}
	before := ask(t, c, "pid")
	if after := ask(t, c, "pid"); after == before {
		t.Error("a child with less time left than a request may take goes on")
	}
}

// Whatever a program says instead of a child, it is told from one, and ended.
func TestForgedMessages(t *testing.T) {
	frame := func(mark, body string) string { return fmt.Sprintf(`printf '%s\0\0\0\%o%s';`, mark, len(body), body) }
	good := frame("h", `{"Protocol":1,"Name":"test","Held":["data"]}`)
	for _, x := range []struct {
		name, script string
		want         error
		says         string
	}{
		{"silence", "exec sleep 60", ErrDeadline, "start a child process: "},
		{"another protocol", frame("h", `{"Protocol":2,"Name":"test","Held":["data"]}`) + "exec cat >/dev/null", ErrCrashed, "it is no child of this program"},
		{"another name", frame("h", `{"Protocol":1,"Name":"rest","Held":["data"]}`) + "exec cat >/dev/null", ErrCrashed, "it is no child of this program"},
		{"another mark", frame("r", `{"Protocol":1,"Name":"test","Held":["data"]}`) + "exec cat >/dev/null", ErrCrashed, "it is no child of this program"},
		{"no JSON", frame("h", `hello`) + "exec cat >/dev/null", ErrCrashed, "it is no child of this program"},
		{"no bound", frame("h", `{"Protocol":1,"Name":"test","Held":["cpu"]}`) + "exec cat >/dev/null", ErrUnsupported, "there is no bound on its memory"},
		{"a refusal", frame("h", `{"Protocol":1,"Name":"test","Error":"not here"}`) + "exec cat >/dev/null", ErrUnsupported, `"not here"`},
		{"a long greeting", `printf 'h\377\377\377\377'; exec cat >/dev/null`, ErrCrashed, "a message of 4294967295 bytes"},
		{"half a greeting", `printf 'h\0\0'; exec cat >/dev/null`, ErrCrashed, "unexpected EOF"},
		{"half a response", good + `printf 'r\0\0\0\7half'; cat >/dev/null`, ErrDeadline, "time limit"},
		{"half a response and its end", good + `printf 'r\0\0\0\7half'; exec cat >/dev/null`, ErrCrashed, "a message that breaks off"},
		{"a request for a response", good + frame("q", "?") + "exec cat >/dev/null", ErrCrashed, "a message of an unknown sort"},
		{"no ear for requests", good + "exec sleep 60", ErrDeadline, "time limit"},
		{"no end", "exec yes", ErrCrashed, "bytes, where 4096 are allowed"},
		{"no end of complaints", "yes >&2", ErrDeadline, "time limit"},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := newChild(t, Config{Command: []string{"/bin/sh", "-c", x.script}, Limits: Limits{Deadline: time.Second / 2, Start: time.Second / 2}})
			request := []byte(strings.Repeat("a line\n", 1<<17))
			if _, err := c.Do(t.Context(), request); !errors.Is(err, x.want) || !strings.Contains(err.Error(), x.says) {
				t.Errorf("the error is %v", err)
			}
		})
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
	for busy := 0; busy < 10; { // hundredths of a second at work
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			t.Fatal(err)
		}
		_, after, _ := strings.Cut(string(stat), ") ")
		const userTime = 11 // behind the name
		if busy, err = strconv.Atoi(strings.Fields(after)[userTime]); err != nil {
			t.Fatal(err)
		}
	}
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
	_ = end.SetReadDeadline(time.Now().Add(20 * time.Second))
	raw, err := end.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	first := true
	err = raw.Read(func(uintptr) bool { was := first; first = false; return !was })
	if err != nil {
		t.Errorf("the child %d lives on: %v", pid, err)
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}
