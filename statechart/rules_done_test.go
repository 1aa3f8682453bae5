package statechart_test

import (
	"strings"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// final is a final state.
func final(name string) State { return State{Name: name, Type: statechart.Final} }

// listening is s with a mark for each of the done events.
func listening(s State, events ...string) State {
	for _, e := range events {
		s.On = append(s.On, on("done.state."+e, "", say(e)))
	}
	return s
}

// ending is a compound state with a leaf that goes to a final state on its
// own name and on "all".
func ending(name string, f State) State {
	f.Name, f.Type = name+"F", statechart.Final
	return State{Name: name, Initial: name + "1", States: []State{
		{Name: name + "1", On: []Transition{on(name, name+"F"), on("all", name+"F")}}, f}}
}

// R18: the done event comes after the entry actions of the final state, is
// internal, and carries its output.
func TestR18_DoneEvent(t *testing.T) {
	in := root(t, State{Initial: "job", Context: vars("n", int64(1), "got", nil), States: []State{
		{Name: "job", Initial: "a", OnDone: []Transition{{Target: "end", Actions: []Action{assign("got", Expression("(data n)")), say("done")}}},
			On: []Transition{on("raised", "", say("raised"))},
			States: []State{
				{Name: "a", On: []Transition{on("go", "f")}},
				{Name: "f", Type: statechart.Final, Entry: []Action{assign("n", int64(2)), {Raise: "raised"}},
					Output: map[string]any{"n": Expression("n")}},
			}},
		{Name: "end"},
	}})
	wantTold(t, in, "go", "taken")
	wantMarks(t, in, "raised done")
	wantVar(t, in, "", "got", int64(2))
	wantActive(t, in, "end")
}

// R18: without an output the event has no data, and X of done.state.X is the
// state's id: its own, or by default the chart's, a dot, and the path.
func TestR18_DoneEventName(t *testing.T) {
	named := ending("inner", State{})
	named.ID = "own"
	in := root(t, listening(State{Initial: "a", States: []State{{Name: "a", Initial: "inner", States: []State{named, ending("other", State{})},
		On: []Transition{on("next", ".other"), on("done.state.c.a.other", "", Action{Log: []any{"data", Expression("(data x)")}})}}}},
		"own", "c.a.inner", "a.inner", "inner"))
	wantTold(t, in, "inner", "taken")
	wantMarks(t, in, "own")
	send(t, in, "next", "other")
	wantAsked(t, in, "log [data <nil>]")
}

// R18 (own): each done event is queued right where its state was entered,
// the parallel's right after the region that completes it, and it climbs
// through any number of parallels, judged on what is entered by then.
func TestR18_Climbing(t *testing.T) {
	p := State{Name: "p", Type: statechart.Parallel, States: []State{
		ending("r", State{Entry: []Action{{Raise: "in.r"}}}),
		{Name: "q", Type: statechart.Parallel, States: []State{
			ending("u", State{Entry: []Action{{Raise: "in.u"}}}),
			ending("v", State{Entry: []Action{{Raise: "in.v"}}}),
		}},
	}}
	s := State{Initial: "p", On: []Transition{on("in.*", "", Action{Log: Expression("(event)")})}, States: []State{p}}
	for i, id := range []string{"r", "u", "v", "q", "p"} {
		s.On = append(s.On, on("done.state.x"+id, "", say(id)))
		switch i {
		case 0:
			p.States[0].ID = "xr"
		case 1, 2:
			p.States[1].States[i-1].ID = "x" + id
		case 3:
			p.States[1].ID = "xq"
		case 4:
			s.States[0].ID = "xp"
		}
	}
	in := root(t, s)
	wantTold(t, in, "all", "taken")
	wantMarks(t, in, "in.r r in.u u in.v v q p")

	in = root(t, s)
	send(t, in, "v")
	wantMarks(t, in, "in.v v")
	send(t, in, "r")
	wantMarks(t, in, "in.r r")
	send(t, in, "u") // completes q, and with it p
	wantMarks(t, in, "in.u u q p")
}

// R18: a compound state that is done does not make its compound parent done.
func TestR18_ClimbingStopsAtACompoundState(t *testing.T) {
	in := root(t, listening(State{Initial: "w", States: []State{{Name: "w", Initial: "inner", States: []State{ending("inner", State{})}}}}, "c.w.inner", "c.w"))
	wantTold(t, in, "inner", "taken")
	wantMarks(t, in, "c.w.inner")
}

// R18 (own): a final state directly under a parallel one is a region that is
// done.
func TestR18_FinalUnderParallel(t *testing.T) {
	in := root(t, listening(State{Initial: "p", States: []State{
		{Name: "p", Type: statechart.Parallel, States: []State{final("f"), ending("r", State{})}},
	}}, "c.p", "c.p.r"))
	send(t, in, "r")
	wantMarks(t, in, "c.p.r c.p")
	in = root(t, listening(State{Initial: "p", States: []State{
		{Name: "p", Type: statechart.Parallel, States: []State{final("f"), final("g")}},
	}}, "c.p"))
	wantMarks(t, in, "c.p")
}

// R18 (own): a root that is parallel is done when all its regions are: the
// session ends, and no event for the root is heard.
func TestR18_ParallelRoot(t *testing.T) {
	in := root(t, State{Type: statechart.Parallel, Output: map[string]any{"n": Expression("n")}, Context: vars("n", int64(3)),
		On:     []Transition{on("done.state.c", "", say("root")), on("done.*", "", assign("n", int64(4)))},
		States: []State{ending("p", State{}), ending("q", State{})}})
	send(t, in, "p")
	wantStatus(t, in, statechart.Active, "")
	wantVar(t, in, "", "n", int64(4))
	send(t, in, "q")
	wantStatus(t, in, statechart.Completed, "")
	wantAsked(t, in, `end completed {"n":4}`)
	wantActive(t, in, "p.pF", "q.qF")
}

// R18: a region that was done and is no more does not count.
func TestR18_ARegionThatIsDoneNoMore(t *testing.T) {
	again := ending("r", State{})
	again.On = []Transition{on("restart", ".r1")}
	in := root(t, listening(State{Initial: "p", States: []State{{Name: "p", Type: statechart.Parallel, States: []State{again, ending("s", State{})}}}}, "c.p"))
	send(t, in, "r", "restart", "s")
	wantMarks(t, in, "")
	send(t, in, "r")
	wantMarks(t, in, "c.p")
}

// R18: a failing output raises error.execution first, and the done event
// comes without data.
func TestR18_FailingOutput(t *testing.T) {
	job := ending("job", State{Output: map[string]any{"x": Expression("(fail)")}})
	in := root(t, State{Initial: "job", On: []Transition{
		on("error.execution", "", Action{Log: Expression("(data kind)")}),
		on("done.state.c.job", "", Action{Log: []any{"done", Expression("(data x)")}}),
	}, States: []State{job}})
	wantTold(t, in, "job", "taken")
	wantAsked(t, in, "log data", "log [done <nil>]")
}

// R18: a parallel state has an output of its own.
func TestR18_OutputOfAParallel(t *testing.T) {
	in := root(t, State{Initial: "p", On: []Transition{on("done.state.c.p", "", Action{Log: Expression("(data n)")})}, States: []State{
		{Name: "p", Type: statechart.Parallel, Context: vars("n", int64(5)), Output: map[string]any{"n": Expression("n")}, States: []State{ending("r", State{Output: "r"})}},
	}})
	wantTold(t, in, "r", "taken")
	wantAsked(t, in, "log 5")
}

// ended is a chart whose session ends on "end", with everything that is then
// taken back.
func ended(f State) Definition {
	f.Name, f.Type = "over", statechart.Final
	return Definition{Root: State{Initial: "w", Exit: []Action{say("-root")}, Context: vars("n", int64(1)),
		On: []Transition{on("done.*", "", say("never")), on("late", "", say("never"))},
		Entry: []Action{
			{Send: "late", Delay: 500, ID: "late"}, {Send: "sooner", To: "peer", Delay: 400},
			{Do: &Invocation{ID: "side", Src: "tool:side"}},
		},
		Invoke: []Invocation{{ID: "rootcall", Src: "tool:root"}},
		After:  []Timed{{Delay: 900}},
		States: []State{
			loud("w", State{Initial: "x", Invoke: []Invocation{{ID: "call", Src: "tool:x"}}, Defer: []string{"later"}, States: []State{loud("x", State{})},
				On: []Transition{on("later", "", say("never")), on("end", "over", say("!"), Action{Raise: "late"})}}),
			loud("v", State{On: []Transition{on("later", "")}}),
			f,
		}}}
}

// R19: the end: remaining exits in reverse document order, timers and calls
// taken back, deferred events given up, its own end last. No further event is
// taken up, also not one that was raised.
func TestR19_End(t *testing.T) {
	d := ended(State{Entry: []Action{say("+over")}, Exit: []Action{say("-over")}, Output: Expression("n")})
	d.Root.States[0].On[0] = Transition{Event: "later", Guard: shut}
	in := start(t, d)
	wantTold(t, in, "later", "deferred deferred")
	wantTold(t, in, "end", "taken")
	wantAsked(t, in, "log -x", "log -w", "stop call", "log !", "log +over", "log -over", "log -root",
		"unschedule after.#c:0", "stop rootcall", "unschedule sooner", "unschedule late", "stop side", "warn later", `end completed 1`)
	wantStatus(t, in, statechart.Completed, "")
	wantActive(t, in, "over") // the one before the exit
	if in.Output() != int64(1) {
		t.Errorf("the output is %v", in.Output())
	}
	if len(in.Timers())+len(in.Live())+len(in.Deferred()) != 0 {
		t.Errorf("left are %v %v %v", in.Timers(), in.Live(), in.Deferred())
	}
	for _, e := range []string{"end", "late", "nosuch"} {
		wantTold(t, in, e, "refused ended")
	}
	wantAsked(t, in)
	if in.Sequence() != 3 {
		t.Errorf("%d macrosteps, want 3", in.Sequence())
	}
}

// R19: the root's output, if it has one, is what is reported; its data is
// still there, also what the exits promoted.
func TestR19_Output(t *testing.T) {
	for name, c := range map[string]struct {
		root, final any
		want        string
	}{
		"none":     {nil, nil, "end completed"},
		"final's":  {nil, "final", `end completed "final"`},
		"root's":   {Expression("total"), "final", "end completed 8"},
		"failing":  {Expression("(fail)"), "final", "warn ; end completed"},
		"finals's": {nil, map[string]any{"t": Expression("total")}, `end completed {"t":1}`},
	} {
		t.Run(name, func(t *testing.T) {
			in := root(t, State{Initial: "p", Context: vars("total", int64(1)), Output: c.root, States: []State{
				{Name: "p", Context: vars("n", int64(7)), Promote: []Promotion{{Variable: "total", Value: Expression("n"), Merge: "sum"}}, On: []Transition{on("go", "f")}},
				{Name: "f", Type: statechart.Final, Output: c.final, Entry: []Action{assign("total", Expression("(- total 7)"))}, Exit: []Action{assign("total", int64(8))}},
			}})
			wantTold(t, in, "go", "taken")
			wantAsked(t, in, c.want)
			wantVar(t, in, "", "total", int64(8))
			wantScopes(t, in, "")
		})
	}
}

// R19: a final state may stand for failure; so does one region of a parallel
// root.
func TestR19_Status(t *testing.T) {
	in := root(t, State{Initial: "a", States: []State{{Name: "a", On: []Transition{on("go", "f")}}, {Name: "f", Type: statechart.Final, Status: "failed", Output: "why"}}})
	wantTold(t, in, "go", "taken")
	wantStatus(t, in, statechart.FailedStatus, "")
	wantAsked(t, in, `end failed "why"`)
	in = root(t, State{Type: statechart.Parallel, States: []State{final("f"), {Name: "g", Type: statechart.Final, Status: "failed"}}})
	wantStatus(t, in, statechart.FailedStatus, "")
	wantAsked(t, in, "end failed")
}

// R19: an error in the last exits does not stop the end.
func TestR19_ErrorsInTheLastExitsAreDropped(t *testing.T) {
	in := root(t, State{Initial: "a", Exit: []Action{fails}, On: []Transition{on("error.execution", "", say("heard"))}, States: []State{
		{Name: "a", On: []Transition{on("go", "f")}}, {Name: "f", Type: statechart.Final, Exit: []Action{say("-f"), fails, say("never")}}}})
	wantTold(t, in, "go", "taken")
	wantAsked(t, in, "log -f", "end completed")
	wantStatus(t, in, statechart.Completed, "")
}

// R19: a session may end in its first macrostep.
func TestR19_EndAtOnce(t *testing.T) {
	in := root(t, State{Initial: "f", States: []State{final("f")}})
	wantStatus(t, in, statechart.Completed, "")
	wantAsked(t, in, "end completed")
	wantActive(t, in, "f")
	var again Instance
	if r := in.Chart().Start(&again, statechart.Start{}); result(r) != "taken" {
		t.Errorf("the start is %s", result(r))
	}
}

// R19: the last macrostep's other effects are still given out, and nothing
// is started that it would stop at once.
func TestR19_EffectsOfTheLastMacrostep(t *testing.T) {
	in := root(t, State{Initial: "a", States: []State{
		{Name: "a", On: []Transition{on("go", "f", Action{Send: "x", To: "peer"}, Action{Emit: "y"})}},
		{Name: "f", Type: statechart.Final, Entry: []Action{{Do: &Invocation{ID: "d", Src: "tool:d"}}}}},
	})
	wantTold(t, in, "go", "taken")
	if got := asked(in); !strings.HasPrefix(got, "send x to peer; emit y; do d tool:d; stop d; end completed") {
		t.Errorf("asked for %s", got)
	}
}

// R19: final states take no transitions: while one is active only what lies
// above it is asked.
func TestR19_FinalStatesTakeNothing(t *testing.T) {
	wantRefused(t, Definition{Root: State{Initial: "f", States: []State{{Name: "f", Type: statechart.Final, On: []Transition{on("e", "f")}}}}},
		statechart.CodeNotAllowed, "root.states.f.on")
	in := root(t, State{Initial: "w", States: []State{{Name: "w", Initial: "f", On: []Transition{on("e", "", say("w"))}, States: []State{final("f")}}}})
	wantTold(t, in, "e", "taken")
	wantMarks(t, in, "w")
}
