package statechart_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// The public SCXML suites let eighteen known mistakes pass. Each test here
// catches one of them; its comment says what engines got wrong.

// say is an action that leaves a mark in the effects of its macrostep.
func say(mark string) statechart.Action { return statechart.Action{Log: mark} }

// loud is a state that says "+name" on entry and "-name" on exit.
func loud(name string, s statechart.State) statechart.State {
	s.Name = name
	s.Entry = append(s.Entry, say("+"+name))
	s.Exit = append(s.Exit, say("-"+name))
	return s
}

// on is a transition to a target, with a mark when it is taken.
func on(event, target string, actions ...statechart.Action) statechart.Transition {
	return statechart.Transition{Event: event, Target: target, Actions: actions}
}

// holeChart compiles a chart called "c" whose root is given.
func holeChart(t *testing.T, root statechart.State, reg *statechart.Registry) *statechart.Chart {
	t.Helper()
	return holeDialect(t, "", root, reg)
}

func holeDialect(t *testing.T, dialect string, root statechart.State, reg *statechart.Registry) *statechart.Chart {
	t.Helper()
	c, err := statechart.Compile(statechart.Definition{ID: "c", Dialect: dialect, Root: root}, reg)
	if err != nil {
		t.Fatalf("compile:\n%v", err)
	}
	return c
}

// send delivers events, each of which must be taken.
func send(t *testing.T, in *statechart.Instance, events ...string) {
	t.Helper()
	for _, e := range events {
		if r := in.Send(statechart.Event{Name: e}); r.Outcome != statechart.Taken {
			t.Fatalf("%s in %v: %v, %+v", e, in.Configuration(), r.Outcome, r.Reason)
		}
	}
}

// marks are what the last macrostep said.
func marks(in *statechart.Instance) string {
	var said []string
	for _, e := range in.Effects() {
		if e.Type == statechart.EffectLog {
			said = append(said, e.Data.(string))
		}
	}
	return strings.Join(said, " ")
}

func wantMarks(t *testing.T, in *statechart.Instance, want string) {
	t.Helper()
	if got := marks(in); got != want {
		t.Errorf("said %q, want %q", got, want)
	}
}

func wantActive(t *testing.T, in *statechart.Instance, want ...string) {
	t.Helper()
	if got := in.Configuration(); !slices.Equal(got, want) {
		t.Errorf("active are %q, want %q", got, want)
	}
}

// History was stored only when its parent was left for the first time.
func TestHole01_HistoryIsRecordedOnEveryExit(t *testing.T) {
	in := holeChart(t, statechart.State{Initial: "work", States: []statechart.State{
		{Name: "work", Initial: "a", On: []statechart.Transition{on("leave", "away")}, States: []statechart.State{
			{Name: "last", Type: statechart.History},
			{Name: "a", On: []statechart.Transition{on("next", "b")}},
			{Name: "b", On: []statechart.Transition{on("next", "d")}},
			{Name: "d", On: []statechart.Transition{on("next", "a")}},
		}},
		{Name: "away", On: []statechart.Transition{on("back", "work.last")}},
	}}, nil).Instance(nil)
	for _, want := range []string{"work.b", "work.d", "work.a", "work.b"} {
		send(t, in, "next", "leave", "back")
		wantActive(t, in, want)
	}
}

// deepWork is a state with a deep history whose recorded and default targets
// lie two levels below it.
func deepWork() statechart.State {
	return statechart.State{Initial: "away", States: []statechart.State{
		loud("work", statechart.State{Initial: "plain", On: []statechart.Transition{on("leave", "away")}, States: []statechart.State{
			{Name: "last", Type: statechart.History, History: "deep", Initial: "outer.inner.x"},
			loud("plain", statechart.State{}),
			loud("outer", statechart.State{Initial: "inner", States: []statechart.State{
				loud("inner", statechart.State{Initial: "y", States: []statechart.State{
					loud("x", statechart.State{}),
					loud("y", statechart.State{}),
				}}),
			}}),
		}}),
		{Name: "away", On: []statechart.Transition{on("back", "work.last"), on("direct", "work.outer")}},
	}}
}

