package statechart_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// R1: document order, whatever the names are.
func TestR01_OrderIsThatOfTheDefinition(t *testing.T) {
	in := root(t, State{Type: statechart.Parallel, States: []State{
		loud("z", State{Initial: "z2", States: []State{loud("z1", State{}), loud("z2", State{})}}),
		loud("a", State{}),
		loud("m", State{On: []Transition{on("x", "", say("second"))}}),
	}, On: []Transition{on("x", "", say("last"))}})
	wantMarks(t, in, "+z +z2 +a +m")
	wantActive(t, in, "z.z2", "a", "m")
	wantTold(t, in, "x", "taken")
	wantMarks(t, in, "last second") // z2's climb finds the root's first
}

// R1: the path of a state is its keys without the root; the root's is "".
func TestR01_Paths(t *testing.T) {
	in := root(t, State{Initial: "a", States: []State{{Name: "a", Initial: "b", States: []State{{Name: "b"}}}}})
	for path, want := range map[string]bool{"": true, "a": true, "a.b": true, "b": false, "c": false, "c.a": false, "root.a": false, "#c": true, "#c.a.b": true, "#c.b": false} {
		if in.Matches(path) != want {
			t.Errorf("Matches(%q) is %v", path, !want)
		}
	}
	wantActive(t, in, "a.b")
	wantActive(t, root(t, State{}), "")
}

// R1: nothing depends on the order of a map: effects, data and snapshots of
// many runs are equal to the byte, and so are the digests.
func TestR01_NothingDependsOnMapOrder(t *testing.T) {
	make := func() *Instance {
		big, parts := map[string]any{}, map[string]any{}
		for i := range 40 {
			big[fmt.Sprint("k", i)] = int64(i)
			parts[fmt.Sprint("p", i)] = Expression("(now)")
		}
		return root(t, State{
			Context: vars("big", big, "parts", parts),
			Entry:   []Action{{Emit: "all", Data: parts}, {Log: big}},
			Invoke:  []Invocation{{Src: "x", Input: parts, Key: big}},
		})
	}
	first := make()
	for range 20 {
		again := make()
		if first.Chart().Digest() != again.Chart().Digest() {
			t.Fatal("the digests differ")
		}
		if encode(t, first) != encode(t, again) || compact(first.Effects()) != compact(again.Effects()) {
			t.Fatal("two runs differ")
		}
	}
}

// R2: every configuration on the way is legal.
func TestR02_ConfigurationsAreLegal(t *testing.T) {
	region := func(name string) State {
		return State{Name: name, Initial: "one", States: []State{
			{Name: "back", Type: statechart.History},
			{Name: "one", On: []Transition{on(name, "two")}},
			{Name: "two", Initial: "deep", States: []State{{Name: "deep", On: []Transition{on(name, "#c.both."+name+".one"), on("cross", "#c.both.q.two #c.both.p.one")}}}},
		}}
	}
	in := root(t, State{Initial: "both", States: []State{
		{Name: "both", Type: statechart.Parallel, On: []Transition{on("leave", "away")},
			States: []State{region("p"), {Name: "last", Type: statechart.History, History: "deep"}, region("q")}},
		{Name: "away", On: []Transition{on("deep", "both.last"), on("shallow", "both.q.back"), on("anew", "both.p.two")}},
	}})
	checkLegal(t, in)
	for _, e := range []string{"p", "q", "leave", "deep", "cross", "q", "leave", "shallow", "leave", "anew", "p", "p", "cross", "leave", "deep"} {
		wantTold(t, in, e, "taken")
		checkLegal(t, in)
	}
	wantActive(t, in, "both.p.one", "both.q.two.deep")
}

// chain is a leaf a.b.x with transitions for "e" on each level.
func chain(x, b, a []Transition) State {
	return State{Initial: "a", States: []State{{Name: "a", On: a, Initial: "b", States: []State{{Name: "b", On: b, Initial: "x",
		States: []State{{Name: "x", On: x}}}}}}}
}

