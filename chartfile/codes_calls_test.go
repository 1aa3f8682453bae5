package chartfile_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// wordOfCode is how the codes of failed calls look; a "_" at the end stands
// before a number.
var wordOfCode = regexp.MustCompile(`^[a-z]+(_[a-z]+)*_?$`)

// failing are the functions whose first argument, or first result, is the code
// of a failed call.
var failing = []string{"Fail", "Unknown", "fail", "unclear", "happened"}

// failureCodes finds in the source the codes with which calls end: the text of
// a Code in a literal, of a variable code, and what failing functions take.
func failureCodes(t *testing.T) map[statechart.Code]string {
	t.Helper()
	out := map[statechart.Code]string{"settled": "../internal/cli"} // the default of a flag
	for _, root := range []string{"../performer", "../durable", "../host", "../deployment"} {
		err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "performertest") {
				return err
			}
			tree, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err == nil {
				ast.Inspect(tree, func(n ast.Node) bool {
					for _, code := range codesAt(n) {
						out[code] = path
					}
					return true
				})
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// codesAt lists the codes that stand at one node of the source.
func codesAt(n ast.Node) (found []statechart.Code) {
	add := func(e ast.Expr) {
		if sum, ok := e.(*ast.BinaryExpr); ok {
			e = sum.X // as in "exit_" + number
		}
		b, ok := e.(*ast.BasicLit)
		if !ok || b.Kind != token.STRING {
			return
		}
		if word, err := strconv.Unquote(b.Value); err == nil && wordOfCode.MatchString(word) {
			if strings.HasSuffix(word, "_") {
				word += "N"
			}
			found = append(found, statechart.Code(word))
		}
	}
	switch x := n.(type) {
	case *ast.KeyValueExpr:
		if key, ok := x.Key.(*ast.Ident); ok && key.Name == "Code" {
			add(x.Value)
		}
	case *ast.CompositeLit:
		if t, ok := x.Type.(*ast.Ident); ok && t.Name == "problem" && len(x.Elts) > 0 {
			add(x.Elts[0])
		}
	case *ast.CallExpr:
		if len(x.Args) > 1 && slices.Contains(failing, calledName(x.Fun)) {
			add(x.Args[0])
		}
	case *ast.AssignStmt:
		if to, ok := x.Lhs[0].(*ast.Ident); ok && to.Name == "code" {
			add(x.Rhs[0])
		}
	case *ast.ValueSpec:
		if kind, ok := x.Type.(*ast.SelectorExpr); ok && kind.Sel.Name == "Code" && len(x.Values) == 1 {
			add(x.Values[0])
		}
	case *ast.FuncDecl:
		if x.Body != nil && (x.Name.Name == "code" || x.Name.Name == "explain" || x.Name.Name == "wrong" || x.Name.Name == "problem") {
			ast.Inspect(x.Body, func(n ast.Node) bool {
				if r, ok := n.(*ast.ReturnStmt); ok && len(r.Results) > 0 {
					add(r.Results[0])
				}
				return true
			})
		}
	}
	return found
}

func calledName(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	}
	return ""
}
