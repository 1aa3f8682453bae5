package scxml

import (
	"strings"

	"github.com/detent-run/detent/statechart"
)

// node is a state of a definition that is written, with what is above and
// below it.
type node struct {
	state    *statechart.State
	parent   *node
	children []*node
	path     string // without the root
	place    string // as the compiler names it
	id       string // in the definition
	name     string // in the document; "" without one
}

// tree is the states of a definition.
type tree struct {
	root   *node
	all    []*node // in document order
	byPath map[string]*node
	byID   map[string]*node
}

// newTree looks through the states. The ids are those that hold where no
// state has one of its own.
func newTree(def *statechart.Definition) *tree {
	t := &tree{byPath: map[string]*node{}, byID: map[string]*node{}}
	var visit func(s *statechart.State, parent *node) *node
	visit = func(s *statechart.State, parent *node) *node {
		n := &node{state: s, parent: parent, place: "root", id: s.ID}
		switch {
		case parent == nil:
			n.id = def.ID
		case parent.path == "":
			n.path = s.Name
		default:
			n.path = parent.path + "." + s.Name
		}
		if parent != nil {
			n.place = parent.place + ".states." + s.Name
			if n.id == "" && def.Dialect != "scxml" {
				n.id = def.ID + "." + n.path
			}
		}
		t.all = append(t.all, n)
		t.byPath[n.path] = n
		if n.id != "" {
			t.byID[n.id] = n
		}
		for i := range s.States {
			n.children = append(n.children, visit(&s.States[i], n))
		}
		return n
	}
	t.root = visit(&def.Root, nil)
	return t
}

// find looks for "#id", "#id.path" or a path from the root.
func (t *tree) find(text string) *node {
	id, isID := strings.CutPrefix(text, "#")
	if !isID {
		return t.byPath[text]
	}
	if n := t.byID[id]; n != nil {
		return n
	}
	head, path, _ := strings.Cut(id, ".")
	if n := t.byID[head]; n != nil {
		return t.below(n, path)
	}
	return nil
}

func (t *tree) below(n *node, path string) *node {
	if n == nil || path == "" {
		return nil
	}
	if n.path != "" {
		path = n.path + "." + path
	}
	return t.byPath[path]
}

// target resolves one target of a transition of n.
func (t *tree) target(n *node, text string) *node {
	if strings.HasPrefix(text, "#") {
		return t.find(text)
	}
	if below, ok := strings.CutPrefix(text, "."); ok {
		if below == "" && n == t.root {
			return n
		}
		return t.below(n, below)
	}
	return t.below(n.parent, text)
}

// initial resolves one target of an initial, which lies below n.
func (t *tree) initial(n *node, text string) *node {
	if strings.HasPrefix(text, "#") {
		return t.find(text)
	}
	return t.below(n, strings.TrimPrefix(text, "."))
}

// isBelow reports whether n lies properly below another state.
func (n *node) isBelow(other *node) bool {
	for up := n.parent; up != nil; up = up.parent {
		if up == other {
			return true
		}
	}
	return false
}

// isCompound reports whether one of its children is active whenever it is.
func (n *node) isCompound() bool {
	return n.state.Type != statechart.Parallel && n.state.Type != statechart.Final && n.state.Type != statechart.History && n.hasChildren()
}

// hasChildren reports whether there are states below that can be active.
func (n *node) hasChildren() bool {
	for _, c := range n.children {
		if c.state.Type != statechart.History {
			return true
		}
	}
	return false
}