// R3: the leaf first, then its ancestors upward; of one state the first whose
// guard holds.
func TestR03_LeafFirstThenUpward(t *testing.T) {
	for _, c := range []struct {
		name    string
		x, b, a []Transition
		want    string
	}{
		{"the leaf's", []Transition{on("e", "", say("x"))}, []Transition{on("e", "", say("b"))}, []Transition{on("e", "", say("a"))}, "x"},
		{"the parent's, past another event", []Transition{on("f", "", say("x"))}, []Transition{on("e", "", say("b"))}, []Transition{on("e", "", say("a"))}, "b"},
		{"the parent's, past a guard", []Transition{guarded("e", "false", "", say("x"))}, []Transition{on("e", "", say("b"))}, nil, "b"},
		{"the first that holds", []Transition{guarded("e", "false", "", say("1")), guarded("e", "true", "", say("2")), on("e", "", say("3"))}, nil, nil, "2"},
		{"the first without a guard", []Transition{on("e", "", say("1")), guarded("e", "true", "", say("2"))}, nil, nil, "1"},
		{"the top's", nil, []Transition{guarded("e", "false", "", say("b"))}, []Transition{on("e", "", say("a"))}, "a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := root(t, chain(c.x, c.b, c.a))
			wantTold(t, in, "e", "taken")
			wantMarks(t, in, c.want)
		})
	}
}

// R3: a transition that several leaves choose is taken once, and its guard
// asked once; a leaf whose own one holds does not ask further.
func TestR03_ChosenOnceForSeveralLeaves(t *testing.T) {
	leaf := func(name string, on ...Transition) State { return State{Name: name, On: on} }
	c := compile(t, Definition{Root: State{Type: statechart.Parallel,
		On: []Transition{{Event: "e", Guard: statechart.When("top"), Actions: []Action{note("shared")}}},
		States: []State{
			leaf("p"),
			leaf("q", Transition{Event: "e", Guard: statechart.When("mine"), Actions: []Action{note("own")}}),
			leaf("r"),
		}}}, diarist([]string{"top", "mine"}, "shared", "own"))
	inEachForm(t, c, newDiary, func(t *testing.T, in *Instance) {
		for _, step := range []struct {
			top, mine   bool
			told, notes string
		}{
			{true, true, "taken", "top? mine? shared own"},
			{true, false, "taken", "top? mine? shared"},
			{false, true, "taken", "top? mine? own"},
		} {
			in.Context().(*diary).Answers = map[string]bool{"top": step.top, "mine": step.mine}
			wantTold(t, in, "e", step.told)
			wantNotes(t, in, step.notes)
		}
		in.Context().(*diary).Answers = nil
		wantTold(t, in, "e", "ignored guard_false")
	})
}

// R3: each leaf goes its own way up, so an ancestor's handler runs beside a
// region's.
func TestR03_AncestorAndRegionBothRun(t *testing.T) {
	in := root(t, State{Type: statechart.Parallel, On: []Transition{on("e", "", say("root"))}, States: []State{
		{Name: "p", On: []Transition{on("e", "", say("p"))}},
		{Name: "q"},
	}})
	wantTold(t, in, "e", "taken")
	wantMarks(t, in, "p root")
}

// fork is a parallel state w of two regions with leaves a and b, in a root
// with a state out. The transitions for "e" are given.
func fork(w, a, b []Transition) State {
	return State{Initial: "w", States: []State{
		loud("w", State{Type: statechart.Parallel, On: w, States: []State{
			loud("p", State{Initial: "a", States: []State{loud("a", State{On: a}), loud("a2", State{})}}),
			loud("q", State{Initial: "b", States: []State{loud("b", State{On: b}), loud("b2", State{})}}),
		}}),
		loud("out", State{}),
	}}
}

