// Package strictjson reads JSON in one way at every edge of Detent: exactly
// RFC 8259, one document, UTF-8 without a byte order mark, no key twice in an
// object, no NUL and no half of a surrogate pair, and numbers that keep their
// value or are refused. What it refuses it refuses with a line and a column.
package strictjson

// Kind is what a [Node] is.
type Kind uint8

// The kinds of JSON values.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// String returns the kind as it is called in messages, with its article.
func (k Kind) String() string {
	return [...]string{"null", "true or false", "a number", "text", "a list", "an object"}[k]
}

// Node is one value of a document. Nobody changes a node that [Parse]
// returned, so it may be read concurrently.
type Node struct {
	Kind        Kind
	Bool        bool     // of a Bool
	Offset, End int      // bytes of the document: its first, and the one after its last
	Text        string   // of a String, decoded; of a Number, as it is written
	Items       []Node   // of an Array
	Members     []Member // of an Object, in the order of the document
}

// Member is one key of an object with its value.
type Member struct {
	Key    string
	Offset int // of the key's opening quote
	Value  Node
}

// Limits bounds a document. The zero value is the default.
type Limits struct {
	// Bytes is how long the text may be. Zero: any length.
	Bytes int
	// Depth is how many lists and objects may stand inside each other. Zero:
	// 1,000. A larger one costs stack, about 200 bytes a level.
	Depth int
	// Values is how many values there may be, lists and objects included. One
	// costs about 100 bytes of memory. Zero: any number.
	Values int
}

const defaultDepth = 1000

func (l Limits) depth() int {
	if l.Depth == 0 {
		return defaultDepth
	}
	return l.Depth
}

// Get returns the value of a key.
func (n *Node) Get(key string) (*Node, bool) {
	for i := range n.Members {
		if n.Members[i].Key == key {
			return &n.Members[i].Value, true
		}
	}
	return nil, false
}
