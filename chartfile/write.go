package chartfile

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// The formats of a chart file.
const (
	YAML = document.YAML
	JSON = document.JSON
)

// CodeUnwritable is the code of what a Definition can hold and a chart file
// cannot say.
const CodeUnwritable statechart.Code = "unwritable"

// Write returns a definition as a chart file: keys in the order of the
// format, each thing in its shortest form, names that Go code registers
// listed under requires. [Read] gives an equal Definition back, but for what
// a Definition can say in two ways:
//
//   - the transitions of one event stand together, where the first of them
//     stood; between different descriptors order means nothing (R6),
//   - delays that are numbers of milliseconds become texts such as "500ms",
//   - values of other Go types become those of JSON-like data, int becomes
//     int64 and []string becomes []any,
//   - performers that are called and not listed are listed,
//   - a nil list and an empty one are the same,
//   - white space around an expression goes, and between targets it is one
//     space,
//   - the name of the root, which is not used, goes; its description and the
//     definition's are one,
//   - an internal transition becomes a plain or an external one where that is
//     the very same.
//
// The error is of type [statechart.Errors] and lists everything that a file
// cannot say, with [CodeUnwritable] and the paths of a Definition: the scxml
// dialect (it alone, for its rules are others), blocks of actions, other
// internal transitions, timers without transitions, expressions in literal
// positions or beginning where their text cannot end, names that stand twice
// where a file has keys, an id of the root that is not the chart's, values that
// are no data, more than a file may hold. Whether the chart is valid otherwise
// is not asked; [statechart.Compile] knows.
func Write(def statechart.Definition, f document.Format) ([]byte, error) {
	w := writer{guards: map[string]bool{}, actions: map[string]bool{}, performers: map[string]bool{}}
	if def.Dialect != "" { // changing what else a file cannot say would not help
		w.fail("dialect", "a chart file has the rules of Detent; an SCXML document runs as it stands", "the dialect %q cannot be said in a chart file", def.Dialect)
		return nil, w.errors
	}
	n := w.document(&def)
	for _, e := range w.bares {
		if w.guards[e.source] {
			w.fail(e.path, "rename the guard, or write the expression in another way", "the expression %q is also the name of a registered guard", e.source)
		}
	}
	if deep := levelsOf(n); deep > maxDepth {
		w.fail("root", "take a part out into a chart of its own", "the file would be nested %d deep, and may be %d", deep, maxDepth)
	}
	if len(w.errors) > 0 {
		return nil, w.errors
	}
	text, err := document.Write(n, f)
	if err != nil {
		return nil, statechart.Errors{{Code: document.CodeUnsupported, Message: "the definition cannot be written: " + err.Error(), Hint: "correct it where it is made", Cause: err}}
	}
	if len(text) > maxBytes {
		w.fail("root", "take a part out into a chart of its own", "the file would be %d bytes long, and may be %d", len(text), maxBytes)
		return nil, w.errors
	}
	return text, nil
}

// writer makes nodes of a definition.
type writer struct {
	errors          statechart.Errors
	guards, actions map[string]bool // the registered names in use
	performers      map[string]bool
	bares           []bareExpression
}

// bareExpression is an expression without ${…}. One that is spelled like a
// registered guard would be read as that.
type bareExpression struct{ source, path string }

// fail notes what cannot be written.
func (w *writer) fail(path, hint, format string, args ...any) *document.Node {
	w.errors = append(w.errors, &statechart.Error{Code: CodeUnwritable, Path: path, Message: fmt.Sprintf(format, args...), Hint: hint})
	return nil
}

func (w *writer) document(d *statechart.Definition) *document.Node {
	at := rootScope(d)
	var b objectBuilder
	b.add("id", textNode(d.ID))
	b.addText("version", d.Version)
	b.addInt("semantics", int64(d.Semantics))
	b.add("input", w.schema(d.Input, "input"))
	b.add("events", w.events(d.Events))
	b.add("delays", w.delays(d.Delays))
	b.add("constants", w.variables(d.Constants, "constants", at))
	b.add("lists", w.lists(d.Lists))
	b.addText("unhandled", d.Unhandled)
	b.add("limits", limits(&d.Limits))
	b.add("budget", w.literalObject(d.Budget, reflect.TypeFor[budgetObject](), "budget"))
	root := d.Root
	if root.ID != "" && root.ID != d.ID {
		w.fail("root.id", "name the chart so", "the root has the id %q, and in a file the chart's id is the root's", root.ID)
	}
	if root.ID, root.Description = "", w.description(d); root.Description != "" {
		b.addText("description", root.Description)
		root.Description = ""
	}
	w.state(&b, &root, "root", at)
	b.add("requires", w.requires(d.Performers))
	return b.ordered(reflect.TypeFor[fileObject]())
}

// description is the one of the definition and its root.
func (w *writer) description(d *statechart.Definition) string {
	switch {
	case d.Description == "":
		return d.Root.Description
	case d.Root.Description != "" && d.Root.Description != d.Description:
		w.fail("root.description", "join them", "the chart has one description and its root another, and a file has one")
	}
	return d.Description
}

func (w *writer) events(list []statechart.EventDeclaration) *document.Node {
	var b objectBuilder
	for i, e := range list {
		path := fmt.Sprintf("events[%d]", i)
		var event objectBuilder
		event.add("data", w.schema(e.Data, path+".data"))
		event.add("from", textsNode(e.From))
		w.unique(&b, e.Name, path, onOneLine(event.node()))
	}
	return b.optional()
}

// unique adds a field whose key the author chose.
func (w *writer) unique(b *objectBuilder, key, path string, n *document.Node) {
	switch {
	case key == "":
		w.fail(path, "give it a name", "a name is missing here")
	case b.has(key):
		w.fail(path, "keep one of them", "%q stands here twice, and a file has it once", key)
	default:
		b.add(key, n)
	}
}

func (w *writer) delays(list []statechart.Variable) *document.Node {
	var b objectBuilder
	for _, v := range list {
		path := "delays." + v.Name
		w.unique(&b, v.Name, path, w.delay(v.Value, path))
	}
	return b.optional()
}

func (w *writer) variables(list []statechart.Variable, path string, at *scope) *document.Node {
	var b objectBuilder
	for _, v := range list {
		path := path + "." + v.Name
		w.unique(&b, v.Name, path, w.value(v.Value, path, at))
	}
	return b.optional()
}

func (w *writer) lists(names []string) *document.Node {
	var b objectBuilder
	for i, name := range names {
		w.unique(&b, name, fmt.Sprintf("lists[%d]", i), (&objectBuilder{}).node())
	}
	return b.optional()
}

func limits(l *statechart.Limits) *document.Node {
	var b objectBuilder
	b.addInt("microsteps", int64(l.Microsteps))
	b.addInt("raised", int64(l.Raised))
	b.addInt("effects", int64(l.Effects))
	b.addInt("deferred", int64(l.Deferred))
	b.addInt("fuel", l.Fuel)
	b.addInt("data", int64(l.Data))
	return b.optional()
}

func (w *writer) requires(performers []string) *document.Node {
	var b objectBuilder
	b.add("guards", textsNode(slices.Sorted(maps.Keys(w.guards))))
	b.add("actions", textsNode(slices.Sorted(maps.Keys(w.actions))))
	for _, name := range performers {
		delete(w.performers, name)
	}
	b.add("performers", textsNode(append(slices.Clip(performers), slices.Sorted(maps.Keys(w.performers))...)))
	return b.optional()
}