// R4: of two that exit a common state the later wins only if its source is
// below the earlier one's.
func TestR04_Conflicts(t *testing.T) {
	e := func(target string) []Transition { return []Transition{on("e", target, say("!"+target))} }
	for _, c := range []struct {
		name    string
		w, a, b []Transition
		want    string
	}{
		{"the earlier leaves everything", nil, e("#c.out"), e("b2"), "-b -q -a -p -w !#c.out +out"},
		{"the later leaves everything", nil, e("a2"), e("#c.out"), "-a !a2 +a2"},
		{"the later is below the earlier", e("out"), nil, e("b2"), "-b !b2 +b2"},
		{"the later is above the earlier", e("out"), e("a2"), nil, "-a !a2 +a2"},
		{"both leave other states", nil, e("a2"), e("b2"), "-b -a !a2 !b2 +a2 +b2"},
		{"the same one twice", e("out"), nil, nil, "-b -q -a -p -w !out +out"},
		{"two that leave all", nil, e("#c.out"), e("#c.w"), "-b -q -a -p -w !#c.out +out"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := root(t, fork(c.w, c.a, c.b))
			wantTold(t, in, "e", "taken")
			wantMarks(t, in, c.want)
		})
	}
}

// R4: nothing else preempts: neither a transition that exits nothing, nor
// sources that lie above one another without a common exit.
func TestR04_NothingElsePreempts(t *testing.T) {
	for _, c := range []struct {
		name    string
		w, a, b []Transition
		want    string
	}{
		{"targetless beside leaving all", nil, []Transition{on("e", "", say("a"))}, []Transition{on("e", "#c.out", say("b"))}, "-b -q -a -p -w a b +out"},
		{"targetless above", []Transition{on("e", "", say("w"))}, nil, []Transition{on("e", "b2", say("b"))}, "-b w b +b2"},
		{"a local self-target on a leaf", nil, []Transition{on("e", "a", say("a"))}, []Transition{on("e", "#c.out", say("b"))}, "-b -q -a -p -w a b +out"},
		{"forbidden beside taken", nil, []Transition{on("e", "")}, []Transition{on("e", "b2", say("b"))}, "-b b +b2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := root(t, fork(c.w, c.a, c.b))
			wantTold(t, in, "e", "taken")
			wantMarks(t, in, c.want)
		})
	}
}

// R5: eventless transitions before each internal event, internal events in
// their order, all before the macrostep is over.
func TestR05_EventlessThenInternal(t *testing.T) {
	in := root(t, State{Initial: "a", States: []State{
		{Name: "a", On: []Transition{on("go", "b", say("go"), Action{Raise: "one"}, Action{Raise: "two"})}},
		{Name: "b", Always: []Transition{on("", "c", say("b-c"))}, On: []Transition{on("one", "#c.wrong")}},
		{Name: "c", Always: []Transition{on("", "d", say("c-d"), Action{Raise: "three"})}, On: []Transition{on("one", "#c.wrong")}},
		{Name: "d", On: []Transition{on("one", "e", say("one")), on("two", "#c.wrong")}},
		{Name: "e", Always: []Transition{on("", "f", say("e-f"))}, On: []Transition{on("two", "#c.wrong")}},
		{Name: "f", On: []Transition{on("two", "", say("two")), on("three", "", say("three"), Action{Send: "later"})}},
		{Name: "wrong", On: []Transition{on("later", "")}},
	}})
	wantTold(t, in, "go", "taken")
	wantMarks(t, in, "go b-c c-d one e-f two three")
	wantActive(t, in, "f")
	if in.Sequence() != 2 {
		t.Errorf("that is macrostep %d, want 2", in.Sequence())
	}
}

// R5: after an event that nothing takes, eventless transitions are looked at,
// too: what their guards read may have changed.
func TestR05_EventlessAfterAnIgnoredEvent(t *testing.T) {
	in := root(t, State{Initial: "a", States: []State{
		{Name: "a", Always: []Transition{{Guard: when("(< 10 (now))"), Target: "b"}}, On: []Transition{guarded("e", "false", "b")}},
		{Name: "b"},
	}})
	wantTold(t, in, "e", "ignored guard_false")
	wantActive(t, in, "a")
	in.SetNow(11)
	wantTold(t, in, "e", "ignored guard_false")
	wantActive(t, in, "b")
}

