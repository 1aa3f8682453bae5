package scxml

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// send reads a <send>. Names that an expression gives are read where the
// expression is a string literal; a definition's events are known by name.
func (r *reader) send(n *node) ([]statechart.Action, error) {
	event, err := either(n, "event")
	if err != nil {
		return nil, err
	}
	if event == "" {
		return nil, unsupported(n, "no event")
	}
	kind, err := either(n, "type")
	if err != nil {
		return nil, err
	}
	if !isProcessor(kind) {
		return fault("there is no event processor %q", kind), nil
	}
	data, err := r.payload(n)
	if err != nil {
		return nil, err
	}
	action := statechart.Action{Send: event, Data: data}
	if failure, err := r.address(n, &action); failure != nil || err != nil {
		return failure, err
	}
	if failure, err := delay(n, &action); failure != nil || err != nil {
		return failure, err
	}
	return r.sendID(n, action)
}

// either returns an attribute or the constant that its "expr" twin gives.
func either(n *node, attribute string) (string, error) {
	twin := attribute + "expr"
	if !n.has(twin) {
		return n.attributes[attribute], nil
	}
	text, ok := constant(n.attributes[twin])
	if !ok {
		return "", unsupported(n, "%s=%q is not constant", twin, n.attributes[twin])
	}
	return text, nil
}

// isProcessor reports whether a type of <send> is SCXML's event processor.
func isProcessor(kind string) bool {
	return kind == "" || kind == "scxml" || strings.TrimSuffix(kind, "/") == "http://www.w3.org/TR/scxml/#SCXMLEventProcessor"
}

// address reads the target. An internal one makes it a raise.
func (r *reader) address(n *node, action *statechart.Action) (failure []statechart.Action, err error) {
	if _, fixed := constant(n.attributes["targetexpr"]); n.has("targetexpr") && !fixed {
		source := n.attributes["targetexpr"]
		action.To = statechart.Expression("(function(t) { if (!/^#_scxml_./.test(t)) { throw new Error('illegal target ' + t); } " +
			"return t.slice(8); })(" + source + "\n)")
		return nil, nil
	}
	target, err := either(n, "target")
	switch {
	case err != nil:
		return nil, err
	case target == "":
	case target == "#_internal":
		action.Raise, action.Send = action.Send, ""
	case target == "#_parent":
		action.To = "parent"
	case strings.HasPrefix(target, "#_scxml_"):
		action.To = strings.TrimPrefix(target, "#_scxml_")
	case strings.HasPrefix(target, "#_"):
		action.To = strings.TrimPrefix(target, "#_")
	default:
		return fault("%q is no target", target), nil
	}
	return nil, nil
}

// delay reads the delay. None and zero are the same: straight to the queue.
func delay(n *node, action *statechart.Action) (failure []statechart.Action, err error) {
	text := n.attributes["delay"]
	if n.has("delayexpr") {
		fixed, ok := constant(n.attributes["delayexpr"])
		if !ok {
			action.Delay = statechart.Expression("(function(d) { var m = /^([0-9]*\\.?[0-9]+)(ms|s)$/.exec(d); " +
				"if (!m) { throw new Error('no delay: ' + d); } return m[1] * (m[2] === 's' ? 1000 : 1); })(" + n.attributes["delayexpr"] + "\n)")
			return nil, nil
		}
		text = fixed
	}
	if text == "" {
		return nil, nil
	}
	ms, ok := milliseconds(text)
	if !ok {
		return fault("%q is no delay", text), nil
	}
	if ms > 0 {
		action.Delay = ms
	}
	return nil, nil
}

// sendID reads the id: the author's, or a new one that is stored first.
func (r *reader) sendID(n *node, action statechart.Action) ([]statechart.Action, error) {
	location := n.attributes["idlocation"]
	switch {
	case n.has("id"):
		action.ID = n.attributes["id"]
	case !n.has("idlocation"):
	case !r.declared[location]:
		return fault("%q is no location", location), nil
	default:
		action.ID = statechart.Expression(location)
		return []statechart.Action{assign(location, statechart.Expression("_nextid()")), action}, nil
	}
	return []statechart.Action{action}, nil
}

// invocation reads an <invoke> of another SCXML document.
func (r *reader) invocation(n *node) (statechart.Invocation, error) {
	call := statechart.Invocation{ID: n.attributes["id"]}
	for _, attribute := range []string{"idlocation", "srcexpr"} {
		if n.has(attribute) {
			return call, unsupported(n, "%s", attribute)
		}
	}
	if n.attributes["autoforward"] == "true" {
		return call, unsupported(n, "autoforward")
	}
	kind, err := either(n, "type")
	if err != nil {
		return call, err
	}
	switch strings.TrimSuffix(kind, "/") {
	case "", "scxml", "http://www.w3.org/TR/scxml":
	default:
		return call, unsupported(n, "the type %q", kind)
	}
	child, err := r.child(n)
	if err != nil {
		return call, err
	}
	r.children[child.Definition.ID] = child
	call.Src = "chart:" + child.Definition.ID
	values := *n
	values.children = n.all("param")
	call.Input, err = r.payload(&values)
	return call, err
}

// child reads the document that an <invoke> holds or names.
func (r *reader) child(n *node) (*Document, error) {
	id := fmt.Sprintf("%s_%d", r.id, len(r.children)+1)
	if src := n.attributes["src"]; src != "" {
		return Read(r.files, strings.TrimPrefix(src, "file:"))
	}
	content := n.first("content")
	if content == nil {
		return nil, unsupported(n, "neither src nor content")
	}
	if inline := content.first("scxml"); inline != nil {
		return build(inline, r.files, id)
	}
	return decode(bytes.NewReader([]byte(content.text)), r.files, id)
}
