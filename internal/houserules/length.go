package houserules

import (
	"fmt"
	"go/ast"
)

// functionLengths measures functions and methods from the line of "func" to
// that of the closing brace. Generated files do not count.
func functionLengths(h *house, tests bool) figures {
	var lengths figures
	for _, p := range h.packages {
		for _, s := range p.files {
			if s.test != tests || s.generated {
				continue
			}
			for _, d := range s.syntax.Decls {
				if f, ok := d.(*ast.FuncDecl); ok {
					size := h.fset.Position(f.End()).Line - h.fset.Position(f.Pos()).Line + 1
					lengths = append(lengths, figure{p.path + "." + functionName(f), h.place(f.Pos()), size})
				}
			}
		}
	}
	return lengths.sort()
}

// functionName gives "Name" or "Type.Name".
func functionName(f *ast.FuncDecl) string {
	if name := receiver(f); name != "" {
		return name + "." + f.Name.Name
	}
	return f.Name.Name
}

// receiver gives the name of the type that a method belongs to, "" for a
// function.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return ""
	}
	expr := f.Recv.List[0].Type
	for {
		switch e := expr.(type) {
		case *ast.StarExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.IndexListExpr:
			expr = e.X
		case *ast.Ident:
			return e.Name
		default:
			return ""
		}
	}
}

// fileLengths measures files in lines.
func fileLengths(h *house, tests bool) figures {
	var lengths figures
	for _, p := range h.packages {
		for _, s := range p.files {
			if s.test == tests && !s.generated {
				lengths = append(lengths, figure{s.path, s.path, s.lines})
			}
		}
	}
	return lengths.sort()
}

// checkFunctionLength holds product functions to the budget.
func checkFunctionLength(h *house) []finding {
	lengths := functionLengths(h, false)
	return append(lengths.over(functionLimit, "lines"), overP90("functions", lengths, functionP90Limit)...)
}

// checkFileLength holds product files to the budget.
func checkFileLength(h *house) []finding {
	return overP90("files", fileLengths(h, false), fileP90Limit)
}

func overP90(what string, lengths figures, limit int) []finding {
	got := lengths.percentile(percentileOfBudget)
	if got <= limit {
		return nil
	}
	return []finding{{what, "the house", fmt.Sprintf("are too long: p90 is %d lines, the limit is %d", got, limit)}}
}
