package xstate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// actionsOf is a list of actions, nil when there are none: the names of
// blocks, and those of registered actions between them. Where a registered
// action must not run because one before it failed, it is a step of the block.
func (m *module) actionsOf(list []statechart.Action, p where, name string) *js {
	if m.apart(list, p) {
		return m.parts(list, p, name)
	}
	b := &stepper{m: m}
	var steps []*js
	for i := range list {
		at := p.at(fmt.Sprintf("%s[%d]", p.path, i))
		at.block = true
		if steps = append(steps, b.step(&list[i], at)); list[i].Call != "" {
			b.called, b.changed = false, false // the block begins anew
		}
	}
	return m.block(steps, p, 0, name)
}

// apart reports whether the registered actions of a list may stand beside
// its blocks: none of them comes after what may fail.
func (m *module) apart(list []statechart.Action, p where) bool {
	trial := *m // what is made here is dropped
	trial.used, trial.errors = maps.Clone(m.used), slices.Clone(m.errors)
	b := &stepper{m: &trial}
	for i := range list {
		at := p.at(fmt.Sprintf("%s[%d]", p.path, i))
		at.block = true
		if b.step(&list[i], at); list[i].Call != "" && b.fails {
			return false
		}
		b.called = false
	}
	return true
}

func (m *module) parts(list []statechart.Action, p where, name string) *js {
	var out, steps []*js
	from := 0
	flush := func() {
		if len(steps) > 0 {
			out = append(out, m.block(steps, p, from, name))
		}
		steps = nil
	}
	b := &stepper{m: m}
	for i := range list {
		at := p.at(fmt.Sprintf("%s[%d]", p.path, i))
		at.block = true
		if list[i].Call == "" {
			if len(steps) == 0 {
				from = i
			}
			steps = append(steps, b.step(&list[i], at))
			continue
		}
		flush()
		b.changed = false
		out = append(out, m.called(&list[i], at))
	}
	flush()
	return oneOrMany(out)
}

func oneOrMany(items []*js) *js {
	switch len(items) {
	case 0:
		return nil
	case 1:
		return items[0]
	}
	return listOf(items...)
}

// called is a registered action, with a stub for it.
func (m *module) called(a *statechart.Action, p where) *js {
	m.registered["action "+a.Call] = true
	stub(&m.actions, a.Call, "is an action that Go code registers: say here what it does, with assign if it changes data")
	return m.referred(a.Call, a.Params, p)
}

// block defines a block of actions and returns its name. A block whose first
// step is not the first of its list says so in its place.
func (m *module) block(steps []*js, p where, from int, name string) *js {
	m.use("block")
	args := []*js{quotedText(p.path), listOf(steps...)}
	if from > 0 {
		args = append(args, raw(fmt.Sprint(from)))
	}
	return m.action(name, callOf("block", args...))
}

func (m *module) action(name string, v *js) *js {
	m.made["action "+name] = true
	return quotedText(unique(&m.actions, name, "", v))
}

// stepper writes the steps of one block.
type stepper struct {
	m       *module
	fails   bool // a step may fail
	changed bool // a step changes data, which XState does not see yet
	called  bool // a registered action was called: what it changes is not seen
}

// computed translates a value of a step.
func (b *stepper) computed(v any, p where) *js {
	out, t := b.m.computed(v, p)
	b.fails = b.fails || t.fails
	b.m.failing = b.m.failing || t.fails
	if b.called && (t.fails || len(t.uses) > 0) {
		b.m.refuse(p.path, "call it last, or not within an if", "what a registered action changes is not seen by the rest of the block")
	}
	return out
}

func isSaid(v any) bool { return v != nil && v != "" }

// step is one action as a step of a block.
func (b *stepper) step(a *statechart.Action, p where) *js {
	switch {
	case a.Call != "":
		return b.call(a, p)
	case a.Assign != nil:
		return b.assign(a, p)
	case isSaid(a.Raise):
		return b.message("raises", a.Raise, a, p)
	case isSaid(a.Send):
		return b.message("sends", a.Send, a, p)
	case a.Cancel != nil:
		return b.said(callOf(b.m.use("cancels"), b.computed(a.Cancel, p.at(p.path+".cancel"))), sources(a.Cancel, ""))
	case a.Emit != nil:
		return b.emit(a, p)
	case a.Log != nil:
		return b.log(a, p)
	case a.If != nil:
		return b.choose(a, p)
	case a.Foreach != nil:
		return b.foreach(a, p)
	case a.Block != nil:
		return callOf(b.m.use("apart"), b.steps(a.Block, p.at(p.path+".block")))
	case a.Fail != "":
		b.fails, b.m.failing = true, true
		return &js{form: arrow, text: "()", items: []*js{callOf(b.m.use("fail"), quotedText(a.Fail))}}
	}
	switch {
	case a.Append != "":
		b.m.refuse(p.path, "keep the rows in a variable", "XState has no append-only lists such as %q", a.Append)
	case a.Do != nil:
		b.m.refuse(p.path, "make it an invocation of a state", "XState has no calls that outlive their state")
	default:
		b.m.refuse(p.path, "use assign, raise, send, cancel, emit, log, if or foreach", "this action cannot be said in XState")
	}
	return raw("null")
}

