package expression

import (
	"strings"
	"sync"

	"github.com/expr-lang/expr/ast"

	"github.com/detent-run/detent/statechart"
)

func (c *compiler) unary(x *ast.UnaryNode) (code, error) {
	operand, err := c.node(x.Node)
	if err != nil {
		return code{}, err
	}
	at, inner := c.at(x), operand.eval
	if x.Operator == "!" || x.Operator == "not" {
		is, err := operand.condition(`"` + x.Operator + `"`)
		if err != nil {
			return code{}, err
		}
		return decides(at, func(s *statechart.Scope, l []any) (bool, error) {
			b, err := is(s, l)
			return !b, err
		}), nil
	}
	if operand.kinds&number == 0 {
		return code{}, refuse(statechart.CodeExpression, at, "", "%q needs a number, not %s", x.Operator, operand.kinds)
	}
	minus := x.Operator == "-"
	if minus && operand.literal {
		v, err := negate(operand.value)
		return constant(v, at), placed(err, at)
	}
	return yields(operand.kinds&number, at, func(s *statechart.Scope, l []any) (any, error) {
		v, err := inner(s, l)
		if err != nil {
			return nil, err
		}
		if minus {
			v, err = negate(v)
			return v, placed(err, at)
		}
		if kindOf(v)&number == 0 {
			return nil, placed(wrong("", `"+" needs a number, not %s`, describe(v)), at)
		}
		return v, nil
	}), nil
}

// operator is a binary operator that needs both of its operands.
type operator struct {
	left, right kind // that it works on
	gives       kind
	run         func(m meter, a, b any) (any, error)
}

var operators = map[string]operator{
	"-":  {number, number, number, subtract},
	"*":  {number, number, number, multiply},
	"/":  {number, number, decimal, divide},
	"%":  {integer, integer, integer, remainder},
	"**": {number, number, decimal, power},
	"^":  {number, number, decimal, power},
	"..": {integer, integer, list, makeRange},
	"+":  {number | textual, number | textual, number | textual, add},
}

// relation is a binary operator that gives a boolean.
type relation struct {
	left, right kind
	run         func(m meter, a, b any) (bool, error)
}

var relations = map[string]relation{
	"==":         {anything, anything, same},
	"!=":         {anything, anything, differs},
	"<":          {number | textual, number | textual, func(m meter, a, b any) (bool, error) { o, err := order(m, a, b); return o < 0, err }},
	">":          {number | textual, number | textual, func(m meter, a, b any) (bool, error) { o, err := order(m, a, b); return o > 0, err }},
	"<=":         {number | textual, number | textual, func(m meter, a, b any) (bool, error) { o, err := order(m, a, b); return o <= 0, err }},
	">=":         {number | textual, number | textual, func(m meter, a, b any) (bool, error) { o, err := order(m, a, b); return o >= 0, err }},
	"in":         {anything, list | object | null, isIn},
	"contains":   {textual | null, textual | null, textual2("contains", strings.Contains)},
	"startsWith": {textual | null, textual | null, textual2("startsWith", strings.HasPrefix)},
	"endsWith":   {textual | null, textual | null, textual2("endsWith", strings.HasSuffix)},
	"matches":    {textual | null, textual | null, matches},
}

func same(m meter, a, b any) (bool, error) { return equal(m, a, b, 0) }

func differs(m meter, a, b any) (bool, error) {
	is, err := equal(m, a, b, 0)
	return !is, err
}

func (c *compiler) binary(x *ast.BinaryNode) (code, error) {
	switch x.Operator {
	case "and", "&&", "or", "||":
		return c.logic(x)
	case "??":
		return c.otherwise(x, false)
	}
	a, err := c.node(x.Left)
	if err != nil {
		return code{}, err
	}
	b, err := c.node(x.Right)
	if err != nil {
		return code{}, err
	}
	at := c.at(x)
	if err := canWork(x.Operator, a, b, at); err != nil {
		return code{}, err
	}
	if r, ok := relations[x.Operator]; ok {
		return c.relation(x.Operator, r, a, b, at)
	}
	op := operators[x.Operator]
	left, right, run := a.eval, b.eval, op.run
	return yields(resultOf(x.Operator, op, a, b), at, func(s *statechart.Scope, l []any) (any, error) {
		p, err := left(s, l)
		if err != nil {
			return nil, err
		}
		q, err := right(s, l)
		if err != nil {
			return nil, err
		}
		v, err := run(s, p, q)
		if err != nil {
			return nil, placed(err, at)
		}
		return v, nil
	}), nil
}

