package xstate

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
	if g.chance(30) && !g.calm {
		out = append(out, g.call(n)) // only what comes first is sure to run in XState
	}
	for range 1 + g.r.IntN(3) {
		out = append(out, g.action(n, nil, 2)...)
	}
	return out
}

// exit is the block of a state that is left. Where the root has an output it
// changes no data: XState makes that output before the last exits.
func (g *gen) exit(n *node, percent int) []statechart.Action {
	g.calm = g.output
	defer func() { g.calm = false }()
	return g.actions(n, percent)
}

// call calls a registered action.
func (g *gen) call(n *node) statechart.Action {
	if g.chance(65) {
		return statechart.Action{Call: "mark", Params: map[string]any{"as": g.expression(n, nil, "int", 1)}}
	}
	return statechart.Action{Call: "bump", Params: map[string]any{"variable": pick[any](g, "n", "m"), "by": g.expression(n, nil, "int", 1)}}
}

// mark is an action that shows when it ran.
func (g *gen) mark(n *node) statechart.Action {
	return statechart.Action{Log: map[string]any{"mark": int64(g.r.IntN(100)), "is": g.expression(n, nil, pick(g, "int", "bool", "text"), 1)}}
}

func assign(name, source string) statechart.Action {
	return statechart.Action{Assign: []statechart.Variable{{Name: name, Value: statechart.Expression(source)}}}
}

func one(a statechart.Action) []statechart.Action { return []statechart.Action{a} }

// action makes one action, or a few that belong together.
func (g *gen) action(n *node, locals []string, depth int) []statechart.Action {
	if depth > 0 && g.chance(15) {
		return one(g.nested(n, locals, depth-1))
	}
	switch k := g.r.IntN(20); {
	case k < 6 && !g.calm:
		return one(g.assignment(n, locals))
	case k < 12 && g.raises:
		return one(statechart.Action{Raise: pick(g, raised...), Data: g.payload(n, locals)})
	case k < 14 && g.sending:
		return one(statechart.Action{Send: pick(g, sent...), Data: g.payload(n, locals)})
	case k < 16 && g.sending:
		return g.delayed(n, locals)
	case k < 17 && g.sending:
		return one(statechart.Action{Cancel: g.sendID()})
	case k < 18:
		return one(statechart.Action{Emit: pick[any](g, "out0", "out1"), Data: g.payload(n, locals)})
	}
	return one(g.mark(n))
}

// nested is a choice or a loop.
func (g *gen) nested(n *node, locals []string, depth int) statechart.Action {
	if g.chance(30) {
		locals = append(append([]string{}, locals...), "item"+strconv.Itoa(depth), "at"+strconv.Itoa(depth))
		a := statechart.Action{Foreach: g.expression(n, nil, "list", 1), As: locals[len(locals)-2], Then: g.action(n, locals, depth)}
		if a.Index = ""; g.chance(50) {
			a.Index = locals[len(locals)-1]
		} else {
			a.Then = g.action(n, locals[:len(locals)-1], depth)
		}
		return a
	}
	c := g.condition(n, locals, 1)
	a := statechart.Action{If: &c, Then: g.action(n, locals, depth)}
	if g.chance(60) {
		a.Else = g.action(n, locals, depth)
	}
	return a
}

// assignment writes one or two variables.
func (g *gen) assignment(n *node, locals []string) statechart.Action {
	var a statechart.Action
	used := map[string]bool{}
	for range 1 + g.r.IntN(2) {
		kind := pick(g, "int", "int", "int", "bool", "text", "list", "object")
		name := pick(g, variables[kind]...)
		if own := g.visible(n); kind == "int" && len(own) > 0 && g.chance(50) {
			name = pick(g, own...)
		}
		if !used[name] {
			used[name] = true
			a.Assign = append(a.Assign, statechart.Variable{Name: name, Value: g.expression(n, locals, kind, 2)})
		}
	}
	return a
}

// delayed is an event that comes later, mostly under an id that was freed
// before.
func (g *gen) delayed(n *node, locals []string) []statechart.Action {
	a := statechart.Action{Delay: pick[any](g, int64(5), "10ms", "short", "long", statechart.Expression("10 * "+g.source(n, locals, "int", 0)))}
	if g.chance(50) {
		a.Raise = pick(g, raised...)
	} else {
		a.Send = pick(g, sent...)
	}
	a.Data = g.payload(n, locals)
	if g.chance(25) {
		return one(a) // without id
	}
	id := g.sendID()
	if a.ID = id; g.sloppy {
		return one(a)
	}
	return []statechart.Action{{Cancel: id}, a}
}

// sendID is one of few ids, so that cancels find something.
func (g *gen) sendID() string { return pick(g, "t0", "t1", "t2") }
