package chartfile

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// state reads a state and all below it.
func (r *reader) state(n *document.Node, s *spot, root bool) statechart.State {
	out := statechart.State{
		Type:   statechart.StateType(r.text(n, s, "type")),
		Status: r.text(n, s, "status"), History: r.text(n, s, "history"),
		Defer: r.texts(n, s, "defer"), Tags: r.texts(n, s, "tags"), Meta: r.literal(n, s, "meta"),
		ID: r.text(n, s, "id"), Description: r.text(n, s, "description"),
	}
	if r.lost(n, "type") {
		s.bad, s.kindless = true, true // what kind of state it is decides what else is wrong
		r.file.lostKinds[stateName(s)] = true
	}
	r.lostTaken = r.lostTaken || r.lost(n, "on")
	fields := r.listed(n, s, "context")
	r.within(r.declared(fields), func() {
		out.Context = r.variables(fields)
		r.inside(&out, n, s)
		r.children(&out, n, s)
	})
	return out
}

// inside reads what a state does, in the order in which it stands.
func (r *reader) inside(out *statechart.State, n *document.Node, s *spot) {
	for _, f := range n.Fields {
		switch f.Key {
		case "initial":
			out.Initial, out.InitialActions = r.initial(n, s, out.Type)
		case "target":
			r.historyTarget(out, n, s)
		case "promote":
			out.Promote = r.promotions(n, s)
		case "tools":
			out.Tools, out.ToolsOnly = r.tools(n, s)
		case "entry":
			out.Entry = r.actions(n, s, "entry")
		case "exit":
			out.Exit = r.actions(n, s, "exit")
		case "invoke":
			out.Invoke = r.invocations(n, s)
		case "on":
			out.On = r.on(n, s)
		case "always":
			out.Always = r.transitions(n, s, "always")
		case "onDone":
			out.OnDone = r.transitions(n, s, "onDone")
		case "after":
			out.After = r.timers(n, s, "after")
		case "every":
			out.Every = r.timers(n, s, "every")
		case "warnAfter":
			out.WarnAfter = r.optionalDelay(n, s, "warnAfter")
		case "output":
			out.Output = r.optional(n, s, "output")
		}
	}
}

// stateName is the name of the state that a spot is of.
func stateName(s *spot) string { return strings.TrimPrefix(s.name, "states.") }

func (r *reader) children(out *statechart.State, n *document.Node, s *spot) {
	v, _ := r.part(n, s, "states")
	if r.lost(n, "states") {
		r.file.lostStates[stateName(s)], s.bad, s.kindless = true, true, true
		for _, kid := range s.kids {
			kid.bad = true // without children nothing of this kind is right
		}
	}
	fields := r.fields(v)
	if len(fields) > 0 {
		out.States = make([]statechart.State, 0, len(fields))
	}
	for i, f := range fields {
		name := "states." + f.Key
		if f.Key == "" || strings.ContainsFunc(f.Key, badInName) {
			name = index("states", i)
		}
		kid := s.add(name, f.KeyStart, f.Value)
		kid.bad = r.bad[f.Value] || r.flawed[f.Value]
		child := statechart.State{}
		if r.bad[f.Value] {
			r.file.lostStates[f.Key] = true
		} else {
			child = r.state(f.Value, kid, false)
		}
		child.Name = f.Key
		out.States = append(out.States, child)
	}
}

// initial reads where a compound state is entered.
func (r *reader) initial(n *document.Node, s *spot, kind statechart.StateType) (string, []statechart.Action) {
	if kind == statechart.History {
		if v, _ := n.Field("initial"); v != nil {
			r.flaw(n, codeNotAllowed, v.Start, "a history state has no initial", "its default is its target")
		}
		return "", nil
	}
	return r.destination(n, s, "initial")
}