// The ancestors between a recorded target and the history's parent were not
// entered: the leaf was active alone.
func TestHole02_AncestorsOfARecordedTargetAreEntered(t *testing.T) {
	in := holeChart(t, deepWork(), nil).Instance(nil)
	send(t, in, "direct", "leave", "back")
	wantMarks(t, in, "+work +outer +inner +y")
	wantActive(t, in, "work.outer.inner.y")
	send(t, in, "leave")
	wantMarks(t, in, "-y -inner -outer -work")
}

// The same for the default of a history that has recorded nothing.
func TestHole03_AncestorsOfADefaultHistoryTargetAreEntered(t *testing.T) {
	in := holeChart(t, deepWork(), nil).Instance(nil)
	send(t, in, "back")
	wantMarks(t, in, "+work +outer +inner +x")
	wantActive(t, in, "work.outer.inner.x")
	send(t, in, "leave")
	wantMarks(t, in, "-x -inner -outer -work")
}

// The ancestors of a deep initial target were not entered.
func TestHole04_AncestorsOfADeepInitialTargetAreEntered(t *testing.T) {
	in := holeChart(t, statechart.State{Initial: "a.b.d", States: []statechart.State{
		loud("a", statechart.State{Initial: "b", States: []statechart.State{
			loud("b", statechart.State{Initial: "x", States: []statechart.State{
				loud("x", statechart.State{}), loud("d", statechart.State{}),
			}}),
		}}),
	}}, nil).Instance(nil)
	wantMarks(t, in, "+a +b +d")
	wantActive(t, in, "a.b.d")
}

// States were entered in the order in which they had been put into the set:
// as the targets stand, targets before their ancestors.
func TestHole05_EntryIsInDocumentOrder(t *testing.T) {
	region := func(name string) statechart.State {
		return loud(name, statechart.State{Initial: name + "1", States: []statechart.State{
			loud(name+"1", statechart.State{}), loud(name+"2", statechart.State{}),
		}})
	}
	in := holeChart(t, statechart.State{Initial: "idle", States: []statechart.State{
		{Name: "idle", On: []statechart.Transition{on("go", "#c.both.s.s2 #c.both.q.q2")}},
		loud("both", statechart.State{Type: statechart.Parallel, States: []statechart.State{region("q"), region("r"), region("s")}}),
	}}, nil).Instance(nil)
	send(t, in, "go")
	wantMarks(t, in, "+both +q +q2 +r +r1 +s +s2")
}

// The domain was computed from the history state itself, so that more was
// left and entered than the states it stands for ask for.
func TestHole06_DomainFollowsFromTheResolvedHistory(t *testing.T) {
	in := holeChart(t, statechart.State{Initial: "work", States: []statechart.State{
		loud("work", statechart.State{Initial: "part", On: []statechart.Transition{on("leave", "away")}, States: []statechart.State{
			{Name: "last", Type: statechart.History, History: "deep"},
			loud("part", statechart.State{Initial: "x", States: []statechart.State{
				loud("x", statechart.State{On: []statechart.Transition{on("next", "y"), on("restore", "#c.work.last")}}),
				loud("y", statechart.State{}),
			}}),
		}}),
		{Name: "away", On: []statechart.Transition{on("again", "work")}},
	}}, nil).Instance(nil)
	send(t, in, "next", "leave", "again") // part.y is recorded, part.x active
	wantActive(t, in, "work.part.x")
	send(t, in, "restore")
	wantMarks(t, in, "-x +y")
	wantActive(t, in, "work.part.y")
}

// Transitions were taken to conflict when one source is an ancestor of the
// other, though they leave nothing in common.
func TestHole07_OnlyCommonExitsConflict(t *testing.T) {
	for _, target := range []string{"", "away"} {
		in := holeChart(t, statechart.State{Initial: "both", States: []statechart.State{
			{Name: "both", Type: statechart.Parallel, On: []statechart.Transition{on("go", target, say("both"))}, States: []statechart.State{
				{Name: "p", Initial: "a", States: []statechart.State{{Name: "a", On: []statechart.Transition{on("go", "", say("a"))}}}},
				{Name: "q", Initial: "b", States: []statechart.State{{Name: "b"}}},
			}},
			{Name: "away"},
		}}, nil).Instance(nil)
		send(t, in, "go")
		wantMarks(t, in, "a both")
		if target != "" {
			wantActive(t, in, target)
		}
	}
}

