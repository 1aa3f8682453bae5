package indetent

import (
	"strings"

	"github.com/dop251/goja/ast"

	detent "github.com/detent-run/detent/expression"
)

// functions are those of ECMAScript's objects that have an equal of as many
// arguments.
var functions = map[string]struct {
	arguments int
	source    func(args []string) string
	kind      kind
}{
	"Math.pow":       {2, func(a []string) string { return "(" + a[0] + ") ** (" + a[1] + ")" }, number},
	"Math.abs":       {1, plain("abs"), number},
	"Math.floor":     {1, plain("floor"), number},
	"Math.ceil":      {1, plain("ceil"), number},
	"JSON.stringify": {1, plain("toJSON"), text},
	"JSON.parse":     {1, plain("fromJSON"), unknown},
	"Array.isArray":  {1, func(a []string) string { return "(type(" + a[0] + ") == 'array')" }, boolean},
	"String":         {1, plain("text"), text},
}

func plain(name string) func([]string) string {
	return func(args []string) string { return name + "(" + strings.Join(args, ", ") + ")" }
}

func (c converter) call(x *ast.CallExpression) (code, error) {
	switch callee := x.Callee.(type) {
	case *ast.Identifier:
		return c.function(callee.Name.String(), x.ArgumentList)
	case *ast.DotExpression:
		if of, ok := callee.Left.(*ast.Identifier); ok && !c.declared[of.Name.String()] {
			if full := of.Name.String() + "." + callee.Identifier.Name.String(); functions[full].source != nil {
				return c.function(full, x.ArgumentList)
			}
		}
		return c.method(callee, x.ArgumentList)
	case *ast.FunctionLiteral:
		return c.applied(callee, x.ArgumentList)
	}
	return code{}, unsayable("a call")
}

// function calls a function by its name. One that is there nowhere is an error
// when it is called, in both languages.
func (c converter) function(name string, arguments []ast.Expression) (code, error) {
	args, err := c.expressions(arguments)
	if err != nil {
		return code{}, err
	}
	f, known := functions[name]
	switch {
	case c.declared[name]:
		return code{}, unsayable("a call of the variable " + name)
	case name == "In" && len(args) == 1:
		return atom(boolean, "In("+args[0]+")"), nil
	case known && len(args) == f.arguments:
		return atom(f.kind, f.source(args)), nil
	case known || detent.Reserved(name):
		return code{}, unsayable("a call of " + name)
	}
	return atom(unknown, plain(name)(args)), nil
}

// method calls a method of a value.
func (c converter) method(callee *ast.DotExpression, arguments []ast.Expression) (code, error) {
	of, err := c.base(callee.Left)
	if err != nil {
		return code{}, err
	}
	switch name := callee.Identifier.Name.String(); {
	case name == "concat":
		return c.concat(of, arguments)
	case name == "slice" && len(arguments) > 0 && len(arguments) < 3:
		ends, err := c.expressions(arguments)
		if err != nil {
			return code{}, err
		}
		return atom(of.kind, of.operand()+"["+ends[0]+":"+strings.Join(ends[1:], "")+"]"), nil
	default:
		return code{}, unsayable("the method " + name)
	}
}

// concat joins lists, and what is none as an element.
func (c converter) concat(of code, arguments []ast.Expression) (code, error) {
	if of.kind != list {
		return code{}, unsayable("concat of what may be text")
	}
	parts := []string{of.source}
	for _, a := range arguments {
		v, err := c.expression(a)
		if err != nil {
			return code{}, err
		}
		switch v.kind {
		case list:
			parts = append(parts, v.source)
		case unknown:
			parts = append(parts, "type("+v.source+") == 'array' ? "+v.operand()+" : ["+v.source+"]")
		default:
			parts = append(parts, "["+v.source+"]")
		}
	}
	return atom(list, plain("concat")(parts)), nil
}
