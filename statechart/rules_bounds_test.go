package statechart_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// excess is a chart that passes a bound on "go" after it changed everything
// that can change: data, configuration, timers, calls, lists, history.
func excess(limits statechart.Limits, over ...Action) Definition {
	change := []Action{assign("n", int64(2)), {Append: "rows", Data: "x"}, {Raise: "t", Delay: 10}, {Do: &Invocation{ID: "d", Src: "x"}}, {Cancel: "armed"}}
	return Definition{Lists: []string{"rows"}, Limits: limits, Root: State{Initial: "a", Context: vars("n", int64(1)),
		Entry:  []Action{{Raise: "t", Delay: 5, ID: "armed"}},
		Invoke: []Invocation{{ID: "i", Src: "x", OnDone: []Transition{on("", ".b", append(change, over...)...)}}},
		On:     []Transition{on("r", ""), on("t", ""), on("fine", "")},
		States: []State{
			{Name: "a", Initial: "a1", On: []Transition{on("go", "b", append(change, over...)...)}, States: []State{{Name: "h", Type: statechart.History}, {Name: "a1", Context: vars("m", int64(0))}}},
			{Name: "b", On: []Transition{on("back", "a.h")}},
		}}}
}

// repeat is an action n times.
func repeat(n int, a Action) (list []Action) {
	for range n {
		list = append(list, a)
	}
	return list
}

// R29: past a bound the whole macrostep is undone and the event recorded as
// failed; if a client sent it, the session goes on; if the engine did, it
// fails.
func TestR29_PastABoundAllIsUndone(t *testing.T) {
	loop := Action{Raise: "r"}
	for _, c := range []struct {
		limits statechart.Limits
		over   []Action
		code   statechart.Code
	}{
		{statechart.Limits{Raised: 3}, repeat(4, loop), statechart.CodeRaised},
		{statechart.Limits{Effects: 6}, repeat(4, say("x")), statechart.CodeEffects},
		{statechart.Limits{Fuel: 20}, repeat(20, assign("n", int64(3))), statechart.CodeFuel},
		{statechart.Limits{Microsteps: 3}, repeat(3, Action{Raise: "back"}), statechart.CodeMicrosteps},
	} {
		t.Run(string(c.code), func(t *testing.T) {
			d := excess(c.limits, c.over...)
			if c.code == statechart.CodeMicrosteps {
				d.Root.States[0].Always = []Transition{guarded("", "(= n 2)", "b")}
			}
			in := start(t, d)
			before := encode(t, in)
			wantTold(t, in, "go", "failed "+string(c.code))
			wantAsked(t, in)
			wantStatus(t, in, statechart.Active, "")
			if after := encode(t, in); after != strings.Replace(before, `"sequence":1`, `"sequence":2`, 1) {
				t.Errorf("not all is undone:\n%s\n%s", before, after)
			}
			wantTold(t, in, "fine", "ignored forbidden")
			if got := result(in.Receive(answer("done", in.Live()[0].Source, nil))); got != "failed "+string(c.code) {
				t.Errorf("by the engine it is %s", got)
			}
			wantStatus(t, in, statechart.FailedStatus, c.code)
			wantAsked(t, in)
			wantActive(t, in, "a.a1")
			wantVar(t, in, "", "n", int64(1))
			if len(in.Live()) != 1 || len(in.Timers()) != 1 || in.Len("rows") != 0 {
				t.Errorf("calls %v, timers %v, rows %d", in.Live(), in.Timers(), in.Len("rows"))
			}
		})
	}
}

// R29: what comes up to a bound is within it.
func TestR29_UpToTheBoundAllIsWell(t *testing.T) {
	for _, n := range []int{5, 6} {
		told := map[int]string{5: "taken", 6: "failed limit_"}[n]
		check := func(what, got string) {
			t.Helper()
			if !strings.HasPrefix(got, told) {
				t.Errorf("%d %s: %s", n, what, got)
			}
		}
		at5 := func(l statechart.Limits, s State) string {
			return told2(start(t, Definition{Limits: l, Root: s}))
		}
		check("raised", at5(statechart.Limits{Raised: 5}, State{On: []Transition{on("go", "", repeat(n, Action{Raise: "r"})...), on("r", "")}}))
		check("effects", at5(statechart.Limits{Effects: 5}, State{On: []Transition{on("go", "", repeat(n, say("x"))...)}}))
		check("fuel", at5(statechart.Limits{Fuel: 5}, State{Context: vars("n", nil), On: []Transition{on("go", "", repeat(n, assign("n", nil))...)}}))
		chain := State{Initial: "s0", States: []State{{Name: "s0", On: []Transition{on("go", "s1")}}}}
		for i := 1; i <= n; i++ {
			chain.States = append(chain.States, State{Name: fmt.Sprint("s", i), Always: []Transition{on("", fmt.Sprint("s", min(i+1, n)))}})
		}
		chain.States[n].Always = nil
		check("microsteps", at5(statechart.Limits{Microsteps: 5}, chain))
	}
}

