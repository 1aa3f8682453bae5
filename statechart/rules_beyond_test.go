package statechart_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// keeps is a state that defers.
func keeps(name string, events ...string) State { return State{Name: name, Defer: events} }

// deferredNames lists the kept events.
func deferredNames(in *Instance) string {
	var names []string
	for _, d := range in.Deferred() {
		names = append(names, d.Name)
	}
	return strings.Join(names, " ")
}

// R32: what an active state lists and nothing takes is kept, in order, until
// a transition takes it.
func TestR32_KeptUntilTaken(t *testing.T) {
	in := root(t, State{Initial: "a", States: []State{
		{Name: "a", Defer: []string{"x", "y.*"}, On: []Transition{on("go", "b")}},
		{Name: "b", On: []Transition{on("x", "c", Action{Log: Expression("(data n)")}), on("z", "")}},
		{Name: "c", On: []Transition{on("x", "", Action{Log: Expression("(data n)")}), on("y.1", "", say("y.1"))}},
	}})
	for i, e := range []string{"x", "y.1", "x", "y.2"} {
		if got := result(in.Send(Event{Name: e, Data: map[string]any{"n": int64(i)}})); got != "deferred deferred" {
			t.Errorf("%s is %s", e, got)
		}
		wantAsked(t, in)
	}
	if got := deferredNames(in); got != "x y.1 x y.2" {
		t.Errorf("kept are %s", got)
	}
	wantTold(t, in, "go", "taken") // and then x, y.1, x
	wantActive(t, in, "c")
	wantAsked(t, in, "log 0", "log y.1", "log 2")
	if got := deferredNames(in); got != "y.2" {
		t.Errorf("kept are %s", got)
	}
	if in.Sequence() != 9 { // the start, four kept, go, three delivered
		t.Errorf("%d macrosteps, want 9", in.Sequence())
	}
	// It stays kept where nothing takes and nothing defers it.
	wantTold(t, in, "z", "ignored not_taken")
	if got := deferredNames(in); got != "y.2" {
		t.Errorf("kept are %s", got)
	}
}

// R32: each delivery is a macrostep and a row of its own; from the start of
// the list again after each.
func TestR32_EachDeliveryIsAMacrostep(t *testing.T) {
	in := root(t, State{Initial: "a", States: []State{
		{Name: "a", Defer: []string{"x", "y"}, On: []Transition{on("go", "b")}},
		{Name: "b", On: []Transition{on("y", "c", say("y"))}},
		{Name: "c", On: []Transition{on("x", "b", say("x"))}},
	}})
	for _, e := range []string{"x", "y", "y"} {
		in.Receive(Delivery{Event: Event{Name: e}, Envelope: &statechart.Envelope{ID: fmt.Sprint(e, in.Sequence())}})
	}
	if got := result(in.Step(Delivery{Event: Event{Name: "go"}})); got != "taken" || asked(in) != "" {
		t.Errorf("%s, %s", got, asked(in))
	}
	for i, want := range []string{"y2 log y", "x1 log x", "y3 log y"} {
		d, r, ok := in.Next()
		if !ok || result(r) != "taken" {
			t.Fatalf("delivery %d: %v %s", i, ok, result(r))
		}
		if got := d.Envelope.ID + " " + asked(in); got != want {
			t.Errorf("delivery %d is %s, want %s", i, got, want)
		}
		if e := in.Effects()[0]; e.Sequence != in.Sequence() || e.Index != 0 || in.Sequence() != uint64(6+i) {
			t.Errorf("effect %d of macrostep %d, in %d", e.Index, e.Sequence, in.Sequence())
		}
	}
	if _, _, ok := in.Next(); ok {
		t.Error("one more is delivered")
	}
}

