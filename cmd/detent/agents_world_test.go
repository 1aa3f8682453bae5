package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/detent-run/detent/internal/failpoint"
)

type object = map[string]any

// built is the folder of the programs, once there is one.
var built string

// programs are detent and the bank as they are shipped, built once.
var programs = sync.OnceValues(func() (folder string, err error) {
	if folder, err = os.MkdirTemp("", "detent-agents-"); err != nil {
		return "", err
	}
	built = folder
	for name, source := range map[string]string{"detent": ".", "bank": "../../examples/collections/bank"} {
		if out, err := exec.Command("go", "build", "-o", filepath.Join(folder, name), source).CombinedOutput(); err != nil {
			return folder, &exec.Error{Name: "go build " + source + ": " + string(out), Err: err}
		}
	}
	return folder, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		os.RemoveAll(built)
	}
	os.Exit(code)
}

// world is a folder with an agent and all that it needs: its chart, its
// deployment, a store, and the real programs.
type world struct {
	t        *testing.T
	ctx      context.Context
	dir      string
	programs string
	bank     string // the bank's address
}

// newWorld copies an example with its deployment into a folder of its own. No
// command in it takes longer than two minutes.
func newWorld(t *testing.T, example string) *world {
	t.Helper()
	built, err := programs()
	must(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	w := &world{t: t, ctx: ctx, dir: t.TempDir(), programs: built}
	source := filepath.Join("../../examples", example)
	must(t, os.CopyFS(w.dir, os.DirFS(filepath.Join(source, "deployment"))))
	chart, err := os.ReadFile(filepath.Join(source, example+".yaml"))
	must(t, err)
	must(t, os.WriteFile(w.path(example+".yaml"), chart, 0o600))
	return w
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (w *world) path(name string) string { return filepath.Join(w.dir, name) }

// edit changes a file of the world; each old text must be there.
func (w *world) edit(name string, oldNew ...string) {
	w.t.Helper()
	text, err := os.ReadFile(w.path(name))
	must(w.t, err)
	for i := 0; i < len(oldNew); i += 2 {
		if !bytes.Contains(text, []byte(oldNew[i])) {
			w.t.Fatalf("%s has no %q", name, oldNew[i])
		}
	}
	must(w.t, os.WriteFile(w.path(name), []byte(strings.NewReplacer(oldNew...).Replace(string(text))), 0o600))
}

// program is one that runs.
type program struct {
	w      *world
	cmd    *exec.Cmd
	lines  *bufio.Reader // of its output
	errors bytes.Buffer
}

// start starts a program. It is killed at the end of the test at the latest.
func (w *world) start(name string, environment []string, args ...string) *program {
	w.t.Helper()
	p := &program{w: w, cmd: exec.CommandContext(w.ctx, filepath.Join(w.programs, name), args...)}
	p.cmd.Dir, p.cmd.Env, p.cmd.Stderr = w.dir, append(os.Environ(), environment...), &p.errors
	p.cmd.WaitDelay = 10 * time.Second
	out, err := p.cmd.StdoutPipe()
	must(w.t, err)
	p.lines = bufio.NewReader(out)
	must(w.t, p.cmd.Start())
	w.t.Cleanup(func() { p.kill() })
	return p
}

// kill is kill -9.
func (p *program) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// row is a row of the journal as run and log print it.
type row struct {
	Sequence int
	Time     int64
	Event    string
	From, To []string
	Reason   struct{ Code, Message string }
	Data     any
	Status   string // of the last line
}

// rowIn reads rows until one leads to a state.
func (p *program) rowIn(state string) row {
	p.w.t.Helper()
	for {
		line, err := p.lines.ReadBytes('\n')
		var r row
		if len(line) > 0 {
			must(p.w.t, json.Unmarshal(line, &r))
		}
		if slices.Contains(r.To, state) {
			return r
		}
		if err != nil {
			_ = p.cmd.Wait()
			p.w.t.Fatalf("%v ended before a row led to %s: %v\n%s", p.cmd.Args[1:], state, err, p.errors.String())
		}
	}
}

// rest reads the rows until the program ends, and gives its exit code.
func (p *program) rest() (rows []row, code int) {
	p.w.t.Helper()
	text, err := io.ReadAll(p.lines)
	must(p.w.t, err)
	_ = p.cmd.Wait()
	for line := range bytes.Lines(text) {
		var r row
		must(p.w.t, json.Unmarshal(line, &r))
		rows = append(rows, r)
	}
	return rows, p.cmd.ProcessState.ExitCode()
}

// work starts detent work, and returns when it owns the store.
func (w *world) work() *program { return w.working("working on ") }

// working starts detent work and waits until it says what it begins with.
func (w *world) working(says string) *program {
	w.t.Helper()
	p := &program{w: w, cmd: exec.CommandContext(w.ctx, filepath.Join(w.programs, "detent"), "work")}
	p.cmd.Dir, p.cmd.WaitDelay = w.dir, 10*time.Second
	prose, err := p.cmd.StderrPipe()
	must(w.t, err)
	must(w.t, p.cmd.Start())
	w.t.Cleanup(func() { p.kill() })
	line, err := bufio.NewReader(prose).ReadString('\n')
	if !strings.HasPrefix(line, says) {
		w.t.Fatalf("detent work says %q, %v", line, err)
	}
	go func() { _, _ = io.Copy(io.Discard, prose) }()
	return p
}

// run starts detent run.
func (w *world) run(chart, id string, args ...string) *program {
	return w.start("detent", nil, slices.Concat([]string{"run", chart + ".yaml", "--id", id, "--json"}, args)...)
}

// detent runs a command to its end.
func (w *world) detent(args ...string) (out string, code int) {
	w.t.Helper()
	out, complaints, code := w.command(nil, args...)
	if complaints != "" {
		w.t.Logf("detent %s: %s", strings.Join(args, " "), complaints)
	}
	return out, code
}

func (w *world) command(environment []string, args ...string) (out, complaints string, code int) {
	w.t.Helper()
	cmd := exec.CommandContext(w.ctx, filepath.Join(w.programs, "detent"), args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = w.dir, append(os.Environ(), environment...), 10*time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run()
	if w.ctx.Err() != nil {
		w.t.Fatalf("detent %s does not end: %s%s", strings.Join(args, " "), stdout.String(), stderr.String())
	}
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

// ok runs a command that must end well.
func (w *world) ok(args ...string) string {
	w.t.Helper()
	out, complaints, code := w.command(nil, args...)
	if code != 0 {
		w.t.Fatalf("detent %s ends with %d: %s%s", strings.Join(args, " "), code, out, complaints)
	}
	return out
}

// diesAt runs a command that is killed at a place of the engine.
func (w *world) diesAt(point string, args ...string) {
	w.t.Helper()
	out, complaints, _ := w.command([]string{failpoint.Variable + "=" + point}, args...)
	place, _, _ := strings.Cut(point, ":")
	if !strings.Contains(complaints, "failpoint "+place) {
		w.t.Fatalf("detent %s did not come to %s: %s%s", strings.Join(args, " "), point, out, complaints)
	}
}

// view is what show shows.
type view struct {
	Session, Chart, Status string
	Sequence               int
	Configuration          []string
	Data                   map[string]object
	Timers                 []struct {
		Event string
		Due   int64
	}
	Effects []struct {
		ID, Key, Src, Stands string
		Attempt              int
	}
	Pending []struct{ ID string }
	Reason  struct{ Code, Message string }
}

// show reads a session beside whoever carries it.
func (w *world) show(id string, flags ...string) view {
	w.t.Helper()
	var v view
	must(w.t, json.Unmarshal([]byte(w.ok(append([]string{"show", id}, flags...)...)), &v))
	return v
}

// until looks at a session until it is as it should be.
func (w *world) until(id, what string, is func(view) bool, flags ...string) view {
	w.t.Helper()
	for {
		v := w.show(id, flags...)
		if is(v) {
			return v
		}
		if w.ctx.Err() != nil {
			w.t.Fatalf("%s is never %s; it is %s in %v", id, what, v.Status, v.Configuration)
		}
	}
}

// in waits until a session is in a state.
func (w *world) in(id, state string, flags ...string) view {
	w.t.Helper()
	return w.until(id, "in "+state, func(v view) bool { return slices.Contains(v.Configuration, state) }, flags...)
}

// openBank opens the bank and points the deployment at it.
func (w *world) openBank(args ...string) {
	w.t.Helper()
	p := w.start("bank", nil, append([]string{"--listen", "127.0.0.1:0", "--record", "bank.jsonl"}, args...)...)
	line, err := p.lines.ReadString('\n')
	must(w.t, err)
	address, found := strings.CutPrefix(strings.TrimSpace(line), "the bank is open at http://")
	if !found {
		w.t.Fatalf("the bank says %q", line)
	}
	w.bank = address
	w.edit("detent.yaml", "127.0.0.1:8080", address)
}

// mood changes how the bank is.
func (w *world) mood(mood object) {
	w.t.Helper()
	body, err := json.Marshal(mood)
	must(w.t, err)
	q, err := http.NewRequestWithContext(w.ctx, http.MethodPut, "http://"+w.bank+"/mood", bytes.NewReader(body))
	must(w.t, err)
	a, err := http.DefaultClient.Do(q)
	must(w.t, err)
	defer a.Body.Close()
	if a.StatusCode != http.StatusOK {
		w.t.Fatalf("the bank says %s", a.Status)
	}
}

// happened is the bank's own record: what, and of a look-up the status.
func (w *world) happened() []string {
	w.t.Helper()
	text, err := os.ReadFile(w.path("bank.jsonl"))
	must(w.t, err)
	var all []string
	for line := range bytes.Lines(text) {
		var e struct {
			What   string
			Status int
		}
		must(w.t, json.Unmarshal(line, &e))
		if e.What == "asked" {
			e.What += " " + http.StatusText(e.Status)
		}
		all = append(all, e.What)
	}
	return all
}