// R6: exact, then the longest prefix, then "*", in whatever order they stand.
func TestR06_DescriptorsInCharts(t *testing.T) {
	in := root(t, State{On: []Transition{
		on("*", "", say("*")), on("a.*", "", say("a.*")), on("a.b.*", "", say("a.b.*")), on("a.b.c", "", say("a.b.c")), on("a.b.c", "", say("never")),
	}})
	for event, want := range map[string]string{
		"a.b.c": "a.b.c", "a.b.c.d": "a.b.*", "a.b": "a.b.*", "a.b.x": "a.b.*", "a": "a.*", "a.x": "a.*", "a.bc": "a.*", "ab": "*", "b": "*", "A": "*",
	} {
		wantTold(t, in, event, "taken")
		wantMarks(t, in, want)
	}
}

// R6: what ranks lower is asked when the guards of what ranks higher say no;
// and a state is done with before its parent, whatever matched there.
func TestR06_LowerRanksAreAskedToo(t *testing.T) {
	in := root(t, State{Initial: "a", On: []Transition{on("x.y", "", say("root"))}, States: []State{{Name: "a", On: []Transition{
		on("*", "", say("*")), guarded("x.*", "(< (now) 1)", "", say("x.*")), guarded("x.y", "false", "", say("x.y")),
	}}}})
	wantTold(t, in, "x.y", "taken")
	wantMarks(t, in, "x.*")
	in.SetNow(1)
	wantTold(t, in, "x.y", "taken")
	wantMarks(t, in, "*")
}

// R6: in charts "*" never takes the engine's events; a prefix does.
func TestR06_StarDoesNotTakeTheEnginesEvents(t *testing.T) {
	working := func(on ...Transition) State {
		return State{Initial: "w", On: on, States: []State{{Name: "w", Initial: "d", States: []State{
			{Name: "d", On: []Transition{{Event: "go", Target: "f", Actions: []Action{fails}}}}, {Name: "f", Type: statechart.Final}}}}}
	}
	in := root(t, working(on("*", "", say("star")), on("error.*", "", say("error")), on("done.*", "", say("done"))))
	wantTold(t, in, "go", "taken")
	wantMarks(t, in, "error done")
	in = root(t, working(on("*", "", say("star")), on("error.execution", "", say("error"))))
	wantTold(t, in, "go", "taken")
	wantMarks(t, in, "error")
	in = inScxml(t, working(on("*", "", say("star"))))
	wantTold(t, in, "go", "taken")
	wantMarks(t, in, "star star")
}

// R6: in SCXML a descriptor is a list of token prefixes, and document order
// decides.
func TestR06_DescriptorsInScxml(t *testing.T) {
	in := inScxml(t, State{On: []Transition{
		on("a.b", "", say("a.b")), on("a x.*  y.", "", say("list")), on("a.c", "", say("never")), on("b.c", "", say("b.c")), on("*", "", say("*")),
	}})
	for event, want := range map[string]string{
		"a.b": "a.b", "a.b.c": "a.b", "a": "list", "a.c": "list", "x": "list", "x.z": "list", "y": "list", "y.z": "list",
		"b": "*", "b.c": "b.c", "b.cd": "*", "ab": "*", "done.state.q": "*",
	} {
		wantTold(t, in, event, "taken")
		wantMarks(t, in, want)
	}
}

// R6: an event that no descriptor matches is not known; nor is one that
// differs in case or by a longer token.
func TestR06_UnknownEvents(t *testing.T) {
	in := root(t, State{On: []Transition{on("a.b", ""), on("p.*", "", say("p"))}})
	for event, want := range map[string]string{
		"a.b": "ignored forbidden", "A.b": "refused unknown_event", "a": "refused unknown_event", "a.b.c": "refused unknown_event",
		"p": "taken", "p.q.r": "taken", "pq": "refused unknown_event", "": "refused invalid_name",
	} {
		wantTold(t, in, event, want)
	}
}