// resultOf narrows what an operator gives by its operands.
func resultOf(name string, op operator, a, b code) kind {
	both := a.kinds | b.kinds
	switch {
	case name == "+" && (a.kinds&textual == 0 || b.kinds&textual == 0):
		return number
	case name == "+" && (a.kinds&number == 0 || b.kinds&number == 0):
		return textual
	case op.gives == number && both == integer:
		return integer
	}
	return op.gives
}

// canWork refuses what fails whatever the values are.
func canWork(name string, a, b code, at int) error {
	left, right := anything, anything
	if r, ok := relations[name]; ok {
		left, right = r.left, r.right
	} else {
		left, right = operators[name].left, operators[name].right
	}
	pairs := left&textual != 0 && left&number != 0 && left != anything
	switch {
	case a.kinds&left == 0 || b.kinds&right == 0,
		pairs && !(a.kinds&number != 0 && b.kinds&number != 0) && !(a.kinds&textual != 0 && b.kinds&textual != 0):
		return refuse(statechart.CodeExpression, at, operatorHint(name, a.kinds, b.kinds), "%q does not work on %s and %s", name, a.kinds, b.kinds)
	}
	return nil
}

func operatorHint(name string, a, b kind) string {
	switch name {
	case "+":
		return addHint(a, b)
	case "in":
		if b == textual {
			return `write text contains "part"`
		}
	case "%":
		return "turn decimals into integers with int(x)"
	case "<", ">", "<=", ">=":
		if (a|b)&textual != 0 && (a|b)&number != 0 {
			return "turn the text into a number with int(x) or float(x)"
		}
	}
	return ""
}

func (c *compiler) relation(name string, r relation, a, b code, at int) (code, error) {
	if fast := fastRelation(name, a, b, at); fast != nil {
		return decides(at, fast), nil
	}
	if name == "matches" && b.literal {
		return matchesLiteral(a, b, at)
	}
	left, right, run := a.eval, b.eval, r.run
	return decides(at, func(s *statechart.Scope, l []any) (bool, error) {
		p, err := left(s, l)
		if err != nil {
			return false, err
		}
		q, err := right(s, l)
		if err != nil {
			return false, err
		}
		is, err := run(s, p, q)
		if err != nil {
			return false, placed(err, at)
		}
		return is, nil
	}), nil
}

// fastRelation compares with a literal integer or text, which is what most
// guards do.
func fastRelation(name string, a, b code, at int) test {
	left := a.eval
	if k, ok := b.value.(string); ok && (name == "==" || name == "!=") && len(k) < bytesPerUnit*8 {
		want := name == "=="
		return func(s *statechart.Scope, l []any) (bool, error) {
			v, err := left(s, l)
			if err != nil {
				return false, err
			}
			x, ok := v.(string)
			return (ok && x == k) == want, nil
		}
	}
	k, ok := b.value.(int64)
	r, isRelation := relations[name]
	if !ok || !isRelation || name == "in" {
		return nil
	}
	below, alike, above := name == "<" || name == "<=" || name == "!=", name == "==" || name == "<=" || name == ">=", name == ">" || name == ">=" || name == "!="
	boxed := b.value
	return func(s *statechart.Scope, l []any) (bool, error) {
		v, err := left(s, l)
		if err != nil {
			return false, err
		}
		if i, ok := v.(int64); ok {
			return i < k && below || i == k && alike || i > k && above, nil
		}
		is, err := r.run(s, v, boxed)
		return is, placed(err, at)
	}
}

// logic is and and or: the right side is asked only when the left does not
// decide.
func (c *compiler) logic(x *ast.BinaryNode) (code, error) {
	a, err := c.node(x.Left)
	if err != nil {
		return code{}, err
	}
	b, err := c.node(x.Right)
	if err != nil {
		return code{}, err
	}
	where := `"` + x.Operator + `"`
	left, err := a.condition(where)
	if err != nil {
		return code{}, err
	}
	right, err := b.condition(where)
	if err != nil {
		return code{}, err
	}
	decided := x.Operator == "or" || x.Operator == "||"
	return decides(c.at(x), func(s *statechart.Scope, l []any) (bool, error) {
		v, err := left(s, l)
		if err != nil || v == decided {
			return v, err
		}
		return right(s, l)
	}), nil
}

