package xstate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/statechart"
)

// root is the machine's configuration.
func (m *module) root() *js {
	d, n := m.def, m.states[0]
	if d.Semantics != 0 && d.Semantics != statechart.Semantics {
		m.refuse("semantics", "bring the chart up to the current semantics", "the semantics %d are not those that this module would have", d.Semantics)
	}
	if d.Unhandled != "" && d.Unhandled != "ignore" {
		m.refuse("unhandled", "let it be ignore", "XState ignores events that nothing takes, and cannot %s them", d.Unhandled)
	}
	if d.Budget != nil {
		m.refuse("budget", "count outside of the chart", "XState has no budget")
	}
	if len(d.Lists) > 0 {
		m.refuse("lists", "keep the rows in a variable", "XState has no append-only lists")
	}
	config := &js{form: object}
	config.add("id", quotedText(d.ID))
	if d.Version != "" {
		config.add("version", quotedText(d.Version))
	}
	context := m.context(n)
	m.state(config, n)
	if text := m.description(); text != "" {
		m.put(config, "description", quotedText(text))
	}
	if m.counts {
		m.use("IDS")
		context.counted()
	}
	if !context.empty() {
		m.put(config, "context", context.js(m))
	}
	m.put(config, "options", &js{form: object, fields: []field{{key: "maxIterations", value: raw(fmt.Sprint(m.most()))}}})
	if m.failing {
		m.giveUp(config)
	}
	sortFields(config)
	return config
}

// most is how many turns of XState's loop a macrostep of the chart can take:
// each is a microstep, or a raised event that nothing takes.
func (m *module) most() int {
	return cmp.Or(m.def.Limits.Microsteps, 1000) + cmp.Or(m.def.Limits.Raised, 1000)
}

// put adds a field to a configuration, wherever its place is.
func (m *module) put(config *js, key string, v *js) {
	config.fields = slices.DeleteFunc(config.fields, func(f field) bool { return f.key == key })
	config.add(key, v)
}

// stateKeys are the keys of a state in the order in which people read them.
var stateKeys = []string{"id", "version", "type", "description", "context", "options", "history", "target", "initial", "tags", "meta", "entry", "exit", "invoke", "on", "onDone", "always", "after", "output", "states"}

func sortFields(config *js) {
	slices.SortStableFunc(config.fields, func(a, b field) int { return slices.Index(stateKeys, a.key) - slices.Index(stateKeys, b.key) })
}

// giveUp ends the machine on an error of the chart that nothing takes (R21).
func (m *module) giveUp(config *js) {
	m.guards.add("an untaken error", raw(m.use("isUntakenError")))
	m.actions.add("give up", raw(m.use("giveUp")))
	last := &js{form: object}
	last.add("guard", quotedText("an untaken error"))
	last.add("actions", quotedText("give up"))
	on := &js{form: object}
	for _, f := range config.fields {
		if f.key == "on" {
			on = f.value
		}
	}
	for i := range on.fields {
		if f := &on.fields[i]; f.key == "*" {
			if f.value.form != list {
				f.value = listOf(candidate(f.value))
			}
			f.value.items = append(f.value.items, last)
			return
		}
	}
	on.add("*", last)
	m.put(config, "on", on)
}

// contextOf is the data of the machine while its context is written.
type contextOf struct {
	fields   []field
	params   map[string]bool
	computed bool
}

func (c *contextOf) empty() bool { return len(c.fields) == 0 }

func (c *contextOf) counted() { c.fields = append(c.fields, field{key: "detent.ids", value: raw("0")}) }

