package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// clinic is a chart whose call lasts until the test lets it end.
const clinic = `id: clinic
initial: open
states:
  open:
    on: {call: calling, close: closed}
  calling:
    invoke: {id: long, src: "tool:long", input: {}, onDone: open, onError: open}
  closed: {type: final}
`

// long is a tool that says when it was called and waits to be let go.
type long struct {
	calls atomic.Int64
	began chan struct{}
	let   chan struct{}
	once  sync.Once
}

func (l *long) end() { l.once.Do(func() { close(l.let) }) }

func newClinic(t *testing.T) (*world, *long) {
	t.Helper()
	w := newDesk(t)
	l := &long{began: make(chan struct{}, 8), let: make(chan struct{})}
	server := httptest.NewServer(http.HandlerFunc(func(a http.ResponseWriter, _ *http.Request) {
		l.calls.Add(1)
		l.began <- struct{}{}
		<-l.let
		fmt.Fprint(a, "{}")
	}))
	t.Cleanup(func() { l.end(); server.Close() })
	must(t, os.WriteFile(w.path("clinic.yaml"), []byte(clinic), 0o600))
	must(t, os.WriteFile(w.path("detent.yaml"), []byte(fmt.Sprintf("network: {allow: [%q]}\ntools: {long: {http: {url: %q}}}\n",
		strings.TrimPrefix(server.URL, "http://"), server.URL)), 0o600))
	return w, l
}

// talk is a program whose prose is read line by line.
type talk struct {
	t     *testing.T
	cmd   *exec.Cmd
	prose *bufio.Reader
}

func (w *world) talk(args ...string) *talk {
	w.t.Helper()
	p := &talk{t: w.t, cmd: exec.CommandContext(w.ctx, filepath.Join(w.programs, "detent"), args...)}
	p.cmd.Dir, p.cmd.WaitDelay = w.dir, 10*time.Second
	read, err := p.cmd.StderrPipe()
	must(w.t, err)
	p.prose = bufio.NewReader(read)
	must(w.t, p.cmd.Start())
	w.t.Cleanup(func() { _ = p.cmd.Process.Kill(); _ = p.cmd.Wait() })
	return p
}

// says reads until a line begins like this, and returns the line.
func (p *talk) says(begin string) string {
	p.t.Helper()
	for {
		line, err := p.prose.ReadString('\n')
		if strings.HasPrefix(line, begin) {
			return strings.TrimSpace(line)
		}
		if err != nil {
			p.t.Fatalf("%v ends without saying %q", p.cmd.Args[1:], begin)
		}
	}
}

func (p *talk) end() (rest string, code int) {
	p.t.Helper()
	text, err := io.ReadAll(p.prose)
	must(p.t, err)
	_ = p.cmd.Wait()
	return string(text), p.cmd.ProcessState.ExitCode()
}

// The first signal lets a call that runs come to its end, suspends, and prints
// the command that goes on; that command works as it was printed.
func TestASignalSuspends(t *testing.T) {
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(s.String(), func(t *testing.T) {
			w, l := newClinic(t)
			p := w.talk("run", "clinic.yaml", "--id", "c", "--event", "call", "--db", "other.db")
			<-l.began
			must(t, p.cmd.Process.Signal(s))
			p.says("ending: no call starts any more, those that run have 10 s")
			l.end()
			resume := strings.Fields(strings.TrimPrefix(p.says("go on with: detent "), "go on with: detent "))
			if rest, code := p.end(); code != 130 || rest != "" {
				t.Errorf("it ends with %d and %q", code, rest)
			}
			if v := w.show("c", "--db", "other.db"); v.Status != "suspended" || v.Configuration[0] != "open" || l.calls.Load() != 1 {
				t.Errorf("it is %s in %v after %d calls", v.Status, v.Configuration, l.calls.Load())
			}
			out, said, code := w.command(nil, append(resume, "--event", "close")...)
			if code != 0 || !strings.Contains(said, "session c of clinic goes on in open") || !strings.Contains(said, "the session is completed") {
				t.Errorf("detent %s ends with %d: %s%s", strings.Join(resume, " "), code, out, said)
			}
		})
	}
}

// The second one stops at once. What was stored is there, and a call that was
// cut off is not made again by itself.
func TestASecondSignalStopsAtOnceAndLosesNothing(t *testing.T) {
	w, l := newClinic(t)
	p := w.talk("run", "clinic.yaml", "--id", "c", "--event", "call")
	<-l.began
	must(t, p.cmd.Process.Signal(os.Interrupt))
	p.says("ending: ")
	must(t, p.cmd.Process.Signal(os.Interrupt))
	resume := strings.Fields(strings.TrimPrefix(p.says("go on with: detent "), "go on with: detent "))
	if rest, code := p.end(); code != 130 || rest != "" {
		t.Errorf("it ends with %d and %q", code, rest)
	}
	if v := w.show("c"); v.Status != "active" || v.Configuration[0] != "calling" {
		t.Errorf("it is %s in %v", v.Status, v.Configuration)
	}
	out, said, code := w.command(nil, resume...)
	if code != 4 || !strings.Contains(said, "detent settle c long --done JSON, --failed or --again") || l.calls.Load() != 1 {
		t.Errorf("detent %s ends with %d after %d calls: %s%s", strings.Join(resume, " "), code, l.calls.Load(), out, said)
	}
	l.end()
	w.ok("settle", "c", "long", "--again", "--why", "it was cut off", "--by", "ann")
	if out, said, code = w.command(nil, "resume", "c", "--until", "open"); code != 0 || l.calls.Load() != 2 {
		t.Errorf("made again, it ends with %d after %d calls: %s%s", code, l.calls.Load(), out, said)
	}
	if out = w.ok("log", "c"); !strings.Contains(out, "by ann: tool:long is made again, because: it was cut off") {
		t.Errorf("the journal does not say who settled it and why:\n%s", out)
	}
}

// Each exit code as the page has it.
func TestExitCodes(t *testing.T) {
	w := newDesk(t)
	for _, c := range []struct {
		code int
		args string
		says string
	}{
		{0, "run desk.yaml --id zero --event close", "the session is completed, in closed, with \"fine\""},
		{1, "run desk.yaml --id one --event try", "the session is failed"},
		{2, "run desk.yaml --id two --until nowhere", "the chart has no state nowhere"},
		{3, "run desk.yaml --id three --event nonsense", "nonsense was refused"},
		{4, "run desk.yaml --id four --event call", "detent settle four odd"},
		{1, "run nothing.yaml", "nothing.yaml"},
		{2, "run", "detent run needs a file"},
		{3, "resume five", `there is no session "five"`},
		{4, "resume four", "the session is parked"},
		{0, "resume zero", "the session is completed"},
		{1, "resume one", "the session is failed"},
	} {
		out, said, code := w.command(nil, strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(said, c.says) {
			t.Errorf("detent %s ends with %d, want %d and %q\n%s%s", c.args, code, c.code, c.says, out, said)
		}
	}
	p := w.talk("run", "desk.yaml", "--id", "interrupted")
	p.says("waits for an event")
	must(t, p.cmd.Process.Signal(os.Interrupt))
	if rest, code := p.end(); code != 130 || !strings.Contains(rest, "detent resume interrupted") {
		t.Errorf("interrupted, it ends with %d and %q", code, rest)
	}
}
