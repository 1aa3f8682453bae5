package scxml

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// illegal is the registered action that stands for executable content which
// is an error whenever it is executed, such as an assignment to a system
// variable.
const illegal = "scxml.illegal"

func fault(format string, a ...any) []statechart.Action {
	return []statechart.Action{{Call: illegal, Params: map[string]any{"message": fmt.Sprintf(format, a...)}}}
}

// actions reads executable content.
func (r *reader) actions(nodes []*node) ([]statechart.Action, error) {
	var out []statechart.Action
	for _, n := range nodes {
		made, err := r.action(n)
		if err != nil {
			return nil, err
		}
		out = append(out, made...)
	}
	return out, nil
}

func (r *reader) action(n *node) ([]statechart.Action, error) {
	switch n.name {
	case "raise":
		return []statechart.Action{{Raise: n.attributes["event"]}}, nil
	case "send":
		return r.send(n)
	case "cancel":
		var id any = n.attributes["sendid"]
		if n.has("sendidexpr") {
			id = statechart.Expression(n.attributes["sendidexpr"])
		}
		return []statechart.Action{{Cancel: id}}, nil
	case "log":
		var value any = n.attributes["label"]
		if n.has("expr") {
			value = statechart.Expression(n.attributes["expr"])
		}
		return []statechart.Action{{Log: value}}, nil
	case "assign":
		return r.assignment(n)
	case "if":
		return r.choice(n.attributes["cond"], n.children)
	case "foreach":
		return r.foreach(n)
	}
	return nil, unsupported(n, "not read as executable content")
}

// assignment writes a declared variable. Any other location is an error when
// executed; a path into a value is one that SCXML would allow and we do not
// read.
func (r *reader) assignment(n *node) ([]statechart.Action, error) {
	location := strings.TrimSpace(n.attributes["location"])
	if !r.declared[location] {
		if base, _, path := strings.Cut(location, "."); path && r.declared[base] {
			return nil, unsupported(n, "the location %q", location)
		}
		return fault("%q is no location", location), nil
	}
	if n.has("expr") {
		return []statechart.Action{assign(location, statechart.Expression(n.attributes["expr"]))}, nil
	}
	value, err := r.text(n)
	return []statechart.Action{assign(location, value)}, err
}

// choice reads the content of an <if>: what stands before the first <elseif>
// or <else> is done when cond holds, the rest is the alternative.
func (r *reader) choice(cond string, content []*node) ([]statechart.Action, error) {
	guard := condition(cond)
	action := statechart.Action{If: &guard}
	for i, n := range content {
		var err error
		switch n.name {
		case "elseif":
			if action.Then, err = r.actions(content[:i]); err != nil {
				return nil, err
			}
			action.Else, err = r.choice(n.attributes["cond"], content[i+1:])
			return []statechart.Action{action}, err
		case "else":
			if action.Then, err = r.actions(content[:i]); err != nil {
				return nil, err
			}
			action.Else, err = r.actions(content[i+1:])
			return []statechart.Action{action}, err
		}
	}
	var err error
	action.Then, err = r.actions(content)
	return []statechart.Action{action}, err
}

var variable = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

// foreach writes its item and index to variables of the document, which it
// declares when nobody did; the core's own are copied into them first.
func (r *reader) foreach(n *node) ([]statechart.Action, error) {
	r.locals++
	action := statechart.Action{
		Foreach: statechart.Expression(n.attributes["array"]),
		As:      fmt.Sprintf("_item%d", r.locals),
		Index:   fmt.Sprintf("_index%d", r.locals),
	}
	for _, part := range []struct{ attribute, local string }{{"item", action.As}, {"index", action.Index}} {
		if !n.has(part.attribute) {
			continue
		}
		name := n.attributes[part.attribute]
		if !variable.MatchString(name) {
			return fault("%q is no variable", name), nil
		}
		if !r.declared[name] {
			r.declared[name] = true
			r.late = append(r.late, name)
		}
		action.Then = append(action.Then, assign(name, statechart.Expression(part.local)))
	}
	body, err := r.actions(n.children)
	action.Then = append(action.Then, body...)
	return []statechart.Action{action}, err
}
