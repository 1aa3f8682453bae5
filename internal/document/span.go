package document

import (
	"bytes"
	"unicode/utf8"
)

// At returns the place in the file of a byte of Text. What was escaped counts
// as it is written; what was folded, such as a line break that became a space,
// is where the text before it ends. Of a node that code made it is the zero
// Position.
func (n *Node) At(offset int) Position {
	if n.source == nil {
		return Position{}
	}
	return n.source.position(n.skip(max(0, min(offset, len(n.Text))), false))
}

// skip returns the offset in the file of the byte of the text that has k
// before it, or with whole set the end of the scalar.
func (n *Node) skip(k int, whole bool) int {
	data, at := n.source.data, n.Start.Offset
	switch n.style {
	case doubleQuoted:
		return skipDouble(data, at, k, whole)
	case singleQuoted:
		return skipSingle(data, at, k, whole)
	case literal, folded:
		at = contentOfBlock(data, at)
	}
	return skipSpread(data, at, n.Text, k)
}

// skipSpread walks over text that may be parted by white space that is not of
// it: every other character stands in the file as it is in the text.
func skipSpread(data []byte, at int, text string, k int) int {
	end := at
	for i := 0; i <= len(text) && at < len(data); {
		if i < len(text) && white(text[i]) {
			if i >= k {
				return end
			}
			if data[at] == text[i] {
				at++
				end = at
			}
			i++
			continue
		}
		if i == len(text) {
			break
		}
		for at < len(data) && white(data[at]) {
			at++
		}
		if i >= k {
			return at
		}
		at++
		i++
		end = at
	}
	return end
}

func white(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// contentOfBlock is where the lines below | or > begin.
func contentOfBlock(data []byte, at int) int {
	if i := bytes.IndexAny(data[at:], "\r\n"); i >= 0 {
		return at + i
	}
	return len(data)
}

// skipSingle walks over text in single quotes, in which two are one.
func skipSingle(data []byte, at, k int, whole bool) int {
	at++
	for i := 0; at < len(data) && (whole || i < k); {
		switch width, made := fold(data, at); {
		case width > 0:
			at, i = at+width, i+made
		case data[at] != '\'':
			at, i = at+1, i+1
		case at+1 < len(data) && data[at+1] == '\'':
			at, i = at+2, i+1
		default:
			return end(at, whole)
		}
	}
	return at
}

// end is behind the closing quote for the whole scalar, and before it for a
// place in the text.
func end(at int, whole bool) int {
	if whole {
		return at + 1
	}
	return at
}

// skipDouble walks over text in double quotes.
func skipDouble(data []byte, at, k int, whole bool) int {
	at++
	for i := 0; at < len(data); {
		width, made := fold(data, at)
		switch {
		case data[at] == '"':
			return end(at, whole)
		case data[at] == '\\':
			width, made = escape(data[at:])
		case width == 0:
			width, made = 1, 1
		}
		if !whole && i+made > k {
			return at
		}
		at, i = at+width, i+made
	}
	return at
}

// fold measures a line break in a quoted text with the white space around it:
// its bytes in the file, and those of the text that it makes, which are a space
// or the further line breaks. Width is zero where there is no break.
func fold(data []byte, at int) (width, made int) {
	i, breaks := at, 0
	for i < len(data) && white(data[i]) {
		if data[i] == '\n' || data[i] == '\r' && (i+1 == len(data) || data[i+1] != '\n') {
			breaks++
		}
		i++
	}
	if breaks == 0 {
		return 0, 0
	}
	return i - at, max(1, breaks-1)
}

// escape measures an escape: its bytes in the file, and those of the character
// that it makes.
func escape(data []byte) (width, made int) {
	if len(data) < 2 {
		return len(data), 0
	}
	digits := 0
	switch data[1] {
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	case '\n', '\r', ' ', '\t':
		return escapedBreak(data)
	case 'N', '_': // next line, and the space that breaks no line
		return 2, 2
	case 'L', 'P': // separators of lines and of paragraphs
		return 2, 3
	default:
		return 2, 1
	}
	r, ok := hex(data[2:], digits)
	if !ok {
		return 2, 1
	}
	if r >= 0xd800 && r < 0xdc00 && bytes.HasPrefix(data[6:], []byte(`\u`)) {
		return 12, 4
	}
	return 2 + digits, max(1, utf8.RuneLen(r))
}

// escapedBreak is a backslash before a line break, which makes nothing, or
// before white space.
func escapedBreak(data []byte) (width, made int) {
	i := 1
	for i < len(data) && (data[i] == ' ' || data[i] == '\t') {
		i++
	}
	if i == len(data) || data[i] != '\n' && data[i] != '\r' {
		return 2, 1
	}
	for i < len(data) && white(data[i]) {
		if data[i] == '\n' {
			made++
		}
		i++
	}
	return i, max(0, made-1)
}

func hex(data []byte, digits int) (rune, bool) {
	if len(data) < digits {
		return 0, false
	}
	r := rune(0)
	for _, c := range data[:digits] {
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// closing is where a list or an object ends: behind its bracket, or with the
// last of its children.
func (s *source) closing(n *Node) int {
	at := n.Start.Offset
	if len(n.Items) > 0 {
		at = n.Items[len(n.Items)-1].End.Offset
	}
	if len(n.Fields) > 0 {
		at = n.Fields[len(n.Fields)-1].Value.End.Offset
	}
	open := byte(0)
	if n.Start.Offset < len(s.data) {
		open = s.data[n.Start.Offset]
	}
	if !n.Flow || open != '[' && open != '{' {
		return at
	}
	at = max(at, n.Start.Offset+1)
	for ; at < len(s.data); at++ {
		switch c := s.data[at]; {
		case c == open+2: // the closing one of either kind, in ASCII
			return at + 1
		case c == '#' && white(s.data[at-1]):
			at += lineLength(s.data[at:]) - 1
		}
	}
	return at
}
