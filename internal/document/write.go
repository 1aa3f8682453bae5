package document

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Write writes a document that reads back as a node [Equal] to n, and ends
// with a line break. Of YAML, objects and lists stand in blocks, and in
// brackets where [Node.Flow] asks for it and the line has room; those that
// were not read from YAML also where they hold nothing but values. Text of
// several lines becomes a block. JSON is indented by two spaces. Text that is
// no UTF-8 or holds a NUL, NaN, infinities, and keys that stand twice are
// errors.
func Write(n *Node, f Format) ([]byte, error) {
	if err := writable(n, 0); err != nil {
		return nil, err
	}
	if f == JSON {
		return append(appendJSON(nil, n, 0), '\n'), nil
	}
	p := printer{}
	p.root(n)
	return p.out, nil
}

// deepest keeps cycles of nodes from ending the program.
const deepest = 1000

var errDeepest = fmt.Errorf("it is nested deeper than %d levels", deepest)

// within puts the place in the document before what is wrong there.
func within(place string, err error) error {
	if err == errDeepest { // a place of a thousand keys says nothing
		return err
	}
	return fmt.Errorf("%s: %w", place, err)
}

func writable(n *Node, depth int) error {
	switch {
	case n == nil:
		return errors.New("a value is missing")
	case depth > deepest:
		return errDeepest
	case n.Kind == String:
		return writableText(n.Text)
	case n.Kind == Float && (math.IsNaN(n.Float) || math.IsInf(n.Float, 0)):
		return fmt.Errorf("%v cannot be written", n.Float)
	}
	for i, item := range n.Items {
		if err := writable(item, depth+1); err != nil {
			return within(fmt.Sprintf("[%d]", i), err)
		}
	}
	seen := make(map[string]bool, len(n.Fields))
	for _, f := range n.Fields {
		if seen[f.Key] {
			return fmt.Errorf("the key %s stands twice", quote(f.Key))
		}
		seen[f.Key] = true
		if err := writableText(f.Key); err != nil {
			return err
		}
		if err := writable(f.Value, depth+1); err != nil {
			return within(clip(f.Key), err)
		}
	}
	return nil
}

func writableText(text string) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("the text %s is no UTF-8", quote(text))
	}
	if strings.IndexByte(text, 0) >= 0 {
		return fmt.Errorf("the text %s holds a NUL character", quote(text))
	}
	return nil
}

func appendJSON(b []byte, n *Node, indent int) []byte {
	switch n.Kind {
	case String:
		return appendQuoted(b, n.Text)
	case List:
		if len(n.Items) == 0 {
			return append(b, "[]"...)
		}
		for i, item := range n.Items {
			b = open(b, "[,"[min(i, 1)], indent+2)
			b = appendJSON(b, item, indent+2)
		}
		return closed(b, ']', indent)
	case Object:
		if len(n.Fields) == 0 {
			return append(b, "{}"...)
		}
		for i, f := range n.Fields {
			b = open(b, "{,"[min(i, 1)], indent+2)
			b = appendQuoted(b, f.Key)
			b = appendJSON(append(b, ": "...), f.Value, indent+2)
		}
		return closed(b, '}', indent)
	}
	return append(b, n.literal(JSON)...)
}

// open writes what precedes a value and goes to its line.
func open(b []byte, c byte, indent int) []byte {
	return append(append(b, c, '\n'), spaces(indent)...)
}

// closed goes to the line of a closing bracket and writes it.
func closed(b []byte, c byte, indent int) []byte {
	return append(append(append(b, '\n'), spaces(indent)...), c)
}

func spaces(n int) string { return strings.Repeat(" ", n) }

// literal is how a null, a bool or a number is written. One that was read
// stays as it was, if the format has it.
func (n *Node) literal(f Format) string {
	switch n.Kind {
	case Bool:
		return strconv.FormatBool(n.Bool)
	case Int:
		if n.source != nil && f == YAML {
			return n.Text
		}
		return strconv.FormatInt(n.Int, 10)
	case Float:
		if n.source != nil && (f == YAML || jsonNumber(n.Text)) {
			return n.Text
		}
		return formatFloat(n.Float)
	}
	return "null"
}

func jsonNumber(text string) bool {
	text = strings.TrimPrefix(text, "-")
	whole, rest, _ := strings.Cut(text, ".")
	if whole == "" || whole[0] == '+' {
		return false
	}
	return !strings.Contains(text, ".") || rest != "" && rest[0] >= '0' && rest[0] <= '9'
}

// formatFloat writes a number so that it reads back as a decimal one.
func formatFloat(f float64) string {
	format := byte('f')
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	text := strconv.FormatFloat(f, format, -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}
