package xstate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/statechart"
)

// test is a condition, taken apart as far as XState must see its parts: which
// states are active it knows only in guards of its own, and names only in
// guards that stand alone.
type test struct {
	op     string // and, or, not, in, name, expression
	kids   []*test
	path   string // of in
	source statechart.Expression
	node   ast.Node // the part of source that is meant; nil: all of it
	named  *statechart.Condition
	label  string // for people, where it was taken apart
	at     where
}

// conditionTest takes a condition apart.
func (m *module) conditionTest(c *statechart.Condition, p where) *test {
	switch {
	case c.Name != "":
		return &test{op: "name", named: c, at: p}
	case c.In != "":
		return &test{op: "in", path: c.In, at: p}
	case c.Not != nil:
		return &test{op: "not", kids: []*test{m.conditionTest(c.Not, p.at(p.path+".not"))}, at: p}
	case c.And != nil:
		return &test{op: "and", kids: m.conditionTests(c.And, p, "and"), at: p}
	case c.Or != nil:
		return &test{op: "or", kids: m.conditionTests(c.Or, p, "or"), at: p}
	}
	return m.expressionTest(c.Expression, p)
}

func (m *module) conditionTests(list []statechart.Condition, p where, name string) []*test {
	out := make([]*test, len(list))
	for i := range list {
		out[i] = m.conditionTest(&list[i], p.at(fmt.Sprintf("%s.%s[%d]", p.path, name, i)))
	}
	return out
}

// expressionTest takes an expression apart where it asks for active states.
func (m *module) expressionTest(e statechart.Expression, p where) *test {
	whole := &test{op: "expression", source: e, at: p}
	tree, err := expression.Parse(string(e))
	if err != nil || !slices.ContainsFunc(tree.Roots(), func(expression.Root) bool { return true }) && !strings.Contains(string(e), "active") {
		return whole
	}
	if t := m.translator(p); t.node(tree.Syntax()).text == "" || len(t.asked) == 0 {
		return whole
	}
	out := m.nodeTest(e, tree.Syntax(), p)
	out.label = string(e)
	return out
}

// nodeTest takes a part of an expression apart.
func (m *module) nodeTest(e statechart.Expression, n ast.Node, p where) *test {
	switch x := n.(type) {
	case *ast.BinaryNode:
		op := map[string]string{"and": "and", "&&": "and", "or": "or", "||": "or"}[x.Operator]
		if op != "" {
			return &test{op: op, kids: []*test{m.nodeTest(e, x.Left, p), m.nodeTest(e, x.Right, p)}, at: p}
		}
	case *ast.UnaryNode:
		if x.Operator == "not" || x.Operator == "!" {
			return &test{op: "not", kids: []*test{m.nodeTest(e, x.Node, p)}, at: p}
		}
	case *ast.CallNode:
		if path, ok := activeCall(n); ok {
			if _, known := m.certain(path, p); !known {
				return &test{op: "in", path: path, at: p}
			}
		}
	}
	return &test{op: "expression", source: e, node: n, at: p}
}

// activeCall is the path of active("path").
func activeCall(n ast.Node) (string, bool) {
	call, ok := n.(*ast.CallNode)
	if !ok || len(call.Arguments) != 1 {
		return "", false
	}
	callee, named := call.Callee.(*ast.IdentifierNode)
	path, literal := call.Arguments[0].(*ast.StringNode)
	if !named || !literal || callee.Value != "active" {
		return "", false
	}
	return path.Value, true
}

// translate writes the whole test as one expression, with what is known of
// states and names.
func (m *module) translate(x *test, t *translator, known map[string]bool) term {
	switch x.op {
	case "in":
		if is, sure := m.certain(x.path, x.at); sure {
			return term{text: fmt.Sprint(is), level: levelMember, kind: boolean, literal: true}
		}
		return term{text: fmt.Sprint(known[x.path]), level: levelMember, kind: boolean, literal: true}
	case "name":
		return term{text: fmt.Sprint(known["!"+x.named.Name]), level: levelMember, kind: boolean, literal: true}
	case "not":
		return negated(m.translate(x.kids[0], t, known))
	case "and", "or":
		level, operator := levelAnd, " && "
		if x.op == "or" {
			level, operator = levelOr, " || "
		}
		out := m.translate(x.kids[0], t, known)
		for _, kid := range x.kids[1:] {
			out = joined(out, m.translate(kid, t, known), operator, level)
		}
		return out
	}
	t.place.path, t.fixed = x.at.path, known
	out := term{}
	if x.node != nil {
		out = t.node(x.node)
	} else {
		out = t.source(x.source)
	}
	if out.kind != boolean {
		out = t.call(boolean, "truth", out.at(levelChoice))
	}
	return out
}

