package strictjson

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Reason is the kind of an [Error].
type Reason uint8

// The reasons to refuse a document.
const (
	Syntax    Reason = iota // not JSON
	Encoding                // not UTF-8, or with characters that JSON cannot keep
	Duplicate               // one key twice in an object
	TooLarge                // past one of the [Limits]
	Range                   // a number that fits neither int64 nor float64
	Mismatch                // valid, but not what the Go value takes
)

// Error is why a document is refused, with the place.
type Error struct {
	Reason  Reason
	Offset  int    // in bytes from the start of the document
	Line    int    // from 1
	Column  int    // from 1, in characters
	Path    string // where it is in the value, such as root.states[2].on; empty for the document itself and what is no JSON
	Message string // one sentence
	Hint    string // what to do, if that is known
}

// Error returns the place and the message, and the hint in brackets.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Path != "" {
		b.WriteString(e.Path + ": ")
	}
	b.WriteString(e.Message)
	if e.Line > 0 {
		fmt.Fprintf(&b, " at line %d, column %d", e.Line, e.Column)
	}
	if e.Hint != "" {
		b.WriteString(" (" + e.Hint + ")")
	}
	return b.String()
}

// problem makes an error without its line and column, which those get that are
// returned.
func problem(reason Reason, offset int, message, hint string) *Error {
	return &Error{Reason: reason, Offset: offset, Message: message, Hint: hint}
}

func (e *Error) placed(x *Index) *Error {
	e.Line, e.Column = x.Place(e.Offset)
	return e
}

// quote writes text for a message: on one line, and not too much of it.
func quote(text string) string {
	const most = 40
	if utf8.RuneCountInString(text) > most {
		text = string([]rune(text)[:most]) + "…"
	}
	return strconv.Quote(text)
}

// path says where in the document the value at an offset is.
func path(root *Node, offset int) string {
	var b strings.Builder
	for n := root; n != nil && n.Offset != offset; {
		next := (*Node)(nil)
		for i := range n.Items {
			if c := &n.Items[i]; c.Offset <= offset && offset < c.End {
				fmt.Fprintf(&b, "[%d]", i)
				next = c
			}
		}
		for i := range n.Members {
			if m := &n.Members[i]; m.Offset <= offset && offset < m.Value.End {
				writeKey(&b, m.Key)
				if next = &m.Value; offset < m.Value.Offset {
					next = nil // the key itself
				}
			}
		}
		n = next
	}
	return b.String()
}

func writeKey(b *strings.Builder, key string) {
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || strings.ContainsRune(`.[]"`, r) }) || key == "" {
		b.WriteString("[" + quote(key) + "]")
		return
	}
	if b.Len() > 0 {
		b.WriteByte('.')
	}
	b.WriteString(key)
}
