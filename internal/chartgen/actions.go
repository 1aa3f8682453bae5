package chartgen

import (
	"strconv"

	"github.com/detent-run/detent/statechart"
)

// actions is a list of up to three, in so many of 100 cases.
func (g *gen) actions(n *node, percent int) []statechart.Action {
	if !g.chance(percent) {
		return nil
	}
	var out []statechart.Action
	for range 1 + g.r.IntN(3) {
		out = append(out, g.action(n, nil, 2))
	}
	return out
}

// mark is an action that shows when it ran.
func (g *gen) mark(n *node) statechart.Action {
	if g.typed {
		return statechart.Action{Call: markName(g.r.IntN(marks))}
	}
	return statechart.Action{Log: "m" + strconv.Itoa(g.r.IntN(100)), Level: pick(g, "", "debug")}
}

func assign(name, source string) statechart.Action {
	return statechart.Action{Assign: []statechart.Variable{{Name: name, Value: statechart.Expression(source)}}}
}

// assignable lists the visible variables of a kind that may be written.
func (g *gen) assignable(n *node, kind string) []*variable { return g.visible(n, kind) }

func (g *gen) action(n *node, locals []string, depth int) statechart.Action {
	if g.typed && (g.pure || g.chance(70)) {
		if g.raises && g.chance(12) {
			return statechart.Action{Raise: pick(g, "r0", "r1", "e1")}
		}
		if g.errors && g.chance(8) {
			return statechart.Action{Call: "mayfail"}
		}
		return g.mark(n)
	}
	if depth > 0 && g.chance(22) {
		return g.nested(n, locals, depth-1)
	}
	if g.typed || g.chance(35) {
		return g.effect(n, locals)
	}
	switch k := g.r.IntN(10); {
	case k < 5:
		return g.assignment(n, locals)
	case k < 7:
		return g.mark(n)
	case k == 7 && g.raises:
		return statechart.Action{Raise: pick(g, "r0", "r1", "e1", "a.b"), Data: g.value(n, locals)}
	case k == 8:
		return g.registered(n, locals)
	}
	return statechart.Action{Append: pick(g, "rows0", "rows1"), Data: g.value(n, locals)}
}

// assignment writes one to three variables at once.
func (g *gen) assignment(n *node, locals []string) statechart.Action {
	var a statechart.Action
	vars := g.visible(n, "")
	for _, i := range g.r.Perm(len(vars))[:min(len(vars), 1+g.r.IntN(3))] {
		v := vars[i]
		a.Assign = append(a.Assign, statechart.Variable{Name: v.name, Value: g.expression(n, locals, v.kind, 2)})
	}
	return a
}

// registered calls one of the registered actions.
func (g *gen) registered(n *node, locals []string) statechart.Action {
	ints := g.assignable(n, "int")
	switch {
	case g.errors && g.chance(15):
		return statechart.Action{Call: "boom"}
	case g.raises && g.chance(25):
		return statechart.Action{Call: "shout", Params: map[string]any{"event": pick(g, "r0", "r1", "e2")}}
	}
	v := ints[g.r.IntN(len(ints))]
	return statechart.Action{Call: "bump", Params: map[string]any{"variable": v.name, "by": g.expression(n, locals, "int", 1)}}
}

// effect is an action that only asks the host for something.
func (g *gen) effect(n *node, locals []string) statechart.Action {
	switch k := g.r.IntN(10); {
	case k < 2:
		return statechart.Action{Emit: pick(g, "seen", "done"), Data: g.value(n, locals)}
	case k < 4:
		return statechart.Action{Log: "here", Level: pick(g, "", "warn")}
	case k < 6:
		return g.send(n, locals)
	case k == 6 && g.timers:
		return statechart.Action{Raise: pick(g, "r0", "e2"), Delay: g.anyDelay(n), ID: g.sendID(), Data: g.value(n, locals)}
	case k == 7 && (g.timers || g.invokes):
		return statechart.Action{Cancel: pick[any](g, "s0", "s1", "job")}
	case k >= 8 && g.invokes:
		inv := g.outside(n)
		inv.ID = pick(g, "", "job", "job2")
		return statechart.Action{Do: &inv}
	}
	return g.send(n, locals)
}

func (g *gen) send(n *node, locals []string) statechart.Action {
	a := statechart.Action{Send: pick(g, names...), Data: g.value(n, locals), ID: g.sendID()}
	a.To = pick[any](g, nil, "self", "parent", "other-session")
	if g.scxml {
		a.To = pick[any](g, nil, "#_internal", "#_parent", "#_scxml_other-session")
		if a.To == "#_internal" {
			return a
		}
	}
	if !g.typed && g.chance(15) {
		a.To = g.expression(n, locals, "text", 1)
	}
	if g.timers && g.chance(50) {
		a.Delay = g.anyDelay(n)
	}
	return a
}

func (g *gen) sendID() any { return pick[any](g, nil, "s0", "s1") }

func (g *gen) anyDelay(n *node) any {
	if !g.typed && g.chance(30) {
		return g.delay(n)
	}
	return pick[any](g, int64(30), "45ms", "short", "2s")
}

// nested is an if, a foreach or a block.
func (g *gen) nested(n *node, locals []string, depth int) statechart.Action {
	list := func(locals []string) []statechart.Action {
		out := []statechart.Action{g.action(n, locals, depth)}
		if g.chance(40) {
			out = append(out, g.action(n, locals, depth))
		}
		return out
	}
	switch k := g.r.IntN(3); {
	case k == 0 && !g.typed:
		as, index := "it"+strconv.Itoa(len(locals)), "ix"+strconv.Itoa(len(locals))
		return statechart.Action{Foreach: g.expression(n, locals, "list", 1), As: as, Index: index, Then: list(append(locals, as, index))}
	case k == 1:
		return statechart.Action{Block: list(locals)}
	}
	c := g.condition(n, 1)
	a := statechart.Action{If: &c, Then: list(locals)}
	if g.chance(50) {
		a.Else = list(locals)
	}
	return a
}
