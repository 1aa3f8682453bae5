package strictjson

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"
)

// Parse reads one document. The error is an *[Error]; bytes that are no UTF-8
// come before all others.
func Parse(data []byte, l Limits) (*Node, error) {
	n, errs := parse(data, l, true)
	if len(errs) > 0 {
		return nil, errs[0]
	}
	return n, nil
}

// ParseAll is [Parse] for those who show every problem at once: keys that
// stand twice and escapes of what no text may hold do not end it. The node has
// such keys as often as they stand, and U+FFFD for such escapes. It is nil if
// the document is refused for another reason, which is then the last of the
// errors.
func ParseAll(data []byte, l Limits) (*Node, []*Error) {
	return parse(data, l, false)
}

func parse(data []byte, l Limits, first bool) (*Node, []*Error) {
	p := parser{data: data, limits: l, depth: l.depth(), first: first, index: NewIndex(data)}
	if err := unreadable(data, l); err != nil {
		return nil, []*Error{err.placed(p.index)}
	}
	n, err := p.document()
	for _, e := range p.passed {
		e.placed(p.index)
	}
	slices.SortFunc(p.passed, func(a, b *Error) int { return cmp.Compare(a.Offset, b.Offset) })
	if err != nil {
		return nil, append(p.passed, err.placed(p.index))
	}
	return &n, p.passed
}

// unreadable finds what no parser should see.
func unreadable(data []byte, l Limits) *Error {
	if l.Bytes > 0 && len(data) > l.Bytes {
		return problem(TooLarge, l.Bytes, fmt.Sprintf("the document is %d bytes long, and may be %d", len(data), l.Bytes), "")
	}
	if bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
		return problem(Encoding, 0, "the document begins with a byte order mark", "save it as UTF-8 without one")
	}
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return problem(Encoding, i, "the document holds a NUL byte", "is it UTF-16? save it as UTF-8")
	}
	if utf8.Valid(data) {
		return nil
	}
	for i := 0; ; {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return problem(Encoding, i, fmt.Sprintf("the byte 0x%02x is no UTF-8", data[i]), "save the document as UTF-8")
		}
		i += size
	}
}

type parser struct {
	data   []byte
	index  *Index
	at     int
	limits Limits
	depth  int // how many more levels there may be
	values int
	first  bool     // nothing is passed
	passed []*Error // what is refused, but need not end the reading

	// Children wait here until their list or object ends, so that each gets a
	// slice of its own size.
	items   []Node
	members []Member
}

func (p *parser) document() (Node, *Error) {
	p.space()
	if p.at == len(p.data) {
		return Node{}, problem(Syntax, p.at, "the document is empty", "")
	}
	n, err := p.value()
	if err != nil {
		return n, err
	}
	if p.space(); p.at < len(p.data) {
		return n, p.unexpected("something follows the document:", "")
	}
	return n, nil
}

func (p *parser) space() {
	for p.at < len(p.data) {
		switch p.data[p.at] {
		case ' ', '\n', '\r', '\t':
			p.at++
		default:
			return
		}
	}
}

// peek returns the next byte, or zero at the end: NUL bytes were refused.
func (p *parser) peek() byte {
	if p.at < len(p.data) {
		return p.data[p.at]
	}
	return 0
}

func (p *parser) value() (Node, *Error) {
	if p.values++; p.limits.Values > 0 && p.values > p.limits.Values {
		return Node{}, problem(TooLarge, p.at, fmt.Sprintf("the document has more than %d values", p.limits.Values), "")
	}
	start := p.at
	switch c := p.peek(); {
	case c == '{':
		return p.nested(Object, p.object)
	case c == '[':
		return p.nested(Array, p.array)
	case c == '"':
		text, err := p.text()
		return Node{Kind: String, Offset: start, End: p.at, Text: text}, err
	case c == '-' || '0' <= c && c <= '9':
		return p.number()
	}
	return p.word()
}

// nested reads a list or an object, one level down.
func (p *parser) nested(kind Kind, read func(*Node) *Error) (Node, *Error) {
	n := Node{Kind: kind, Offset: p.at}
	if p.depth == 0 {
		return n, problem(TooLarge, p.at, fmt.Sprintf("the document is nested deeper than %d levels", p.limits.depth()), "")
	}
	p.depth--
	p.at++
	err := read(&n)
	p.depth++
	n.End = p.at
	return n, err
}

