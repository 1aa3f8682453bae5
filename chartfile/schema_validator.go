package chartfile

import (
	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// schemaLanguage checks inputs and payloads by JSON Schema, draft 2020-12. It
// is our own so that a check does bounded work, names the place in the value,
// says the same each time, and never fetches anything.
type schemaLanguage struct{}

var _ statechart.SchemaLanguage = schemaLanguage{}

// Version names the language; it is part of a chart's digest.
func (schemaLanguage) Version() string { return "json-schema/2020-12/1" }

// Compile checks a schema and returns its check.
func (schemaLanguage) Compile(v any) (statechart.Check, error) {
	s, wrong := compileSchema(v)
	if wrong != nil {
		return nil, wrong
	}
	return func(value any) error {
		c := schemaCheck{work: maxCheckWork}
		if m := c.check(s, value, ""); m != nil {
			return m
		}
		return nil
	}, nil
}

// checkSchema checks a schema that the core does not see.
func (r *reader) checkSchema(n *document.Node) {
	_, wrong := compileSchema(n.Value())
	if wrong == nil {
		return
	}
	r.refuse(n, statechart.CodeSchema, schemaPlace(n, n.Start, wrong.path), wrong.message, wrong.hint)
}

// schemaPlace follows a path in a schema to its place in the file.
func schemaPlace(n *document.Node, at document.Position, path []string) document.Position {
	for _, step := range path {
		next, where, _ := stepData(n, step)
		if n.Kind == document.List {
			next, where, _ = stepData(n, "["+step+"]")
		}
		if next == nil {
			return at
		}
		n, at = next, where
	}
	return at
}
