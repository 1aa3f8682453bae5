package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// outcome is what one run of go test came to.
type outcome struct {
	passed   bool
	notBuilt bool // nothing ran: the code or its tests do not compile
	timedOut bool
	packages int      // that were tested, or could not be
	tests    int      // that ran to their end
	failed   []string // tests that failed, outermost only
	output   string   // what was printed, for people
}

// A mutant is built once and its tests run for a moment, so building is what
// takes time: it goes without optimising and without debug data.
const (
	quickBuild = "-gcflags=-N -l -dwarf=false"
	smallLink  = "-ldflags=-s -w"
)

// goTest runs the tests of a mutant, with its change when overlay is given.
// The error is for a go command that could not do its work.
func (l *laboratory) goTest(ctx context.Context, m mutant, overlay string) (outcome, error) {
	args := []string{"test", quickBuild, smallLink, "-json", "-count=1", "-failfast", "-vet=off", "-p=1", "-timeout=" + l.timeout.String(), "-run=" + m.run}
	if overlay != "" {
		args = append(args, "-overlay="+overlay)
	}
	cmd := l.limited(ctx, slices.Concat(args, m.packages, m.args))
	cmd.Dir = l.root
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	printed, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &exit) || ctx.Err() != nil) {
		return outcome{}, fmt.Errorf("go test: %w", errors.Join(err, ctx.Err()))
	}
	o, readErr := readEvents(printed)
	if readErr != nil {
		return outcome{}, fmt.Errorf("%w\n%s", readErr, complaints.String())
	}
	o.passed = err == nil
	o.output += complaints.String()
	if o.packages == 0 {
		return outcome{}, fmt.Errorf("go test ran nothing: %w\n%s", err, o.output)
	}
	return o, nil
}

// command is how a person runs the tests of the mutant.
func (m mutant) command() string {
	return fmt.Sprintf("go test -run %q %s", m.run, strings.Join(slices.Concat(m.packages, m.args), " "))
}

// limited wraps the go command so that it and its children cannot fill the
// machine's memory. The shell's limit is not enforced on every system.
func (l *laboratory) limited(ctx context.Context, args []string) *exec.Cmd {
	script := `ulimit -v "$0" 2>/dev/null; exec go "$@"`
	limit := "unlimited"
	if l.memory > 0 {
		limit = strconv.Itoa(l.memory * 1024)
	}
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", script, limit}, args...)...)
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// event is one line of go test -json.
type event struct {
	Action, Test, Output, FailedBuild string
}

// readEvents sums up what go test -json printed.
func readEvents(printed []byte) (outcome, error) {
	var o outcome
	var text strings.Builder
	for decoder := json.NewDecoder(bytes.NewReader(printed)); ; {
		var e event
		if err := decoder.Decode(&e); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return o, fmt.Errorf("read go test -json: %w", err)
		}
		o.add(e)
		if line := strings.TrimSpace(e.Output); !strings.HasPrefix(line, "=== ") && !strings.HasPrefix(line, "--- PASS") {
			text.WriteString(e.Output)
		}
	}
	o.output = text.String()
	o.timedOut = strings.Contains(o.output, "panic: test timed out after ")
	return o, nil
}

func (o *outcome) add(e event) {
	if e.Action == "build-fail" || e.FailedBuild != "" {
		o.notBuilt = true
	}
	if e.Test == "" {
		if e.Action == "pass" || e.Action == "fail" || e.Action == "skip" {
			o.packages++
		}
		return
	}
	switch e.Action {
	case "pass":
		o.tests++
	case "fail":
		o.tests++
		// A failed subtest fails its parent, which says enough.
		if top, _, _ := strings.Cut(e.Test, "/"); !slices.Contains(o.failed, top) {
			o.failed = append(o.failed, top)
		}
	}
}