func (p *parser) array(n *Node) *Error {
	mark := len(p.items)
	for p.space(); p.peek() != ']'; p.space() {
		if p.at == len(p.data) {
			return p.unclosed(n)
		}
		item, err := p.value()
		if err != nil {
			return err
		}
		p.items = append(p.items, item)
		if more, err := p.comma(n, ']'); err != nil {
			return err
		} else if !more {
			break
		}
	}
	p.at++
	n.Items = append(make([]Node, 0, len(p.items)-mark), p.items[mark:]...)
	p.items = p.items[:mark]
	return nil
}

// object looks for keys that stand twice also if it cannot be read to its end.
func (p *parser) object(n *Node) *Error {
	mark := len(p.members)
	err := p.membersOf(n)
	n.Members = append(make([]Member, 0, len(p.members)-mark), p.members[mark:]...)
	p.members = p.members[:mark]
	if twice := p.unique(n); twice != nil {
		return twice
	}
	return err
}

func (p *parser) membersOf(n *Node) *Error {
	for p.space(); p.peek() != '}'; p.space() {
		m, err := p.member(n)
		if err != nil {
			return err
		}
		p.members = append(p.members, m)
		if more, err := p.comma(n, '}'); err != nil {
			return err
		} else if !more {
			break
		}
	}
	p.at++
	return nil
}

// comma passes what stands between two values of n, and reports whether
// another follows; if not, it stops before the closing bracket.
func (p *parser) comma(n *Node, end byte) (bool, *Error) {
	p.space()
	switch c := p.peek(); c {
	case end:
		return false, nil
	case ',':
		at := p.at
		p.at++
		if p.space(); p.peek() == end {
			return false, problem(Syntax, at, fmt.Sprintf("a comma stands before the closing %c", end), "remove it")
		}
		return true, nil
	case 0:
		return false, p.unclosed(n)
	default:
		return false, p.unexpected(fmt.Sprintf("a comma or the closing %c is missing before", end), "")
	}
}

func (p *parser) member(n *Node) (Member, *Error) {
	m := Member{Offset: p.at}
	switch c := p.peek(); c {
	case '"':
	case 0:
		return m, p.unclosed(n)
	default:
		return m, p.unexpected("a key is missing before", "a key is text in double quotes")
	}
	var err *Error
	if m.Key, err = p.text(); err != nil {
		return m, err
	}
	p.space()
	switch p.peek() {
	case ':':
	case 0:
		return m, p.unclosed(n)
	default:
		return m, p.unexpected(fmt.Sprintf("a colon is missing after the key %s, before", quote(m.Key)), "")
	}
	p.at++
	if p.space(); p.at == len(p.data) {
		return m, p.unclosed(n)
	}
	m.Value, err = p.value()
	return m, err
}

// unique finds the keys that stand twice.
func (p *parser) unique(n *Node) *Error {
	const few = 8 // up to here comparing each with each is faster than a map
	if len(n.Members) <= few {
		for i := range n.Members {
			for j := range i {
				if n.Members[i].Key == n.Members[j].Key {
					if err := p.duplicate(n.Members[j].Offset, n.Members[i]); err != nil {
						return err
					}
					break
				}
			}
		}
		return nil
	}
	seen := make(map[string]int, len(n.Members))
	for _, m := range n.Members {
		if before, twice := seen[m.Key]; !twice {
			seen[m.Key] = m.Offset
		} else if err := p.duplicate(before, m); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) duplicate(before int, m Member) *Error {
	line, column := p.index.Place(before)
	e := problem(Duplicate, m.Offset, fmt.Sprintf("the key %s stands twice, first at line %d, column %d", quote(m.Key), line, column), "")
	return p.pass(e)
}

// mostPassed is how many errors anybody is shown.
const mostPassed = 1000

// pass records an error and returns nil, or returns it if it is to end the
// reading.
func (p *parser) pass(e *Error) *Error {
	if p.first {
		return e
	}
	if len(p.passed) < mostPassed {
		p.passed = append(p.passed, e)
	}
	return nil
}

// unclosed says that the document ends inside n.
func (p *parser) unclosed(n *Node) *Error {
	return problem(Syntax, n.Offset, fmt.Sprintf("the %c that opens here is not closed", p.data[n.Offset]), "")
}
