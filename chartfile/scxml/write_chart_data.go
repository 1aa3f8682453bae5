package scxml

import (
	"fmt"
	"slices"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// declarations notes all variables, which share one scope in SCXML.
func (t *translator) declarations() {
	add := func(name, path string) {
		switch {
		case slices.Contains(system, name) || strings.HasPrefix(name, "_"):
			t.fail(path, "choose a name that does not begin with _", "the variable %q has a name that SCXML keeps for itself", name)
		case t.variables[name] != "":
			t.fail(path, "give one of them another name", "the variable %q is also declared at %s, and SCXML has one scope for all", name, t.variables[name])
		default:
			t.variables[name] = path
		}
	}
	for _, v := range t.def.Constants {
		add(v.Name, "constants."+v.Name)
	}
	for _, n := range t.tree.all {
		for _, v := range n.state.Context {
			add(v.Name, n.place+".context."+v.Name)
		}
	}
}

// rootData are the constants and the variables of the root.
func (t *translator) rootData() []statechart.Variable {
	var out []statechart.Variable
	for _, v := range t.def.Constants {
		t.overridden(v, "constants."+v.Name)
		out = append(out, t.variable(v, "constants."+v.Name))
	}
	for _, v := range t.tree.root.state.Context {
		path := "root.context." + v.Name
		t.overridden(v, path)
		out = append(out, t.variable(v, path))
	}
	return out
}

// variable is a declaration in SCXML.
func (t *translator) variable(v statechart.Variable, path string) statechart.Variable {
	if v.Value == nil {
		return statechart.Variable{Name: v.Name}
	}
	return statechart.Variable{Name: v.Name, Value: t.value(v.Value, path)}
}

// overridden refuses a variable whose first value SCXML would take from the
// session's input, because a field of it has the variable's name.
func (t *translator) overridden(v statechart.Variable, path string) {
	schema, _ := t.def.Input.(map[string]any)
	fields, _ := schema["properties"].(map[string]any)
	if _, has := fields[v.Name]; !has {
		return
	}
	source, _ := v.Value.(statechart.Expression)
	if text := strings.Join(strings.Fields(string(source)), ""); text != "input."+v.Name {
		t.fail(path, "give the variable another name, or the value input."+v.Name, "SCXML gives the input's field %q to the variable of that name", v.Name)
	}
}

// localData declares the variables of a state below the root and gives them
// their values whenever it is entered. A value that cannot be made leaves null
// (R33), so null comes first where something is computed.
func (t *translator) localData(n *node, out *statechart.State) {
	var fixed []statechart.Action
	flush := func() {
		if len(fixed) > 0 {
			out.Entry = append(out.Entry, statechart.Action{Block: fixed})
			fixed = nil
		}
	}
	for _, v := range n.state.Context {
		path := n.place + ".context." + v.Name
		if h := t.parks(n); h != nil {
			t.fail(path, "declare the variable at the root", "the history %q keeps the variable, and in SCXML nothing does", h.state.Name)
		}
		out.Context = append(out.Context, statechart.Variable{Name: v.Name})
		set := func(value any) statechart.Action {
			return statechart.Action{Assign: []statechart.Variable{{Name: v.Name, Value: value}}}
		}
		value := t.value(v.Value, path)
		if isLiteral(v.Value) {
			fixed = append(fixed, set(value))
			continue
		}
		flush()
		out.Entry = append(out.Entry, statechart.Action{Block: []statechart.Action{set(statechart.Expression("null")), set(value)}})
	}
	flush()
}

// parks returns a history that may keep the scope of a state, nil without
// one (R33).
func (t *translator) parks(n *node) *node {
	for up := n; up != nil; up = up.parent {
		for _, c := range up.children {
			if c.state.Type == statechart.History {
				return c
			}
		}
	}
	return nil
}

// value is a value as an expression.
func (t *translator) value(v any, path string) statechart.Expression {
	source, ok := sourceOf(t.converted(v, path))
	if !ok {
		t.fail(path, "use null, booleans, numbers, text that XML can hold, lists and objects", "%v of type %T is no data that can be written", v, v)
		return ""
	}
	t.parses(source, path)
	return statechart.Expression(source)
}

// converted is a value whose expressions are those of the document.
func (t *translator) converted(v any, path string) any {
	switch x := v.(type) {
	case statechart.Expression:
		return t.expression(x, path)
	case []any:
		out := make([]any, len(x))
		for i, item := range x {
			out[i] = t.converted(item, fmt.Sprintf("%s[%d]", path, i))
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, item := range x {
			out[k] = t.converted(item, path+"."+k)
		}
		return out
	}
	return v
}

// payload is what an event or an output carries. Parameters are expressions
// each; nothing at all is nil.
func (t *translator) payload(v any, path string) any {
	fields, ok := v.(map[string]any)
	switch {
	case v == nil:
		return nil
	case !ok || len(fields) == 0:
		return t.value(v, path)
	}
	out := make(map[string]any, len(fields))
	for name, field := range fields {
		out[name] = t.value(field, path+"."+name)
	}
	return out
}
