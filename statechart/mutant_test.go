package statechart_test

import (
	"testing"

	"github.com/detent-run/detent/statechart"
)

// The tests here were asked for by deliberate bugs that no other test noticed
// (internal/mutants).

// R4, R9: a local transition to a history that stands for its own leaf exits
// nothing, so it does not keep another region's transition from leaving.
func TestMutantR04_ALeafThatStaysConflictsWithNothing(t *testing.T) {
	in := root(t, State{Initial: "both", States: []State{
		{Name: "both", Type: statechart.Parallel, States: []State{
			{Name: "r", Initial: "k", States: []State{
				{Name: "k", On: []Transition{on("go", "n", say("stays"))}},
				{Name: "n", Type: statechart.History},
			}},
			{Name: "s"},
		}},
		{Name: "away"},
	}, On: []Transition{on("go", "#c.away", say("leaves"))}})
	wantTold(t, in, "go", "taken")
	wantMarks(t, in, "stays leaves")
	wantActive(t, in, "away")
}

// R6: onDone takes its own state's done event only, also where descriptors are
// token prefixes.
func TestMutantR06_OnDoneIsExactInScxml(t *testing.T) {
	in := inScxml(t, State{Initial: "e", States: []State{
		{Name: "e", ID: "e", Initial: "f", OnDone: []Transition{on("", "", say("done"))}, States: []State{
			{Name: "f", ID: "e.f", Initial: "j", On: []Transition{on("x", "#e.f.q")}, States: []State{
				{Name: "j"}, {Name: "q", Type: statechart.Final},
			}},
		}},
	}})
	wantTold(t, in, "x", "taken")
	wantMarks(t, in, "")
}

// R12: entries go in document order over all transitions of a microstep, those
// through a history included.
func TestMutantR12_EntriesThroughAHistoryInDocumentOrder(t *testing.T) {
	in := root(t, State{Type: statechart.Parallel, States: []State{
		{Name: "p", Initial: "idle", States: []State{
			{Name: "idle", On: []Transition{on("go", "w.last")}},
			loud("w", State{Initial: "a", States: []State{{Name: "last", Type: statechart.History}, loud("a", State{})}}),
		}},
		{Name: "q", Initial: "idle", States: []State{{Name: "idle", On: []Transition{on("go", "b")}}, loud("b", State{})}},
	}})
	wantTold(t, in, "go", "taken")
	wantMarks(t, in, "+w +a +b")
}

// R18: a region is done by a final child of its own, not by one further down.
func TestMutantR18_AFinalStateFurtherDownDoesNotFinishARegion(t *testing.T) {
	in := root(t, State{Initial: "p", States: []State{
		{Name: "p", Type: statechart.Parallel, OnDone: []Transition{on("", "", say("done"))}, States: []State{
			{Name: "a", Initial: "b", States: []State{{Name: "b", Initial: "f", States: []State{{Name: "f", Type: statechart.Final}}}}},
			{Name: "d", Initial: "e", States: []State{{Name: "e", On: []Transition{on("go", "g")}}, {Name: "g", Type: statechart.Final}}},
		}},
	}})
	wantTold(t, in, "go", "taken")
	wantMarks(t, in, "")
}

// R19: a session that ends in its last macrostep starts no invocation of it.
func TestMutantR19_TheEndStartsNoInvocation(t *testing.T) {
	in := root(t, State{Initial: "over", Invoke: []Invocation{{ID: "call", Src: "x"}}, States: []State{{Name: "over", Type: statechart.Final}}})
	wantAsked(t, in, "end completed")
}

// R23: keys tell calls apart: by their place in the macrostep, by session and
// sequence, and declared ones by their source.
func TestMutantR23_KeysTellCallsApart(t *testing.T) {
	calling := State{Invoke: []Invocation{{ID: "a", Src: "x"}, {ID: "b", Src: "x"}, {ID: "d", Src: "x", Key: "k"}, {ID: "e", Src: "y", Key: "k"}},
		On: []Transition{on("more", "", Action{Do: &Invocation{ID: "do", Src: "x"}})}}
	chart := compile(t, Definition{Root: calling})
	seen := map[string]string{}
	note := func(in *Instance, session string) {
		for _, e := range in.Effects() {
			what := session + " " + e.Source.ID
			if other, twice := seen[e.Key]; twice {
				t.Errorf("%s and %s have one key", what, other)
			}
			seen[e.Key] = what
		}
	}
	for _, session := range []string{"s", "s1"} {
		in := &Instance{}
		chart.Start(in, statechart.Start{Session: session})
		note(in, session)
		for in.Sequence() < 13 {
			wantTold(t, in, "more", "taken")
			note(in, session)
		}
	}
}

// R29: each typed action costs one unit of fuel.
func TestMutantR29_TypedActionsCostFuelEach(t *testing.T) {
	for fuel, want := range map[int64]string{2: "failed limit_fuel", 3: "taken"} {
		in := start(t, Definition{Limits: statechart.Limits{Fuel: fuel}, Root: State{Context: vars("n", int64(0)),
			On: []Transition{on("go", "", note("a"), note("b"), note("a"))}}}, diarist(nil, "a", "b"))
		if got := told(in, "go"); got != want {
			t.Errorf("with fuel %d: %s, want %s", fuel, got, want)
		}
	}
}

// R33: what is promoted into a list is not seen in an earlier state that is
// kept, and two ways on from one state do not see each other.
func TestMutantR33_PromotionLeavesEarlierListsAlone(t *testing.T) {
	for _, merge := range []string{"append", "union"} {
		value := any(Expression("(event)"))
		if merge == "union" {
			value = []any{Expression("(event)")}
		}
		chart := compile(t, Definition{Root: State{Initial: "w", Context: vars("list", []any{}), States: []State{
			{Name: "w", Promote: []Promotion{{Variable: "list", Value: value, Merge: merge}},
				On: []Transition{{Event: "*", Target: "w", Type: statechart.External}}},
		}}})
		next, err := chart.Begin(statechart.Start{})
		step := func(from statechart.Snapshot, event string) statechart.Next {
			var n statechart.Next
			if n, err = statechart.Step(chart, from, Delivery{Event: Event{Name: event}}, 0); err != nil {
				t.Fatal(err)
			}
			return n
		}
		for _, e := range []string{"e1", "e2", "e3"} {
			next = step(next.Snapshot, e)
		}
		one, other := step(next.Snapshot, "one"), step(next.Snapshot, "other")
		for way, want := range map[*statechart.Next]string{&next: `["e1","e2","e3"]`, &one: `["e1","e2","e3","one"]`, &other: `["e1","e2","e3","other"]`} {
			if got := compact(way.Snapshot.Data()[""]["list"]); got != want {
				t.Errorf("%s: the list is %s, want %s", merge, got, want)
			}
		}
	}
}
