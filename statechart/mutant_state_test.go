package statechart_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/detent-run/detent/internal/chartgen/prefix"
	"github.com/detent-run/detent/statechart"
)

// What a session keeps, and what it must not. The tests were asked for by
// deliberate bugs (internal/mutants).

// R23: the effects of the start can be read, also of an instance that keeps
// nothing else.
func TestMutantR23_EffectsOfTheStart(t *testing.T) {
	in := compile(t, Definition{Root: State{Initial: "a", States: []State{{Name: "a", Entry: []Action{say("begun")}, On: []Transition{on("go", "b")}}, {Name: "b"}}}}).Instance(nil)
	wantMarks(t, in, "begun")
}

// R26: a document with a call of a state that is not active is refused.
func TestMutantR26_NoCallOfAnInactiveState(t *testing.T) {
	calling := func(name, next string) State {
		return State{Name: name, Invoke: []Invocation{{Src: "x"}}, On: []Transition{on("go", next)}}
	}
	in := root(t, State{Initial: "a", States: []State{calling("a", "b"), calling("b", "a")}})
	forged := strings.NewReplacer(`"id":"a:0"`, `"id":"b:0"`, `"state":"a"`, `"state":"b"`).Replace(encode(t, in))
	if _, err := in.Chart().Decode([]byte(forged)); err == nil {
		t.Errorf("read: %s", forged)
	}
}

// R27: each kept timer of a state goes on with what remained of its own.
func TestMutantR27_TwoKeptTimers(t *testing.T) {
	in := root(t, State{Initial: "w", States: []State{
		{Name: "w", Initial: "a", On: []Transition{on("leave", "away")}, States: []State{
			{Name: "last", Type: statechart.History},
			{Name: "a", After: []Timed{{Delay: 100, Keep: true}, {Delay: 200, Keep: true}}},
		}},
		{Name: "away", On: []Transition{on("back", "w.last")}},
	}})
	in.SetNow(30)
	wantTold(t, in, "leave", "taken")
	in.SetNow(1000)
	wantTold(t, in, "back", "taken")
	if got, want := timers(in), "after.w.a:0@1070 after.w.a:1@1170"; got != want {
		t.Errorf("armed are %s, want %s", got, want)
	}
}

// R29: an undone macrostep goes back to a clone of the context, not to a copy
// that shares what its actions write to.
func TestMutantR29_UndoGoesBackToAClone(t *testing.T) {
	reg := statechart.NewRegistry()
	statechart.Assign(reg, "mark", func(d *diary, _ Event) { d.Notes[0] = "changed" })
	d := &diary{Notes: []string{"as it was"}}
	in := compile(t, Definition{Limits: statechart.Limits{Effects: 1}, Root: State{
		On: []Transition{on("go", "", Action{Call: "mark"}, say("one"), say("two"))}}}, reg).Instance(d)
	wantTold(t, in, "go", "failed limit_effects")
	wantNotes(t, in, "as it was")
}

// R30: the time of the start stays, also of an instance that keeps nothing
// else.
func TestMutantR30_TheTimeOfTheStart(t *testing.T) {
	in := &Instance{}
	compile(t, Definition{Root: State{On: []Transition{on("go", "")}}}).Start(in, statechart.Start{Now: 5})
	if in.SetNow(3); in.Now() != 5 {
		t.Errorf("it is %d, want 5", in.Now())
	}
}

// R31: a snapshot stays as it was when its instance goes on.
func TestMutantR31_SnapshotsStay(t *testing.T) {
	chart := compile(t, Definition{Root: State{Initial: "a", States: []State{{Name: "a", On: []Transition{on("go", "b", say("x"))}}, {Name: "b"}}}})
	inEachForm(t, chart, nil, func(t *testing.T, in *Instance) {
		in.Trace(&statechart.Trace{})
		before := in.Snapshot()
		wantTold(t, in, "go", "taken")
		if got := before.Configuration(); !slices.Equal(got, []string{"a"}) {
			t.Errorf("the snapshot became %q", got)
		}
	})
}

// R31: ids go on after a restore, text of any kind comes back, and so does
// what a host knew of a kept event.
func TestMutantR31_NothingIsLost(t *testing.T) {
	reg := spoken()
	reg.Action("number", func(s *Scope) error { return s.Set("id", s.NextID()) })
	in := start(t, Definition{Root: State{Initial: "a", Context: vars("id", nil, "text", "\x1f\n\"\\é"), On: []Transition{on("number", "", Action{Call: "number"})},
		States: []State{{Name: "a", Defer: []string{"later"}, On: []Transition{on("go", "b")}}, {Name: "b", On: []Transition{on("later", "")}}}}}, reg)
	wantTold(t, in, "number", "taken")
	kept := statechart.Envelope{ID: "e-1", AcceptedAt: 7, From: "client"}
	in.Step(Delivery{Event: Event{Name: "later"}, Envelope: &kept})
	snapshot, err := in.Chart().Decode([]byte(encode(t, in)))
	if err != nil {
		t.Fatal(err)
	}
	back := &Instance{}
	if err := in.Chart().Resume(back, snapshot); err != nil {
		t.Fatal(err)
	}
	wantTold(t, back, "number", "taken")
	wantVar(t, back, "", "id", "2")
	wantVar(t, back, "", "text", "\x1f\n\"\\é")
	if got := back.Deferred(); len(got) != 1 || got[0].Envelope == nil || *got[0].Envelope != kept {
		t.Errorf("kept is %v, want an event with envelope %v", got, kept)
	}
}

