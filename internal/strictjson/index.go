package strictjson

import (
	"bytes"
	"unicode/utf8"
)

// Index finds the line and column of offsets of one document. Its first use
// reads the document once; each use reads up to a kilobyte of it, so that a
// document that is one long line costs no more than others. Once it was used it
// may be used concurrently.
type Index struct {
	data  []byte
	marks []mark // one for each stride
}

// mark is what is known at the start of a stride.
type mark struct{ line, column int }

const stride = 1024

// NewIndex returns the index of a document, which must not change as long as
// the index is used.
func NewIndex(data []byte) *Index { return &Index{data: data} }

// Place returns the line and the column of a byte, both from 1, the column in
// characters. Lines end with \n, \r or \r\n. What is past the end is at the
// end.
func (x *Index) Place(offset int) (line, column int) {
	if x.marks == nil {
		at := mark{1, 1}
		for i := 0; i <= len(x.data); i += stride {
			x.marks = append(x.marks, at)
			at = x.walk(at, i, min(i+stride, len(x.data)))
		}
	}
	offset = max(0, min(offset, len(x.data)))
	i := offset / stride
	at := x.walk(x.marks[i], i*stride, offset)
	return at.line, at.column
}

// walk goes over the bytes of [from, to).
func (x *Index) walk(at mark, from, to int) mark {
	part := x.data[from:to]
	if bytes.IndexByte(part, '\n') < 0 && bytes.IndexByte(part, '\r') < 0 {
		at.column += characters(part)
		return at
	}
	start := 0
	for i, c := range part {
		if c == '\n' || c == '\r' && (from+i+1 >= len(x.data) || x.data[from+i+1] != '\n') {
			at.line++
			at.column = 1
			start = i + 1
		}
	}
	at.column += characters(part[start:])
	return at
}

// characters counts the bytes that begin one, also where a stride parts one.
func characters(b []byte) int {
	n := 0
	for _, c := range b {
		if utf8.RuneStart(c) {
			n++
		}
	}
	return n
}
