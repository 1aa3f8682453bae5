package scxml

import (
	"fmt"
	"strings"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/statechart"
)

// WriteOptions say what a definition does not. The zero value stands for a
// document without a name, whose data model follows from what it holds.
type WriteOptions struct {
	// DataModel is that of a definition in the scxml dialect. Empty: null for
	// one without data and expressions, otherwise detent. That of a chart is
	// always detent.
	DataModel string
	// Name is the name attribute, which _name gives. Empty: none, and for a
	// chart its id.
	Name string
	// Children are the documents that "chart:ID" means in Src, by ID. They
	// are written into the <content> of their invocations.
	Children map[string]*Document
}

// Write returns a definition as an SCXML document.
//
// One in the scxml dialect is written as it is: [Read] gives an equal
// Definition back, whatever the data model is, but for what can be said in
// two ways or not at all:
//
//   - its ID, and those of the children, follow from the names of files,
//   - Version, Semantics, Input, Events, Constants, Delays, Lists, Limits, Budget, Performers and
//     Unhandled have no place in SCXML, nor have tags, meta and statuses; descriptions become comments,
//   - an action that fails is written as something that fails: a <send> of a type that does not exist, which is
//     the message. Where [Read] does not give that message to anything itself, it comes back with other words
//     around it,
//   - values of other Go types become those of JSON-like data, int becomes int64 and []string []any; a literal where only
//     an expression can stand becomes one,
//   - conditions that are not one expression become one, a block that is not alone gets one of its own, an event for the
//     session itself that is raised with data or by a computed name becomes a <send> to #_internal,
//   - states without an id keep having none if they have the names that Read makes up, and otherwise get their name.
//
// A chart in Detent's own dialect becomes a document with the data model
// "detent" that behaves the same when it is read here. Expressions stay what
// they are; the states that active asks for become ids, and event, input, now
// and session are there in documents, too. A local transition is an internal
// one, none at all, or an external one, whichever is the same; transitions stand
// in the order in which a chart would ask them, with a condition where SCXML
// would also take an event whose name only begins alike; a timer is a delayed
// event that is sent on entry and cancelled on exit; a variable of a state is a
// global one that is assigned on entry, with a number behind its name where
// several have one name; a root that does more than hold states becomes a state
// around them. [Remarks] says what is different all the same.
// A computed delay that turns out to be zero or less comes at once, without a
// timer, and one that is text must be a time of SCXML, such as "1.5s".
//
// The error is of type [statechart.Errors] and lists everything that cannot be
// said with [chartfile.CodeUnwritable] and the paths of the definition. Of a
// chart these are: guards and actions in Go, do, append, emit, lists, tools,
// invocations, deferral, promote, every, warnAfter, keep, unhandled events
// that are not ignored, sends to other sessions, computed ids of sends, levels of
// logs that are not info, variables of states that a history can keep, and
// transitions that leave what a chart does not leave.
func Write(def statechart.Definition, o WriteOptions) ([]byte, error) {
	w := &writer{options: o, open: map[string]bool{}}
	if def.Dialect != "scxml" {
		translated, errs := translate(&def)
		if len(errs) > 0 {
			return nil, errs
		}
		if o.Name == "" {
			o.Name = def.ID
		}
		def, o.DataModel = translated, modelDetent
		w.options = o
	}
	top := w.document(&def, o.Name, o.DataModel)
	if deep := top.levels(); deep > maxDepth {
		w.fail("root", "take a part out into a document of its own", "the document would be nested %d deep, and may be %d", deep, maxDepth)
	}
	if len(w.errors) > 0 {
		return nil, w.errors
	}
	text := top.render()
	if len(text) > maxBytes {
		w.fail("root", "take a part out into a document of its own", "the document would be %d bytes long, and may be %d", len(text), maxBytes)
		return nil, w.errors
	}
	return []byte(text), nil
}

// writer makes tags of definitions in the scxml dialect.
type writer struct {
	options WriteOptions
	errors  statechart.Errors
	model   string // of the document that is written
	tree    *tree
	open    map[string]bool // the children around it, which it must not hold again
	prefix  string          // of paths in errors
}

// fail notes what cannot be written.
func (w *writer) fail(path, hint, format string, args ...any) {
	w.errors = append(w.errors, unwritable(w.prefix+path, hint, format, args...))
}

func unwritable(path, hint, format string, args ...any) *statechart.Error {
	return &statechart.Error{Code: chartfile.CodeUnwritable, Path: path, Message: fmt.Sprintf(format, args...), Hint: hint}
}

// attribute adds an attribute, and sees that its text can stand in XML.
func (w *writer) attribute(t *tag, name, value, path string) {
	if !written(value) {
		w.fail(path, "write it without that character", "%q has a character that XML cannot hold", value)
	}
	t.set(name, value)
}

// document writes one definition.
func (w *writer) document(def *statechart.Definition, title, model string) *tag {
	outer, outerTree := w.model, w.tree
	defer func() { w.model, w.tree = outer, outerTree }()
	w.model, w.tree = model, newTree(def)
	if w.model == "" {
		w.model = modelFor(def)
	}
	w.names()
	t := &tag{name: "scxml", comment: comment(def.Description)}
	t.set("xmlns", spaceSCXML)
	t.set("version", "1.0")
	w.attribute(t, "datamodel", w.model, "dialect")
	if title != "" {
		w.attribute(t, "name", title, "id")
	}
	switch def.Binding {
	case "", "early":
	case "late":
		t.set("binding", "late")
	default:
		w.fail("binding", "early or late", "the binding %q is not known", def.Binding)
	}
	w.top(t)
	return t
}

// comment is a description, as far as XML can hold it.
func comment(text string) string {
	if !written(text) {
		return ""
	}
	return strings.TrimSpace(text)
}

// modelFor is the data model that a definition needs.
func modelFor(def *statechart.Definition) string {
	if needsValues(def) {
		return modelDetent
	}
	return modelNull
}
