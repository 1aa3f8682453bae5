package expression

import "github.com/expr-lang/expr/ast"

// Syntax returns the expression's parts as expr-lang's parser gives them, for
// programs that write the expression in another language. What [Parse] refuses
// is not in it. The nodes are the tree's own and must not be changed.
func (t *Tree) Syntax() ast.Node { return t.node }
