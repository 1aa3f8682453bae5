package xstate

import (
	"strings"

	"github.com/detent-run/detent/statechart"
)

// target is the text of a transition's targets; "" is none.
func (g *gen) target(source *node) string {
	switch {
	case g.chance(14):
		return ""
	case g.chance(10) && source != g.root:
		return g.name(source, source)
	case g.histories && g.chance(40):
		if h := g.history(source); h != nil {
			return g.name(source, h)
		}
	case g.chance(10):
		if targets := g.together(source); len(targets) > 1 {
			texts := make([]string, len(targets))
			for i, t := range targets {
				texts[i] = g.name(source, t)
			}
			return strings.Join(texts, " ")
		}
	}
	return g.single(source)
}

// single is any one state that a transition from source may go to.
func (g *gen) single(source *node) string {
	for range 20 {
		t := g.nodes[1+g.r.IntN(len(g.nodes)-1)]
		ends := t.isFinal() && t.parent == g.root
		if !t.isHistory() && !(ends && g.chance(60)) && (g.crossing || !crosses(source, t)) {
			return g.name(source, t)
		}
	}
	return ""
}

// crosses reports whether the nearest common ancestor of two states is a
// parallel one below the root.
func crosses(source, t *node) bool {
	a := source.parent
	for a != nil && !t.below(a) {
		a = a.parent
	}
	return a != nil && a.parent != nil && a.isParallel() && !t.below(source)
}

// history is any history state that can be reached without crossing. One
// whose parent source lies in mostly leads back to what is active.
func (g *gen) history(source *node) *node {
	for range 16 {
		h := g.nodes[g.r.IntN(len(g.nodes))]
		if h.isHistory() && (g.crossing || !crosses(source, h) && !source.below(h.parent)) {
			return h
		}
	}
	return nil
}

// together lists states in different regions of one parallel that source is
// not in (R17).
func (g *gen) together(source *node) []*node {
	var parallels []*node
	for _, p := range g.nodes {
		if p.isParallel() && len(p.states()) > 1 && (!source.below(p) || g.crossing) {
			parallels = append(parallels, p)
		}
	}
	if len(parallels) == 0 {
		return nil
	}
	regions := parallels[g.r.IntN(len(parallels))].states()
	var out []*node
	for _, i := range g.r.Perm(len(regions)) {
		if len(out) < 2 || g.chance(50) {
			all := regions[i].within()
			out = append(out, all[g.r.IntN(len(all))])
		}
	}
	return out
}

// name writes a target in one of the forms that reach it.
func (g *gen) name(source, t *node) string {
	forms := []string{g.byID(t)}
	if t.below(source) {
		forms = append(forms, "."+t.pathFrom(source))
	}
	if source != g.root && (t.parent == source.parent || t.below(source.parent)) && t != source.parent {
		forms = append(forms, t.pathFrom(source.parent))
	}
	return pick(g, forms...)
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

// transitionType draws how far a transition with a target exits. With
// reenter it also leaves its source, which is crossing where that is a
// region.
func (g *gen) transitionType(source *node, target string) statechart.TransitionType {
	region := source.parent != nil && source.parent.isParallel() && source.parent.parent != nil
	if target != "" && g.chance(25) && (g.crossing || !region) {
		return statechart.External
	}
	return statechart.Local
}
