package prefix

import "github.com/detent-run/detent/statechart"

// Language is the language for the product's registry.
type Language struct{}

// Version implements [statechart.Language].
func (Language) Version() string { return "prefix/1" }

// Compile implements [statechart.Language].
func (Language) Compile(source string, names statechart.Names) (statechart.Program, error) {
	x, err := Parse(source)
	if err != nil {
		return nil, err
	}
	if err := x.Check(productNames{names}); err != nil {
		return nil, err
	}
	p := &program{expression: x, slots: map[string]statechart.Slot{}}
	x.Variables(func(name string) { p.slots[name], _ = names.Variable(name) })
	return p, nil
}

// productNames answers Check from what the compiler knows.
type productNames struct{ statechart.Names }

func (n productNames) Variable(name string) bool {
	_, ok := n.Names.Variable(name)
	return ok
}

// program is an expression with its variables bound to slots.
type program struct {
	expression *Expression
	slots      map[string]statechart.Slot
}

// Evaluate implements [statechart.Program].
func (p *program) Evaluate(scope *statechart.Scope) (any, error) {
	return p.expression.Evaluate(productScope{scope, p.slots})
}

type productScope struct {
	*statechart.Scope
	slots map[string]statechart.Slot
}

func (s productScope) Variable(name string) any { return s.Load(s.slots[name]) }
