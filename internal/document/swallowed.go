package document

import (
	"bytes"
	"strings"
)

// nearby is how many lines before a fault are looked at for its cause.
const nearby = 20

// swallowed finds a comment that took the end of what stands in brackets:
// {target: #door.open} is not closed, and the fault is noticed lines later.
func (f fault) swallowed() (at int, found bool) {
	if f.from < f.at && (f.data[f.from] == '[' || f.data[f.from] == '{') {
		if at, found = f.swallowedFrom(f.from); found {
			return at, true
		}
	}
	last := f.position(f.at).Line
	for line := last; line > max(0, last-nearby) && !found; line-- {
		at, found = f.swallowedFrom(f.starts[line-1])
	}
	return at, found
}

// swallowedFrom reads from the start of a line, or from a bracket, to the
// fault: what is open then is what a comment left open.
func (f fault) swallowedFrom(start int) (at int, found bool) {
	depth, before := 0, byte(':') // the last character that is not white
	for i := start; i < min(f.at+1, len(f.data)); i++ {
		c := f.data[i]
		first := i == start || white(f.data[i-1])
		switch {
		case (c == '"' || c == '\'') && strings.IndexByte(":,[{-", before) >= 0:
			i += quotedLength(f.data[i:]) - 1
		case c == '[' || c == '{':
			if depth > 0 || strings.IndexByte(":-", before) >= 0 {
				depth++
			}
		case (c == ']' || c == '}') && depth > 0:
			if depth--; depth == 0 {
				found = false
			}
		case c == '#' && first:
			word := f.data[i : i+lineLength(f.data[i:])]
			if depth > 0 && !found && len(word) > 1 && !white(word[1]) && bytes.ContainsAny(word, ",]}") {
				at, found = i, true
			}
			i += len(word) - 1
			continue
		}
		if !white(c) {
			before = c
		}
	}
	return at, found
}

// quotedLength is how long a text in quotes is, with them.
func quotedLength(data []byte) int {
	for i := 1; i < len(data); i++ {
		switch {
		case data[i] == '\\' && data[0] == '"':
			i++
		case data[i] == data[0]:
			return i + 1
		}
	}
	return len(data)
}

// commented is the text that a comment took, up to what ends it in brackets.
func (f fault) commented(at int) string {
	text := string(f.data[at : at+lineLength(f.data[at:])])
	if i := strings.IndexAny(text, ",]}"); i >= 0 {
		text = text[:i]
	}
	return clip(strings.TrimRight(text, " \t"))
}
