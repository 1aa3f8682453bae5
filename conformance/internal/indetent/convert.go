package indetent

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/parser"

	detent "github.com/detent-run/detent/expression"
)

// kind is what is known of a value.
type kind uint8

const (
	unknown kind = iota
	boolean
	number
	text
	list
	object
	null
)

// code is an expression in Detent's language.
type code struct {
	source string
	kind   kind
	atom   bool // it can stand beside an operator as it is
}

func atom(k kind, source string) code { return code{source: source, kind: k, atom: true} }

func (c code) operand() string {
	if c.atom {
		return c.source
	}
	return "(" + c.source + ")"
}

// errUnsayable is of what has no equal.
var errUnsayable = errors.New("it has no equal in the language of expressions")

func unsayable(what string) error { return fmt.Errorf("%s: %w", what, errUnsayable) }

// wrong is an expression that fails whenever it is executed, for one that
// ECMAScript cannot parse.
const wrong = "this is no expression"

// converter knows which variables a document declares, and what those of a
// function stand for that is called where it stands.
type converter struct {
	declared map[string]bool
	locals   map[string]code
}

// expression rewrites an expression.
func expression(source string, declared map[string]bool) (string, error) {
	x, ok := parse(source)
	if !ok {
		return unparsed(source), nil
	}
	c, err := (converter{declared: declared}).expression(x)
	return c.source, err
}

// condition rewrites an expression of which only the truth counts.
func condition(source string, declared map[string]bool) (string, error) {
	x, ok := parse(source)
	if !ok {
		return unparsed(source), nil
	}
	c, err := (converter{declared: declared}).truth(x)
	return c.source, err
}

// location rewrites what a value is assigned to. What is none there is none
// here.
func location(source string, declared map[string]bool) (string, error) {
	x, ok := parse(source)
	if !ok {
		return source, nil
	}
	c, err := (converter{declared: declared}).place(x)
	return c.source, err
}

// unparsed keeps a source that is wrong in both languages.
func unparsed(source string) string {
	if _, err := (detent.Document{}).Parse(source); err != nil {
		return source
	}
	return wrong
}

// parse reads one expression; a semicolon may follow it.
func parse(source string) (ast.Expression, bool) {
	for _, form := range []string{"(" + source + "\n)", source} {
		program, err := parser.ParseFile(nil, "", form, parser.IgnoreRegExpErrors)
		if err != nil || len(program.Body) != 1 {
			continue
		}
		if s, ok := program.Body[0].(*ast.ExpressionStatement); ok {
			return s.Expression, true
		}
	}
	return nil, false
}

func (c converter) expression(x ast.Expression) (code, error) {
	switch x := x.(type) {
	case *ast.NullLiteral:
		return atom(null, "nil"), nil
	case *ast.BooleanLiteral:
		return atom(boolean, strconv.FormatBool(x.Value)), nil
	case *ast.NumberLiteral:
		return numberOf(x)
	case *ast.StringLiteral:
		return atom(text, detent.Quote(x.Value.String())), nil
	case *ast.Identifier:
		return c.identifier(x)
	case *ast.ArrayLiteral:
		return c.array(x)
	case *ast.ObjectLiteral:
		return c.object(x)
	case *ast.DotExpression:
		return c.member(x.Left, x.Identifier.Name.String())
	case *ast.BracketExpression:
		return c.element(x)
	case *ast.UnaryExpression:
		return c.unary(x)
	case *ast.BinaryExpression:
		return c.binary(x)
	case *ast.ConditionalExpression:
		return c.choice(x)
	case *ast.CallExpression:
		return c.call(x)
	case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral:
		return code{}, unsayable("a function")
	case *ast.NewExpression:
		return code{}, unsayable("new")
	case *ast.AssignExpression:
		return code{}, unsayable("an assignment")
	}
	return code{}, unsayable(strings.TrimPrefix(fmt.Sprintf("%T", x), "*ast."))
}

func numberOf(x *ast.NumberLiteral) (code, error) {
	switch v := x.Value.(type) {
	case int64:
		return atom(number, strconv.FormatInt(v, 10)), nil
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return atom(number, strconv.FormatInt(int64(v), 10)), nil
		}
		if !math.IsInf(v, 0) {
			return atom(number, strconv.FormatFloat(v, 'g', -1, 64)), nil
		}
	}
	return code{}, unsayable("the number " + x.Literal)
}

func (c converter) identifier(x *ast.Identifier) (code, error) {
	name := x.Name.String()
	if v, ok := c.locals[name]; ok {
		return v, nil
	}
	switch {
	case c.declared[name]:
		return atom(unknown, name), nil
	case name == "undefined":
		return atom(null, "nil"), nil
	case name == "NaN" || name == "Infinity":
		return code{}, unsayable(name)
	case strings.HasPrefix(name, "_"):
		return atom(unknown, name), nil
	case detent.Reserved(name):
		return atom(unknown, wrong), nil // it is declared nowhere
	default:
		return atom(unknown, name), nil
	}
}

func (c converter) array(x *ast.ArrayLiteral) (code, error) {
	parts, err := c.expressions(x.Value)
	if err != nil {
		return code{}, err
	}
	return atom(list, "["+strings.Join(parts, ", ")+"]"), nil
}

func (c converter) expressions(list []ast.Expression) ([]string, error) {
	out := make([]string, len(list))
	for i, x := range list {
		if x == nil {
			return nil, unsayable("a hole in a list")
		}
		part, err := c.expression(x)
		if err != nil {
			return nil, err
		}
		out[i] = part.source
	}
	return out, nil
}

func (c converter) object(x *ast.ObjectLiteral) (code, error) {
	var parts []string
	for _, p := range x.Value {
		keyed, ok := p.(*ast.PropertyKeyed)
		if !ok || keyed.Kind != ast.PropertyKindValue || keyed.Computed {
			return code{}, unsayable("this form of an object")
		}
		key, err := c.expression(keyed.Key)
		if err != nil {
			return code{}, err
		}
		value, err := c.expression(keyed.Value)
		if err != nil {
			return code{}, err
		}
		if key.kind == number {
			key.source = detent.Quote(key.source)
		}
		parts = append(parts, key.source+": "+value.source)
	}
	return atom(object, "{"+strings.Join(parts, ", ")+"}"), nil
}

func (c converter) choice(x *ast.ConditionalExpression) (code, error) {
	test, err := c.truth(x.Test)
	if err != nil {
		return code{}, err
	}
	yes, err := c.expression(x.Consequent)
	if err != nil {
		return code{}, err
	}
	no, err := c.expression(x.Alternate)
	if err != nil {
		return code{}, err
	}
	out := code{source: test.operand() + " ? " + yes.operand() + " : " + no.operand()}
	if yes.kind == no.kind {
		out.kind = yes.kind
	}
	return out, nil
}