// The done event was queued before the final state's entry actions had run,
// and so overtook what these raise.
func TestHole08_DoneComesAfterTheEntryActions(t *testing.T) {
	in := holeChart(t, statechart.State{Initial: "job", On: []statechart.Transition{on("raised", "", say("raised")), on("done.state.job", "", say("done"))},
		States: []statechart.State{
			{Name: "job", ID: "job", Initial: "doing", States: []statechart.State{
				{Name: "doing", On: []statechart.Transition{on("finish", "over")}},
				{Name: "over", Type: statechart.Final, Entry: []statechart.Action{{Raise: "raised"}}},
			}},
		}}, nil).Instance(nil)
	send(t, in, "finish")
	wantMarks(t, in, "raised done")
}

// finishing is a parallel state of two regions that are over after "finish";
// entering their final states raises p and q.
func finishing() statechart.State {
	region := func(name, event string) statechart.State {
		return statechart.State{Name: name, ID: name, Initial: "doing", States: []statechart.State{
			{Name: "doing", On: []statechart.Transition{on(event, "over"), on("finish", "over")}},
			{Name: "over", Type: statechart.Final, Entry: []statechart.Action{{Raise: "raised." + name}}},
		}}
	}
	root := statechart.State{Initial: "both", States: []statechart.State{
		{Name: "both", ID: "both", Type: statechart.Parallel, States: []statechart.State{region("p", "first"), region("q", "second")}},
	}}
	for _, e := range []string{"raised.p", "raised.q", "done.state.p", "done.state.q", "done.state.both"} {
		root.On = append(root.On, on(e, "", say(e)))
	}
	return root
}

// Done events were queued only after all states had been entered.
func TestHole09_DoneComesBeforeLaterEntries(t *testing.T) {
	in := holeChart(t, finishing(), nil).Instance(nil)
	send(t, in, "finish")
	wantMarks(t, in, "raised.p done.state.p raised.q done.state.q done.state.both")
}

// Done events were put behind the external events that were waiting.
func TestHole10_DoneIsInternal(t *testing.T) {
	in := holeChart(t, statechart.State{Initial: "job", States: []statechart.State{
		{Name: "job", Initial: "doing", OnDone: []statechart.Transition{on("", "next")}, States: []statechart.State{
			{Name: "doing", On: []statechart.Transition{on("finish", "over", statechart.Action{Send: "later"})}},
			{Name: "over", Type: statechart.Final},
		}},
		{Name: "next", On: []statechart.Transition{on("later", "end")}},
		{Name: "end"},
	}}, nil).Instance(nil)
	if r := in.Send(statechart.Event{Name: "finish"}); r.Outcome != statechart.Taken {
		t.Fatal(r)
	}
	wantActive(t, in, "next")
	var sent []string
	for _, e := range in.Effects() {
		sent = append(sent, string(e.Type)+" "+e.Event)
	}
	if !slices.Equal(sent, []string{"send later"}) {
		t.Errorf("effects are %q, want the send only", sent)
	}
}

// A parallel state was done as soon as one of its regions was.
func TestHole11_AParallelIsDoneWhenAllRegionsAre(t *testing.T) {
	in := holeChart(t, finishing(), nil).Instance(nil)
	send(t, in, "first")
	wantMarks(t, in, "raised.p done.state.p")
	send(t, in, "second")
	wantMarks(t, in, "raised.q done.state.q done.state.both")
}

