package houserules

import (
	"fmt"
	"slices"
)

// direct gives the modules that m itself asks for: what it imports and the
// homes of its tools, which the go command marks as indirect.
func (m module) direct() []requirement {
	return slices.DeleteFunc(slices.Clone(m.requires), func(r requirement) bool {
		return r.indirect && !slices.ContainsFunc(m.tools, func(tool string) bool { return covers(r.path+"/...", tool) })
	})
}

// checkReplace sees that no go.mod has a replace: it would hold for us and not
// for those who use the module. go.work binds the modules instead.
func checkReplace(h *house) []finding {
	var found []finding
	for _, m := range h.modules {
		for _, replaced := range m.replaces {
			found = append(found, finding{m.path, m.dir + "/go.mod", "replaces " + replaced})
		}
	}
	return found
}

// checkDependencyCount keeps the main module light.
func checkDependencyCount(h *house) []finding {
	for _, m := range h.modules {
		if n := len(m.direct()); m.dir == "." && n > mainDependencyLimit {
			return []finding{{m.path, "go.mod", fmt.Sprintf("has %d direct dependencies, the limit is %d", n, mainDependencyLimit)}}
		}
	}
	return nil
}

// checkRequires compares each go.mod with what its packages import. Under
// go.work a package also builds when only another module requires what it
// imports, and then fails for everybody who uses its module.
func checkRequires(h *house) []finding {
	var found []finding
	for _, m := range h.modules {
		used := map[string]bool{}
		for _, p := range h.packages {
			if p.module == m.dir {
				found = append(found, h.checkImports(m, p, used)...)
			}
		}
		for _, r := range m.requires {
			if !r.indirect && !used[r.path] {
				found = append(found, finding{m.path, m.dir + "/go.mod", "requires " + r.path + ", which nothing in it imports"})
			}
		}
	}
	return found
}

// checkImports marks in used what p imports and reports what m does not
// require.
func (h *house) checkImports(m module, p *pkg, used map[string]bool) []finding {
	var found []finding
	for _, s := range p.files {
		for i, imported := range s.imports() {
			if standard(imported) || m.knows(h, imported) {
				continue
			}
			home, ok := m.homeOf(imported)
			if !ok {
				found = append(found, finding{p.path, h.place(s.syntax.Imports[i].Pos()), "imports " + imported + ", which " + m.dir + "/go.mod does not require directly"})
			}
			used[home] = true
		}
	}
	return found
}

// homeOf gives the directly required module that a package belongs to.
func (m module) homeOf(imported string) (string, bool) {
	best := ""
	for _, r := range m.requires {
		if !r.indirect && covers(r.path+"/...", imported) && len(r.path) > len(best) {
			best = r.path
		}
	}
	return best, best != ""
}

// knows tells whether a package is m's own or, for a nested module, one of the
// workspace's. The main module must stand without the nested ones.
func (m module) knows(h *house, imported string) bool {
	name, ok := ours(imported)
	if !ok {
		return false
	}
	return m.dir != "." || h.moduleOf(name) == "."
}
