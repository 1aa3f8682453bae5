package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// The child of these tests does what its request says.
func TestMain(m *testing.M) {
	if os.Getenv("SPOIL") == "garbage" {
		os.Stdout.WriteString("this is no frame")
	}
	Main("test", handle)
	if os.Getenv("BE_A_PARENT") != "" {
		parent()
	}
	os.Exit(m.Run())
}

func handle(request []byte) []byte {
	word, rest, _ := bytes.Cut(request, []byte(" "))
	switch string(word) {
	case "loop":
		for spent() < time.Hour {
		}
	case "memory":
		var hog [][]byte
		for len(hog) < 1<<20 {
			hog = append(hog, bytes.Repeat([]byte{1}, 1<<20))
		}
		return hog[len(rest)]
	case "stack":
		return fmt.Append(nil, deeper(make([]byte, 1000)))
	case "panic":
		panic("on purpose")
	case "exit":
		os.Exit(3)
	case "long":
		return make([]byte, 1<<20+1)
	case "pid":
		return fmt.Append(nil, os.Getpid())
	case "environment":
		return []byte(strings.Join(os.Environ(), "\n"))
	case "directory":
		directory, err := os.Getwd()
		return fmt.Append(nil, directory, err)
	case "limits":
		text, err := os.ReadFile("/proc/self/limits")
		return fmt.Append(text, err)
	case "write":
		f, err := os.OpenFile(string(rest), os.O_WRONLY, 0)
		if err == nil {
			_, err = f.WriteString("spoilt")
		}
		return fmt.Append(nil, err)
	case "open":
		_, err := os.Stat("/proc/self/fd/" + string(rest))
		return fmt.Append(nil, err == nil)
	case "spend":
		for spent() < 1200*time.Millisecond {
		}
	}
	return request
}

func deeper(b []byte) int {
	if len(b) == 1<<30 {
		return 0
	}
	return 1 + deeper(append(b[:len(b):len(b)], 1))
}

func newChild(t *testing.T, c Config) *Child {
	t.Helper()
	c.Name, c.Lax = "test", runtime.GOOS != "linux"
	child := New(c)
	t.Cleanup(func() {
		if err := child.Close(); err != nil {
			t.Error(err)
		}
	})
	return child
}

// ask gives the response to a request that must succeed.
func ask(t *testing.T, c *Child, request string) string {
	t.Helper()
	response, err := c.Do(t.Context(), []byte(request))
	if err != nil {
		t.Fatalf("%.20s: %v", request, err)
	}
	return string(response)
}

func TestEcho(t *testing.T) {
	c := newChild(t, Config{})
	for _, text := range []string{"", "a", "b\x00\xff", strings.Repeat("much ", 1<<20)} {
		if got := ask(t, c, text); got != text {
			t.Errorf("%.20q comes back as %.20q", text, got)
		}
	}
	if first, second := ask(t, c, "pid"), ask(t, c, "pid"); first != second || first == fmt.Sprint(os.Getpid()) {
		t.Errorf("two requests ran in the processes %s and %s; this one is %d", first, second, os.Getpid())
	}
}

