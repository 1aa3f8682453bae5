package crash

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// ticking commits a step every 20 ms, as long as somebody carries it.
const ticking = `id: tick
initial: on
states:
  on:
    every:
      20ms: {actions: [log: tick]}
`

// D7: a sync of the store fails under the program as it is shipped. It ends
// with exit code 1 and the error store_failed, and shows no step after that;
// what it had shown is there.
func TestD7Program(t *testing.T) {
	strace := needStrace(t, "a failed sync under the program itself")
	if strace == "" {
		return
	}
	detent := filepath.Join(t.TempDir(), "detent")
	if out, err := exec.Command("go", "build", "-o", detent, "../../cmd/detent").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, c := range []struct {
		name string
		args []string
		nth  []int
	}{
		{"run", []string{"run", "tick.yaml", "--id", "tock", "--json"}, []int{1, 3, 9}},
		{"work", []string{"work"}, []int{1, 2, 9}},
		{"resume", []string{"resume", "tick", "--json"}, []int{2, 6}},
	} {
		good, where := 0, map[string]int{}
		for _, n := range c.nth {
			p := program{detent: detent, dir: folder(t)}
			if err := p.prepare(); err != nil {
				t.Fatal(err)
			}
			files, err := p.strike(t.Context(), strace, fault{"fdatasync", "error=EIO"}, n, c.args)
			if err != nil {
				t.Errorf("%s, sync %d: %v", c.name, n, err)
			} else {
				good++
			}
			for _, f := range files {
				where[f]++
			}
		}
		t.Logf("failed syncs: detent %s: %d of %d runs ended with exit code 1 and store_failed, at %s", c.name, good, len(c.nth), counts(where))
	}
}

// program is detent in a folder.
type program struct{ detent, dir string }

func (p program) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = p.dir
	cmd.WaitDelay = time.Second
	return cmd
}

// prepare writes the chart, and a store with a session that goes on for ever.
func (p program) prepare() error {
	if err := os.WriteFile(filepath.Join(p.dir, "tick.yaml"), []byte(ticking), 0o600); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := p.command(ctx, p.detent, "run", "tick.yaml", "--id", "tick", "--json")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	_, err = out.Read(make([]byte, 10)) // it has shown its first step
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // killed
	return err
}

var (
	shownRow = regexp.MustCompile(`write\(1<[^>]*>, "\{\\"`)
	complain = regexp.MustCompile(`write\(2<.*store_failed`)
)

// strike runs detent with a fault at the n-th sync and says at which files it
// came, and what was wrong with how the program took it.
func (p program) strike(ctx context.Context, strace string, f fault, n int, args []string) (files []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	log := filepath.Join(p.dir, "trace")
	cmd := p.command(ctx, slices.Concat([]string{strace, "-f", "--seccomp-bpf", "-qqq", "-y", "-s", "300", "-o", log, "-e", "signal=none",
		"-e", "trace=write," + f.call, "-e", f.at(n), p.detent}, args)...)
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	_ = cmd.Run() // its code is looked at
	if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(complaints.String(), "[store_failed]") {
		return nil, fmt.Errorf("D7: it ended with %d and said\n%s", code, complaints.String())
	}
	text, err := os.ReadFile(log)
	if err != nil {
		return nil, err
	}
	files = f.hits(p.dir, string(text), nil)
	if len(files) == 0 {
		return nil, fmt.Errorf("the fault did not fire")
	}
	last := -1 // the line of the last fault
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		switch {
		case strings.Contains(line, "(INJECTED)"):
			last = i
		case complain.MatchString(line):
			last = max(last, i)
		}
	}
	// The row of the commit before may still be on its way to the screen.
	late := 0
	for _, line := range lines[last+1:] {
		if shownRow.MatchString(line) && strings.Contains(line, `\"event\"`) {
			late++
		}
	}
	if late > 0 {
		return files, fmt.Errorf("D7: %d steps were shown after the store had failed", late)
	}
	return files, p.holds(ctx, args, out.String())
}

// holds sees that what was shown is on the journal, byte for byte, and that
// the journal is whole.
func (p program) holds(ctx context.Context, args []string, shown string) error {
	if out, err := p.command(ctx, p.detent, "verify", "tick").CombinedOutput(); err != nil {
		return fmt.Errorf("verify: %w\n%s", err, out)
	}
	session := "tick"
	if strings.Contains(strings.Join(args, " "), "tock") {
		session = "tock"
	}
	journal, err := p.command(ctx, p.detent, "log", session, "--json").Output()
	for line := range strings.Lines(shown) {
		if !strings.Contains(line, `"hash"`) {
			continue
		}
		if err != nil || !strings.Contains(string(journal), line) {
			return fmt.Errorf("D1: a step was shown and is not on the journal (%v): %s", err, line)
		}
	}
	return nil
}
