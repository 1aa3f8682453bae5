package crash

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

var mutants = flag.Bool("mutants", false, "put deliberate bugs in and see that a harness notices each (takes two minutes)")

// harness is a test of ours that must notice.
type harness struct {
	name string
	args []string // of go test
}

var (
	byKill       = harness{"kills", []string{"-run=^TestKill$", "./internal/crash", "-kills=300"}}
	byPowerCut   = harness{"power cuts", []string{"-run=^TestImages$", "./internal/crash", "-images=60"}}
	byTwoOwners  = harness{"two owners", []string{"-run=^TestX9TwoOwners$", "./internal/crash"}}
	bySimulation = harness{"simulation", []string{"-run=^TestSimulation$", "./internal/sim", "-seeds=300"}}
	withOneFence = harness{"two owners", append(byTwoOwners.args[:2:2], "-onefence")}
)

// few is the harness with a smaller number.
func (h harness) few(n int) harness {
	last := len(h.args) - 1
	name, _, _ := strings.Cut(h.args[last], "=")
	h.args = append(h.args[:last:last], fmt.Sprint(name, "=", n))
	return h
}

// A harness that misses a deliberate bug proves nothing. Those of a fence alone
// are there for the reverse: the other fence keeps the state whole.
func TestMutants(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if !*mutants {
		for _, b := range bugs {
			overlay(t, root, b) // the text that it replaces must be there still
		}
		t.Log("NOT SHOWN: make bugs puts the deliberate bugs in")
		return
	}
	// All run without a bug first, for less time.
	var all []bug
	for _, h := range []harness{byKill.few(60), byPowerCut, byTwoOwners, bySimulation.few(50)} {
		all = append(all, bug{name: "   no bug", harness: h, harmless: true})
	}
	all = append(all, bugs...)
	lists, said, failed := make([]string, len(all)), make([]string, len(all)), make([]bool, len(all))
	for n, b := range all {
		lists[n] = overlay(t, root, b)
	}
	next := make(chan int)
	var wait sync.WaitGroup
	for range 2 {
		wait.Go(func() {
			for n := range next {
				said[n], failed[n] = run(t, root, lists[n], all[n])
			}
		})
	}
	for n := range all {
		next <- n
	}
	close(next)
	wait.Wait()
	caught, deliberate := 0, 0
	for n, b := range all {
		if !b.harmless {
			deliberate++
		}
		switch {
		case b.harmless && failed[n]:
			t.Errorf("%s: %s: %s", strings.TrimSpace(b.name), b.harness.name, said[n])
		case b.harmless:
			t.Logf("%-52s %s: nothing is lost", b.name, b.harness.name)
		case !failed[n]:
			t.Errorf("%s: not caught by %s", b.name, b.harness.name)
		default:
			caught++
			t.Logf("%-52s caught by %s: %s", b.name, b.harness.name, said[n])
		}
	}
	t.Logf("deliberate bugs: %d of %d caught", caught, deliberate)
}

// overlay writes the changed files and the list that go test takes.
func overlay(t *testing.T, root string, b bug) string {
	dir := t.TempDir()
	replace, texts := map[string]string{}, map[string]string{}
	for _, e := range b.edits {
		path := filepath.Join(root, filepath.FromSlash(e.file))
		text, again := texts[path]
		if !again {
			read, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			text = string(read)
		}
		if strings.Count(text, e.from) != 1 {
			t.Fatalf("%s: its text does not stand once in %s", b.name, e.file)
		}
		texts[path] = strings.Replace(text, e.from, e.to, 1)
		replace[path] = filepath.Join(dir, strings.ReplaceAll(e.file, "/", "-"))
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range texts {
		if err := os.WriteFile(replace[path], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(name, list, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// run returns the first invariant that the harness found broken.
func run(t *testing.T, root, list string, b bug) (string, bool) {
	cmd := exec.Command("go", append([]string{"test", "-count=1", "-vet=off", "-timeout=3m", "-overlay=" + list}, b.harness.args...)...)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if strings.Contains(string(out), "[build failed]") {
		t.Errorf("%s does not compile:\n%s", b.name, out)
		return "it does not compile", b.harmless
	}
	if said := invariant.FindString(string(out)); said != "" {
		return said, err != nil
	}
	return strings.TrimSpace(string(out[:min(len(out), 300)])), err != nil
}

// invariant is the beginning of what a harness says: the id and the rest.
var invariant = regexp.MustCompile(`\b[A-Z]\d+(, [A-Z]\d+)*: .{0,110}`)