// R32: a transition anywhere beats defer, except one of a proper ancestor of
// the deferring state; whose guards are not even asked.
func TestR32_TransitionsAndDefer(t *testing.T) {
	x := func(target string) []Transition { return []Transition{on("x", target, say("taken"))} }
	for _, c := range []struct {
		name string
		s    State
		want string
	}{
		{"the state's own", State{Initial: "a", States: []State{{Name: "a", Defer: []string{"x"}, On: x("")}}}, "taken"},
		{"a descendant's", State{Initial: "a", States: []State{{Name: "a", Defer: []string{"x"}, Initial: "b", States: []State{{Name: "b", On: x("")}}}}}, "taken"},
		{"another region's", State{Type: statechart.Parallel, States: []State{keeps("p", "x"), {Name: "q", On: x("")}}}, "taken"},
		{"an earlier region's", State{Type: statechart.Parallel, States: []State{{Name: "q", On: x("")}, keeps("p", "x")}}, "taken"},
		{"an ancestor's", State{Initial: "a", On: x(""), States: []State{keeps("a", "x")}}, "deferred deferred"},
		{"an ancestor of one of two leaves", State{Type: statechart.Parallel, On: x(""), States: []State{keeps("p", "x"), {Name: "q"}}}, "deferred deferred"},
		{"a sibling's ancestor", State{Type: statechart.Parallel, States: []State{keeps("p", "x"), {Name: "q", On: x(""), Initial: "b", States: []State{{Name: "b"}}}}}, "taken"},
		{"its own, by a guard that fails", State{Initial: "a", States: []State{{Name: "a", Defer: []string{"x"}, On: []Transition{{Event: "x", Guard: shut}}}}}, "deferred deferred"},
		{"forbidden", State{Initial: "a", States: []State{{Name: "a", Defer: []string{"x"}, On: []Transition{on("x", "")}}}}, "ignored forbidden"},
		{"an ancestor's guard", State{Initial: "a", On: []Transition{{Event: "x", Guard: when("(fail)")}, on("error.execution", "", say("asked"))}, States: []State{keeps("a", "x")}}, "deferred deferred"},
		{"of another event", State{Initial: "a", On: x(""), States: []State{keeps("a", "xx")}}, "taken"},
		{"by a prefix", State{Initial: "a", On: x(""), States: []State{keeps("a", "x.*")}}, "deferred deferred"},
		{"by a star", State{Initial: "a", On: x(""), States: []State{keeps("a", "*")}}, "deferred deferred"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := root(t, c.s)
			wantTold(t, in, "x", c.want)
			marks := ""
			if c.want == "taken" {
				marks = "taken"
			}
			wantMarks(t, in, marks)
		})
	}
}

// R32: engine events and internal ones are never kept; an ancestor of the
// deferring state takes them.
func TestR32_NeverDeferred(t *testing.T) {
	in := root(t, State{Initial: "a", On: []Transition{on("x", "", say("x")), on("done.*", "", say("done")), on("raise", "", Action{Raise: "x"}, Action{Raise: "x", Delay: 5})},
		Invoke: []Invocation{{ID: "i", Src: "x"}}, States: []State{keeps("a", "*", "x")}})
	wantTold(t, in, "raise", "deferred deferred")
	in = root(t, State{Initial: "a", On: []Transition{on("x", "", say("x")), on("done.*", "", say("done")), on("raise", "", Action{Raise: "x"}, Action{Raise: "x", Delay: 5})},
		Invoke: []Invocation{{ID: "i", Src: "x"}}, States: []State{keeps("a", "x", "y", "done.*")}})
	wantTold(t, in, "raise", "taken")
	wantMarks(t, in, "x")
	if got := fire(t, in); got != "taken" {
		t.Errorf("the delayed one is %s", got)
	}
	wantMarks(t, in, "x")
	in.Receive(answer("done", in.Live()[0].Source, nil))
	wantMarks(t, in, "done")
	wantTold(t, in, "y", "deferred deferred")
	if got := deferredNames(in); got != "y" {
		t.Errorf("kept are %s", got)
	}
}