// R7: a guard that fails is false and raises error.execution, with its place
// and cause.
func TestR07_FailingGuardIsFalse(t *testing.T) {
	in := root(t, State{Context: vars("seen", nil), On: []Transition{
		guarded("e", "(fail)", "", say("first")), on("e", "", say("second")),
		on("error.execution", "", Action{Assign: []Variable{{Name: "seen", Value: []any{Expression("(data kind)"), Expression("(data place)"), Expression("(data message)")}}}}),
	}})
	wantTold(t, in, "e", "taken")
	wantMarks(t, in, "second")
	wantVar(t, in, "", "seen", []any{"guard", "root.on[0]", "fail was evaluated"})
}

// R7: at most once per transition and macrostep; later failures of it are
// just false. Another transition has its own, and so has the next macrostep.
func TestR07_OncePerTransitionAndMacrostep(t *testing.T) {
	in := root(t, State{Initial: "a", Context: vars("errors", int64(0)),
		On: []Transition{on("error.execution", "", assign("errors", Expression("(+ errors 1)")))},
		States: []State{{Name: "a",
			Always: []Transition{{Guard: when("(fail)"), Target: "a"}, {Guard: when("(and (in a) (fail))"), Target: "a"}},
			On:     []Transition{on("e", "", Action{Raise: "x"}, Action{Raise: "x"}), on("x", "", say("x"))},
		}}})
	wantVar(t, in, "", "errors", int64(2))
	wantTold(t, in, "e", "taken")
	wantMarks(t, in, "x x")
	wantVar(t, in, "", "errors", int64(4))
}

// R7: what is no boolean fails; and, or and not stop at the first part that
// decides, and fail when a part that is asked does.
func TestR07_CompoundGuards(t *testing.T) {
	yes, no, bad := when("true"), when("false"), when("(fail)")
	for name, c := range map[string]struct {
		guard  Condition
		holds  bool
		failed bool
	}{
		"number":           {when("1"), false, true},
		"nil":              {when("nil"), false, true},
		"and of both":      {Condition{And: []Condition{yes, yes}}, true, false},
		"and stops":        {Condition{And: []Condition{no, bad}}, false, false},
		"and fails":        {Condition{And: []Condition{yes, bad}}, false, true},
		"or stops":         {Condition{Or: []Condition{yes, bad}}, true, false},
		"or fails":         {Condition{Or: []Condition{bad, yes}}, false, true},
		"or of none":       {Condition{Or: []Condition{no, no}}, false, false},
		"not":              {Condition{Not: &no}, true, false},
		"not of an error":  {Condition{Not: &bad}, false, true},
		"in, by path":      {Condition{In: "a"}, true, false},
		"in, by id":        {Condition{In: "#c.a"}, true, false},
		"in, not active":   {Condition{In: "b"}, false, false},
		"nested":           {Condition{Or: []Condition{no, {And: []Condition{yes, {Not: &Condition{In: "b"}}}}}}, true, false},
		"the root, always": {Condition{In: "#c"}, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			in := root(t, State{Initial: "a", On: []Transition{on("error.execution", "", say("failed"))}, States: []State{
				{Name: "a", On: []Transition{{Event: "e", Guard: c.guard, Actions: []Action{say("taken")}}}}, {Name: "b"}}})
			want, marks := "ignored guard_false", ""
			if c.holds {
				want, marks = "taken", "taken"
			}
			if c.failed {
				marks = "failed"
			}
			wantTold(t, in, "e", want)
			wantMarks(t, in, marks)
		})
	}
}

// R8: guards are evaluated before any action of the microstep.
func TestR08_GuardsSeeTheDataAsItStood(t *testing.T) {
	in := root(t, State{Type: statechart.Parallel, Context: vars("n", int64(0)), States: []State{
		{Name: "p", On: []Transition{on("e", "", assign("n", int64(1)))}},
		{Name: "q", On: []Transition{guarded("e", "(= n 0)", "", say("q saw 0")), on("e", "", say("q saw 1"))}},
	}})
	wantTold(t, in, "e", "taken")
	wantMarks(t, in, "q saw 0")
	wantTold(t, in, "e", "taken")
	wantMarks(t, in, "q saw 1")
}

