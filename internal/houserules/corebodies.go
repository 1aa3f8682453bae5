package houserules

import (
	"go/ast"
	"go/build/constraint"
	"go/importer"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// coreBuilds are the sets of build tags under which the core is checked.
var coreBuilds = [][]string{nil, {"invariants"}}

// checkCoreBodies reads the functions of the core: nothing in them may depend
// on the order of a map, start a goroutine, use a channel or, save in files
// with a row, convert unsafe pointers.
func checkCoreBodies(h *house) []finding {
	var found []finding
	for _, p := range h.packages {
		if !coversAny(core, p.path) {
			continue
		}
		for _, tags := range coreBuilds {
			for _, f := range h.checkBodies(p, tags) {
				if !slices.Contains(found, f) {
					found = append(found, f)
				}
			}
		}
	}
	return found
}

func (h *house) checkBodies(p *pkg, tags []string) []finding {
	var files []*ast.File
	for _, s := range p.product() {
		if builtUnder(s.syntax, tags) {
			files = append(files, s.syntax)
		}
	}
	var found []finding
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: importer.ForCompiler(h.fset, "source", nil)}
	if _, err := config.Check(mainPath+"/"+p.path, h.fset, files, info); err != nil {
		// Without types a range over a map cannot be told from another.
		found = append(found, finding{p.path, p.path, "cannot be checked: " + err.Error()})
	}
	for _, file := range files {
		found = append(found, h.checkNodes(p, file, info)...)
	}
	return found
}

// builtUnder tells whether the build constraint of a file holds. Tags that we
// do not name (systems, compilers) count as set, so nothing slips by.
func builtUnder(file *ast.File, tags []string) bool {
	for _, group := range file.Comments {
		for _, c := range group.List {
			if c.Pos() > file.Package || !constraint.IsGoBuild(c.Text) {
				continue
			}
			expr, err := constraint.Parse(c.Text)
			return err != nil || expr.Eval(func(tag string) bool {
				return slices.Contains(tags, tag) || !slices.ContainsFunc(coreBuilds, func(named []string) bool { return slices.Contains(named, tag) })
			})
		}
	}
	return true
}

func (h *house) checkNodes(p *pkg, file *ast.File, info *types.Info) []finding {
	var found []finding
	mayConvert := coreFileRow(h.fset.Position(file.Pos()).Filename, "unsafe") != (coreFile{})
	inOrder := map[ast.Node]bool{} // calls whose result is sorted at once
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && strings.HasPrefix(standardCall(call, "slices", info), "Sorted") {
			inOrder[call.Args[0]] = true
		}
		if text := forbiddenNode(n, info, inOrder); text != "" {
			found = append(found, finding{p.path, h.place(n.Pos()), text})
		}
		if call, ok := n.(*ast.CallExpr); ok && !mayConvert && convertsUnsafe(call, info) {
			found = append(found, finding{p.path, h.place(n.Pos()), "converts an unsafe pointer in a file without a row in coreFiles"})
		}
		return true
	})
	return found
}

// forbiddenNode says what is wrong with a node, "" when nothing is.
func forbiddenNode(n ast.Node, info *types.Info, inOrder map[ast.Node]bool) string {
	switch n := n.(type) {
	case *ast.GoStmt:
		return "starts a goroutine"
	case *ast.ChanType:
		return "has a channel"
	case *ast.SendStmt:
		return "sends on a channel"
	case *ast.SelectStmt:
		return "has a select"
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			return "receives from a channel"
		}
	case *ast.RangeStmt:
		if mayBeMap(info.TypeOf(n.X)) {
			return "ranges over a map, whose order differs on each run; sort the keys or keep a slice beside it"
		}
	case *ast.CallExpr:
		switch name := standardCall(n, "maps", info); name {
		case "Keys", "Values", "All":
			if !inOrder[n] {
				return "uses maps." + name + " without slices.Sorted around it"
			}
		}
	}
	return ""
}

// standardCall gives the name of the function of the given package that a call
// calls, "" for any other call.
func standardCall(call *ast.CallExpr, from string, info *types.Info) string {
	fun := ast.Unparen(call.Fun)
	if index, ok := fun.(*ast.IndexExpr); ok {
		fun = index.X
	}
	selector, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	f, ok := info.Uses[selector.Sel].(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != from {
		return ""
	}
	return f.Name()
}

// mayBeMap tells whether a type is a map, or a type parameter that a map can
// be put for: what underlies a type parameter is its constraint.
func mayBeMap(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t := t.Underlying().(type) {
	case *types.Map:
		return true
	case *types.Interface:
		for embedded := range t.EmbeddedTypes() {
			if mayBeMap(embedded) {
				return true
			}
		}
	case *types.Union:
		for term := range t.Terms() {
			if mayBeMap(term.Type()) {
				return true
			}
		}
	}
	return false
}
