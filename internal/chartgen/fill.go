package chartgen

import (
	"strconv"

	"github.com/detent-run/detent/statechart"
)

// names are the events of all charts; "zz" is known to few.
var names = []string{"e0", "e1", "e2", "e3", "a", "a.b", "a.b.c"}

// fill gives each state its behaviour.
func (g *gen) fill() {
	for _, n := range g.root.within(true) {
		switch {
		case n.isHistory():
			if n.Initial != "" {
				n.InitialActions = g.actions(n.parent, 20)
			}
		case n.isFinal():
			n.Entry, n.Exit = g.actions(n, 30), g.actions(n, 30)
			if !g.typed && g.chance(60) {
				n.Output = g.value(n, nil)
			}
		default:
			g.fillActive(n)
		}
	}
	if !g.typed && g.chance(30) {
		g.root.Output = g.value(g.root, nil)
	}
	if g.handler {
		g.root.On = append(g.root.On, statechart.Transition{Event: pick(g, "error.execution", "error.*"), Actions: g.actions(g.root, 100)})
	}
}

// fillActive fills an atomic, compound or parallel state.
func (g *gen) fillActive(n *node) {
	descriptor := g.descriptor
	if g.chance(15) {
		descriptor = func() string { return pick(g, "a.*", "a.b.*", "a.b", "a.b.c", "*") } // that overlap
	}
	for range g.r.IntN(4) {
		n.On = append(n.On, g.transition(n, descriptor(), 50))
	}
	if g.chance(50) {
		n.Entry = g.actions(n, 100)
	}
	if g.chance(40) {
		n.Exit = g.actions(n, 100)
	}
	if n.isCompound() {
		n.InitialActions = g.actions(n, 25)
	}
	if g.eventless && g.chance(25) {
		n.Always = append(n.Always, g.always(n))
	}
	if g.done(n) && (g.dones || g.chance(65)) {
		n.OnDone = append(n.OnDone, g.transition(n, "", 25))
		if g.dones && g.chance(60) {
			n.OnDone = []statechart.Transition{{Actions: []statechart.Action{g.mark(n)}}}
		}
	}
	if g.timers {
		g.timed(n)
	}
	if g.invokes && g.chance(30) {
		for range 1 + g.r.IntN(2) {
			n.Invoke = append(n.Invoke, g.invocation(n))
		}
	}
	if g.defers && g.chance(30) {
		n.Defer = []string{pick(g, "e0", "e1", "e2", "a", "a.*", "a.b")}
		if g.chance(30) {
			n.Defer = append(n.Defer, "e3")
		}
	}
}

// done reports whether n's done event can ever come.
func (g *gen) done(n *node) bool {
	if n == g.root {
		return false
	}
	for _, c := range n.states() {
		if c.isFinal() || n.isParallel() {
			return true
		}
	}
	return false
}

// descriptor is what a transition listens to.
func (g *gen) descriptor() string {
	switch k := g.r.IntN(20); {
	case k == 0:
		return "*"
	case k == 1:
		return pick(g, "a.*", "a.b.*")
	case k == 2 && g.raises:
		return pick(g, "r0", "r1")
	case k == 3 && g.scxml:
		return pick(g, "e0 e1", "a.b.* e2", "e", "a.", "* e0")
	case k == 4 && !g.pure:
		return pick(g, "done.*", "error.*", "done.invoke.*", "unknown.*", "progress.*")
	}
	return pick(g, names...)
}

// transition makes one with a guard in so many of 100 cases.
func (g *gen) transition(n *node, event string, guarded int) statechart.Transition {
	t := statechart.Transition{Event: event, Target: g.target(n), Type: g.transitionType()}
	if g.chance(guarded) {
		t.Guard = g.condition(n, 1)
	}
	if g.chance(60) {
		t.Actions = g.actions(n, 100)
	}
	return t
}

