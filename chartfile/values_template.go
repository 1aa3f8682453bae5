package chartfile

import (
	"errors"
	"strings"

	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/statechart"
)

// templatePart is a part of a text with ${…} in it.
type templatePart struct {
	text         string // literal, or the source of an expression without white space around it
	offset       int    // where it begins in the text
	isExpression bool
}

// templateError says where in a text a ${…} is wrong.
type templateError struct {
	code          statechart.Code
	offset        int
	message, hint string
}

// splitTemplate takes a text apart. White space around a single ${…} is left
// out; $${ is a plain ${.
func splitTemplate(text string) ([]templatePart, *templateError) {
	var parts []templatePart
	var literal strings.Builder
	began := 0
	flush := func(next int) {
		if literal.Len() > 0 {
			parts = append(parts, templatePart{text: literal.String(), offset: began})
			literal.Reset()
		}
		began = next
	}
	for i := 0; i < len(text); {
		switch {
		case strings.HasPrefix(text[i:], "$${"):
			literal.WriteString("${")
			i += len("$${")
		case strings.HasPrefix(text[i:], "${"):
			flush(i)
			end, err := expression.End(text, i+2)
			if err != nil {
				return nil, unclosed(err, i)
			}
			inner := text[i+2 : end]
			source := strings.TrimSpace(inner)
			if source == "" {
				return nil, &templateError{statechart.CodeExpression, i, "there is no expression in ${}", "write $${ if the characters ${ are meant"}
			}
			lead := len(inner) - len(strings.TrimLeft(inner, " \t\r\n"))
			parts = append(parts, templatePart{text: source, offset: i + 2 + lead, isExpression: true})
			i = end + 1
			began = i
		default:
			literal.WriteByte(text[i])
			i++
		}
	}
	flush(len(text))
	return trimmed(parts), nil
}

// parses reads each expression of a text on its own: put together, two wrong
// ones could make a right one.
func parses(parts []templatePart) *templateError {
	for _, p := range parts {
		if !p.isExpression {
			continue
		}
		if _, err := expression.Parse(p.text); err != nil {
			wrong := unclosed(err, 0)
			wrong.offset += p.offset
			return wrong
		}
	}
	return nil
}

// unclosed says that a ${ has no end.
func unclosed(err error, at int) *templateError {
	if e, ok := errors.AsType[*expression.Error](err); ok {
		return &templateError{e.Code, max(e.Offset, at), e.Message, e.Hint}
	}
	return &templateError{statechart.CodeExpression, at, err.Error(), ""}
}

// trimmed leaves out white space around a single ${…}.
func trimmed(parts []templatePart) []templatePart {
	var single []templatePart
	for _, p := range parts {
		if p.isExpression {
			single = append(single, p)
		} else if strings.TrimSpace(p.text) != "" {
			return parts
		}
	}
	if len(single) == 1 {
		return single
	}
	return parts
}

// templateSource is what a text with ${…} means: its literal text when
// nothing in it is an expression; the expression when it is nothing else; or
// else text(…) of all its parts.
func templateSource(parts []templatePart) (source string, isExpression bool) {
	switch {
	case len(parts) == 0:
		return "", false
	case len(parts) == 1:
		return parts[0].text, parts[0].isExpression
	}
	var b strings.Builder
	b.WriteString("text(")
	for i, p := range parts {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(p.argument())
	}
	b.WriteString(")")
	return b.String(), true
}

// argument is a part as it stands in text(…).
func (p templatePart) argument() string {
	if !p.isExpression {
		return quoteForExpression(p.text)
	}
	if strings.Contains(p.text, ";") {
		return "(" + p.text + ")"
	}
	return p.text
}

// textOffset brings an offset in what templateSource makes of the parts back
// to an offset in the text.
func textOffset(parts []templatePart, offset int) int {
	if len(parts) == 1 {
		return parts[0].offset + offset
	}
	at := len("text(")
	for _, p := range parts {
		argument := p.argument()
		if offset < at+len(argument) || offset == at+len(argument) && p.isExpression {
			if !p.isExpression {
				return p.offset
			}
			inside := offset - at - strings.Index(argument, p.text)
			return p.offset + min(max(inside, 0), len(p.text))
		}
		at += len(argument) + len(", ")
	}
	return 0
}

// quoteForExpression writes a text as the language reads it.
func quoteForExpression(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteString(`\t`)
		case c < ' ' || c == 0x7f:
			const digits = "0123456789abcdef"
			b.WriteString(`\u00`)
			b.WriteByte(digits[c>>4])
			b.WriteByte(digits[c&15])
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