// context is the data of the root, and a place for that of the other states.
func (m *module) context(n *node) *contextOf {
	c := &contextOf{params: map[string]bool{}}
	all := n.variables
	defer func() { n.variables = all }()
	n.variables = nil
	i := 0
	declare := func(v statechart.Variable, path string) {
		known := all[i]
		i++
		t := m.translator(where{path: path, state: n, initial: true, sure: true})
		value := t.value(v.Value)
		t.ended()
		if known.in == "constants" {
			m.constants.add(v.Name, value)
		} else {
			c.add(known.key, value, sources(v.Value, ""), t)
		}
		n.variables = append(n.variables, known)
	}
	for k, v := range m.def.Constants {
		declare(v, fmt.Sprintf("constants[%d]", k))
	}
	for k, v := range n.def.Context {
		declare(v, fmt.Sprintf("root.context[%d]", k))
	}
	for _, s := range m.states[1:] {
		for _, v := range s.variables {
			c.fields = append(c.fields, field{key: v.key, value: raw("null")})
		}
	}
	return c
}

func (c *contextOf) add(key string, v *js, comments []string, t *translator) {
	c.fields = append(c.fields, field{key, v, comments})
	c.computed = c.computed || t.fails || len(t.uses) > 0
	for name := range t.uses {
		c.params[name] = true
	}
}

// js is a literal, or a function that makes one variable after the other.
func (c *contextOf) js(m *module) *js {
	out := &js{form: object}
	refers := c.params["context"]
	if !refers {
		out.fields = c.fields
		if !c.computed {
			return out
		}
		return &js{form: arrow, text: parameters(c.params), items: []*js{out}}
	}
	delete(c.params, "context")
	f := &js{form: body, text: parameters(c.params), items: []*js{raw("const context = {};")}}
	for _, v := range c.fields {
		f.items = append(f.items, &js{text: member("context", v.key) + " = " + v.value.inline() + ";", comments: v.comments})
	}
	f.items = append(f.items, raw("return context;"))
	return f
}

// state adds what a state says to its configuration.
func (m *module) state(config *js, n *node) {
	d := n.def
	m.unsayable(n)
	if d.ID != "" && n.parent != nil {
		config.add("id", quotedText(d.ID))
	}
	switch d.Type {
	case statechart.Parallel, statechart.Final, statechart.History:
		config.add("type", quotedText(string(d.Type)))
	}
	if d.Description != "" && n.parent != nil {
		config.add("description", quotedText(d.Description))
	}
	if d.Type == statechart.History {
		m.history(config, n)
		return
	}
	m.initial(config, n)
	if len(d.Tags) > 0 {
		m.add(config, "tags", d.Tags, n.place+".tags")
	}
	m.meta(config, n)
	config.add("entry", m.entry(n))
	config.add("exit", m.actionsOf(d.Exit, where{path: n.place + ".exit", state: n, sure: true}, "exit "+n.name()))
	t := m.transitions(n)
	t.write(config)
	m.output(config, n)
	if len(n.children) > 0 {
		states := &js{form: object, broken: true}
		for _, kid := range n.children {
			inner := &js{form: object}
			m.state(inner, kid)
			sortFields(inner)
			states.add(kid.def.Name, inner)
		}
		config.add("states", states)
	}
}

func (m *module) add(config *js, name string, v any, path string) {
	config.add(name, m.literal(v, path))
}

// unsayable refuses what XState has nothing for.
func (m *module) unsayable(n *node) {
	d := n.def
	if len(d.Defer) > 0 {
		m.refuse(n.place+".defer", "keep what comes too early in a variable, or leave it out", "XState does not defer events")
	}
	if len(d.Promote) > 0 {
		m.refuse(n.place+".promote", "assign to the outer variable in the exit block", "XState has no promotion of data")
	}
	if len(d.Every) > 0 {
		m.refuse(n.place+".every", "use after with a transition that reenters", "XState has no timers that repeat")
	}
	if d.WarnAfter != nil {
		m.refuse(n.place+".warnAfter", "use after with a log", "XState has no warnings of a state's time")
	}
	if n.parent != nil && len(d.Context) > 0 {
		for up := n; up != nil; up = up.parent {
			if slices.ContainsFunc(up.children, func(k *node) bool { return k.def.Type == statechart.History }) {
				m.refuse(n.place+".context", "declare the data in the root's context", "a history of %s restores the data of %s, and XState restores states only", up.name(), n.name())
				return
			}
		}
	}
}