// said puts comments before a step.
func (b *stepper) said(v *js, comments []string) *js {
	v.comments = append(v.comments, comments...)
	return v
}

func (b *stepper) steps(list []statechart.Action, p where) *js {
	out := listOf()
	for i := range list {
		out.items = append(out.items, b.step(&list[i], p.at(fmt.Sprintf("%s[%d]", p.path, i))))
	}
	return out
}

func (b *stepper) call(a *statechart.Action, p where) *js {
	if len(p.locals) > 0 {
		b.m.refuse(p.path, "call it beside the foreach", "a registered action cannot be called in a foreach")
	}
	b.m.called(a, p)
	args := []*js{quotedText(a.Call)}
	if len(a.Params) > 0 {
		args = append(args, b.computed(a.Params, p.at(p.path+".params")))
	}
	b.called = true
	return callOf(b.m.use("calls"), args...)
}

func (b *stepper) assign(a *statechart.Action, p where) *js {
	t := b.m.translator(p)
	values := &js{form: object}
	var comments []string
	for _, v := range a.Assign {
		t.place.path = p.path + ".assign." + v.Name
		target, ok := p.variable(v.Name)
		if !ok || target.in != "context" {
			b.m.refuse(t.place.path, "declare it", "there is no variable %q that can be written here", v.Name)
			continue
		}
		values.add(target.key, t.value(v.Value))
		comments = append(comments, sources(v.Value, v.Name+": ")...)
	}
	out := t.wrapped(values)
	b.note(t, p)
	b.changed = true
	return b.said(callOf(b.m.use("assigns"), out), comments)
}

func (b *stepper) note(t *translator, p where) {
	b.fails, b.m.failing = b.fails || t.fails, b.m.failing || t.fails
	if b.called && (t.fails || len(t.uses) > 0) {
		b.m.refuse(p.path, "call it last, or not within an if", "what a registered action changes is not seen by the rest of the block")
	}
}

// event is an event with its payload.
func (b *stepper) event(name, data any, p where) *js {
	t := b.m.translator(p)
	t.place.path = p.path + ".data"
	kind := t.value(name)
	if fields, ok := data.(map[string]any); ok {
		if _, taken := fields["type"]; taken {
			t.refuse("call it otherwise", "the payload has a field type, which in XState is the event's name")
		}
		v := t.value(fields)
		v.fields = append([]field{{key: "type", value: kind}}, v.fields...)
		out := t.wrapped(v)
		b.note(t, p)
		return out
	}
	out := &js{form: object}
	out.add("type", kind)
	if data != nil {
		if v := t.value(data); constant(data) {
			out.add("data", v)
		} else {
			out = t.m.callTo("eventOf", kind, v)
		}
	}
	out = t.wrapped(out)
	b.note(t, p)
	return out
}

func (m *module) callTo(helper string, args ...*js) *js { return callOf(m.use(helper), args...) }

func (b *stepper) message(f string, name any, a *statechart.Action, p where) *js {
	if e, computed := name.(statechart.Expression); computed {
		b.m.refuse(p.path, "write the names out, with an if", "whether the computed name %q is one of the engine's is not checked in XState", string(e))
	}
	if text, fixed := name.(string); fixed {
		b.m.notXState(text, p.path)
	}
	var args []*js
	if f == "sends" {
		to := a.To
		if !isSaid(to) {
			to = "self"
		}
		b.m.failing = b.m.failing || to != "self"
		args = append(args, b.computed(to, p.at(p.path+".to")))
	}
	args = append(args, b.event(name, a.Data, p))
	options := &js{form: object}
	if a.Delay != nil {
		options.add("delay", b.delay(a.Delay, p.at(p.path+".delay")))
	}
	if isSaid(a.ID) {
		options.add("id", b.computed(a.ID, p.at(p.path+".id")))
	}
	if len(options.fields) > 0 {
		args = append(args, options)
	}
	label := ""
	if text, ok := name.(string); ok {
		label = text + ": "
	}
	comments := append(sources(a.To, "to: "), sources(a.Data, label)...)
	comments = append(append(comments, sources(a.Delay, "delay: ")...), sources(a.ID, "id: ")...)
	return b.said(callOf(b.m.use(f), args...), comments)
}

