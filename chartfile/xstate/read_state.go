package xstate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// adapting makes the fields of a chart file that stand for one of XState.
type adapting = func(*document.Node, document.Field) []document.Field

// state adapts a state and all below it.
func (a *adapter) state(n *document.Node, p place) *document.Node {
	if n.Kind != document.Object {
		return n
	}
	kind := kindOf(n)
	k := known{what: "a state" + inXState, keys: a.stateKeys(p), elsewhere: notOfStates, matter: []string{"type", "initial", "states", "history", "target"}}
	if p.root {
		k.what, k.elsewhere = "a machine"+inXState, notOfMachines
		a.rootKeys(k.keys)
	}
	switch kind {
	case statechart.Final:
		a.dropAll(k.keys, "of a final state is never taken", "a final state takes nothing; leave it out, or make the state another kind", "on", "always", "after", "onDone")
	case statechart.History:
		a.dropAll(k.keys, "of a history state means nothing", "leave it out; where it leads to is its target",
			"initial", "states", "on", "always", "after", "onDone", "entry", "exit", "invoke", "output")
	case statechart.Parallel:
		k.keys["initial"] = a.parallelInitial
	}
	if kind != statechart.History {
		a.dropAll(k.keys, "of this state means nothing", `leave it out, or say type: "history"`, "history", "target")
	}
	out := a.object(n, k)
	if _, given := n.Field("type"); kind == statechart.History && !given {
		out.Fields = append(out.Fields, document.Field{Key: "type", KeyStart: n.Start, Value: textAt(n, string(statechart.History))})
	}
	a.extend(out, n, p)
	return out
}

func (a *adapter) stateKeys(p place) map[string]adapting {
	return map[string]adapting{
		"type": same, "id": same, "description": same, "output": a.literally,
		"initial": a.initial, "target": a.historyTarget, "history": history, "tags": tags,
		"states": func(_ *document.Node, f document.Field) []document.Field { return a.states(f, p) },
		"on":     func(_ *document.Node, f document.Field) []document.Field { return a.on(f) },
		"after":  func(_ *document.Node, f document.Field) []document.Field { return a.after(f) },
		"always": a.candidates, "onDone": a.candidates, "entry": a.actionList, "exit": a.actionList,
		"invoke": a.invoke, "meta": meta,
	}
}

// rootKeys adds the keys that only a machine has.
func (a *adapter) rootKeys(keys map[string]adapting) {
	keys["version"] = same
	keys["$schema"] = same
	keys["context"] = a.context
	keys["types"] = a.leftOut("is for TypeScript only", "leave it out; what an event carries is said in meta: "+`{"detent": {"events": …}}`)
	keys["schemas"] = keys["types"]
	keys["options"] = a.options
}

// dropAll gives warnings for keys that mean nothing here, unless nothing
// stands there.
func (a *adapter) dropAll(keys map[string]adapting, message, hint string, names ...string) {
	warn := a.leftOut(message, hint)
	for _, name := range names {
		keys[name] = func(n *document.Node, f document.Field) []document.Field {
			if len(f.Value.Items) > 0 || len(f.Value.Fields) > 0 || f.Value.Text != "" && f.Value.Text != "false" && f.Value.Kind != document.Null {
				warn(n, f)
			}
			return nil
		}
	}
}

// initial is where a compound state is entered: XState knows its children
// only.
func (a *adapter) initial(n *document.Node, f document.Field) []document.Field {
	target, v := f.Value, f.Value
	if v.Kind == document.Object {
		v = a.object(v, known{what: "a default with actions", keys: map[string]adapting{"target": same, "actions": a.actionList}})
		target, _ = v.Field("target")
	}
	switch {
	case target == nil:
	case target.Kind == document.List || strings.Contains(target.Text, "."):
		a.refuse(chartfile.CodeWrongType, target.Start, `"initial" leads further than to a child`, "name a child, and give that an initial of its own")
	default:
		a.oneState(target)
	}
	return []document.Field{fieldAt(f, f.Key, v)}
}

// parallelInitial drops what XState does not use; but it does not start where
// that names no child.
func (a *adapter) parallelInitial(n *document.Node, f document.Field) []document.Field {
	states, _ := n.Field("states")
	if f.Value.Kind == document.String && (states == nil || has(states, f.Value.Text) == 0) {
		a.refuse(statechart.CodeUnknownState, f.Value.Start, fmt.Sprintf("there is no state %s here", quoted(f.Value.Text)), "leave it out; all regions of a parallel state are entered")
		return nil
	}
	return a.leftOut("of a parallel state means nothing", "leave it out; all its regions are entered")(n, f)
}

func (a *adapter) historyTarget(_ *document.Node, f document.Field) []document.Field {
	if readsAsNothing(f.Value) || f.Value.Kind == document.Null {
		return nil
	}
	a.oneState(f.Value)
	return []document.Field{f}
}

// history is shallow when it is just true.
func history(_ *document.Node, f document.Field) []document.Field {
	if f.Value.Kind != document.Bool {
		return []document.Field{f}
	}
	if !f.Value.Bool {
		return nil
	}
	return []document.Field{fieldAt(f, f.Key, textAt(f.Value, "shallow"))}
}

func tags(_ *document.Node, f document.Field) []document.Field {
	if f.Value.Kind == document.String {
		f.Value = listAt(f.Value, []*document.Node{f.Value})
	}
	return []document.Field{f}
}

func (a *adapter) states(f document.Field, p place) []document.Field {
	if f.Value.Kind != document.Object {
		return []document.Field{f}
	}
	out := *f.Value
	out.Fields = slices.Clone(inJavaScriptOrder(out.Fields))
	for i := range out.Fields {
		child := &out.Fields[i]
		child.Value = a.state(child.Value, p.child(child.Key, child.Value))
	}
	return []document.Field{fieldAt(f, f.Key, &out)}
}

// context are variables whose values stand as they are.
func (a *adapter) context(_ *document.Node, f document.Field) []document.Field {
	for _, v := range f.Value.Fields {
		a.literal(v.Value)
	}
	return []document.Field{f}
}

// options are those of a machine.
func (a *adapter) options(_ *document.Node, f document.Field) []document.Field {
	if f.Value.Kind != document.Object {
		return []document.Field{f}
	}
	bounds := a.object(f.Value, known{what: "options", keys: map[string]adapting{
		"maxIterations": func(_ *document.Node, f document.Field) []document.Field {
			if f.Value.Kind == document.Int && f.Value.Int > maxMicrosteps {
				a.warn(statechart.CodeLimit, f.Value.Start, "an event ends after 1,000 steps here", fmt.Sprintf("write %d or less", maxMicrosteps))
				return nil
			}
			return []document.Field{fieldAt(f, "microsteps", f.Value)}
		},
	}})
	if len(bounds.Fields) == 0 {
		return nil
	}
	return []document.Field{fieldAt(f, "limits", bounds)}
}

// maxMicrosteps is the bound that charts may lower.
const maxMicrosteps = 1_000
