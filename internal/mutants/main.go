// Command mutants puts deliberate bugs into the code, one at a time, and sees
// whether the tests notice. A bug that no test notices is a hole in the tests.
//
//	go run ./internal/mutants [-run regexp] [-v]
//
// The bugs stand in table.go. The checkout is not touched: the changed file
// lives in a temporary folder and reaches the compiler by go test -overlay. It
// ends with "mutants K/N": N bugs that count, K of them killed. It exits with 1
// when one survives, an equivalent one turns out not to be, or one does not
// build, which proves nothing about the tests; and with 2 when the table or the
// tests are not in order.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(command(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// command is main with its world handed in. It gives the exit code.
func command(ctx context.Context, args []string, out, complaints io.Writer) int {
	flags := flag.NewFlagSet("mutants", flag.ContinueOnError)
	flags.SetOutput(complaints)
	pattern := flags.String("run", "", "only mutants whose name matches this regular expression")
	verbose := flags.Bool("v", false, "print every mutant with the tests that killed it")
	timeout := flags.Duration("timeout", time.Minute, "limit of one test binary; a mutant that passes it is killed")
	parallel := flags.Int("parallel", 2, "mutants tested at once")
	memory := flags.Int("memory", 4096, "address space of one test run in MiB, where the system can limit it; a mutant may eat memory without end")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	chosen, err := choose(table, *pattern)
	if err != nil {
		fmt.Fprintln(complaints, "mutants:", err)
		return 2
	}
	root, err := workspaceRoot(ctx)
	if err != nil {
		fmt.Fprintln(complaints, "mutants:", err)
		return 2
	}
	l := &laboratory{root: root, timeout: *timeout, memory: *memory, parallel: *parallel}
	results, err := l.examine(ctx, chosen)
	if err != nil {
		fmt.Fprintln(complaints, "mutants:", err)
		return 2
	}
	return report(out, results, *verbose)
}

// choose gives the mutants whose name matches the pattern. It is an error when
// none does: a typing mistake must not look like a success.
func choose(table []mutant, pattern string) ([]mutant, error) {
	match, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	var chosen []mutant
	for _, m := range table {
		if match.MatchString(m.name) {
			chosen = append(chosen, m)
		}
	}
	if len(chosen) == 0 && pattern != "" {
		return nil, fmt.Errorf("no mutant's name matches %q", pattern)
	}
	return chosen, nil
}

// workspaceRoot gives the folder of go.work, so that the command works from
// any folder of the checkout.
func workspaceRoot(ctx context.Context) (string, error) {
	file, err := exec.CommandContext(ctx, "go", "env", "GOWORK").Output()
	if err != nil {
		return "", fmt.Errorf("go env: %w", err)
	}
	name := strings.TrimSpace(string(file))
	if name == "" || name == "off" {
		return "", fmt.Errorf("no go.work here; run it inside the checkout")
	}
	return filepath.Dir(name), nil
}
