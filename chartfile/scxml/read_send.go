package scxml

import (
	"slices"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// processorSCXML is the type of the event processor that there is.
const processorSCXML = "http://www.w3.org/TR/scxml/#SCXMLEventProcessor"

// send reads a <send>.
func (r *reader) send(e *element, s *spot) statechart.Action {
	action := statechart.Action{Send: r.either(e, s, "event", "send")}
	r.oneWord(e, e.attribute("event"))
	action.To = r.either(e, s, "target", "to")
	action.Processor = r.either(e, s, "type", "processor")
	action.Delay = r.either(e, s, "delay", "delay")
	action.Data = r.payload(e, s.add("data", e, nil))
	if a := e.attribute("id"); a != nil {
		s.mark("id", "id")
		action.ID = strings.TrimSpace(a.value)
	}
	action.IDLocation = r.location(e, s, "idlocation")
	if action.To == "#_internal" && action.Delay != nil {
		a := e.attribute("delay")
		if a == nil {
			a = e.attribute("delayexpr")
		}
		r.noteAttribute(statechart.CodeNotAllowed, e, a, "an event for #_internal has no delay", "remove the target, or the delay")
	}
	if fail := r.warnSend(e, &action); fail != "" {
		return statechart.Action{Fail: fail}
	}
	return action
}

// either reads an attribute, or the expression of its twin; nil without both.
func (r *reader) either(e *element, s *spot, name, field string) any {
	if a := e.attribute(name + "expr"); a != nil {
		s.mark(field, name+"expr")
		return r.expression(e, a)
	}
	a := e.attribute(name)
	if a == nil {
		return nil
	}
	s.mark(field, name)
	text := strings.TrimSpace(a.value)
	if text == "" {
		r.noteAttribute(statechart.CodeMissing, e, a, "the attribute "+name+" of <"+e.local+"> is empty", "write a value into it, or remove it")
		return nil
	}
	return text
}

// location reads an attribute that says where a value is stored.
func (r *reader) location(e *element, s *spot, name string) string {
	a := e.attribute(name)
	if a == nil {
		return ""
	}
	s.mark("idLocation", name)
	text := strings.TrimSpace(a.value)
	if text == "" {
		r.noteAttribute(statechart.CodeMissing, e, a, "the attribute "+name+" of <"+e.local+"> is empty", "write a value into it, or remove it")
		return ""
	}
	return r.locationText(e, a)
}

// warnSend says what of a <send> can only be wrong when it is executed. What
// it returns is the error that it is then, where the definition cannot say
// it otherwise.
func (r *reader) warnSend(e *element, action *statechart.Action) (fail string) {
	kind, fixed := action.Processor.(string)
	if known := !fixed || isProcessor(kind); !known {
		a := e.attribute("type")
		r.warn(statechart.CodeInvalid, e, a.at, "there is no event processor "+quote(kind)+", so it fails when it is executed", "that of SCXML is "+processorSCXML)
		if action.Send == nil {
			return "there is no event processor " + quote(kind)
		}
		return ""
	}
	if to, fixed := action.To.(string); fixed && !strings.HasPrefix(to, "#_") {
		a := e.attribute("target")
		r.warn(statechart.CodeInvalid, e, a.at, quote(to)+" is no target of SCXML's event processor, so it fails when it is executed", "write #_parent, #_internal, #_scxml_SESSION or #_INVOKEID")
	}
	if text, fixed := action.Delay.(string); fixed && !isTime(text) {
		a := e.attribute("delay")
		r.warn(statechart.CodeInvalid, e, a.at, quote(text)+" is no delay, so it fails when it is executed", "write 10ms, 1.5s or the like")
	}
	if action.Send == nil {
		if e.attribute("event") != nil || e.attribute("eventexpr") != nil {
			return "the event has no name" // that is said already
		}
		if r.child(e, "content") == nil && action.Processor == nil {
			r.note(statechart.CodeMissing, e, "<send> has no event", `write event="…"`)
			return "the event has no name"
		}
		r.warn(statechart.CodeMissing, e, e.at, "<send> has no event, so it fails when it is executed", `write event="…"`)
		return "the event has no name"
	}
	return ""
}

// isProcessor reports whether a type of <send> is that of SCXML.
func isProcessor(kind string) bool {
	return kind == "" || kind == "scxml" || strings.TrimSuffix(kind, "/") == processorSCXML
}

// isTime reports whether a text is a time as CSS2 writes it.
func isTime(text string) bool {
	number, ok := strings.CutSuffix(text, "ms")
	if !ok {
		if number, ok = strings.CutSuffix(text, "s"); !ok {
			return false
		}
	}
	whole, part, pointed := strings.Cut(number, ".")
	digits := func(s string) bool { return !strings.ContainsFunc(s, func(c rune) bool { return c < '0' || c > '9' }) }
	return digits(whole) && digits(part) && (!pointed || part != "") && whole+part != ""
}

// payload reads what <send>, <donedata> and <invoke> carry: the values of
// namelist and params by their names, or one content. Nil is nothing at all.
func (r *reader) payload(e *element, s *spot) any {
	content, params, names := r.child(e, "content"), r.children(e, "param"), e.attribute("namelist")
	if content != nil && e.local != "invoke" && (len(params) > 0 || names != nil) {
		other := "<param>"
		if names != nil {
			other = "a namelist"
		}
		r.note(statechart.CodeNotAllowed, content, "<"+e.local+"> has both <content> and "+other, "keep one of the two")
		return nil
	}
	if e.local == "invoke" && names != nil && len(params) > 0 {
		r.noteAttribute(statechart.CodeNotAllowed, e, names, "<invoke> has both a namelist and <param>", "write the names of the list as params too")
	}
	if content != nil && e.local != "invoke" { // there it is what is invoked
		s.element = content
		return r.exprOrContent(content)
	}
	return r.fields(e, s, names, params)
}

// fields reads the values of a namelist and of params. Those of one name
// become a list.
func (r *reader) fields(e *element, s *spot, names *attribute, params []*element) any {
	fields := map[string]any{}
	given := map[string]int{}
	add := func(name string, value any) {
		switch given[name]++; given[name] {
		case 1:
			fields[name] = value
		case 2:
			fields[name] = []any{fields[name], value}
		default:
			fields[name] = append(fields[name].([]any), value)
		}
	}
	if names != nil && r.sourceText(isExpression, e, names) != "" {
		r.doc.sources = r.doc.sources[:len(r.doc.sources)-1] // its words are
		at := 0
		for name := range strings.FieldsSeq(names.value) {
			at += strings.Index(names.value[at:], name)
			r.doc.sources = append(r.doc.sources, sourceText{isExpression, name, e, names, at})
			at += len(name)
			s.add(name, e, names)
			add(name, statechart.Expression(name))
		}
	}
	for _, p := range params {
		name := p.attributeText("name")
		s.add(name, p, nil)
		add(name, r.param(p))
	}
	if len(fields) == 0 {
		return nil
	}
	return fields
}

// param reads the value of a <param>.
func (r *reader) param(p *element) any {
	for _, name := range []string{"expr", "location"} {
		if a := p.attribute(name); a != nil {
			return r.expression(p, a)
		}
	}
	r.note(statechart.CodeMissing, p, "<param> has no value", `write expr="…" or location="…"`)
	return nil
}

// typesSCXML are the types of <invoke> that mean an SCXML session.
var typesSCXML = []string{"", "scxml", "http://www.w3.org/TR/scxml", "http://www.w3.org/TR/scxml/"}

func isSession(kind any) bool {
	text, fixed := kind.(string)
	return kind == nil || !fixed || slices.Contains(typesSCXML, text)
}
