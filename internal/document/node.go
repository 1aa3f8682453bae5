// Package document reads YAML and JSON documents as nodes that know their
// place in the file, finds every problem of a document at once, and writes
// nodes as YAML or JSON again.
//
// Of YAML it takes what JSON can say: lists, objects with text as keys, and
// plain values by the core schema of YAML 1.2. Anchors, aliases, merge keys,
// tags and several documents are refused, each with a hint at what was
// probably meant.
package document

// Kind is what a [Node] is.
type Kind uint8

// The kinds of nodes.
const (
	Null Kind = iota
	Bool
	Int
	Float
	String
	List
	Object
)

// String returns the kind as it is called in messages, with its article.
func (k Kind) String() string {
	return [...]string{"null", "true or false", "a whole number", "a decimal number", "text", "a list", "an object"}[k]
}

// Position is a place in a file. The zero value is no place.
type Position struct {
	Offset int // in bytes, from 0
	Line   int // from 1
	Column int // from 1, in characters
}

// Node is one value of a document. Nobody changes a node that [Parse]
// returned, so it may be read concurrently.
type Node struct {
	Kind  Kind
	Start Position
	End   Position // behind the last character

	Bool  bool
	Int   int64
	Float float64
	// Text is the decoded text of a String, and the literal of null, a bool or
	// a number as the file has it.
	Text string

	Plain bool // a value of YAML that stands without quotes
	Blank bool // a Null because nothing is written, as in "key:"
	Flow  bool // a list or object in brackets; of no meaning in JSON
	// Slip is what may have been meant if this node is not what belongs here,
	// as a hint: a blank value before a comment, 012 as a number.
	Slip string

	Items  []*Node
	Fields []Field // in the order of the file

	source *source
	style  style
}

// Field is one key of an object with its value. Keys are text: a plain key of
// YAML, such as 500, null or on, is the text that is written.
type Field struct {
	Key      string
	KeyStart Position
	Value    *Node

	keyEnd int // its offset
}

// style is how a scalar is written in its file.
type style uint8

const (
	unwritten style = iota // made by code
	plain
	singleQuoted
	doubleQuoted
	literal
	folded
)

// Field returns the value of a key.
func (n *Node) Field(key string) (*Node, bool) {
	for i := range n.Fields {
		if n.Fields[i].Key == key {
			return n.Fields[i].Value, true
		}
	}
	return nil, false
}

// Value returns what n stands for: nil, bool, int64, float64, string, []any or
// map[string]any. The caller owns it.
func (n *Node) Value() any {
	switch n.Kind {
	case Bool:
		return n.Bool
	case Int:
		return n.Int
	case Float:
		return n.Float
	case String:
		return n.Text
	case List:
		list := make([]any, len(n.Items))
		for i, item := range n.Items {
			list[i] = item.Value()
		}
		return list
	case Object:
		m := make(map[string]any, len(n.Fields))
		for _, f := range n.Fields {
			m[f.Key] = f.Value.Value()
		}
		return m
	}
	return nil
}

// Equal reports whether two nodes have the same content, fields in the same
// order. How and where they are written does not count.
func Equal(a, b *Node) bool {
	if a.Kind != b.Kind || len(a.Items) != len(b.Items) || len(a.Fields) != len(b.Fields) {
		return false
	}
	switch a.Kind {
	case Bool:
		return a.Bool == b.Bool
	case Int:
		return a.Int == b.Int
	case Float:
		return a.Float == b.Float
	case String:
		return a.Text == b.Text
	}
	for i := range a.Items {
		if !Equal(a.Items[i], b.Items[i]) {
			return false
		}
	}
	for i := range a.Fields {
		if a.Fields[i].Key != b.Fields[i].Key || !Equal(a.Fields[i].Value, b.Fields[i].Value) {
			return false
		}
	}
	return true
}
