package xstate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// actionList makes a list of one or many actions.
func (a *adapter) actionList(_ *document.Node, f document.Field) []document.Field {
	list := []*document.Node{f.Value}
	switch f.Value.Kind {
	case document.List:
		list = f.Value.Items
	case document.String, document.Object:
	default:
		a.refuse(chartfile.CodeWrongType, f.Value.Start, fmt.Sprintf("%s is an action or a list of actions, not %s", quoted(f.Key), f.Value.Kind), anAction)
		return nil
	}
	out := []*document.Node{}
	for _, item := range list {
		out = append(out, a.action(item)...)
	}
	return []document.Field{fieldAt(f, f.Key, listAt(f.Value, out))}
}

// action adapts one action: several where meta says what it is.
func (a *adapter) action(n *document.Node) []*document.Node {
	switch n.Kind {
	case document.String:
		if v := a.stub("actions", n); v != nil {
			return several(v)
		}
		if a.ownFunction("actions", n) {
			return nil
		}
		a.require("actions", n)
		return []*document.Node{n}
	case document.Null:
		a.refuse(statechart.CodeAction, n.Start, "null is no action", lostFunction("actions"))
		return nil
	case document.Object:
	default:
		a.refuse(statechart.CodeAction, n.Start, fmt.Sprintf("%s is no action", n.Kind), anAction)
		return nil
	}
	for _, form := range actionForms {
		if _, ok := n.Field(form); ok {
			return a.form(n, form)
		}
	}
	a.noAction(n)
	return nil
}

// several are the actions that stand for one.
func several(v *document.Node) []*document.Node {
	if v.Kind == document.List {
		return v.Items
	}
	return []*document.Node{v}
}

// actionForms are the keys by which the forms of an action are known.
var actionForms = []string{"type", "raise", "send", "emit", "cancel", "log", "if"}

// form adapts an object that has one of these keys.
func (a *adapter) form(n *document.Node, form string) []*document.Node {
	keys := map[string]adapting{}
	what := form
	switch form {
	case "type":
		what = "an action" + inXState
		if v, ok := a.named("actions", n); !ok {
			return nil
		} else if v != nil {
			return several(v)
		}
		keys["type"], keys["params"] = same, a.params
	case "raise":
		keys["raise"], keys["delay"], keys["id"] = a.event, a.delayField, a.literally
	case "send":
		keys["send"], keys["to"], keys["delay"], keys["id"] = a.event, a.receiver, a.delayField, a.literally
	case "emit":
		keys["emit"] = a.event
	case "cancel", "log":
		keys[form] = a.literally
	case "if":
		keys["if"], keys["then"], keys["else"] = a.guardField, a.actionList, a.actionList
	}
	out := a.object(n, known{what: what, keys: keys})
	if _, given := out.Field("then"); form == "if" && !given {
		out.Fields = append(out.Fields, document.Field{Key: "then", KeyStart: n.Start, Value: listAt(n, nil)})
	}
	return []*document.Node{out}
}

const (
	anAction = `an action is a name, or {"type": "name", "params": {…}}`
	aGuard   = `a guard is a name, or {"type": "name", "params": {…}}`
)

func (a *adapter) noAction(n *document.Node) {
	at, first := n.Start, ""
	if len(n.Fields) > 0 {
		at, first = n.Fields[0].KeyStart, n.Fields[0].Key
	}
	hint := anAction
	switch first {
	case "assign", "append", "foreach", "do":
		hint = "name the action, and " + inStubs("actions")
	case "spawn", "stop":
		hint = livesWithState
	}
	message := "an empty object is no action"
	if first != "" {
		message = quoted(first) + " is no action in XState's JSON"
	}
	a.refuse(statechart.CodeAction, at, message, hint)
}

