package xstate

import (
	"strings"

	"github.com/detent-run/detent/statechart"
)

// node is a state while it is being made.
type node struct {
	statechart.State
	parent   *node
	children []*node // histories included, in document order
	depth    int
	vars     []string // of its own, all integers
}

const letters = "abdfghjkmnpqvw"

// tree makes the states with their kinds, names and initials.
func (g *gen) tree() {
	g.root = g.add(nil, 0)
	size := 5 + g.r.IntN(14)
	for grow := g.root; len(g.nodes) < size; grow = g.growable() {
		for range 2 + g.r.IntN(2) {
			g.add(grow, len(grow.children))
		}
		percent := 40
		if grow == g.root {
			percent = 25
		}
		if g.parallels && g.chance(percent) {
			grow.Type = statechart.Parallel
		}
	}
	for _, n := range g.inner() {
		g.addFinal(n)
		if g.histories && g.chance(40+20*min(2, n.height()-1)) {
			g.addHistory(n)
		}
	}
	g.rename(g.root)
	for _, n := range g.nodes {
		if n != g.root && g.chance(20) {
			n.ID = "id_" + strings.ReplaceAll(n.path(), ".", "_")
		}
	}
	for _, n := range g.nodes {
		g.initial(n)
	}
}

// add adds a child of parent at a position.
func (g *gen) add(parent *node, at int) *node {
	n := &node{parent: parent}
	if parent != nil {
		n.depth = parent.depth + 1
		parent.children = append(parent.children, nil)
		copy(parent.children[at+1:], parent.children[at:])
		parent.children[at] = n
	}
	g.nodes = append(g.nodes, n)
	return n
}

// growable is a leaf that may get children; deep ones are liked.
func (g *gen) growable() *node {
	for {
		n := g.nodes[g.r.IntN(len(g.nodes))]
		if n.depth < 5 && len(n.children) == 0 {
			return n
		}
	}
}

// inner lists the compound and parallel states.
func (g *gen) inner() []*node {
	var out []*node
	for _, n := range g.nodes {
		if len(n.children) > 0 {
			out = append(out, n)
		}
	}
	return out
}

func (g *gen) addFinal(parent *node) {
	percent := 45
	switch {
	case parent.isParallel():
		percent = 8
	case parent == g.root:
		percent = 0
		if g.finalEnds {
			percent = 80
		}
	case parent.parent.isParallel():
		percent = 75
	}
	if !g.finals || !g.chance(percent) {
		return
	}
	g.add(parent, g.r.IntN(len(parent.children)+1)).Type = statechart.Final
}

func (g *gen) addHistory(parent *node) {
	h := g.add(parent, g.r.IntN(len(parent.children)+1))
	h.Type = statechart.History
	h.History = pick(g, "shallow", "deep")
}

// rename gives names that come again at different places, in no order that
// sorting would make.
func (g *gen) rename(n *node) {
	order := g.r.Perm(len(letters))
	for i, c := range n.children {
		c.Name = string(letters[order[i]])
		g.rename(c)
	}
}

// initial chooses the initial of a compound and the default of a history.
func (g *gen) initial(n *node) {
	switch {
	case n.isHistory() && (n.parent.isParallel() || g.chance(50)):
		n.Initial = g.relative(n.parent, g.chance(20))
	case n.isCompound():
		n.Initial = g.relative(n, false)
	}
}

// relative is the path of a state below n, mostly a child that is not final.
// XState enters a child by default, a history anything.
func (g *gen) relative(n *node, deep bool) string {
	candidates := n.states()
	if deep {
		candidates = n.within()[1:]
	}
	t := candidates[g.r.IntN(len(candidates))]
	for try := 0; try < 4 && t.isFinal(); try++ {
		t = candidates[g.r.IntN(len(candidates))]
	}
	return t.pathFrom(n)
}

// height is how many levels lie below n.
func (n *node) height() int {
	h := 0
	for _, c := range n.children {
		h = max(h, 1+c.height())
	}
	return h
}

func (n *node) path() string {
	if n.parent == nil {
		return ""
	}
	return strings.TrimPrefix(n.parent.path()+"."+n.Name, ".")
}

func (n *node) pathFrom(a *node) string {
	return strings.TrimPrefix(strings.TrimPrefix(n.path(), a.path()), ".")
}

func (n *node) isHistory() bool  { return n.Type == statechart.History }
func (n *node) isFinal() bool    { return n.Type == statechart.Final }
func (n *node) isParallel() bool { return n.Type == statechart.Parallel }
func (n *node) isCompound() bool { return !n.isParallel() && len(n.states()) > 0 }

// states are the children that can be active.
func (n *node) states() []*node {
	var out []*node
	for _, c := range n.children {
		if !c.isHistory() {
			out = append(out, c)
		}
	}
	return out
}

// below reports whether n lies properly below a.
func (n *node) below(a *node) bool {
	for p := n.parent; p != nil; p = p.parent {
		if p == a {
			return true
		}
	}
	return false
}

// within lists n and all states below it that can be active, in document
// order.
func (n *node) within() []*node {
	out := []*node{n}
	for _, c := range n.states() {
		out = append(out, c.within()...)
	}
	return out
}

// assemble turns the tree into plain data.
func (n *node) assemble() statechart.State {
	s := n.State
	for _, c := range n.children {
		s.States = append(s.States, c.assemble())
	}
	return s
}
