package chartgen

import (
	"strings"

	"github.com/detent-run/detent/statechart"
)

// initial chooses the initial of a compound and the default of a history.
func (g *gen) initial(n *node) {
	switch {
	case n.isHistory():
		p := n.parent
		if p.isParallel() || g.chance(60) || g.initialIsHistory(p) {
			n.Initial = g.relative(p)
		}
	case n.isCompound():
		if h := g.historyChild(n); h != nil && g.chance(15) {
			n.Initial = h.Name
			if h.Initial == "" {
				h.Initial = g.relative(n)
			}
			return
		}
		n.Initial = g.relative(n)
	}
}

func (g *gen) initialIsHistory(p *node) bool {
	for _, c := range p.children {
		if c.isHistory() && c.Name == p.Initial {
			return true
		}
	}
	return false
}

func (g *gen) historyChild(n *node) *node {
	for _, c := range n.children {
		if c.isHistory() {
			return c
		}
	}
	return nil
}

// relative is a path below n, or several that are legal together.
func (g *gen) relative(n *node) string {
	if targets := g.together(n, false); len(targets) > 1 && g.chance(25) {
		var paths []string
		for _, t := range targets {
			paths = append(paths, t.pathFrom(n))
		}
		return strings.Join(paths, " ")
	}
	candidates := n.states()
	if f := finalOf(candidates); f != nil && g.dones && n != g.root && g.chance(60) {
		return f.Name
	}
	if g.chance(30) {
		candidates = n.within(false)[1:]
	}
	t := candidates[g.r.IntN(len(candidates))]
	for try := 0; try < 4 && t.isFinal(); try++ {
		t = candidates[g.r.IntN(len(candidates))]
	}
	return t.pathFrom(n)
}

func finalOf(nodes []*node) *node {
	for _, n := range nodes {
		if n.isFinal() {
			return n
		}
	}
	return nil
}

func (n *node) pathFrom(a *node) string {
	return strings.TrimPrefix(strings.TrimPrefix(n.path(), a.path()), ".")
}

// together lists states below (or regions of) n that can be targets at once:
// one in each of several regions of one parallel (R17).
func (g *gen) together(n *node, histories bool) []*node {
	var parallels []*node
	for _, p := range n.within(false) {
		if p.isParallel() && len(p.states()) > 1 {
			parallels = append(parallels, p)
		}
	}
	if len(parallels) == 0 {
		return nil
	}
	p := parallels[g.r.IntN(len(parallels))]
	var out []*node
	regions := p.states()
	for _, i := range g.r.Perm(len(regions)) {
		if len(out) < 2 || g.chance(50) {
			all := regions[i].within(histories)
			out = append(out, all[g.r.IntN(len(all))])
		}
	}
	return out
}

// target is the text of a transition's targets.
func (g *gen) target(source *node) string {
	switch {
	case g.chance(12):
		return ""
	case g.chance(2):
		return "#c"
	case g.chance(8) && source != g.root:
		return g.name(source, source)
	case g.histories && g.chance(12):
		if h := g.historyAbove(source); h != nil {
			return g.name(source, h)
		}
	case g.chance(10):
		if targets := g.together(g.root, true); len(targets) > 1 {
			var texts []string
			for _, t := range targets {
				texts = append(texts, g.name(source, t))
			}
			return strings.Join(texts, " ")
		}
	}
	return g.single(source)
}

// single is any one state; one that ends the session is rare.
func (g *gen) single(source *node) string {
	if len(g.nodes) == 1 {
		return ""
	}
	for {
		t := g.nodes[1+g.r.IntN(len(g.nodes)-1)]
		if t.isFinal() && t.parent == g.root && !g.chance(25) {
			if len(g.nodes) == 2 {
				return ""
			}
			continue
		}
		return g.name(source, t)
	}
}

// name writes a target in one of the forms that reach it.
func (g *gen) name(source, t *node) string {
	forms := []string{g.byID(t)}
	if t.below(source) {
		forms = append(forms, "."+t.pathFrom(source))
	}
	if source != g.root && (t.parent == source.parent || t.below(source.parent)) && t != source.parent {
		if first := t.pathFrom(source.parent); first != "" {
			forms = append(forms, first)
		}
	}
	return forms[g.r.IntN(len(forms))]
}

// byID is "#id" or "#id.path" from the nearest state with an id.
func (g *gen) byID(t *node) string {
	for a := t; a != nil; a = a.parent {
		if a.ID != "" {
			return strings.TrimSuffix("#"+a.ID+"."+t.pathFrom(a), ".")
		}
	}
	return "#c." + t.path()
}

// transitionType draws how far a transition exits.
func (g *gen) transitionType() statechart.TransitionType {
	if g.scxml {
		return pick(g, statechart.External, statechart.External, statechart.Internal, statechart.Local)
	}
	return pick(g, statechart.Local, statechart.Local, statechart.External, statechart.Internal)
}

// historyAbove is a history of one of source's ancestors.
func (g *gen) historyAbove(source *node) *node {
	for a := source.parent; a != nil; a = a.parent {
		if h := g.historyChild(a); h != nil && g.chance(50) {
			return h
		}
	}
	return nil
}
