package scxml

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/statechart"
)

// maxBranches bounds the <elseif> of one <if>: each is nested in the one
// before it.
const maxBranches = 100

// actions reads executable content as a list of that field below s.
func (r *reader) actions(list []*element, s *spot, field string) []statechart.Action {
	var out []statechart.Action
	for _, e := range list {
		if !r.ours(e) || !slices.Contains(executable, e.local) {
			continue
		}
		at := s.add(index(field, len(out)), e, nil)
		if action, ok := r.action(e, at); ok {
			out = append(out, action)
		} else {
			at.name = "" // nothing stands there
		}
	}
	return out
}

// action reads one element. It is not ok when there is nothing to do.
func (r *reader) action(e *element, s *spot) (statechart.Action, bool) {
	if r.final && (e.local == "raise" || e.local == "send") {
		r.note(statechart.CodeNotAllowed, e, "<"+e.local+"> cannot stand in <finalize>", "it only takes over what an event brings; send from a transition")
		return statechart.Action{}, false
	}
	switch e.local {
	case "raise":
		s.mark("raise", "event")
		r.oneWord(e, e.attribute("event"))
		return statechart.Action{Raise: strings.TrimSpace(e.attributeText("event"))}, !blank(e.attributeText("event"))
	case "send":
		return r.send(e, s), true
	case "cancel":
		return r.cancel(e, s)
	case "log":
		return r.log(e, s), true
	case "assign":
		return r.assign(e, s), true
	case "script":
		return r.script(e, s)
	case "if":
		return r.choice(e, e.elements(), s), true
	}
	return r.foreach(e, s), true
}

// oneWord refuses the name of an event that is several words.
func (r *reader) oneWord(e *element, a *attribute) {
	if a != nil && len(strings.Fields(a.value)) > 1 {
		r.noteAttribute(statechart.CodeInvalidName, e, a, quote(a.value)+" is no event name", "it is one word, such as door.opened")
	}
}

func (r *reader) cancel(e *element, s *spot) (statechart.Action, bool) {
	s.mark("cancel", "sendid")
	s.mark("cancel", "sendidexpr")
	if a := e.attribute("sendidexpr"); a != nil {
		return statechart.Action{Cancel: r.expression(e, a)}, true
	}
	if blank(e.attributeText("sendid")) {
		r.note(statechart.CodeMissing, e, "<cancel> says not what to cancel", `write sendid="…"`)
		return statechart.Action{}, false
	}
	return statechart.Action{Cancel: strings.TrimSpace(e.attributeText("sendid"))}, true
}

// log reads a <log>: its label names the value.
func (r *reader) log(e *element, s *spot) statechart.Action {
	label, expr := e.attribute("label"), e.attribute("expr")
	s.mark("log", "expr")
	switch {
	case expr == nil:
		return statechart.Action{Log: e.attributeText("label")}
	case !r.values():
		message := "the null data model has no values to log"
		r.warn(chartfile.CodeDataModel, e, expr.at, message+", so it fails when it is executed", valuesHint)
		return statechart.Action{Fail: message}
	case label == nil || label.value == "":
		return statechart.Action{Log: r.expression(e, expr)}
	}
	return statechart.Action{Log: map[string]any{label.value: r.expression(e, expr)}}
}

func (r *reader) assign(e *element, s *spot) statechart.Action {
	if !r.values() {
		r.note(chartfile.CodeDataModel, e, "the null data model has nothing to assign to", valuesHint)
		return statechart.Action{Log: ""}
	}
	a := e.attribute("location")
	if a == nil {
		return statechart.Action{Log: ""}
	}
	location := r.locationText(e, a)
	s.mark("assign."+location, "expr")
	return statechart.Action{Assign: []statechart.Variable{{Name: location, Value: r.exprOrContent(e)}}}
}

// exprOrContent reads the value of an element: its attribute expr, or what
// stands in it.
func (r *reader) exprOrContent(e *element) any {
	a := e.attribute("expr")
	filled := len(e.elements()) > 0 || !blank(e.words())
	switch {
	case a != nil && filled:
		r.noteAttribute(statechart.CodeNotAllowed, e, a, "<"+e.local+"> has both expr and content", "keep one of the two")
		return nil
	case a != nil:
		return r.expression(e, a)
	}
	return r.inline(e)
}

