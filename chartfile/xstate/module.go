package xstate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/statechart"
)

// Module returns a chart as a JavaScript module for XState 5 that exports
// machine, with its expressions compiled to JavaScript. On the same events the
// machine takes the same transitions as the chart does here, with the same
// data and effects, but for the differences at the end of docs/semantics.md.
// The module imports from xstate alone, is the same for the same chart, and is
// meant to be read and kept: guards and delays are called by their expressions
// and actions by their places, each has its source beside it, and only those
// parts of the runtime come along that are used.
//
// What Go code registers, and what is called outside, stands in the module as
// a stub that throws. machine.provide puts real ones in its place: guards and
// actions under their names, and actors under the sources of calls. A computed
// source, such as tool:${ name }, is one actor with that name, and its input is
// {src, input}. What a call asks of its host (mode, timeout, heartbeat, key,
// retry, approval, choices) is a comment there: the actor sees to it. Events
// that only a host of Detent gives, unknown.invoke.ID and progress.invoke.ID,
// keep their names, for actors that send them.
//
// What becomes of the rest:
//
//   - Data of states below the root is lifted into the machine's context,
//     under its name or, where that is not the only one, PATH.NAME: null at
//     first, made on entry, and not read by anybody while its state is not
//     active. Constants are constants of the module. Where ids are made,
//     detent.ids counts them.
//   - A block of actions is one function, which stops at an action that fails
//     and raises error.execution. One that nothing takes stops the machine
//     with an error, and XState then shows the state before the event. A
//     guard that fails is false, and raises nothing. A computed delay that
//     fails raises the error, and its timer waits for 24.8 days.
//   - A call's input that fails stops the machine.
//   - Numbers are those of JavaScript: an integer beyond 2^53 is an error,
//     and a decimal without a fraction is an integer, as text and for type();
//     ** may differ in its last digit.
//   - A field type of a computed payload is lost, because XState calls the
//     event's name so; and an empty payload is none.
//   - In actions, now is the time of the machine's clock if that has a
//     now(), and otherwise of the system; in guards always of the system. It
//     may pass within a macrostep. session.id is XState's sessionId, and
//     granted() knows the tools that the state allows.
//   - A send to another session is one to the actor with that systemId.
//     Without it there is error.communication, as an event of the machine's
//     own.
//   - Of the bounds there are those of microsteps and raised events, past which
//     the machine stops with an error. XState counts both in one.
//   - Schemas of input and events, and who may send them, are not checked.
//   - The status of a final state is carried in its meta.detent.
//
// The error is of type [statechart.Errors] and lists everything that XState
// cannot say, with [chartfile.CodeUnwritable], the path in the Definition and a
// hint: the scxml dialect, and then nothing else; deferral, promotions, append-only lists, do, every,
// warnAfter, budgets, and events that nothing takes being more than ignored;
// data, and timers to keep, that a history restores; an initial that goes
// deeper or to several states; actions of a history's default; outputs of
// other states than final ones and the root; delays of more than 24.8 days;
// active() in actions, where it is not plain, and in guards about more than
// three states in one part; id() outside of actions, input outside of the
// root's data, event.id, event.acceptedAt, event.effect, session.user,
// session.sequence, event and session as a whole; patterns and names of events
// that are computed; a root output that reads the event, or what the exits
// after it change; a registered action within a foreach, or before actions of
// the same branch of an if that read data; names that would mean two things.
// Whether the chart is valid otherwise is not asked; [statechart.Compile]
// knows.
func Module(def statechart.Definition) ([]byte, error) {
	if found := otherRules(&def); len(found) > 0 {
		return nil, found
	}
	m := &module{def: &def, used: map[string]bool{}, made: map[string]bool{}, registered: map[string]bool{}}
	m.index()
	config := m.root()
	m.names()
	if len(m.errors) > 0 {
		return nil, m.errors
	}
	return []byte(m.print(config)), nil
}

// module is a module that is being made.
type module struct {
	def    *statechart.Definition
	errors statechart.Errors
	states []*node // in document order; the first is the root
	used   map[string]bool

	constants, actors, guards, delays, actions js
	made, registered                           map[string]bool // names of guards and actions
	timers                                     js              // the chart's names of the events of timers
	typed                                      bool            // they are asked for
	counts                                     bool            // ids are made
	failing                                    bool            // error.execution or error.communication can be raised
}

