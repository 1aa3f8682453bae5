package houserules

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// load reads the checkout that the folder root is the top of: its modules from
// go.work, their packages from go list, its files from git.
func load(root string) (*house, error) {
	modules, err := loadModules(root)
	if err != nil {
		return nil, err
	}
	var dirs []string
	for _, m := range modules {
		found, err := listPackages(root, m)
		if err != nil {
			return nil, err
		}
		dirs = append(dirs, found...)
	}
	files, err := listFiles(root)
	if err != nil {
		return nil, err
	}
	h, err := newHouse(os.DirFS(root), files, modules, dirs)
	if err != nil {
		return nil, err
	}
	h.root = root
	return h, nil
}

// loadModules reads every go.mod that go.work uses.
func loadModules(root string) ([]module, error) {
	var work struct{ Use []struct{ DiskPath string } }
	if err := runJSON(root, &work, "go", "work", "edit", "-json", "go.work"); err != nil {
		return nil, err
	}
	var modules []module
	for _, use := range work.Use {
		m, err := loadModule(root, filepath.ToSlash(filepath.Clean(use.DiskPath)))
		if err != nil {
			return nil, err
		}
		modules = append(modules, m)
	}
	return modules, nil
}

func loadModule(root, dir string) (module, error) {
	var mod struct {
		Module  struct{ Path string }
		Require []struct {
			Path, Version string
			Indirect      bool
		}
		Tool    []struct{ Path string }
		Replace []struct{ Old struct{ Path string } }
	}
	if err := runJSON(filepath.Join(root, dir), &mod, "go", "mod", "edit", "-json"); err != nil {
		return module{}, err
	}
	m := module{path: mod.Module.Path, dir: dir}
	for _, r := range mod.Require {
		m.requires = append(m.requires, requirement{r.Path, r.Version, r.Indirect})
	}
	for _, t := range mod.Tool {
		m.tools = append(m.tools, t.Path)
	}
	for _, r := range mod.Replace {
		m.replaces = append(m.replaces, r.Old.Path)
	}
	return m, nil
}

// listPackages gives the folders of a module's packages. Nothing is resolved
// or built, so it needs no network and works while a package does not compile.
func listPackages(root string, m module) ([]string, error) {
	out, err := run(filepath.Join(root, m.dir), "go", "list", "-e", "-find", "-json=Dir", "./...")
	if err != nil {
		return nil, err
	}
	var dirs []string
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct{ Dir string }
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return dirs, nil
		} else if err != nil {
			return nil, fmt.Errorf("read go list: %w", err)
		}
		rel, err := filepath.Rel(root, p.Dir)
		if err != nil {
			return nil, err
		}
		dirs = append(dirs, filepath.ToSlash(rel))
	}
}

// listFiles gives what is committed and what a commit of everything would add.
func listFiles(root string) ([]string, error) {
	out, err := run(root, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	var files []string
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		// A file that is deleted but not yet committed as such is still listed.
		if info, err := os.Stat(filepath.Join(root, name)); err == nil && info.Mode().IsRegular() {
			files = append(files, name)
		}
	}
	return files, nil
}

func runJSON(dir string, into any, name string, args ...string) error {
	out, err := run(dir, name, args...)
	if err != nil {
		return err
	}
	return json.Unmarshal(out, into)
}

// run gives what a command prints; its error carries what it complains about.
func run(dir, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, complaint.String())
	}
	return out, nil
}
