package xstate

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/detent-run/detent/conformance/internal/npm"
)

// Package is the release of XState that is compared with.
var Package = npm.Package{
	Name:      "xstate",
	Version:   "5.33.3",
	Integrity: "sha512-AnDRjS/GyKHmbA1PyhVCYBqYsA7EGe3KGgeD0ht3NFsXzoz7leX/HQDFX9QlHFJ/ltLHPsgChJYwPzRvB/0b4g==",
}

//go:embed runner.mjs
var runner []byte

// Node plays exported modules on XState, in one node process for many cases.
// It belongs to one goroutine.
type Node struct {
	folder string
	binary string
	jobs   int // given to the process that runs
	total  int

	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	stop    context.CancelFunc
}

// perProcess is after how many jobs a new process takes over: node keeps
// every module that it ever loaded.
const perProcess = 1500

// patience is how long a case may take in node before it counts as hanging.
const patience = 10 * time.Second

// ErrNoNode is returned by [Start] when there is no node on the path.
var ErrNoNode = errors.New("there is no node on the path")

// Start prepares a folder in cache, where the package was unpacked, and the
// process. The caller closes it.
func Start(cache string) (*Node, error) {
	binary, err := exec.LookPath("node")
	if err != nil {
		return nil, ErrNoNode
	}
	cache, err = filepath.Abs(cache)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp(cache, "xstate-run-")
	if err != nil {
		return nil, err
	}
	n := &Node{folder: folder, binary: binary}
	modules := filepath.Join(folder, "node_modules")
	if err := os.Mkdir(modules, 0o755); err != nil {
		return nil, errors.Join(err, n.Close())
	}
	if err := os.Symlink(filepath.Join(cache, "xstate-"+Package.Version), filepath.Join(modules, "xstate")); err != nil {
		return nil, errors.Join(err, n.Close())
	}
	if err := os.WriteFile(filepath.Join(folder, "runner.mjs"), runner, 0o644); err != nil {
		return nil, errors.Join(err, n.Close())
	}
	return n, nil
}

// Close ends the process and removes the folder.
func (n *Node) Close() error {
	n.end()
	return os.RemoveAll(n.folder)
}

func (n *Node) end() {
	if n.process != nil {
		n.in.Close()
		n.stop()
		_ = n.process.Wait() // it was told to go; how it went is of no interest
		n.process = nil
	}
}

func (n *Node) begin() error {
	if n.process != nil && n.jobs < perProcess {
		return nil
	}
	n.end()
	ctx, stop := context.WithCancel(context.Background())
	n.stop, n.jobs = stop, 0
	p := exec.CommandContext(ctx, n.binary, "runner.mjs")
	p.Dir, p.Stderr = n.folder, os.Stderr
	var err error
	if n.in, err = p.StdinPipe(); err != nil {
		return err
	}
	out, err := p.StdoutPipe()
	if err != nil {
		return err
	}
	n.out = bufio.NewReader(out)
	if err := p.Start(); err != nil {
		return err
	}
	n.process = p
	return nil
}

// job is one case for the runner, result what it answers.
type job struct {
	Module string `json:"module"`
	Input  any    `json:"input"`
	Script any    `json:"script"`
}

type result struct {
	Fatal    string        `json:"fatal"`
	Restored int           `json:"restored"`
	Steps    []Observation `json:"steps"`
}

// Played is a script played on XState.
type Played struct {
	Steps []Observation
	// Restored is how often the session was written out and read back there.
	Restored int
}

// Play plays a case whose chart was exported as module. The error is what
// node makes of a module that cannot be run, or that it hangs.
func (n *Node) Play(c Case, module []byte) (Played, error) {
	if err := n.begin(); err != nil {
		return Played{}, err
	}
	n.jobs++
	n.total++
	name := "job" + strconv.Itoa(n.total) + ".mjs"
	if err := os.WriteFile(filepath.Join(n.folder, name), module, 0o644); err != nil {
		return Played{}, err
	}
	line, err := json.Marshal(job{Module: "./" + name, Input: c.Input, Script: c.Script})
	if err != nil {
		return Played{}, err
	}
	hanging := time.AfterFunc(patience, n.stop)
	_, err = n.in.Write(append(line, '\n'))
	var answer []byte
	if err == nil {
		answer, err = n.out.ReadBytes('\n')
	}
	if !hanging.Stop() {
		err = fmt.Errorf("node gave no answer within %s", patience)
	}
	if err != nil {
		n.end()
		return Played{}, err
	}
	var r result
	if err := json.Unmarshal(answer, &r); err != nil {
		return Played{}, fmt.Errorf("node answered %.200q: %w", answer, err)
	}
	if r.Fatal != "" {
		return Played{}, errors.New(strings.TrimSpace(r.Fatal))
	}
	return Played{Steps: settle(c, r.Steps), Restored: r.Restored}, nil
}

// settle keeps of XState's context what the chart declares and what exists:
// the variables of a state that is not active cannot be seen.
func settle(c Case, steps []Observation) []Observation {
	names := variablesOf(&c.Definition.Root)
	for i := range steps {
		kept := map[string]any{}
		for _, v := range names {
			if v.state == "" || steps[i].Status != "done" && slices.ContainsFunc(steps[i].States, func(s string) bool { return strings.HasPrefix(s+".", v.state+".") }) {
				kept[v.name] = steps[i].Context[v.name]
			}
		}
		steps[i].Context = kept
	}
	return steps
}