// names refuses names that would mean two things.
func (m *module) names() {
	for _, name := range slices.Sorted(maps.Keys(m.registered)) {
		if m.made[name] {
			kind, name, _ := strings.Cut(name, " ")
			m.refuse("", "register it under another name", "the registered %s %q has the name of one that is written here", kind, name)
		}
	}
	if id := m.def.Root.ID; id != "" && id != m.def.ID {
		m.refuse("root.id", "name the chart so", "the root has the id %q, and in XState the machine's id is the root's", id)
	}
}

// refuse notes what XState cannot say.
func (m *module) refuse(path, hint, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	if slices.ContainsFunc(m.errors, func(e *statechart.Error) bool { return e.Path == path && e.Message == message }) {
		return
	}
	m.errors = append(m.errors, &statechart.Error{Code: chartfile.CodeUnwritable, Path: path, Message: message, Hint: hint})
}

// node is a state with its place in the chart.
type node struct {
	def       *statechart.State
	parent    *node
	path      string // "" of the root
	place     string // in the Definition
	id        string
	children  []*node
	tools     []string
	variables []variable
}

// variable is how a variable is read in JavaScript: a field of the context, of
// the constants, or of what a foreach shows.
type variable struct{ name, in, key string }

func (m *module) index() {
	root := &node{def: &m.def.Root, place: "root", id: m.def.ID}
	m.enter(root)
	names := map[string]int{}
	for _, n := range m.states {
		for _, v := range n.def.Context {
			names[v.Name]++
		}
	}
	for _, c := range m.def.Constants {
		names[c.Name]++
		v := variable{c.Name, "constants", c.Name}
		if !constant(c.Value) {
			v.in = "context"
		}
		root.variables = append(root.variables, v)
	}
	for _, n := range m.states {
		for _, v := range n.def.Context {
			key := v.Name
			if names[v.Name] > 1 && n.parent != nil {
				key = n.path + "." + v.Name
			}
			n.variables = append(n.variables, variable{v.Name, "context", key})
		}
	}
}

func (m *module) enter(n *node) {
	m.states = append(m.states, n)
	n.tools = slices.Clone(n.def.Tools)
	if n.parent != nil && !n.def.ToolsOnly {
		for _, t := range n.parent.tools {
			if !slices.Contains(n.tools, t) {
				n.tools = append(n.tools, t)
			}
		}
	}
	for i := range n.def.States {
		def := &n.def.States[i]
		kid := &node{def: def, parent: n, path: def.Name, place: n.place + ".states." + def.Name}
		if n.path != "" {
			kid.path = n.path + "." + def.Name
		}
		if kid.id = def.ID; kid.id == "" {
			kid.id = m.def.ID + "." + kid.path
		}
		n.children = append(n.children, kid)
		m.enter(kid)
	}
}

// name is what people call a state.
func (n *node) name() string {
	if n.parent == nil {
		return "the root"
	}
	return n.path
}

// constant reports whether nothing in a value is computed.
func constant(v any) bool {
	switch x := v.(type) {
	case statechart.Expression:
		return false
	case []any:
		return !slices.ContainsFunc(x, func(v any) bool { return !constant(v) })
	case map[string]any:
		for _, v := range x {
			if !constant(v) {
				return false
			}
		}
	}
	return true
}

// place is where an expression stands and what is known there.
type where struct {
	path    string // in the Definition
	state   *node
	event   eventKind
	guard   bool     // of a guard: it sees the data and the event only
	block   bool     // of a step of a block
	initial bool     // of the root's context
	ending  bool     // of the machine's output
	sure    bool     // the state and those above it are active
	locals  []string // of foreach
}

// eventKind is what is known of the event.
type eventKind uint8

const (
	anyEvent     eventKind = iota
	ownEvent               // one of the chart's: its fields are the payload's
	answerEvent            // done.state or done.invoke
	failureEvent           // error.invoke
)

