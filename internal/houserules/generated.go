package houserules

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// generator makes files of the repository from others.
type generator struct {
	name string

	// run writes the files under out, by their paths from the root. It does
	// not touch the checkout. Findings say what could not be made.
	run func(h *house, out string) ([]finding, error)
}

// generators is the one list of everything that is generated and committed.
// A test runs each into an empty folder and compares; `make generate` runs
// each into the checkout.
var generators = []generator{
	{"marked blocks of pages", weavePages},
}

// weavePages writes every page that has a marked block.
func weavePages(h *house, out string) ([]finding, error) {
	folder, err := os.MkdirTemp("", "pages")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	w := &weaver{tree: h.tree, awaited: awaited, run: (&printer{root: h.root, folder: folder}).print}
	for _, name := range h.files {
		if !strings.HasSuffix(name, ".md") {
			continue
		}
		text, err := fs.ReadFile(h.tree, name)
		if err != nil {
			return nil, err
		}
		if !directive.Match(text) {
			continue
		}
		if err := writeFile(out, name, w.weave(name, string(text))); err != nil {
			return nil, err
		}
	}
	return append(w.found, staleAwaited(h.tree, awaited)...), nil
}

func writeFile(root, name, text string) error {
	file := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o666)
}

// checkGenerated runs the generators into the empty folder out and compares
// what they wrote with the checkout. A file that says it is generated and that
// nobody writes is a finding too.
func checkGenerated(h *house, generators []generator, out string) ([]finding, error) {
	var found []finding
	for _, g := range generators {
		more, err := g.run(h, out)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	written, err := stale(h, out, &found)
	if err != nil {
		return nil, err
	}
	for _, p := range h.packages {
		for _, s := range p.files {
			if s.generated && !slices.Contains(written, s.path) {
				found = append(found, finding{s.path, s.path, "says it is generated, but no row of generators in internal/houserules/generated.go writes it"})
			}
		}
	}
	return found, nil
}

// stale compares the files under out with the checkout and gives their names.
func stale(h *house, out string, found *[]finding) ([]string, error) {
	var written []string
	made := os.DirFS(out)
	err := fs.WalkDir(made, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		written = append(written, name)
		want, err := fs.ReadFile(made, name)
		if err != nil {
			return err
		}
		if got, err := fs.ReadFile(h.tree, name); err != nil || !bytes.Equal(got, want) {
			*found = append(*found, finding{name, name + ":" + firstDifference(got, want), "is stale; run `make generate` and look at the difference"})
		}
		return nil
	})
	return written, err
}

// firstDifference gives the number of the first line that differs.
func firstDifference(a, b []byte) string {
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] {
		same++
	}
	return strconv.Itoa(bytes.Count(a[:same], []byte("\n")) + 1)
}
