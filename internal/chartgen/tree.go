package chartgen

import (
	"strconv"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// node is a state while it is being made.
type node struct {
	statechart.State
	parent   *node
	children []*node // histories included, in document order
	vars     []variable
	depth    int
}

const letters = "abcdefghjkmnpq"

// tree makes the states with their kinds and names.
func (g *gen) tree() {
	g.root = g.add(nil, 0)
	size := 4 + g.r.IntN(27)
	if g.chance(5) {
		size = 66 + g.r.IntN(20) // more than one word of 64
	}
	if g.chance(2) {
		size = 1
	}
	for grow := g.root; len(g.nodes) < size; grow = g.growable() {
		for range 2 + g.r.IntN(3) {
			g.add(grow, len(grow.children))
		}
		percent := 35
		if grow.parent != nil && grow.parent.isParallel() {
			percent = 55 // parallels in parallels, through which done events climb
		}
		if g.parallels && g.chance(percent) && (grow != g.root || g.chance(40)) {
			grow.Type = statechart.Parallel
		}
	}
	for _, n := range g.nodes {
		if g.dones && n.parent != nil && n.parent.isParallel() && len(n.children) == 0 && g.chance(70) {
			n.Type = statechart.Final // a region that is done, so that the parallel can be
		}
	}
	for _, n := range g.inner() {
		g.addFinal(n)
		if g.histories && g.chance(45) {
			g.addHistory(n)
		}
		if g.histories && g.chance(8) {
			g.addHistory(n)
		}
	}
	g.rename(g.root)
	for _, n := range g.nodes {
		if n != g.root && g.chance(25) {
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

// growable is a leaf that may get children.
func (g *gen) growable() *node {
	for {
		n := g.nodes[g.r.IntN(len(g.nodes))]
		if n.depth < 6 && len(n.children) == 0 {
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
	percent := 35
	switch {
	case parent.isParallel():
		percent = 12
	case g.dones:
		percent = 90
	case parent.parent != nil && parent.parent.isParallel():
		percent = 65
	}
	if !g.chance(percent) {
		return
	}
	f := g.add(parent, g.r.IntN(len(parent.children)+1))
	f.Type = statechart.Final
	if parent == g.root {
		f.Status = pick(g, "", "completed", "failed")
	}
}

func (g *gen) addHistory(parent *node) {
	if len(parent.children) == 0 {
		return
	}
	h := g.add(parent, g.r.IntN(len(parent.children)+1))
	h.Type = statechart.History
	h.History = pick(g, "", "shallow", "deep", "deep")
}

// rename gives names that are the same again and again at different places.
func (g *gen) rename(n *node) {
	order := g.r.Perm(len(letters))
	for i, c := range n.children {
		c.Name = string(letters[order[i%len(letters)]])
		if i >= len(letters) {
			c.Name += strconv.Itoa(i)
		}
		g.rename(c)
	}
}

func (n *node) path() string {
	if n.parent == nil {
		return ""
	}
	return strings.TrimPrefix(n.parent.path()+"."+n.Name, ".")
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

// within lists n and all below it; histories only when asked for.
func (n *node) within(histories bool) []*node {
	if n.isHistory() && !histories {
		return nil
	}
	out := []*node{n}
	for _, c := range n.children {
		out = append(out, c.within(histories)...)
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
