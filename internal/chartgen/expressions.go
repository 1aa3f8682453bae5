package chartgen

import (
	"fmt"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// expression makes one of a kind, over what is visible at n and the foreach
// variables in locals.
func (g *gen) expression(n *node, locals []string, kind string, depth int) statechart.Expression {
	return statechart.Expression(g.source(n, locals, kind, depth))
}

// forms are the shapes of each kind: I, L, B, T stand for a smaller expression
// of kind int, list, bool, text, and P for the path of a state.
var forms = map[string][]string{
	"int": {"(+ I 1)", "(+ I I)", "(mod I 5)", "(- I 1)", "(size L)", "(rows rows0)", "(if (= (data n) nil) 1 (data n))",
		"(if B 1 I)", "(mod (now) 7)"},
	"list": {"(list I T)", "(push L I)"},
	"bool": {"(< I I)", "(< I 3)", "(= I 1)", "(in P)", "(not B)", "(or B B)", "(and B B)", "(= (data n) 2)", "(= (event) 'e1')"},
	"text": {"(cat T 'x')", "(event)", "'y'"},
}

var kindOf = map[rune]string{'I': "int", 'L': "list", 'B': "bool", 'T': "text"}

func (g *gen) source(n *node, locals []string, kind string, depth int) string {
	switch {
	case g.errors && g.chance(2):
		return "(fail)"
	case g.errors && kind == "int" && g.chance(2):
		return "(+ (data n) 1)"
	case depth == 0:
		return g.atom(n, locals, kind)
	}
	var b strings.Builder
	for _, c := range pick(g, forms[kind]...) {
		switch sub := kindOf[c]; {
		case sub != "":
			b.WriteString(g.source(n, locals, sub, depth-1))
		case c == 'P':
			b.WriteString(g.statePath())
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// atom is a variable of the kind, or a literal.
func (g *gen) atom(n *node, locals []string, kind string) string {
	vars := g.visible(n, kind)
	switch {
	case len(locals) > 0 && kind == "int" && g.chance(50):
		return locals[len(locals)-1] // the index; elements are of any kind
	case len(vars) > 0 && g.chance(75):
		return vars[g.r.IntN(len(vars))].name
	case kind == "int" && g.chance(20) && n != nil:
		return "k0"
	case kind == "int":
		return fmt.Sprint(g.small())
	case kind == "list":
		return "(list)"
	case kind == "bool":
		return pick(g, "true", "false", "true")
	}
	return "'z'"
}

// statePath is the path of any state that can be active, but the root.
func (g *gen) statePath() string {
	for range 8 {
		if n := g.nodes[g.r.IntN(len(g.nodes))]; n != g.root && !n.isHistory() {
			if n.ID != "" && g.chance(30) {
				return "#" + n.ID
			}
			return n.path()
		}
	}
	return "#c"
}

// value is a payload: data with expressions somewhere in it.
func (g *gen) value(n *node, locals []string) any {
	if g.typed {
		return pick[any](g, nil, "text", map[string]any{"n": g.small()})
	}
	switch g.r.IntN(6) {
	case 0:
		return nil
	case 1:
		return g.expression(n, locals, "int", 1)
	case 2:
		return []any{g.expression(n, locals, "text", 1), g.small()}
	case 3:
		if len(locals) > 0 {
			return statechart.Expression(locals[0])
		}
	}
	return map[string]any{"n": g.expression(n, locals, "int", 1), "s": "lit"}
}

// condition is a guard; the zero one is none.
func (g *gen) condition(n *node, depth int) statechart.Condition {
	switch k := g.r.IntN(10); {
	case k < 4 && depth > 0 && g.chance(40):
		return g.combined(n, depth)
	case k < 3:
		return statechart.Condition{In: g.statePath()}
	case g.typed:
		return statechart.When(pick(g, typedGuards...))
	case k < 5:
		return statechart.Condition{Name: "odd", Params: map[string]any{"of": g.expression(n, nil, "int", 1)}}
	}
	return statechart.Condition{Expression: g.expression(n, nil, "bool", 2)}
}

func (g *gen) combined(n *node, depth int) statechart.Condition {
	a, b := g.condition(n, depth-1), g.condition(n, depth-1)
	switch g.r.IntN(3) {
	case 0:
		return statechart.Condition{And: []statechart.Condition{a, b}}
	case 1:
		return statechart.Condition{Or: []statechart.Condition{a, b}}
	}
	return statechart.Condition{Not: &a}
}
