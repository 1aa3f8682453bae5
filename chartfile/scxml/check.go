package scxml

import (
	"fmt"
	"slices"
	"strings"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/internal/edits"
	"github.com/detent-run/detent/statechart"
)

// check compares an element of SCXML and all below it with the rules: which
// attributes and which children stand there.
func (r *reader) check(e *element) {
	rule := rules[e.local]
	r.checkAttributes(e, rule)
	if rule.anything {
		return
	}
	seen := map[string]*element{}
	for _, p := range e.content {
		switch {
		case p.element == nil && !rule.text && !blank(p.text):
			at := p.at + len(p.text) - len(strings.TrimLeft(p.text, " \t\r\n"))
			r.noteAt(e.source, statechart.CodeNotAllowed, at, "text stands in <"+e.local+">", "remove it, or write it as a comment: <!-- … -->")
		case p.element == nil:
		case r.fits(e, p.element, rule):
			if first := seen[p.element.local]; first != nil && slices.Contains(rule.once, p.element.local) {
				line, _ := first.source.place(first.at)
				r.note(statechart.CodeDuplicate, p.element, fmt.Sprintf("<%s> has two <%s>, the first in line %d", e.local, p.element.local, line), "keep one of the two")
			}
			seen[p.element.local] = p.element
			r.check(p.element)
		}
	}
}

func (r *reader) checkAttributes(e *element, rule rule) {
	for i := range e.attributes {
		a := &e.attributes[i]
		_, declares := a.declares()
		switch {
		case declares:
		case a.prefix != "" && a.space != spaceSCXML:
			r.skip(a.space, e, a)
		case a.prefix != "":
			r.noteAttribute(chartfile.CodeUnknownAttribute, e, a, "attributes of SCXML have no prefix, and "+a.written()+" has one", "write "+a.local)
		case !slices.Contains(rule.attributes, a.local):
			r.noteAttribute(chartfile.CodeUnknownAttribute, e, a, "<"+e.local+"> has no attribute "+quote(a.local), r.nearest(a.local, rule.attributes, allowed(e.local, rule)))
		}
	}
	for _, name := range rule.needs {
		if a := e.attribute(name); a == nil {
			r.note(statechart.CodeMissing, e, "<"+e.local+"> needs the attribute "+name, "write "+name+`="…"`)
		} else if blank(a.value) && name != "cond" && name != "array" {
			r.noteAttribute(statechart.CodeMissing, e, a, "the attribute "+name+" of <"+e.local+"> is empty", "write a value into it")
		}
	}
	for _, pair := range rivals[e.local] {
		if a := e.attribute(pair[1]); a != nil && e.attribute(pair[0]) != nil {
			r.noteAttribute(statechart.CodeNotAllowed, e, a, "<"+e.local+"> has both "+pair[0]+" and "+pair[1], "keep one of the two")
		}
	}
}

// allowed is a hint that lists the attributes of an element.
func allowed(name string, rule rule) string {
	if len(rule.attributes) == 0 {
		return "<" + name + "> has no attributes"
	}
	return "<" + name + "> has " + strings.Join(rule.attributes, ", ")
}

// fits reports whether a child is one of SCXML's that may stand in e, and
// says so if not.
func (r *reader) fits(e, child *element, rule rule) bool {
	switch {
	case r.ours(child) && slices.Contains(rule.children, child.local):
		return true
	case r.full():
		return false
	case r.ours(child) && slices.Contains(rule.tolerated, child.local):
		r.warn(statechart.CodeNotAllowed, child, child.at, "SCXML has no <"+child.local+"> in <"+e.local+">; it is read as if <"+e.local+"> were a state", "put it into a state around the others")
		return true
	case !r.ours(child):
		if _, like := rules[child.local]; like && child.space == "" {
			r.note(chartfile.CodeNamespace, child, "<"+child.written()+"> is not in the namespace of SCXML", r.spaceHint(child))
			return false
		}
		r.skip(child.space, child, nil)
		return false
	}
	hint := "there is nothing in <" + e.local + ">"
	if len(rule.children) > 0 {
		hint = "in <" + e.local + "> stand " + strings.Join(rule.children, ", ")
	}
	if _, known := rules[child.local]; known {
		if in := holders(child.local); len(in) > 0 {
			hint = "it stands in " + strings.Join(in, ", ")
		}
		r.note(statechart.CodeNotAllowed, child, "<"+child.local+"> cannot stand in <"+e.local+">", hint)
		return false
	}
	r.note(chartfile.CodeUnknownElement, child, "SCXML has no element <"+child.local+">", r.nearest(child.local, rule.children, hint))
	return false
}

// ours reports whether an element is one of SCXML.
func (r *reader) ours(e *element) bool { return e.space == spaceSCXML || e.space == r.space }

func (r *reader) spaceHint(child *element) string {
	if r.root.prefix != "" {
		return "write <" + r.root.prefix + ":" + child.local + ">"
	}
	return `remove xmlns=""`
}

// use counts what is skipped of one namespace.
type use struct {
	space                string
	at                   chartfile.Diagnostic // where the first stands
	elements, attributes int
}

// silent are namespaces that say nothing about what a chart does.
var silent = []string{spaceXML, spaceInstance, spaceUnknown}

// skip notes an element or an attribute of another namespace.
func (r *reader) skip(space string, e *element, a *attribute) {
	if slices.Contains(silent, space) {
		return
	}
	i, met := r.skips[space]
	if !met {
		at := e.at
		if a != nil {
			at = a.at
		}
		r.skipped = append(r.skipped, use{space: space, at: diagnosticAt(e.source, at)})
		i = len(r.skipped) - 1
		r.skips[space] = i
	}
	if a != nil {
		r.skipped[i].attributes++
	} else {
		r.skipped[i].elements++
	}
}

// warnSkipped says once for each namespace what was skipped of it.
func (r *reader) warnSkipped() {
	for _, u := range r.skipped {
		d := u.at
		d.Code, d.Severity = chartfile.CodeNamespace, chartfile.Warning
		what := "what the namespace " + quote(u.space) + " adds"
		if u.space == "" {
			what = "what has no namespace"
		}
		d.Message = what + " is skipped: " + counted(u)
		d.Hint = "it has no meaning here; see that the chart works without it"
		r.add(d)
	}
}

// counted says how much was skipped.
func counted(u use) string {
	var parts []string
	for _, of := range []struct {
		n    int
		what string
	}{{u.elements, "element"}, {u.attributes, "attribute"}} {
		switch of.n {
		case 0:
		case 1:
			parts = append(parts, "1 "+of.what)
		default:
			parts = append(parts, fmt.Sprintf("%d %ss", of.n, of.what))
		}
	}
	return strings.Join(parts, " and ")
}

// maxCompared bounds how many pairs of names one document's hints compare.
const maxCompared = 20_000

// nearest is the hint "did you mean …", or another when nothing is near.
func (r *reader) nearest(name string, among []string, otherwise string) string {
	if r.compared+len(among) > maxCompared {
		return otherwise
	}
	r.compared += len(among)
	if best := edits.Nearest(name, among); best != "" {
		return "did you mean " + quote(best) + "?"
	}
	return otherwise
}
