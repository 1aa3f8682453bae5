package expression

import (
	"github.com/expr-lang/expr/ast"

	"github.com/detent-run/detent/statechart"
)

// turns is a call of a function with a body: the list that it goes through,
// and the body, which runs once for each element.
type turns struct {
	name     string
	at       int
	list     eval // nil for a range, of which no list is made
	lo, hi   eval
	each     code
	cost     int64 // of one turn
	element  int   // slots of locals
	index    int   // -1 unless the body reads it
	acc      int
	third    code // the last argument of sortBy and reduce
	hasThird bool
	elements shape
}

// callTurns compiles the call: the list, then the body with # as its
// element.
func (c *compiler) callTurns(n ast.Node, name string, f *function, args []ast.Node) (code, error) {
	t := &turns{name: name, at: c.at(n), index: -1}
	if err := c.through(t, f, args[0]); err != nil {
		return code{}, err
	}
	t.element, t.acc = c.slot(), -1
	if name == "reduce" {
		t.acc = c.slot()
	}
	if len(args) > 1 {
		if err := c.body(t, args[1]); err != nil {
			return code{}, err
		}
	} else {
		t.cost, t.each = 1, c.elementCode(t)
	}
	if len(args) > 2 {
		var err error
		if t.third, err = c.node(args[2]); err != nil {
			return code{}, err
		}
		t.hasThird = true
	}
	return f.turns(c, t)
}

// through compiles what the function goes through.
func (c *compiler) through(t *turns, f *function, n ast.Node) error {
	if r, ok := n.(*ast.BinaryNode); ok && r.Operator == ".." {
		c.cost++
		ends, err := c.nodes([]ast.Node{r.Left, r.Right})
		if err != nil {
			return err
		}
		if err := canWork("..", ends[0], ends[1], c.at(r)); err != nil {
			return err
		}
		t.lo, t.hi, t.elements = ends[0].eval, ends[1].eval, only(integer)
		return nil
	}
	of, err := c.node(n)
	if err != nil {
		return err
	}
	if of.kinds&list == 0 {
		return refuse(statechart.CodeExpression, of.at, "write "+f.usage, "%s", badArgument(t.name, list, of.kinds))
	}
	t.list, t.elements = of.eval, unknown
	if of.kinds == list {
		t.elements = of.element()
	}
	return nil
}

// body compiles what runs for each element, counting what one turn costs.
func (c *compiler) body(t *turns, n ast.Node) error {
	outer := c.cost
	c.cost = 1
	c.bodies = append(c.bodies, body{function: t.name, element: t.element, acc: t.acc, index: -1, shape: t.elements})
	inner := n
	if p, ok := n.(*ast.PredicateNode); ok {
		inner = p.Node
	}
	each, err := c.node(inner)
	b := c.bodies[len(c.bodies)-1]
	c.bodies = c.bodies[:len(c.bodies)-1]
	t.each, t.index, t.cost = each, b.index, c.cost
	c.cost = outer + 1
	return err
}

func (c *compiler) elementCode(t *turns) code {
	slot := t.element
	return code{shape: t.elements, at: t.at, eval: func(_ *statechart.Scope, l []any) (any, error) { return l[slot], nil }}
}

// pointer is #, #index or #acc in the innermost body.
func (c *compiler) pointer(x *ast.PointerNode) (code, error) {
	at := c.at(x)
	if len(c.bodies) == 0 {
		return code{}, refuse(statechart.CodeExpression, at, syntaxHints["#"], "# stands outside of a function's body")
	}
	b := &c.bodies[len(c.bodies)-1]
	slot, sh := b.element, b.shape
	switch x.Name {
	case "acc":
		if b.acc < 0 {
			return code{}, refuse(statechart.CodeExpression, at, "name it with let outside of the inner body", "#acc is known in the body of reduce only, not of %s", b.function)
		}
		slot, sh = b.acc, unknown
	case "index":
		if b.index < 0 {
			b.index = c.slot()
		}
		slot, sh = b.index, only(integer)
	}
	return code{shape: sh, at: at, eval: func(_ *statechart.Scope, l []any) (any, error) { return l[slot], nil }}, nil
}

// sequence is a list or a range that is gone through.
type sequence struct {
	list []any
	lo   int64
	size int64
}

func (q *sequence) element(i int64) any {
	if q.list != nil {
		return q.list[i]
	}
	return q.lo + i
}

// open evaluates what is gone through.
func (t *turns) open(s *statechart.Scope, l []any) (sequence, error) {
	if t.list == nil {
		a, err := t.lo(s, l)
		if err != nil {
			return sequence{}, err
		}
		b, err := t.hi(s, l)
		if err != nil {
			return sequence{}, err
		}
		lo, hi, err := rangeEnds(a, b)
		return sequence{lo: lo, size: rangeSize(lo, hi)}, placed(err, t.at)
	}
	v, err := t.list(s, l)
	if err != nil {
		return sequence{}, err
	}
	x, ok := v.([]any)
	if !ok {
		return sequence{}, refuse(statechart.CodeExpression, t.at, "write "+functions[t.name].usage, "%s", badArgument(t.name, list, kindOf(v)))
	}
	return sequence{list: x, size: int64(len(x))}, nil
}

// enter pays for a turn and shows the element to the body.
func (t *turns) enter(s *statechart.Scope, l []any, q *sequence, i int64) error {
	if err := s.Charge(t.cost); err != nil {
		return err
	}
	l[t.element] = q.element(i)
	if t.index >= 0 {
		l[t.index] = i
	}
	return nil
}

// all runs the body for each element in order.
func (t *turns) all(s *statechart.Scope, l []any, visit func(element, v any) error) error {
	q, err := t.open(s, l)
	if err != nil {
		return err
	}
	for i := range q.size {
		if err := t.enter(s, l, &q, i); err != nil {
			return err
		}
		element := l[t.element]
		v, err := t.each.eval(s, l)
		if err != nil {
			return err
		}
		if err := visit(element, v); err != nil {
			return placed(err, t.at)
		}
	}
	return nil
}

// until runs a body that must give a boolean until visit is done; the
// element is then still in its local.
func (t *turns) until(s *statechart.Scope, l []any, is test, back bool, visit func(i int64, is bool) (done bool)) error {
	q, err := t.open(s, l)
	if err != nil {
		return err
	}
	if back && q.size == most {
		return placed(tooMuch("", "the range has too many elements to begin with the last"), t.at)
	}
	for k := range q.size {
		i := k
		if back {
			i = q.size - 1 - k
		}
		if err := t.enter(s, l, &q, i); err != nil {
			return err
		}
		b, err := is(s, l)
		if err != nil {
			return err
		}
		if visit(i, b) {
			return nil
		}
	}
	return nil
}
