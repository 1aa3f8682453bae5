package xstate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// state makes the fields of a state, and those of meta.detent.
func (e *exporter) state(s *statechart.State, n *document.Node, p place, path string) (out, own []document.Field) {
	add := func(key string, v *document.Node) { out = append(out, document.NewField(key, v)) }
	for _, f := range n.Fields {
		switch f.Key {
		case "id", "version", "description", "type", "history", "tags", "target", "meta":
			add(f.Key, f.Value)
		case "initial":
			add(f.Key, e.initial(s, f.Value))
		case "context":
			fields, computed := e.context(s, f.Value)
			add(f.Key, document.NewObject(fields...))
			if len(computed) > 0 {
				own = append(own, document.NewField(f.Key, document.NewObject(computed...)))
			}
		case "entry":
			add(f.Key, e.actionList(s.Entry, f.Value))
		case "exit":
			add(f.Key, e.actionList(s.Exit, f.Value))
		case "on":
			add(f.Key, e.on(s, f.Value))
		case "always":
			add(f.Key, e.transitions(s.Always, f.Value))
		case "onDone":
			add(f.Key, e.transitions(s.OnDone, f.Value))
		case "after":
			add(f.Key, e.after(s, f.Value, p))
		case "invoke":
			calls, more := e.invoke(s, f.Value)
			add(f.Key, calls)
			if more != nil {
				own = append(own, document.NewField(f.Key, more))
			}
		case "states":
			add(f.Key, e.states(s, f.Value, p, path))
		case "output":
			if v, ok := literalNode(s.Output); ok {
				add(f.Key, v)
				continue
			}
			own = append(own, f)
		default: // XState does not have it, and goes the same way without it
			own = append(own, f)
		}
	}
	return out, own
}

func (e *exporter) states(s *statechart.State, n *document.Node, p place, path string) *document.Node {
	out := document.NewObject()
	for i, f := range n.Fields {
		child := &s.States[i]
		path := path + ".states." + child.Name
		fields, own := e.state(child, f.Value, p.child(f.Key, f.Value), path)
		out.Fields = append(out.Fields, document.NewField(f.Key, e.withMeta(fields, own, path)))
	}
	return out
}

func (e *exporter) initial(s *statechart.State, n *document.Node) *document.Node {
	if n.Kind != document.Object {
		return n
	}
	out := document.NewObject()
	for _, f := range n.Fields {
		if f.Key == "actions" {
			f = document.NewField(f.Key, e.actionList(s.InitialActions, f.Value))
		}
		out.Fields = append(out.Fields, f)
	}
	return out
}

// context are the variables with their first values, and again those whose
// values are computed.
func (e *exporter) context(s *statechart.State, n *document.Node) (fields, computed []document.Field) {
	for i, f := range n.Fields {
		v, ok := literalNode(s.Context[i].Value)
		if !ok {
			v = &document.Node{} // null
			computed = append(computed, f)
		}
		fields = append(fields, document.NewField(f.Key, v))
	}
	return fields, computed
}

// literalNode is the node of a value in which nothing is computed.
func literalNode(v any) (*document.Node, bool) {
	if computed(v) {
		return nil, false
	}
	n, err := document.NewValue(v)
	return n, err == nil
}

func computed(v any) bool {
	switch x := v.(type) {
	case statechart.Expression:
		return true
	case []any:
		return slices.ContainsFunc(x, computed)
	case map[string]any:
		for _, item := range x {
			if computed(item) {
				return true
			}
		}
	}
	return false
}

// on writes the transitions under the names that their events have in XState.
func (e *exporter) on(s *statechart.State, n *document.Node) *document.Node {
	out := &eventList{}
	at := 0
	for _, f := range n.Fields {
		list := s.On[at : at+len(several(f.Value))]
		at += len(list)
		for _, key := range e.theirs(f.Key) {
			out.add(document.NewField(key, e.transitions(list, f.Value)), len(f.Key))
		}
	}
	return document.NewObject(out.joined()...)
}

func (e *exporter) transitions(list []statechart.Transition, n *document.Node) *document.Node {
	if n.Kind != document.List {
		return e.transition(&list[0], n)
	}
	out := document.NewList()
	for i, item := range n.Items {
		out.Items = append(out.Items, e.transition(&list[i], item))
	}
	return out
}

