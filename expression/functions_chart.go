package expression

import (
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/detent-run/detent/statechart"
)

// chartFunctions look at the chart, or at what they are given before it is
// evaluated.
var chartFunctions = map[string]*function{
	"len":     {usage: "len(x)", does: "how many elements, fields, characters, or rows of an append-only list", least: 1, most: 1, build: buildLen},
	"last":    {usage: "last(list [, n])", does: "the last element, null of none; with n the last n elements, or up to 100 rows of an append-only list", least: 1, most: 2, build: buildLast},
	"has":     {usage: `has(object, "field")`, does: "whether the object has that field; null and what is absent has none", least: 2, most: 2, build: buildHas},
	"active":  {usage: `active("path")`, does: "whether that state is active; the path is written out", least: 1, most: 1, build: buildActive},
	"granted": {usage: `granted("tool")`, does: "whether the deployment grants that tool", least: 1, most: 1, build: buildGranted},
	"id":      {usage: "id()", does: "an id that is new in the session", least: 0, most: 0, gives: textual, many: func(m meter, _ []any) (any, error) { return m.NextID(), nil }},
}

func buildHas(c *compiler, n ast.Node, args []ast.Node) (code, error) {
	name, err := c.node(args[1])
	if err != nil {
		return code{}, err
	}
	at := c.at(n)
	if name.kinds&textual == 0 {
		return code{}, refuse(statechart.CodeExpression, name.at, `write has(object, "field")`, "a field is named by text, not by %s", name.kinds)
	}
	if field, ok := name.value.(string); ok && isName(args[0], "event") && !c.isLocal("event") {
		c.cost++
		read := eventField(field)
		return decides(at, func(s *statechart.Scope, _ []any) (bool, error) {
			_, ok := read(s)
			return ok, nil
		}), nil
	}
	of, err := c.lenient(args[0], true)
	if err != nil {
		return code{}, err
	}
	if of.kinds&(object|null) == 0 {
		return code{}, refuse(statechart.CodeExpression, of.at, `write has(object, "field")`, "%s has no fields", of.kinds)
	}
	of = orNull(of)
	return decides(at, func(s *statechart.Scope, l []any) (bool, error) {
		v, err := of.eval(s, l)
		if err != nil {
			return false, err
		}
		k, err := name.eval(s, l)
		if err != nil {
			return false, err
		}
		field, ok := k.(string)
		m, isObject := v.(map[string]any)
		switch {
		case !ok:
			return false, refuse(statechart.CodeExpression, name.at, "", "a field is named by text, not by %s", describe(k))
		case v != nil && !isObject:
			return false, refuse(statechart.CodeExpression, of.at, `write has(object, "field")`, "%s has no fields", describe(v))
		}
		_, found := m[field]
		return found, nil
	}), nil
}

// buildActive takes a path that is written out, so that a state that is
// renamed is noticed.
func buildActive(c *compiler, n ast.Node, args []ast.Node) (code, error) {
	literal, ok := args[0].(*ast.StringNode)
	if !ok {
		return code{}, refuse(statechart.CodeExpression, c.at(args[0]), `write active("path.of.state")`, "active needs a state's path as a literal")
	}
	path := literal.Value
	if !c.names.State(path) {
		return code{}, refuse(statechart.CodeUnknownState, c.at(literal), stateHint(path, c.names.States()), "there is no state %s", quote(path))
	}
	c.cost++
	return decides(c.at(n), func(s *statechart.Scope, _ []any) (bool, error) { return s.Active(path), nil }), nil
}

// stateHint knows the path that ends in the name, else the one most alike.
func stateHint(path string, states []string) string {
	for _, s := range states {
		if strings.HasSuffix(s, "."+path) {
			return "did you mean " + quote(s) + "?"
		}
	}
	return didYouMean(path, states)
}

// buildGranted asks what the deployment grants, or, while nothing of it is
// known, which tools the state allows.
func buildGranted(c *compiler, n ast.Node, args []ast.Node) (code, error) {
	tool, err := c.node(args[0])
	if err != nil {
		return code{}, err
	}
	if tool.kinds&textual == 0 {
		return code{}, refuse(statechart.CodeExpression, tool.at, `write granted("tool")`, "a tool is named by text, not by %s", tool.kinds)
	}
	tools, known := c.names.Granted()
	if !known {
		tools = c.names.Tools()
	}
	return decides(c.at(n), func(s *statechart.Scope, l []any) (bool, error) {
		v, err := tool.eval(s, l)
		if err != nil {
			return false, err
		}
		name, ok := v.(string)
		if !ok {
			return false, refuse(statechart.CodeExpression, tool.at, "", "a tool is named by text, not by %s", describe(v))
		}
		if err := s.Charge(int64(len(tools))); err != nil {
			return false, err
		}
		return slices.Contains(tools, name), nil
	}), nil
}
