package xstate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/ast"
)

// arithmetic are the helpers of the operators that compute.
var arithmetic = map[string]string{
	"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "%": "remainder", "**": "power", "^": "power", "..": "range",
}

// relations are the helpers of the operators that compare, and what
// JavaScript has for numbers.
var relations = map[string]struct{ helper, native string }{
	"<": {"lt", "<"}, "<=": {"lte", "<="}, ">": {"gt", ">"}, ">=": {"gte", ">="},
	"in": {helper: "isIn"}, "contains": {helper: "contains"}, "startsWith": {helper: "startsWith"}, "endsWith": {helper: "endsWith"},
}

// binary translates an operator; lenient, what is not there may be undefined.
func (t *translator) binary(x *ast.BinaryNode, lenient bool) term {
	switch x.Operator {
	case "and", "&&":
		return joined(t.condition(x.Left), t.condition(x.Right), " && ", levelAnd)
	case "or", "||":
		return joined(t.condition(x.Left), t.condition(x.Right), " || ", levelOr)
	case "??":
		a, b := t.lenient(x.Left), t.node(x.Right)
		if lenient {
			b = t.lenient(x.Right)
		}
		return term{text: a.at(levelEqual) + " ?? " + b.at(levelEqual), level: levelOtherwise}
	case "==", "!=":
		return t.equality(x)
	case "matches":
		return t.matches(x)
	}
	a, b := t.node(x.Left), t.node(x.Right)
	if f, ok := arithmetic[x.Operator]; ok {
		k := numeric
		switch {
		case x.Operator == "..":
			k = other
		case x.Operator == "+" && (a.kind == textual || b.kind == textual):
			k = textual
		case x.Operator == "+" && a.kind != numeric && b.kind != numeric:
			k = unknown
		}
		return t.call(k, f, a.at(levelChoice), b.at(levelChoice))
	}
	r, ok := relations[x.Operator]
	switch {
	case !ok:
		return t.refuse("write it in another way", "the operator %q cannot be said in JavaScript", x.Operator)
	case r.native != "" && a.kind == numeric && b.kind == numeric:
		return term{text: a.at(levelUnary) + " " + r.native + " " + b.at(levelUnary), level: levelOrder, kind: boolean}
	}
	return t.call(boolean, r.helper, a.at(levelChoice), b.at(levelChoice))
}

// equality is by value; with a scalar that is written out, JavaScript's own.
func (t *translator) equality(x *ast.BinaryNode) term {
	a, b := t.node(x.Left), t.node(x.Right)
	not := x.Operator == "!="
	if a.literal || b.literal || a.kind == numeric || b.kind == numeric || a.kind == textual || b.kind == textual || a.kind == boolean || b.kind == boolean {
		operator := " === "
		if not {
			operator = " !== "
		}
		return term{text: a.at(levelOrder) + operator + b.at(levelOrder), level: levelEqual, kind: boolean}
	}
	out := t.call(boolean, "same", a.at(levelChoice), b.at(levelChoice))
	if not {
		return term{text: "!" + out.text, level: levelUnary, kind: boolean}
	}
	return out
}

func (t *translator) matches(x *ast.BinaryNode) term {
	source, ok := x.Right.(*ast.StringNode)
	if !ok {
		if _, null := x.Right.(*ast.NilNode); null {
			return term{text: "false", level: levelMember, kind: boolean, literal: true}
		}
		return t.refuse("write the pattern out", "a pattern that is computed cannot be turned into one of JavaScript")
	}
	re, err := pattern(source.Value)
	if err != nil {
		return t.refuse("correct it", "the pattern cannot be read: %s", err)
	}
	return t.call(boolean, "matches", t.node(x.Left).at(levelChoice), re)
}

// lenient translates what stands left of ??, or what has asks: each step may
// miss, and the result may be undefined.
func (t *translator) lenient(n ast.Node) term {
	switch x := n.(type) {
	case *ast.MemberNode:
		return t.member(x, true)
	case *ast.BinaryNode:
		if x.Operator == "??" {
			return t.binary(x, true)
		}
	case *ast.SliceNode:
		return t.slice(x, true)
	case *ast.ChainNode:
		return t.lenient(x.Node)
	}
	return t.node(n)
}

// chain translates members of which some may be absent.
func (t *translator) chain(x *ast.ChainNode) term {
	if optionalToTheEnd(x.Node) {
		return t.node(x.Node)
	}
	t.fails = true
	t.chained++
	inner := t.node(x.Node)
	t.chained--
	return t.call(unknown, "chain", "() => "+inner.at(levelChoice))
}

