package statechart_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// scoped is a state w with a variable n and one below it; the promotions of
// w are given.
func scoped(promote ...Promotion) State {
	return State{Initial: "w", Context: vars("sum", int64(0), "list", nil, "last", nil), States: []State{
		{Name: "w", Initial: "a", Context: vars("n", int64(1)), Promote: promote,
			On:     []Transition{on("leave", "out"), on("add", "", assign("n", Expression("(+ n 1)")))},
			States: []State{{Name: "a", Context: vars("m", Expression("(* n 10)"))}, {Name: "b"}}},
		{Name: "out", On: []Transition{on("back", "w")}},
	}}
}

// R33: a scope is made on entry, in order, each value seeing those of its
// ancestors and those before it; it ends with its state.
func TestR33_ScopesBeginAndEnd(t *testing.T) {
	in := start(t, Definition{Constants: vars("k", int64(5)), Root: State{Initial: "w", Context: vars("top", Expression("(+ k 1)"), "second", Expression("(+ top k)")), States: []State{
		{Name: "w", Initial: "a", Context: vars("x", Expression("second"), "y", Expression("(+ x 1)"), "e", Expression("(event)")), States: []State{
			{Name: "a", Context: vars("z", Expression("(+ y k)")), On: []Transition{on("leave", "#c.out"), on("set", "", assign("x", int64(0)))}}}},
		{Name: "out", On: []Transition{on("back", "w")}},
	}}})
	if got := compact(in.Data()); got != `{"":{"k":5,"second":11,"top":6},"w":{"e":"detent.init","x":11,"y":12},"w.a":{"z":17}}` {
		t.Errorf("data is %s", got)
	}
	send(t, in, "set", "leave")
	if got := compact(in.Data()); got != `{"":{"k":5,"second":11,"top":6}}` {
		t.Errorf("data is %s", got)
	}
	send(t, in, "back") // made anew
	if got := compact(in.Data()); got != `{"":{"k":5,"second":11,"top":6},"w":{"e":"back","x":11,"y":12},"w.a":{"z":17}}` {
		t.Errorf("data is %s", got)
	}
}

// R33: a failing initial value of the root refuses the start; another raises
// error.execution and leaves nil, and those after it are made.
func TestR33_FailingInitialValue(t *testing.T) {
	in := root(t, State{Context: vars("a", int64(1), "x", Expression("(fail)")), Entry: []Action{say("never")}})
	wantStatus(t, in, statechart.FailedStatus, statechart.CodeStart)
	wantAsked(t, in)
	if len(in.Data()) != 0 {
		t.Errorf("data is %v", in.Data())
	}
	in = root(t, State{Initial: "a", On: []Transition{hear}, States: []State{{Name: "a", Context: vars("x", Expression("(fail)"), "y", int64(2))}}})
	wantAsked(t, in, "log [data root.states.a.context.x]")
	wantVar(t, in, "a", "x", nil)
	wantVar(t, in, "a", "y", int64(2))
}

// R33: the input is there in the first macrostep, for initial values and as
// the data of detent.init.
func TestR33_Input(t *testing.T) {
	reg := spoken()
	reg.Value("input", func(s *Scope) (any, error) { return s.Input(), nil })
	c := compile(t, Definition{Root: State{Context: vars("in", Expression("input"), "ev", Expression("(event)"), "n", Expression("(data n)")), On: []Transition{on("later", "", Action{Log: Expression("input")})}}}, reg)
	var in Instance
	c.Start(&in, statechart.Start{Input: map[string]any{"n": int64(3)}})
	if got := compact(in.Data()[""]); got != `{"ev":"detent.init","in":{"n":3},"n":3}` {
		t.Errorf("data is %s", got)
	}
	send(t, &in, "later")
	wantAsked(t, &in, "log <nil>")
	if r := c.Start(&in, statechart.Start{Input: make(chan int)}); result(r) != "failed start_failed" || in.Status() != statechart.FailedStatus {
		t.Errorf("an input that cannot be kept: %s", result(r))
	}
}

