package chartfile

import (
	"strconv"
	"strings"

	"github.com/detent-run/detent/internal/document"
)

// spot is a place of the definition, named as the compiler names places, and
// the place of the file that it was read from.
type spot struct {
	name string // the way here from the spot above: "on[0]", "states.closed"
	at   document.Position
	node *document.Node // what was read there; nil: nothing is known below
	key  *keyText       // set where an expression stands in a key
	kids []*spot
	up   *spot
	bare bool // an expression stands here without ${…}
	bad  bool // the reader refused something here: what the compiler adds follows from that

	kindless bool // a state of which it is not known what kind it is
}

// keyText is the text of a key in which an expression stands.
type keyText struct {
	text  string
	start document.Position // of its first character, behind a quote
}

// at is the place of an offset in the text. Escapes in a key are not counted.
func (k *keyText) at(offset int) document.Position {
	p := k.start
	p.Column += len([]rune(k.text[:offset]))
	return p
}

// add makes a spot below s.
func (s *spot) add(name string, at document.Position, node *document.Node) *spot {
	kid := &spot{name: name, at: at, node: node, up: s}
	s.kids = append(s.kids, kid)
	return kid
}

// index is the name of an entry of a list.
func index(name string, i int) string { return name + "[" + strconv.Itoa(i) + "]" }

// find follows a path of the compiler as far as it is known: down the spots,
// then down the data. near is the spot it ends at or below; exact says that
// nothing of the path is left.
func (s *spot) find(path string) (near *spot, node *document.Node, at document.Position, exact bool) {
	near, at = s, s.at
	for path != "" {
		kid, rest := near.step(path)
		if kid == nil {
			break
		}
		near, path, at = kid, rest, kid.at
	}
	node = near.node
	for path != "" && node != nil {
		kid, start, rest := stepData(node, path)
		if kid == nil {
			break
		}
		node, path, at = kid, rest, start
	}
	return near, node, at, path == ""
}

// step finds the spot below that begins the path, the longest name first:
// names may hold dots and brackets.
func (s *spot) step(path string) (kid *spot, rest string) {
	for _, k := range s.kids {
		if after, ok := cutSegment(path, k.name); ok && (kid == nil || len(k.name) > len(kid.name)) {
			kid, rest = k, after
		}
	}
	return kid, rest
}

// cutSegment cuts a segment off the front of a path.
func cutSegment(path, segment string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(path, segment)
	switch {
	case !ok || segment == "":
		return "", false
	case rest == "" || rest[0] == '[':
		return rest, true
	case rest[0] == '.':
		return rest[1:], true
	}
	return "", false
}

// stepData goes one step down in data. It returns where a reader should look:
// at a value, but at the key of an object or a list. The compiler numbers
// declarations, which are the fields of an object.
func stepData(n *document.Node, path string) (kid *document.Node, at document.Position, rest string) {
	if n.Kind == document.List && strings.HasPrefix(path, "[") {
		number, after, _ := strings.Cut(path[1:], "]")
		i, err := strconv.Atoi(number)
		if err != nil || i < 0 || i >= len(n.Items) {
			return nil, at, ""
		}
		return n.Items[i], n.Items[i].Start, strings.TrimPrefix(after, ".")
	}
	if n.Kind == document.Object && strings.HasPrefix(path, "[") {
		number, after, _ := strings.Cut(path[1:], "]")
		if i, err := strconv.Atoi(number); err == nil && i >= 0 && i < len(n.Fields) {
			return n.Fields[i].Value, n.Fields[i].KeyStart, strings.TrimPrefix(after, ".")
		}
	}
	longest := -1
	for _, f := range n.Fields {
		after, ok := cutSegment(path, f.Key)
		if ok && len(f.Key) > longest {
			longest, kid, at, rest = len(f.Key), f.Value, placeOf(f), after
		}
	}
	return kid, at, rest
}

// placeOf is where a reader should look for a field: at its value when that is
// on one line with the key by its nature, otherwise at the key.
func placeOf(f document.Field) document.Position {
	switch {
	case f.Value == nil || f.Value.Blank || f.Value.Kind == document.Object || f.Value.Kind == document.List:
		return f.KeyStart
	}
	return f.Value.Start
}
