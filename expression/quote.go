package expression

import (
	"fmt"
	"strings"
	"unicode"
)

// Quote writes text as a literal of the language: in single quotes, so that
// it can stand in an attribute of XML. What cannot be seen is an escape.
func Quote(text string) string {
	const mark = '\''
	var b strings.Builder
	b.WriteRune(mark)
	for _, r := range text {
		switch {
		case r == mark || r == '\\':
			b.WriteRune('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == ' ' || unicode.IsGraphic(r) && !unicode.IsSpace(r):
			b.WriteRune(r)
		case r > 0xFFFF:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteRune(mark)
	return b.String()
}