// R33: what each merge does with what is there already.
func TestR33_Merges(t *testing.T) {
	list := func(x ...any) []any { return append([]any{}, x...) }
	one, two, half := int64(1), int64(2), 0.5
	for _, c := range []struct {
		merge           string
		old, value, new any
		fails           bool
	}{
		{"", one, two, two, false}, {"replace", one, nil, nil, false}, {"replace", "x", list(one), list(one), false},
		{"append", list(one), two, list(one, two), false}, {"append", nil, one, list(one), false}, {"append", list(), list(one), list(list(one)), false},
		{"append", list(one), nil, list(one), false}, {"append", one, two, one, true},
		{"union", list(one, two), list(two, "x", two), list(one, two, "x"), false}, {"union", nil, list(one, one), list(one), false},
		{"union", list(one), nil, list(one), false}, {"union", list(one), one, list(one), true}, {"union", one, list(two), one, true},
		{"union", list(map[string]any{"a": one, "b": two}), list(map[string]any{"b": two, "a": one}), list(map[string]any{"a": one, "b": two}), false},
		{"union", list(one), list(1.0), list(one, 1.0), false},
		{"sum", one, two, int64(3), false}, {"sum", one, half, 1.5, false}, {"sum", half, half, 1.0, false}, {"sum", nil, two, two, false},
		{"sum", one, nil, one, false}, {"sum", one, "x", one, true}, {"sum", nil, "x", nil, true}, {"sum", "x", one, "x", true},
		{"sum", int64(1 << 62), int64(1 << 62), int64(1 << 62), true}, {"sum", int64(-1 << 62), int64(-1<<62 - 1), int64(-1 << 62), true},
		{"sum", 1.7e308, 1.7e308, 1.7e308, true},
		{"max", one, two, two, false}, {"max", two, one, two, false}, {"max", one, 1.5, 1.5, false}, {"max", nil, one, one, false}, {"max", one, "x", one, true},
		{"max", one, nil, one, false}, {"max", "a", "b", "a", true},
		{"min", one, two, one, false}, {"min", two, one, one, false}, {"min", one, half, half, false}, {"min", nil, one, one, false}, {"min", one, true, one, true},
	} {
		t.Run(fmt.Sprint(c.merge, c.old, c.value), func(t *testing.T) {
			in := root(t, State{Initial: "a", Context: vars("x", c.old), On: []Transition{hear}, States: []State{
				{Name: "a", Promote: []Promotion{{Variable: "x", Value: c.value, Merge: c.merge}}, On: []Transition{on("go", "b")}}, {Name: "b"}}})
			wantTold(t, in, "go", "taken")
			wantVar(t, in, "", "x", c.new)
			if c.fails {
				wantAsked(t, in, "log [data root.states.a.promote[0]]")
			} else {
				wantAsked(t, in)
			}
		})
	}
}

// R33: promotions run innermost first, each seeing its own scope; a failing
// one merges nothing and the next goes on.
func TestR33_Promotion(t *testing.T) {
	s := scoped(Promotion{Variable: "sum", Value: Expression("n"), Merge: "sum"}, Promotion{Variable: "list", Value: Expression("(fail)")},
		Promotion{Variable: "last", Value: Expression("(+ n sum)")})
	s.States[0].States[0].Promote = []Promotion{{Variable: "n", Value: Expression("m")}}
	s.On = []Transition{hear}
	in := root(t, s)
	send(t, in, "add", "leave")
	wantAsked(t, in, "log [data root.states.w.promote[1]]")
	if got := compact(in.Data()); got != `{"":{"last":20,"list":null,"sum":10}}` {
		t.Errorf("data is %s", got)
	}
	send(t, in, "back", "leave") // made anew, promoted again
	wantVar(t, in, "", "sum", int64(20))
}

// R33: two regions may promote one variable when the order does not matter.
func TestR33_PromotionFromRegions(t *testing.T) {
	region := func(name string, n int64, merge string) State {
		return State{Name: name, Context: vars("n", n), Promote: []Promotion{{Variable: "x", Value: Expression("n"), Merge: merge}}}
	}
	chart := func(first, second string) Definition {
		return Definition{Root: State{Initial: "p", Context: vars("x", nil), States: []State{
			{Name: "p", Type: statechart.Parallel, On: []Transition{on("go", "out")}, States: []State{region("q", 1, first), region("r", 2, second)}}, {Name: "out"}}}}
	}
	for merge, want := range map[string]any{"sum": int64(3), "max": int64(2), "min": int64(1), "append": []any{int64(2), int64(1)}} {
		in := start(t, chart(merge, merge))
		send(t, in, "go")
		wantVar(t, in, "", "x", want)
	}
	for _, c := range [][2]string{{"", ""}, {"replace", "replace"}, {"sum", "max"}, {"sum", ""}, {"", "sum"}} {
		wantRefused(t, chart(c[0], c[1]), statechart.CodeConflict, "root.states.p.states.r.promote[0]")
	}
}

