package document

import (
	"bytes"
	"strings"
)

// comment is one comment of a file.
type comment struct {
	text   string // with its #
	at     Position
	alone  bool // on a line of its own
	spaced bool // an empty line stands before it
}

// comments are those of a file that are still to be written, in its order.
// Without a source there are none.
type comments struct {
	source *source
	list   []comment
}

// readComments finds the comments of a document: what follows a # that stands
// outside of text, at the start of a line or behind white space.
func (s *source) readComments(root *Node) comments {
	c := comments{source: s}
	at := 0
	s.scalars(root, func(from, to int, block bool) {
		c.between(at, from)
		if block { // the line of the bar may have one
			end := from + lineLength(s.data[from:])
			c.between(from, end)
		}
		at = max(at, to)
	})
	c.between(at, len(s.data))
	return c
}

// scalars calls found with the span of each key and value, in the order of the
// file.
func (s *source) scalars(n *Node, found func(from, to int, block bool)) {
	for _, item := range n.Items {
		s.scalars(item, found)
	}
	for _, f := range n.Fields {
		found(f.KeyStart.Offset, f.keyEnd, false)
		s.scalars(f.Value, found)
	}
	if n.Kind != List && n.Kind != Object {
		found(n.Start.Offset, n.End.Offset, n.style == literal || n.style == folded)
	}
}

func (c *comments) between(from, to int) {
	data := c.source.data
	for i := from; i < to; i++ {
		if data[i] != '#' || i > 0 && !white(data[i-1]) {
			continue
		}
		end := i + lineLength(data[i:])
		start := bytes.LastIndexAny(data[:i], "\r\n") + 1
		found := comment{
			text: strings.TrimRight(string(data[i:end]), " \t"),
			at:   c.source.position(i),
		}
		found.alone = len(bytes.TrimSpace(data[start:i])) == 0
		found.spaced = found.alone && c.source.emptyLineBefore(start)
		c.list = append(c.list, found)
		i = end
	}
}

// emptyLineBefore reports whether the line before the one that holds a place
// is empty.
func (s *source) emptyLineBefore(at int) bool {
	start := bytes.LastIndexAny(s.data[:at], "\r\n") + 1
	before := bytes.TrimRight(s.data[:start], " \t\r\n")
	return len(before) > 0 && bytes.Count(s.data[len(before):start], []byte("\n")) > 1
}

// beginsLine reports whether nothing stands before a place on its line but the
// dashes of items.
func (s *source) beginsLine(at int) bool {
	if at >= len(s.data) {
		return false
	}
	for at > 0 && strings.IndexByte(" \t-?", s.data[at-1]) >= 0 {
		at--
	}
	return at == 0 || s.data[at-1] == '\n' || s.data[at-1] == '\r'
}

// before writes, each on its line, the comments that stand before a place in
// the file, and an empty line where one stood.
func (c *comments) before(p *printer, offset, indent int) {
	if c.source == nil {
		return
	}
	for len(c.list) > 0 && c.list[0].at.Offset < offset {
		c.line(p, indent)
	}
	if c.source.beginsLine(offset) && c.source.emptyLineBefore(offset) && !p.opened() {
		p.newline()
	}
}

// line writes the next comment on a line of its own.
func (c *comments) line(p *printer, indent int) {
	if c.list[0].spaced && !p.opened() {
		p.newline()
	}
	p.write(spaces(indent) + c.list[0].text + "\n")
	c.list = c.list[1:]
}

// opened reports whether nothing was written yet, or nothing of the block that
// the last line opens: no empty line goes there.
func (p *printer) opened() bool { return len(p.out) == p.open }

// trailing writes the comment that stands on the line where n ends.
func (c *comments) trailing(p *printer, n *Node) {
	line := n.End.Line
	if n.style == literal || n.style == folded {
		line = n.Start.Line
	}
	c.behind(p, line)
}

// opening writes the comment that stands on the line before those of n.
func (c *comments) opening(p *printer, n *Node) {
	if len(c.list) > 0 && !c.list[0].alone && c.list[0].at.Offset < n.firstChild() {
		c.behind(p, c.list[0].at.Line)
	}
}

func (c *comments) behind(p *printer, line int) {
	if len(c.list) > 0 && !c.list[0].alone && c.list[0].at.Line == line {
		p.write(" " + c.list[0].text)
		c.list = c.list[1:]
	}
}

// startsWithOne reports whether a comment stands before the first child of n.
func (c *comments) startsWithOne(n *Node) bool {
	return len(c.list) > 0 && c.list[0].at.Offset < n.firstChild()
}

// inside reports whether a comment stands within n.
func (c *comments) inside(n *Node) bool {
	for _, next := range c.list {
		if next.at.Offset >= n.End.Offset {
			return false
		}
		if next.at.Offset > n.Start.Offset {
			return true
		}
	}
	return false
}

// below writes the comments that follow the last child of n and are indented
// as its children are.
func (c *comments) below(p *printer, n *Node, indent, after int) {
	if c.source == nil || n.Flow {
		return
	}
	column := c.source.position(n.firstChild()).Column
	if n.Kind == List { // the dash
		column = max(1, column-2)
	}
	for indent > 0 && len(c.list) > 0 && c.list[0].alone && c.list[0].at.Offset < after && c.list[0].at.Column >= column {
		c.line(p, indent)
	}
}
