package chartfile

import (
	"fmt"

	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// actions reads the list of actions under a key.
func (r *reader) actions(n *document.Node, s *spot, key string) []statechart.Action {
	return r.actionsAs(n, s, key, key)
}

// actionsAs is actions for a list whose place has another name in the
// definition.
func (r *reader) actionsAs(n *document.Node, s *spot, key, name string) []statechart.Action {
	v, _ := r.part(n, &spot{}, key)
	if v == nil {
		return nil
	}
	out := make([]statechart.Action, 0, len(v.Items))
	for _, item := range v.Items {
		if r.bad[item] {
			continue
		}
		at := s.add(index(name, len(out)), item.Start, item)
		at.bad = r.flawed[item]
		out = append(out, r.action(item, at))
		if r.bad[item] {
			at.bad = true
		}
	}
	return out
}

func (r *reader) action(n *document.Node, s *spot) statechart.Action {
	if n.Kind == document.String {
		r.listedIn(n, n.Text, "actions", "action", r.file.Requires.Actions, statechart.CodeUnknownAction)
		return statechart.Action{Call: n.Text}
	}
	forms := []struct {
		key  string
		read func(*document.Node, *spot) statechart.Action
	}{
		{"type", r.call}, {"assign", r.assign}, {"raise", r.raise}, {"send", r.send}, {"cancel", r.cancel}, {"append", r.append},
		{"foreach", r.foreach}, {"do", r.do}, {"emit", r.emit}, {"log", r.log}, {"if", r.choose},
	}
	for _, form := range forms {
		v, given := n.Field(form.key)
		if !given {
			continue
		}
		if r.bad[v] {
			s.bad = true
		}
		return form.read(n, s)
	}
	return statechart.Action{}
}

func (r *reader) call(n *document.Node, s *spot) statechart.Action {
	v, _ := r.part(n, s, "type")
	a := statechart.Action{}
	if v != nil {
		a.Call = v.Text
		if !r.listedIn(v, v.Text, "actions", "action", r.file.Requires.Actions, statechart.CodeUnknownAction) {
			s.bad = true
		}
	}
	if p, _ := r.part(n, s, "params"); p != nil {
		a.Params, _ = r.value(p).(map[string]any)
	}
	return a
}

func (r *reader) assign(n *document.Node, s *spot) statechart.Action {
	v, _ := r.part(n, s, "assign")
	a := statechart.Action{Assign: []statechart.Variable{}}
	for _, f := range r.fields(v) {
		value := statechart.Variable{Name: f.Key}
		if !r.bad[f.Value] {
			value.Value = r.value(f.Value)
		}
		a.Assign = append(a.Assign, value)
	}
	return a
}

func (r *reader) raise(n *document.Node, s *spot) statechart.Action {
	return statechart.Action{Raise: r.text(n, s, "raise"), Data: r.optional(n, s, "data"), Delay: r.optionalDelay(n, s, "delay"), ID: r.optional(n, s, "id")}
}

func (r *reader) send(n *document.Node, s *spot) statechart.Action {
	return statechart.Action{Send: r.text(n, s, "send"), To: r.optional(n, s, "to"), Data: r.optional(n, s, "data"),
		Delay: r.optionalDelay(n, s, "delay"), ID: r.optional(n, s, "id")}
}

func (r *reader) cancel(n *document.Node, s *spot) statechart.Action {
	return statechart.Action{Cancel: r.needed(n, s, "cancel", "there is nothing to cancel")}
}

func (r *reader) append(n *document.Node, s *spot) statechart.Action {
	v, _ := r.part(n, &spot{}, "append")
	fields := r.fields(v)
	if v != nil && len(fields) != 1 {
		r.flaw(n, codeAction, v.Start, fmt.Sprintf("append names one list, not %d", len(fields)), "make an entry of the actions of each")
	}
	if len(fields) != 1 {
		s.bad = true
		return statechart.Action{}
	}
	f := fields[0]
	s.add("append", f.KeyStart, nil)
	s.add("data", placeOf(f), f.Value)
	a := statechart.Action{Append: f.Key}
	if !r.bad[f.Value] {
		a.Data = r.value(f.Value)
	}
	return a
}

func (r *reader) emit(n *document.Node, s *spot) statechart.Action {
	return statechart.Action{Emit: r.needed(n, s, "emit", "what is emitted has no name"), Data: r.optional(n, s, "data")}
}

func (r *reader) log(n *document.Node, s *spot) statechart.Action {
	return statechart.Action{Log: r.needed(n, s, "log", "there is nothing to log"), Level: r.text(n, s, "level")}
}

func (r *reader) choose(n *document.Node, s *spot) statechart.Action {
	a := statechart.Action{If: &statechart.Condition{}}
	if v, at := r.part(n, s, "if"); v != nil {
		*a.If = r.guard(v, at)
	}
	a.Then, a.Else = r.actions(n, s, "then"), r.actions(n, s, "else")
	return a
}

func (r *reader) foreach(n *document.Node, s *spot) statechart.Action {
	a := statechart.Action{Foreach: r.needed(n, s, "foreach", "there is no list"), As: r.text(n, s, "as"), Index: r.text(n, s, "index")}
	r.file.lostNames = r.file.lostNames || r.lost(n, "as") || r.lost(n, "index")
	names := map[string]bool{}
	for _, name := range []string{a.As, a.Index} {
		if name != "" {
			names[name] = true
		}
	}
	for _, key := range []string{"as", "index"} {
		if v, _ := n.Field(key); v != nil && !r.bad[v] {
			r.reservedName(v.Text, v.Start)
		}
	}
	r.within(names, func() { a.Then = r.actionsAs(n, s, "do", "then") })
	return a
}

// do reads an outside call that the state does not wait for.
func (r *reader) do(n *document.Node, s *spot) statechart.Action {
	v, where := r.part(n, &spot{}, "do")
	at := s.add("do", n.Start, nil)
	if where != nil {
		at.at = where.at
		at.add("src", where.at, v).bad = v == nil
	}
	call := r.callParts(n, at)
	call.Src = r.source(v)
	if v == nil || r.bad[v] {
		at.bad, s.bad = true, true
	}
	return statechart.Action{Do: &call}
}

// needed reads a value that must not be null.
func (r *reader) needed(n *document.Node, s *spot, key, message string) any {
	v, at := r.part(n, s, key)
	if v == nil {
		return nil
	}
	if v.Kind == document.Null {
		r.refuse(v, CodeBlank, at.at, message, "give "+key+" a value")
		s.bad = true
	}
	value := r.value(v)
	s.bad = s.bad || r.bad[v]
	return value
}
