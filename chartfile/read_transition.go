package chartfile

import (
	"fmt"

	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// on reads the transitions of a state by their events.
func (r *reader) on(n *document.Node, s *spot) []statechart.Transition {
	v, _ := r.part(n, s, "on")
	var out []statechart.Transition
	for _, f := range r.fields(v) {
		if r.bad[f.Value] {
			continue
		}
		r.taken[f.Key] = true
		inner := &spot{}
		for i, t := range r.candidates(f.Value, inner, "", f, nil) {
			at := inner.kids[i]
			at.name = index("on", len(out))
			at.add("event", f.KeyStart, nil)
			s.kids = append(s.kids, at)
			t.Event = f.Key
			out = append(out, t)
		}
	}
	return out
}

// transitions reads candidates that stand under a key of the format.
func (r *reader) transitions(n *document.Node, s *spot, key string) []statechart.Transition {
	for _, f := range n.Fields {
		if f.Key == key && !r.bad[f.Value] {
			return r.candidates(f.Value, s, key, f, nil)
		}
	}
	return nil
}

// candidates reads one transition or a list of them, the spots called name
// and their position. more reads keys that only some have.
func (r *reader) candidates(v *document.Node, s *spot, name string, f document.Field, more func(*document.Node, *spot)) []statechart.Transition {
	list := []*document.Node{v}
	if v.Kind == document.List {
		list = v.Items
		if len(list) == 0 {
			r.refuse(v, CodeBlank, f.KeyStart, fmt.Sprintf("%s lists no transition", quote(f.Key)), fmt.Sprintf("%s: {} forbids the event; otherwise leave the key out", f.Key))
		}
	}
	var out []statechart.Transition
	for _, c := range list {
		if r.bad[c] {
			continue
		}
		where := c.Start
		if v == c {
			where = placeOf(f)
		}
		at := s.add(index(name, len(out)), where, c)
		at.bad = r.flawed[c]
		out = append(out, r.transition(c, at))
		if more != nil {
			more(c, at)
		}
	}
	return out
}

func (r *reader) transition(n *document.Node, s *spot) statechart.Transition {
	if n.Kind == document.String {
		s.add("target", n.Start, n)
		return statechart.Transition{Target: n.Text}
	}
	var t statechart.Transition
	target, at := r.part(n, s, "target")
	t.Target = r.targets(target)
	if target != nil && target.Kind == document.List && len(target.Items) == 0 {
		r.flaw(n, CodeBlank, at.at, `"target" lists no state`, "without a target nothing is left; leave the key out")
		s.bad = true
	}
	if v, at := r.part(n, s, "guard"); v != nil {
		t.Guard = r.guard(v, at)
	}
	t.Actions = r.actions(n, s, "actions")
	if r.isTrue(n, s, "reenter") {
		t.Type = statechart.External
	}
	t.Description = r.text(n, s, "description")
	t.Meta = r.literal(n, s, "meta")
	for _, k := range s.kids {
		s.bad = s.bad || k.bad
	}
	return t
}