// named requires the name of a guard or an action in long form. It returns
// what the name stands for, nil when Go code knows it; not ok when it refused
// the name.
func (a *adapter) named(key string, n *document.Node) (v *document.Node, ok bool) {
	name, _ := n.Field("type")
	if name.Kind != document.String {
		return nil, true
	}
	v = a.stub(key, name)
	if v == nil && a.ownFunction(key, name) {
		return nil, false
	}
	if params, given := n.Field("params"); v != nil && given {
		a.refuse(statechart.CodeNotAllowed, params.Start, fmt.Sprintf("what meta.detent says of %s does not see params", quoted(name.Text)), "register it in Go, or give each its own name")
	}
	if v == nil {
		a.require(key, name)
	}
	return v, true
}

// receiver is the id of a call, as it is called here, or another text.
func (a *adapter) receiver(n *document.Node, f document.Field) []document.Field {
	if id, ok := a.calls[f.Value.Text]; ok && f.Value.Kind == document.String {
		f.Value = textAt(f.Value, id)
	}
	return a.literally(n, f)
}

// params stand as they are.
func (a *adapter) params(n *document.Node, f document.Field) []document.Field {
	if f.Value.Kind != document.Object {
		a.refuse(chartfile.CodeWrongType, f.Value.Start, fmt.Sprintf("params are an object, not %s", f.Value.Kind), `give each a name: "params": {"name": …}`)
		return nil
	}
	return a.literally(n, f)
}

// event takes an event of XState apart: its name, and the rest as its data.
func (a *adapter) event(_ *document.Node, f document.Field) []document.Field {
	if f.Value.Kind != document.Object {
		return []document.Field{f}
	}
	name, ok := f.Value.Field("type")
	if !ok {
		a.refuse(statechart.CodeMissing, f.Value.Start, "an event has no type", `write {"type": "NAME"}`)
		name = textAt(f.Value, "missing")
	}
	out := []document.Field{fieldAt(f, f.Key, name)}
	data := *f.Value
	data.Fields = slices.DeleteFunc(slices.Clone(data.Fields), func(f document.Field) bool { return f.Key == "type" })
	if len(data.Fields) > 0 {
		out = append(out, fieldAt(f, "data", a.literal(&data)))
	}
	return out
}

func (a *adapter) guardField(_ *document.Node, f document.Field) []document.Field {
	return []document.Field{fieldAt(f, f.Key, a.guard(f.Value))}
}

// guard adapts a guard. A name becomes an object, for a variable may have the
// same.
func (a *adapter) guard(n *document.Node) *document.Node {
	switch n.Kind {
	case document.String:
		if v := a.stub("guards", n); v != nil {
			return v
		}
		if a.ownFunction("guards", n) {
			a.refused[n] = true
			return n
		}
		a.require("guards", n)
		return objectAt(n, document.Field{Key: "type", KeyStart: n.Start, Value: n})
	case document.Object:
	default:
		hint := aGuard
		if n.Kind == document.Null {
			hint = lostFunction("guards")
		}
		a.refuseNode(chartfile.CodeWrongType, n, n.Start, fmt.Sprintf("%s is no guard", n.Kind), hint)
		return n
	}
	if _, given := n.Field("type"); given {
		v, ok := a.named("guards", n)
		if !ok {
			a.refused[n] = true
			return n
		}
		if v != nil {
			return v
		}
	}
	out := a.object(n, known{what: "a guard" + inXState, keys: map[string]adapting{
		"type": same, "params": a.params, "and": a.guardList, "or": a.guardList, "not": a.guardField,
		"stateIn": a.stateIn,
	}, elsewhere: map[string]string{"in": `did you mean "stateIn"?`, "expression": "name the guard, and " + inStubs("guards")}})
	if forms := len(out.Fields) - has(out, "params"); forms != 1 {
		if forms > 1 || len(out.Fields) == len(n.Fields) {
			a.refuse(statechart.CodeCondition, n.Start, "a guard has one form", aGuard)
		}
		a.refused[out] = true
	}
	return out
}

// stateIn is a guard on where the machine is.
func (a *adapter) stateIn(_ *document.Node, f document.Field) []document.Field {
	if f.Value.Kind != document.String {
		a.refuseNode(chartfile.CodeWrongType, f.Value, f.KeyStart, fmt.Sprintf(`"stateIn" is one state, not %s`, f.Value.Kind), `write {"stateIn": "#id"}, and several in {"and": […]}`)
	}
	a.oneState(f.Value)
	return []document.Field{fieldAt(f, "in", f.Value)}
}

