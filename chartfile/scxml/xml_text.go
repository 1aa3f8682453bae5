package scxml

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/detent-run/detent/chartfile"
)

// readable checks what holds for every byte of a document: its length, its
// encoding and its characters.
func (p *parser) readable() bool {
	if len(p.source.text) > maxBytes {
		p.stop(chartfile.CodeTooLarge, 0, fmt.Sprintf("the document has more than %d bytes", maxBytes), "part the chart, or move data out of it")
		return false
	}
	if strings.HasPrefix(p.source.text, "\xFE\xFF") || strings.HasPrefix(p.source.text, "\xFF\xFE") {
		p.stop(chartfile.CodeEncoding, 0, "the document is UTF-16", "save it as UTF-8")
		return false
	}
	if i := strings.IndexByte(p.source.text, 0); i >= 0 {
		p.stop(chartfile.CodeEncoding, i, "the document holds a NUL character", "save it as UTF-8, without that character")
		return false
	}
	for i, r := range p.source.text {
		if isCharacter(r) && (r != utf8.RuneError || strings.HasPrefix(p.source.text[i:], string(utf8.RuneError))) {
			continue
		}
		if r == utf8.RuneError {
			p.stop(chartfile.CodeEncoding, i, "the document is not UTF-8 here", "save it as UTF-8")
		} else {
			p.stop(chartfile.CodeEncoding, i, fmt.Sprintf("the character U+%04X cannot stand in XML", r), "remove it")
		}
		return false
	}
	return true
}

// isCharacter reports whether XML 1.0 allows a character.
func isCharacter(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || r >= 0x20 && r <= 0xD7FF || r >= 0xE000 && r <= 0xFFFD || r >= 0x10000 && r <= utf8.MaxRune
}

var declarations = regexp.MustCompile(`^<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*("[^"<&]*"|'[^'<&]*')` +
	`(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*("[^"<&]*"|'[^'<&]*'))?` +
	`(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*("[^"<&]*"|'[^'<&]*'))?[ \t\r\n]*\?>`)

// declaration takes <?xml … ?> at the very beginning.
func (p *parser) declaration() {
	if !p.sees("<?xml") || len(p.rest()) > 5 && !isSpace(p.rest()[5]) {
		return
	}
	parts := declarations.FindStringSubmatchIndex(p.source.text)
	if parts == nil {
		p.syntax(0, "the XML declaration cannot be read", `write <?xml version="1.0" encoding="UTF-8"?>, or nothing`)
		return
	}
	part := func(i int) (text string, at int) {
		if parts[2*i] < 0 {
			return "", 0
		}
		return p.source.text[parts[2*i]+1 : parts[2*i+1]-1], parts[2*i] + 1
	}
	if version, at := part(1); version != "1.0" {
		p.stop(chartfile.CodeXML, at, "XML of version "+quote(version)+" is not read", `write version="1.0"`)
	}
	if encoding, at := part(2); at > 0 && !strings.EqualFold(encoding, "UTF-8") {
		p.stop(chartfile.CodeEncoding, at, "the document says that its encoding is "+quote(encoding), "save it as UTF-8 and say so, or say nothing")
	}
	if standalone, at := part(3); at > 0 && standalone != "yes" && standalone != "no" {
		p.syntax(at, "standalone is yes or no, not "+quote(standalone), "remove it")
	}
	p.at = parts[1]
}

// lineEnds writes all ends of lines as \n.
func lineEnds(text string) string {
	if strings.IndexByte(text, '\r') < 0 {
		return text
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

var spaces = strings.NewReplacer("\t", " ", "\n", " ")

// expand replaces the references in a text, and, in the value of an
// attribute, white space by spaces.
func (p *parser) expand(at int, text string, attribute bool) string {
	whole := text
	var b strings.Builder
	for {
		plain, rest, found := strings.Cut(text, "&")
		plain = lineEnds(plain)
		if attribute {
			plain = spaces.Replace(plain)
		}
		if !found && b.Len() == 0 {
			return plain
		}
		b.WriteString(plain)
		if !found {
			return b.String()
		}
		offset := at + len(whole) - len(rest) - 1
		entity, after, closed := strings.Cut(rest, ";")
		if !closed || strings.ContainsAny(entity, " \t\r\n&<>\"'") {
			p.syntax(offset, "the sign & stands alone", "write &amp;")
			return b.String()
		}
		b.WriteString(p.entity(offset, entity))
		text = after
	}
}

// entity returns what a reference stands for.
func (p *parser) entity(at int, entity string) string {
	text := reference(entity)
	switch {
	case text != "":
	case strings.HasPrefix(entity, "#"):
		p.syntax(at, "&"+entity+"; stands for no character", "a character is written &#NUMBER; or &#xNUMBER; with hexadecimal digits")
	case nameLength(entity) != len(entity) || entity == "":
		p.syntax(at, "the sign & stands alone", "write &amp;")
	default:
		p.note(chartfile.CodeXML, at, "the entity &"+entity+"; is not known", "there are &lt; &gt; &amp; &quot; &apos; and &#NUMBER;: write the character itself")
	}
	return text
}

var entities = map[string]string{"lt": "<", "gt": ">", "amp": "&", "quot": `"`, "apos": "'"}

// reference returns what stands for a reference without & and ;, or "".
func reference(entity string) string {
	digits, numeric := strings.CutPrefix(entity, "#")
	if !numeric {
		return entities[entity]
	}
	base := 10
	if hex, ok := strings.CutPrefix(digits, "x"); ok {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil || !isCharacter(rune(n)) || n > utf8.MaxRune {
		return ""
	}
	return string(rune(n))
}

// nameLength is how many bytes at the start of a text are a name.
func nameLength(text string) int {
	for i, r := range text {
		if !isNameStart(r) && (i == 0 || !isNamePart(r)) {
			return i
		}
	}
	return len(text)
}

// nameStarts are the ranges of characters beyond ASCII that may begin a name.
var nameStarts = [][2]rune{
	{0xC0, 0xD6}, {0xD8, 0xF6}, {0xF8, 0x2FF}, {0x370, 0x37D}, {0x37F, 0x1FFF}, {0x200C, 0x200D}, {0x2070, 0x218F},
	{0x2C00, 0x2FEF}, {0x3001, 0xD7FF}, {0xF900, 0xFDCF}, {0xFDF0, 0xFFFD}, {0x10000, 0xEFFFF},
}

func isNameStart(r rune) bool {
	if r < 0x80 {
		return r == ':' || r == '_' || r|0x20 >= 'a' && r|0x20 <= 'z'
	}
	for _, in := range nameStarts {
		if r >= in[0] && r <= in[1] {
			return true
		}
	}
	return false
}

func isNamePart(r rune) bool {
	return r == '-' || r == '.' || r >= '0' && r <= '9' || r == 0xB7 || r >= 0x300 && r <= 0x36F || r == 0x203F || r == 0x2040
}

// firstCharacter is the first character of a text.
func firstCharacter(text string) string {
	for _, r := range text {
		return string(r)
	}
	return ""
}

// quote shows a text of the author in a message, shortened when it is long.
func quote(s string) string {
	const most = 60
	if len(s) > 4*most {
		s = strings.ToValidUTF8(s[:4*most], "") // what is cut below anyway
	}
	if r := []rune(s); len(r) > most {
		s = string(r[:most-1]) + "…"
	}
	return strconv.Quote(s)
}
