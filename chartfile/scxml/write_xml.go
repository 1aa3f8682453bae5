package scxml

import (
	"strings"
)

// tag is an element that is written. Its attributes stand in the order in
// which they were added.
type tag struct {
	name       string
	comment    string // stands before it
	attributes [][2]string
	children   []*tag
	text       string // instead of children
	script     bool   // the text is a program
}

// add appends a new child.
func (t *tag) add(name string) *tag {
	kid := &tag{name: name}
	t.children = append(t.children, kid)
	return kid
}

// set adds an attribute.
func (t *tag) set(name, value string) { t.attributes = append(t.attributes, [2]string{name, value}) }

// levels is how deep elements are nested, with this one.
func (t *tag) levels() int {
	most := 0
	for _, c := range t.children {
		most = max(most, c.levels())
	}
	return most + 1
}

// render writes a document.
func (t *tag) render() string {
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
	t.write(&b, "")
	return b.String()
}

func (t *tag) write(b *strings.Builder, indent string) {
	if t.comment != "" {
		writeComment(b, indent, t.comment)
	}
	b.WriteString(indent + "<" + t.name)
	for _, a := range t.attributes {
		b.WriteString(" " + a[0] + "=" + writtenValue(a[1]))
	}
	switch {
	case t.text != "":
		b.WriteString(">" + t.writtenText() + "</" + t.name + ">\n")
	case len(t.children) == 0:
		b.WriteString("/>\n")
	default:
		b.WriteString(">\n")
		for _, c := range t.children {
			c.write(b, indent+"  ")
		}
		b.WriteString(indent + "</" + t.name + ">\n")
	}
}

// escapeAttribute leaves a > alone, which is read in a comparison.
var escapeAttribute = strings.NewReplacer("&", "&amp;", "<", "&lt;", "\t", "&#9;", "\n", "&#10;", "\r", "&#13;")

// writtenValue is a value in the quotes that it does not hold itself.
func writtenValue(value string) string {
	value = escapeAttribute.Replace(value)
	if strings.Contains(value, `"`) && !strings.Contains(value, "'") {
		return "'" + value + "'"
	}
	return `"` + strings.ReplaceAll(value, `"`, "&quot;") + `"`
}

// writtenText escapes text; a program with signs of XML in it is kept as it
// is where that can be.
func (t *tag) writtenText() string {
	if t.script && strings.ContainsAny(t.text, "<&") && !strings.Contains(t.text, "]]>") && !strings.Contains(t.text, "\r") {
		return "<![CDATA[" + t.text + "]]>"
	}
	return escapeText.Replace(t.text)
}

// writeComment writes what people read. Two hyphens cannot stand in a comment,
// so they become a dash.
func writeComment(b *strings.Builder, indent, text string) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "--", "—"))
	lines := strings.Split(strings.ReplaceAll(text, "\r", "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t")
	}
	text = strings.Join(lines, "\n"+indent+"     ")
	b.WriteString(indent + "<!-- " + text + " -->\n")
}

// written reports whether a text can stand in XML.
func written(text string) bool {
	return strings.ToValidUTF8(text, "") == text && !strings.ContainsFunc(text, func(r rune) bool { return !isCharacter(r) })
}