// R32: past limits.deferred the door refuses, and nothing has happened; what
// is taken is never refused.
func TestR32_Full(t *testing.T) {
	in := start(t, Definition{Limits: statechart.Limits{Deferred: 2}, Root: State{Initial: "a", States: []State{
		{Name: "a", Defer: []string{"x"}, On: []Transition{on("y", "", say("y")), guarded("x", "(= (data n) 1)", "b")}}, {Name: "b"}}}})
	for _, want := range []string{"deferred deferred", "deferred deferred", "refused deferred_full", "refused deferred_full"} {
		wantTold(t, in, "x", want)
		wantAsked(t, in)
	}
	if in.Sequence() != 3 || deferredNames(in) != "x x" {
		t.Errorf("%d macrosteps, kept %s", in.Sequence(), deferredNames(in))
	}
	wantTold(t, in, "y", "taken")
	if got := result(in.Send(Event{Name: "x", Data: map[string]any{"n": int64(1)}})); got != "taken" {
		t.Errorf("an x that is taken is %s", got)
	}
}

// R32: the default bound is 1,000.
func TestR32_DefaultBound(t *testing.T) {
	in := root(t, State{Initial: "a", States: []State{keeps("a", "x")}})
	for range 1000 {
		wantTold(t, in, "x", "deferred deferred")
	}
	wantTold(t, in, "x", "refused deferred_full")
}

// R32: a kept event is looked at after every macrostep, also one that takes
// nothing; what only forbids it does not take it.
func TestR32_LookedAtAfterEachMacrostep(t *testing.T) {
	in := root(t, State{Initial: "a", States: []State{
		{Name: "a", Defer: []string{"x"}, On: []Transition{on("go", "b"), guarded("x", "(< 10 (now))", "c")}},
		{Name: "b", On: []Transition{on("x", ""), on("on", "c"), {Event: "y", Guard: shut}}},
		{Name: "c", On: []Transition{on("x", "", say("x"))}},
	}})
	wantTold(t, in, "x", "deferred deferred")
	in.SetNow(11)
	wantTold(t, in, "y", "ignored not_taken")
	wantActive(t, in, "c")
	in = in.Chart().Instance(nil)
	send(t, in, "go")
	wantTold(t, in, "x", "ignored forbidden")
	in = in.Chart().Instance(nil)
	wantTold(t, in, "x", "deferred deferred")
	send(t, in, "go")
	if got := deferredNames(in); got != "x" {
		t.Errorf("kept are %q: what forbids it has taken it", got)
	}
	send(t, in, "on")
	wantMarks(t, in, "x")
}

// R32: a kept event whose delivery passes a bound has failed, and is not
// tried for ever.
func TestR32_FailedDelivery(t *testing.T) {
	in := start(t, Definition{Limits: statechart.Limits{Effects: 1}, Root: State{Initial: "a", States: []State{
		{Name: "a", Defer: []string{"x", "y"}, On: []Transition{on("go", "b")}},
		{Name: "b", On: []Transition{on("x", "", say("1"), say("2")), on("y", "", say("y"))}}}}})
	for _, e := range []string{"x", "y"} {
		wantTold(t, in, e, "deferred deferred")
	}
	in.Step(Delivery{Event: Event{Name: "go"}})
	d, r, ok := in.Next()
	if !ok || d.Name != "x" || result(r) != "failed limit_effects" || asked(in) != "" {
		t.Errorf("%v %s %s %s", ok, d.Name, result(r), asked(in))
	}
	d, r, ok = in.Next()
	if !ok || d.Name != "y" || result(r) != "taken" {
		t.Errorf("%v %s %s", ok, d.Name, result(r))
	}
	wantStatus(t, in, statechart.Active, "")
	if len(in.Deferred()) != 0 {
		t.Errorf("kept are %s", deferredNames(in))
	}
}

// unhandled is a chart that knows x, y and z, and takes only y.
func unhandled(how string) Definition {
	return Definition{Unhandled: how, Root: State{Initial: "a", States: []State{
		{Name: "a", On: []Transition{on("y", "b"), {Event: "z", Guard: shut}, on("w", "")}},
		{Name: "b", On: []Transition{on("x", "", say("x"))}}}}}
}

