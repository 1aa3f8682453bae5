package xstate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// transitions are those of one state while they are gathered.
type transitions struct {
	m      *module
	n      *node
	on     js // by descriptor
	onDone *js
	always *js
	after  js
	invoke []*js
}

func (m *module) transitions(n *node) *transitions {
	t := &transitions{m: m, n: n}
	t.on.form, t.after.form = object, object
	for i := range n.def.On {
		tr := &n.def.On[i]
		path := fmt.Sprintf("%s.on[%d]", n.place, i)
		names, kind := m.descriptor(tr.Event, path)
		for _, name := range names {
			t.put(name, t.one(tr, path, kind, tr.Event, name == "*"))
		}
	}
	t.onDone = t.engine("xstate.done.state."+n.id, n.def.OnDone, n.place+".onDone", answerEvent, "done")
	t.always = t.list(n.def.Always, n.place+".always", anyEvent, "always")
	t.timers()
	t.calls()
	return t
}

// descriptor is what a descriptor is in XState, and what is known of its
// events.
func (m *module) descriptor(event, path string) ([]string, eventKind) {
	m.notXState(event, path+".event")
	for _, begin := range []string{"after.", "every.", "detent.", "done.do.", "error.do.", "unknown.do."} {
		if strings.HasPrefix(event, begin) {
			m.refuse(path+".event", "take another event", "XState has no event such as %q", event)
			return nil, anyEvent
		}
	}
	for _, e := range []struct {
		ours, theirs string
		kind         eventKind
	}{
		{"done.state.", "xstate.done.state.", answerEvent}, {"done.invoke.", "xstate.done.actor.", answerEvent},
		{"error.invoke.", "xstate.error.actor.", failureEvent},
	} {
		if rest, ok := strings.CutPrefix(event, e.ours); ok {
			return []string{e.theirs + rest}, e.kind
		}
	}
	switch event {
	case "done.*":
		return []string{"done.*", "xstate.done.*"}, anyEvent
	case "error.*":
		return []string{"error.*", "xstate.error.*"}, anyEvent
	}
	if event == "error.execution" || event == "error.communication" || event == "error.platform" || event == "error.budget" || strings.HasPrefix(event, "unknown.") || strings.HasPrefix(event, "progress.") {
		return []string{event}, anyEvent
	}
	return []string{event}, ownEvent
}

// notXState refuses a name of the chart's that XState would take for one of
// its own.
func (m *module) notXState(event, path string) {
	if event == "xstate" || strings.HasPrefix(event, "xstate.") {
		m.refuse(path, "rename the event", "XState keeps names such as %q to itself", event)
	}
}

// put adds a candidate under a descriptor.
func (t *transitions) put(name string, v *js) {
	for i := range t.on.fields {
		if f := &t.on.fields[i]; f.key == name {
			if f.value.form != list {
				f.value = listOf(candidate(f.value))
			}
			f.value.items = append(f.value.items, candidate(v))
			return
		}
	}
	t.on.add(name, v)
}

// candidate is a transition among others, where XState does not always take a
// target alone.
func candidate(v *js) *js {
	if v.form == object {
		return v
	}
	return &js{form: object, fields: []field{{key: "target", value: v}}}
}

// engine are the candidates of an event of the machine's, or nil where they
// stand with others of the same event under on.
func (t *transitions) engine(name string, list []statechart.Transition, path string, kind eventKind, label string) *js {
	if len(list) == 0 {
		return nil
	}
	if !slices.ContainsFunc(t.on.fields, func(f field) bool { return f.key == name }) {
		return t.list(list, path, kind, label)
	}
	for i := range list {
		t.put(name, t.one(&list[i], fmt.Sprintf("%s[%d]", path, i), kind, label, false))
	}
	return nil
}

func (t *transitions) list(list []statechart.Transition, path string, kind eventKind, label string) *js {
	var out []*js
	for i := range list {
		v := t.one(&list[i], fmt.Sprintf("%s[%d]", path, i), kind, label, false)
		if len(list) > 1 {
			v = candidate(v)
		}
		out = append(out, v)
	}
	return oneOrMany(out)
}

// one is a candidate. One for every event asks whether the event is the
// chart's.
func (t *transitions) one(tr *statechart.Transition, path string, kind eventKind, label string, every bool) *js {
	p := where{path: path, state: t.n, event: kind}
	o := &js{form: object}
	targets := strings.Fields(tr.Target)
	if len(targets) > 0 {
		t.m.add(o, "target", oneOrManyTexts(tr.Target), path)
	}
	guard := t.m.guard(&tr.Guard, p.at(path+".guard"))
	if every {
		own := quotedText("an event of the chart")
		if !slices.ContainsFunc(t.m.guards.fields, func(f field) bool { return f.key == "an event of the chart" }) {
			t.m.guards.add("an event of the chart", raw(t.m.use("isOwnEvent")))
		}
		if guard == nil {
			guard = own
		} else {
			guard = t.m.allOf(own, guard)
		}
	}
	o.add("guard", guard)
	at := p.at(path + ".actions")
	at.sure = len(targets) == 0
	o.add("actions", t.m.actionsOf(tr.Actions, at, t.n.name()+": "+label))
	if len(targets) > 0 && t.leaves(tr, targets) {
		o.add("reenter", raw("true"))
	}
	if tr.Description != "" {
		o.add("description", quotedText(tr.Description))
	}
	if tr.Meta != nil {
		o.add("meta", t.m.literal(tr.Meta, path+".meta"))
	}
	if len(targets) == 1 && len(o.fields) == 1 {
		return o.fields[0].value
	}
	return o
}

