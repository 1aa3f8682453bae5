package document

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// scalarText writes a text on one line: plain where every reader of YAML takes
// it as this text, otherwise in quotes.
func scalarText(text string, inFlow bool) string {
	switch {
	case plainText(text, inFlow):
		return text
	case strings.ContainsAny(text, `"\`) && !strings.ContainsFunc(text, needsEscape) && !strings.Contains(text, "'"):
		return "'" + text + "'"
	}
	return string(appendQuoted(nil, text))
}

// keyText is scalarText for a key. The key on is known to every reader of
// state charts; others may take it for true, as they do with every chart.
// What begins with a dollar sign is easier to read as a key in quotes.
func keyText(key string, inFlow bool) string {
	if key == "on" {
		return key
	}
	if strings.HasPrefix(key, "$") && strings.Contains(key, " ") {
		return string(appendQuoted(nil, key))
	}
	return scalarText(key, inFlow)
}

// plainText reports whether text may stand without quotes.
func plainText(text string, inFlow bool) bool {
	if text == "" || !plainStart(text) || strings.HasSuffix(text, " ") || strings.HasSuffix(text, ":") ||
		strings.Contains(text, ": ") || strings.Contains(text, " #") || strings.ContainsFunc(text, needsEscape) {
		return false
	}
	if inFlow && (strings.ContainsAny(text, ",[]{}") || strings.Contains(text, "?")) {
		return false
	}
	return !otherThanText(text)
}

// plainStart reports whether a text's first character may begin a plain one.
func plainStart(text string) bool {
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case r == '.' || r == '/' || r == '$' || r == '(':
		return len(text) > size && text != "..." && !strings.HasPrefix(text, "... ")
	case r < utf8.RuneSelf:
		return r == '_' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	return true
}

// otherThanText reports whether a plain text would be something else to some
// reader of YAML 1.1 or 1.2.
func otherThanText(text string) bool {
	n := Node{Text: text}
	if n.resolve() != nil || n.Kind != String {
		return true
	}
	for _, p := range others {
		if p.MatchString(text) {
			return true
		}
	}
	return text == "=" || text == "<<"
}

// needsEscape reports whether a character can stand in double quotes only, and
// escaped: YAML asks for it, or it could not be seen and would move a
// terminal's cursor or turn the direction of what follows.
func needsEscape(r rune) bool {
	return r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' || r == '\ufeff' || r == '\ufffe' || r == '\uffff' ||
		unicode.Is(unicode.Bidi_Control, r)
}

// appendQuoted writes text in double quotes. The escapes are those that both
// formats have.
func appendQuoted(b []byte, text string) []byte {
	b = append(b, '"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r == '\r':
			b = append(b, `\r`...)
		case needsEscape(r):
			b = fmt.Appendf(b, `\u%04x`, r)
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}

// blockText reports whether text of several lines can stand below a bar as it
// is.
func blockText(text string) bool {
	if !strings.Contains(text, "\n") || white(text[0]) {
		return false
	}
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimLeft(line, " \t") == "" && line != "" {
			return false
		}
	}
	return !strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && r != '\t' && needsEscape(r) })
}

// bar is what stands before a block of text, by how the text ends.
func bar(text string) string {
	switch {
	case strings.HasSuffix(text, "\n\n"):
		return "|+"
	case strings.HasSuffix(text, "\n"):
		return "|"
	}
	return "|-"
}