// R34: a known event that nothing takes is ignored, refused or kept, with
// the reason.
func TestR34_Unhandled(t *testing.T) {
	for how, c := range map[string]struct{ x, z string }{
		"":       {"ignored not_taken", "ignored guard_false"},
		"ignore": {"ignored not_taken", "ignored guard_false"},
		"reject": {"refused not_taken", "refused guard_false"},
		"defer":  {"deferred deferred", "deferred deferred"},
	} {
		t.Run(how, func(t *testing.T) {
			in := start(t, unhandled(how))
			wantTold(t, in, "x", c.x)
			wantTold(t, in, "z", c.z)
			wantTold(t, in, "w", "ignored forbidden")
			wantTold(t, in, "nosuch", "refused unknown_event")
			if in.Sequence() != 4 { // all but the unknown one are recorded
				t.Errorf("%d macrosteps, want 4", in.Sequence())
			}
			wantTold(t, in, "y", "taken")
			if how == "defer" {
				wantMarks(t, in, "x")
			}
		})
	}
}

// R34: reject and defer are about events from outside only.
func TestR34_EngineEventsAreIgnored(t *testing.T) {
	for _, how := range []string{"reject", "defer"} {
		in := start(t, Definition{Unhandled: how, Root: State{Initial: "a", Invoke: []Invocation{{ID: "i", Src: "x"}}, States: []State{
			{Name: "a", Entry: []Action{{Raise: "x", Delay: 5}, {Raise: "x"}}}, {Name: "b", On: []Transition{on("x", "")}}}}})
		if got := result(in.Receive(answer("done", in.Live()[0].Source, nil))); got != "ignored not_taken" {
			t.Errorf("the end is %s", got)
		}
		if got := fire(t, in); got != "ignored not_taken" {
			t.Errorf("the timer is %s", got)
		}
		if len(in.Deferred()) != 0 {
			t.Errorf("kept are %s", deferredNames(in))
		}
	}
}

// R34: declared and deferred names are known, raised ones are not; a star
// knows all.
func TestR34_KnownEvents(t *testing.T) {
	in := start(t, Definition{Events: []statechart.EventDeclaration{{Name: "declared"}}, Root: State{Initial: "a", States: []State{
		{Name: "a", Entry: []Action{{Raise: "raised"}, {Send: "sent"}}}, {Name: "b", Defer: []string{"kept", "wide.*"}}}}})
	for e, want := range map[string]string{"declared": "ignored not_taken", "kept": "ignored not_taken", "wide.x": "ignored not_taken",
		"raised": "refused unknown_event", "sent": "refused unknown_event", "wider": "refused unknown_event"} {
		wantTold(t, in, e, want)
	}
	in = root(t, State{Initial: "a", States: []State{{Name: "a"}, {Name: "b", On: []Transition{on("*", "")}}}})
	wantTold(t, in, "anything", "ignored not_taken")
	wantTold(t, inScxml(t, State{}), "anything", "ignored not_taken")
}

// R34: and the same in every form of the configuration.
func TestR34_InEachForm(t *testing.T) {
	for how, want := range map[string][]string{"": {"ignored not_taken", "ignored guard_false"}, "reject": {"refused not_taken", "refused guard_false"}, "defer": {"deferred deferred", "deferred deferred"}} {
		c := compile(t, Definition{Unhandled: how, Root: State{Initial: "a", States: []State{
			{Name: "a", On: []Transition{{Event: "z", Guard: statechart.When("no")}, on("w", "")}}, {Name: "b", On: []Transition{on("x", "")}}}}}, diarist([]string{"no"}))
		inEachForm(t, c, newDiary, func(t *testing.T, in *Instance) {
			got := []string{told(in, "x"), told(in, "z"), told(in, "w"), told(in, "u"), fmt.Sprint(in.Sequence())}
			if wanted := append(slices.Clone(want), "ignored forbidden", "refused unknown_event", "4"); !slices.Equal(got, wanted) {
				t.Errorf("%q: %q, want %q", how, got, wanted)
			}
		})
	}
}
