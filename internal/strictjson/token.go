package strictjson

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// word reads null, true or false.
func (p *parser) word() (Node, *Error) {
	n := Node{Offset: p.at}
	for _, w := range [...]struct {
		text  string
		kind  Kind
		value bool
	}{{"null", Null, false}, {"true", Bool, true}, {"false", Bool, false}} {
		if p.bare() == w.text {
			p.at += len(w.text)
			n.Kind, n.Bool, n.End = w.kind, w.value, p.at
			return n, nil
		}
	}
	if p.at == len(p.data) {
		return n, problem(Syntax, p.at, "a value is missing at the end", "")
	}
	return n, p.unexpected("a value is missing before", "")
}

// bare returns the run of letters, digits and signs that begins here.
func (p *parser) bare() string {
	rest := p.data[p.at:]
	i := 0
	for i < len(rest) && (rest[i] >= utf8.RuneSelf || rest[i] == '_' || rest[i] == '$' || rest[i] == '.' || rest[i] == '+' || rest[i] == '-' ||
		'0' <= rest[i] && rest[i] <= '9' || 'a' <= rest[i]|0x20 && rest[i]|0x20 <= 'z') {
		i++
	}
	return string(rest[:i])
}

// number reads a number as it is written; its size is [Node.Value]'s matter.
func (p *parser) number() (Node, *Error) {
	start := p.at
	bad := func(message, hint string) (Node, *Error) {
		return Node{}, problem(Syntax, start, message, hint)
	}
	if p.peek() == '-' {
		p.at++
	}
	first := p.at
	if p.digits() == 0 {
		return bad("a digit is missing after the minus sign", "")
	}
	if p.data[first] == '0' && p.at > first+1 {
		return bad(fmt.Sprintf("the number %s begins with a zero", p.data[start:p.at]), "write it without, or as text in double quotes")
	}
	if p.peek() == '.' {
		p.at++
		if p.digits() == 0 {
			return bad("a digit is missing after the decimal point", "")
		}
	}
	if p.peek()|0x20 == 'e' {
		p.at++
		if c := p.peek(); c == '+' || c == '-' {
			p.at++
		}
		if p.digits() == 0 {
			return bad("a digit is missing in the exponent", "")
		}
	}
	if rest := p.bare(); rest != "" {
		return bad(fmt.Sprintf("%s is no number", quote(string(p.data[start:p.at])+rest)), "text stands in double quotes")
	}
	return Node{Kind: Number, Offset: start, End: p.at, Text: string(p.data[start:p.at])}, nil
}

func (p *parser) digits() int {
	start := p.at
	for c := p.peek(); '0' <= c && c <= '9'; c = p.peek() {
		p.at++
	}
	return p.at - start
}

// text reads a string. Most have no escapes and are copied as they stand.
func (p *parser) text() (string, *Error) {
	start := p.at
	p.at++
	for from := p.at; ; p.at++ {
		switch c := p.peek(); {
		case c == '"':
			p.at++
			return string(p.data[from : p.at-1]), nil
		case c == '\\':
			return p.escaped(start)
		case c < ' ':
			return "", p.control(start)
		}
	}
}

// escaped reads a string that has escapes, from the first of them.
func (p *parser) escaped(start int) (string, *Error) {
	out := append(make([]byte, 0, 2*(p.at-start)+16), p.data[start+1:p.at]...)
	for {
		switch c := p.peek(); {
		case c == '"':
			p.at++
			return string(out), nil
		case c == '\\':
			r, err := p.escape()
			if err != nil {
				return "", err
			}
			out = utf8.AppendRune(out, r)
		case c < ' ':
			return "", p.control(start)
		default:
			out = append(out, c)
			p.at++
		}
	}
}

// control says what is wrong with a character that no string may hold as it
// is, which may be the end of the document.
func (p *parser) control(start int) *Error {
	if p.at == len(p.data) {
		return problem(Syntax, start, "the text that begins here is not closed", `a closing " is missing`)
	}
	switch c := p.data[p.at]; c {
	case '\n', '\r':
		return problem(Syntax, p.at, "the line ends inside a text", `a closing " is missing, or the line break is to be written \n`)
	case '\t':
		return problem(Syntax, p.at, "a tab stands inside a text", `write it \t`)
	default:
		return problem(Syntax, p.at, fmt.Sprintf("the control character 0x%02x stands inside a text", c), fmt.Sprintf(`write it \u%04x`, c))
	}
}

const simpleEscapes = `"\/bfnrt`

// escape reads one escape; two of them make one character outside the plane
// of 16 bits.
func (p *parser) escape() (rune, *Error) {
	start := p.at
	p.at++
	c := p.peek()
	if i := strings.IndexByte(simpleEscapes, c); c != 0 && i >= 0 {
		p.at++
		return rune("\"\\/\b\f\n\r\t"[i]), nil
	}
	if c != 'u' {
		if p.at == len(p.data) {
			return 0, problem(Syntax, start, "the document ends inside a text", `a closing " is missing`)
		}
		r, _ := utf8.DecodeRune(p.data[p.at:])
		return 0, problem(Syntax, start, fmt.Sprintf("there is no escape \\%c", r), `a backslash is written \\`)
	}
	p.at++
	r, ok := p.hex()
	if !ok {
		return 0, problem(Syntax, start, `four hexadecimal digits are missing after \u`, "")
	}
	if r == 0 {
		return utf8.RuneError, p.pass(problem(Encoding, start, `the text holds a NUL character`, "no text of a chart may"))
	}
	if !utf16.IsSurrogate(r) {
		return r, nil
	}
	if end := p.at; bytes.HasPrefix(p.data[p.at:], []byte(`\u`)) {
		p.at += 2
		if low, ok := p.hex(); ok {
			if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
				return both, nil
			}
		}
		p.at = end
	}
	return utf8.RuneError, p.pass(problem(Encoding, start, fmt.Sprintf(`\u%04x is half of a pair and no character`, r), "the other half is missing or in the wrong place"))
}

func (p *parser) hex() (rune, bool) {
	r := rune(0)
	for range 4 {
		c := p.peek()
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
		p.at++
	}
	return r, true
}

// unexpected says what is wrong before what stands here, and guesses what was
// meant.
func (p *parser) unexpected(missing, hint string) *Error {
	rest := p.data[p.at:]
	if word := p.bare(); word != "" {
		switch lower := strings.ToLower(word); {
		case lower == "true" || lower == "false" || lower == "null":
			hint = "it is written " + lower
		case lower == "none" || lower == "nil" || lower == "undefined":
			hint = "it is written null"
		case lower == "nan" || strings.TrimLeft(lower, "+-") == "infinity":
			hint = "JSON has no such number"
		case hint == "" && (word[0] == '+' || word[0] == '.'):
			hint = "a number begins with a digit or a minus sign"
		case hint == "" && (word[0] < '0' || word[0] > '9'):
			hint = "text stands in double quotes"
		}
		return problem(Syntax, p.at, missing+" "+quote(word), hint)
	}
	r, _ := utf8.DecodeRune(rest)
	switch {
	case r == '\'' || r == '`':
		hint = "text stands in double quotes"
	case bytes.HasPrefix(rest, []byte("//")), bytes.HasPrefix(rest, []byte("/*")), r == '#':
		hint = "JSON has no comments"
	}
	what := quote(string(r))
	if r == '"' || r == '\'' {
		what = "the quote"
	}
	return problem(Syntax, p.at, missing+" "+what, hint)
}