// script reads a <script>: the text in it, or the file that it names.
func (r *reader) script(e *element, s *spot) (statechart.Action, bool) {
	if !r.scripts {
		r.note(chartfile.CodeDataModel, e, "the "+r.doc.DataModel+" data model has no scripts", "write <assign>, or take a data model that has them, such as ecmascript")
		return statechart.Action{}, false
	}
	text, src := e.words(), e.attribute("src")
	if src != nil {
		if !blank(text) {
			r.noteAttribute(statechart.CodeNotAllowed, e, src, "<script> has both src and content", "keep one of the two")
			return statechart.Action{}, false
		}
		var ok bool
		if text, ok = r.textFile(e, src); !ok {
			return statechart.Action{}, false
		}
	}
	s.add("script", e, nil)
	r.doc.sources = append(r.doc.sources, sourceText{isScript, text, e, nil, 0})
	return statechart.Action{Script: text}, !blank(text)
}

// choice reads the content of an <if>: what stands before the first <elseif>
// or <else> is done when cond holds, the rest is the alternative.
func (r *reader) choice(e *element, content []*element, s *spot) statechart.Action {
	guard := statechart.Condition{}
	if a := e.attribute("cond"); a != nil {
		s.mark("if", "cond")
		guard = r.condition(e, a)
	}
	action := statechart.Action{If: &guard}
	for i, c := range content {
		if !r.ours(c) || c.local != "elseif" && c.local != "else" {
			continue
		}
		action.Then = r.actions(content[:i], s, "then")
		rest := content[i+1:]
		if c.local == "else" {
			r.afterElse(rest)
			action.Else = r.actions(rest, s, "else")
			return action
		}
		if r.branches++; r.branches > maxBranches {
			r.note(statechart.CodeLimit, c, fmt.Sprintf("an <if> has more than %d branches", maxBranches), "part it, or look the case up in a list")
			return action
		}
		action.Else = []statechart.Action{r.choice(c, rest, s.add("else[0]", c, nil))}
		r.branches--
		return action
	}
	action.Then = r.actions(content, s, "then")
	return action
}

// afterElse refuses branches behind the last.
func (r *reader) afterElse(rest []*element) {
	for _, c := range rest {
		if r.ours(c) && c.local == "elseif" {
			r.note(statechart.CodeNotAllowed, c, "<elseif> stands behind <else>", "write it before <else>, which is the last branch")
		}
	}
}

// variable is what a variable may be called.
var variable = regexp.MustCompile(`^[\pL_$][\pL\pN_$]*$`)

// system are the variables that nobody may write.
var system = []string{"_event", "_sessionid", "_name", "_ioprocessors", "_x"}

// foreach reads a <foreach>. Variables that nobody declares it declares.
func (r *reader) foreach(e *element, s *spot) statechart.Action {
	action := statechart.Action{As: strings.TrimSpace(e.attributeText("item")), Index: strings.TrimSpace(e.attributeText("index"))}
	if !r.values() {
		r.note(chartfile.CodeDataModel, e, "the null data model has no lists to go through", valuesHint)
		return statechart.Action{Log: ""}
	}
	s.mark("foreach", "array")
	s.mark("as", "item")
	s.mark("index", "index")
	action.Foreach = statechart.Expression("")
	if a := e.attribute("array"); a != nil {
		action.Foreach = r.expression(e, a)
	}
	declared := len(r.declared)
	action.Then = r.actions(e.elements(), s, "then")
	for _, name := range []string{"item", "index"} {
		a := e.attribute(name)
		if a == nil || blank(a.value) {
			continue
		}
		text := strings.TrimSpace(a.value)
		if !variable.MatchString(text) || slices.Contains(system, text) {
			message := quote(text) + " is no variable that foreach can write"
			r.warn(statechart.CodeInvalidName, e, a.at, message+", so it fails when it is executed", "write the name of one")
			r.undeclare(declared)
			return statechart.Action{Fail: message}
		}
		r.declare(text)
	}
	return action
}

// undeclare forgets the variables of a loop that is left out.
func (r *reader) undeclare(from int) {
	for _, name := range r.declared[from:] {
		delete(r.data, name)
	}
	r.declared = r.declared[:from]
}

// declare sees that there is a variable.
func (r *reader) declare(name string) {
	if r.data[name] == nil {
		r.data[name] = r.root
		r.declared = append(r.declared, name)
	}
}
