package scxml

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/statechart"
)

// maxDiagnostics bounds what is said about one document.
const maxDiagnostics = 1_000

// diagnosticAt is a diagnostic that says nothing yet.
func diagnosticAt(s *source, at int) chartfile.Diagnostic {
	line, column := s.place(at)
	return chartfile.Diagnostic{Severity: chartfile.Error, File: s.file, Line: line, Column: column}
}

// add notes a diagnostic; past the bound, that there are more.
func (r *reader) add(d chartfile.Diagnostic) {
	switch n := len(r.doc.found); {
	case n > maxDiagnostics:
		return
	case n == maxDiagnostics:
		d.Code, d.Severity, d.Hint = statechart.CodeLimit, chartfile.Error, "correct some of them first"
		d.Message = fmt.Sprintf("more than %d things are wrong; the rest is not listed", maxDiagnostics)
	}
	r.doc.found = append(r.doc.found, d)
}

func (r *reader) noteAt(s *source, code statechart.Code, at int, message, hint string) {
	if r.full() {
		return
	}
	d := diagnosticAt(s, at)
	d.Code, d.Message, d.Hint = code, message, hint
	r.add(d)
}

// full reports that no more is listed: what would be said need not be found.
func (r *reader) full() bool { return len(r.doc.found) > maxDiagnostics }

// note says what is wrong with an element.
func (r *reader) note(code statechart.Code, e *element, message, hint string) {
	r.noteAt(e.source, code, e.at, message, hint)
}

// noteAttribute says what is wrong with an attribute.
func (r *reader) noteAttribute(code statechart.Code, e *element, a *attribute, message, hint string) {
	r.noteAt(e.source, code, a.at, message, hint)
}

// warn says what is legal and hardly meant.
func (r *reader) warn(code statechart.Code, e *element, at int, message, hint string) {
	d := diagnosticAt(e.source, at)
	d.Code, d.Severity, d.Message, d.Hint = code, chartfile.Warning, message, hint
	r.add(d)
}

// inOrder sorts by place, one file after the other as they were met, and
// drops what is said twice.
func inOrder(files []string, found chartfile.Diagnostics) chartfile.Diagnostics {
	order := map[string]int{}
	for i, f := range files {
		order[f] = i
	}
	for _, d := range found { // in files that are no documents
		if _, met := order[d.File]; !met {
			order[d.File] = len(order)
		}
	}
	slices.SortStableFunc(found, func(a, b chartfile.Diagnostic) int {
		return cmp.Or(order[a.File]-order[b.File], a.Line-b.Line, a.Column-b.Column)
	})
	return slices.Compact(found)
}
