package scxml

import (
	"fmt"
	"slices"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// declarations gives all variables their names: in SCXML they share one scope,
// so what several states call alike gets a number.
func (t *translator) declarations() {
	t.variables, t.taken = map[*node]map[string]string{}, map[string]bool{}
	wanted := map[string]bool{}
	for _, n := range t.tree.all {
		t.variables[n] = map[string]string{}
		for _, v := range n.state.Context {
			wanted[v.Name] = true
		}
		eachAction(n.state, func(a *statechart.Action) { t.taken[a.As], t.taken[a.Index] = true, true })
	}
	add := func(n *node, name, path string) {
		if slices.Contains(system, name) || strings.HasPrefix(name, "_") {
			t.fail(path, "choose a name that does not begin with _", "the variable %q has a name that SCXML keeps for itself", name)
		}
		free := name
		for i := 2; t.taken[free] || free != name && wanted[free]; i++ {
			free = fmt.Sprintf("%s_%d", name, i)
		}
		t.taken[free], t.variables[n][name] = true, free
	}
	for _, v := range t.def.Constants {
		add(t.tree.root, v.Name, "constants."+v.Name)
	}
	for _, n := range t.tree.all {
		for _, v := range n.state.Context {
			add(n, v.Name, n.place+".context."+v.Name)
		}
	}
}

// nameHere is the name in the document of what a name means in the state that
// is written.
func (t *translator) nameHere(name string) string {
	if slices.Contains(t.loops, name) {
		return name
	}
	for n := t.at; n != nil; n = n.parent {
		if named, ok := t.variables[n][name]; ok {
			return named
		}
	}
	return name
}

// rootData are the constants and the variables of the root.
func (t *translator) rootData() []statechart.Variable {
	var out []statechart.Variable
	for _, v := range t.def.Constants {
		out = append(out, t.variable(v, "constants."+v.Name))
	}
	for _, v := range t.tree.root.state.Context {
		path := "root.context." + v.Name
		out = append(out, t.variable(v, path))
	}
	return out
}

// variable is a declaration in SCXML.
func (t *translator) variable(v statechart.Variable, path string) statechart.Variable {
	name := t.nameHere(v.Name)
	if v.Value == nil {
		return statechart.Variable{Name: name}
	}
	return statechart.Variable{Name: name, Value: t.value(v.Value, path)}
}

// overridden reports whether SCXML would take the first value of a variable of
// the top from the session's input, because a field of it has the variable's
// name. It does not do so for the variables of a state.
func (t *translator) overridden() bool {
	schema, _ := t.def.Input.(map[string]any)
	fields, _ := schema["properties"].(map[string]any)
	return slices.ContainsFunc(slices.Concat(t.def.Constants, t.def.Root.Context), func(v statechart.Variable) bool {
		_, has := fields[v.Name]
		source, _ := v.Value.(statechart.Expression)
		return has && strings.Join(strings.Fields(string(source)), "") != "input."+v.Name
	})
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
		name := t.nameHere(v.Name)
		out.Context = append(out.Context, statechart.Variable{Name: name})
		set := func(value any) statechart.Action {
			return statechart.Action{Assign: []statechart.Variable{{Name: name, Value: value}}}
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