// delay is the delay of an event to come.
func (b *stepper) delay(v any, p where) *js {
	v, p = b.m.namedDelay(v, p)
	if millis, ok := b.m.fixedDelay(v, p); ok {
		return raw(fmt.Sprint(millis))
	}
	t := b.m.translator(p)
	out := t.m.callTo("milliseconds", t.value(v))
	t.fails = true
	out = t.wrapped(out)
	b.note(t, p)
	return out
}

func (b *stepper) emit(a *statechart.Action, p where) *js {
	comments := append(sources(a.Emit, ""), sources(a.Data, "")...)
	name := a.Emit
	return b.said(callOf(b.m.use("emits"), b.event(name, a.Data, p)), comments)
}

func (b *stepper) log(a *statechart.Action, p where) *js {
	args := []*js{b.computed(a.Log, p.at(p.path+".log"))}
	if a.Level != "" && a.Level != "info" {
		args = append(args, quotedText(a.Level))
	}
	return b.said(callOf(b.m.use("logs"), args...), sources(a.Log, ""))
}

func (b *stepper) choose(a *statechart.Action, p where) *js {
	x := b.m.conditionTest(a.If, p.at(p.path+".if"))
	t := b.m.translator(p)
	test := b.test(x, t)
	t.ended()
	b.note(t, p)
	args := []*js{t.function1(raw(test.at(levelChoice)))}
	called := b.called
	args = append(args, b.steps(a.Then, p.at(p.path+".then")))
	then := b.called
	b.called = called
	if len(a.Else) > 0 {
		args = append(args, b.steps(a.Else, p.at(p.path+".else")))
	}
	b.called = b.called || then
	return b.said(callOf(b.m.use("when"), args...), []string{"if " + oneLine(x.text())})
}

// test writes the condition of an if, which XState does not evaluate itself.
func (b *stepper) test(x *test, t *translator) term {
	known := map[string]bool{}
	for _, atom := range x.atoms(b.m) {
		if !strings.HasPrefix(atom, "!") {
			return t.refuse("ask for it in a guard", "XState's actions do not see which states are active")
		}
		if b.changed {
			return t.refuse("ask for it before the data is changed", "a registered guard would not see what the block has changed")
		}
	}
	return b.m.checked(x, t, known)
}

// checked is translate with registered guards asked through check.
func (m *module) checked(x *test, t *translator, known map[string]bool) term {
	switch x.op {
	case "name":
		t.uses["check"], t.fails = true, true
		m.registered["guard "+x.named.Name] = true
		stub(&m.guards, x.named.Name, "is a guard that Go code registers: say here when it holds")
		guard := m.checkedParams(x, t)
		return term{text: "check(" + guard.inline() + ")", level: levelMember, kind: boolean}
	case "not", "and", "or":
		parts := make([]string, len(x.kids))
		level, operator := levelAnd, " && "
		if x.op == "or" {
			level, operator = levelOr, " || "
		}
		if x.op == "not" {
			return negated(m.checked(x.kids[0], t, known))
		}
		for i, kid := range x.kids {
			parts[i] = m.checked(kid, t, known).at(level)
		}
		return term{text: strings.Join(parts, operator), level: level, kind: boolean}
	}
	return m.translate(x, t, known)
}

// checkedParams is a registered guard with its parameters made in the step.
func (m *module) checkedParams(x *test, t *translator) *js {
	out := &js{form: object}
	out.add("type", quotedText(x.named.Name))
	if len(x.named.Params) > 0 {
		t.place.path = x.at.path + ".params"
		out.add("params", t.value(x.named.Params))
	}
	return out
}

func (b *stepper) foreach(a *statechart.Action, p where) *js {
	list := b.computed(a.Foreach, p.at(p.path+".foreach"))
	b.fails, b.m.failing = true, true
	inner := p.at(p.path + ".then")
	inner.locals = slices.Clone(p.locals)
	names := &js{form: object}
	for _, name := range []struct{ key, is string }{{"as", a.As}, {"index", a.Index}} {
		if name.is != "" {
			inner.locals = append(inner.locals, name.is)
			names.add(name.key, quotedText(name.is))
		}
	}
	comments := sources(a.Foreach, "foreach "+a.As+" of ")
	return b.said(callOf(b.m.use("forEach"), list, names, b.steps(a.Then, inner)), comments)
}