// At the end of the session exit actions ran in document order, or in none.
func TestHole12_TheEndExitsInReverseDocumentOrder(t *testing.T) {
	region := func(name string) statechart.State {
		return loud(name, statechart.State{Initial: name + "1", States: []statechart.State{
			loud(name+"1", statechart.State{On: []statechart.Transition{on("finish", name+"2")}}),
			loud(name+"2", statechart.State{Type: statechart.Final}),
		}})
	}
	root := loud("", statechart.State{Type: statechart.Parallel, States: []statechart.State{region("p"), region("q")}})
	in := holeChart(t, root, nil).Instance(nil)
	send(t, in, "finish")
	wantMarks(t, in, "-q1 -p1 +p2 +q2 -q2 -q -p2 -p -")
	wantActive(t, in, "p.p2", "q.q2")
	if in.Status() != statechart.Completed {
		t.Errorf("status is %s", in.Status())
	}
}

// Data that is made on the first entry was made again on a later one. Here a
// state's own data is made on entry (R33): restoring it by its history must
// keep it, and the root's data is made once.
func TestHole13_RestoredDataIsNotMadeAgain(t *testing.T) {
	reg := statechart.NewRegistry()
	reg.Action("count", func(s *statechart.Scope) error {
		for _, name := range []string{"own", "all"} {
			v, _ := s.Get(name)
			if err := s.Set(name, v.(int64)+1); err != nil {
				return err
			}
		}
		return nil
	})
	in := holeChart(t, statechart.State{
		Initial: "work",
		Context: []statechart.Variable{{Name: "all", Value: int64(0)}},
		States: []statechart.State{
			{Name: "work", Initial: "a", Context: []statechart.Variable{{Name: "own", Value: int64(0)}},
				On:     []statechart.Transition{on("leave", "away"), on("count", "", statechart.Action{Call: "count"})},
				States: []statechart.State{{Name: "last", Type: statechart.History}, {Name: "a"}}},
			{Name: "away", On: []statechart.Transition{on("back", "work.last"), on("anew", "work")}},
		}}, reg).Instance(nil)
	want := func(own, all int64) {
		t.Helper()
		data := in.Data()
		if data["work"]["own"] != own || data[""]["all"] != all {
			t.Errorf("data is %v, want own %d, all %d", data, own, all)
		}
	}
	send(t, in, "count", "leave", "back", "count")
	want(2, 2)
	send(t, in, "leave", "anew", "count")
	want(1, 3)
}

// Invocations started in the order in which their states were entered, not in
// document order.
func TestHole14_InvocationsStartInDocumentOrder(t *testing.T) {
	calling := func(name string) statechart.State {
		return statechart.State{Name: name, Invoke: []statechart.Invocation{{Src: "tool:" + name}}}
	}
	in := holeChart(t, statechart.State{Type: statechart.Parallel, States: []statechart.State{
		{Name: "p", Initial: "wait", States: []statechart.State{{Name: "wait", Always: []statechart.Transition{on("", "first")}}, calling("first")}},
		{Name: "q", Initial: "second", States: []statechart.State{calling("second")}},
	}}, nil).Instance(nil)
	var started []string
	for _, e := range in.Effects() {
		if e.Type == statechart.EffectInvoke {
			started = append(started, e.Call.Src)
		}
	}
	if want := []string{"tool:first", "tool:second"}; !slices.Equal(started, want) {
		t.Errorf("started %q, want %q", started, want)
	}
}

// The error of an invocation that could not start waited until the next
// external event had been processed.
func TestHole15_AFailedInvocationIsHeardOfAtOnce(t *testing.T) {
	reg := statechart.NewRegistry()
	reg.Value("broken", func(*statechart.Scope) (any, error) { return nil, errors.New("no such thing") })
	for _, dialect := range []string{"", "scxml"} {
		in := holeDialect(t, dialect, statechart.State{Initial: "idle", States: []statechart.State{
			{Name: "idle", On: []statechart.Transition{on("go", "#c.calling")}},
			{Name: "calling", Invoke: []statechart.Invocation{{Src: "tool:x", Input: statechart.Expression("broken")}},
				On: []statechart.Transition{on("error.execution", "#c.heard"), on("next", "#c.missed")}},
			{Name: "heard"},
			{Name: "missed"},
		}}, reg).Instance(nil)
		if r := in.Send(statechart.Event{Name: "go"}); r.Outcome != statechart.Taken {
			t.Fatalf("dialect %q: %v", dialect, r)
		}
		wantActive(t, in, "heard")
		for _, e := range in.Effects() {
			if e.Type == statechart.EffectInvoke {
				t.Errorf("dialect %q: it was started all the same", dialect)
			}
		}
	}
}

