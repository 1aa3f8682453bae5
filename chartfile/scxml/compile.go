package scxml

import (
	"errors"
	"slices"
	"strings"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/statechart"
)

// Compile makes the chart. The registry is given the language of the
// document's data model, so each document needs one of its own; a nil one
// stands for that of [chartfile.Behaviour]. The diagnostics are all there are:
// what [Read] found and what the compiler adds, for the document and for
// those that it invokes, which are charts of their own and are compiled by
// their own Compile. The chart is nil when one of them is an error.
func (d *Document) Compile(registry *statechart.Registry) (*statechart.Chart, chartfile.Diagnostics) {
	chart, found := d.compile(registry)
	if len(d.Children) > 0 {
		for _, c := range d.everyChild() {
			_, more := c.compile(nil)
			found = append(found, more...)
		}
	}
	found = inOrder(d.files, found)
	if found.Errors() {
		chart = nil
	}
	return chart, found
}

// everyChild lists the children but the document itself, by id.
func (d *Document) everyChild() []*Document {
	var out []*Document
	for _, c := range d.Children {
		if c != d {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b *Document) int { return strings.Compare(a.Definition.ID, b.Definition.ID) })
	return out
}

// compile compiles one document without those that it invokes.
func (d *Document) compile(registry *statechart.Registry) (*statechart.Chart, chartfile.Diagnostics) {
	found := slices.Clone(d.found)
	refused := found.Errors()
	if registry == nil {
		registry = chartfile.Behaviour()
	}
	failing := map[failure]error{}
	registry.Language(lenient(d.language, failing))
	chart, err := statechart.Compile(d.Definition, registry)
	found = append(found, d.warnings(failing)...)
	list, _ := errors.AsType[statechart.Errors](err)
	for _, e := range list {
		if !refused || e.Code == statechart.CodeTargets { // the others may follow from what was read
			found = append(found, d.diagnose(e))
		}
	}
	return chart, found
}

// diagnose brings an error of the compiler to its place in the document.
func (d *Document) diagnose(e *statechart.Error) chartfile.Diagnostic {
	s := d.top.find(e.Path)
	if s.element == nil {
		s = s.kids[0]
	}
	at := s.element.at
	if s.attribute != nil {
		at = s.attribute.at
	}
	out := diagnosticAt(s.element.source, at)
	out.Code, out.Message, out.Hint = e.Code, e.Message, e.Hint
	if out.Hint == "" {
		out.Hint = "detent explain " + string(e.Code) + " says more"
	}
	return out
}

// warnings says which expressions, locations and scripts do not compile, each
// where it stands: they fail when they are executed.
func (d *Document) warnings(failing map[failure]error) chartfile.Diagnostics {
	var out chartfile.Diagnostics
	for i := range d.sources {
		s := &d.sources[i]
		err := failing[failure{s.kind, s.text}]
		if err == nil {
			continue
		}
		at, message, hint, code := s.element.at, err.Error(), "", statechart.CodeExpression
		if s.attribute != nil {
			at = s.attribute.offset(s.skipped)
		}
		if e, ok := errors.AsType[*expression.Error](err); ok {
			message, hint, code = e.Message, e.Hint, e.Code
			if s.attribute != nil {
				at = s.attribute.offset(s.skipped + e.Offset)
			}
		}
		w := diagnosticAt(s.element.source, at)
		w.Code, w.Severity = code, chartfile.Warning
		w.Message, _, _ = strings.Cut(message, "\n")
		w.Message += ", so it fails when it is executed"
		if w.Hint = hint; hint == "" {
			w.Hint = d.languageHint(code)
		}
		out = append(out, w)
		if len(out) > maxDiagnostics {
			break
		}
	}
	return out
}

// languageHint helps with an expression where its language does not.
func (d *Document) languageHint(code statechart.Code) string {
	switch {
	case code == statechart.CodeUnknownName:
		return `declare it with <data id="…"/>, or correct the name`
	case d.DataModel == modelDetent:
		return "the language is that of docs/expressions.md"
	}
	return "the language is that of the data model " + d.DataModel
}
