package chartfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// Severity says how much a [Diagnostic] weighs.
type Severity string

// The severities. A file with an error is not a chart; a warning stands in
// nobody's way.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Codes of what can be wrong with a file before it is a definition. The codes
// of the statechart package stand beside them.
const (
	CodeSyntax       statechart.Code = "syntax"          // not the YAML or JSON that it should be
	CodeEncoding     statechart.Code = "encoding"        // not UTF-8, or with characters that are refused
	CodeDuplicateKey statechart.Code = "duplicate_key"   // a key that stands twice in one object
	CodeYAML         statechart.Code = "yaml_feature"    // anchors, aliases, merge keys, tags, several documents
	CodeTooLarge     statechart.Code = "too_large"       // the document is over a bound
	CodeKey          statechart.Code = "bad_key"         // a key that is no text
	CodeNumber       statechart.Code = "number_range"    // a number that fits neither 64-bit kind
	CodeEmpty        statechart.Code = "empty"           // nothing in the file
	CodeUnreadable   statechart.Code = "unreadable_file" // no file, or none that may be read; said by command lines
	CodeUnknownKey   statechart.Code = "unknown_key"     // a key that the format does not have there
	CodeWrongType    statechart.Code = "wrong_type"      // a list where text is wanted, and the like
	CodeBlank        statechart.Code = "blank_value"     // nothing, or null, where something is wanted
	CodeUnexpanded   statechart.Code = "unexpanded"      // a text that reads like an expression
	CodeInterpolated statechart.Code = "interpolated"    // ${…} where nothing is evaluated, or where everything is
)

// Diagnostic is one thing that is wrong with a file, with its place.
type Diagnostic struct {
	// Code is stable.
	Code statechart.Code `json:"code"`
	// Severity is error or warning.
	Severity Severity `json:"severity"`
	// File is the name that the file was read under.
	File string `json:"file"`
	// Line counts from 1. Column counts characters from 1.
	Line   int `json:"line"`
	Column int `json:"column"`
	// Message is one sentence.
	Message string `json:"message"`
	// Hint says what to do.
	Hint string `json:"hint,omitempty"`
}

// String returns the diagnostic in one line:
// file:line:column: message (hint) [code].
func (d Diagnostic) String() string {
	hint, severity := "", ""
	if d.Hint != "" {
		hint = " (" + d.Hint + ")"
	}
	if d.Severity == Warning {
		severity = "warning: "
	}
	return fmt.Sprintf("%s:%d:%d: %s%s%s [%s]", d.File, d.Line, d.Column, severity, d.Message, hint, d.Code)
}

// Diagnostics is what is wrong with a file, in the order of the file.
type Diagnostics []Diagnostic

// Error returns the diagnostics, one a line.
func (ds Diagnostics) Error() string {
	lines := make([]string, len(ds))
	for i, d := range ds {
		lines[i] = d.String()
	}
	return strings.Join(lines, "\n")
}

// Errors reports whether one of them is an error.
func (ds Diagnostics) Errors() bool {
	return slices.ContainsFunc(ds, func(d Diagnostic) bool { return d.Severity == Error })
}

// Err returns the diagnostics as an error, or nil when all are warnings.
func (ds Diagnostics) Err() error {
	if !ds.Errors() {
		return nil
	}
	return ds
}

// inOrder sorts by place, drops what is said twice and sees that each has a
// hint.
func (ds Diagnostics) inOrder() Diagnostics {
	for i := range ds {
		ds[i] = ds[i].withHint()
	}
	slices.SortStableFunc(ds, func(a, b Diagnostic) int {
		return cmp.Or(a.Line-b.Line, a.Column-b.Column)
	})
	return slices.CompactFunc(ds, func(a, b Diagnostic) bool {
		return a.Line == b.Line && a.Column == b.Column && a.Code == b.Code && a.Message == b.Message
	})
}
