package scxml

import "strings"

// xmlText writes content as XML that stands for itself: what its prefixes
// stand for is declared in it.
func xmlText(content []piece) string {
	s := serializer{declared: map[string]string{"xml": spaceXML}}
	for _, p := range content {
		s.piece(p)
	}
	return s.String()
}

// serializer writes XML. It knows what the prefixes stand for where it is.
type serializer struct {
	strings.Builder
	declared map[string]string
	before   []declaration // to go back to, the last first
}

// declaration is what a prefix stood for.
type declaration struct{ prefix, space string }

var (
	escapeText  = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#13;")
	escapeValue = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\t", "&#9;", "\n", "&#10;", "\r", "&#13;")
)

func (s *serializer) piece(p piece) {
	if p.element == nil {
		s.WriteString(escapeText.Replace(p.text))
		return
	}
	e, outer := p.element, len(s.before)
	for i := range e.attributes {
		if prefix, ok := e.attributes[i].declares(); ok {
			s.declare(prefix, e.attributes[i].value)
		}
	}
	s.WriteString("<" + e.written())
	s.known(e.name)
	for i := range e.attributes {
		a := &e.attributes[i]
		if a.prefix != "" && a.prefix != "xmlns" {
			s.known(a.name)
		}
		s.WriteString(" " + a.written() + `="` + escapeValue.Replace(a.value) + `"`)
	}
	if len(e.content) == 0 {
		s.WriteString("/>")
	} else {
		s.WriteString(">")
		for _, p := range e.content {
			s.piece(p)
		}
		s.WriteString("</" + e.written() + ">")
	}
	for ; len(s.before) > outer; s.before = s.before[:len(s.before)-1] {
		last := s.before[len(s.before)-1]
		s.declared[last.prefix] = last.space
	}
}

func (s *serializer) declare(prefix, space string) {
	s.before = append(s.before, declaration{prefix, s.declared[prefix]})
	s.declared[prefix] = space
}

// known declares what the prefix of a name stands for, where that is not
// said.
func (s *serializer) known(n name) {
	if s.declared[n.prefix] == n.space {
		return
	}
	s.declare(n.prefix, n.space)
	attribute := "xmlns"
	if n.prefix != "" {
		attribute += ":" + n.prefix
	}
	s.WriteString(" " + attribute + `="` + escapeValue.Replace(n.space) + `"`)
}
