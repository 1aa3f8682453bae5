package xstate

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// width is how long a line of a module may be before it is broken.
const width = 100

// js is a part of a module: text as it stands, or something that is broken
// over lines where it is too long.
type js struct {
	text     string // as it stands; of a call the function, of an arrow its parameters
	form     form
	fields   []field // of an object
	items    []*js   // of a list; arguments of a call; the one body of an arrow
	comments []string
	broken   bool // not on one line, however short
}

type form uint8

const (
	plain form = iota
	object
	list
	call
	arrow // (text) => items[0]
	body  // (text) => { items }
)

// field is a field of an object, with comments before it.
type field struct {
	key      string
	value    *js
	comments []string
}

func raw(text string) *js              { return &js{text: text} }
func quotedText(text string) *js       { return raw(quote(text)) }
func listOf(items ...*js) *js          { return &js{form: list, items: items} }
func callOf(f string, args ...*js) *js { return &js{form: call, text: f, items: args} }

// add puts a field at the end of an object; a nil value is left out.
func (v *js) add(key string, of *js, comments ...string) {
	if of != nil {
		v.fields = append(v.fields, field{key, of, comments})
	}
}

// commented reports whether there are comments in it, which end a line.
func (v *js) commented() bool {
	if v.broken {
		return true
	}
	for _, f := range v.fields {
		if len(f.comments) > 0 || f.value.commented() {
			return true
		}
	}
	for _, item := range v.items {
		if len(item.comments) > 0 || item.commented() {
			return true
		}
	}
	return v.form == body || strings.Contains(v.text, "\n")
}

// inline is the part on one line.
func (v *js) inline() string {
	switch v.form {
	case object:
		if len(v.fields) == 0 {
			return "{}"
		}
		parts := make([]string, len(v.fields))
		for i, f := range v.fields {
			parts[i] = f.inline()
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	case list:
		return "[" + inlines(v.items) + "]"
	case call:
		return v.text + "(" + inlines(v.items) + ")"
	case arrow:
		return v.text + " => " + v.items[0].asBody(v.items[0].inline())
	}
	return v.text
}

func (f field) inline() string {
	if f.value.form == plain && f.value.text == f.key {
		return f.key
	}
	return key(f.key) + ": " + f.value.inline()
}

func inlines(items []*js) string {
	parts := make([]string, len(items))
	for i, item := range items {
		parts[i] = item.inline()
	}
	return strings.Join(parts, ", ")
}

// asBody puts an object that an arrow gives in parentheses.
func (v *js) asBody(text string) string {
	if v.form == object || strings.HasPrefix(text, "{") {
		return "(" + text + ")"
	}
	return text
}

// printer writes parts with two spaces for each level.
type printer struct {
	b strings.Builder
}

// value writes a part that begins in the given column.
func (p *printer) value(v *js, indent, column int) {
	if !v.commented() {
		if line := v.inline(); column+utf8.RuneCountInString(line) < width || v.form == plain {
			p.b.WriteString(line)
			return
		}
	}
	switch v.form {
	case object:
		p.object(v, indent)
	case list:
		p.b.WriteByte('[')
		p.lines(v.items, indent)
		p.b.WriteByte(']')
	case call:
		p.call(v, indent, column)
	case arrow:
		p.arrow(v, indent, column)
	case body:
		p.b.WriteString(v.text + " => {")
		for _, line := range v.items {
			p.comments(line.comments, indent+1)
			p.line(indent + 1)
			p.value(line, indent+1, 2*indent+2)
		}
		p.line(indent)
		p.b.WriteByte('}')
	default:
		p.b.WriteString(strings.ReplaceAll(v.text, "\n", "\n"+strings.Repeat("  ", indent)))
	}
}

func (p *printer) arrow(v *js, indent, column int) {
	p.b.WriteString(v.text + " =>")
	inner, at := v.items[0], column+utf8.RuneCountInString(v.text)+4
	switch {
	case inner.form == object:
		p.b.WriteString(" (")
		p.value(inner, indent, at+1)
		p.b.WriteByte(')')
	case inner.form == plain:
		p.line(indent + 1)
		p.b.WriteString(inner.asBody(inner.text))
	default:
		p.b.WriteByte(' ')
		p.value(inner, indent, at)
	}
}

func (p *printer) line(indent int) {
	p.b.WriteByte('\n')
	p.b.WriteString(strings.Repeat("  ", indent))
}

func (p *printer) comments(lines []string, indent int) {
	for _, text := range lines {
		p.line(indent)
		p.b.WriteString("// " + text)
	}
}

func (p *printer) object(v *js, indent int) {
	p.b.WriteByte('{')
	for _, f := range v.fields {
		p.comments(f.comments, indent+1)
		p.line(indent + 1)
		name := key(f.key) + ": "
		if f.value.form == plain && f.value.text == f.key {
			name = ""
		}
		p.b.WriteString(name)
		p.value(f.value, indent+1, 2*indent+3+utf8.RuneCountInString(name))
		p.b.WriteByte(',')
	}
	p.line(indent)
	p.b.WriteByte('}')
}

// lines writes parts one a line.
func (p *printer) lines(items []*js, indent int) {
	for _, item := range items {
		p.comments(item.comments, indent+1)
		p.line(indent + 1)
		p.value(item, indent+1, 2*indent+3)
		p.b.WriteByte(',')
	}
	p.line(indent)
}

// opens reports whether the first line of a broken part is short, so that it
// may begin beside something.
func (v *js) opens() bool {
	switch v.form {
	case object, list, body:
		return true
	case arrow:
		return v.items[0].form == object || v.items[0].form == list
	}
	return false
}

// call writes a call; where only the last argument is long, it begins on the
// line of the others.
func (p *printer) call(v *js, indent, column int) {
	p.b.WriteString(v.text + "(")
	last := len(v.items) - 1
	head, fits := "", true
	for i, item := range v.items[:max(last, 0)] {
		fits = fits && !item.commented() && len(v.items[i].comments) == 0
		head += item.inline() + ", "
	}
	at := column + len(v.text) + 1 + utf8.RuneCountInString(head)
	if last >= 0 && fits && at < width-2 && v.items[last].opens() && len(v.items[last].comments) == 0 {
		p.b.WriteString(head)
		p.value(v.items[last], indent, at)
	} else {
		p.lines(v.items, indent)
	}
	p.b.WriteByte(')')
}

var identifier = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

// key is a name as the key of an object. A quoted __proto__ would be no field.
func key(name string) string {
	switch {
	case name == "__proto__":
		return "['__proto__']"
	case identifier.MatchString(name), regexp.MustCompile(`^(0|[1-9][0-9]{0,14})$`).MatchString(name):
		return name
	}
	return quote(name)
}

// quote is a text as JavaScript writes it.
func quote(s string) string {
	mark := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		mark = '"'
	}
	var b strings.Builder
	b.WriteByte(mark)
	for _, r := range s {
		switch {
		case r == rune(mark) || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r == 0x7f || r == 0x2028 || r == 0x2029 || r == 0xfeff:
			b.WriteString(`\u` + strconv.FormatInt(int64(r)+0x10000, 16)[1:])
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte(mark)
	return b.String()
}

// oneLine is a text for a comment or a name.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0x2028 || r == 0x2029 {
			return ' '
		}
		return r
	}, strings.Join(strings.Fields(s), " "))
}
