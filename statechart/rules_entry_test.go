package statechart_test

import (
	"strings"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// nest is a compound state w (leaves a and b, and a compound c), a parallel
// state p (regions r and s), and a state out. Entries and exits are heard;
// and so is it when an initial is taken. The transition for "e" is that of
// the state at source.
func nest(initial, source string, e Transition) State {
	e.Event = "e"
	e.Actions = append(e.Actions, say("!"))
	at := func(path string, s State) State {
		if path == source {
			s.On = append(s.On, e)
		}
		name := path[strings.LastIndexByte(path, '.')+1:]
		if s.Initial != "" {
			s.InitialActions = []Action{say(name + ">")}
		}
		return loud(name, s)
	}
	s := State{Initial: initial, Context: vars("kept", int64(0)), States: []State{
		at("out", State{}),
		at("w", State{Initial: "a", States: []State{
			at("w.a", State{}),
			at("w.b", State{}),
			at("w.c", State{Initial: "c1", States: []State{at("w.c.c1", State{}), at("w.c.c2", State{})}}),
		}}),
		at("p", State{Type: statechart.Parallel, States: []State{
			at("p.r", State{Initial: "r1", States: []State{at("p.r.r1", State{}), at("p.r.r2", State{})}}),
			at("p.s", State{Initial: "s1", States: []State{at("p.s.s1", State{}), at("p.s.s2", State{})}}),
		}}),
	}}
	if source == "" {
		s.On = []Transition{e}
	}
	s.InitialActions = []Action{say("root>")}
	s.Entry, s.Exit = []Action{say("+root")}, []Action{say("-root")}
	return s
}

// R9: what a transition leaves and enters, by its type. "->" stands for a
// target that is the source itself.
func TestR09_Domain(t *testing.T) {
	const local, external, internal = statechart.Local, statechart.External, statechart.Internal
	for _, c := range []struct {
		initial, source string
		kind            statechart.TransitionType
		target, want    string
	}{
		// From a compound state to a child.
		{"w", "w", local, ".b", "-a ! +b"},
		{"w", "w", external, ".b", "-a -w ! +w +b"},
		{"w", "w", internal, ".b", "-a ! +b"},
		{"w", "w", local, ".c", "-a ! +c c> +c1"},
		{"w", "w", local, ".c.c2", "-a ! +c +c2"},
		{"w", "w", external, ".c.c2", "-a -w ! +w +c +c2"},
		// To itself.
		{"w", "w", local, "w", "-a ! w> +a"},
		{"w", "w", external, "w", "-a -w ! +w w> +a"},
		{"w", "w", internal, "w", "-a -w ! +w w> +a"},
		{"w", "w.a", local, "a", "!"},
		{"w", "w.a", external, "a", "-a ! +a"},
		{"w", "w.a", internal, "a", "-a ! +a"},
		{"p", "p", local, "p", "-s1 -s -r1 -r ! +r r> +r1 +s s> +s1"},
		{"p", "p", external, "p", "-s1 -s -r1 -r -p ! +p +r r> +r1 +s s> +s1"},
		{"p", "p", internal, "p", "-s1 -s -r1 -r -p ! +p +r r> +r1 +s s> +s1"},
		// From a parallel state into a region.
		{"p", "p", local, ".r.r2", "-s1 -s -r1 -r ! +r +r2 +s s> +s1"},
		{"p", "p", internal, ".r.r2", "-s1 -s -r1 -r -p ! +p +r +r2 +s s> +s1"},
		// Beside and upward.
		{"w", "w.a", local, "b", "-a ! +b"},
		{"w", "w.a", external, "b", "-a ! +b"},
		{"w", "w.a", local, "#c.w", "-a -w ! +w w> +a"},
		{"w", "w.a", local, "#c.out", "-a -w ! +out"},
		{"w", "w.a", internal, "#c.w.c.c2", "-a ! +c +c2"},
		// Within a region, and across: never only a parallel's children.
		{"p", "p.r.r1", local, "r2", "-r1 ! +r2"},
		{"p", "p.r", local, ".r2", "-r1 ! +r2"},
		{"p", "p.r", external, ".r2", "-s1 -s -r1 -r -p ! +p +r +r2 +s s> +s1"},
		{"p", "p.r.r1", local, "#c.p.s.s2", "-s1 -s -r1 -r -p ! +p +r r> +r1 +s +s2"},
		{"p", "p.r.r1", local, "r2 #c.p.s.s2", "-s1 -s -r1 -r -p ! +p +r +r2 +s +s2"},
		// The root stays, whatever the type.
		{"w", "", local, ".w.b", "-a -w ! +w +b"},
		{"w", "", external, ".w.b", "-a -w ! +w +b"},
		{"w", "", local, "#c", "-a -w ! root> +out"},
		{"w", "", external, "#c", "-a -w ! root> +out"},
	} {
		kind := string(c.kind)
		if kind == "" {
			kind = "local"
		}
		t.Run(strings.Join([]string{kind, c.source, "to", c.target}, " "), func(t *testing.T) {
			s := nest(c.initial, c.source, Transition{Target: c.target, Type: c.kind})
			if c.target == "#c" {
				s.Initial, s.On = "out", append(s.On, on("first", ".w"))
			}
			in := root(t, s)
			if c.target == "#c" {
				send(t, in, "first")
			}
			wantTold(t, in, "e", "taken")
			wantMarks(t, in, c.want)
			checkLegal(t, in)
		})
	}
}

// R9: reenter on the root restarts its children; its data, timers and calls
// stay as they are.
func TestR09_TheRootStays(t *testing.T) {
	in := root(t, State{Initial: "a", Context: vars("n", int64(1)),
		After: []Timed{{Delay: 100}}, Invoke: []Invocation{{ID: "call", Src: "x"}},
		On:     []Transition{{Event: "again", Target: "#c", Type: statechart.External}, on("set", "", assign("n", int64(7)))},
		States: []State{{Name: "a", On: []Transition{on("next", "b")}, Context: vars("m", int64(0))}, {Name: "b"}}})
	send(t, in, "set", "next", "again")
	wantActive(t, in, "a")
	wantVar(t, in, "", "n", int64(7))
	wantAsked(t, in)
	if len(in.Live()) != 1 || len(in.Timers()) != 1 {
		t.Errorf("calls %v, timers %v", in.Live(), in.Timers())
	}
}

// R10: without a target nothing is exited: no block, timer, call or data is
// touched, but the actions run.
func TestR10_Targetless(t *testing.T) {
	in := root(t, State{Initial: "w", States: []State{
		loud("w", State{Initial: "a", Context: vars("n", int64(0)), After: []Timed{{Delay: 100}}, Invoke: []Invocation{{Src: "x"}},
			On:     []Transition{on("e", "", assign("n", Expression("(+ n 1)")), say("e"))},
			States: []State{loud("a", State{}), loud("b", State{})}}),
	}})
	for n := range 2 {
		in.SetNow(50)
		wantTold(t, in, "e", "taken")
		wantAsked(t, in, "log e")
		wantVar(t, in, "w", "n", int64(n+1))
	}
	if got := timers(in); got != "after.w:0@100" {
		t.Errorf("armed are %q", got)
	}
	wantActive(t, in, "w.a")
}

// R10: without target and actions a transition forbids the event here; no
// ancestor takes it.
func TestR10_Forbidden(t *testing.T) {
	in := root(t, chain([]Transition{on("e", "")}, nil, []Transition{on("e", "", say("a"))}))
	wantTold(t, in, "e", "ignored forbidden")
	wantAsked(t, in)
	in = root(t, chain([]Transition{guarded("e", "false", "")}, nil, []Transition{on("e", "", say("a"))}))
	wantTold(t, in, "e", "taken")
	in = root(t, chain([]Transition{on("e", ""), on("*", "", say("star"))}, nil, nil))
	wantTold(t, in, "e", "ignored forbidden")
}

// R11: exits in reverse document order, actions in selection order, entries
// in document order.
func TestR11_MicrostepOrder(t *testing.T) {
	in := root(t, fork(nil, []Transition{on("e", "a2", say("!a"))}, []Transition{on("e", "b2", say("!b"))}))
	wantMarks(t, in, "+w +p +a +q +b")
	wantTold(t, in, "e", "taken")
	wantMarks(t, in, "-b -a !a !b +a2 +b2")
}

// R11: each state leaves the configuration right after its own exit actions,
// and joins it right before its entry actions.
func TestR11_TheConfigurationDuringAMicrostep(t *testing.T) {
	ask := func(states ...string) []Action {
		var list []Action
		for _, s := range states {
			list = append(list, Action{If: &Condition{In: s}, Then: []Action{say(s)}, Else: []Action{say("no:" + s)}})
		}
		return list
	}
	in := root(t, State{Initial: "w", States: []State{
		{Name: "w", Initial: "a", Exit: ask("w", "w.a"), States: []State{
			{Name: "a", Exit: ask("w", "w.a"), On: []Transition{on("go", "#c.v", ask("w", "w.a", "v")...)}}}},
		{Name: "v", Initial: "x", Entry: ask("v", "v.x"), States: []State{{Name: "x", Entry: ask("v", "v.x")}}},
	}})
	wantTold(t, in, "go", "taken")
	wantMarks(t, in, strings.Join([]string{"w w.a", "w no:w.a", "no:w no:w.a no:v", "v no:v.x", "v v.x"}, " "))
}

// R11: the actions of a transition read and write the scope of its exited
// source; what they wrote is promoted.
func TestR11_ActionsSeeTheScopeOfTheExitedSource(t *testing.T) {
	in := root(t, State{Initial: "w", Context: vars("total", int64(0)), States: []State{
		{Name: "w", Initial: "a", Context: vars("outer", int64(0)), Promote: []Promotion{{Variable: "total", Value: Expression("outer")}}, States: []State{
			{Name: "a", Context: vars("n", int64(1)), Promote: []Promotion{{Variable: "outer", Value: Expression("(* n 10)")}},
				Exit: []Action{assign("n", Expression("(+ n 1)"))},
				On:   []Transition{on("go", "#c.b", assign("n", Expression("(+ n 1)")), Action{Log: Expression("n")}, Action{Log: Expression("total")})}}}},
		{Name: "b", Entry: []Action{{Log: Expression("total")}}},
	}})
	wantTold(t, in, "go", "taken")
	wantAsked(t, in, "log 3", "log 0", "log 30") // innermost first, before the entries
	wantScopes(t, in, "")
}

// R11: history is recorded before the first exit action, of all exiting
// states at once, so that the microstep that leaves a state can restore it.
func TestR11_HistoryIsRecordedFirst(t *testing.T) {
	var seen statechart.Trace
	in := root(t, State{Initial: "w", States: []State{
		{Name: "w", Initial: "a", On: []Transition{{Event: "again", Target: ".h", Type: statechart.External}, on("next", ".b")}, States: []State{
			{Name: "h", Type: statechart.History}, loud("a", State{}), loud("b", State{})}},
	}})
	send(t, in, "next")
	in.Trace(&seen)
	send(t, in, "again")
	wantMarks(t, in, "-b +b")
	wantActive(t, in, "w.b")
	order := ""
	for _, r := range seen.Records {
		switch r.Kind {
		case statechart.TraceRecorded, statechart.TraceExited, statechart.TraceTaken, statechart.TraceEntered:
			order += " " + string(r.Kind)
		}
	}
	if order != " recorded exited exited taken entered entered" {
		t.Errorf("the order is%s", order)
	}
}

// R12: the scope, the entry actions, the actions of the initial, then those
// of a history default among the children; timers come after the entry
// actions.
func TestR12_OrderOfAnEntry(t *testing.T) {
	in := root(t, State{Initial: "out", States: []State{
		{Name: "out", On: []Transition{on("go", "w"), on("direct", "w.x"), on("h", "w.h")}},
		loud("w", State{Initial: "h", InitialActions: []Action{say("initial")}, Context: vars("n", int64(7)),
			Entry: []Action{{Log: Expression("n")}, assign("n", int64(50))},
			After: []Timed{{Delay: Expression("n")}},
			On:    []Transition{on("leave", "out")},
			States: []State{
				{Name: "h", Type: statechart.History, Initial: "x", InitialActions: []Action{say("default")}},
				loud("x", State{}),
			}}),
	}})
	wantTold(t, in, "go", "taken")
	wantAsked(t, in, "log 7", "log +w", "schedule after.w:0 at 50", "log initial", "log default", "log +x")
	in = in.Chart().Instance(nil)
	wantTold(t, in, "direct", "taken")
	wantAsked(t, in, "log 7", "log +w", "schedule after.w:0 at 50", "log +x")
	in = in.Chart().Instance(nil)
	wantTold(t, in, "h", "taken")
	wantAsked(t, in, "log 7", "log +w", "schedule after.w:0 at 50", "log default", "log +x")
	wantTold(t, in, "leave", "taken")
	wantTold(t, in, "h", "taken") // recorded: no default, and the scope as it was
	wantAsked(t, in, "log 50", "log +w", "schedule after.w:0 at 50", "log +x")
}

// R13: the ancestors between the domain and a target are entered, by a deep
// target, a deep initial and several of them.
func TestR13_AncestorsAreEntered(t *testing.T) {
	in := root(t, State{Initial: "out", States: []State{
		{Name: "out", On: []Transition{on("go", "w.p.r.x #c.w.p.s.y")}},
		loud("w", State{Initial: "p.s.y p.r.x", States: []State{loud("p", State{Type: statechart.Parallel, States: []State{
			loud("r", State{Initial: "x0", States: []State{loud("x0", State{}), loud("x", State{})}}),
			loud("s", State{Initial: "y0", States: []State{loud("y0", State{}), loud("y", State{On: []Transition{on("back", "#c.out"), on("w", "#c.w")}})}}),
		}})}}),
	}})
	wantTold(t, in, "go", "taken")
	wantMarks(t, in, "+w +p +r +x +s +y")
	wantTold(t, in, "w", "taken")
	wantMarks(t, in, "-y -s -x -r -p -w +w +p +r +x +s +y")
}

// R14: all regions are entered, by default where nothing is targeted in
// them, and only there.
func TestR14_AllRegionsAreEntered(t *testing.T) {
	region := func(name string) State {
		return loud(name, State{Initial: name + "1", States: []State{loud(name+"1", State{}), loud(name+"2", State{})}})
	}
	both := loud("both", State{Type: statechart.Parallel, States: []State{region("q"),
		loud("n", State{Type: statechart.Parallel, States: []State{region("u"), region("v")}}), region("r")}})
	for target, want := range map[string]string{
		"both":                            "+both +q +q1 +n +u +u1 +v +v1 +r +r1",
		"both.r.r2":                       "+both +q +q1 +n +u +u1 +v +v1 +r +r2",
		"both.n.v.v2":                     "+both +q +q1 +n +u +u1 +v +v2 +r +r1",
		"both.n":                          "+both +q +q1 +n +u +u1 +v +v1 +r +r1",
		"both.r":                          "+both +q +q1 +n +u +u1 +v +v1 +r +r1",
		"both.r.r2 both.n.u.u2 both.q.q2": "+both +q +q2 +n +u +u2 +v +v1 +r +r2",
	} {
		in := root(t, State{Initial: "out", States: []State{{Name: "out", On: []Transition{on("go", target)}}, both}})
		wantTold(t, in, "go", "taken")
		wantMarks(t, in, want)
		checkLegal(t, in)
	}
}

// R12: the actions of a history default belong to the entry of the history's
// parent: while that stays active they do not run, and when it is restarted
// they run at its place.
func TestR12_HistoryDefaultActions(t *testing.T) {
	in := root(t, State{Initial: "w", States: []State{
		loud("w", State{Initial: "x", InitialActions: []Action{say("initial")}, On: []Transition{on("stay", ".h"), on("restart", "w"), {Event: "anew", Target: "w", Type: statechart.External}, on("h", "#c.w.p.h")}, States: []State{
			{Name: "h", Type: statechart.History, Initial: "y", InitialActions: []Action{say("default")}},
			loud("x", State{}), loud("y", State{}),
			loud("p", State{Initial: "z", States: []State{{Name: "h", Type: statechart.History, Initial: "z", InitialActions: []Action{say("inner")}}, loud("z", State{})}}),
		}}),
	}})
	for _, c := range []struct{ event, want string }{
		{"stay", "-x +y"}, {"restart", "-y initial +x"}, {"anew", "-x -w +w initial +x"}, {"h", "-x +p inner +z"},
	} {
		send(t, in, c.event)
		wantMarks(t, in, c.want)
	}
}