// R8: and so in every form of the configuration.
func TestR08_GuardsBeforeActionsInEachForm(t *testing.T) {
	region := func(name string) State {
		return noted(name, State{Initial: name + "1", States: []State{
			noted(name+"1", State{On: []Transition{{Event: "e", Guard: statechart.When(name), Target: name + "2", Actions: []Action{note("!" + name)}}}}),
			noted(name+"2", State{On: []Transition{on("e", name+"1")}}),
		}})
	}
	names := slices.Concat(both("p", "p1", "p2", "q", "q1", "q2"), []string{"!p", "!q"})
	c := compile(t, Definition{Root: State{Type: statechart.Parallel, States: []State{region("p"), region("q")}}}, diarist([]string{"p", "q"}, names...))
	inEachForm(t, c, newDiary, func(t *testing.T, in *Instance) {
		d := in.Context().(*diary)
		d.Answers["p"], d.Answers["q"] = true, true
		wantNotes(t, in, "+p +p1 +q +q1")
		wantTold(t, in, "e", "taken")
		wantNotes(t, in, "p? q? -q1 -p1 !p !q +p2 +q2")
		wantTold(t, in, "e", "taken")
		wantNotes(t, in, "-q2 -p2 +p1 +q1")
		d.Answers["p"] = false
		wantTold(t, in, "e", "taken")
		wantNotes(t, in, "p? q? -q1 !q +q2")
		wantActive(t, in, "p.p1", "q.q2")
	})
}

// R8: in an eventless transition the event is the one that is being
// processed, external or internal.
func TestR08_EventInEventlessTransitions(t *testing.T) {
	in := root(t, State{Initial: "a", States: []State{
		{Name: "a", On: []Transition{on("go", "b", Action{Raise: "inner"})}},
		{Name: "b", Always: []Transition{{Guard: when("(= (event) 'go')"), Target: "c", Actions: []Action{{Log: Expression("(event)")}}}}},
		{Name: "c", On: []Transition{on("inner", "d")}},
		{Name: "d", Always: []Transition{{Guard: when("(= (event) 'inner')"), Target: "e", Actions: []Action{{Log: Expression("(event)")}}}}},
		{Name: "e", Entry: []Action{{Log: Expression("(event)")}}},
	}})
	wantTold(t, in, "go", "taken")
	wantMarks(t, in, "go inner inner")
	wantActive(t, in, "e")
}

// R3: a guard is asked once per selection, also where nothing is taken.
func TestR03_GuardsAreAskedOnceAlsoWhenNothingIsTaken(t *testing.T) {
	c := compile(t, Definition{Root: State{Type: statechart.Parallel, States: []State{
		{Name: "p", On: []Transition{{Event: "e", Guard: statechart.When("one"), Actions: []Action{note("x")}}}},
		{Name: "q", On: []Transition{{Event: "e", Guard: statechart.When("two"), Actions: []Action{note("x")}}}},
	}}}, diarist([]string{"one", "two"}, "x"))
	inEachForm(t, c, newDiary, func(t *testing.T, in *Instance) {
		wantTold(t, in, "e", "ignored guard_false")
		wantNotes(t, in, "one? two?")
	})
}

// R4: a choice that loses a conflict takes no other choice with it.
func TestR04_TheLoserFallsAlone(t *testing.T) {
	in := root(t, State{Initial: "p", States: []State{
		{Name: "p", Type: statechart.Parallel, On: []Transition{on("e", "q")}, States: []State{
			{Name: "a", Initial: "a1", States: []State{{Name: "a1"}}},
			{Name: "b", Initial: "b1", States: []State{{Name: "b1", On: []Transition{on("e", "", say("b"))}}}},
			{Name: "c", Initial: "c1", States: []State{{Name: "c1", On: []Transition{on("e", "c2")}}, {Name: "c2"}}},
		}},
		{Name: "q"},
	}})
	wantTold(t, in, "e", "taken")
	wantActive(t, in, "p.a.a1", "p.b.b1", "p.c.c2")
	wantMarks(t, in, "b")
}
