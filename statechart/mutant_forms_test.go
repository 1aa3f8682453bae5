package statechart_test

import (
	"testing"

	"github.com/detent-run/detent/statechart"
)

// What the forms of a configuration must agree on, in charts small enough for
// each of them. The tests were asked for by deliberate bugs (internal/mutants).

// regions is a parallel root of two regions, r (r1, r2) and s (s1, s2). "r"
// moves r to and fro. The transitions for "go" are those of s1 and the root.
func regions(s1, root []Transition) State {
	return State{Type: statechart.Parallel, On: root, States: []State{
		{Name: "r", Initial: "r1", States: []State{
			{Name: "r1", On: []Transition{on("r", "r2")}},
			{Name: "r2", On: []Transition{on("r", "r1"), on("only", "r1")}},
		}},
		{Name: "s", Initial: "s1", States: []State{{Name: "s1", On: s1}, {Name: "s2", On: []Transition{on("back", "s1")}}}},
	}}
}

// R7: guards that the configuration decides.
func TestMutantR07_GuardsOnTheConfiguration(t *testing.T) {
	r1, r2, s1 := Condition{In: "r.r1"}, Condition{In: "r.r2"}, Condition{In: "s.s1"}
	for name, c := range map[string]struct {
		guard      Condition
		inR1, inR2 string
	}{
		"in":  {r1, "taken", "ignored guard_false"},
		"not": {Condition{Not: &r1}, "ignored guard_false", "taken"},
		"and": {Condition{And: []Condition{r1, s1}}, "taken", "ignored guard_false"},
		"or":  {Condition{Or: []Condition{r2, {Not: &s1}}}, "ignored guard_false", "taken"},
	} {
		t.Run(name, func(t *testing.T) {
			chart := compile(t, Definition{Root: regions([]Transition{{Event: "go", Guard: c.guard, Target: "s2"}}, nil)})
			inEachForm(t, chart, nil, func(t *testing.T, in *Instance) {
				wantTold(t, in, "go", c.inR1)
				if c.inR1 == "taken" {
					wantTold(t, in, "back", "taken")
				}
				wantTold(t, in, "r", "taken")
				wantTold(t, in, "go", c.inR2)
			})
		})
	}
}

// R3: what stands above the regions is taken once, and asked when a region's
// own guards say no; all candidates of one state are asked.
func TestMutantR03_AboveTheRegions(t *testing.T) {
	guarded := func(name, action, target string) Transition {
		return Transition{Event: "go", Guard: statechart.When(name), Target: target, Actions: []Action{note(action)}}
	}
	reg := diarist([]string{"first", "second"}, "one", "two", "above")
	chart := compile(t, Definition{Root: regions([]Transition{guarded("first", "one", "s2"), guarded("second", "two", "s2")},
		[]Transition{on("go", "", note("above"))})}, reg)
	for _, c := range []struct {
		answers map[string]bool
		want    string
	}{
		{map[string]bool{}, "first? second? above"},
		{map[string]bool{"second": true}, "first? second? above two"},
		{map[string]bool{"first": true}, "first? above one"},
	} {
		inEachForm(t, chart, func() any { return &diary{Answers: c.answers} }, func(t *testing.T, in *Instance) {
			wantTold(t, in, "go", "taken")
			wantNotes(t, in, c.want)
		})
	}
	chart = compile(t, Definition{Root: regions([]Transition{guarded("first", "one", "s2")}, nil)}, diarist([]string{"first"}, "one"))
	inEachForm(t, chart, newDiary, func(t *testing.T, in *Instance) { wantTold(t, in, "go", "ignored guard_false") })
	only := compile(t, Definition{Root: regions(nil, []Transition{on("go", "", note("above"))})}, diarist(nil, "above"))
	inEachForm(t, only, newDiary, func(t *testing.T, in *Instance) {
		wantTold(t, in, "go", "taken")
		wantNotes(t, in, "above")
	})
	one := regions([]Transition{guarded("first", "one", "s2")}, nil)
	one.States[1].On = []Transition{on("go", ".s2", note("above"))}
	chart = compile(t, Definition{Root: one}, diarist([]string{"first"}, "one", "above"))
	inEachForm(t, chart, newDiary, func(t *testing.T, in *Instance) {
		wantTold(t, in, "go", "taken")
		wantNotes(t, in, "first? above")
	})
	two := regions([]Transition{guarded("first", "one", "s2"), guarded("second", "two", "s2")}, nil)
	chart = compile(t, Definition{Root: two}, diarist([]string{"first", "second"}, "one", "two"))
	inEachForm(t, chart, func() any { return &diary{Answers: map[string]bool{"second": true}} }, func(t *testing.T, in *Instance) {
		wantTold(t, in, "go", "taken")
		wantNotes(t, in, "first? second? two")
	})
}

// R8: a part of a guard is asked about the event at hand.
func TestMutantR08_PartsSeeTheEvent(t *testing.T) {
	reg := statechart.NewRegistry()
	statechart.Guard(reg, "large", func(_ *diary, e Event) bool { return e.Data == "large" })
	both := Condition{And: []Condition{statechart.When("large"), {In: "r.r1"}}}
	chart := compile(t, Definition{Root: regions([]Transition{{Event: "go", Guard: both, Target: "s2"}}, nil)}, reg)
	inEachForm(t, chart, newDiary, func(t *testing.T, in *Instance) {
		for _, data := range []string{"small", "large"} {
			want := map[string]string{"small": "ignored guard_false", "large": "taken"}[data]
			if got := result(in.Send(Event{Name: "go", Data: data})); got != want {
				t.Errorf("with %s data it is %s, want %s", data, got, want)
			}
		}
	})
}

// R34: an event that another state takes is ignored, and counts.
func TestMutantR34_IgnoredInEachForm(t *testing.T) {
	inEachForm(t, compile(t, Definition{Root: regions(nil, nil)}), nil, func(t *testing.T, in *Instance) {
		wantTold(t, in, "only", "ignored not_taken")
		wantTold(t, in, "r", "taken")
		wantTold(t, in, "only", "taken")
		if in.Sequence() != 4 {
			t.Errorf("the sequence is %d, want 4", in.Sequence())
		}
	})
}
