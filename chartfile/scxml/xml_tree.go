package scxml

import (
	"strings"

	"github.com/detent-run/detent/internal/strictjson"
)

// source is one file: its text and what is needed to say where something
// stands in it.
type source struct {
	file  string
	text  string // without a byte order mark
	index *strictjson.Index
	// Where the text begins, when it stands in another document.
	line, column int
}

func newSource(file string, data []byte) *source {
	data = []byte(strings.TrimPrefix(string(data), "\uFEFF"))
	s := &source{file: file, text: string(data), index: strictjson.NewIndex(data), line: 1, column: 1}
	s.place(0) // from now on the index may be used concurrently
	return s
}

// place returns the line and the column of a byte.
func (s *source) place(offset int) (line, column int) {
	line, column = s.index.Place(offset)
	if line == 1 {
		column += s.column - 1
	}
	return line + s.line - 1, column
}

// name is the name of an element or an attribute: as it is written, and what
// its prefix stands for.
type name struct {
	prefix, local string
	space         string // "" without a namespace
}

func (n name) written() string {
	if n.prefix == "" {
		return n.local
	}
	return n.prefix + ":" + n.local
}

// element is one XML element.
type element struct {
	name
	source     *source
	at         int // the offset of its <
	end        int // the offset behind its end tag
	attributes []attribute
	content    []piece
	parent     *element
}

// attribute is one attribute, declarations of namespaces included.
type attribute struct {
	name
	value string
	at    int    // the offset of its name
	start int    // the offset of its value's first byte
	raw   string // the value as it is written
}

// piece is a part of an element's content: an element, or the text between
// two of them.
type piece struct {
	element *element // nil: text
	text    string
	at      int // the offset where the text begins
}

// attribute returns an attribute without a prefix, nil without it.
func (e *element) attribute(name string) *attribute {
	for i := range e.attributes {
		if a := &e.attributes[i]; a.prefix == "" && a.local == name {
			return a
		}
	}
	return nil
}

// elements returns the children that are elements.
func (e *element) elements() []*element {
	var out []*element
	for _, p := range e.content {
		if p.element != nil {
			out = append(out, p.element)
		}
	}
	return out
}

// words returns the whole text of an element that holds no others.
func (e *element) words() string {
	var b strings.Builder
	for _, p := range e.content {
		b.WriteString(p.text)
	}
	return b.String()
}

// blank reports whether a text is white space only.
func blank(text string) bool { return strings.Trim(text, " \t\r\n") == "" }

// offset finds the byte of the document that a byte of an attribute's value
// was read from.
func (a *attribute) offset(n int) int {
	made := 0
	for i := 0; i < len(a.raw); {
		size, length := 1, 1 // of the bytes made, and of those read
		switch {
		case a.raw[i] == '&':
			length = strings.IndexByte(a.raw[i:], ';') + 1
			if length == 0 {
				return a.start + i
			}
			size = len(reference(a.raw[i+1 : i+length-1]))
		case strings.HasPrefix(a.raw[i:], "\r\n"):
			length = 2
		}
		if made+size > n {
			return a.start + i
		}
		made, i = made+size, i+length
	}
	return a.start + len(a.raw)
}
