package indetent

import (
	"regexp"

	"github.com/dop251/goja/ast"

	detent "github.com/detent-run/detent/expression"
)

// name is what may follow a dot.
var name = regexp.MustCompile(`^[\pL_$][\pL\pN_$]*$`)

// member is x.name. The path to it must be there, as in ECMAScript, and the
// last step may be undefined.
func (c converter) member(base ast.Expression, field string) (code, error) {
	of, err := c.base(base)
	if err != nil {
		return code{}, err
	}
	if field == "length" {
		return atom(number, "len("+of.source+")"), nil
	}
	if !name.MatchString(field) {
		return atom(unknown, of.operand()+"?.["+detent.Quote(field)+"]"), nil
	}
	return atom(unknown, of.operand()+"?."+field), nil
}

// element is x[i].
func (c converter) element(x *ast.BracketExpression) (code, error) {
	if s, ok := x.Member.(*ast.StringLiteral); ok {
		return c.member(x.Left, s.Value.String())
	}
	of, err := c.base(x.Left)
	if err != nil {
		return code{}, err
	}
	index, err := c.expression(x.Member)
	if err != nil {
		return code{}, err
	}
	return atom(unknown, of.operand()+"?.["+index.source+"]"), nil
}

// base is what a member is read of: a path that must be there to its end.
func (c converter) base(x ast.Expression) (code, error) {
	switch x.(type) {
	case *ast.DotExpression, *ast.BracketExpression:
		return c.place(x)
	}
	return c.expression(x)
}

// place is a path that must be there: of what is read, or assigned to.
func (c converter) place(x ast.Expression) (code, error) {
	switch x := x.(type) {
	case *ast.DotExpression:
		field := x.Identifier.Name.String()
		of, err := c.place(x.Left)
		if err != nil {
			return code{}, err
		}
		if field == "length" {
			return atom(number, "len("+of.source+")"), nil
		}
		if !name.MatchString(field) {
			return atom(unknown, of.operand()+"["+detent.Quote(field)+"]"), nil
		}
		return atom(unknown, of.operand()+"."+field), nil
	case *ast.BracketExpression:
		of, err := c.place(x.Left)
		if err != nil {
			return code{}, err
		}
		index, err := c.expression(x.Member)
		if err != nil {
			return code{}, err
		}
		return atom(unknown, of.operand()+"["+index.source+"]"), nil
	}
	return c.expression(x)
}
