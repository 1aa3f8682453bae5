package houserules

import (
	"fmt"
	"go/ast"
	"go/token"
)

// exported is one exported name: at package level, or a method of an exported
// type or interface.
type exported struct {
	name  string // "Chart", "Chart.Instance"
	pos   token.Pos
	top   bool // declared at package level
	value bool // a constant of an enumeration: it comes with its type
	prose bool // has a doc comment
}

// exportedNames gives what a package exports, without its tests.
func exportedNames(p *pkg) []exported {
	var names []exported
	for _, s := range p.product() {
		for _, d := range s.syntax.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				names = append(names, exportedFunction(d)...)
			case *ast.GenDecl:
				names = append(names, exportedSpecs(d)...)
			}
		}
	}
	return names
}

func exportedFunction(d *ast.FuncDecl) []exported {
	owner := receiver(d)
	if !d.Name.IsExported() || owner != "" && !ast.IsExported(owner) {
		return nil
	}
	return []exported{{functionName(d), d.Pos(), owner == "", false, d.Doc != nil}}
}

// exportedSpecs reads constants, variables and types. One comment over a
// bracketed group of constants or variables speaks for the group.
func exportedSpecs(d *ast.GenDecl) []exported {
	var names []exported
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				if name.IsExported() {
					names = append(names, exported{name.Name, name.Pos(), true, enumerated(d, spec), d.Doc != nil || spec.Doc != nil || spec.Comment != nil})
				}
			}
		case *ast.TypeSpec:
			if spec.Name.IsExported() {
				prose := spec.Doc != nil || d.Doc != nil && !d.Lparen.IsValid()
				names = append(names, exported{spec.Name.Name, spec.Pos(), true, false, prose})
				names = append(names, interfaceMethods(spec)...)
			}
		}
	}
	return names
}

// enumerated reports whether a constant is one of the values of a type of the
// package: it is written with the type, or carries on an iota.
func enumerated(d *ast.GenDecl, spec *ast.ValueSpec) bool {
	if d.Tok != token.CONST {
		return false
	}
	if spec.Type == nil {
		return len(spec.Values) == 0
	}
	name, ok := spec.Type.(*ast.Ident)
	return ok && name.IsExported()
}

func interfaceMethods(spec *ast.TypeSpec) []exported {
	face, ok := spec.Type.(*ast.InterfaceType)
	if !ok {
		return nil
	}
	var names []exported
	for _, m := range face.Methods.List {
		for _, name := range m.Names {
			if name.IsExported() {
				names = append(names, exported{spec.Name.Name + "." + name.Name, name.Pos(), false, false, m.Doc != nil || m.Comment != nil})
			}
		}
	}
	return names
}

// checkDocumented sees that every exported name has a doc comment.
func checkDocumented(h *house) []finding {
	var found []finding
	for _, p := range h.packages {
		for _, e := range exportedNames(p) {
			if !e.prose {
				found = append(found, finding{p.path + "." + e.name, h.place(e.pos), "is exported without a doc comment"})
			}
		}
	}
	return found
}

// coreNames counts the names that statechart exports at package level, and
// apart from them the values of its enumerations, which are learnt with their
// type (docs/adr/0002-names-of-the-core.md).
func coreNames(h *house) (count, values int) {
	for _, p := range h.packages {
		if p.path != "statechart" {
			continue
		}
		for _, e := range exportedNames(p) {
			switch {
			case e.value:
				values++
			case e.top:
				count++
			}
		}
	}
	return count, values
}

// checkCoreNames holds the core to a size that one can learn.
func checkCoreNames(h *house) []finding {
	if count, _ := coreNames(h); count > coreNamesLimit {
		return []finding{{"statechart", "statechart", fmt.Sprintf("exports %d names, the limit is %d", count, coreNamesLimit)}}
	}
	return nil
}