// Whatever a request does to the child, the caller learns what it was, and
// the next request finds a new one.
func TestEndings(t *testing.T) {
	c := newChild(t, Config{Limits: Limits{Deadline: 2 * time.Second, Data: 64 << 20, Stack: 1 << 20, Response: 1 << 20}})
	for _, x := range []struct {
		request string
		want    error
		says    string
	}{
		{"loop", ErrDeadline, "time limit"},
		{"memory", ErrMemory, "more memory"},
		{"stack", ErrCrashed, "stack exceeds"},
		{"panic", ErrCrashed, "on purpose"},
		{"exit", ErrCrashed, "exit status 3"},
		{"long", ErrCrashed, "a message of 1048577 bytes, where 1048576 are allowed"},
	} {
		t.Run(x.request, func(t *testing.T) {
			before := ask(t, c, "pid")
			_, err := c.Do(t.Context(), []byte(x.request))
			if !errors.Is(err, x.want) || !strings.Contains(err.Error(), x.says) {
				t.Errorf("the error is %v", err)
			}
			if after := ask(t, c, "pid"); after == before {
				t.Error("the same child goes on")
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	c := newChild(t, Config{Limits: Limits{Deadline: time.Hour}})
	before := ask(t, c, "pid")
	reason := errors.New("no longer wanted")
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second/2, reason)
	defer cancel()
	if _, err := c.Do(ctx, []byte("loop")); !errors.Is(err, reason) {
		t.Errorf("the error is %v", err)
	}
	if _, err := c.Do(ctx, []byte("pid")); !errors.Is(err, reason) {
		t.Errorf("a request whose context is done gives %v", err)
	}
	if after := ask(t, c, "pid"); after == before {
		t.Error("the same child goes on")
	}
}

func TestTooLarge(t *testing.T) {
	c := newChild(t, Config{Limits: Limits{Request: 10}})
	before := ask(t, c, "pid")
	if _, err := c.Do(t.Context(), make([]byte, 11)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("the error is %v", err)
	}
	if after := ask(t, c, "pid"); after != before {
		t.Error("the child did not live on")
	}
}

func TestNotAChild(t *testing.T) {
	for _, x := range []struct {
		name   string
		config Config
		want   error
	}{
		{"no main", Config{Name: "other"}, ErrNoMain},
		{"no such program", Config{Name: "test", Command: []string{"/there/is/none"}}, os.ErrNotExist},
		{"another name", Config{Name: "other", Command: []string{os.Args[0], "-test.run=^$"}}, ErrCrashed},
		{"garbage", Config{Name: "test", Env: []string{"SPOIL=garbage"}}, ErrCrashed},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := New(x.config)
			defer c.Close()
			if _, err := c.Do(t.Context(), nil); !errors.Is(err, x.want) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

func TestBareSurroundings(t *testing.T) {
	t.Setenv("SECRET", "of the parent")
	c := newChild(t, Config{Env: []string{"GIVEN=yes"}})
	if got := ask(t, c, "environment"); strings.Contains(got, "SECRET") || !slices.Contains(strings.Split(got, "\n"), "GIVEN=yes") {
		t.Errorf("the environment is %q", got)
	}
	if got := ask(t, c, "directory"); runtime.GOOS != "windows" && got != "/<nil>" {
		t.Errorf("the directory is %s", got)
	}
}

func TestNoOutputToFiles(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		return // nothing there forbids it
	}
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("whole"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := newChild(t, Config{})
	_, err := c.Do(t.Context(), []byte("write "+path))
	if text, readErr := os.ReadFile(path); string(text) != "whole" {
		t.Errorf("the file holds %q, %v; the child said %v", text, readErr, err)
	}
}

func TestClosed(t *testing.T) {
	c := New(Config{Name: "test"})
	for range 2 {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := c.Do(t.Context(), nil); !errors.Is(err, ErrClosed) {
		t.Errorf("the error is %v", err)
	}
}

func TestConcurrentRequests(t *testing.T) {
	c := newChild(t, Config{})
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			text := fmt.Sprint("request ", i)
			if got, err := c.Do(t.Context(), []byte(text)); err != nil || string(got) != text {
				t.Errorf("%s: %s, %v", text, got, err)
			}
		})
	}
	all.Wait()
}

// No goroutine of this package is left after Close, however its child ended.
func TestNothingIsLeft(t *testing.T) {
	for _, request := range []string{"echo", "exit", "loop"} {
		c := New(Config{Name: "test", Lax: true, Limits: Limits{Deadline: time.Second / 2}})
		_, _ = c.Do(t.Context(), []byte(request))
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		stacks := make([]byte, 1<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		for stack := range strings.SplitSeq(string(stacks), "\n\n") {
			if strings.Contains(stack, "sandbox.(*") || strings.Contains(stack, "os/exec") {
				t.Errorf("after %s there is still\n%s", request, stack)
			}
		}
	}
}

// parent has a child at work when it is killed.
func parent() {
	c := New(Config{Name: "test", Limits: Limits{Deadline: time.Hour}})
	pid, err := c.Do(context.Background(), []byte("pid"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	go c.Do(context.Background(), []byte("loop"))
	fmt.Printf("%s\n", pid)
	_, _ = io.Copy(io.Discard, os.Stdin)
	select {}
}
