package expression

import (
	"github.com/detent-run/detent/statechart"
)

// eval computes a value. The locals are those of this run: variables of let
// and what the bodies of functions look at.
type eval func(s *statechart.Scope, locals []any) (any, error)

// test computes a boolean, without putting it into an interface.
type test func(s *statechart.Scope, locals []any) (bool, error)

// code is one compiled part of an expression.
type code struct {
	eval eval
	test test // where the result can only be a boolean
	shape
	literal bool // value is the result, whatever the scope
	value   any
	at      int
}

func constant(v any, at int) code {
	c := code{literal: true, value: v, at: at, shape: only(kindOf(v))}
	c.eval = func(*statechart.Scope, []any) (any, error) { return v, nil }
	if b, ok := v.(bool); ok {
		c.test = func(*statechart.Scope, []any) (bool, error) { return b, nil }
	}
	return c
}

func yields(k kind, at int, f eval) code { return code{eval: f, shape: only(k), at: at} }

// decides is code of which the result is a boolean.
func decides(at int, f test) code {
	return code{at: at, shape: only(boolean), test: f, eval: func(s *statechart.Scope, l []any) (any, error) {
		b, err := f(s, l)
		if err != nil {
			return nil, err
		}
		return b, nil
	}}
}

// condition returns the test of a part that must be a boolean; what for is
// said in the error.
func (c code) condition(where string) (test, error) {
	if c.test != nil {
		return c.test, nil
	}
	at, inner := c.at, c.eval
	if c.kinds&boolean == 0 {
		return nil, placed(noBoolean(where, c.kinds), at)
	}
	return func(s *statechart.Scope, l []any) (bool, error) {
		v, err := inner(s, l)
		if err != nil {
			return false, err
		}
		b, ok := v.(bool)
		if !ok {
			return false, placed(noBoolean(where, kindOf(v)), at)
		}
		return b, nil
	}, nil
}

func noBoolean(where string, k kind) error {
	hint := "compare it, as in x > 0"
	switch {
	case k&null != 0:
		hint = "compare it, as in x != null"
	case k&textual != 0:
		hint = `compare it, as in x != ""`
	case k&list != 0:
		hint = "compare its length, as in len(x) > 0"
	case k&object != 0:
		hint = "compare a field of it"
	}
	return wrong(hint, "%s needs a boolean, not %s", where, k)
}

// program is a compiled expression.
type program struct {
	code
	cost   int64 // of the parts outside of functions' bodies
	locals int
}

// Evaluate pays for the parts and computes the value.
func (p *program) Evaluate(s *statechart.Scope) (any, error) {
	if err := s.Charge(p.cost); err != nil {
		return nil, err
	}
	var locals []any
	if p.locals > 0 {
		if err := chargeList(s, p.locals); err != nil {
			return nil, err
		}
		locals = make([]any, p.locals)
	}
	return p.eval(s, locals)
}
