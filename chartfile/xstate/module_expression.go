package xstate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/statechart"
)

// Levels of JavaScript's operators, the loosest first.
const (
	levelArrow = iota
	levelChoice
	levelOtherwise
	levelOr
	levelAnd
	levelEqual
	levelOrder
	levelUnary
	levelMember
)

// term is a part of an expression in JavaScript.
type term struct {
	text  string
	level int
	kind  kind
	// literal: it is written out, so it cannot fail.
	literal bool
}

// kind is what is known of a value before the expression runs.
type kind uint8

const (
	unknown kind = iota
	boolean
	numeric
	textual
	nothing // null
	other
)

// at is the text, in parentheses where the level around it asks for them.
func (t term) at(level int) string {
	if t.level < level || t.level == levelOtherwise && level == levelOtherwise {
		return "(" + t.text + ")"
	}
	return t.text
}

// translator writes one expression in JavaScript.
type translator struct {
	m       *module
	place   where
	fixed   map[string]bool // what is known of active states
	asked   []string        // paths of active that are not
	uses    map[string]bool // of the arguments: context, event, self, local
	fails   bool            // something in it can
	lets    []binding
	bodies  []turn
	chained int // inside of a chain
	err     *trouble
}

// binding is a variable of let and how it is called in JavaScript.
type binding struct{ name, js string }

// turn is what # and its like are called in a body.
type turn struct {
	element, index, acc string
	indexed, reduced    bool
}

// trouble is why an expression cannot be said.
type trouble struct{ message, hint string }

// arguments are the names that a function of XState, or a step of a block,
// takes in its object, in order.
var arguments = []string{"context", "event", "input", "local", "check", "self", "scope"}

func (m *module) translator(at where) *translator {
	return &translator{m: m, place: at, uses: map[string]bool{}}
}

// parameters is the parameter list of a function around the expression.
func (t *translator) parameters() string { return parameters(t.uses) }

