// Package prefix is a tiny expression language for tests: fully bracketed,
// in prefix form, deterministic and total. It exists so that random charts
// can hold data without the tests depending on a real language.
//
//	(+ x 1)  (< attempts 3)  (in A.b)  (data k)  (push items (now))  (fail)
//
// A bare word is a variable; literals are integers, 'text', true, false and
// nil. Each node that is evaluated charges one unit of fuel.
package prefix

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// Scope is what an expression reads.
type Scope interface {
	// Variable returns the value of a variable that [Check] accepted.
	Variable(name string) any
	// Event is the one that is being processed.
	Event() statechart.Event
	// Active reports whether the state at path is active.
	Active(path string) bool
	// Now is the time of the macrostep in milliseconds.
	Now() int64
	// Len is the length of an append-only list.
	Len(list string) int64
	// Charge takes n units of fuel; its error ends the evaluation.
	Charge(n int64) error
}

// Names says which names an expression may use.
type Names interface {
	// Variable reports whether a variable of that name is visible.
	Variable(name string) bool
	// State reports whether there is a state at path.
	State(path string) bool
	// List reports whether there is an append-only list of that name.
	List(name string) bool
}

// Expression is a parsed expression. It is immutable.
type Expression struct {
	form string // the operator, "literal" or "variable"
	name string // of a variable, state, list or field
	lit  any
	args []*Expression
}

// Parse reads one expression.
func Parse(source string) (*Expression, error) {
	p := parser{tokens: tokens(source)}
	x, err := p.expression()
	if err != nil {
		return nil, err
	}
	if len(p.tokens) > 0 {
		return nil, fmt.Errorf("%q stands after the expression", p.tokens[0])
	}
	return x, nil
}

func tokens(source string) []string {
	var out []string
	for i := 0; i < len(source); {
		j := i + 1
		switch source[i] {
		case ' ':
			i++
			continue
		case '(', ')':
		case '\'':
			for j < len(source) && source[j] != '\'' {
				j++
			}
			j = min(j+1, len(source))
		default:
			for j < len(source) && !strings.ContainsRune(" ()'", rune(source[j])) {
				j++
			}
		}
		out = append(out, source[i:j])
		i = j
	}
	return out
}

type parser struct{ tokens []string }

func (p *parser) next() string {
	if len(p.tokens) == 0 {
		return ""
	}
	t := p.tokens[0]
	p.tokens = p.tokens[1:]
	return t
}

func (p *parser) expression() (*Expression, error) {
	t := p.next()
	switch {
	case t == "" || t == ")":
		return nil, fmt.Errorf("an expression is missing")
	case t != "(":
		return atom(t)
	}
	x := &Expression{form: p.next()}
	want, known := arity[x.form]
	if !known {
		return nil, fmt.Errorf("%q is no operator", x.form)
	}
	if named[x.form] {
		x.name = p.next()
		want = 0
	}
	for len(p.tokens) > 0 && p.tokens[0] != ")" {
		a, err := p.expression()
		if err != nil {
			return nil, err
		}
		x.args = append(x.args, a)
	}
	if p.next() != ")" {
		return nil, fmt.Errorf("a bracket of %q is not closed", x.form)
	}
	if want >= 0 && len(x.args) != want {
		return nil, fmt.Errorf("%q takes %d arguments", x.form, want)
	}
	return x, nil
}

func atom(t string) (*Expression, error) {
	literal := func(v any) (*Expression, error) { return &Expression{form: "literal", lit: v}, nil }
	switch {
	case t == "nil":
		return literal(nil)
	case t == "true" || t == "false":
		return literal(t == "true")
	case t[0] == '\'':
		return literal(strings.Trim(t, "'"))
	case t[0] == '-' || t[0] >= '0' && t[0] <= '9':
		n, err := strconv.ParseInt(t, 10, 64)
		if err != nil {
			return nil, err
		}
		return literal(n)
	}
	return &Expression{form: "variable", name: t}, nil
}

// Check reports the first name in x that names does not know.
func (x *Expression) Check(names Names) error {
	ok := true
	switch x.form {
	case "variable":
		ok = names.Variable(x.name)
	case "in":
		ok = names.State(x.name)
	case "rows":
		ok = names.List(x.name)
	}
	if !ok {
		return fmt.Errorf("%s is not known here", x.name)
	}
	for _, a := range x.args {
		if err := a.Check(names); err != nil {
			return err
		}
	}
	return nil
}

// Variables calls f with the name of each variable in x.
func (x *Expression) Variables(f func(string)) {
	if x.form == "variable" {
		f(x.name)
	}
	for _, a := range x.args {
		a.Variables(f)
	}
}
