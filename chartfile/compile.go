package chartfile

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// Compile makes the chart. The registry begins as [Behaviour] and has what
// the file requires added to it. A nil registry stands for [Behaviour] with
// stand-ins for everything that the file requires, which is enough to check
// it and to draw it. The diagnostics are all of the file's: what [Read] found
// and what the compiler adds, in the order of the file. The chart is nil when
// one of them is an error.
func (f *File) Compile(registry *statechart.Registry) (*statechart.Chart, Diagnostics) {
	if registry == nil {
		registry = f.standIns()
	}
	found := slices.Clone(f.found)
	chart, err := statechart.Compile(f.Definition, registry)
	list, _ := errors.AsType[statechart.Errors](err)
	for _, e := range list {
		if d, ok := f.diagnose(e); ok {
			found = append(found, d)
		}
	}
	found = found.inOrder()
	if found.Errors() {
		chart = nil
	}
	return chart, found
}

// Place finds where a part of the chart stands in the file, by a path of the
// compiler such as root.states.a.invoke[0], or the nearest that is known above
// it. Line and column are counted from 1.
func (f *File) Place(path string) (line, column int) {
	_, _, at, _ := f.top.find(path)
	return at.Line, at.Column
}

// Load reads a file and compiles it. The error is [Diagnostics].
func Load(name string, data []byte, registry *statechart.Registry) (*statechart.Chart, error) {
	f, found := Read(name, data)
	if f == nil {
		return nil, found.Err()
	}
	chart, found := f.Compile(registry)
	return chart, found.Err()
}

// Check lists everything that is wrong with a file, with stand-ins for what
// it requires.
func Check(name string, data []byte) Diagnostics {
	f, found := Read(name, data)
	if f == nil {
		return found
	}
	_, found = f.Compile(nil)
	return found
}

// diagnose brings an error of the compiler to its place in the file. It is
// not ok when the error only follows from one that the reader found.
func (f *File) diagnose(e *statechart.Error) (Diagnostic, bool) {
	near, node, at, exact := f.top.find(e.Path)
	if f.follows(e, near, node) {
		return Diagnostic{}, false
	}
	if e.Path == "" {
		at = f.top.node.End // of the whole file: it is said last
	}
	d := Diagnostic{Code: e.Code, Severity: Error, File: f.Name, Message: e.Message, Hint: e.Hint}
	if cause, ok := errors.AsType[*expression.Error](e.Cause); ok {
		if f.isDelay(near, node) {
			return Diagnostic{}, false // it is said where the delay is declared
		}
		at = expressionPlace(near, node, at, cause.Offset)
		d.Message, d.Hint = cause.Message, cause.Hint
		if near.bare && node != nil && e.Code == statechart.CodeUnknownName {
			d.Hint = f.guardHint(strings.TrimSpace(node.Text), cause.Offset, d.Hint)
		}
	} else if cause, ok := errors.AsType[*schemaError](e.Cause); ok {
		if f.troubled(node) {
			return Diagnostic{}, false
		}
		at = schemaPlace(node, at, cause.path)
		d.Message, d.Hint = cause.message, cause.hint
	} else if name := near.eventName(e.Code); exact && name != nil {
		at = name.at
	} else if item := namedItem(node, e.Message); item != nil {
		at = item.Start
	}
	if hint := f.initialHint(e); hint != "" {
		d.Hint = hint
	}
	if name, _, _ := strings.Cut(e.Message, " "); e.Hint == "did you mean "+name+"?" {
		d.Hint = "it is a constant; what is assigned is declared in context"
	}
	d.Line, d.Column = at.Line, at.Column
	already := !strings.HasSuffix(e.Message, "needs an initial") && slices.ContainsFunc(f.found, func(o Diagnostic) bool {
		return o.Severity == Error && o.Line == d.Line && o.Column == d.Column
	})
	return d, !already
}

// follows reports whether an error is there because of another, which the
// reader found.
func (f *File) follows(e *statechart.Error, near *spot, node *document.Node) bool {
	return near.bad || f.bad[node] || f.excused(e) || f.unlisted(e, near, node) ||
		e.Code == statechart.CodeNotAllowed && near.up != nil && near.up.kindless ||
		f.lostNames && e.Code == statechart.CodeUnknownName
}

