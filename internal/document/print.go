package document

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// width is how long a line with brackets may be, in characters.
const width = 80

// longestKey is how long a key may be to stand before its colon.
const longestKey = 900

// printer writes YAML in blocks. With comments it puts each where it stood.
type printer struct {
	out      []byte
	comments comments
	open     int // how much was written when the last block was opened
}

func (p *printer) root(n *Node) {
	p.comments.before(p, n.first(), 0)
	switch {
	case n.Kind == Object && len(n.Fields) > 0:
		p.object(n, 0, endless)
	case n.Kind == List && len(n.Items) > 0:
		p.list(n, 0, endless)
	default:
		p.leaf(n, 0)
		p.endLine(n)
	}
	p.comments.before(p, endless, 0)
}

// endless is an offset behind every comment.
const endless = int(^uint(0) >> 1)

// first is where what n holds begins in its file.
func (n *Node) first() int {
	if n.source == nil {
		return 0
	}
	return n.Start.Offset
}

func (p *printer) write(text string) { p.out = append(p.out, text...) }

func (p *printer) newline() { p.out = append(p.out, '\n') }

// column is where the next character comes, from 0.
func (p *printer) column() int {
	recent := p.out[max(0, len(p.out)-8*width):] // more than fits is more than fits
	return utf8.RuneCount(recent[bytes.LastIndexByte(recent, '\n')+1:])
}

// object writes the fields of n from the start of a line on, or behind the
// dash of an item. After is where what follows n begins in its file.
func (p *printer) object(n *Node, indent, after int) {
	for i, f := range n.Fields {
		if i > 0 {
			p.comments.before(p, f.KeyStart.Offset, indent)
			p.write(spaces(indent))
		}
		next := after
		if i+1 < len(n.Fields) {
			next = n.Fields[i+1].KeyStart.Offset
		}
		key := keyText(f.Key, false)
		if len(key) > longestKey {
			p.write("? " + key + "\n" + spaces(indent))
			key = ""
		}
		p.write(key + ":")
		p.value(f.Value, indent, next, false)
	}
	p.comments.below(p, n, indent, after)
}

func (p *printer) list(n *Node, indent, after int) {
	for i, item := range n.Items {
		if i > 0 {
			p.comments.before(p, item.first(), indent)
			p.write(spaces(indent))
		}
		next := after
		if i+1 < len(n.Items) {
			next = n.Items[i+1].first()
		}
		p.write("-")
		p.value(item, indent, next, true)
	}
	p.comments.below(p, n, indent, after)
}

// value writes what stands behind a colon or a dash, up to the line break.
func (p *printer) value(n *Node, indent, after int, item bool) {
	if n.Blank {
		p.comments.trailing(p, n)
		p.newline()
		return
	}
	if len(n.Items) == 0 && len(n.Fields) == 0 || p.inBrackets(n) {
		p.write(" ")
		p.leaf(n, indent)
		p.endLine(n)
		return
	}
	indent += 2
	if item && !p.comments.startsWithOne(n) {
		p.write(" ")
	} else {
		p.comments.opening(p, n)
		p.newline()
		p.open = len(p.out)
		p.comments.before(p, n.firstChild(), indent)
		p.write(spaces(indent))
	}
	if n.Kind == Object {
		p.object(n, indent, after)
	} else {
		p.list(n, indent, after)
	}
}

// endLine ends the line of a leaf, unless it was text of several lines.
func (p *printer) endLine(n *Node) {
	if p.out[len(p.out)-1] != '\n' {
		p.comments.trailing(p, n)
		p.newline()
	}
}

func (n *Node) firstChild() int {
	if n.Kind == Object {
		return n.Fields[0].KeyStart.Offset
	}
	return n.Items[0].first()
}

// leaf writes what needs no lines of its own; below a bar it ends with a line
// break.
func (p *printer) leaf(n *Node, indent int) {
	if n.Kind == String && blockText(n.Text) {
		p.block(n, indent)
		return
	}
	p.write(n.inline(false))
}

// block writes text of several lines.
func (p *printer) block(n *Node, indent int) {
	p.write(bar(n.Text))
	p.comments.trailing(p, n)
	p.newline()
	for line := range strings.SplitSeq(strings.TrimSuffix(n.Text, "\n"), "\n") {
		if line != "" {
			p.write(spaces(indent+2) + line)
		}
		p.newline()
	}
	if strings.HasSuffix(n.Text, "\n\n") {
		p.open = len(p.out) // a further empty line would be the text's
	}
}

// inBrackets reports whether n is written in brackets here.
func (p *printer) inBrackets(n *Node) bool {
	if !n.wantsBrackets() || p.comments.inside(n) || !n.short(width) {
		return false
	}
	return p.column()+1+utf8.RuneCountInString(n.inline(false)) <= width
}

// wantsBrackets reports whether n is to be in brackets: because its author had
// it so, or because it is small and never had an author who wrote YAML.
func (n *Node) wantsBrackets() bool {
	if n.Flow || n.source != nil && n.source.yaml {
		return n.Flow
	}
	for _, c := range n.children() {
		if len(c.Items) > 0 || len(c.Fields) > 0 {
			return false
		}
	}
	return true
}

func (n *Node) children() []*Node {
	if n.Kind == List {
		return n.Items
	}
	list := make([]*Node, len(n.Fields))
	for i, f := range n.Fields {
		list[i] = f.Value
	}
	return list
}

// short reports whether n could be written within so many characters, without
// writing it: most objects are far from it.
func (n *Node) short(room int) bool { return n.least(room) <= room }

// least is fewer characters than n takes, or more than room.
func (n *Node) least(room int) int {
	size := 0
	if n.Kind == String {
		if strings.Contains(n.Text, "\n") {
			return room + 1 // several lines have no place in brackets
		}
		size = utf8.RuneCountInString(n.Text)
	}
	for i := 0; i < len(n.Items) && size <= room; i++ {
		size += 2 + n.Items[i].least(room)
	}
	for i := 0; i < len(n.Fields) && size <= room; i++ {
		size += 2 + utf8.RuneCountInString(n.Fields[i].Key) + n.Fields[i].Value.least(room)
	}
	return size
}

// inline writes n on one line; in brackets text needs quotes more often.
func (n *Node) inline(inFlow bool) string {
	var b strings.Builder
	switch n.Kind {
	case String:
		return scalarText(n.Text, inFlow)
	case List:
		b.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(item.inline(true))
		}
		b.WriteByte(']')
	case Object:
		b.WriteByte('{')
		for i, f := range n.Fields {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(keyText(f.Key, true) + ": " + f.Value.inline(true))
		}
		b.WriteByte('}')
	default:
		return n.literal(YAML)
	}
	return b.String()
}
