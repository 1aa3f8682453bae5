package scxml

import (
	"fmt"
	"slices"

	"github.com/detent-run/detent/statechart"
)

func (t *translator) actions(list []statechart.Action, path string) []statechart.Action {
	return t.actionsAt(list, path, 0)
}

// actionsAt makes the actions of a list of which the first is entry number
// from of path.
func (t *translator) actionsAt(list []statechart.Action, path string, from int) []statechart.Action {
	var out []statechart.Action
	for i := range list {
		out = append(out, t.action(&list[i], fmt.Sprintf("%s[%d]", path, from+i))...)
	}
	return out
}

// action makes one action: an assignment of several variables becomes
// several.
func (t *translator) action(a *statechart.Action, path string) []statechart.Action {
	switch {
	case a.Assign != nil:
		return t.assign(a, path)
	case isGiven(a.Raise):
		return t.raise(a, path)
	case isGiven(a.Send):
		return t.send(a, path)
	case a.Cancel != nil:
		if text, fixed := a.Cancel.(string); fixed {
			return []statechart.Action{{Cancel: text}}
		}
		return []statechart.Action{{Cancel: t.value(a.Cancel, path+".cancel")}}
	case a.Log != nil:
		return t.log(a, path)
	case a.If != nil:
		cond := t.condition(a.If, path+".if")
		t.parses(cond, path+".if")
		return []statechart.Action{{If: &statechart.Condition{Expression: statechart.Expression(cond)},
			Then: t.actions(a.Then, path+".then"), Else: t.actions(a.Else, path+".else")}}
	case a.Foreach != nil:
		return t.foreach(a, path)
	case a.Fail != "":
		return []statechart.Action{{Fail: a.Fail}}
	}
	what, hint := "an action that does nothing", "remove it"
	for _, form := range []struct {
		is         bool
		name, hint string
	}{
		{a.Call != "", "the action " + fmt.Sprintf("%q", a.Call) + " in Go", "write it with assign, if and foreach"},
		{a.Append != "", "append", "keep what must last in a variable"},
		{a.Do != nil, "do", "send an event to the one who can do it"},
		{a.Emit != nil, "emit", "send the event to the one who waits for it"},
		{a.Block != nil, "a block within a block", "lay its actions flat"},
	} {
		if form.is {
			what, hint = form.name, form.hint
		}
	}
	t.fail(path, hint, "%s cannot be said in SCXML", what)
	return nil
}

// assign evaluates all values first (R22): of several that are computed the
// values are put aside, so that an error in one leaves all variables as they
// were, and none sees what another was assigned.
func (t *translator) assign(a *statechart.Action, path string) []statechart.Action {
	set := func(name string, value any) statechart.Action {
		return statechart.Action{Assign: []statechart.Variable{{Name: name, Value: value}}}
	}
	var first, rest, aside []statechart.Action
	fields := map[string]any{}
	computed := 0
	for _, v := range a.Assign {
		name, value := t.nameHere(v.Name), t.value(v.Value, path+".assign."+v.Name)
		if isLiteral(v.Value) {
			rest = append(rest, set(name, value))
			continue
		}
		computed++
		fields[name] = value
		first = append(first, set(name, value))
	}
	if computed < 2 {
		return append(first, rest...)
	}
	name := t.aside()
	for _, v := range a.Assign {
		if of := t.nameHere(v.Name); fields[of] != nil {
			aside = append(aside, set(of, statechart.Expression(name+"."+of)))
		}
	}
	all, _ := sourceOf(fields)
	t.parses(all, path+".assign")
	out := append([]statechart.Action{set(name, statechart.Expression(all))}, aside...)
	return append(out, rest...)
}

// aside is the variable in which values wait to be assigned together.
func (t *translator) aside() string {
	if t.temporary == "" {
		t.temporary = "assigned"
		for t.taken[t.temporary] {
			t.temporary += "_"
		}
	}
	return t.temporary
}

// raise is internal unless it waits; with data, or a computed name, it is a
// send to oneself, which can carry both.
func (t *translator) raise(a *statechart.Action, path string) []statechart.Action {
	name, fixed := a.Raise.(string)
	if fixed && a.Data == nil && a.Delay == nil {
		if a.ID == nil {
			return []statechart.Action{{Raise: name}}
		}
	}
	out := t.message(a.Raise, a, path+".raise", path)
	if a.Delay == nil {
		out.To = "#_internal"
	}
	return []statechart.Action{out}
}

func (t *translator) send(a *statechart.Action, path string) []statechart.Action {
	out := t.message(a.Send, a, path+".send", path)
	switch a.To {
	case nil, "", "self":
	case "parent":
		out.To = "#_parent"
	default:
		t.fail(path+".to", "send it to the parent, and let it pass the event on", "a send to another session cannot be said in SCXML: it only reaches those that it heard from")
	}
	return []statechart.Action{out}
}

// message is what raise and send have in common.
func (t *translator) message(event any, a *statechart.Action, place, path string) statechart.Action {
	out := statechart.Action{Send: event, Data: t.payload(a.Data, path+".data")}
	if source, computed := event.(statechart.Expression); computed {
		out.Send = t.expression(source, place)
	}
	if a.ID != nil {
		id, fixed := a.ID.(string)
		if out.ID = id; !fixed || id == "" {
			t.fail(path+".id", "write the id itself", "a computed id of a send cannot be said in SCXML")
		}
	}
	if a.Delay != nil {
		out.Delay = t.delay(a.Delay, path+".delay")
	}
	return out
}

// log writes the value: text as a label.
func (t *translator) log(a *statechart.Action, path string) []statechart.Action {
	if a.Level != "" && a.Level != "info" {
		t.fail(path+".level", "log at the level info", "the level %q of a log cannot be said in SCXML", a.Level)
	}
	if text, fixed := a.Log.(string); fixed && written(text) {
		return []statechart.Action{{Log: text}}
	}
	return []statechart.Action{{Log: t.value(a.Log, path+".log")}}
}

// foreach has variables of its own in a chart. In SCXML they are global, which
// is the same as long as nothing else has their names.
func (t *translator) foreach(a *statechart.Action, path string) []statechart.Action {
	out := statechart.Action{Foreach: t.value(a.Foreach, path+".foreach"), As: a.As, Index: a.Index}
	if out.As == "" {
		out.As = "item"
		for t.taken[out.As] || slices.Contains(t.loops, out.As) {
			out.As += "_"
		}
	}
	outer := t.loops
	for _, name := range []string{out.As, out.Index} {
		switch {
		case name == "":
		case !variable.MatchString(name) || slices.Contains(system, name):
			t.fail(path, "give it another name", "the variable %q of the loop has a name that SCXML does not take", name)
		case slices.Contains(t.loops, name):
			t.fail(path, "give it another name", "the variable %q is also one of a loop around this one, and SCXML has one scope for all", name)
		default:
			t.loops = append(slices.Clone(t.loops), name)
			t.undeclared = append(t.undeclared, name)
		}
	}
	out.Then = t.actions(a.Then, path+".then")
	t.loops = outer
	return []statechart.Action{out}
}
