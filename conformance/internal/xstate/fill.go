package xstate

import (
	"slices"
	"strconv"

	"github.com/detent-run/detent/statechart"
)

// declare declares the variables of the root, and some below it.
func (g *gen) declare() {
	g.root.Context = []statechart.Variable{
		{Name: "n", Value: statechart.Expression("input.n")},
		{Name: "m", Value: g.small()},
		{Name: "b", Value: g.chance(50)},
		{Name: "s", Value: "x"},
		{Name: "l", Value: []any{g.small(), g.small()}},
		{Name: "o", Value: map[string]any{"k": map[string]any{"n": g.small()}}},
		{Name: "marks", Value: []any{}},
	}
	count := 0
	for _, n := range g.root.within() {
		if g.locals && n != g.root && !n.isFinal() && !g.parked(n) && g.chance(30) {
			count++
			name := "v" + strconv.Itoa(count)
			n.Context = []statechart.Variable{{Name: name, Value: g.expression(n, nil, "int", 1)}}
			n.vars = append(n.vars, name)
		}
	}
}

// parked reports whether a history may keep the variables of n.
func (g *gen) parked(n *node) bool {
	for a := n; a != nil; a = a.parent {
		for _, c := range a.children {
			if c.isHistory() {
				return true
			}
		}
	}
	return false
}

// fill gives each state its behaviour.
func (g *gen) fill() {
	for _, n := range g.nodes {
		switch {
		case n.isHistory():
		case n.isFinal():
			n.Entry, n.Exit = g.actions(n, 35), g.exit(n, 20)
			if g.chance(60) {
				n.Output = g.value(n, nil)
			}
		default:
			g.fillActive(n)
		}
	}
	if g.failing && g.chance(97) {
		g.failing = false // so that the handler comes to an end
		g.root.On = append(g.root.On, statechart.Transition{Event: pick(g, "error.execution", "error.*"), Actions: append(g.actions(g.root, 100), g.mark(g.root))})
		g.failing = true
	}
	if g.output {
		g.blind = true
		g.root.Output = g.value(g.root, nil)
		g.blind = false
	}
}

// fillActive fills an atomic, compound or parallel state.
func (g *gen) fillActive(n *node) {
	count := 1 + g.r.IntN(4)
	if g.holdsRegions(n) {
		if count = 0; g.chance(20) { // or many scripts end by RowAncestors
			count = 1
		}
	}
	for range count {
		n.On = append(n.On, g.transition(n, g.descriptor(), 45))
	}
	if g.chance(15) {
		if e := g.heardAbove(n); !n.listens(e) {
			n.On = append(n.On, statechart.Transition{Event: e}) // forbidden
		}
	}
	n.Entry, n.Exit = g.actions(n, 50), g.exit(n, 40)
	if n.isCompound() && g.initials && (g.crossing || !g.beside(n)) {
		n.InitialActions = g.actions(n, 30)
	}
	if g.eventless && g.chance(25) {
		n.Always = append(n.Always, g.always(n))
	}
	if n != g.root && g.done(n) && g.chance(70) {
		n.OnDone = append(n.OnDone, g.transition(n, "", 20))
	}
	if g.timers {
		g.timed(n)
	}
	if g.invokes && g.chance(30) {
		for range 1 + g.r.IntN(2) {
			n.Invoke = append(n.Invoke, g.invocation(n))
		}
	}
}

// heardAbove is an event, one that a state above n takes if there is such a
// state.
func (g *gen) heardAbove(n *node) string {
	for a := n.parent; a != nil; a = a.parent {
		for _, t := range a.On {
			if slices.Contains(events, t.Event) && g.chance(60) {
				return t.Event
			}
		}
	}
	return pick(g, events...)
}

// holdsRegions reports whether n is a parallel state or above one.
func (g *gen) holdsRegions(n *node) bool {
	return slices.ContainsFunc(n.within(), (*node).isParallel)
}

// beside reports whether XState may forget the actions of n's initial: n is a
// region, or a history may restore it, or takes that initial.
func (g *gen) beside(n *node) bool {
	return slices.ContainsFunc(n.children, (*node).isHistory) || n.parent != nil && (n.parent.isParallel() || slices.ContainsFunc(n.parent.children, (*node).isHistory))
}

// done reports whether n's done event can ever come.
func (g *gen) done(n *node) bool {
	for _, c := range n.states() {
		if c.isFinal() || n.isParallel() {
			return true
		}
	}
	return false
}

// transition makes one with a guard in so many of 100 cases.
func (g *gen) transition(n *node, event string, guarded int) statechart.Transition {
	t := statechart.Transition{Event: event, Target: g.target(n)}
	t.Type = g.transitionType(n, t.Target)
	if g.chance(guarded) {
		t.Guard = g.guard(n)
	}
	t.Actions = g.actions(n, 60)
	if t.Target == "" && len(t.Actions) == 0 {
		t.Actions = []statechart.Action{g.mark(n)}
	}
	return t
}

// always makes an eventless transition that comes to rest: its own action
// uses up what its guard asks for. Few have a target and no guard.
func (g *gen) always(n *node) statechart.Transition {
	t := statechart.Transition{Target: g.target(n)}
	t.Type = g.transitionType(n, t.Target)
	if t.Target != "" && len(n.children) == 0 && g.chance(15) {
		t.Actions = g.actions(n, 40)
		return t
	}
	v := pick(g, "n", "m")
	t.Guard = statechart.Condition{Expression: statechart.Expression(v + " > " + pick(g, "3", "4", "5"))}
	if g.chance(35) {
		t.Guard = statechart.Condition{And: []statechart.Condition{t.Guard, g.guard(n)}}
	}
	t.Actions = append(g.actions(n, 50), assign(v, "0"))
	return t
}

// timed gives n timers, no two with one delay.
func (g *gen) timed(n *node) {
	if !g.chance(35) {
		return
	}
	delays := []any{int64(10), "30ms", "short", "long", int64(0), "1.5ms",
		statechart.Expression("10 * " + g.source(n, nil, "int", 1)), statechart.Expression("5 + " + g.source(n, nil, "int", 0))}
	g.r.Shuffle(len(delays), func(i, j int) { delays[i], delays[j] = delays[j], delays[i] })
	for i := range 1 + g.r.IntN(2) {
		n.After = append(n.After, statechart.Timed{Delay: delays[i], Transitions: g.offers(n)})
	}
}

// offers are the transitions of a timer or of the end of a call.
func (g *gen) offers(n *node) []statechart.Transition {
	var out []statechart.Transition
	if g.chance(40) {
		out = append(out, g.transition(n, "", 100))
	}
	return append(out, g.transition(n, "", 25))
}

// invocation makes an outside call of a state. An error that nothing takes
// ends a session in both, which teaches little.
func (g *gen) invocation(n *node) statechart.Invocation {
	g.calls++
	v := statechart.Invocation{ID: "call" + strconv.Itoa(g.calls), Src: pick[any](g, "work", "ask")}
	if g.chance(70) {
		failing := g.failing
		g.failing = false // XState ends with an input that fails
		v.Input = g.value(n, nil)
		g.failing = failing
	}
	if g.chance(75) {
		v.OnDone = g.offers(n)
	}
	if g.chance(90) {
		v.OnError = append(g.offers(n), g.transition(n, "", 0))
	}
	return v
}
