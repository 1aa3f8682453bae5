package houserules

import (
	"go/ast"
	"go/types"
)

// convertsUnsafe tells whether a call turns something into an unsafe pointer
// or back, or reckons with one. To carry one along is harmless: it can only be
// used where it is turned back.
func convertsUnsafe(call *ast.CallExpr, info *types.Info) bool {
	fun := info.Types[call.Fun]
	if fun.IsType() {
		return isUnsafe(fun.Type) || len(call.Args) == 1 && isUnsafe(info.TypeOf(call.Args[0]))
	}
	selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || selector.Sel.Name == "Sizeof" {
		return false
	}
	builtin, ok := info.Uses[selector.Sel].(*types.Builtin)
	return ok && builtin.Pkg() == types.Unsafe
}

func isUnsafe(t types.Type) bool {
	if t == nil {
		return false
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.UnsafePointer
}
