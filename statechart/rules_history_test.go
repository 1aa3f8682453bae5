package statechart_test

import (
	"fmt"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// remembering is a state w with three levels, and the two kinds of history
// in it. Outside, "deep" and "shallow" restore it, "anew" enters it.
func remembering() State {
	return State{Initial: "w", States: []State{
		{Name: "w", Initial: "a", On: []Transition{on("leave", "out")}, States: []State{
			{Name: "deep", Type: statechart.History, History: "deep"},
			{Name: "shallow", Type: statechart.History},
			{Name: "a"},
			{Name: "c", Initial: "c1", States: []State{{Name: "c1"}, {Name: "c2"}}},
			{Name: "p", Type: statechart.Parallel, States: []State{
				{Name: "r", Initial: "r1", States: []State{{Name: "r1", On: []Transition{on("r", "r2")}}, {Name: "r2"}}},
				{Name: "s", Initial: "s1", States: []State{{Name: "s1"}, {Name: "s2"}}},
			}},
		}},
		{Name: "out", On: []Transition{on("deep", "w.deep"), on("shallow", "w.shallow"), on("anew", "w"),
			on("to.c2", "w.c.c2"), on("to.s2", "w.p.s.s2")}},
	}}
}

// R15: deep history keeps leaves, shallow the direct children.
func TestR15_DeepAndShallow(t *testing.T) {
	for _, c := range []struct {
		before, restore string
		want            []string
	}{
		{"anew", "deep", []string{"w.a"}},
		{"anew", "shallow", []string{"w.a"}},
		{"to.c2", "deep", []string{"w.c.c2"}},
		{"to.c2", "shallow", []string{"w.c.c1"}},
		{"to.s2", "deep", []string{"w.p.r.r1", "w.p.s.s2"}},
		{"to.s2", "shallow", []string{"w.p.r.r1", "w.p.s.s1"}},
	} {
		in := root(t, remembering())
		send(t, in, "leave", c.before, "leave", c.restore)
		wantActive(t, in, c.want...)
		checkLegal(t, in)
	}
}

// R15 (own): history is recorded on every exit, not only the first; also on
// one by a transition of an ancestor, and after an entry that did not go
// through it.
func TestR15_RecordedOnEveryExit(t *testing.T) {
	in := root(t, remembering())
	for _, c := range []struct {
		enter string
		want  []string
	}{
		{"to.c2", []string{"w.c.c2"}},
		{"to.s2", []string{"w.p.r.r1", "w.p.s.s2"}},
		{"anew", []string{"w.a"}},
		{"to.c2", []string{"w.c.c2"}},
	} {
		send(t, in, "leave", c.enter, "leave", "deep")
		wantActive(t, in, c.want...)
	}
	send(t, in, "leave", "deep")
	wantActive(t, in, "w.c.c2")
}

// R15: only an exit of the parent records: what moves below it does not.
func TestR15_OnlyExitsOfTheParentRecord(t *testing.T) {
	in := root(t, State{Initial: "w", States: []State{{Name: "w", Initial: "a", States: []State{
		{Name: "h", Type: statechart.History, Initial: "z"},
		{Name: "a", On: []Transition{on("next", "b")}},
		{Name: "b", On: []Transition{on("h", "h")}},
		{Name: "z"},
	}}}})
	send(t, in, "next", "h")
	wantActive(t, in, "w.z") // nothing was recorded: the default
}

// R15: while nothing is recorded the default is taken: the history's own,
// else the parent's initial, else (of a parallel) all regions.
func TestR15_Default(t *testing.T) {
	for _, c := range []struct {
		history State
		kind    statechart.StateType
		want    []string
	}{
		{State{}, "", []string{"w.x.x1"}},
		{State{History: "deep"}, "", []string{"w.x.x1"}},
		{State{Initial: "y"}, "", []string{"w.y.y1"}},
		{State{Initial: "y.y2", History: "deep"}, "", []string{"w.y.y2"}},
		{State{}, statechart.Parallel, []string{"w.x.x1", "w.y.y1"}},
		{State{Initial: "y.y2"}, statechart.Parallel, []string{"w.x.x1", "w.y.y2"}},
		{State{Initial: "y.y2 x.x2", History: "deep"}, statechart.Parallel, []string{"w.x.x2", "w.y.y2"}},
	} {
		t.Run(fmt.Sprint(c.kind, c.history.Initial, c.history.History), func(t *testing.T) {
			h := c.history
			h.Name, h.Type = "h", statechart.History
			part := func(name string) State {
				return State{Name: name, Initial: name + "1", States: []State{{Name: name + "1"}, {Name: name + "2"}}}
			}
			w := State{Name: "w", Type: c.kind, Initial: "x", States: []State{part("x"), h, part("y")}}
			if c.kind == statechart.Parallel {
				w.Initial = ""
			}
			in := root(t, State{Initial: "out", States: []State{{Name: "out", On: []Transition{on("go", "w.h")}}, w}})
			send(t, in, "go")
			wantActive(t, in, c.want...)
			checkLegal(t, in)
		})
	}
}

// R15: a history inside what another one restores is used as well, and only
// then.
func TestR15_NestedHistories(t *testing.T) {
	in := root(t, State{Initial: "w", States: []State{
		{Name: "w", Initial: "c", On: []Transition{on("leave", "out")}, States: []State{
			{Name: "h", Type: statechart.History},
			{Name: "c", Initial: "h", States: []State{
				{Name: "h", Type: statechart.History, Initial: "c1"},
				{Name: "c1", On: []Transition{on("next", "c2")}}, {Name: "c2"}}},
		}},
		{Name: "out", On: []Transition{on("back", "w.h"), on("c1", "w.c.c1")}},
	}})
	send(t, in, "next", "leave", "back")
	wantActive(t, in, "w.c.c2") // w's shallow history restores c, whose initial is its history
	send(t, in, "leave", "c1")
	wantActive(t, in, "w.c.c1")
}

// R16 (own): the domain of a transition to a history follows from the states
// it resolves to: the source stays when they all lie in it, a local
// transition to a history that stands for the source exits nothing, and what
// is recorded may change it.
func TestR16_DomainOfAHistoryTarget(t *testing.T) {
	chart := func() *Instance {
		in := root(t, State{Initial: "w", States: []State{
			loud("w", State{Initial: "c", On: []Transition{on("leave", "out"), on("h", ".h"), on("next", ".c.c2")}, States: []State{
				{Name: "h", Type: statechart.History, History: "deep", Initial: "d"},
				loud("c", State{Initial: "c1", States: []State{
					loud("c1", State{On: []Transition{on("in", "#c.w.h", say("!"))}}),
					loud("c2", State{On: []Transition{on("in", "#c.w.h", say("!"))}})}}),
				loud("d", State{}),
			}}),
			loud("out", State{On: []Transition{on("back", "w.h"), on("w", "w")}}),
		}})
		return in
	}
	in := chart()
	send(t, in, "in") // nothing is recorded: d, so the domain is w
	wantMarks(t, in, "-c1 -c ! +d")
	in = chart()
	send(t, in, "next", "leave", "back", "in") // c2 itself
	wantMarks(t, in, "!")
	in = chart()
	send(t, in, "next", "leave", "w", "in") // c2, from c1: the domain is c
	wantMarks(t, in, "-c1 ! +c2")
	in = chart()
	send(t, in, "next", "h") // the default, local: w stays
	wantMarks(t, in, "-c2 -c +d")
	in = chart()
	send(t, in, "leave", "back")
	wantMarks(t, in, "-out +w +c +c1")
}

// R16 (own): and so do conflicts: a transition that its history resolves to
// a source's own region leaves the other region's alone.
func TestR16_ConflictsOfAHistoryTarget(t *testing.T) {
	in := root(t, State{Initial: "w", States: []State{
		loud("w", State{Type: statechart.Parallel, On: []Transition{on("leave", "out")}, States: []State{
			loud("p", State{Initial: "a", States: []State{
				{Name: "h", Type: statechart.History},
				loud("a", State{On: []Transition{on("e", "h"), on("next", "b")}}),
				loud("b", State{On: []Transition{on("e", "h", say("!b"))}}),
			}}),
			loud("q", State{Initial: "x", States: []State{loud("x", State{On: []Transition{on("e", "y", say("!x"))}}), loud("y", State{})}}),
		}}),
		loud("out", State{On: []Transition{on("back", "w.p.b")}}),
	}})
	send(t, in, "next", "leave", "back", "e") // b was recorded
	wantMarks(t, in, "-x !b !x +y")
	wantActive(t, in, "w.p.b", "w.q.y")
}

// R17: several targets are legal only in different regions of one parallel
// state; none above another, none under the parent of another's history.
func TestR17_Targets(t *testing.T) {
	region := func(name string) State {
		return State{Name: name, Initial: name + "1", States: []State{
			{Name: "h", Type: statechart.History}, {Name: name + "1"}, {Name: name + "2"}}}
	}
	for target, legal := range map[string]bool{
		"#c.w.p.p1 #c.w.q.q1":             true,
		"#c.w.q #c.w.p":                   true,
		"#c.w.p.h #c.w.q.h":               true,
		"#c.w.p.p1 #c.w.q #c.w.n.u.u1":    true,
		"#c.w.n.u.u1 #c.w.n.v.v2":         true,
		"#c.w.p.p1 #c.w.n":                true,
		"#c.w.p.p1 #c.w.p.p2":             false, // one region
		"#c.w.p #c.w.p.p1":                false, // an ancestor
		"#c.w #c.w.p.p1":                  false,
		"#c.w.p.h #c.w.p.p1":              false, // under the history's parent
		"#c.w.h #c.w.q.q1":                false,
		"#c.w.h #c.w.p.h":                 false,
		"#c.w.p.p1 #c.out":                false, // the region between is compound
		"#c.w.p.p1 #c.w.q.q1 #c.w.q.q2":   false,
		"#c.w.n.u.u1 #c.w.n.v.v1 #c.w.n":  false,
		"#c.w.n.u.u1 #c.w.p.h #c.w.n.u.h": false,
	} {
		w := State{Name: "w", Type: statechart.Parallel, States: []State{region("p"), region("q"), {Name: "h", Type: statechart.History},
			{Name: "n", Type: statechart.Parallel, States: []State{region("u"), region("v")}}}}
		d := Definition{ID: "c", Root: State{Initial: "out", States: []State{{Name: "out", On: []Transition{on("go", target)}}, w}}}
		if legal {
			in := start(t, d)
			send(t, in, "go")
			checkLegal(t, in)
			continue
		}
		for _, e := range errorsOf(t, d, nil) {
			if e.Code != statechart.CodeTargets || e.Path != "root.states.out.on[0].target" {
				t.Errorf("%s: %v", target, e)
			}
		}
	}
}

// R16: a history can stand for states below the source, and the domain then
// lies below the history's parent; regions that were not left are not entered
// again.
func TestR16_DomainBelowTheHistorysParent(t *testing.T) {
	in := root(t, State{Initial: "p", States: []State{
		{Name: "p", Type: statechart.Parallel, States: []State{
			{Name: "m", Initial: "m1", InitialActions: []Action{say("init")}, States: []State{{Name: "m1", On: []Transition{on("go", "m2")}}, {Name: "m2"}}},
			{Name: "n", Initial: "n1", States: []State{{Name: "n1"}, {Name: "n2"}}, On: []Transition{on("e", "#c.h")}},
		}},
		{Name: "h", Type: statechart.History, Initial: "p.n.n2"},
	}})
	wantTold(t, in, "go", "taken")
	wantTold(t, in, "e", "taken")
	wantActive(t, in, "p.m.m2", "p.n.n2")
	wantMarks(t, in, "")
}