// optionalToTheEnd reports whether no step that must be there follows one
// that may not: null is then the same as an early end.
func optionalToTheEnd(n ast.Node) bool {
	seen := false // a step that must be there, from the end
	for {
		m, ok := n.(*ast.MemberNode)
		if !ok {
			_, slice := n.(*ast.SliceNode)
			return !slice
		}
		if m.Optional && seen {
			return false
		}
		seen = seen || !m.Optional
		n = m.Node
	}
}

func (t *translator) member(x *ast.MemberNode, lenient bool) term {
	name, named := x.Property.(*ast.StringNode)
	if base, ok := x.Node.(*ast.IdentifierNode); ok && named && !t.isVariable(base.Value) {
		switch base.Value {
		case "event":
			return t.eventField(name.Value, x.Optional, lenient)
		case "session":
			return t.sessionField(name.Value)
		}
	}
	var of, by term
	if lenient {
		of = t.lenient(x.Node)
	} else {
		of = t.node(x.Node)
	}
	by = t.node(x.Property)
	f := "read"
	switch {
	case lenient:
		f = "seek"
	case x.Optional && t.chained > 0:
		f = "step"
	case x.Optional:
		f = "look"
	}
	return t.call(unknown, f, of.at(levelChoice), by.at(levelChoice))
}

func (t *translator) isVariable(name string) bool {
	for _, l := range t.lets {
		if l.name == name {
			return true
		}
	}
	_, ok := t.place.variable(name)
	return ok
}

// eventField is event.name.
func (t *translator) eventField(name string, optional, lenient bool) term {
	switch name {
	case "id", "acceptedAt", "effect":
		if name != "effect" || t.place.event != ownEvent {
			return t.refuse("send it as a field of another name", "events of XState have no %s", name)
		}
	}
	if t.place.initial {
		return t.refuse("use a literal, or assign it on entry", "the context of the root is made before the first event")
	}
	if t.place.ending {
		return t.refuse("keep what it needs in a variable", "the machine's output does not see the event that ended it")
	}
	t.uses["event"] = true
	switch {
	case name == "type" && t.place.event == ownEvent:
		return term{text: "event.type", level: levelMember, kind: textual}
	case name == "type":
		t.m.use("typeOf")
		if !slices.ContainsFunc(t.m.states, func(n *node) bool { return len(n.def.After) > 0 }) {
			return term{text: "typeOf(event)", level: levelMember, kind: textual}
		}
		t.m.typed = true
		return term{text: "typeOf(event, timers)", level: levelMember, kind: textual}
	case name == "data":
		t.m.use("dataOf")
		return term{text: "dataOf(event)", level: levelMember}
	case t.place.event == answerEvent && name == "output":
		return term{text: "event.output ?? null", level: levelOtherwise}
	case t.place.event == failureEvent && name == "error":
		t.m.use("reason")
		return term{text: "reason(event.error)", level: levelMember}
	}
	return t.payloadField(name, optional, lenient)
}

// inherited are the names that every object of JavaScript knows.
var inherited = strings.Fields("__defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__ constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf")

func (t *translator) payloadField(name string, optional, lenient bool) term {
	own := t.place.event == ownEvent && !slices.Contains(inherited, name)
	switch {
	case own && lenient:
		return term{text: member("event", name), level: levelMember}
	case own && optional:
		return term{text: member("event", name) + " ?? null", level: levelOtherwise}
	case own:
		return t.call(unknown, "read", "event", quote(name))
	case lenient:
		t.m.use("seekEvent")
		return term{text: "seekEvent(event, " + quote(name) + ")", level: levelMember}
	case optional:
		t.m.use("seekEvent")
		return term{text: "seekEvent(event, " + quote(name) + ") ?? null", level: levelOtherwise}
	}
	return t.call(unknown, "readEvent", "event", quote(name))
}

func (t *translator) sessionField(name string) term {
	switch name {
	case "chart":
		return term{quote(t.m.def.ID), levelMember, textual, true}
	case "id":
		if !t.place.guard {
			t.uses["self"] = true
			return term{text: "self.sessionId", level: levelMember, kind: textual}
		}
	}
	return t.refuse("keep it in a variable", "XState does not know session.%s here", name)
}

func (t *translator) slice(x *ast.SliceNode, lenient bool) term {
	of := t.node
	if lenient {
		of = t.lenient
	}
	args := []string{of(x.Node).at(levelChoice), "0"}
	if x.From != nil {
		args[1] = t.node(x.From).at(levelChoice)
	}
	if x.To != nil {
		args = append(args, t.node(x.To).at(levelChoice))
	}
	return t.call(unknown, "slice", args...)
}

