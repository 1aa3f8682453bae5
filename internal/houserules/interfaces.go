package houserules

import "go/ast"

// interfaceSizes counts the methods of every named interface, those of
// embedded interfaces of the same package included. An interface of another
// package that is embedded counts as one.
func interfaceSizes(h *house) figures {
	var sizes figures
	for _, p := range h.packages {
		faces := namedInterfaces(p)
		for name, spec := range faces {
			sizes = append(sizes, figure{p.path + "." + name, h.place(spec.Pos()), countMethods(spec.Type, faces, len(faces))})
		}
	}
	return sizes.sort()
}

func namedInterfaces(p *pkg) map[string]*ast.TypeSpec {
	faces := map[string]*ast.TypeSpec{}
	for _, s := range p.product() {
		ast.Inspect(s.syntax, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				if _, ok := spec.Type.(*ast.InterfaceType); ok {
					faces[spec.Name.Name] = spec
				}
			}
			return true
		})
	}
	return faces
}

// countMethods descends at most depth levels: interfaces that embed each other
// in a circle do not compile, but must not hang the check.
func countMethods(expr ast.Expr, faces map[string]*ast.TypeSpec, depth int) int {
	face, ok := expr.(*ast.InterfaceType)
	if !ok || depth < 0 {
		return 0
	}
	count := 0
	for _, m := range face.Methods.List {
		switch e := m.Type.(type) {
		case *ast.FuncType:
			count++
		case *ast.SelectorExpr:
			count++
		case *ast.Ident:
			if embedded, ok := faces[e.Name]; ok {
				count += countMethods(embedded.Type, faces, depth-1)
			}
		}
	}
	return count
}

// checkInterfaces keeps interfaces small: a further ability is a second
// interface, found by assertion.
func checkInterfaces(h *house) []finding {
	return interfaceSizes(h).over(interfaceLimit, "methods")
}