func told2(in *Instance) string { return told(in, "go") }

// R29: the defaults are 1,000 microsteps, 1,000 raised events, 100 effects.
func TestR29_Defaults(t *testing.T) {
	counting := func(to int) State {
		return State{Initial: "a", Context: vars("n", int64(0)), States: []State{
			{Name: "a", On: []Transition{on("go", "b")}},
			{Name: "b", Always: []Transition{guarded("", fmt.Sprintf("(< n %d)", to), "b", assign("n", Expression("(+ n 1)")))}}}}
	}
	raising := func(n int) State {
		return State{On: []Transition{on("go", "", repeat(n, Action{Raise: "r"})...), on("r", "")}}
	}
	saying := func(n int) State { return State{On: []Transition{on("go", "", repeat(n, say("x"))...)}} }
	for _, c := range []struct {
		s    State
		want string
	}{
		{counting(999), "taken"}, {counting(1000), "failed limit_microsteps"},
		{raising(1000), "taken"}, {raising(1001), "failed limit_raised"},
		{saying(100), "taken"}, {saying(101), "failed limit_effects"},
	} {
		wantTold(t, root(t, c.s), "go", c.want)
	}
}

// R29: taking back does not count as an effect: leaving is always possible.
func TestR29_TakingBackIsFree(t *testing.T) {
	s := State{Name: "a", On: []Transition{on("go", "b")}}
	for i := range 60 {
		s.Invoke = append(s.Invoke, Invocation{ID: fmt.Sprint("i", i), Src: "x"})
		if i < 40 {
			s.After = append(s.After, Timed{Delay: i + 1})
		}
	}
	in := root(t, State{Initial: "a", States: []State{s, {Name: "b"}}})
	wantTold(t, in, "go", "taken")
	if n := len(in.Effects()); n != 100 {
		t.Errorf("%d were taken back", n)
	}
	d := Definition{Limits: statechart.Limits{Effects: 100}, Root: State{Initial: "a", States: []State{s, {Name: "b", Entry: repeat(100, say("x"))}}}}
	wantTold(t, start(t, d), "go", "taken")
}

// R29: the record names the last states of the cycle.
func TestR29_Cycle(t *testing.T) {
	in := root(t, State{Initial: "idle", Context: vars("n", int64(0)), States: []State{
		{Name: "idle", On: []Transition{on("go", "ping")}},
		{Name: "ping", Always: []Transition{guarded("", "(= n 0)", "pong")}},
		{Name: "pong", Always: []Transition{guarded("", "(= n 0)", "ping")}},
	}})
	r := in.Send(Event{Name: "go"})
	if result(r) != "failed limit_microsteps" {
		t.Fatalf("it is %s", result(r))
	}
	if n := len(r.Reason.Cycle); n < 4 || r.Reason.Cycle[n-1] == r.Reason.Cycle[n-2] || !slices.Contains(r.Reason.Cycle, "ping") || !slices.Contains(r.Reason.Cycle, "pong") {
		t.Errorf("the cycle is %q", r.Reason.Cycle)
	}
	wantActive(t, in, "idle")
}

// R29: a start that passes a bound leaves a failed session and nothing else.
func TestR29_Start(t *testing.T) {
	in := root(t, State{Entry: repeat(101, say("x")), Context: vars("n", int64(1)), After: []Timed{{Delay: 5}}})
	wantStatus(t, in, statechart.FailedStatus, statechart.CodeEffects)
	wantAsked(t, in)
	if len(in.Configuration())+len(in.Data())+len(in.Timers()) != 0 || in.Sequence() != 1 {
		t.Errorf("left are %v %v %v, macrostep %d", in.Configuration(), in.Data(), in.Timers(), in.Sequence())
	}
	wantTold(t, in, "x", "refused ended")
}

