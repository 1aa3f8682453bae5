package houserules

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

// theHouse is the checkout that this test runs in.
var theHouse = sync.OnceValues(func() (*house, error) {
	root, err := filepath.Abs("../..")
	if err != nil {
		return nil, err
	}
	return load(root)
})

// obey fails the test for each finding in the checkout that no exception
// covers, and for each exception of the rule that covers nothing.
func obey(t *testing.T, rule string, check func(*house) []finding) {
	t.Helper()
	h, err := theHouse()
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, f := range check(h) {
		if excepted(rule, f.name) {
			used[f.name] = true
			continue
		}
		t.Errorf("%s", f)
	}
	for _, e := range exceptions {
		if e.rule == rule && !used[e.name] {
			t.Errorf("exceptions.go: nothing needs the exception of %s from %q any more; remove it", e.name, rule)
		}
	}
}

// proof is a small house and what a check says about it.
type proof struct {
	name  string
	files map[string]string
	want  []string // one part of each finding, in order; none: all is well
}

// prove runs a check on samples. A rule is only known to work when it was seen
// to refuse something.
func prove(t *testing.T, check func(*house) []finding, proofs ...proof) {
	t.Helper()
	for _, p := range proofs {
		t.Run(p.name, func(t *testing.T) {
			expect(t, check(sample(t, p.files)), p.want)
		})
	}
}

func expect(t *testing.T, found []finding, want []string) {
	t.Helper()
	for i, f := range found {
		if i >= len(want) || !strings.Contains(f.String(), want[i]) {
			t.Errorf("finding %d is not as expected: %s", i, f)
		}
	}
	if len(found) < len(want) {
		t.Errorf("got %d findings, want %d: %q", len(found), len(want), want)
	}
}

// sample makes a house of the main module out of the given files.
func sample(t *testing.T, files map[string]string) *house {
	t.Helper()
	h, err := newHouse(tree(files), slices.Sorted(maps.Keys(files)), []module{{path: mainPath, dir: "."}}, goDirs(files))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func tree(files map[string]string) fstest.MapFS {
	t := fstest.MapFS{}
	for name, text := range files {
		t[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return t
}

func goDirs(files map[string]string) []string {
	dirs := map[string]bool{}
	for name := range files {
		if strings.HasSuffix(name, ".go") {
			dirs[path.Dir(name)] = true
		}
	}
	return slices.Sorted(maps.Keys(dirs))
}

// write puts files into a folder.
func write(t *testing.T, root string, files fstest.MapFS) {
	t.Helper()
	if err := os.CopyFS(root, files); err != nil {
		t.Fatal(err)
	}
}

// same fails the test when two lists differ.
func same[T comparable](t *testing.T, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}
