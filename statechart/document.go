package statechart

import "strconv"

// documentWriter writes a snapshot's document: the members of objects one
// after the other, whose order is the caller's care. It remembers the first
// error.
type documentWriter struct {
	b      []byte
	level  int // how many objects are open below the document
	values jsonWriter
	err    error
}

func (w *documentWriter) key(k string) {
	if w.b[len(w.b)-1] != '{' {
		w.b = append(w.b, ',')
	}
	w.string(k)
	w.b = append(w.b, ':')
}

func (w *documentWriter) string(s string) {
	b, err := appendString(w.b, s)
	if w.b = b; err != nil && w.err == nil {
		w.err = err
	}
}

// member writes a value. The document's own levels do not count against the
// depth of values.
func (w *documentWriter) member(k string, v any) {
	w.key(k)
	b, err := w.values.value(w.b, v, w.level+1-documentDepth)
	if w.b = b; err != nil && w.err == nil {
		w.err = err
	}
}

func (w *documentWriter) text(k, s string) {
	w.key(k)
	w.values.size++
	w.string(s)
}

func (w *documentWriter) number(k string, n int64) {
	w.key(k)
	w.values.size++
	w.b = strconv.AppendInt(w.b, n, 10)
}

func (w *documentWriter) texts(k string, list []string) {
	w.key(k)
	w.values.size += 1 + len(list)
	w.b = append(w.b, '[')
	for i, s := range list {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.string(s)
	}
	w.b = append(w.b, ']')
}

// list writes a list unless it is empty.
func (w *documentWriter) list(k string, list []any) {
	if len(list) > 0 {
		w.member(k, list)
	}
}

// open begins an object, close ends it.
func (w *documentWriter) open(k string) {
	w.key(k)
	w.values.size++
	w.b = append(w.b, '{')
	w.level++
}

func (w *documentWriter) close() {
	w.b = append(w.b, '}')
	w.level--
}