// recalled is a state with data on three levels and histories of both kinds.
func recalled() State {
	level := func(name string, s State) State {
		s.Name, s.Context = name, vars("of_"+name, int64(0))
		s.On = append(s.On, on("set."+name, "", assign("of_"+name, int64(1))))
		return s
	}
	return State{Initial: "w", States: []State{
		level("w", State{Initial: "p", On: []Transition{on("leave", "out")}, States: []State{
			{Name: "deep", Type: statechart.History, History: "deep"},
			{Name: "shallow", Type: statechart.History},
			level("p", State{Initial: "x", States: []State{level("x", State{On: []Transition{on("y", "y")}}), level("y", State{})}}),
			level("q", State{}),
		}}),
		{Name: "out", On: []Transition{on("deep", "w.deep"), on("shallow", "w.shallow"), on("anew", "w"), on("q", "w.q")}},
	}}
}

// R33: a recorded exit parks the scopes of the history's parent and of every
// exited descendant that restoring would enter again.
func TestR33_Parked(t *testing.T) {
	for _, c := range []struct {
		before  []string
		restore string
		want    string // the scopes that were restored
	}{
		{[]string{"set.w", "set.p", "set.x"}, "deep", "w p x"},
		{[]string{"set.w", "set.p", "set.x"}, "shallow", "w p x"}, // x is p's default
		{[]string{"set.w", "set.p", "y", "set.y"}, "deep", "w p y"},
		{[]string{"set.w", "set.p", "y", "set.y"}, "shallow", "w p"}, // restoring enters x
		{[]string{"set.w", "set.p", "set.x"}, "anew", ""},
		{[]string{"set.w", "set.p", "set.x"}, "q", ""},
		{[]string{"set.w", "set.p", "set.x", "y"}, "shallow", "w p"}, // x was not exited now
	} {
		in := root(t, recalled())
		send(t, in, c.before...)
		send(t, in, "leave", c.restore)
		got := ""
		for _, path := range []string{"w", "w.p", "w.p.x", "w.p.y", "w.q"} {
			for _, v := range in.Data()[path] {
				if v == int64(1) {
					got += " " + path[strings.LastIndexByte(path, '.')+1:]
				}
			}
		}
		if got = strings.TrimPrefix(got, " "); got != c.want {
			t.Errorf("%v %s restores %q, want %q", c.before, c.restore, got, c.want)
		}
	}
}

// R33: entry by any other way makes the scopes anew and forgets what was
// parked; a later restoring has what the last exit parked.
func TestR33_ParkedIsForgotten(t *testing.T) {
	in := root(t, recalled())
	send(t, in, "set.w", "leave", "anew", "leave", "deep")
	wantVar(t, in, "w", "of_w", int64(0))
	send(t, in, "set.p", "leave", "shallow", "set.w", "leave", "deep")
	wantVar(t, in, "w", "of_w", int64(1))
	wantVar(t, in, "w.p", "of_p", int64(1))
}

// R33: nothing may be shadowed, and what is constant not written.
func TestR33_Declarations(t *testing.T) {
	wantRefused(t, Definition{Root: State{Context: vars("n", nil), Initial: "a", States: []State{{Name: "a", Context: vars("n", nil)}}}}, statechart.CodeDuplicate, "root.states.a.context[0]")
	wantRefused(t, Definition{Constants: vars("k", nil), Root: State{Context: vars("k", nil)}}, statechart.CodeDuplicate, "root.context[0]")
	wantRefused(t, Definition{Constants: vars("k", nil), Root: State{Entry: []Action{assign("k", nil)}}}, statechart.CodeUnknownName, "root.entry[0].assign.k")
	wantRefused(t, Definition{Root: State{Initial: "a", States: []State{{Name: "a", Context: vars("n", nil)}, {Name: "b", Entry: []Action{assign("n", nil)}}}}}, statechart.CodeUnknownName, "root.states.b.entry[0].assign.n")
}