func (p where) at(path string) where {
	p.path = path
	return p
}

func (p where) variable(name string) (variable, bool) {
	if slices.Contains(p.locals, name) {
		return variable{name, "local", name}, true
	}
	for n := p.state; n != nil; n = n.parent {
		for _, v := range n.variables {
			if v.name == name {
				return v, true
			}
		}
	}
	return variable{}, false
}

// certain reports whether a state is known to be active.
func (m *module) certain(path string, p where) (is, known bool) {
	if p.sure {
		for n := p.state; n != nil; n = n.parent {
			if n == m.find(path) {
				return true, true
			}
		}
	}
	return false, false
}

// find finds a state by its path or "#id".
func (m *module) find(path string) *node {
	name, byID := strings.CutPrefix(path, "#")
	for _, n := range m.states {
		if !byID && n.path == path || byID && (n.id == name || m.def.ID+"."+n.path == name) {
			return n
		}
	}
	return nil
}

// unique puts a definition under a name that no other has.
func unique(into *js, name, beside string, v *js, comments ...string) string {
	text := v.inline()
	for n, candidate := 1, name; ; n++ {
		i := slices.IndexFunc(into.fields, func(f field) bool { return f.key == candidate })
		switch {
		case i < 0:
			into.add(candidate, v, comments...)
			return candidate
		case into.fields[i].value.inline() == text:
			return candidate
		case n == 1 && beside != "":
			candidate = name + " (" + beside + ")"
		default:
			candidate = fmt.Sprintf("%s %d", name, n+1)
		}
	}
}

// nameOf is an expression as a name.
func nameOf(e statechart.Expression, otherwise string) string {
	if name := oneLine(string(e)); len(name) <= 72 {
		return name
	}
	return otherwise
}

// print writes the whole module.
func (m *module) print(config *js) string {
	var p printer
	p.b.WriteString("// " + m.title() + "\n//\n")
	p.b.WriteString("// This module was made from a chart of Detent, and is yours to change. It needs XState 5.\n")
	p.b.WriteString("// machine.provide({ actors, guards, actions }) puts real ones in the place of those that only throw here.\n")
	setup := &js{form: object}
	for _, part := range []struct {
		name string
		of   *js
	}{{"actors", &m.actors}, {"guards", &m.guards}, {"delays", &m.delays}, {"actions", &m.actions}} {
		if part.of.form = object; len(part.of.fields) > 0 {
			part.of.broken = true
			setup.add(part.name, part.of)
		}
	}
	m.use("setup")
	var names []string
	for _, name := range imported {
		if m.used[name] {
			names = append(names, name)
		}
	}
	fmt.Fprintf(&p.b, "import { %s } from 'xstate';\n\n", strings.Join(names, ", "))
	m.constants.form, m.timers.form = object, object
	if len(m.constants.fields) > 0 {
		p.b.WriteString("const constants = ")
		p.value(&m.constants, 0, 18)
		p.b.WriteString(";\n\n")
	}
	if m.typed {
		p.b.WriteString("// What the chart calls the events of its timers.\nconst timers = ")
		p.value(&m.timers, 0, 15)
		p.b.WriteString(";\n\n")
	}
	p.b.WriteString("export const machine = ")
	config.broken = true
	p.value(callOf("setup", setup), 0, 23)
	p.value(callOf(".createMachine", config), 0, 30)
	p.b.WriteString(";\n")
	m.printHelpers(&p)
	return p.b.String()
}

func (m *module) title() string {
	title := oneLine(m.def.ID)
	if m.def.Version != "" {
		title += ", version " + oneLine(m.def.Version)
	}
	if text := oneLine(m.description()); text != "" {
		title += ": " + text
	}
	return title
}

func (m *module) description() string {
	if m.def.Description != "" {
		return m.def.Description
	}
	return m.def.Root.Description
}

func (m *module) printHelpers(p *printer) {
	first := true
	for _, h := range helpers {
		if !m.used[h.name] {
			continue
		}
		if first {
			p.b.WriteString("\n// What follows is the same in every such module: the meaning of its expressions and actions.\n")
			first = false
		}
		p.b.WriteString("\n" + h.source + "\n")
	}
}
