package expression

import (
	"slices"

	"github.com/expr-lang/expr/ast"

	"github.com/detent-run/detent/statechart"
)

// CompileLocation checks a place that a value can be assigned to: a variable,
// or a path of fields and elements that begins with one, such as order.total,
// order["total"] or lines[i + 1].price. The error is always an [Error].
//
// All steps but the last must be there. The last one may be a new field of an
// object, or the number just past a list's end, which appends. Values are
// never changed: an assignment makes new objects and lists along the path,
// which it pays for.
func (d Document) CompileLocation(source string, names statechart.Names) (statechart.Location, error) {
	tree, err := parse(source, true)
	if err != nil {
		return nil, err
	}
	c := &compiler{source: source, names: names, document: &d}
	p := &place{}
	if err := c.place(p, tree.node); err != nil {
		return nil, placed(err, 0)
	}
	slices.Reverse(p.steps)
	p.cost, p.locals = c.cost, c.slots
	return p, nil
}

// place is a compiled location.
type place struct {
	slot   statechart.Slot
	steps  []code // which field or element, from the variable on
	cost   int64
	locals int
}

// place follows the path back to its variable.
func (c *compiler) place(p *place, n ast.Node) error {
	c.cost++
	switch x := n.(type) {
	case *ast.MemberNode:
		if x.Optional {
			break
		}
		step, err := c.node(x.Property)
		if err != nil {
			return err
		}
		if step.kinds&(integer|textual) == 0 {
			return refuse(statechart.CodeExpression, step.at, "", "a place is named by an integer or a field's name, not by %s", step.kinds)
		}
		p.steps = append(p.steps, step)
		return c.place(p, x.Node)
	case *ast.IdentifierNode:
		return c.placeOf(p, x)
	}
	return refuse(statechart.CodeExpression, c.at(n), "write a variable, or a path of fields and elements such as a.b[0]", "this is no place that a value can be assigned to")
}

func (c *compiler) placeOf(p *place, x *ast.IdentifierNode) (err error) {
	if c.isSystem(x.Value) {
		return refuse(statechart.CodeExpression, c.at(x), "", "%s cannot be assigned", x.Value)
	}
	var ok bool
	if p.slot, ok = c.names.Variable(x.Value); !ok {
		return refuse(statechart.CodeUnknownName, c.at(x), didYouMean(x.Value, c.names.Visible()), "there is no variable %s here", quote(x.Value))
	}
	return nil
}

// Assign pays for the parts, evaluates the steps and stores the value.
func (p *place) Assign(s *statechart.Scope, value any) error {
	if err := chargeRun(s, p.cost, p.locals); err != nil {
		return err
	}
	locals := make([]any, p.locals)
	steps := make([]any, len(p.steps))
	for i, step := range p.steps {
		v, err := step.eval(s, locals)
		if err != nil {
			return err
		}
		steps[i] = v
	}
	out, err := p.put(s, s.Load(p.slot), steps, value)
	if err != nil {
		return err
	}
	return s.Store(p.slot, out)
}

// chargeRun pays for what a run takes before its parts begin.
func chargeRun(s *statechart.Scope, cost int64, locals int) error {
	if err := s.Charge(cost); err != nil || locals == 0 {
		return err
	}
	return chargeList(s, locals)
}

// put gives what v becomes when the value stands at the steps. It copies what
// lies on the way; everything else is shared.
func (p *place) put(s *statechart.Scope, v any, steps []any, value any) (any, error) {
	if len(steps) == 0 {
		return value, nil
	}
	at := p.steps[len(p.steps)-len(steps)].at
	out, err := p.putInto(s, v, steps, value)
	if err != nil {
		return nil, placed(err, at)
	}
	return out, nil
}

func (p *place) putInto(s *statechart.Scope, v any, steps []any, value any) (any, error) {
	last := len(steps) == 1
	switch x := v.(type) {
	case map[string]any:
		name, ok := steps[0].(string)
		if !ok {
			return nil, wrong("turn it into text with string(x)", "an object's field is named by text, not by %s", describe(steps[0]))
		}
		old, found := x[name]
		if !found && !last {
			return nil, wrong("assign an object to it first", "there is no field %s", quote(name))
		}
		if err := chargeObject(s, len(x)+1); err != nil {
			return nil, err
		}
		inner, err := p.put(s, old, steps[1:], value)
		if err != nil {
			return nil, err
		}
		out := make(map[string]any, len(x)+1)
		for k, v := range x {
			out[k] = v
		}
		out[name] = inner
		return out, nil
	case []any:
		i, ok := steps[0].(int64)
		if !ok {
			return nil, wrong("", "a list's element is named by an integer, not by %s", describe(steps[0]))
		}
		return p.putElement(s, x, i, steps, value)
	}
	hint := ""
	if v == nil {
		hint = "assign an object or a list to it first"
	}
	return nil, wrong(hint, "%s has no fields and elements", describe(v))
}

func (p *place) putElement(s *statechart.Scope, x []any, i int64, steps []any, value any) (any, error) {
	n := int64(len(x))
	at := i
	if at < 0 {
		at += n
	}
	appends := at == n && i >= 0 && len(steps) == 1
	if at < 0 || at >= n && !appends {
		return nil, wrong("the number just past the end appends", "there is no element %d in a list of %d", i, n)
	}
	if err := chargeList(s, len(x)+1); err != nil {
		return nil, err
	}
	if appends {
		return append(slices.Clip(x), value), nil
	}
	inner, err := p.put(s, x[at], steps[1:], value)
	if err != nil {
		return nil, err
	}
	out := slices.Clone(x)
	out[at] = inner
	return out, nil
}
