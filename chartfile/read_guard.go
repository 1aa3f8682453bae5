package chartfile

import (
	"fmt"
	"strings"

	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// guard reads a guard in any of its forms.
func (r *reader) guard(n *document.Node, s *spot) statechart.Condition {
	switch {
	case r.bad[n]:
		s.bad = true
		return statechart.Condition{}
	case n.Kind == document.String:
		return r.guardText(n, s)
	}
	s.bad = s.bad || r.flawed[n]
	var c statechart.Condition
	var forms []string
	for _, f := range r.fields(n) {
		v, at := r.part(n, s, f.Key)
		if f.Key != "params" {
			forms = append(forms, f.Key)
		}
		if v == nil {
			s.bad = true
			continue
		}
		switch f.Key {
		case "type":
			c.Name = v.Text
			r.listedIn(v, v.Text, "guards", "guard", r.file.Requires.Guards, statechart.CodeUnknownGuard)
			s.bad = s.bad || r.bad[v]
		case "params":
			c.Params, _ = r.value(v).(map[string]any)
		case "and":
			c.And = r.guards(v, s, "and")
		case "or":
			c.Or = r.guards(v, s, "or")
		case "not":
			inner := r.guard(v, at)
			c.Not = &inner
		case "in":
			c.In = v.Text
		}
	}
	if len(forms) != 1 && !r.flawed[n] {
		r.flaw(n, codeCondition, n.Start, fmt.Sprintf("a guard has one form; this has %s", count(forms)), "an expression, {type, params}, {and: […]}, {or: […]}, {not: …} or {in: path}")
		s.bad = true
	}
	return c
}

func count(forms []string) string {
	if len(forms) == 0 {
		return "none"
	}
	return strings.Join(forms, " and ")
}

func (r *reader) guards(v *document.Node, s *spot, name string) []statechart.Condition {
	out := []statechart.Condition{}
	for _, item := range v.Items {
		at := s.add(index(name, len(out)), item.Start, item)
		out = append(out, r.guard(item, at))
	}
	return out
}

// guardText reads an expression, or the name of a registered guard where
// requires lists it.
func (r *reader) guardText(n *document.Node, s *spot) statechart.Condition {
	text := strings.TrimSpace(n.Text)
	s.bare = true
	if r.required["guards"][text] {
		if r.scope.has(text) {
			r.note(codeInvalidName, n.Start, fmt.Sprintf("%s is a registered guard and a variable", quote(text)), "rename the variable, or write {type: "+text+"} or "+text+" == true")
		}
		return statechart.Condition{Name: text}
	}
	if len(text) > expression.MaxSource {
		r.refuse(n, codeLimit, n.Start, fmt.Sprintf("an expression is longer than %d bytes", expression.MaxSource), "compute it in steps, with variables between them")
		s.bad = true
		return statechart.Condition{}
	}
	if strings.Contains(text, "${") {
		if _, err := expression.Parse(text); err != nil {
			r.interpolated(n, text)
			s.bad = true
			return statechart.Condition{}
		}
	}
	return statechart.Condition{Expression: statechart.Expression(text)}
}

// interpolated refuses ${…} in an expression.
func (r *reader) interpolated(n *document.Node, text string) {
	at := strings.Index(n.Text, "${")
	hint := "write the expression alone"
	if end, err := expression.End(text, strings.Index(text, "${")+2); err == nil {
		start := strings.Index(text, "${")
		hint = "write " + quote(text[:start]+strings.TrimSpace(text[start+2:end])+text[end+1:])
	}
	r.refuse(n, CodeInterpolated, n.At(at), "an expression stands here already, without ${…}", hint)
}