// excused reports whether an error may only be there because a state could
// not be read: it names that state, stands in it, or names an id that may be
// its own.
func (f *File) excused(e *statechart.Error) bool {
	if e.Code != statechart.CodeUnknownState && e.Code != statechart.CodeTargets {
		return false
	}
	segments := strings.FieldsFunc(e.Path+" "+e.Message, func(c rune) bool { return strings.ContainsRune(`".#`, c) || unicode.IsSpace(c) })
	if slices.ContainsFunc(segments, func(name string) bool {
		return f.lostStates[name] || f.lostKinds[name] && e.Code == statechart.CodeTargets
	}) {
		return true
	}
	_, id, byID := strings.Cut(e.Message, `"#`)
	end := strings.IndexAny(id, `".`)
	return byID && end >= 0 && id[:end] != f.Definition.ID && (len(f.lostStates) > 0 || f.Definition.ID == "")
}

// unlisted reports whether an error may only be there because a list of
// requires could not be read.
func (f *File) unlisted(e *statechart.Error, near *spot, node *document.Node) bool {
	switch e.Code {
	case statechart.CodeUnknownGuard:
		return f.lostListed["guards"]
	case statechart.CodeUnknownAction:
		return f.lostListed["actions"]
	case statechart.CodeUnknownSource:
		return f.lostListed["performers"]
	case statechart.CodeUnknownName:
		return f.lostListed["guards"] && near.bare && node != nil && isWord(strings.TrimSpace(node.Text))
	}
	return false
}

// isWord reports whether a text is one name.
func isWord(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}

// troubled reports whether the document has a problem within a node: what is
// wrong with it follows from that.
func (f *File) troubled(n *document.Node) bool {
	if n == nil {
		return false
	}
	i, _ := slices.BinarySearch(f.problems, n.Start.Offset)
	return i < len(f.problems) && f.problems[i] < n.End.Offset
}

// isDelay reports whether the name of a delay stands at a place.
func (f *File) isDelay(near *spot, node *document.Node) bool {
	return slices.ContainsFunc(f.Definition.Delays, func(d statechart.Variable) bool {
		return near.key != nil && near.key.text == d.Name || !near.bare && node != nil && node.Kind == document.String && node.Text == d.Name
	})
}

// expressionPlace finds an offset of an expression in the file.
func expressionPlace(near *spot, node *document.Node, at document.Position, offset int) document.Position {
	switch {
	case near.key != nil:
		if parts, err := splitTemplate(near.key.text); err == nil {
			at = near.key.at(textOffset(parts, offset))
		}
	case node == nil || node.Kind != document.String:
	case near.bare:
		lead := len(node.Text) - len(strings.TrimLeft(node.Text, " \t\r\n"))
		return node.At(lead + offset)
	default:
		if parts, err := splitTemplate(node.Text); err == nil && len(parts) > 0 {
			return node.At(textOffset(parts, offset))
		}
	}
	return at
}

// guardHint helps with a word in a guard that is no variable: it may be meant
// as the name of a guard that Go code registers.
func (f *File) guardHint(guard string, offset int, otherwise string) string {
	rest := guard[min(max(offset, 0), len(guard)):]
	end := strings.IndexFunc(rest, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	if end < 0 {
		end = len(rest)
	}
	word := rest[:end]
	switch {
	case slices.Contains(f.Requires.Guards, word):
		return fmt.Sprintf("it is a registered guard: combine it with others as {not: %s} or {and: [%s, …]}", word, word)
	case otherwise != "" || word != guard:
		return otherwise
	}
	if hint := nearest(word, f.Requires.Guards); hint != "" {
		return hint
	}
	return "a guard that Go code registers is listed: requires: {guards: [" + word + "]}"
}

// eventName is the spot of the event's name in a raise or send that the
// compiler refuses for its name.
func (s *spot) eventName(code statechart.Code) *spot {
	if code != statechart.CodeReserved && code != statechart.CodeInvalidName {
		return nil
	}
	for _, kid := range s.kids {
		if kid.name == "raise" || kid.name == "send" {
			return kid
		}
	}
	return nil
}

// namedItem finds the entry of a list that a message quotes.
func namedItem(n *document.Node, message string) *document.Node {
	if n == nil || n.Kind != document.List {
		return nil
	}
	for _, item := range n.Items {
		if item.Kind == document.String && strings.Contains(message, strconv.Quote(item.Text)) {
			return item
		}
	}
	return nil
}
