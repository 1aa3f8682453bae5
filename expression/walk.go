package expression

import (
	"strconv"

	"github.com/expr-lang/expr/ast"
)

// walker checks what needs no names: the forms of the syntax, the functions
// and the number of their arguments, the bounds. It gathers the names.
type walker struct {
	source   string
	document bool // of SCXML: In is a function, and a variable may be called as a function is
	nodes    int
	roots    map[string]*Root
	locals   []string // of let, innermost last
}

func (w *walker) at(n ast.Node) int { return byteOffset(w.source, n.Location().From) }

// refuse is an error at a node.
func (w *walker) refuse(n ast.Node, hint, message string) *Error {
	e := wrong(hint, "%s", message)
	e.Offset = w.at(n)
	return e
}

// node walks a part. Depth counts the brackets and operators around it that
// wait for their right side; what merely follows goes no deeper. A part that
// the syntax repeats (b in a < b < c) counts each time, as it runs.
func (w *walker) node(n ast.Node, depth int) *Error {
	if w.nodes++; w.nodes > MaxNodes {
		e := tooMuch("compute it in steps, in several variables", "the expression is made of more than %d parts", MaxNodes)
		e.Offset = w.at(n)
		return e
	}
	if depth > MaxNesting {
		return tooNested(w.at(n))
	}
	switch x := n.(type) {
	case *ast.NilNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return nil
	case *ast.StringNode:
		return w.text(x)
	case *ast.BytesNode:
		return w.refuse(n, `write text without the b before it`, "bytes are no data of a chart")
	case *ast.IdentifierNode:
		return w.identifier(x, false)
	case *ast.PointerNode:
		return w.pointer(x)
	case *ast.UnaryNode:
		return w.node(x.Node, depth+1)
	case *ast.BinaryNode:
		return w.both(x.Left, depth, x.Right, depth+1)
	case *ast.ConditionalNode:
		if err := w.both(x.Cond, depth+1, x.Exp1, depth+1); err != nil {
			return err
		}
		return w.node(x.Exp2, depth)
	case *ast.VariableDeclaratorNode:
		return w.let(x, depth)
	case *ast.SequenceNode:
		return w.each(x.Nodes, depth)
	}
	return w.compound(n, depth)
}

func (w *walker) compound(n ast.Node, depth int) *Error {
	switch x := n.(type) {
	case *ast.ChainNode:
		return w.node(x.Node, depth)
	case *ast.MemberNode:
		return w.member(x, depth)
	case *ast.SliceNode:
		if err := w.node(x.Node, depth); err != nil {
			return err
		}
		for _, end := range []ast.Node{x.From, x.To} {
			if end == nil {
				continue
			}
			if err := w.node(end, depth+1); err != nil {
				return err
			}
		}
		return nil
	case *ast.ArrayNode:
		return w.each(x.Nodes, depth+1)
	case *ast.MapNode:
		return w.each(x.Pairs, depth+1)
	case *ast.PairNode:
		return w.both(x.Key, depth, x.Value, depth)
	case *ast.PredicateNode:
		return w.node(x.Node, depth)
	case *ast.BuiltinNode:
		return w.call(n, x.Name, x.Arguments, depth)
	case *ast.CallNode:
		if callee, ok := x.Callee.(*ast.IdentifierNode); ok {
			return w.call(n, callee.Value, x.Arguments, depth)
		}
		return w.refuse(n, "functions are called by their name: f(x), or x | f()", "values have no methods")
	}
	return w.refuse(n, "", "this form is not part of the language")
}

func (w *walker) both(a ast.Node, depthA int, b ast.Node, depthB int) *Error {
	if err := w.node(a, depthA); err != nil {
		return err
	}
	return w.node(b, depthB)
}

func (w *walker) each(nodes []ast.Node, depth int) *Error {
	for _, n := range nodes {
		if err := w.node(n, depth); err != nil {
			return err
		}
	}
	return nil
}

// text refuses literals that are no data: escapes can spell any byte.
func (w *walker) text(n *ast.StringNode) *Error {
	if err := checkText(n.Value); err != nil {
		err.Offset = w.at(n)
		return err
	}
	return nil
}

func (w *walker) let(x *ast.VariableDeclaratorNode, depth int) *Error {
	if Reserved(x.Name) {
		return w.refuse(x, "choose another name", quote(x.Name)+" is a word of the language")
	}
	if err := w.node(x.Value, depth+1); err != nil {
		return err
	}
	w.locals = append(w.locals, x.Name)
	err := w.node(x.Expr, depth)
	w.locals = w.locals[:len(w.locals)-1]
	return err
}

func (w *walker) member(x *ast.MemberNode, depth int) *Error {
	if base, ok := x.Node.(*ast.IdentifierNode); ok {
		w.nodes++
		if err := w.identifier(base, true); err != nil {
			return err
		}
	} else if err := w.node(x.Node, depth); err != nil {
		return err
	}
	return w.node(x.Property, depth+1)
}

func (w *walker) pointer(x *ast.PointerNode) *Error {
	switch x.Name {
	case "", "acc", "index":
		return nil
	}
	hint := didYouMean(x.Name, []string{"acc", "index"})
	if hint == "" {
		hint = "there are #, #index and, in reduce, #acc"
	}
	return w.refuse(x, hint, "there is no #"+x.Name)
}

func (w *walker) identifier(n *ast.IdentifierNode, member bool) *Error {
	name := n.Value
	if name == "null" {
		return nil
	}
	if name == "$env" {
		return w.refuse(n, "name the variable itself", "$env is not part of the language")
	}
	for _, l := range w.locals {
		if l == name {
			return nil
		}
	}
	if _, ok := functions[name]; ok && !w.document {
		return w.refuse(n, "call it: "+name+"(…)", quote(name)+" is a function")
	}
	r := w.roots[name]
	if r == nil {
		r = &Root{Name: name, Offset: w.at(n)}
		w.roots[name] = r
	}
	r.Member = r.Member || member
	return nil
}

// refused are expr-lang's functions that this language does not have.
var refused = map[string]string{
	"now":      "now is a value, the time in milliseconds: write it without ( )",
	"date":     "times are milliseconds; now is the macrostep's",
	"duration": "durations are milliseconds, so 15 minutes are 15 * 60 * 1000",
	"timezone": "times are milliseconds and have no time zone",
}

func (w *walker) call(n ast.Node, name string, arguments []ast.Node, depth int) *Error {
	if hint, ok := refused[name]; ok {
		return w.refuse(n, hint, quote(name)+" is not a function of this language")
	}
	f, ok := functions[name]
	if w.document && name == inFunction.name {
		f, ok = inFunction.function, true
	}
	if !ok {
		return w.refuse(n, didYouMean(name, functionNames), "there is no function "+quote(name))
	}
	if len(arguments) < f.least || f.most >= 0 && len(arguments) > f.most {
		return w.refuse(n, "write "+f.usage, quote(name)+" takes "+f.counts()+", not "+strconv.Itoa(len(arguments)))
	}
	return w.each(arguments, depth+1)
}

// sorted returns the names that were gathered.
func (w *walker) sorted() []Root {
	out := make([]Root, 0, len(w.roots))
	for _, name := range sortedKeys(w.roots) {
		out = append(out, *w.roots[name])
	}
	return out
}