// negated is what is true where a condition is not.
func negated(c term) term {
	switch c.text {
	case "true":
		c.text = "false"
		return c
	case "false":
		c.text = "true"
		return c
	}
	return term{text: "!" + c.at(levelUnary), level: levelUnary, kind: boolean, literal: c.literal}
}

// joined is two conditions with and or or between them, without one that
// decides nothing.
func joined(a, b term, operator string, level int) term {
	neutral, decides := "true", "false"
	if operator == " || " {
		neutral, decides = "false", "true"
	}
	switch {
	case a.text == neutral, b.text == decides && a.literal:
		return b
	case b.text == neutral, a.text == decides:
		return a
	}
	return term{text: a.at(level) + operator + b.at(level), level: level, kind: boolean, literal: a.literal && b.literal}
}

// atoms are the states and names that a test asks for.
func (x *test) atoms(m *module) []string {
	var out []string
	add := func(names ...string) {
		for _, name := range names {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	switch x.op {
	case "in":
		if _, known := m.certain(x.path, x.at); !known {
			add(x.path)
		}
	case "name":
		add("!" + x.named.Name)
	case "expression":
		t := m.translator(x.at)
		if x.node != nil {
			t.node(x.node)
		} else {
			t.source(x.source)
		}
		add(t.asked...)
	}
	for _, kid := range x.kids {
		add(kid.atoms(m)...)
	}
	return out
}

// fallible reports whether something in a test can fail, which makes the
// whole guard false.
func (x *test) fallible(m *module) bool {
	switch x.op {
	case "expression":
		return true
	case "name":
		_, t := m.computed(x.named.Params, x.at)
		return t.fails
	}
	return slices.ContainsFunc(x.kids, func(kid *test) bool { return kid.fallible(m) })
}

// guard is a transition's guard, nil when there is none.
func (m *module) guard(c *statechart.Condition, p where) *js {
	if c.Name == "" && c.Expression == "" && c.And == nil && c.Or == nil && c.Not == nil && c.In == "" {
		return nil
	}
	p.guard, p.sure = true, true
	return m.holds(m.conditionTest(c, p), true)
}

// holds is a guard that holds where a test comes out as wanted. One that
// fails holds in neither case, so not and or are turned into guards of their
// parts where those can fail.
func (m *module) holds(x *test, wanted bool) *js {
	switch {
	case x.op == "in" && len(x.atoms(m)) > 0:
		return m.negated(m.stateIn(x.path, x.at), wanted)
	case x.op == "name":
		return m.holdsNamed(x, wanted)
	case len(x.atoms(m)) == 0:
		return m.compiled(x, nil, "", wanted)
	case x.op == "expression":
		return m.cases(x, wanted)
	case x.op == "not":
		return m.holds(x.kids[0], !wanted)
	case !wanted && !x.fallible(m):
		return m.negated(m.holds(x, true), false)
	}
	return m.holdsBoth(x, wanted)
}

func (m *module) negated(v *js, wanted bool) *js {
	if wanted {
		return v
	}
	return m.callTo("not", v)
}

// holdsBoth is for and and or. The parts are asked in order until one
// decides; one that does not decide must have come out the other way, not
// failed.
func (m *module) holdsBoth(x *test, wanted bool) *js {
	parts := listOf()
	if wanted == (x.op == "and") { // all of them
		for _, kid := range x.kids {
			parts.items = append(parts.items, m.holds(kid, wanted))
		}
		return m.allOf(parts.items...)
	}
	last := len(x.kids) - 1
	var before []*js
	for i, kid := range x.kids {
		part := m.holds(kid, wanted)
		if len(before) > 0 {
			part = m.allOf(append(slices.Clone(before), part)...)
		}
		parts.items = append(parts.items, part)
		if i < last && kid.fallible(m) {
			before = append(before, m.holds(kid, !wanted))
		}
	}
	return m.callTo("or", parts)
}

// allOf is a guard that holds where all of these do, one after the other.
func (m *module) allOf(guards ...*js) *js {
	out := listOf()
	for _, g := range guards {
		if g != nil && g.form == call && g.text == "and" {
			out.items = append(out.items, g.items[0].items...)
			continue
		}
		out.items = append(out.items, g)
	}
	return m.callTo("and", out)
}

// holdsNamed is a registered guard. Parameters that cannot be made make the
// whole guard false.
func (m *module) holdsNamed(x *test, wanted bool) *js {
	m.registered["guard "+x.named.Name] = true
	stub(&m.guards, x.named.Name, "is a guard that Go code registers: say here when it holds")
	guard := m.negated(m.referred(x.named.Name, x.named.Params, x.at), wanted)
	if v, t := m.computed(x.named.Params, x.at); t.fails {
		name := unique(&m.guards, "parameters of "+x.named.Name, x.at.state.name(), m.callTo("made", v))
		return m.allOf(quotedText(name), guard)
	}
	return guard
}

// cases is a guard for each way in which the states that an expression asks
// for can be active: it does not see them.
func (m *module) cases(x *test, wanted bool) *js {
	atoms := x.atoms(m)
	if len(atoms) > 3 {
		m.refuse(x.at.path, "make several transitions", "the guard asks for %d states in one expression, and may ask for three", len(atoms))
		return raw("null")
	}
	out := listOf()
	for n := range 1 << len(atoms) {
		known, when := map[string]bool{}, listOf()
		var label []string
		for i, path := range atoms {
			known[path] = n&(1<<i) == 0
			when.items = append(when.items, m.negated(m.stateIn(path, x.at), known[path]))
			if known[path] {
				label = append(label, "in "+path)
			} else {
				label = append(label, "not in "+path)
			}
		}
		when.items = append(when.items, m.compiled(x, known, strings.Join(label, ", "), wanted))
		out.items = append(out.items, m.allOf(when.items...))
	}
	return m.callTo("or", out)
}

// compiled is a guard that is a function of the data and the event.
func (m *module) compiled(x *test, known map[string]bool, label string, wanted bool) *js {
	t := m.translator(x.at)
	text := m.translate(x, t, known)
	if !wanted {
		text = negated(text)
	}
	t.ended()
	name := nameOf(statechart.Expression(x.text()), x.at.path)
	if !wanted {
		name = "not (" + name + ")"
	}
	if label != "" {
		name += " (" + label + ")"
	}
	m.use("guard")
	f := callOf("guard", t.function1(raw(text.at(levelChoice))))
	var comments []string
	if name == x.at.path {
		comments = []string{oneLine(x.text())}
	}
	m.made["guard "+name] = true
	return quotedText(unique(&m.guards, name, x.at.state.name(), f, comments...))
}

// text is a test for people.
func (x *test) text() string {
	if x.label != "" {
		return x.label
	}
	switch x.op {
	case "in":
		return "in " + x.path
	case "name":
		return x.named.Name
	case "not":
		return "not (" + x.kids[0].text() + ")"
	case "and", "or":
		parts := make([]string, len(x.kids))
		for i, kid := range x.kids {
			if parts[i] = kid.text(); kid.op == "and" || kid.op == "or" || kid.op == "expression" && strings.Contains(parts[i], " ") {
				parts[i] = "(" + parts[i] + ")"
			}
		}
		return strings.Join(parts, " "+x.op+" ")
	}
	if x.node != nil {
		return x.node.String()
	}
	return string(x.source)
}

func (m *module) stateIn(path string, p where) *js {
	n := m.find(path)
	if n == nil {
		m.refuse(p.path, "correct it", "there is no state %q", path)
		return raw("null")
	}
	m.use("stateIn")
	return callOf("stateIn", quotedText("#"+n.id))
}

// referred is a name, with its parameters if there are any.
func (m *module) referred(name string, params map[string]any, p where) *js {
	if len(params) == 0 {
		return quotedText(name)
	}
	out := &js{form: object}
	out.add("type", quotedText(name))
	v, _ := m.computed(params, p.at(p.path+".params"))
	out.add("params", v)
	return out
}

// stub is what stands in for a thing of the host.
func stub(into *js, name, what string) {
	if slices.ContainsFunc(into.fields, func(f field) bool { return f.key == name }) {
		return
	}
	f := &js{form: body, text: "({ context, event }, params)", items: []*js{raw("throw new Error(" + quote(name+" "+what) + ");")}}
	into.add(name, f)
}