func parameters(uses map[string]bool) string {
	var names []string
	for _, name := range arguments {
		switch {
		case uses[name] && name == "input":
			names = append(names, "input = null") // it may be left out
		case uses[name]:
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "()"
	}
	return "({ " + strings.Join(names, ", ") + " })"
}

func (t *translator) refuse(hint, format string, args ...any) term {
	if t.err == nil {
		t.err = &trouble{fmt.Sprintf(format, args...), hint}
	}
	return term{text: "null", level: levelMember}
}

// source translates an expression's source.
func (t *translator) source(e statechart.Expression) term {
	tree, err := expression.Parse(string(e))
	if err != nil {
		return t.refuse("correct it", "the expression cannot be read: %s", err)
	}
	return t.node(tree.Syntax())
}

// call writes a call of a helper.
func (t *translator) call(k kind, f string, args ...string) term {
	t.fails = true
	return term{text: t.m.use(f) + "(" + strings.Join(args, ", ") + ")", level: levelMember, kind: k}
}

func (t *translator) node(n ast.Node) term {
	switch x := n.(type) {
	case *ast.NilNode:
		return term{"null", levelMember, nothing, true}
	case *ast.BoolNode:
		return term{strconv.FormatBool(x.Value), levelMember, boolean, true}
	case *ast.IntegerNode:
		if x.Value > 1<<53 || x.Value < -1<<53 {
			return t.refuse("compute with smaller numbers, or with text", "JavaScript cannot tell the integer %d from its neighbours", x.Value)
		}
		return term{strconv.Itoa(x.Value), levelMember, numeric, true}
	case *ast.FloatNode:
		return term{formatFloat(x.Value), levelMember, numeric, true}
	case *ast.StringNode:
		return term{quote(x.Value), levelMember, textual, true}
	case *ast.IdentifierNode:
		return t.identifier(x.Value)
	case *ast.PointerNode:
		return t.pointer(x.Name)
	case *ast.UnaryNode:
		return t.unary(x)
	case *ast.BinaryNode:
		return t.binary(x, false)
	case *ast.ConditionalNode:
		return t.conditional(x)
	case *ast.VariableDeclaratorNode:
		return t.let(x)
	case *ast.SequenceNode:
		parts := make([]string, len(x.Nodes))
		var last term
		for i, n := range x.Nodes {
			last = t.node(n)
			parts[i] = last.at(levelChoice)
		}
		return term{text: "(" + strings.Join(parts, ", ") + ")", level: levelMember, kind: last.kind}
	}
	return t.compound(n)
}

func formatFloat(f float64) string {
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

func (t *translator) compound(n ast.Node) term {
	switch x := n.(type) {
	case *ast.ChainNode:
		return t.chain(x)
	case *ast.MemberNode:
		return t.member(x, false)
	case *ast.SliceNode:
		return t.slice(x, false)
	case *ast.ArrayNode:
		return term{text: "[" + strings.Join(t.each(x.Nodes), ", ") + "]", level: levelMember, kind: other}
	case *ast.MapNode:
		return t.object(x)
	case *ast.PredicateNode:
		return t.node(x.Node)
	case *ast.BuiltinNode:
		return t.function(x.Name, x.Arguments)
	case *ast.CallNode:
		if callee, ok := x.Callee.(*ast.IdentifierNode); ok {
			return t.function(callee.Value, x.Arguments)
		}
	}
	return t.refuse("write it in another way", "this form of an expression cannot be said in JavaScript")
}

func (t *translator) each(nodes []ast.Node) []string {
	out := make([]string, len(nodes))
	for i, n := range nodes {
		out[i] = t.node(n).at(levelChoice)
	}
	return out
}

func (t *translator) object(x *ast.MapNode) term {
	fields := make([]string, len(x.Pairs))
	for i, p := range x.Pairs {
		pair := p.(*ast.PairNode)
		value := t.node(pair.Value).at(levelChoice)
		if k, ok := pair.Key.(*ast.StringNode); ok {
			fields[i] = key(k.Value) + ": " + value
			continue
		}
		fields[i] = "[" + t.call(textual, "textual", quote("a key"), t.node(pair.Key).at(levelChoice)).text + "]: " + value
	}
	if len(fields) == 0 {
		return term{text: "{}", level: levelMember, kind: other}
	}
	return term{text: "{ " + strings.Join(fields, ", ") + " }", level: levelMember, kind: other}
}

func (t *translator) identifier(name string) term {
	for _, l := range slices.Backward(t.lets) {
		if l.name == name {
			return term{text: l.js, level: levelMember}
		}
	}
	if v, ok := t.place.variable(name); ok {
		t.uses[v.in] = true
		return term{text: member(v.in, v.key), level: levelMember}
	}
	switch name {
	case "null":
		return term{"null", levelMember, nothing, true}
	case "now":
		return t.now()
	case "tools":
		return t.tools()
	case "input":
		if !t.place.initial {
			return t.refuse("keep it in a variable of the root: its initial value may be ${ input }", "what a machine was started with is known to the context of its root only")
		}
		t.uses["input"] = true
		return term{text: "input", level: levelMember}
	case "event", "session":
		return t.refuse("read its fields one by one", "%s as a whole is not the same in XState", name)
	}
	if slices.Contains(t.m.def.Lists, name) {
		return t.refuse("keep the rows in a variable", "XState has no append-only lists such as %q", name)
	}
	return t.refuse("declare it", "there is no variable %q here", name)
}

// now is the time; a guard of XState does not see the machine's clock.
func (t *translator) now() term {
	t.m.use("now")
	if t.place.guard {
		return term{text: "now()", level: levelMember, kind: numeric}
	}
	t.uses["self"] = true
	return term{text: "now(self)", level: levelMember, kind: numeric}
}

func (t *translator) tools() term {
	names := make([]string, len(t.place.state.tools))
	for i, name := range t.place.state.tools {
		names[i] = quote(name)
	}
	return term{text: "[" + strings.Join(names, ", ") + "]", level: levelMember, kind: other}
}

// member is how a field that is there is read.
func member(of, name string) string {
	if identifier.MatchString(name) {
		return of + "." + name
	}
	return of + "[" + quote(name) + "]"
}

func (t *translator) pointer(name string) term {
	if len(t.bodies) == 0 {
		return t.refuse("", "# stands outside of a body")
	}
	b := &t.bodies[len(t.bodies)-1]
	switch name {
	case "index":
		b.indexed = true
		return term{text: b.index, level: levelMember, kind: numeric}
	case "acc":
		b.indexed, b.reduced = true, true
		return term{text: b.acc, level: levelMember}
	}
	return term{text: b.element, level: levelMember}
}

// condition is a part that must be a boolean.
func (t *translator) condition(n ast.Node) term {
	c := t.node(n)
	if c.kind == boolean {
		return c
	}
	return t.call(boolean, "truth", c.at(levelChoice))
}

func (t *translator) conditional(x *ast.ConditionalNode) term {
	c, yes, no := t.condition(x.Cond), t.node(x.Exp1), t.node(x.Exp2)
	out := term{text: c.at(levelOtherwise) + " ? " + yes.at(levelChoice) + " : " + no.at(levelChoice), level: levelChoice}
	if yes.kind == no.kind {
		out.kind = yes.kind
	}
	return out
}

// let gives a name to a value: it becomes the parameter of a function.
func (t *translator) let(x *ast.VariableDeclaratorNode) term {
	value := t.node(x.Value)
	name := t.fresh(x.Name)
	t.lets = append(t.lets, binding{x.Name, name})
	rest := t.node(x.Expr)
	t.lets = t.lets[:len(t.lets)-1]
	inner := rest.at(levelChoice)
	if strings.HasPrefix(inner, "{") {
		inner = "(" + inner + ")"
	}
	return term{text: "((" + name + ") => " + inner + ")(" + value.at(levelChoice) + ")", level: levelMember, kind: rest.kind}
}

// fresh is a name that hides nothing.
func (t *translator) fresh(name string) string {
	taken := func(name string) bool {
		return isHelper(name) || slices.Contains(arguments, name) || slices.Contains(jsWords, name) || name == "constants" || name == "timers" || name == "machine" || !identifier.MatchString(name) ||
			slices.ContainsFunc(t.lets, func(l binding) bool { return l.js == name }) ||
			slices.ContainsFunc(t.bodies, func(b turn) bool { return b.element == name || b.index == name || b.acc == name })
	}
	if !identifier.MatchString(name) {
		name = "value"
	}
	for n := 1; ; n++ {
		candidate := name
		if n > 1 {
			candidate += strconv.Itoa(n)
		}
		if !taken(candidate) {
			return candidate
		}
	}
}

// jsWords are words of JavaScript that are no names.
var jsWords = strings.Fields("arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void while with yield Array BigInt Date Error JSON Map Math NaN Number Object Set String Uint8Array")

func (t *translator) unary(x *ast.UnaryNode) term {
	switch x.Operator {
	case "!", "not":
		return negated(t.condition(x.Node))
	case "-":
		v := t.node(x.Node)
		if v.literal && v.kind == numeric {
			return term{"-" + v.at(levelMember), levelUnary, numeric, true}
		}
		return t.call(numeric, "negate", v.at(levelChoice))
	}
	return t.call(numeric, "number", quote("+"), t.node(x.Node).at(levelChoice))
}