// leaves reports whether a transition leaves its source, if it lies around
// the targets (R9). The root stays.
func (t *transitions) leaves(tr *statechart.Transition, targets []string) bool {
	if t.n.parent == nil {
		return false
	}
	switch tr.Type {
	case statechart.External:
		return true
	case statechart.Internal:
		return t.n.def.Type == statechart.Parallel || len(t.n.children) == 0 ||
			slices.ContainsFunc(targets, func(target string) bool { return target[0] != '.' && !t.m.below(t.n, target) })
	}
	return false
}

// below reports whether a target "#id.path" lies properly below a state.
func (m *module) below(n *node, target string) bool {
	found := m.find(target)
	if found == nil {
		return false
	}
	for up := found.parent; up != nil; up = up.parent {
		if up == n {
			return true
		}
	}
	return false
}

// write adds the transitions to a configuration.
func (t *transitions) write(config *js) {
	if len(t.invoke) > 0 {
		config.add("invoke", oneOrMany(t.invoke))
	}
	if len(t.on.fields) > 0 {
		config.add("on", &t.on)
	}
	config.add("onDone", t.onDone)
	config.add("always", t.always)
	if len(t.after.fields) > 0 {
		config.add("after", &t.after)
	}
}

// calls are the invocations of the state, with what happens when they end.
func (t *transitions) calls() {
	for i := range t.n.def.Invoke {
		t.invoke = append(t.invoke, t.call(&t.n.def.Invoke[i], i))
	}
}

func (t *transitions) call(d *statechart.Invocation, i int) *js {
	m, n := t.m, t.n
	path := fmt.Sprintf("%s.invoke[%d]", n.place, i)
	id := d.ID
	if id == "" {
		id = fmt.Sprintf("%s:%d", n.path, i)
		if n.parent == nil {
			id = fmt.Sprintf("#%s:%d", m.def.ID, i)
		}
	}
	o := &js{form: object}
	p := where{path: path + ".input", state: n, sure: true}
	src, comments := t.source(d, path)
	o.fields = append(o.fields, field{"src", quotedText(src), t.wishes(d)})
	o.add("id", quotedText(id))
	input, v := d.Input, (*js)(nil)
	if e, computed := d.Src.(statechart.Expression); computed {
		input = map[string]any{"src": e, "input": d.Input}
	}
	if input != nil {
		v, _ = m.computed(input, p)
		o.fields = append(o.fields, field{"input", v, append(comments, sources(d.Input, "")...)})
	}
	label := id
	o.add("onDone", t.engine("xstate.done.actor."+id, d.OnDone, path+".onDone", answerEvent, label+" done"))
	o.add("onError", t.engine("xstate.error.actor."+id, d.OnError, path+".onError", failureEvent, label+" failed"))
	for k := range d.OnUnknown {
		t.put("unknown.invoke."+id, t.one(&d.OnUnknown[k], fmt.Sprintf("%s.onUnknown[%d]", path, k), anyEvent, label+" unknown", false))
	}
	for k := range d.OnProgress {
		t.put("progress.invoke."+id, t.one(&d.OnProgress[k], fmt.Sprintf("%s.onProgress[%d]", path, k), anyEvent, label+" progress", false))
	}
	return o
}

// source is the name of the actor, which is defined as one that fails. A
// computed source is part of the input of one actor for all.
func (t *transitions) source(d *statechart.Invocation, path string) (string, []string) {
	name, ok := d.Src.(string)
	var comments []string
	if e, computed := d.Src.(statechart.Expression); computed {
		if name, ok = spoken(e), true; len(name) > 72 {
			name = path
		}
		if name == path {
			comments = []string{"src: " + spoken(e)}
		}
	}
	if !ok || name == "" {
		t.m.refuse(path+".src", "give it a text", "the source of a call must be text")
		return "", nil
	}
	if !slices.ContainsFunc(t.m.actors.fields, func(f field) bool { return f.key == name }) {
		t.m.use("fromPromise")
		f := &js{form: body, text: "async ({ input })", items: []*js{raw("throw new Error(" + quote("provide the actor "+name) + ");")}}
		t.m.actors.add(name, callOf("fromPromise", f))
	}
	return name, comments
}

// wishes are what a call asks of its host, as comments: in XState the actor
// has to see to it.
func (t *transitions) wishes(d *statechart.Invocation) []string {
	var out []string
	say := func(name string, v any) {
		if v != nil && v != "" {
			text := fmt.Sprint(v)
			if e, ok := v.(statechart.Expression); ok {
				text = "${ " + spoken(e) + " }"
			}
			out = append(out, name+" "+oneLine(text))
		}
	}
	say("mode", d.Mode)
	say("timeout", d.Timeout)
	say("heartbeat", d.Heartbeat)
	say("key", d.Key)
	if d.Retry != nil {
		out = append(out, "retry")
	}
	if d.Approval != nil {
		out = append(out, "approval")
	}
	if len(d.Choices) > 0 {
		out = append(out, "choices "+strings.Join(d.Choices, " "))
	}
	if len(out) == 0 {
		return nil
	}
	return []string{"asked of the actor: " + strings.Join(out, ", ")}
}