// always makes an eventless transition that mostly comes to rest: a guard on
// what its own action changes. One per chart may be without guard, from a
// leaf to a place from which nothing leads back by itself.
func (g *gen) always(n *node) statechart.Transition {
	if target := g.oneWay(n); target != nil && !g.unguarded && g.chance(30) {
		g.unguarded = true
		return statechart.Transition{Target: g.name(n, target), Actions: g.actions(n, 50)}
	}
	t := statechart.Transition{Target: g.target(n), Type: g.transitionType(), Guard: g.condition(n, 1)}
	switch ints := g.assignable(n, "int"); {
	case g.typed && g.chance(85):
		t.Guard = statechart.When("low")
		t.Actions = append(g.actions(n, 40), statechart.Action{Call: "step"})
	case g.chance(85) && len(ints) > 0:
		v := ints[g.r.IntN(len(ints))]
		t.Guard = statechart.Condition{Expression: statechart.Expression("(< " + v.name + " 4)")}
		t.Actions = append(g.actions(n, 40), assign(v.name, "(+ "+v.name+" 1)"))
	case g.chance(60):
		t.Actions = g.actions(n, 100)
	}
	if t.Target == "" && len(t.Actions) == 0 {
		t.Actions = []statechart.Action{g.mark(n)}
	}
	return t
}

// oneWay is a state beside leaf n, below another child of a compound, whose
// entry cannot enter n again.
func (g *gen) oneWay(n *node) *node {
	if len(n.children) > 0 || n == g.root || !n.parent.isCompound() {
		return nil
	}
	for _, s := range n.parent.states() {
		if s != n && !s.isFinal() {
			return s
		}
	}
	return nil
}

// timed gives n timers. Equal delays in one state are avoided.
func (g *gen) timed(n *node) {
	delays := []any{int64(100), "250ms", "short", "long", int64(0), "1.5ms"}
	if !g.typed {
		delays = append(delays, g.delay(n), g.delay(n))
	}
	if len(delays) > 6 && delays[6] == delays[7] {
		delays = delays[:7]
	}
	g.r.Shuffle(len(delays), func(i, j int) { delays[i], delays[j] = delays[j], delays[i] })
	if g.chance(35) {
		for i := range 1 + g.r.IntN(2) {
			n.After = append(n.After, statechart.Timed{Delay: delays[i], Keep: g.chance(35), Transitions: g.offers(n)})
		}
	}
	if g.chance(15) {
		n.Every = append(n.Every, statechart.Timed{Delay: pick[any](g, int64(40), "75ms", "short"),
			Missed: pick(g, "", "", "coalesce", "all", "skip"), Transitions: g.offers(n)})
	}
	if g.chance(8) {
		n.WarnAfter = pick[any](g, int64(60), "90ms")
	}
}

// delay is an expression that yields one; with errors also what is none.
func (g *gen) delay(n *node) any {
	sources := []string{"20", "'35ms'", "'long'", "(float 7)", "(* k0 10)"}
	if g.errors {
		sources = append(sources, "'abc'", "nil", "true")
	}
	if g.chance(40) {
		return statechart.Expression("(* 10 " + g.source(n, nil, "int", 1) + ")")
	}
	return statechart.Expression(pick(g, sources...))
}

// offers are the transitions of a timer or of the end of a call.
func (g *gen) offers(n *node) []statechart.Transition {
	var out []statechart.Transition
	if g.chance(40) {
		out = append(out, g.transition(n, "", 100))
	}
	return append(out, g.transition(n, "", 25))
}

// invocation makes an outside call of a state.
func (g *gen) invocation(n *node) statechart.Invocation {
	inv := g.outside(n)
	if g.chance(60) {
		g.calls++
		inv.ID = "call" + strconv.Itoa(g.calls)
	}
	for _, list := range []*[]statechart.Transition{&inv.OnDone, &inv.OnError, &inv.OnUnknown, &inv.OnProgress} {
		if g.chance(60) {
			*list = g.offers(n)
		}
	}
	return inv
}

// outside is what an invocation and a do have in common.
func (g *gen) outside(n *node) statechart.Invocation {
	inv := statechart.Invocation{Src: "tool:t", Input: g.value(n, nil), Mode: pick(g, "", "at_least_once", "reconcile")}
	if g.typed {
		return inv
	}
	if g.chance(30) {
		inv.Src = g.expression(n, nil, "text", 1)
	}
	if g.errors && g.chance(8) {
		inv.Src = g.expression(n, nil, "int", 1)
	}
	if g.chance(20) {
		inv.Key = g.expression(n, nil, "int", 1)
	}
	if g.chance(20) {
		inv.Timeout = pick[any](g, "30s", int64(500), "long")
	}
	return inv
}