// R29: the typed context is undone, too.
func TestR29_TheContextIsUndone(t *testing.T) {
	c := compile(t, Definition{Limits: statechart.Limits{Raised: 1}, Root: State{On: []Transition{
		on("go", "", note("one"), note("two"), Action{Raise: "r"}, Action{Raise: "r"}), on("r", ""), on("fine", "", note("three"))}}}, diarist(nil, "one", "two", "three"))
	in := c.Instance(newDiary())
	send(t, in, "fine")
	wantTold(t, in, "go", "failed limit_raised")
	wantNotes(t, in, "three")
}

// R29: an endless loop of raises, and one of a foreach that starts nothing,
// end.
func TestR29_EndlessLoopsEnd(t *testing.T) {
	in := root(t, State{On: []Transition{on("go", "", Action{Raise: "go"})}})
	wantTold(t, in, "go", "failed limit_microsteps")
	many := make([]any, 1000)
	body := Action{Foreach: many, Then: []Action{{Foreach: many, Then: []Action{{Foreach: many}}}}}
	wantTold(t, root(t, State{On: []Transition{on("go", "", body)}}), "go", "failed limit_fuel")
}

// R29: the errors of one macrostep count as raised events.
func TestR29_ErrorsAreRaised(t *testing.T) {
	in := start(t, Definition{Limits: statechart.Limits{Raised: 2}, Root: State{On: []Transition{
		on("go", "", repeat(3, Action{Block: []Action{fails}})...), on("error.*", "")}}})
	wantTold(t, in, "go", "failed limit_raised")
}

// R30: the time of a macrostep is the later of the last one's and the host's
// clock; every now and due time in it is that time.
func TestR30_TimeNeverGoesBack(t *testing.T) {
	c := compile(t, Definition{Root: State{On: []Transition{on("go", "", Action{Log: Expression("(now)")}, Action{Raise: "x", Delay: 5}, Action{Cancel: "none"}), on("x", "")}}})
	in := c.Instance(nil)
	for _, step := range []struct{ clock, want int64 }{{0, 0}, {100, 100}, {40, 100}, {-3, 100}, {101, 101}} {
		in.SetNow(step.clock)
		send(t, in, "go")
		wantAsked(t, in, fmt.Sprint("log ", step.want), fmt.Sprintf("schedule x at %d", step.want+5))
		if in.Now() != step.want {
			t.Errorf("now is %d, want %d", in.Now(), step.want)
		}
	}
	next, err := statechart.Step(c, in.Snapshot(), Delivery{Event: Event{Name: "go"}}, 50)
	if err != nil || next.Snapshot.Now() != 101 || !strings.HasPrefix(rendered(next.Effects), "log 101;") {
		t.Errorf("the pure step: %s %v", rendered(next.Effects), err)
	}
	var early Instance
	c.Start(&early, statechart.Start{Now: -50})
	begun, err := c.Begin(statechart.Start{Now: -50})
	if err != nil || early.Now() != 0 || begun.Snapshot.Now() != 0 {
		t.Errorf("started before zero: %d and %d", early.Now(), begun.Snapshot.Now())
	}
}

// R30: when the host accepted the event, and what else it knows of it, is
// for the functions to read; ids come from a counter in the state.
func TestR30_EnvelopeAndIDs(t *testing.T) {
	reg := spoken()
	reg.Action("read", func(s *Scope) error {
		e := s.Envelope()
		return s.Set("seen", []any{e.ID, e.AcceptedAt, e.From, s.Session(), int64(s.Sequence()), s.NextID(), s.NextID()})
	})
	in := root(t, State{Context: vars("seen", nil), On: []Transition{on("go", "", Action{Call: "read"}), on("inner", "", Action{Call: "read"}), on("out", "", Action{Raise: "inner"})}}, reg)
	in.Receive(Delivery{Event: Event{Name: "go"}, Envelope: &statechart.Envelope{ID: "e-1", AcceptedAt: 77, From: "client"}})
	wantVar(t, in, "", "seen", []any{"e-1", int64(77), "client", "s", int64(2), "1", "2"})
	in.Receive(Delivery{Event: Event{Name: "out"}, Envelope: &statechart.Envelope{ID: "e-2"}})
	wantVar(t, in, "", "seen", []any{"", int64(0), "", "s", int64(3), "3", "4"}) // an internal event has none
}

