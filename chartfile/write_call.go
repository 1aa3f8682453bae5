package chartfile

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// invocations are the outside calls of a state, nil when there are none.
func (w *writer) invocations(s *statechart.State, path string, at *scope) *document.Node {
	if len(s.Invoke) == 0 {
		return nil
	}
	var out []*document.Node
	for i := range s.Invoke {
		c, path := &s.Invoke[i], fmt.Sprintf("%s.invoke[%d]", path, i)
		var b objectBuilder
		src := w.source(c.Src, path+".src")
		b.add("src", src)
		w.outside(&b, c, src, path, at)
		b.add("onDone", w.transitions(c.OnDone, path+".onDone", at, s, nil))
		b.add("onError", w.transitions(c.OnError, path+".onError", at, s, nil))
		b.add("onUnknown", w.transitions(c.OnUnknown, path+".onUnknown", at, s, nil))
		b.add("onProgress", w.transitions(c.OnProgress, path+".onProgress", at, s, nil))
		out = append(out, b.ordered(reflect.TypeFor[invocationObject]()))
	}
	return oneOrManyNode(out)
}

// do is an outside call that its state does not wait for.
func (w *writer) do(a *statechart.Action, path string, at *scope) *document.Node {
	c := a.Do
	if len(c.OnDone)+len(c.OnError)+len(c.OnUnknown)+len(c.OnProgress) > 0 {
		w.fail(path+".do", "take its end with on: done.do.ID", "a do has no transitions of its own")
	}
	var b objectBuilder
	src := w.source(c.Src, path+".do.src")
	b.add("do", src)
	w.outside(&b, c, src, path+".do", at)
	object := reflect.TypeFor[doAction]()
	allowed := map[string]bool{}
	for _, k := range keysOf(object) {
		allowed[k.Key] = true
	}
	for _, f := range b.fields {
		if !allowed[f.Key] {
			w.fail(path+".do."+f.Key, "use an invoke", "a do cannot have %s in a chart file", f.Key)
		}
	}
	return b.ordered(object)
}

// outside adds what both have in common.
func (w *writer) outside(b *objectBuilder, c *statechart.Invocation, src *document.Node, path string, at *scope) {
	w.onlySCXML(c.Type != nil, path+".type")
	w.onlySCXML(c.IDLocation != "", path+".idLocation")
	w.onlySCXML(c.Forward, path+".forward")
	w.onlySCXML(c.Finalize != nil, path+".finalize")
	b.addText("id", w.fixed(c.ID, path+".id"))
	b.add("input", w.input(c.Input, src, path+".input", at))
	b.addText("mode", c.Mode)
	if c.Timeout != nil {
		b.add("timeout", w.delay(c.Timeout, path+".timeout"))
	}
	if c.Heartbeat != nil {
		b.add("heartbeat", w.delay(c.Heartbeat, path+".heartbeat"))
	}
	b.add("retry", w.carried(c.Retry, reflect.TypeFor[retryObject](), path+".retry"))
	b.add("key", w.optional(c.Key, path+".key", at))
	b.add("approval", w.carried(c.Approval, reflect.TypeFor[approvalObject](), path+".approval"))
	b.add("choices", textsNode(c.Choices))
}

// source is what a call calls. A plain name is a performer of Go code.
func (w *writer) source(v any, path string) *document.Node {
	switch x := v.(type) {
	case statechart.Expression:
		return w.expression(x, path)
	case string:
		if !strings.Contains(x, ":") && x != "" {
			w.performers[x] = true
		}
		return textNode(escape(x))
	}
	return w.fail(path, "such as tool:search", "the source of a call is text")
}

// input is the argument of a call. The schema that a model or a person is
// given stands in it as it is.
func (w *writer) input(v any, src *document.Node, path string, at *scope) *document.Node {
	fields, isObject := v.(map[string]any)
	if src == nil || !isObject {
		return w.optional(v, path, at)
	}
	kind, _, _ := strings.Cut(src.Text, ":")
	key, has := schemaKeys[kind]
	schema, given := fields[key].(map[string]any)
	if !has || !given {
		return w.object(fields, path, at)
	}
	n := w.object(fields, path, at)
	for i := range n.Fields {
		if f := &n.Fields[i]; f.Key == key {
			f.Value = w.schema(schema, path+"."+key)
		}
	}
	return n
}

// carried is an object that is handed on as it stands.
func (w *writer) carried(m map[string]any, object reflect.Type, path string) *document.Node {
	n := w.literalObject(m, object, path)
	if n == nil {
		return nil
	}
	for _, f := range n.Fields {
		if f.Value.Kind == document.String {
			w.fixed(f.Value.Text, path+"."+f.Key)
		}
	}
	return n
}

// fixed is a text that is never computed, and so cannot hold what would look
// computed.
func (w *writer) fixed(s, path string) string {
	if strings.Contains(s, "${") {
		w.fail(path, "choose another", "%q holds ${ where nothing is computed", s)
	}
	return s
}