func (e *exporter) transition(t *statechart.Transition, n *document.Node) *document.Node {
	if n.Kind != document.Object {
		return n
	}
	out := document.NewObject()
	for _, f := range n.Fields {
		switch f.Key {
		case "guard":
			f = document.NewField(f.Key, e.guard(&t.Guard, f.Value))
		case "actions":
			f = document.NewField(f.Key, e.actionList(t.Actions, f.Value))
		}
		out.Fields = append(out.Fields, f)
	}
	return out
}

// guard is a registered guard by its name, or a stub.
func (e *exporter) guard(c *statechart.Condition, n *document.Node) *document.Node {
	if v := reference(c.Name, c.Params); v != nil {
		return v
	}
	return document.NewText(e.guards.name(n))
}

// reference is a registered name with params that are fixed, nil when it is
// none, or XState would take it for a function of its own.
func reference(name string, params map[string]any) *document.Node {
	if name == "" || strings.HasPrefix(name, "xstate.") {
		return nil
	}
	if len(params) == 0 {
		return document.NewText(name)
	}
	v, ok := literalNode(params)
	if !ok {
		return nil
	}
	return document.NewObject(document.NewField("type", document.NewText(name)), document.NewField("params", v))
}

func (e *exporter) actionList(list []statechart.Action, n *document.Node) *document.Node {
	out := document.NewList()
	for i, item := range n.Items {
		v := reference(list[i].Call, list[i].Params)
		if v == nil {
			v = document.NewText(e.actions.name(item))
		}
		out.Items = append(out.Items, v)
	}
	return out
}

func (e *exporter) after(s *statechart.State, n *document.Node, p place) *document.Node {
	out := document.NewObject()
	for i, f := range n.Fields {
		key := e.keys[fmt.Sprintf("after.%s:%d", p.path, i)]
		out.Fields = append(out.Fields, document.NewField(key, e.transitions(s.After[i].Transitions, f.Value)))
	}
	return out
}

// delayKey is a delay as XState has it: milliseconds or a name. written is how
// a chart file has it.
func (e *exporter) delayKey(delay any, written string) string {
	text, fixed := delay.(string)
	if !fixed {
		return e.delays.name(document.NewText(written))
	}
	if ms, ok := millisecondsOf(text); ok && !e.delays.taken[text] {
		return strconv.FormatFloat(ms, 'f', -1, 64)
	}
	return text
}

// millisecondsOf reads a duration such as 1d12h.
func millisecondsOf(text string) (float64, bool) {
	days := 0.0
	if head, rest, found := strings.Cut(text, "d"); found {
		var err error
		if days, err = strconv.ParseFloat(head, 64); err != nil {
			return 0, false
		}
		if text = rest; rest == "" {
			return days * 864e5, true
		}
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, false
	}
	return days*864e5 + float64(d)/1e6, true
}

// invoke are the calls of a state, and what XState does not have of them.
func (e *exporter) invoke(s *statechart.State, n *document.Node) (calls, more *document.Node) {
	var list, extra []*document.Node
	last := 0
	for i, item := range several(n) {
		call, own := e.invocation(&s.Invoke[i], item)
		list, extra = append(list, call), append(extra, own)
		if len(own.Fields) > 0 {
			last = i + 1
		}
	}
	if last > 0 {
		more = document.NewList(extra[:last]...)
	}
	if n.Kind != document.List {
		return list[0], more
	}
	return document.NewList(list...), more
}

func (e *exporter) invocation(v *statechart.Invocation, n *document.Node) (call, own *document.Node) {
	call, own = document.NewObject(), document.NewObject()
	add := func(key string, n *document.Node) { call.Fields = append(call.Fields, document.NewField(key, n)) }
	for _, f := range n.Fields {
		switch f.Key {
		case "id":
			add(f.Key, f.Value)
			continue
		case "onDone":
			add(f.Key, e.transitions(v.OnDone, f.Value))
			continue
		case "onError":
			add(f.Key, e.transitions(v.OnError, f.Value))
			continue
		case "src":
			if src, fixed := v.Src.(string); fixed {
				add(f.Key, document.NewText(src))
				continue
			}
			add(f.Key, document.NewText(e.sources.name(f.Value)))
		case "input":
			if input, ok := literalNode(v.Input); ok {
				add(f.Key, input)
				continue
			}
		}
		own.Fields = append(own.Fields, f)
	}
	return call, own
}