// historyTarget reads the default of a history state.
func (r *reader) historyTarget(out *statechart.State, n *document.Node, s *spot) {
	if out.Type != statechart.History {
		v, _ := n.Field("target")
		if v != nil && !s.bad {
			r.flaw(n, codeNotAllowed, v.Start, "only a history state has a target", "a state is entered at its initial")
		}
		return
	}
	out.Initial, out.InitialActions = r.destination(n, s, "target")
}

// destination reads a default in one of its three forms.
func (r *reader) destination(n *document.Node, s *spot, key string) (string, []statechart.Action) {
	v, at := r.part(n, s, key, "initial")
	switch {
	case v == nil:
		return "", nil
	case v.Kind != document.Object:
		return r.targets(v), nil
	}
	inner := &spot{}
	target, where := r.part(v, inner, "target")
	if target != nil {
		at.at, at.node = where.at, target
	}
	return r.targets(target), r.actionsAs(v, s, "actions", "initialActions")
}

// targets joins one or several targets.
func (r *reader) targets(v *document.Node) string { return strings.Join(r.textsOf(v), " ") }

func (r *reader) promotions(n *document.Node, s *spot) []statechart.Promotion {
	v, _ := r.part(n, s, "promote")
	var out []statechart.Promotion
	for i, f := range r.fields(v) {
		p := statechart.Promotion{Variable: f.Key}
		at := s.add(index("promote", i), f.KeyStart, nil)
		value, where := f.Value, placeOf(f)
		at.bad = r.bad[f.Value] || r.flawed[f.Value]
		if long, isLong := f.Value.Field("value"); isLong {
			value, where = long, long.Start
			p.Merge = r.text(f.Value, at, "merge")
		}
		if at.add("value", where, value); !r.bad[value] {
			p.Value = r.value(value)
		}
		out = append(out, p)
	}
	return out
}

func (r *reader) tools(n *document.Node, s *spot) (tools []string, only bool) {
	v, at := r.part(n, s, "tools")
	if v != nil && v.Kind == document.Object {
		return r.texts(v, at, "only"), true
	}
	return r.textsOf(v), false
}

// badInName reports whether a name may not hold a character; the compiler
// numbers states with such names.
func badInName(c rune) bool { return strings.ContainsRune(".#*", c) || unicode.IsSpace(c) }

// timers reads after or every: for each delay its transitions.
func (r *reader) timers(n *document.Node, s *spot, key string) []statechart.Timed {
	v, _ := r.part(n, s, key)
	var out []statechart.Timed
	equal := map[float64]string{}
	for _, f := range r.fields(v) {
		if r.bad[f.Value] {
			continue
		}
		at := s.add(index(key, len(out)), f.KeyStart, f.Value)
		t := statechart.Timed{Delay: r.delayKey(f, at)}
		if text, fixed := t.Delay.(string); fixed && key == "after" {
			r.equalDelays(f, text, equal)
		}
		said := map[string]bool{}
		t.Transitions = r.candidates(f.Value, at, "transitions", f, func(c *document.Node, cs *spot) {
			if v, _ := r.part(c, cs, "keep"); v != nil && key == "after" {
				t.Keep = v.Bool
				said[v.Text] = true
			}
			if m := r.text(c, cs, "missed"); m != "" && key == "every" {
				t.Missed = m
				said[m] = true
			}
		})
		if len(said) > 1 {
			r.note(codeInvalid, f.KeyStart, "the transitions of one timer do not agree on keep or missed", "a timer is kept, or not, as a whole")
		}
		out = append(out, t)
	}
	return out
}

// equalDelays refuses two delays of one state that come to the same.
func (r *reader) equalDelays(f document.Field, text string, before map[float64]string) {
	ms, ok := r.fixed[text]
	if !ok {
		ms, ok = durationMillis(text)
	}
	if !ok {
		return
	}
	if other, twice := before[ms]; twice && other != text {
		r.note(codeDuplicate, f.KeyStart, fmt.Sprintf("%s and %s are the same delay", quote(other), quote(text)), "put both transitions into one list")
	}
	before[ms] = text
}