// has is 1 when an object has a key, and 0 otherwise.
func has(n *document.Node, key string) int {
	if _, ok := n.Field(key); ok {
		return 1
	}
	return 0
}

func (a *adapter) guardList(_ *document.Node, f document.Field) []document.Field {
	if f.Value.Kind != document.List {
		return []document.Field{f}
	}
	list := listAt(f.Value, nil)
	for _, item := range f.Value.Items {
		list.Items = append(list.Items, a.guard(item))
	}
	return []document.Field{fieldAt(f, f.Key, list)}
}

// invoke adapts one or many invocations.
func (a *adapter) invoke(n *document.Node, f document.Field) []document.Field {
	list := slices.Clone(several(f.Value))
	for i, item := range list {
		list[i] = a.invocation(item, saysSource(n, i))
	}
	if f.Value.Kind != document.List {
		return []document.Field{fieldAt(f, f.Key, list[0])}
	}
	return []document.Field{fieldAt(f, f.Key, listAt(f.Value, list))}
}

// saysSource reports whether meta says what the i-th call of a state calls.
func saysSource(n *document.Node, i int) bool {
	v := ours(n)
	if v == nil {
		return false
	}
	calls, _ := v.Field("invoke")
	if calls == nil || i >= len(several(calls)) {
		return false
	}
	return has(several(calls)[i], "src") > 0
}

func (a *adapter) invocation(n *document.Node, sourced bool) *document.Node {
	if n.Kind != document.Object {
		return n
	}
	source := a.source
	if sourced {
		source = same
	}
	return a.object(n, known{what: "an invocation" + inXState, keys: map[string]adapting{
		"id": same, "src": source, "input": a.literally, "onDone": a.candidates, "onError": a.candidates,
		"onSnapshot": func(n *document.Node, f document.Field) []document.Field {
			a.warn(statechart.CodeNotAllowed, f.KeyStart, "snapshots come as the progress of a call, one a second at most", "leave it out if each snapshot counts")
			return a.candidates(n, fieldAt(f, "onProgress", f.Value))
		},
		"systemId": a.leftOut("is not kept: there is no system of actors", "leave it out; a call is known by its id"),
	}, elsewhere: map[string]string{
		"data": `did you mean "input"?`, "autoForward": "send the events on: name an action, and " + inStubs("actions"), "forward": "send the events on",
		"timeout": inCalls("timeout"), "mode": inCalls("mode"), "retry": inCalls("retry"), "key": inCalls("key"), "onUnknown": inCalls("onUnknown"), "onProgress": inCalls("onProgress"),
	}})
}

// source is a registered performer, or one of the kinds that chart files have.
func (a *adapter) source(_ *document.Node, f document.Field) []document.Field {
	switch {
	case f.Value.Kind == document.Object:
		a.refuseNode(chartfile.CodeWrongType, f.Value, f.KeyStart, fmt.Sprintf("%s is a source's name, not an object", quoted(f.Key)), `write the name: "src": "NAME"; what goes along stands in "input"`)
		return []document.Field{f}
	case f.Value.Kind == document.Null:
		a.refuseNode(chartfile.CodeWrongType, f.Value, f.KeyStart, fmt.Sprintf("%s is null, which is no source", quoted(f.Key)), "JSON has null where a function stood; name it and register it in Go")
		return []document.Field{f}
	case f.Value.Kind != document.String:
		return []document.Field{f}
	case strings.HasPrefix(f.Value.Text, "inline:"):
		a.refuseNode(statechart.CodeUnknownSource, f.Value, f.Value.Start, fmt.Sprintf("%s stands for a function that is not in the JSON", quoted(f.Value.Text)), "give it a name without a colon and register it in Go")
		return []document.Field{f}
	}
	text := textAt(f.Value, strings.ReplaceAll(f.Value.Text, "${", "$${"))
	if !strings.Contains(text.Text, ":") {
		a.require("performers", f.Value)
	}
	return []document.Field{fieldAt(f, f.Key, text)}
}
