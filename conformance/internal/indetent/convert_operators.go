package indetent

import (
	"slices"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

// truth is an expression of which only the truth counts.
func (c converter) truth(x ast.Expression) (code, error) {
	if b, ok := x.(*ast.BinaryExpression); ok && (b.Operator == token.LOGICAL_AND || b.Operator == token.LOGICAL_OR) {
		return c.logic(b)
	}
	v, err := c.expression(x)
	if err != nil {
		return code{}, err
	}
	return c.asTruth(x, v), nil
}

// asTruth is whether a value counts as true: what is no boolean is compared
// with what does not.
func (c converter) asTruth(x ast.Expression, v code) code {
	switch v.kind {
	case boolean:
		return v
	case null:
		return atom(boolean, "false")
	case list, object:
		return code{source: "type(" + v.source + ") != 'nil'", kind: boolean}
	case number:
		return code{source: v.operand() + " != 0", kind: boolean}
	case text:
		return code{source: v.operand() + " != ''", kind: boolean}
	}
	return code{source: "not (" + orNull(x, v) + " in [nil, false, 0, ''])", kind: boolean}
}

// orNull is a value that may be absent, null then.
func orNull(x ast.Expression, v code) string {
	if i, ok := x.(*ast.Identifier); ok && i.Name != "_event" {
		return v.operand()
	}
	return "(" + v.operand() + " ?? nil)"
}

// logic is && or || where only the truth counts.
func (c converter) logic(x *ast.BinaryExpression) (code, error) {
	a, err := c.truth(x.Left)
	if err != nil {
		return code{}, err
	}
	b, err := c.truth(x.Right)
	if err != nil {
		return code{}, err
	}
	word := " and "
	if x.Operator == token.LOGICAL_OR {
		word = " or "
	}
	return code{source: a.operand() + word + b.operand(), kind: boolean}, nil
}

// unary is !x, -x, typeof x and the like.
func (c converter) unary(x *ast.UnaryExpression) (code, error) {
	switch x.Operator {
	case token.NOT:
		v, err := c.truth(x.Operand)
		return code{source: "not " + v.operand(), kind: boolean}, err
	case token.TYPEOF:
		return c.typeOf(x.Operand)
	case token.MINUS, token.PLUS:
		v, err := c.expression(x.Operand)
		if err == nil && v.kind != number && v.kind != unknown {
			err = unsayable("a sign before what is no number")
		}
		return code{source: x.Operator.String() + v.operand(), kind: number}, err
	case token.VOID:
		return atom(null, "nil"), nil
	case token.INCREMENT, token.DECREMENT, token.DELETE:
		return code{}, unsayable("an assignment")
	}
	return code{}, unsayable("the operator " + x.Operator.String())
}

// types has the words of typeof by those of type.
const types = "{nil: 'undefined', bool: 'boolean', int: 'number', float: 'number', string: 'string', array: 'object', map: 'object'}"

// typeOf is typeof x. A name that is declared nowhere is no error in it.
func (c converter) typeOf(x ast.Expression) (code, error) {
	absent, err := c.maybe(x)
	return atom(text, types+"[type("+absent+")]"), err
}

// maybe is a value that may be absent or declared nowhere.
func (c converter) maybe(x ast.Expression) (string, error) {
	if i, ok := x.(*ast.Identifier); ok && !c.declared[i.Name.String()] && !slices.Contains(system, i.Name.String()) && !c.isLocal(i) {
		return "nil", nil
	}
	v, err := c.expression(x)
	return orNull(x, v), err
}

// system are the variables that every document has.
var system = []string{"_event", "_sessionid", "_name", "_ioprocessors", "_x"}

var comparisons = map[token.Token]string{
	token.EQUAL: "==", token.STRICT_EQUAL: "==", token.NOT_EQUAL: "!=", token.STRICT_NOT_EQUAL: "!=",
	token.LESS: "<", token.GREATER: ">", token.LESS_OR_EQUAL: "<=", token.GREATER_OR_EQUAL: ">=",
}

var arithmetic = map[token.Token]string{token.MINUS: "-", token.MULTIPLY: "*", token.SLASH: "/", token.REMAINDER: "%", token.EXPONENT: "**"}

func (c converter) binary(x *ast.BinaryExpression) (code, error) {
	switch x.Operator {
	case token.LOGICAL_AND, token.LOGICAL_OR:
		return c.either(x)
	case token.INSTANCEOF:
		return c.instance(x)
	case token.IN:
		return c.within(x)
	}
	if out, ok, err := c.undefined(x); ok {
		return out, err
	}
	a, err := c.expression(x.Left)
	if err != nil {
		return code{}, err
	}
	b, err := c.expression(x.Right)
	if err != nil {
		return code{}, err
	}
	if word, ok := comparisons[x.Operator]; ok {
		loose := x.Operator == token.EQUAL || x.Operator == token.NOT_EQUAL
		if loose && a.kind != b.kind && a.kind != unknown && b.kind != unknown && a.kind != null && b.kind != null {
			return code{}, unsayable("== of two kinds, one of which it converts")
		}
		return code{source: a.operand() + " " + word + " " + b.operand(), kind: boolean}, nil
	}
	if word, ok := arithmetic[x.Operator]; ok {
		return code{source: a.operand() + " " + word + " " + b.operand(), kind: number}, nil
	}
	if x.Operator == token.PLUS {
		return plus(a, b), nil
	}
	return code{}, unsayable("the operator " + x.Operator.String())
}

// plus adds numbers, and joins text with whatever stands beside it.
func plus(a, b code) code {
	switch {
	case a.kind == text && b.kind == text, a.kind != text && b.kind != text:
		k := unknown
		if a.kind == b.kind {
			k = a.kind
		}
		return code{source: a.operand() + " + " + b.operand(), kind: k}
	}
	return atom(text, "text("+a.source+", "+b.source+")")
}

// undefined is a comparison with undefined, with null, or of a typeof with its
// word for undefined.
func (c converter) undefined(x *ast.BinaryExpression) (out code, ok bool, err error) {
	word, compares := comparisons[x.Operator]
	if !compares || word != "==" && word != "!=" {
		return code{}, false, nil
	}
	for _, side := range [2][2]ast.Expression{{x.Left, x.Right}, {x.Right, x.Left}} {
		of, isTypeOf := side[0].(*ast.UnaryExpression)
		literal, isText := side[1].(*ast.StringLiteral)
		name, isName := side[1].(*ast.Identifier)
		_, isNull := side[1].(*ast.NullLiteral)
		switch {
		case isTypeOf && of.Operator == token.TYPEOF && isText && literal.Value == "undefined":
			v, err := c.maybe(of.Operand)
			return code{source: v + " " + word + " nil", kind: boolean}, true, err
		case isNull || isName && name.Name == "undefined":
			v, err := c.expression(side[0])
			return code{source: orNull(side[0], v) + " " + word + " nil", kind: boolean}, true, err
		}
	}
	return code{}, false, nil
}

// either is && or || where the value counts.
func (c converter) either(x *ast.BinaryExpression) (code, error) {
	a, err := c.expression(x.Left)
	if err != nil {
		return code{}, err
	}
	b, err := c.expression(x.Right)
	if err != nil {
		return code{}, err
	}
	if a.kind == boolean && b.kind == boolean {
		return c.logic(x)
	}
	test, yes, no := c.asTruth(x.Left, a), b, a
	if x.Operator == token.LOGICAL_OR {
		yes, no = a, b
	}
	out := code{source: test.operand() + " ? " + yes.operand() + " : " + no.operand()}
	if a.kind == b.kind {
		out.kind = a.kind
	}
	return out, nil
}

// instance is x instanceof Array or Object.
func (c converter) instance(x *ast.BinaryExpression) (code, error) {
	class, _ := x.Right.(*ast.Identifier)
	v, err := c.expression(x.Left)
	switch {
	case err != nil:
		return code{}, err
	case class != nil && class.Name == "Array":
		return code{source: "type(" + v.source + ") == 'array'", kind: boolean}, nil
	case class != nil && class.Name == "Object":
		return code{source: "type(" + v.source + ") in ['array', 'map']", kind: boolean}, nil
	}
	return code{}, unsayable("instanceof")
}

// eventFields are the fields that every event of SCXML has (5.10.1).
var eventFields = []string{"name", "type", "sendid", "origin", "origintype", "invokeid", "data"}

// within is 'name' in x.
func (c converter) within(x *ast.BinaryExpression) (code, error) {
	key, err := c.expression(x.Left)
	if err != nil {
		return code{}, err
	}
	of, err := c.expression(x.Right)
	if err != nil {
		return code{}, err
	}
	literal, isText := x.Left.(*ast.StringLiteral)
	if of.source == "_event" && isText && slices.Contains(eventFields, literal.Value.String()) {
		return atom(boolean, "has(_event, 'name')"), nil
	}
	if key.kind != text {
		return code{}, unsayable("in with what is no text")
	}
	return atom(boolean, "has("+of.source+", "+key.source+")"), nil
}
