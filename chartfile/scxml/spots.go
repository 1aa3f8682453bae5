package scxml

import (
	"strconv"
	"strings"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/statechart"
)

// spot is a place of the definition, named as the compiler names places, and
// what it was read from.
type spot struct {
	name      string // the way here from the spot above: "on[0]", "states.closed"
	element   *element
	attribute *attribute // nil: the element
	kids      []*spot
}

// add makes a spot below s.
func (s *spot) add(name string, e *element, a *attribute) *spot {
	kid := &spot{name: name, element: e, attribute: a}
	s.kids = append(s.kids, kid)
	return kid
}

// mark makes a spot for an attribute of the element of s, if it is there.
func (s *spot) mark(name, attribute string) {
	if a := s.element.attribute(attribute); a != nil {
		s.add(name, s.element, a)
	}
}

// index is the name of an entry of a list.
func index(name string, i int) string { return name + "[" + strconv.Itoa(i) + "]" }

// find follows a path of the compiler as far as it is known.
func (s *spot) find(path string) *spot {
	for path != "" {
		var next *spot
		rest := ""
		for _, k := range s.kids {
			if after, ok := cutSegment(path, k.name); ok && (next == nil || len(k.name) > len(next.name)) {
				next, rest = k, after
			}
		}
		if next == nil {
			break
		}
		s, path = next, rest
	}
	return s
}

// cutSegment cuts a segment off the front of a path.
func cutSegment(path, segment string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(path, segment)
	switch {
	case !ok || segment == "":
		return "", false
	case rest == "" || rest[0] == '[':
		return rest, true
	case rest[0] == '.':
		return rest[1:], true
	}
	return "", false
}

// position is [Details.Position].
func (d *Document) position(place string) (Position, bool) {
	if d.top == nil {
		return Position{}, false
	}
	s := d.top.find(place)
	if s.element == nil {
		return Position{}, false
	}
	line, column := s.element.source.place(s.element.at)
	return Position{Element: s.element.local, Line: line, Column: column}, true
}

// sourceText is an expression, a location or a script, and where it stands.
type sourceText struct {
	kind      sourceKind
	text      string
	element   *element
	attribute *attribute // nil: the element's text
	skipped   int        // bytes of the attribute before the text
}

type sourceKind uint8

const (
	isExpression sourceKind = iota
	isCondition
	isLocation
	isScript
)

// expression reads an attribute as an expression.
func (r *reader) expression(e *element, a *attribute) statechart.Expression {
	return statechart.Expression(r.sourceText(isExpression, e, a))
}

// sourceText notes an attribute as a text of the data model's language, which
// there must be.
func (r *reader) sourceText(kind sourceKind, e *element, a *attribute) string {
	if !r.values() {
		r.noteAttribute(chartfile.CodeDataModel, e, a, "the null data model has no values: "+a.local+" of <"+e.local+"> means nothing", valuesHint)
		return ""
	}
	text := a.value
	if text == "" {
		text = " " // an expression that is wrong, not one that is missing
	}
	r.doc.sources = append(r.doc.sources, sourceText{kind, text, e, a, 0})
	return text
}

// locationText is sourceText for a location, which is trimmed.
func (r *reader) locationText(e *element, a *attribute) string {
	if r.sourceText(isLocation, e, a) == "" {
		return ""
	}
	text := strings.TrimSpace(a.value)
	last := &r.doc.sources[len(r.doc.sources)-1]
	last.text, last.skipped = text, strings.Index(a.value, text)
	return text
}

const valuesHint = `name a data model: <scxml datamodel="detent">`