// turning are the functions with a body, and what they give.
var turning = map[string]kind{
	"all": boolean, "any": boolean, "none": boolean, "one": boolean, "count": numeric, "filter": other, "map": other, "find": unknown,
	"findIndex": unknown, "findLast": unknown, "findLastIndex": unknown, "groupBy": other, "sortBy": other, "reduce": unknown, "sum": numeric,
}

// gives is what functions give where that helps.
var gives = map[string]kind{
	"len": numeric, "indexOf": numeric, "lastIndexOf": numeric, "abs": numeric, "ceil": numeric, "floor": numeric, "round": numeric,
	"int": numeric, "float": numeric, "mean": numeric, "median": numeric, "hasPrefix": boolean, "hasSuffix": boolean, "has": boolean,
	"text": textual, "string": textual, "toJSON": textual, "trim": textual, "trimPrefix": textual, "trimSuffix": textual, "upper": textual,
	"lower": textual, "replace": textual, "repeat": textual, "join": textual, "toBase64": textual, "fromBase64": textual, "type": textual,
}

func (t *translator) function(name string, args []ast.Node) term {
	if k, ok := turning[name]; ok {
		return t.turn(name, k, args)
	}
	switch name {
	case "active":
		return t.active(args[0])
	case "granted":
		return t.call(boolean, "isIn", t.node(args[0]).at(levelChoice), t.tools().text)
	case "has":
		return t.has(args)
	case "id":
		return t.id()
	case "len", "last":
		if i, ok := args[0].(*ast.IdentifierNode); ok && !t.isVariable(i.Value) {
			return t.identifier(i.Value)
		}
	}
	return t.call(gives[name], name, t.each(args)...)
}

func (t *translator) has(args []ast.Node) term {
	if base, ok := args[0].(*ast.IdentifierNode); ok && base.Value == "event" && !t.isVariable("event") {
		name, literal := args[1].(*ast.StringNode)
		if !literal {
			return t.refuse("write the field's name out", "event as a whole is not the same in XState")
		}
		field := t.eventField(name.Value, false, true)
		return term{text: field.at(levelOrder) + " !== undefined", level: levelEqual, kind: boolean}
	}
	return t.call(boolean, "has", t.lenient(args[0]).at(levelChoice), t.node(args[1]).at(levelChoice))
}

// id is a new id, which only a step of a block can count.
func (t *translator) id() term {
	if !t.place.block {
		return t.refuse("assign it to a variable in an action before", "an id can be made in an action only")
	}
	t.m.counts = true
	t.uses["scope"] = true
	t.m.use("newID")
	return term{text: "newID(scope)", level: levelMember, kind: textual}
}

// active asks for the configuration, which functions of XState do not see:
// guards are taken apart for it.
func (t *translator) active(n ast.Node) term {
	path := n.(*ast.StringNode).Value
	if is, known := t.fixed[path]; known {
		return term{strconv.FormatBool(is), levelMember, boolean, true}
	}
	if is, known := t.m.certain(path, t.place); known {
		return term{strconv.FormatBool(is), levelMember, boolean, true}
	}
	if !t.place.guard {
		return t.refuse("ask for it in a guard", "XState's actions do not see which states are active")
	}
	t.asked = append(t.asked, path)
	return term{text: "false", level: levelMember, kind: boolean}
}

// turn translates a function with a body.
func (t *translator) turn(name string, k kind, args []ast.Node) term {
	parts := []string{t.node(args[0]).at(levelChoice)}
	if len(args) > 1 {
		b := turn{element: t.fresh("item"), index: t.fresh("i"), acc: t.fresh("acc")}
		t.bodies = append(t.bodies, b)
		inner := t.node(args[1])
		b = t.bodies[len(t.bodies)-1]
		t.bodies = t.bodies[:len(t.bodies)-1]
		names := b.element
		if b.indexed {
			names += ", " + b.index
		}
		if b.reduced {
			names += ", " + b.acc
		}
		text := inner.at(levelChoice)
		if len(text) > 0 && text[0] == '{' {
			text = "(" + text + ")"
		}
		parts = append(parts, "("+names+") => "+text)
	}
	for _, n := range args[min(2, len(args)):] {
		parts = append(parts, t.node(n).at(levelChoice))
	}
	return t.call(k, name, parts...)
}