// otherwise is a ?? b: b where a is null or not there. With lenient set b may
// miss, too: another ?? follows.
func (c *compiler) otherwise(x *ast.BinaryNode, lenient bool) (code, error) {
	a, err := c.lenient(x.Left, true)
	if err != nil {
		return code{}, err
	}
	b, err := c.lenient(x.Right, lenient)
	if err != nil {
		return code{}, err
	}
	left, right := a.eval, b.eval
	return yields(a.kinds&^null|b.kinds, c.at(x), func(s *statechart.Scope, l []any) (any, error) {
		v, err := left(s, l)
		if err != nil && err != errShort {
			return nil, err
		}
		if err == nil && v != nil {
			return v, nil
		}
		return right(s, l)
	}), nil
}

// isIn looks for an element of a list or a key of an object.
func isIn(m meter, needle, in any) (bool, error) {
	switch x := in.(type) {
	case nil:
		return false, nil
	case []any:
		if err := m.Charge(int64(len(x))); err != nil {
			return false, err
		}
		for _, e := range x {
			if is, err := equal(m, e, needle, 0); is || err != nil {
				return is, err
			}
		}
		return false, nil
	case map[string]any:
		name, ok := needle.(string)
		if !ok && needle != nil {
			return false, wrong("turn it into text with string(x)", "an object's field is named by text, not by %s", describe(needle))
		}
		_, found := x[name]
		return ok && found, nil
	}
	return false, wrong(operatorHint("in", 0, kindOf(in)), `"in" needs a list or an object on its right, not %s`, describe(in))
}

// textual2 is a relation of two texts; with null there is none.
func textual2(name string, is func(a, b string) bool) func(m meter, a, b any) (bool, error) {
	return func(m meter, a, b any) (bool, error) {
		x, y, ok, err := twoTexts(name, a, b)
		if !ok || err != nil {
			return false, err
		}
		if err := chargeText(m, len(x)+len(y)); err != nil {
			return false, err
		}
		return is(x, y), nil
	}
}

func twoTexts(name string, a, b any) (x, y string, ok bool, err error) {
	if a == nil || b == nil {
		return "", "", false, nil
	}
	x, okX := a.(string)
	y, okY := b.(string)
	if !okX || !okY {
		return "", "", false, wrong("", "%q needs two texts, not %s and %s", name, describe(a), describe(b))
	}
	return x, y, true, nil
}

// matches with a pattern that is computed: it is paid for at each use.
func matches(m meter, a, b any) (bool, error) {
	text, pattern, ok, err := twoTexts("matches", a, b)
	if !ok || err != nil {
		return false, err
	}
	if err := m.Charge(64 * int64(min(len(pattern), MaxPattern)+1)); err != nil {
		return false, err
	}
	p, err := readPattern(pattern)
	if err != nil {
		return false, err
	}
	if err := m.Charge(16 * p.size); err != nil {
		return false, err
	}
	re, err := p.compile()
	if err != nil {
		return false, err
	}
	return p.match(m, re, text)
}

// matchesLiteral compiles the pattern once, when it is first needed: a large
// chart may hold thousands and use few.
func matchesLiteral(a, b code, at int) (code, error) {
	text, ok := b.value.(string)
	if !ok {
		return decides(at, func(s *statechart.Scope, l []any) (bool, error) {
			_, err := a.eval(s, l)
			return false, err
		}), nil
	}
	p, err := readPattern(text)
	if err != nil {
		return code{}, placed(err, b.at)
	}
	left, compiled := a.eval, sync.OnceValues(p.compile)
	return decides(at, func(s *statechart.Scope, l []any) (bool, error) {
		v, err := left(s, l)
		if err != nil {
			return false, err
		}
		x, _, ok, err := twoTexts("matches", v, text)
		if !ok || err != nil {
			return ok, placed(err, at)
		}
		re, err := compiled()
		if err != nil {
			return false, placed(err, at)
		}
		ok, err = p.match(s, re, x)
		return ok, placed(err, at)
	}), nil
}
