package chartfile

import (
	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// Format returns a chart file in the canonical layout: the same content, keys
// in the order of their author, comments where they stood, two spaces for a
// step, what is small in one line. Formatting twice is formatting once. JSON
// stays JSON, and YAML stays YAML; what a file is, [Read] says.
//
// A file that is no document is not formatted: the diagnostics say why, and
// the result is nil. Whether it is a chart is not asked, so that a chart can
// be formatted while it is being written.
func Format(name string, data []byte) ([]byte, Diagnostics) {
	text, problems := document.Reformat(data, document.FormatOf(name, data), document.Limits{Bytes: maxBytes, Depth: maxDepth, Nodes: maxNodes})
	var found Diagnostics
	for _, p := range problems {
		found = append(found, Diagnostic{Code: statechart.Code(p.Code), Severity: Error, File: name,
			Line: p.Start.Line, Column: p.Start.Column, Message: p.Message, Hint: p.Hint})
	}
	if len(found) > 0 {
		return nil, found.inOrder()
	}
	return text, nil
}
