package conformance

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/detent-run/detent/conformance/internal/npm"
	"github.com/detent-run/detent/conformance/internal/xstate"
	"github.com/detent-run/detent/ecmascript"
)

// framework holds the SCION pairs and, under w3c-ecma, the W3C documents.
// W3C's licence is the reason why they are fetched and not committed.
var framework = npm.Package{
	Name:      "@scion-scxml/test-framework",
	Version:   "2.0.16",
	Integrity: "sha512-5rRd5CdFLUzmPaO43NSamBmhq6uW/0kUmUneEnqRSbAj0FiFVAINd1DfadUkdECT+xHLARCJZU7meQD4nqYyKw==",
}

// suite returns the folder of the suites.
func suite(t *testing.T) fs.FS {
	t.Helper()
	files, err := fs.Sub(fetched(t, framework), "test")
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// fetched returns the files of a package, which docs/dependencies.md lists.
// Where they cannot be had the test says so and is skipped; in CI that is a
// failure.
func fetched(t testing.TB, p npm.Package) fs.FS {
	t.Helper()
	page, err := os.ReadFile("../docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	if line := fmt.Sprintf("| `%s` %s | npm |", p.Name, p.Version); !strings.Contains(string(page), line) {
		t.Errorf("docs/dependencies.md has no line that begins %s", line)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	files, err := p.Fetch(ctx, ".cache")
	switch {
	case err == nil:
		return files
	case errors.Is(err, npm.ErrUnavailable) && os.Getenv("CI") != "true":
		fmt.Fprintf(os.Stderr, "\nSKIPPED, not passed: %s. Nothing of %s was run: %v\n\n", t.Name(), p.Name, err)
		t.Skip(err)
	default:
		t.Fatalf("nothing of %s was run: %v", p.Name, err)
	}
	return nil
}

// startNode starts XState in node. Where there is none the test says so and is
// skipped; in CI that is a failure.
func startNode(t *testing.T) *xstate.Node {
	t.Helper()
	fetched(t, xstate.Package)
	node, err := xstate.Start(".cache")
	switch {
	case err == nil:
	case errors.Is(err, xstate.ErrNoNode) && os.Getenv("CI") != "true":
		fmt.Fprintf(os.Stderr, "\nSKIPPED, not passed: %s. Nothing was played on XState: %v\n\n", t.Name(), err)
		t.Skip(err)
	default:
		t.Fatalf("nothing was played on XState: %v", err)
	}
	t.Cleanup(func() {
		if err := node.Close(); err != nil {
			t.Error(err)
		}
	})
	return node
}

// tallies are the lines that stand at the end of all output, so that they are
// found beneath what led to them.
var tallies []string

// TestMain prints the tallies, and lets this program be the child process that
// ECMAScript runs in.
func TestMain(m *testing.M) {
	ecmascript.Main()
	code := m.Run()
	for _, line := range tallies {
		fmt.Println(line)
	}
	os.Exit(code)
}

// expectedMisses reads the committed list of what a suite is known to miss:
// a suite, a name and the reason on each line.
func expectedMisses(t *testing.T, suite string) map[string]string {
	t.Helper()
	f, err := os.Open("testdata/expected-misses.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	misses := map[string]string{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		fields := strings.SplitN(lines.Text(), " ", 3)
		if len(fields) == 3 && fields[0] == suite {
			misses[fields[1]] = fields[2]
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return misses
}

// compare fails for each miss that is not expected and for each expected one
// that did not happen.
func compare(t *testing.T, suite string, misses map[string]string) {
	t.Helper()
	expected := expectedMisses(t, suite)
	for name, reason := range misses {
		if _, ok := expected[name]; !ok {
			t.Errorf("%s %s is missed: %s", suite, name, reason)
		}
	}
	for name := range expected {
		if _, ok := misses[name]; !ok {
			t.Errorf("%s %s is listed as missed and is not: take it off testdata/expected-misses.txt", suite, name)
		}
	}
}
