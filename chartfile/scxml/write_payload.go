package scxml

import (
	"maps"
	"slices"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// value writes a value as the attribute expr, or, when nothing in it is
// evaluated, as content.
func (w *writer) value(t *tag, v any, path string) {
	if v == nil {
		return
	}
	if !isLiteral(v) {
		w.attribute(t, "expr", w.source(v, path), path)
		return
	}
	text, ok := contentOf(v)
	if !ok || !written(text) {
		w.fail(path, "use null, booleans, numbers, text, lists and objects", "%v of type %T is no data that XML can hold", v, v)
	}
	t.text = text
}

// source is a value as an expression. Other values than expressions are
// written in the language that the data model has.
func (w *writer) source(v any, path string) string {
	if x, ok := v.(statechart.Expression); ok {
		return string(x)
	}
	text, ok := jsonOf(v)
	if w.model == modelDetent {
		text, ok = sourceOf(v)
	}
	switch {
	case w.model == modelNull:
		w.fail(path, `write it for the data model "detent"`, "the null data model has no values")
	case !ok:
		w.fail(path, "use null, booleans, numbers, text, lists and objects", "%v of type %T cannot be said as an expression of the data model %s", v, v, w.model)
	}
	return text
}

// payload writes what an event or a call carries: parameters for an object
// whose values are evaluated, otherwise content.
func (w *writer) payload(t *tag, v any, path string) {
	fields, ok := v.(map[string]any)
	if !ok || len(fields) == 0 || slices.ContainsFunc(slices.Collect(maps.Values(fields)), func(v any) bool { return !isParameter(v) }) {
		w.value(t.add("content"), v, path)
		return
	}
	names := slices.Sorted(maps.Keys(fields))
	if w.isNamelist(t, fields) {
		t.set("namelist", strings.Join(names, " "))
		return
	}
	for _, name := range names {
		list, several := fields[name].([]any)
		if !several {
			list = []any{fields[name]}
		}
		for _, item := range list {
			p := t.add("param")
			w.attribute(p, "name", name, path+"."+name)
			w.attribute(p, "expr", string(item.(statechart.Expression)), path+"."+name)
		}
	}
}

// isParameter reports whether a value can come from one <param>, or from
// several of the same name.
func isParameter(v any) bool {
	if list, several := v.([]any); several {
		return len(list) > 1 && !slices.ContainsFunc(list, func(item any) bool { _, ok := item.(statechart.Expression); return !ok })
	}
	_, ok := v.(statechart.Expression)
	return ok
}

// isNamelist reports whether all values are variables under their own names,
// in an element that can say so.
func (w *writer) isNamelist(t *tag, fields map[string]any) bool {
	if t.name == "donedata" {
		return false
	}
	for name, v := range fields {
		if source, ok := v.(statechart.Expression); !ok || string(source) != name || !variable.MatchString(name) {
			return false
		}
	}
	return true
}

// invocation writes an <invoke>.
func (w *writer) invocation(parent *tag, c *statechart.Invocation, path string) {
	t := parent.add("invoke")
	if c.ID != "" {
		w.attribute(t, "id", c.ID, path+".id")
	}
	if c.IDLocation != "" {
		w.attribute(t, "idlocation", c.IDLocation, path+".idLocation")
	}
	w.either(t, "type", c.Type, path+".type")
	child, inline := w.invoked(t, c, path)
	if c.Forward {
		t.set("autoforward", "true")
	}
	for _, f := range []struct {
		is   bool
		name string
	}{
		{c.Mode != "", "mode"}, {c.Timeout != nil, "timeout"}, {c.Heartbeat != nil, "heartbeat"}, {c.Retry != nil, "retry"}, {c.Approval != nil, "approval"},
		{c.Key != nil, "key"}, {c.Choices != nil, "choices"}, {len(c.OnDone)+len(c.OnError)+len(c.OnUnknown)+len(c.OnProgress) > 0, "onDone"},
	} {
		if f.is {
			w.fail(path+"."+f.name, "SCXML invokes sessions only, and takes their ends with done.invoke.ID", "%s of an invocation cannot be said in SCXML", f.name)
		}
	}
	if c.Input != nil {
		w.payload(t, c.Input, path+".input")
	}
	if inline {
		content := t.add("content")
		content.children = append(content.children, child)
	}
	if c.Finalize != nil {
		w.actions(t.add("finalize"), c.Finalize, path+".finalize")
	}
}

// invoked writes what is invoked: a child that is known is returned, to stand
// in the invocation.
func (w *writer) invoked(t *tag, c *statechart.Invocation, path string) (child *tag, inline bool) {
	text, fixed := c.Src.(string)
	id, isChart := strings.CutPrefix(text, "chart:")
	if !fixed || !isChart {
		w.either(t, "src", c.Src, path+".src")
		return nil, false
	}
	doc := w.options.Children[id]
	switch {
	case doc == nil:
		w.fail(path+".src", "give it in WriteOptions.Children", "the document %q that is invoked is not at hand", id)
		return nil, false
	case w.open[id]:
		w.fail(path+".src", "name its file in src", "the document %q invokes itself, so it cannot stand in itself", id)
		return nil, false
	}
	w.open[id] = true
	outer := w.prefix
	w.prefix = id + ": "
	child = w.document(&doc.Definition, doc.Title, doc.DataModel)
	w.prefix = outer
	delete(w.open, id)
	return child, true
}
