package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// process is one running child.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.ReadCloser
	stderr *beginning
	limits Limits
}

// start starts a child and sees that it is confined.
func start(ctx context.Context, c *Config) (*process, error) {
	p, err := launch(c)
	if err != nil {
		return nil, fmt.Errorf("start a child process: %w", err)
	}
	err = p.within(ctx, p.limits.Start, func() error { return p.handshake(c) })
	if err != nil {
		return nil, fmt.Errorf("start a child process: %w", p.end(ctx, err))
	}
	return p, nil
}

func launch(c *Config) (*process, error) {
	path, args, err := c.command()
	if err != nil {
		return nil, err
	}
	p := &process{cmd: exec.Command(path, args...), stderr: &beginning{}, limits: c.Limits}
	// A trace of goroutines would hide what the runtime says first. Two
	// threads are enough to work and to watch for the parent's end.
	p.cmd.Env = append([]string{marker + "=" + c.Name, "GOTRACEBACK=none", "GOMAXPROCS=2"}, c.Env...)
	p.cmd.Dir = directory
	p.cmd.Stderr = p.stderr
	p.cmd.WaitDelay = time.Second
	apart(p.cmd)
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if p.out, err = p.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	return p, p.cmd.Start()
}

// command is what to start. On Linux that is this very program even after
// its file was replaced.
func (c *Config) command() (path string, args []string, err error) {
	if len(c.Command) > 0 {
		path, err = exec.LookPath(c.Command[0])
		if err == nil {
			path, err = filepath.Abs(path)
		}
		return path, c.Command[1:], err
	}
	if _, called := mains.Load(c.Name); !called {
		return "", nil, ErrNoMain
	}
	const self = "/proc/self/exe"
	if _, err := os.Stat(self); err == nil && runtime.GOOS == "linux" {
		return self, nil, nil
	}
	path, err = os.Executable()
	return path, nil, err
}

func (p *process) handshake(c *Config) error {
	body, err := json.Marshal(hello{Protocol: protocol, Limits: p.limits})
	if err != nil {
		return err
	}
	if err := writeFrame(p.in, markHello, body); err != nil {
		return err
	}
	mark, answer, err := readFrame(p.out, maxGreeting)
	if err != nil {
		return err
	}
	var g greeting
	switch err := json.Unmarshal(answer, &g); {
	case mark != markHello || err != nil || g.Protocol != protocol || g.Name != c.Name:
		return errors.New("it is no child of this program")
	case g.Error != "":
		return fmt.Errorf("%w: %.200q", ErrUnsupported, g.Error)
	case !c.Lax && !slices.Contains(g.Held, "data"):
		return fmt.Errorf("%w: there is no bound on its memory", ErrUnsupported)
	}
	return nil
}

// exchange sends a request and waits for the response. After an error the
// process must be ended.
func (p *process) exchange(ctx context.Context, request []byte) (response []byte, last bool, err error) {
	err = p.within(ctx, p.limits.Deadline, func() error {
		if err := writeFrame(p.in, markRequest, request); err != nil {
			return err
		}
		mark, body, err := readFrame(p.out, p.limits.Response)
		if err == nil && mark != markResponse && mark != markLast {
			err = fmt.Errorf("a message of an unknown sort")
		}
		response, last = body, mark == markLast
		return err
	})
	return response, last, err
}

// within runs f and kills the child when time is up or ctx is done, which
// ends every wait of f. The error then says so.
func (p *process) within(ctx context.Context, limit time.Duration, f func() error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, ErrDeadline)
	defer cancel()
	killed := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		p.kill()
		close(killed)
	})
	err := f()
	if !stop() {
		<-killed
		return context.Cause(ctx)
	}
	return err
}

// kill ends the child and every wait for it. The child must not have been
// waited for.
func (p *process) kill() {
	killAll(p.cmd)
	_ = p.in.Close()
	_ = p.out.Close()
}

// end kills the child, waits for its end, and says what err was about. A
// child that is ending on its own still says how: that is settled before its
// pipes break.
func (p *process) end(ctx context.Context, err error) error {
	p.kill()
	_ = p.cmd.Wait() // the state tells more
	if err == nil || ctx.Err() != nil || errors.Is(err, ErrDeadline) || errors.Is(err, ErrUnsupported) {
		return err
	}
	said := p.stderr.String()
	if slices.ContainsFunc(wantOfMemory, func(words string) bool { return strings.Contains(said, words) }) {
		return ErrMemory
	}
	if !errors.Is(err, io.EOF) && !errors.Is(err, syscall.EPIPE) {
		return fmt.Errorf("%w: %w", ErrCrashed, err)
	}
	line, _, _ := strings.Cut(said, "\n")
	return fmt.Errorf("%w: %v; it said %.200q", ErrCrashed, p.cmd.ProcessState, line)
}

// wantOfMemory is how the Go runtime, the C library and the race detector
// say it.
var wantOfMemory = []string{"out of memory", "cannot allocate memory", "pthread_create failed", "failed to allocate"}

// beginning keeps the first few kilobytes of what is written to it.
type beginning struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *beginning) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	const most = 8 << 10
	b.text.Write(p[:min(len(p), most-b.text.Len())])
	return len(p), nil
}

func (b *beginning) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
