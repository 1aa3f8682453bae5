package cli

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/detent-run/detent/chartfile"
)

// maxSourceLine is how much of a line is shown around a diagnostic, in
// characters.
const maxSourceLine = 100

// show writes diagnostics for people, each with the line that it is about:
//
//	door.yaml:7:13: error: there is no state Opne here [unknown_state]
//	    7 |     on: {OPEN: Opne}
//	      |                ^
//	  hint: did you mean Open?
func showDiagnostics(w *output, p palette, data []byte, found chartfile.Diagnostics) {
	lines := fileLines{all: bytes.Split(data, []byte("\n"))}
	for i, d := range found {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s %s %s %s\n", p.strong(place(d)+":"), p.severity(string(d.Severity))+":", plain(d.Message), p.faint("["+string(d.Code)+"]"))
		if text, ok := lines.line(d.Line); ok {
			showLine(w, p, text, d.Line, d.Column)
		}
		fmt.Fprintf(w, "  %s %s\n", p.faint("hint:"), plain(hintOf(d)))
	}
}

// hintOf is what to do about a diagnostic: what it says itself, or where more
// is said.
func hintOf(d chartfile.Diagnostic) string {
	if d.Hint != "" {
		return d.Hint
	}
	return "detent explain " + string(d.Code) + " says more"
}

// fileLines are the lines of a file, the last one asked for ready to be cut: all
// diagnostics may be about one line of a megabyte.
type fileLines struct {
	all    [][]byte
	number int
	text   []rune
}

func (l *fileLines) line(number int) ([]rune, bool) {
	if number < 1 || number > len(l.all) {
		return nil, false
	}
	if number != l.number {
		raw := bytes.TrimRight(l.all[number-1], "\r")
		l.number, l.text = number, []rune(string(bytes.ToValidUTF8(raw, []byte("?"))))
	}
	return l.text, true
}

func place(d chartfile.Diagnostic) string {
	text := plain(d.File)
	if d.Line > 0 {
		text += fmt.Sprintf(":%d:%d", d.Line, max(d.Column, 1))
	}
	return text
}

// showLine writes a line of the file with a mark under a column, which counts
// characters from 1. Of a long line the part around it is shown.
func showLine(w *output, p palette, runes []rune, number, column int) {
	at := min(max(column, 1)-1, len(runes))
	before, after := "", ""
	if from := at - maxSourceLine/2; len(runes) > maxSourceLine && from > 0 {
		runes, at, before = runes[from:], at-from, "…"
	}
	if len(runes) > maxSourceLine {
		runes, after = runes[:maxSourceLine], "…"
	}
	left := before + cells(runes[:at])
	margin := fmt.Sprintf("%5d | ", number)
	fmt.Fprintf(w, "%s%s%s%s\n", p.faint(margin), left, cells(runes[at:]), after)
	fmt.Fprintf(w, "%s%s%s\n", p.faint("      | "), strings.Repeat(" ", width(left)), p.bad("^"))
}

// cells is a piece of a line as it is shown: tabs are two blanks wide, and
// what would move the cursor is a question mark.
func cells(runes []rune) string {
	var b strings.Builder
	for _, r := range runes {
		switch {
		case r == '\t':
			b.WriteString("  ")
		case plain(string(r)) != string(r):
			b.WriteByte('?')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// diagnosticObject is one diagnostic of the contract.
func diagnosticObject(d chartfile.Diagnostic) object {
	return object{
		{"code", string(d.Code)}, {"severity", string(d.Severity)},
		{"line", d.Line}, {"column", d.Column}, {"message", d.Message}, {"hint", hintOf(d)},
	}
}

// tally counts errors and warnings.
type tally struct{ files, errors, warnings int }

func (t *tally) add(found chartfile.Diagnostics) {
	t.files++
	for _, d := range found {
		if d.Severity == "error" {
			t.errors++
		} else {
			t.warnings++
		}
	}
}

// String is the tally as a sentence: "1 error, 2 warnings in 3 files".
func (t *tally) String() string {
	if t.errors+t.warnings == 0 {
		return count(t.files, "file") + ", no errors"
	}
	var parts []string
	if t.errors > 0 {
		parts = append(parts, count(t.errors, "error"))
	}
	if t.warnings > 0 {
		parts = append(parts, count(t.warnings, "warning"))
	}
	return strings.Join(parts, ", ") + " in " + count(t.files, "file")
}

// count is a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