// A foreach went over the array itself: what its body appended was visited,
// and often without end.
func TestHole16_ForeachGoesOverACopy(t *testing.T) {
	reg := statechart.NewRegistry()
	reg.Value("list", func(s *statechart.Scope) (any, error) {
		v, _ := s.Get("items")
		return v, nil
	})
	reg.Action("grow", func(s *statechart.Scope) error {
		v, _ := s.Get("items")
		return s.Set("items", append(slices.Clone(v.([]any)), "more"))
	})
	in := holeChart(t, statechart.State{
		Context: []statechart.Variable{{Name: "items", Value: []any{"a", "b"}}},
		On: []statechart.Transition{on("go", "", statechart.Action{
			Foreach: statechart.Expression("list"), As: "item",
			Then: []statechart.Action{{Call: "grow"}, say("once")},
		})},
	}, reg).Instance(nil)
	send(t, in, "go")
	wantMarks(t, in, "once once")
	if items := in.Data()[""]["items"].([]any); len(items) != 4 {
		t.Errorf("items are %v, want four", items)
	}
}

// Event names were compared without regard to case.
func TestHole17_EventNamesAreCaseSensitive(t *testing.T) {
	for dialect, want := range map[string]statechart.Outcome{"": statechart.Refused, "scxml": statechart.Ignored} {
		in := holeDialect(t, dialect, statechart.State{Initial: "a", States: []statechart.State{
			{Name: "a", On: []statechart.Transition{on("Go", "#c.b"), on("Wide.*", "#c.b")}}, {Name: "b"},
		}}, nil).Instance(nil)
		for _, name := range []string{"go", "GO", "wide.open", "wide"} {
			if r := in.Send(statechart.Event{Name: name}); r.Outcome != want {
				t.Errorf("dialect %q: %s is %v, want %v", dialect, name, r.Outcome, want)
			}
		}
		wantActive(t, in, "a")
	}
}

// The fields of the event at hand could be written, and later actions and
// guards read what had been written.
func TestHole18_TheEventCannotBeWritten(t *testing.T) {
	reg := statechart.NewRegistry()
	reg.Action("overwrite", func(s *statechart.Scope) error {
		e := s.Event()
		e.Name, e.Data = "other", "other"
		return s.Set("event", e)
	})
	reg.Action("read", func(s *statechart.Scope) error {
		e := s.Event()
		return s.Set("seen", e.Name+" "+e.Data.(string))
	})
	in := holeChart(t, statechart.State{
		Context: []statechart.Variable{{Name: "seen", Value: ""}},
		On: []statechart.Transition{
			on("go", "", statechart.Action{Block: []statechart.Action{{Call: "overwrite"}}}, statechart.Action{Call: "read"}),
			on("error.execution", "", say("refused")),
		},
	}, reg).Instance(nil)
	if r := in.Send(statechart.Event{Name: "go", Data: "payload"}); r.Outcome != statechart.Taken {
		t.Fatal(r)
	}
	wantMarks(t, in, "refused")
	if seen := in.Data()[""]["seen"]; seen != "go payload" {
		t.Errorf("the next action saw %q", seen)
	}
	_, err := statechart.Compile(statechart.Definition{ID: "c", Root: statechart.State{
		On: []statechart.Transition{on("go", "", statechart.Action{Assign: []statechart.Variable{{Name: "event", Value: "other"}}})},
	}}, nil)
	var wrong statechart.Errors
	if !errors.As(err, &wrong) || wrong[0].Code != statechart.CodeUnknownName {
		t.Errorf("an assignment to the event compiles: %v", err)
	}
}
