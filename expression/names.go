package expression

import (
	"slices"

	"github.com/expr-lang/expr/ast"

	"github.com/detent-run/detent/statechart"
)

// identifier is a name on its own; the fields of event and session are read
// in member without making these objects.
func (c *compiler) identifier(x *ast.IdentifierNode) (code, error) {
	at := c.at(x)
	for _, l := range slices.Backward(c.lets) {
		if l.name == x.Value {
			slot := l.slot
			return code{shape: l.shape, at: at, eval: func(_ *statechart.Scope, l []any) (any, error) { return l[slot], nil }}, nil
		}
	}
	if c.isSystem(x.Value) {
		return c.system(x.Value, at), nil
	}
	if slot, ok := c.names.Variable(x.Value); ok {
		return code{shape: unknown, at: at, eval: func(s *statechart.Scope, _ []any) (any, error) { return s.Load(slot), nil }}, nil
	}
	switch x.Value {
	case "null":
		return constant(nil, at), nil
	case "event":
		return yields(object, at, func(s *statechart.Scope, _ []any) (any, error) { return wholeEvent(s) }), nil
	case "session":
		return yields(object, at, wholeSession), nil
	case "input":
		sh := shapeOf(c.names.Input())
		sh.kinds |= null // it is known while the session starts only
		return code{shape: sh, at: at, eval: func(s *statechart.Scope, _ []any) (any, error) { return s.Input(), nil }}, nil
	case "now":
		return yields(integer, at, func(s *statechart.Scope, _ []any) (any, error) { return s.Now(), nil }), nil
	case "tools":
		tools := c.names.Tools()
		return yields(list, at, func(s *statechart.Scope, _ []any) (any, error) {
			if err := s.Charge(perList + 2*int64(len(tools))); err != nil {
				return nil, err
			}
			return texts(tools), nil
		}), nil
	}
	if c.names.List(x.Value) {
		return code{}, refuse(statechart.CodeExpression, at, "write len("+x.Value+") or last("+x.Value+", n)",
			"the rows of the list %s are not read as a value", quote(x.Value))
	}
	hint := didYouMean(x.Value, c.candidates())
	if f, ok := functions[x.Value]; ok {
		hint = "call it: " + f.usage
	}
	return code{}, refuse(statechart.CodeUnknownName, at, hint, "there is no variable %s here", quote(x.Value))
}

// candidates are the names that may stand here.
func (c *compiler) candidates() []string {
	out := append(c.names.Visible(), "event", "input", "session", "now", "tools")
	if c.document != nil {
		out = append(out, systemNames...)
	}
	for _, l := range c.lets {
		out = append(out, l.name)
	}
	return out
}

// texts is a list of texts as data.
func texts(names []string) []any {
	out := make([]any, len(names))
	for i, n := range names {
		out[i] = n
	}
	return out
}

// sessionFields are the fields of session.
var sessionFields = map[string]struct {
	kind kind
	read func(*statechart.Scope) any
}{
	"id":       {textual, func(s *statechart.Scope) any { return s.Session() }},
	"chart":    {textual, func(s *statechart.Scope) any { return s.Chart() }},
	"user":     {textual, func(s *statechart.Scope) any { return s.User() }},
	"sequence": {integer, func(s *statechart.Scope) any { return int64(s.Sequence()) }},
}

func wholeSession(s *statechart.Scope, _ []any) (any, error) {
	if err := chargeObject(s, len(sessionFields)); err != nil {
		return nil, err
	}
	out := make(map[string]any, len(sessionFields))
	for name, f := range sessionFields {
		out[name] = f.read(s)
	}
	return out, nil
}

func (c *compiler) sessionField(name string, at int) (code, error) {
	f, ok := sessionFields[name]
	if !ok {
		return code{}, refuse(statechart.CodeExpression, at, didYouMean(name, sortedKeys(sessionFields)), "session has no field %s", quote(name))
	}
	return yields(f.kind, at, func(s *statechart.Scope, _ []any) (any, error) { return f.read(s), nil }), nil
}
