package xstate

import (
	"strconv"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// variables of the root, by kind.
var variables = map[string][]string{
	"int": {"n", "m"}, "bool": {"b"}, "text": {"s"}, "list": {"l"}, "object": {"o"},
}

// forms are the shapes of each kind; I, B, T, L and O stand for a smaller
// expression of kind int, bool, text, list and object, P for the path of a
// state, V for a name of its own. No form can fail, and numbers and lists stay
// small.
var forms = map[string][]string{
	"int": {"(I + 1) % 7", "(I + I) % 10", "(I * 3) % 11", "(I - I) % 5", "len(L)", "event?.n ?? 0", "event?.n ?? I", "(B ? I : I)", "max(I, I)", "min(I, 3)", "abs(I - I)",
		"sum(L) % 9", "count(L, # > 2)", "first(L) ?? 1", "O?.k?.n ?? 2", "len(T)", "len(O)", "reduce(L, (#acc + #) % 13, I)", "(findIndex(L, # == I) ?? 4)", "if B { I } else { 2 }",
		"len(marks)", "let V = I; (V + I) % 8", "indexOf(T, \"a\")", "int(I / 2)", "bitand(I, 5)", "bitxor(I, 3)"},
	"bool": {"I < I", "I >= 3", "I == I", "I != 2", "not B", "(B and B)", "(B or B)", "I in L", "active(P)", "active(P)", "event.type == \"e1\"", "T contains \"a\"", "len(L) > 2",
		"any(L, # == I)", "all(L, # < 6)", "has(O, \"k\")", "event?.n == 2", "T == T", "O == O", "L == [1, 2]", "T startsWith \"d\"", "none(L, # > I)", "\"k\" in O", "T < T", "(event?.s ?? \"\") == \"d\"",
		"T matches \"^[a-d]\""},
	"text": {"text(\"a\", I)", "text(I, \"-\", B)", "string(I)", "event?.s ?? \"q\"", "len(event.type) < 6 ? event.type : \"engine\"", "event.type startsWith \"done.\" or event.type startsWith \"error.\" ? event.type : T", "(T + \"z\")[-4:]", "upper(T)[:3]", "join(map(L, string(#)), \",\")", "\"a${\"", "toJSON(L)[:6]",
		"replace(T, \"a\", \"b\")", "trim(T)", "(B ? T : \"no\")", "type(I)", "string(L)[:5]", "string(event?.data ?? \"none\")[:12]"},
	"list": {"last(concat(L, [I]), 4)", "[I, I]", "filter(L, # != I)", "map(L, (# + I) % 9)", "reverse(L)", "sort(L)", "uniq(L)", "take(L, 2)", "L[1:]", "1..3", "sortBy(L, -#)", "flatten([L, [I]])[:4]",
		"values({p: I, q: 2})", "map(split(T, \"\"), len(#))[:3]"},
	"object": {"set(O, \"k.n\", I)", "{k: {n: I}}", "merge(O, {x: I})", "{k: {n: I}, t: T}", "fromPairs([[\"k\", {n: I}]])"},
}

var kindOf = map[rune]string{'I': "int", 'L': "list", 'B': "bool", 'T': "text", 'O': "object"}

// expression makes one of a kind, over what is visible at n and the foreach
// variables in locals.
func (g *gen) expression(n *node, locals []string, kind string, depth int) statechart.Expression {
	return statechart.Expression(g.source(n, locals, kind, depth))
}

func (g *gen) source(n *node, locals []string, kind string, depth int) string {
	if g.failing && !g.guarding && !g.blind && kind == "int" && g.chance(3) {
		return pick(g, "l[9]", "o.zz", "(7 % 0)", "(event.zz)")
	}
	if depth == 0 || g.chance(25) {
		return g.atom(n, locals, kind)
	}
	form := pick(g, forms[kind]...)
	for !g.sees(form) {
		form = pick(g, forms[kind]...)
	}
	var b strings.Builder
	b.WriteByte('(')
	for i, c := range form {
		alone := (i == 0 || !isLetter(form[i-1])) && (i+1 == len(form) || !isLetter(form[i+1]))
		switch sub := kindOf[c]; {
		case alone && sub != "":
			b.WriteString(g.source(n, locals, sub, depth-1))
		case alone && c == 'V':
			b.WriteString("x" + strconv.Itoa(depth)) // no name twice
		case alone && c == 'P':
			b.WriteString(strconv.Quote(g.statePath()))
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte(')')
	return b.String()
}

// sees reports whether a form can be said where it would stand. XState's
// actions do not see which states are active, and the root's output does not
// see the event that ended the session.
func (g *gen) sees(form string) bool {
	return (g.guarding || !strings.Contains(form, "active(")) && (!g.blind || !strings.Contains(form, "event"))
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '"' }

// atom is a variable of the kind, or a literal.
func (g *gen) atom(n *node, locals []string, kind string) string {
	own := g.visible(n)
	switch {
	case kind == "int" && len(locals) > 0 && g.chance(50):
		return "(int(" + pick(g, locals...) + "))"
	case kind == "int" && len(own) > 0 && g.chance(40):
		return pick(g, own...)
	case g.chance(70):
		return pick(g, variables[kind]...)
	}
	switch kind {
	case "int":
		return strconv.FormatInt(g.small(), 10)
	case "list":
		return "[1, 2]"
	case "bool":
		return pick(g, "true", "false")
	case "object":
		return "{k: {n: 1}}"
	}
	return pick(g, `"a"`, `"é"`, `"d\n"`)
}

// visible are the variables of n and its ancestors below the root.
func (g *gen) visible(n *node) []string {
	var out []string
	for a := n; a != nil; a = a.parent {
		out = append(out, a.vars...)
	}
	return out
}

// statePath is the path of any state that can be active, but the root.
func (g *gen) statePath() string {
	for {
		if n := g.nodes[1+g.r.IntN(len(g.nodes)-1)]; !n.isHistory() {
			return n.path()
		}
	}
}

// value is any value, with expressions somewhere in it.
func (g *gen) value(n *node, locals []string) any {
	switch g.r.IntN(5) {
	case 0:
		return g.expression(n, locals, pick(g, "int", "text", "list", "object"), 1)
	case 1:
		return []any{g.expression(n, locals, "text", 1), g.small()}
	}
	return g.fields(n, locals)
}

// payload is that of an event: mostly an object.
func (g *gen) payload(n *node, locals []string) any {
	switch k := g.r.IntN(20); {
	case k < 5:
		return nil
	case k == 5:
		return g.expression(n, locals, pick(g, "int", "list", "bool"), 1)
	}
	return g.fields(n, locals)
}

func (g *gen) fields(n *node, locals []string) map[string]any {
	return map[string]any{"n": g.expression(n, locals, "int", 1), "s": pick[any](g, "lit", g.expression(n, locals, "text", 1))}
}

// guard is the guard of a transition.
func (g *gen) guard(n *node) statechart.Condition {
	g.guarding = true
	defer func() { g.guarding = false }()
	return g.condition(n, nil, 2)
}

// condition is a guard, or, outside of guards, one of data only.
func (g *gen) condition(n *node, locals []string, depth int) statechart.Condition {
	switch k := g.r.IntN(10); {
	case k < 3 && depth > 0:
		return g.combined(n, locals, depth)
	case k < 5 && g.guarding:
		return statechart.Condition{In: g.statePath()}
	case k < 7 && g.guarding:
		return g.registered(n)
	}
	return statechart.Condition{Expression: g.expression(n, locals, "bool", 2)}
}

func (g *gen) registered(n *node) statechart.Condition {
	return statechart.Condition{Name: "odd", Params: map[string]any{"of": g.expression(n, nil, "int", 1)}}
}

// combined joins two conditions. Below or and not a registered guard stands
// apart from expressions, which the exporter takes for such as may fail.
func (g *gen) combined(n *node, locals []string, depth int) statechart.Condition {
	if k := g.r.IntN(4); k == 0 && g.guarding {
		a := statechart.Condition{Name: "odd", Params: map[string]any{"of": g.small()}}
		if b := (statechart.Condition{In: g.statePath()}); g.chance(50) {
			return statechart.Condition{Or: []statechart.Condition{a, b}}
		}
		return statechart.Condition{Not: &a}
	}
	a, b := g.condition(n, locals, depth-1), g.condition(n, locals, depth-1)
	if g.chance(40) || registers(&a) || registers(&b) {
		return statechart.Condition{And: []statechart.Condition{a, b}}
	}
	if g.chance(50) {
		return statechart.Condition{Or: []statechart.Condition{a, b}}
	}
	return statechart.Condition{Not: &a}
}

// registers reports whether a registered guard is part of c.
func registers(c *statechart.Condition) bool {
	for _, list := range [][]statechart.Condition{c.And, c.Or} {
		for i := range list {
			if registers(&list[i]) {
				return true
			}
		}
	}
	return c.Name != "" || c.Not != nil && registers(c.Not)
}
