package chartfile

import (
	"strings"

	"github.com/detent-run/detent/statechart"
)

// rootScope is what can be read everywhere in a definition.
func rootScope(d *statechart.Definition) *scope {
	return (&scope{}).inside(d.Constants).inside(d.Root.Context)
}

// inside is the scope in which more variables are declared.
func (s *scope) inside(variables []statechart.Variable) *scope {
	if len(variables) == 0 {
		return s
	}
	names := make(map[string]bool, len(variables))
	for _, v := range variables {
		names[v.Name] = true
	}
	return &scope{s, names}
}

// with is the scope of a foreach's body.
func (s *scope) with(names ...string) *scope {
	inner := &scope{up: s, names: map[string]bool{}}
	for _, name := range names {
		if name != "" {
			inner.names[name] = true
		}
	}
	return inner
}

// refuses reports whether a reader would take the text for an expression
// that somebody forgot to mark.
func (s *scope) refuses(text string) bool {
	return !strings.Contains(text, "${") && readsAsExpression(text, s)
}