// R33: what a history parked is gone once its parent was entered in another
// way, also when the history is used later without leaving the parent.
func TestMutantR33_ParkedDataIsGoneOnceItsStateWasEntered(t *testing.T) {
	in := root(t, State{Initial: "work", States: []State{
		{Name: "work", Initial: "part", On: []Transition{on("leave", "away")}, States: []State{
			{Name: "last", Type: statechart.History, History: "deep"},
			{Name: "part", Initial: "x", States: []State{
				{Name: "x", On: []Transition{on("next", "y"), on("restore", "#c.work.last")}},
				{Name: "y", Context: vars("n", int64(0)), On: []Transition{on("set", "", assign("n", int64(5)))}},
			}},
		}},
		{Name: "away", On: []Transition{on("again", "work")}},
	}})
	send(t, in, "next", "set", "leave", "again", "restore")
	wantActive(t, in, "work.part.y")
	wantVar(t, in, "work.part.y", "n", int64(0))
}

// R32: two ways on from one state keep their own events.
func TestMutantR32_KeptEventsAreNotShared(t *testing.T) {
	chart := compile(t, Definition{Root: State{Initial: "a", States: []State{{Name: "a", Defer: []string{"*"}, On: []Transition{on("go", "b")}}, {Name: "b", On: []Transition{on("*", "")}}}}})
	next, err := chart.Begin(statechart.Start{})
	keep := func(from statechart.Snapshot, event string) statechart.Next {
		var n statechart.Next
		if n, err = statechart.Step(chart, from, Delivery{Event: Event{Name: event}}, 0); err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, e := range []string{"e1", "e2", "e3"} {
		next = keep(next.Snapshot, e)
	}
	one, other := keep(next.Snapshot, "one"), keep(next.Snapshot, "other")
	for last, way := range map[string]statechart.Next{"one": one, "other": other} {
		if kept := way.Snapshot.Deferred(); len(kept) != 4 || kept[3].Name != last {
			t.Errorf("kept are %v, want %s last", kept, last)
		}
	}
}

// R15: a document whose history holds a state beside its parent is refused.
func TestMutantR15_NoHistoryBesideItsParent(t *testing.T) {
	in := root(t, State{Initial: "w", States: []State{
		{Name: "w", Initial: "a", On: []Transition{on("leave", "away")}, States: []State{{Name: "last", Type: statechart.History, History: "deep"}, {Name: "a"}}},
		{Name: "away", On: []Transition{on("back", "w.last")}},
	}})
	send(t, in, "leave")
	forged := strings.Replace(encode(t, in), `["w.a"]`, `["away"]`, 1)
	if _, err := in.Chart().Decode([]byte(forged)); err == nil || forged == encode(t, in) {
		t.Errorf("read: %s", forged)
	}
}

// R33: after the end the root's data is left, and no other.
func TestMutantR33_AfterTheEndTheRootsDataIsLeft(t *testing.T) {
	in := root(t, State{Initial: "w", Context: vars("n", int64(1)), States: []State{
		{Name: "w", Initial: "f", Context: vars("m", int64(2)), OnDone: []Transition{on("", "over")}, States: []State{{Name: "f", Type: statechart.Final}}},
		{Name: "over", Type: statechart.Final, Context: vars("o", int64(3))},
	}})
	wantStatus(t, in, statechart.Completed, "")
	wantScopes(t, in, "")
}

// R33: an initial value does not see its own variable.
func TestMutantR33_AnInitialValueDoesNotSeeItself(t *testing.T) {
	list := errorsOf(t, Definition{ID: "c", Root: State{Context: vars("n", Expression("n"))}}, spoken())
	if len(list) != 1 || list[0].Code != statechart.CodeExpression {
		t.Errorf("refused with\n%s", describeErrors(list))
	}
}

// otherVersion is the tests' language in another version.
type otherVersion struct{ prefix.Language }

func (otherVersion) Version() string { return "another" }

// The digest knows the language's version, and no description anywhere.
func TestMutantDigest(t *testing.T) {
	digest := func(l statechart.Language, description string) string {
		reg := statechart.NewRegistry()
		reg.Language(l)
		return compile(t, Definition{Root: State{On: []Transition{{Event: "go", Guard: when("true"), Actions: []Action{say("x")}, Description: description}}}}, reg).Digest()
	}
	same := digest(prefix.Language{}, "")
	if digest(prefix.Language{}, "a description") != same {
		t.Error("a transition's description changes the digest")
	}
	if digest(otherVersion{}, "") == same {
		t.Error("another version of the language does not change the digest")
	}
}

// Tags of all active states are found, not of leaves alone.
func TestMutantTags(t *testing.T) {
	in := root(t, State{Initial: "a", Tags: []string{"all"}, States: []State{{Name: "a"}}})
	if !in.HasTag("all") {
		t.Error("the root's tag is not found")
	}
}

// Events does not list what a state forbids, though a state above takes it.
func TestMutantEvents(t *testing.T) {
	in := root(t, State{Initial: "a", On: []Transition{on("go", "", say("x"))}, States: []State{{Name: "a", On: []Transition{on("go", "")}}}})
	if got := in.Events(); len(got) != 0 {
		t.Errorf("listed are %v, want none", got)
	}
}