func (m *module) history(config *js, n *node) {
	config.add("history", quotedText(cmp.Or(n.def.History, "shallow")))
	if n.def.Initial != "" {
		m.add(config, "target", oneOrManyTexts(n.def.Initial), n.place)
	}
	if len(n.def.InitialActions) > 0 {
		m.refuse(n.place+".initialActions", "put them into the entry of the target", "XState runs no actions of a history's default")
	}
}

// oneOrManyTexts is a text, or a list of those that spaces part.
func oneOrManyTexts(text string) any {
	words := strings.Fields(text)
	if len(words) == 1 {
		return words[0]
	}
	return words
}

func (m *module) initial(config *js, n *node) {
	d := n.def
	if d.Initial == "" {
		return
	}
	first, rest, deep := strings.Cut(d.Initial, ".")
	if strings.ContainsAny(d.Initial, " #") || deep && !m.byDefault(n, first, rest) {
		m.refuse(n.place+".initial", "give each state on the way its own initial", "XState enters one child by default, not %q", d.Initial)
		return
	}
	if len(d.InitialActions) == 0 {
		config.add("initial", quotedText(first))
		return
	}
	o := &js{form: object}
	o.add("target", quotedText(first))
	o.add("actions", m.actionsOf(d.InitialActions, where{path: n.place + ".initialActions", state: n, sure: true}, "begin "+n.name()))
	config.add("initial", o)
}

// byDefault reports whether a path below a state is the one that is entered
// by default, with no actions on the way.
func (m *module) byDefault(n *node, first, rest string) bool {
	for _, kid := range n.children {
		if kid.def.Name == first {
			next, further, deep := strings.Cut(rest, ".")
			return kid.def.Initial == rest && len(kid.def.InitialActions) == 0 || kid.def.Initial == next && len(kid.def.InitialActions) == 0 && deep && m.byDefault(kid, next, further)
		}
	}
	return false
}

// meta carries what XState has no word for.
func (m *module) meta(config *js, n *node) {
	d := n.def
	meta := &js{form: object}
	if d.Meta != nil {
		if v := m.literal(d.Meta, n.place+".meta"); v.form == object {
			meta = v
		} else {
			meta.add("meta", v)
		}
	}
	if d.Status != "" && d.Status != "completed" {
		m.put(meta, "detent", &js{form: object, fields: []field{{key: "status", value: quotedText(d.Status)}}})
	}
	if len(meta.fields) > 0 {
		config.add("meta", meta)
	}
}

// entry makes a state's own data, runs its entry block, and tries what the
// machine evaluates afterwards and may fail.
func (m *module) entry(n *node) *js {
	p := where{path: n.place + ".entry", state: n, sure: true}
	var out []*js
	if n.parent != nil && len(n.def.Context) > 0 {
		out = append(out, m.declarations(n))
	}
	if entry := m.actionsOf(n.def.Entry, p, "enter "+n.name()); entry != nil {
		if entry.form == list {
			out = append(out, entry.items...)
		} else {
			out = append(out, entry)
		}
	}
	if tries := m.tries(n); len(tries) > 0 {
		m.failing = true
		m.use("block")
		out = append(out, m.action("check "+n.name(), callOf("block", quotedText(n.place), listOf(tries...))))
	}
	return oneOrMany(out)
}

func (m *module) declarations(n *node) *js {
	all := n.variables
	n.variables = nil
	var steps []*js
	for i, v := range n.def.Context {
		b := &stepper{m: m}
		p := where{path: fmt.Sprintf("%s.context[%d]", n.place, i), state: n, block: true, sure: true}
		value := b.computed(v.Value, p)
		m.use("declares")
		step := callOf("declares", quotedText(all[i].key), value)
		steps = append(steps, b.said(step, sources(v.Value, v.Name+": ")))
		n.variables = append(n.variables, all[i])
	}
	m.use("block")
	return m.action("data of "+n.name(), callOf("block", quotedText(n.place+".context"), listOf(steps...)))
}

