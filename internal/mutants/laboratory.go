package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// verdict is what became of a mutant.
type verdict string

const (
	killed   verdict = "killed"
	timedOut verdict = "killed by timeout"
	survived verdict = "survived"
	notBuilt verdict = "does not build"
)

// result is one mutant with its verdict.
type result struct {
	mutant  mutant
	verdict verdict
	killers []string // tests that failed
	output  string   // of the compiler, when it does not build
	took    time.Duration
}

// laboratory applies mutants to a checkout.
type laboratory struct {
	root     string        // of the checkout
	timeout  time.Duration // of one test binary
	memory   int           // MiB of address space; 0 is no limit
	parallel int           // mutants at once
}

// examine tests all mutants and gives their results in order. The error lists
// everything that is not in order: with a wrong table or failing tests no
// verdict means anything, so there are none then.
func (l *laboratory) examine(ctx context.Context, mutants []mutant) ([]result, error) {
	if err := l.checkTable(mutants); err != nil {
		return nil, err
	}
	if err := l.checkBaseline(ctx, mutants); err != nil {
		return nil, err
	}
	results := make([]result, len(mutants))
	err := l.each(len(mutants), func(i int) error {
		var err error
		results[i], err = l.test(ctx, mutants[i])
		return err
	})
	return results, err
}

// each calls f with 0 to n-1, some at once, and joins the errors.
func (l *laboratory) each(n int, f func(int) error) error {
	errs := make([]error, n)
	places := make(chan struct{}, max(1, l.parallel))
	var all sync.WaitGroup
	for i := range n {
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			errs[i] = f(i)
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// checkTable sees that every mutant can be applied.
func (l *laboratory) checkTable(mutants []mutant) error {
	var errs []error
	names := map[string]bool{}
	for _, m := range mutants {
		switch {
		case m.name == "" || names[m.name]:
			errs = append(errs, fmt.Errorf("%q: the name is empty or taken", m.name))
		case len(m.packages) == 0:
			errs = append(errs, fmt.Errorf("%s: names no package to test", m.name))
		}
		names[m.name] = true
		if _, err := l.change(m); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// change gives the text of the mutant's file with the bug in it.
func (l *laboratory) change(m mutant) (string, error) {
	text, err := os.ReadFile(filepath.Join(l.root, m.file))
	if err != nil {
		return "", fmt.Errorf("%s: %w", m.name, err)
	}
	if m.before == m.after {
		return "", fmt.Errorf("%s: before and after are the same", m.name)
	}
	if n := strings.Count(string(text), m.before); m.before == "" || n != 1 {
		return "", fmt.Errorf("%s: before occurs %d times in %s, not once", m.name, n, m.file)
	}
	return strings.Replace(string(text), m.before, m.after, 1), nil
}

// checkBaseline runs each different set of tests on the unchanged code: tests
// that fail anyway, or do not exist, would prove nothing.
func (l *laboratory) checkBaseline(ctx context.Context, mutants []mutant) error {
	sets := slices.Clone(mutants)
	key := func(m mutant) string { return strings.Join(slices.Concat(m.packages, []string{m.run}, m.args), "\x00") }
	slices.SortFunc(sets, func(a, b mutant) int { return cmp.Compare(key(a), key(b)) })
	sets = slices.CompactFunc(sets, func(a, b mutant) bool { return key(a) == key(b) })
	return l.each(len(sets), func(i int) error {
		what := sets[i].command()
		ran, err := l.goTest(ctx, sets[i], "")
		switch {
		case err != nil:
			return fmt.Errorf("%s on the unchanged code: %w", what, err)
		case !ran.passed:
			return fmt.Errorf("%s fails on the unchanged code:\n%s", what, ran.output)
		case ran.tests == 0:
			return fmt.Errorf("%s runs no test", what)
		}
		return nil
	})
}

// test applies one mutant and runs its tests.
func (l *laboratory) test(ctx context.Context, m mutant) (result, error) {
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return result{}, err
	}
	defer os.RemoveAll(dir)
	overlay, err := l.overlay(m, dir)
	if err != nil {
		return result{}, err
	}
	began := time.Now()
	ran, err := l.goTest(ctx, m, overlay)
	if err != nil {
		return result{}, fmt.Errorf("%s: %w", m.name, err)
	}
	r := result{mutant: m, killers: ran.failed, took: time.Since(began)}
	switch {
	case ran.notBuilt:
		r.verdict, r.output = notBuilt, ran.output
	case ran.passed:
		r.verdict = survived
	case ran.timedOut:
		r.verdict = timedOut
	default:
		r.verdict = killed
	}
	return r, nil
}

// overlay writes the changed file and the list that go test -overlay reads.
func (l *laboratory) overlay(m mutant, dir string) (string, error) {
	text, err := l.change(m)
	if err != nil {
		return "", err
	}
	changed := filepath.Join(dir, filepath.Base(m.file))
	if err := os.WriteFile(changed, []byte(text), 0o666); err != nil {
		return "", err
	}
	list, err := json.Marshal(map[string]map[string]string{
		"Replace": {filepath.Join(l.root, m.file): changed},
	})
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, list, 0o666)
}
