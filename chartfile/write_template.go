package chartfile

import (
	"strconv"
	"strings"

	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// expression is "${ source }", or, of a text() that joins, the text with its
// parts in it.
func (w *writer) expression(e statechart.Expression, path string) *document.Node {
	source := strings.TrimSpace(string(e))
	if source == "" {
		return w.fail(path, "write what it computes", "an expression is empty")
	}
	// The last ends a comment.
	for _, text := range []string{joinedText(source), "${ " + source + " }", "${ " + source + "\n}"} {
		if readsAs(text, source) {
			return textNode(text)
		}
	}
	return w.fail(path, "close what it opens", "the end of the expression %q cannot be found", source)
}

// readsAs reports whether a text with ${…} in it means this expression.
func readsAs(text, source string) bool {
	if text == "" {
		return false
	}
	parts, err := splitTemplate(text)
	if err != nil {
		return false
	}
	read, is := templateSource(parts)
	return is && read == source
}

// joinedText is a text with ${…} in it that a call of text() may have come
// from, "" when none did. Whether it did is for the reader to say.
func joinedText(source string) string {
	inner, ok := strings.CutPrefix(source, "text(")
	if !ok {
		return ""
	}
	var b strings.Builder
	for inner != "" {
		end := argumentEnd(inner)
		if end < 0 {
			return ""
		}
		argument := strings.TrimSpace(inner[:end])
		if literal, err := strconv.Unquote(argument); err == nil && argument[0] == '"' {
			b.WriteString(escape(literal))
		} else {
			b.WriteString("${ " + argument + " }")
		}
		inner = inner[end+1:]
	}
	return b.String()
}

// argumentEnd finds the comma or the bracket that ends the first argument of
// a call; -1 when there is none.
func argumentEnd(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '"', '\'', '`':
			for i++; i < len(s) && s[i] != c; i++ {
				if s[i] == '\\' && c != '`' {
					i++
				}
			}
		case '(', '[', '{':
			depth++
		case ')', ']', '}', ',':
			switch {
			case depth == 0 && c == ',', depth == 0 && c == ')' && i == len(s)-1:
				return i
			case c != ',':
				depth--
			}
		}
	}
	return -1
}