// tries evaluate the delays and outputs of a state for their errors.
func (m *module) tries(n *node) []*js {
	var steps []*js
	try := func(kind string, v any, p where, f func(*js) *js) {
		t := m.translator(p)
		value := f(t.value(v))
		if t.fails || kind == "action" {
			m.use("tries")
			steps = append(steps, callOf("tries", quotedText(kind), quotedText(p.path), t.function1(value)))
		}
	}
	for i, after := range n.def.After {
		p := where{path: fmt.Sprintf("%s.after[%d]", n.place, i), state: n, sure: true}
		v, at := m.namedDelay(after.Delay, p)
		if !constant(v) {
			at.path = p.path
			try("action", v, at, func(v *js) *js { return m.callTo("milliseconds", v) })
		}
	}
	// A final state of the root ends the machine, unless it is one region of many.
	ends := n.parent != nil && n.parent.parent == nil && n.parent.def.Type != statechart.Parallel
	if n.def.Type == statechart.Final && !ends && !constant(n.def.Output) {
		try("data", n.def.Output, where{path: n.place + ".output", state: n, sure: true}, func(v *js) *js { return v })
	}
	return steps
}

// output is a final state's, or the root's, which otherwise is that of the
// final state that ends it.
func (m *module) output(config *js, n *node) {
	d := n.def
	if d.Output == nil {
		if n.parent == nil && slices.ContainsFunc(n.children, func(k *node) bool { return k.def.Type == statechart.Final && k.def.Output != nil }) {
			config.add("output", raw("({ event }) => event.output"))
		}
		return
	}
	if d.Type != statechart.Final && n.parent != nil {
		m.refuse(n.place+".output", "give it to a final state", "the output of %s is not known to XState, which has outputs of final states only", n.name())
		return
	}
	if n.parent == nil {
		m.lastExits(n)
	}
	v, t := m.computed(d.Output, where{path: n.place + ".output", state: n, sure: true, ending: n.parent == nil})
	if t.fails {
		v = m.callTo("orNull", v)
	}
	config.fields = append(config.fields, field{"output", v, sources(d.Output, "")})
}

// lastExits refuses exit blocks that change what the output reads: XState
// makes the output before the last states are left.
func (m *module) lastExits(root *node) {
	reads := map[string]bool{}
	readBy(root.def.Output, reads)
	var last []*node
	for _, n := range m.states {
		if n.parent == root && n.def.Type == statechart.Final {
			last = append(last, n)
		}
	}
	switch {
	case root.def.Type == statechart.Parallel:
		last = m.states
	case len(last) > 0:
		last = append(last, root)
	}
	for _, n := range last {
		if name, ok := changes(n.def.Exit, reads); ok {
			m.refuse(n.place+".exit", "change it when the final state is entered", "the machine's output reads %q, and XState makes it before this exit", name)
		}
	}
}

// readBy gathers the names that a value reads.
func readBy(v any, into map[string]bool) {
	switch x := v.(type) {
	case statechart.Expression:
		if tree, err := expression.Parse(string(x)); err == nil {
			for _, r := range tree.Roots() {
				into[r.Name] = true
			}
		}
	case []any:
		for _, item := range x {
			readBy(item, into)
		}
	case map[string]any:
		for _, item := range x {
			readBy(item, into)
		}
	}
}

// changes finds a variable of these that actions change. What registered ones
// change is not known.
func changes(list []statechart.Action, names map[string]bool) (string, bool) {
	for i := range list {
		a := &list[i]
		if a.Call != "" && len(names) > 0 {
			return a.Call, true
		}
		for _, v := range a.Assign {
			if names[v.Name] {
				return v.Name, true
			}
		}
		for _, inner := range [][]statechart.Action{a.Then, a.Else, a.Block} {
			if name, ok := changes(inner, names); ok {
				return name, true
			}
		}
	}
	return "", false
}
