package scxml

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/internal/strictjson"
	"github.com/detent-run/detent/statechart"
)

// surveyData notes the variables that a document declares, wherever they
// stand: there is one scope.
func (r *reader) surveyData(e *element) {
	for _, c := range r.children(e, append([]string{"datamodel"}, stateNames...)...) {
		if c.local != "datamodel" {
			r.surveyData(c)
			continue
		}
		for _, d := range r.children(c, "data") {
			if id := strings.TrimSpace(d.attributeText("id")); id != "" && r.data[id] == nil {
				r.data[id] = d
			}
		}
	}
}

// datamodel reads the variables of a state.
func (r *reader) datamodel(e *element, s *spot, st *statechart.State) {
	for _, d := range r.children(e, "data") {
		if !r.values() {
			r.note(chartfile.CodeDataModel, d, "the null data model has no variables", valuesHint)
			return
		}
		a := d.attribute("id")
		if a == nil || blank(a.value) {
			continue
		}
		id := strings.TrimSpace(a.value)
		first := r.data[id]
		switch {
		case first != d:
			line, _ := first.source.place(first.at)
			r.noteAttribute(statechart.CodeDuplicate, d, a, fmt.Sprintf("the variable %s is declared twice, first in line %d", quote(id), line), "all variables share one scope: choose another name")
			continue
		case slices.Contains(system, id):
			r.noteAttribute(statechart.CodeReserved, d, a, quote(id)+" is a variable of the system", "choose a name that does not begin with _")
			continue
		case strings.HasPrefix(id, "_"):
			r.warn(statechart.CodeReserved, d, a.at, "names that begin with _ are kept for the system, such as "+quote(id), "choose another name")
		case strings.ContainsAny(id, " \t\r\n"):
			r.noteAttribute(statechart.CodeInvalidName, d, a, quote(id)+" is no id", "an id is one word")
			continue
		}
		s.add(index("context", len(st.Context)), d, nil)
		s.add("context."+id, d, d.attribute("expr"))
		st.Context = append(st.Context, statechart.Variable{Name: id, Value: r.dataValue(d)})
	}
}

// dataValue reads the first value of a variable.
func (r *reader) dataValue(d *element) any {
	src := d.attribute("src")
	if src == nil {
		return r.exprOrContent(d)
	}
	if len(d.elements()) > 0 || !blank(d.words()) {
		r.noteAttribute(statechart.CodeNotAllowed, d, src, "<data> has both src and content", "keep one of the two")
		return nil
	}
	text, ok := r.textFile(d, src)
	if !ok {
		return nil
	}
	return r.plain(d, src.at, text)
}

// inline reads what stands in an element: XML as text, or what text stands
// for.
func (r *reader) inline(e *element) any {
	if len(e.elements()) > 0 {
		return strings.TrimSpace(xmlText(e.content))
	}
	at := e.at
	if len(e.content) > 0 {
		at = e.content[0].at
	}
	return r.plain(e, at, e.words())
}

// plain is what a text stands for: JSON where it is that, XML as it is, other
// text with its white space normalised; nil for none.
func (r *reader) plain(e *element, at int, text string) any {
	text = strings.Trim(text, " \t\r\n")
	if text == "" || strings.HasPrefix(text, "<") {
		if text == "" {
			return nil
		}
		return text
	}
	value, err := strictjson.Decode([]byte(text), strictjson.Limits{Depth: maxDepth, Values: 100_000})
	if err == nil {
		return value
	}
	bad, _ := errors.AsType[*strictjson.Error](err)
	switch {
	case bad != nil && bad.Reason != strictjson.Syntax:
		r.noteAt(e.source, statechart.CodeInvalid, at, "the content of <"+e.local+"> is JSON that cannot be kept: "+bad.Message, "correct it, or write it as text in quotes")
		return nil
	case text[0] == '{' || text[0] == '[':
		r.warn(statechart.CodeInvalid, e, at, "the content of <"+e.local+"> looks like JSON and is none, so it is kept as text", "write it as JSON, with keys in double quotes, or as an expression into expr")
	}
	return strings.Join(strings.Fields(text), " ")
}
