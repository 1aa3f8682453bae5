package chartgen

import (
	"strconv"

	"github.com/detent-run/detent/statechart"
)

// variable is a declared variable; its kind is what its values mostly are.
type variable struct {
	name, kind string
	owner      *node
	promoted   string // the merge that its promoters use, once there is one
}

var kinds = []string{"int", "int", "int", "list", "bool", "text"}

// data declares variables and promotions, outside in.
func (g *gen) data() {
	if g.typed {
		return
	}
	for _, n := range g.root.within(false) {
		switch {
		case n == g.root:
			g.declare(n, "int", "list", pick(g, kinds...))
		case n.isFinal():
		case g.scopes && g.chance(45):
			g.declare(n, pick(g, kinds...))
			if g.chance(40) {
				g.declare(n, pick(g, kinds...))
			}
		}
	}
	for _, n := range g.root.within(false) {
		if g.scopes && n != g.root && !n.isFinal() && g.chance(45) {
			g.promote(n)
		}
	}
}

func (g *gen) declare(n *node, kinds ...string) {
	for _, kind := range kinds {
		name := ""
		for name == "" || g.lookup(n, name) != nil {
			name = "v" + strconv.Itoa(g.r.IntN(24))
		}
		g.errorsHere(func() {
			n.Context = append(n.Context, statechart.Variable{Name: name, Value: g.initialiser(n, kind)})
		}, n != g.root)
		n.vars = append(n.vars, variable{name: name, kind: kind, owner: n})
	}
}

// errorsHere runs f with failing expressions switched off unless allowed.
func (g *gen) errorsHere(f func(), allowed bool) {
	saved := g.errors
	g.errors = g.errors && allowed
	f()
	g.errors = saved
}

func (g *gen) initialiser(n *node, kind string) any {
	switch {
	case g.chance(60):
		return g.expression(n, nil, kind, 1)
	case kind == "int":
		return g.small()
	case kind == "list":
		return []any{g.small(), "a"}
	case kind == "bool":
		return g.chance(50)
	}
	return "t"
}

// lookup finds a variable that is visible at n.
func (g *gen) lookup(n *node, name string) *variable {
	for a := n; a != nil; a = a.parent {
		for i := range a.vars {
			if a.vars[i].name == name {
				return &a.vars[i]
			}
		}
	}
	return nil
}

// visible lists the variables of a kind that are visible at n; all with "".
func (g *gen) visible(n *node, kind string) []*variable {
	var out []*variable
	for a := n; a != nil; a = a.parent {
		for i := range a.vars {
			if kind == "" || a.vars[i].kind == kind {
				out = append(out, &a.vars[i])
			}
		}
	}
	return out
}

// promote lets n promote into one variable further out, by a merge that
// Compile accepts: those that do not commute have no second promoter, those
// that repeat what a history restores stay away from histories.
func (g *gen) promote(n *node) {
	outer := g.visible(n.parent, "")
	v := outer[g.r.IntN(len(outer))]
	for _, p := range n.Promote {
		if p.Variable == v.name {
			return
		}
	}
	var merge, kind string
	switch v.kind {
	case "int":
		merge, kind = pick(g, "replace", "", "sum", "max", "min"), "int"
	case "list":
		merge, kind = pick(g, "replace", "append", "union"), "list"
		if merge == "append" {
			kind = pick(g, "int", "text")
		}
	default:
		merge, kind = "", v.kind
	}
	commutes := merge == "sum" || merge == "max" || merge == "min" || merge == "union"
	if v.promoted != "" && (v.promoted != merge || !commutes) {
		return
	}
	if (merge == "sum" || merge == "append") && parkable(n) {
		return
	}
	v.promoted = merge
	if merge == "" {
		v.promoted = "replace"
	}
	value := g.expression(n, nil, kind, 2)
	if g.errors && g.chance(8) {
		value = g.expression(n, nil, "text", 1)
	} else if g.chance(8) {
		value = "nil"
	}
	n.Promote = append(n.Promote, statechart.Promotion{Variable: v.name, Value: value, Merge: merge})
}

// parkable reports whether a history above n, or of n, could keep its data.
func parkable(n *node) bool {
	for a := n; a != nil; a = a.parent {
		for _, c := range a.children {
			if c.isHistory() {
				return true
			}
		}
	}
	return false
}
