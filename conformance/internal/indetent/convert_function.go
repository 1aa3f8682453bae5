package indetent

import (
	"maps"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

// maxSource bounds what a function becomes: its parts are written out
// wherever they are used.
const maxSource = 3000

// applied is a function that is called where it stands. Its parameters and
// variables are replaced by what they stand for, and its ifs become choices:
// an expression changes nothing, so it does not matter how often it is
// written, or when.
func (c converter) applied(f *ast.FunctionLiteral, arguments []ast.Expression) (code, error) {
	if f.Async || f.Generator || f.ParameterList.Rest != nil || f.Name != nil {
		return code{}, unsayable("this form of a function")
	}
	inner := c.with()
	for i, p := range f.ParameterList.List {
		name, ok := p.Target.(*ast.Identifier)
		if !ok || p.Initializer != nil {
			return code{}, unsayable("this form of a parameter")
		}
		value := atom(null, "nil")
		if i < len(arguments) {
			var err error
			if value, err = c.expression(arguments[i]); err != nil {
				return code{}, err
			}
		}
		inner.locals[name.Name.String()] = value
	}
	out, err := inner.body(f.Body.List)
	if err == nil && len(out.source) > maxSource {
		err = unsayable("a function of that length")
	}
	return out, err
}

// with is a converter whose variables can be set without changing those of c.
func (c converter) with() converter {
	locals := maps.Clone(c.locals)
	if locals == nil {
		locals = map[string]code{}
	}
	return converter{declared: c.declared, locals: locals}
}

// body is what a function returns.
func (c converter) body(list []ast.Statement) (code, error) {
	if len(list) == 0 {
		return atom(null, "nil"), nil
	}
	rest := list[1:]
	switch s := list[0].(type) {
	case *ast.EmptyStatement:
		return c.body(rest)
	case *ast.BlockStatement:
		return c.body(append(append([]ast.Statement(nil), s.List...), rest...))
	case *ast.ReturnStatement:
		if s.Argument == nil {
			return atom(null, "nil"), nil
		}
		return c.expression(s.Argument)
	case *ast.IfStatement:
		return c.branches(s, rest)
	case *ast.VariableStatement:
		return c.variables(s, rest)
	case *ast.ExpressionStatement:
		return c.assignment(s, rest)
	}
	return code{}, unsayable("this statement")
}

// variables is a var with what follows it.
func (c converter) variables(s *ast.VariableStatement, rest []ast.Statement) (code, error) {
	inner := c.with()
	for _, b := range s.List {
		name, ok := b.Target.(*ast.Identifier)
		if !ok || b.Initializer == nil {
			return code{}, unsayable("this form of a variable")
		}
		if err := inner.set(name, b.Initializer); err != nil {
			return code{}, err
		}
	}
	return inner.body(rest)
}

// assignment gives a variable of the function another value for what follows.
func (c converter) assignment(s *ast.ExpressionStatement, rest []ast.Statement) (code, error) {
	a, ok := s.Expression.(*ast.AssignExpression)
	if !ok || a.Operator != token.ASSIGN {
		return code{}, unsayable("this statement")
	}
	name, ok := a.Left.(*ast.Identifier)
	if !ok || !c.isLocal(name) {
		return code{}, unsayable("an assignment to what is not the function's own")
	}
	inner := c.with()
	if err := inner.set(name, a.Right); err != nil {
		return code{}, err
	}
	return inner.body(rest)
}

func (c converter) isLocal(name *ast.Identifier) bool {
	_, local := c.locals[name.Name.String()]
	return local
}

// set gives a variable of the function another value.
func (c converter) set(name *ast.Identifier, value ast.Expression) error {
	v, err := c.expression(value)
	c.locals[name.Name.String()] = v
	return err
}

// branches is an if with what follows it.
func (c converter) branches(s *ast.IfStatement, rest []ast.Statement) (code, error) {
	test, err := c.truth(s.Test)
	if err != nil {
		return code{}, err
	}
	yes, err := c.with().body(append([]ast.Statement{s.Consequent}, rest...))
	if err != nil {
		return code{}, err
	}
	otherwise := rest
	if s.Alternate != nil {
		otherwise = append([]ast.Statement{s.Alternate}, rest...)
	}
	no, err := c.with().body(otherwise)
	if err != nil {
		return code{}, err
	}
	out := code{source: test.operand() + " ? " + yes.operand() + " : " + no.operand()}
	if yes.kind == no.kind {
		out.kind = yes.kind
	}
	return out, nil
}
