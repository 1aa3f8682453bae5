package crash

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var mutants = flag.Bool("mutants", false, "put deliberate bugs in and see that the kills or the simulation notice (takes a minute)")

// bug is a deliberate one: text of a file is replaced, in a copy.
type bug struct {
	name, file, from, to string
	harness              []string // the arguments of go test
}

var (
	byKill       = []string{"-run=^TestKill$", "./internal/crash", "-kills=300"}
	bySimulation = []string{"-run=^TestSimulation$", "./internal/sim", "-seeds=300"}
)

// bugs have the numbers that the list of guarantees gives them.
var bugs = []bug{
	{"M2 the outbox is written outside the transaction", "store/sqlite/commit.go",
		`return s.durably(func() error { return s.apply(c) })`,
		`late := c
	late.Changes = nil
	for i := range c.Changes {
		if len(c.Changes[i].Effects) > 0 {
			late.Changes = append(late.Changes, durable.Change{Session: c.Changes[i].Session, Effects: c.Changes[i].Effects})
		}
	}
	c.Changes = append([]durable.Change(nil), c.Changes...)
	for i := range c.Changes {
		c.Changes[i].Effects = nil
	}
	if err := s.durably(func() error { return s.apply(c) }); err != nil {
		return err
	}
	return s.durably(func() error { return s.apply(late) })`, byKill},
	{"M3 acknowledged before the commit", "durable/commit.go",
		`hit("commit.before")`,
		`e.mu.Lock()
	for _, u := range group {
		u.settle(nil)
	}
	e.mu.Unlock()
	e.runtime.Go("let the answer out", func() {})
	for range 1000 {
		runtime.Gosched()
	}
	hit("commit.before")`, byKill},
	{"M4 no event is known again", "durable/take.go",
		`body, err := t.record(SpaceDedupe, m.ID)`,
		`body, err := t.record(SpaceDedupe, m.ID+"?")`, byKill},
	{"M6 performed before the claim", "durable/perform.go",
		`t.later(func() { t.e.launch(w, call, rhythm, subs, ask) })`,
		`t.e.mu.Lock()
	t.e.launch(w, call, rhythm, subs, ask)
	t.e.mu.Unlock()`, byKill},
	{"M7 an at_most_once call is made again", "durable/outbox.go",
		"case host.AtLeastOnce:\n\t\tt.set(f, standsPending)",
		"case host.AtLeastOnce, host.AtMostOnce:\n\t\tt.set(f, standsPending)", byKill},
	{"M8 timers fire early", "durable/step.go",
		`timers[0].Due > t.now`,
		`timers[0].Due > t.now+700`, bySimulation},
	{"M12 state is kept after a failed commit", "durable/commit.go",
		"e.forget(u.session)\n", "\n", bySimulation},
}

// A harness that misses a deliberate bug proves nothing.
func TestMutants(t *testing.T) {
	if !*mutants {
		t.Log("NOT SHOWN: make bugs puts the deliberate bugs in")
		return
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, harness := range [][]string{byKill, bySimulation} {
		if said, failed := run(t, root, bug{name: "no bug", file: "durable/doc.go", harness: harness}); failed {
			t.Errorf("%s fails without a deliberate bug, so what it catches counts for nothing: %s", harness[1], said)
		}
	}
	caught := 0
	for _, b := range bugs {
		said, failed := run(t, root, b)
		if !failed {
			t.Errorf("%s: not caught by %s", b.name, b.harness[1])
			continue
		}
		caught++
		t.Logf("%-50s caught by %-18s %s", b.name, b.harness[1], said)
	}
	t.Logf("deliberate bugs: %d of %d caught", caught, len(bugs))
}

// run returns the first invariant that the harness found broken.
func run(t *testing.T, root string, b bug) (string, bool) {
	path := filepath.Join(root, filepath.FromSlash(b.file))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if b.from != "" && strings.Count(string(text), b.from) != 1 {
		t.Fatalf("%s: its text does not stand once in %s", b.name, b.file)
	}
	changed := string(text)
	if b.from != "" {
		changed = strings.Replace(changed, b.from, b.to, 1)
	}
	if strings.Contains(b.to, "runtime.Gosched") {
		changed = strings.Replace(changed, `import "errors"`, "import (\n\t\"errors\"\n\t\"runtime\"\n)", 1)
	}
	dir := t.TempDir()
	copied, list := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json")
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{path: copied}})
	if err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string][]byte{copied: []byte(changed), list: overlay} {
		if err := os.WriteFile(name, body, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", append([]string{"test", "-count=1", "-vet=off", "-timeout=3m", "-overlay=" + list}, b.harness...)...)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if strings.Contains(string(out), "[build failed]") {
		t.Fatalf("%s does not compile:\n%s", b.name, out)
	}
	for line := range strings.Lines(string(out)) {
		if line = strings.TrimSpace(line); len(line) > 3 && line[0] >= 'A' && line[0] <= 'Z' && line[1] >= '0' && line[1] <= '9' {
			return line, err != nil
		}
	}
	return strings.TrimSpace(string(out[:min(len(out), 300)])), err != nil
}