// R30: the step is a function of chart, state, event and time; a snapshot is
// a value, and may be stepped any number of times.
func TestR30_TheStepIsAFunction(t *testing.T) {
	c := compile(t, rich())
	next, err := c.Begin(statechart.Start{Session: "s", Now: 10})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range richScript {
		before := encodeSnapshot(t, next.Snapshot)
		var results []string
		var after statechart.Next
		for range 3 {
			if after, err = line.step(c, next.Snapshot); err != nil {
				t.Fatal(err)
			}
			results = append(results, fmt.Sprint(result(after.Result), compact(after.Effects), encodeSnapshot(t, after.Snapshot)))
		}
		if results[0] != results[1] || results[1] != results[2] {
			t.Errorf("%v leads to\n%s\nand\n%s", line, results[0], results[1])
		}
		if encodeSnapshot(t, next.Snapshot) != before {
			t.Errorf("%v changed the snapshot it was given", line)
		}
		next = after
	}
}

// R31: stepping what was encoded and decoded is stepping the state itself.
func TestR31_DecodedIsEqual(t *testing.T) {
	c := compile(t, rich())
	next, err := c.Begin(statechart.Start{Session: "s", Now: 10})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range richScript {
		text := encodeSnapshot(t, next.Snapshot)
		decoded, err := c.Decode([]byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if again := encodeSnapshot(t, decoded); again != text {
			t.Fatalf("it comes back as\n%s\nwas\n%s", again, text)
		}
		a, errA := line.step(c, next.Snapshot)
		b, errB := line.step(c, decoded)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if result(a.Result) != result(b.Result) || compact(a.Effects) != compact(b.Effects) || encodeSnapshot(t, a.Snapshot) != encodeSnapshot(t, b.Snapshot) {
			t.Errorf("%v: %s\n%s\n%s\n%s", line, result(a.Result), result(b.Result), compact(a.Effects), compact(b.Effects))
		}
		next = a
	}
	if s := next.Snapshot.Status(); s != statechart.Completed {
		t.Errorf("the script ends with %s in %v", s, next.Snapshot.Configuration())
	}
}

// R29: what is only forbidden is no microstep, so it may come any number of
// times; an eventless transition that does nothing is one, and for ever.
func TestR29_WhatIsAMicrostep(t *testing.T) {
	d := Definition{Limits: statechart.Limits{Microsteps: 2}, Root: State{On: []Transition{on("go", "", repeat(50, Action{Raise: "r"})...), on("r", "")}}}
	wantTold(t, start(t, d), "go", "taken")
	in := root(t, State{Always: []Transition{{Guard: when("(= (event) 'go')")}}, On: []Transition{on("go", "")}})
	wantTold(t, in, "go", "failed limit_microsteps")
}

// R30: a macrostep is numbered when its event came past the door, whatever
// became of it; what is refused before that leaves no trace.
func TestR30_WhatIsCounted(t *testing.T) {
	in := start(t, Definition{Unhandled: "reject", Limits: statechart.Limits{Effects: 1}, Root: State{Initial: "a", Invoke: []Invocation{{ID: "i", Src: "x"}}, States: []State{
		{Name: "a", Defer: []string{"keep"}, On: []Transition{on("taken", ""), {Event: "shut", Guard: shut}, on("over", "", say("1"), say("2")), on("none", "b")}}, {Name: "b", On: []Transition{on("other", "")}}}}})
	in.Receive(answer("done", in.Live()[0].Source, nil))
	sequence := in.Sequence()
	for _, c := range []struct {
		event, told string
		counts      bool
	}{
		{"taken", "ignored forbidden", true}, {"shut", "refused guard_false", true}, {"other", "refused not_taken", true}, {"keep", "deferred deferred", true},
		{"over", "failed limit_effects", true}, {"nosuch", "refused unknown_event", false}, {"after.x", "refused reserved_event", false},
	} {
		wantTold(t, in, c.event, c.told)
		if c.counts {
			sequence++
		}
		if in.Sequence() != sequence {
			t.Errorf("after %s it is macrostep %d, want %d", c.event, in.Sequence(), sequence)
		}
	}
	if got := result(in.Receive(answer("done", statechart.Source{Kind: "invoke", ID: "i", Entry: 99}, nil))); got != "ignored stale" || in.Sequence() != sequence+1 {
		t.Errorf("a stale answer is %s, macrostep %d", got, in.Sequence())
	}
}

// R29: a value may be made of so many values, and no more; beyond, it is an
// error of the action, also when each of its parts is small.
func TestR29_SizeOfAValue(t *testing.T) {
	n := Expression("n")
	for _, c := range []struct {
		value any
		fails bool
	}{
		{Expression("(list 1 2 3)"), false}, {Expression("(list 1 2 3 4)"), true}, {[]any{n, n, n}, false}, {[]any{n, n, n, n}, true},
		{map[string]any{"a": []any{n}, "b": n}, false}, {map[string]any{"a": []any{n, n}, "b": n}, true},
	} {
		in := start(t, Definition{Limits: statechart.Limits{Data: 4}, Root: State{Context: vars("x", nil, "n", int64(1)), On: []Transition{on("go", "", assign("x", c.value)), hear}}})
		wantTold(t, in, "go", "taken")
		if failed := asked(in) == "log [action root.on[0].actions[0]]"; failed != c.fails {
			t.Errorf("%v: asked for %q", c.value, asked(in))
		}
	}
}

// R29: a computed value costs by its size: one for every 16 values in it, one
// for every 1,024 bytes of text and one for every field of an object. So does one that is refused: what raises
// an error again and again must end.
func TestR29_LookingThroughAValue(t *testing.T) {
	list := make([]any, 159) // 160 values with the list itself
	text := strings.Repeat("x", 5*1024)
	object, refused := map[string]any{}, map[string]any{}
	for i := range 200 {
		refused[fmt.Sprint(i)] = list[0]
		if i < 159 {
			object[fmt.Sprint(i)] = list[0]
		}
	}
	for _, c := range []struct {
		name  string
		value any
		cost  int64
	}{{"small", int64(1), 0}, {"list", list, 10}, {"text", text, 5}, {"object", object, 169},
		{"a list that is refused", append(list, list...), 10}, {"an object that is refused", refused, 10}, {"in a list", []any{int64(1), refused}, 10}} {
		r := spoken()
		r.Value("made", func(*Scope) (any, error) { return c.value, nil })
		for _, enough := range []bool{true, false} {
			fuel := 2 + c.cost // the assignment, the registered function
			want := "taken"
			if !enough {
				fuel, want = fuel-1, "failed limit_fuel"
			}
			d := Definition{Limits: statechart.Limits{Fuel: fuel, Data: 170}, Root: State{Context: vars("x", nil), On: []Transition{on("go", "", assign("x", Expression("made"))), on("error.execution", "")}}}
			if got := result(compile(t, d, r).Instance(nil).Send(Event{Name: "go"})); got != want {
				t.Errorf("%s with %d units: %s, want %s", c.name, fuel, got, want)
			}
		}
	}
}

// R29: a list or an object that is written out costs when it is made, so that
// a loop cannot make large ones for nothing.
func TestR29_MakingAValue(t *testing.T) {
	n := Expression("n")
	for _, c := range []struct {
		name  string
		value any
		cost  int64
	}{
		{"a list", []any{n, int64(2), int64(3)}, 4}, {"an object", map[string]any{"a": n, "b": int64(2)}, 18},
		{"one in another", []any{map[string]any{"a": n}}, 15}, {"nothing in it is computed", []any{int64(1), int64(2)}, -1},
	} {
		for _, enough := range []bool{true, false} {
			fuel, want := 2+c.cost, "taken" // the assignment, the name
			if !enough {
				fuel, want = fuel-1, "failed limit_fuel"
			}
			d := Definition{Limits: statechart.Limits{Fuel: fuel}, Root: State{Context: vars("x", nil, "n", int64(1)), On: []Transition{on("go", "", assign("x", c.value))}}}
			if fuel == 0 {
				continue // no limit
			}
			if got := result(start(t, d).Send(Event{Name: "go"})); got != want {
				t.Errorf("%s with %d units: %s, want %s", c.name, fuel, got, want)
			}
		}
	}
}

// R29: the reason names the action in which the bound was passed.
func TestR29_ThePlaceOfABound(t *testing.T) {
	r := spoken()
	r.Value("dear", func(s *Scope) (any, error) { return nil, s.Charge(1 << 40) })
	d := Definition{Root: State{Context: vars("x", nil), On: []Transition{on("go", "", assign("x", int64(1)), assign("x", Expression("dear")))}}}
	got := compile(t, d, r).Instance(nil).Send(Event{Name: "go"})
	if result(got) != "failed limit_fuel" || got.Reason.Place != "root.on[0].actions[1]" {
		t.Errorf("%s at %q", result(got), got.Reason.Place)
	}
}
