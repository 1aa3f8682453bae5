package houserules

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// mainPath is the import path of the main module; nested modules lie below it.
const mainPath = "github.com/detent-run/detent"

// house is what the rules look at. It is read once and never changed.
type house struct {
	tree     fs.FS    // the checkout
	root     string   // its folder on disk; empty for a sample
	files    []string // all files that are or would be committed, from the root
	modules  []module
	packages []*pkg // sorted by path
	fset     *token.FileSet
}

// module is one go.mod of the workspace.
type module struct {
	path     string // import path
	dir      string // from the root; "." is the main module
	requires []requirement
	tools    []string // packages named by tool directives
	replaces []string // paths of modules that are replaced
}

// requirement is one require line of a go.mod.
type requirement struct {
	path, version string
	indirect      bool
}

// pkg is one folder with Go files. Its path is the folder's, from the root.
type pkg struct {
	path   string
	module string // dir of the module it belongs to
	files  []*source
}

// source is one Go file, also when its build tags leave it out of this build.
type source struct {
	path      string // from the root
	test      bool
	generated bool // carries the "Code generated" line
	lines     int
	syntax    *ast.File
}

// finding is one place that breaks a rule.
type finding struct {
	name  string // what an exception names: a package, a function, a file
	where string // file and line, or the file alone
	text  string // what is wrong and what to do
}

// String gives the line that a failing test prints.
func (f finding) String() string { return f.where + ": " + f.name + " " + f.text }

// newHouse parses the Go files of the given folders of tree.
func newHouse(tree fs.FS, files []string, modules []module, dirs []string) (*house, error) {
	h := &house{tree: tree, files: files, modules: modules, fset: token.NewFileSet()}
	for _, dir := range dirs {
		p, err := h.readPackage(dir)
		if err != nil {
			return nil, err
		}
		h.packages = append(h.packages, p)
	}
	slices.SortFunc(h.packages, func(a, b *pkg) int { return cmp.Compare(a.path, b.path) })
	return h, nil
}

func (h *house) readPackage(dir string) (*pkg, error) {
	p := &pkg{path: dir, module: h.moduleOf(dir)}
	entries, err := fs.ReadDir(h.tree, dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") {
			continue
		}
		s, err := h.readSource(path.Join(dir, name))
		if err != nil {
			return nil, err
		}
		p.files = append(p.files, s)
	}
	return p, nil
}

func (h *house) readSource(name string) (*source, error) {
	text, err := fs.ReadFile(h.tree, name)
	if err != nil {
		return nil, err
	}
	syntax, err := parser.ParseFile(h.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("parse: %w", err)
	}
	return &source{
		path:      name,
		test:      strings.HasSuffix(name, "_test.go"),
		generated: ast.IsGenerated(syntax),
		lines:     strings.Count(string(text), "\n"),
		syntax:    syntax,
	}, nil
}

// moduleOf gives the dir of the innermost module that holds the folder.
func (h *house) moduleOf(dir string) string {
	best := "."
	for _, m := range h.modules {
		if covers(m.dir+"/...", dir) && len(m.dir) > len(best) {
			best = m.dir
		}
	}
	return best
}

// place gives file and line of a position.
func (h *house) place(pos token.Pos) string {
	p := h.fset.Position(pos)
	return p.Filename + ":" + strconv.Itoa(p.Line)
}

// imports gives the paths that a file imports.
func (s *source) imports() []string {
	var paths []string
	for _, spec := range s.syntax.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil {
			paths = append(paths, p)
		}
	}
	return paths
}

// product gives the files of a package that are not tests.
func (p *pkg) product() []*source {
	return slices.DeleteFunc(slices.Clone(p.files), func(s *source) bool { return s.test })
}

// ours gives the path from the root of one of our own packages.
func ours(importPath string) (string, bool) {
	if importPath == mainPath {
		return ".", true
	}
	return strings.CutPrefix(importPath, mainPath+"/")
}

// standard tells whether an import path is of the standard library: only
// there does the first element have no dot.
func standard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".")
}

// covers tells whether a pattern names a package: the package itself, all
// below it ("store/..."), or everything ("...").
func covers(pattern, name string) bool {
	if pattern == "..." || pattern == "./..." {
		return true
	}
	if base, ok := strings.CutSuffix(pattern, "/..."); ok {
		return name == base || strings.HasPrefix(name, base+"/")
	}
	return pattern == name
}

// coversAny tells whether one of the patterns names the package.
func coversAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return covers(p, name) })
}
