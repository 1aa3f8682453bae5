package transcript

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/detent-run/detent/statechart"
)

// CodeTranscript is the code of everything that is wrong with a transcript
// itself, or with a step that cannot be done. An outcome that differs from
// the expected one is no error but a [Difference].
const CodeTranscript statechart.Code = "bad_transcript"

// maxSize is the largest transcript, in bytes: what a person may still read.
const maxSize = 1 << 20

// maxErrors is how many bad lines are listed.
const maxErrors = 20

// Parse reads a transcript. The name stands in messages. The error is a
// [statechart.Errors] with every bad line, to a bound, each with name and
// line as its path.
func Parse(name string, text []byte) (*Script, error) {
	p := &parser{script: &Script{Name: name}}
	switch {
	case len(text) > maxSize:
		p.fail(0, fmt.Sprintf("a transcript is longer than %d bytes", maxSize), "split it by what each part pins down")
	case !utf8.Valid(text):
		p.fail(1+strings.Count(string(validPrefix(text)), "\n"), "text that is not UTF-8", "")
	default:
		p.lines(string(text))
	}
	if len(p.errors) > 0 {
		return nil, p.errors
	}
	return p.script, nil
}

func validPrefix(text []byte) []byte {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return text[:i]
		}
		i += size
	}
	return text
}

// parser collects steps line by line.
type parser struct {
	script *Script
	above  []string // comments and blank lines since the last step
	remark bool     // there is a comment among them
	errors statechart.Errors
}

func (p *parser) fail(line int, message, hint string) {
	path := p.script.Name
	if line > 0 {
		path = fmt.Sprintf("%s:%d", path, line)
	}
	if len(p.errors) < maxErrors {
		p.errors = append(p.errors, &statechart.Error{Code: CodeTranscript, Path: path, Message: message, Hint: hint})
	}
}

func (p *parser) lines(text string) {
	lines := strings.Split(strings.TrimRight(text, " \t\r\n"), "\n")
	for i, raw := range lines {
		line := strings.TrimRight(raw, " \t\r")
		word := strings.TrimLeft(line, " \t")
		switch {
		case word == "" || word[0] == '#':
			p.above = append(p.above, line)
			p.remark = p.remark || word != ""
		case len(word) < len(line):
			p.expected(i+1, line)
		default:
			p.step(i+1, line)
		}
	}
	p.script.tail = p.above
	switch {
	case len(p.script.Steps) == 0 && len(p.errors) == 0:
		p.fail(0, "a transcript without a step", "begin with a head of # lines, then: start")
	case len(p.script.Steps) > 0 && p.script.Head() == "":
		p.fail(1, "the transcript does not say what it pins down", "begin with a line such as: # Pins down that …")
	}
}

// expected adds a line to what the last step expects. Blank lines before it
// are dropped.
func (p *parser) expected(n int, line string) {
	steps := p.script.Steps
	switch {
	case len(steps) == 0 && len(p.errors) == 0:
		p.fail(n, "an expected line before the first step", "steps begin in the first column")
	case p.remark && len(steps) > 0:
		p.fail(n, "an expected line after a comment", "comments stand before a step")
	case len(steps) > 0:
		last := &steps[len(steps)-1]
		last.Want = append(last.Want, line)
		p.above = nil
	}
}

func (p *parser) step(n int, line string) {
	step, problem := parseStep(line)
	if problem != nil {
		p.fail(n, problem.Message, problem.Hint)
	}
	step.Line, step.Text, step.above = n, line, p.above
	if len(p.script.Steps) == 0 {
		p.script.head, step.above = splitHead(p.above)
	}
	p.above, p.remark = nil, false
	p.script.Steps = append(p.script.Steps, step)
}

// splitHead parts the first block of comments from what belongs to the first
// step. Blank lines before it are dropped.
func splitHead(lines []string) (head, above []string) {
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	for i, l := range lines {
		if l == "" {
			return lines[:i], lines[i:]
		}
	}
	return lines, nil
}
