package statechart_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// drive does a line on an instance by Step and Next.
func (l line) drive(t testing.TB, in *Instance) statechart.Result {
	t.Helper()
	if l.keep {
		in.SetNow(l.at)
		_, r, ok := in.Next()
		if !ok {
			t.Fatalf("no kept event can be delivered in %v", in.Configuration())
		}
		return r
	}
	d, now, ok := l.delivery(in.Timers(), in.Live())
	if !ok {
		t.Fatalf("%v: there is none", l)
	}
	in.SetNow(now)
	return in.Step(d)
}

// Driven in place and as a value, a session goes the same way: results,
// effects, traces of state; and an instance can be resumed from a snapshot
// at any point.
func TestFace_InstanceAndStepAgree(t *testing.T) {
	c := compile(t, rich())
	var in Instance
	first := c.Start(&in, statechart.Start{Session: "s", Now: 10})
	next, err := c.Begin(statechart.Start{Session: "s", Now: 10})
	if err != nil || result(first) != result(next.Result) || compact(in.Effects()) != compact(next.Effects) {
		t.Fatalf("they begin differently: %v\n%s\n%s", err, compact(in.Effects()), compact(next.Effects))
	}
	for i, l := range richScript {
		if i%3 == 0 {
			if err := c.Resume(&in, next.Snapshot); err != nil {
				t.Fatal(err)
			}
		}
		r := l.drive(t, &in)
		if next, err = l.step(c, next.Snapshot); err != nil {
			t.Fatal(err)
		}
		if result(r) != result(next.Result) || compact(in.Effects()) != compact(next.Effects) || encode(t, &in) != encodeSnapshot(t, next.Snapshot) {
			t.Fatalf("after %v: %s and %s\n%s\n%s", l, result(r), result(next.Result), compact(in.Effects()), compact(next.Effects))
		}
		wantSameReaders(t, &in, next.Snapshot)
	}
}

// wantSameReaders compares what an instance and a snapshot say of a state.
func wantSameReaders(t *testing.T, in *Instance, s statechart.Snapshot) {
	t.Helper()
	a := fmt.Sprint(in.Status(), in.Reason(), in.Output(), in.Session(), in.Sequence(), in.Now(), in.Configuration(), compact(in.Data()), in.Timers(), in.Live(), in.Deferred())
	b := fmt.Sprint(s.Status(), s.Reason(), s.Output(), s.Session(), s.Sequence(), s.Now(), s.Configuration(), compact(s.Data()), s.Timers(), s.Live(), s.Deferred())
	if a != b {
		t.Errorf("an instance says\n%s\nits snapshot\n%s", a, b)
	}
}

// Deliver says when there is nothing to deliver, and whose event it was.
func TestFace_Deliver(t *testing.T) {
	c := compile(t, Definition{Root: State{Initial: "a", States: []State{keeps("a", "x"), {Name: "b", On: []Transition{on("x", "", say("x"))}}}, On: []Transition{on("go", ".b")}}})
	next, err := c.Begin(statechart.Start{})
	if err != nil {
		t.Fatal(err)
	}
	step := func(name string) {
		if next, err = statechart.Step(c, next.Snapshot, Delivery{Event: Event{Name: name}, Envelope: &statechart.Envelope{ID: name}}, 0); err != nil {
			t.Fatal(err)
		}
	}
	step("x")
	if _, _, ok, err := statechart.Deliver(c, next.Snapshot, 0); ok || err != nil {
		t.Errorf("something is delivered: %v", err)
	}
	step("go")
	if len(next.Effects) != 0 || len(next.Snapshot.Deferred()) != 1 {
		t.Errorf("the step delivers by itself: %s", rendered(next.Effects))
	}
	after, d, ok, err := statechart.Deliver(c, next.Snapshot, 7)
	if err != nil || !ok || d.Name != "x" || d.Envelope.ID != "x" || rendered(after.Effects) != "log x" || after.Snapshot.Now() != 7 || len(after.Snapshot.Deferred()) != 0 {
		t.Errorf("delivered %v %v %s", ok, d, rendered(after.Effects))
	}
}

// The effects are those of the last step, until the next; an event that is
// turned away asks for nothing.
func TestFace_EffectsAreOfTheLastStep(t *testing.T) {
	c := compile(t, Definition{Root: State{Entry: []Action{say("start")}, On: []Transition{on("go", "", say("go")), {Event: "no", Guard: shut}}}})
	for name, step := range map[string]func(*Instance){
		"ignored":      func(in *Instance) { in.Send(Event{Name: "no"}) },
		"unknown":      func(in *Instance) { in.Send(Event{Name: "nosuch"}) },
		"reserved":     func(in *Instance) { in.Send(Event{Name: "error.execution"}) },
		"no id":        func(in *Instance) { in.SendID(0, nil) },
		"an id beyond": func(in *Instance) { in.SendID(999, nil) },
		"stale": func(in *Instance) {
			in.Receive(answer("done", statechart.Source{Kind: "invoke", ID: "x", Entry: 9}, nil))
		},
	} {
		in := c.Instance(nil)
		wantAsked(t, in, "log start")
		step(in)
		if got := asked(in); got != "" {
			t.Errorf("%s: asked for %s", name, got)
		}
		send(t, in, "go")
		wantAsked(t, in, "log go")
		in.Can(Event{Name: "go"})
		in.Explain(Event{Name: "go"})
		in.Events()
		wantAsked(t, in, "log go") // questions ask for nothing
		step(in)
		wantAsked(t, in)
	}
}

// An id is what EventID gave for this chart; anything else is not known.
func TestFace_EventID(t *testing.T) {
	c := compile(t, Definition{Root: State{Initial: "a", States: []State{
		{Name: "a", On: []Transition{on("go", "b"), on("p.*", "b")}, Always: []Transition{guarded("", "(< 5 (now))", "b")}}, {Name: "b"}}}})
	id, ok := c.EventID("go")
	if none, known := c.EventID("nosuch"); !ok || known || none != 0 {
		t.Errorf("go %v, nosuch %d %v", ok, none, known)
	}
	in := c.Instance(nil)
	in.SetNow(10)
	for _, wrong := range []statechart.EventID{0, 1, 1000, 1 << 31} {
		if got := result(in.SendID(wrong, nil)); got != "refused unknown_event" {
			t.Errorf("SendID(%d) is %s", wrong, got)
		}
	}
	if in.Sequence() != 1 {
		t.Errorf("%d macrosteps", in.Sequence())
	}
	if got := result(in.SendID(id, nil)); got != "taken" {
		t.Errorf("SendID is %s", got)
	}
}

// explainable has a leaf with guards of all forms, an ancestor, a region that
// keeps an event, and a conflict.
func explainable() (Definition, *Registry) {
	reg := spoken()
	statechart.Guard(reg, "typed", func(*diary, Event) bool { return false })
	reg.Guard("general", func(s *Scope) (bool, error) { return s.Params()["n"] == int64(1), nil })
	reg.Guard("broken", func(*Scope) (bool, error) { return false, errors.New("out of order") })
	compound := Condition{Or: []Condition{{And: []Condition{when("true"), {Name: "typed"}}}, {Not: &Condition{In: "w.p"}}}}
	return Definition{Events: []statechart.EventDeclaration{{Name: "e", Data: map[string]any{"type": "object"}, From: []string{"client"}}, {Name: "unused"}}, Root: State{
		Initial: "w", States: []State{{Name: "w", Type: statechart.Parallel, On: []Transition{on("e", "#c.out")}, States: []State{
			{Name: "p", On: []Transition{
				{Event: "e", Guard: compound, Target: "#c.out"}, {Event: "e", Guard: Condition{Name: "broken"}, Target: "#c.out"},
				{Event: "e", Guard: Condition{Name: "general", Params: map[string]any{"n": int64(2)}}}, {Event: "e", Guard: Condition{Name: "general", Params: map[string]any{"n": int64(1)}}, Actions: []Action{say("p")}},
				on("e", "#c.out"), on("no", ""), {Event: "shut", Guard: shut, Target: "#c.out"}, on("pre.*", "#c.out"),
			}},
			{Name: "q", Initial: "q1", Defer: []string{"keep", "out"}, States: []State{{Name: "q1", On: []Transition{on("both", "#c.out"), on("e", "q2")}}, {Name: "q2"}}},
			{Name: "r", On: []Transition{on("both", "#c.w.r")}},
		}}, {Name: "out"}}, On: []Transition{on("keep", "", say("never")), on("after", "#c.out")}}}, reg
}

// Explain lists every candidate in the order of asking, with each guard's
// answer, and says what would become of the event; nothing changes.
func TestFace_Explain(t *testing.T) {
	in := start(t, first(explainable()), second(explainable()))
	before := encode(t, in)
	x := in.Explain(Event{Name: "e"})
	if x.Outcome != statechart.Taken || x.Reason != nil {
		t.Errorf("it is %v %v", x.Outcome, x.Reason)
	}
	var got []string
	for _, c := range x.Candidates {
		s := fmt.Sprintf("%s %s guard=%q asked=%v holds=%v chosen=%v preempted=%v %s", c.Source, c.Place, c.Guard, c.Asked, c.Holds, c.Chosen, c.Preempted, c.Error)
		for _, p := range c.Parts {
			s += fmt.Sprintf("[%s %v %s]", p.Guard, p.Holds, p.Error)
		}
		got = append(got, s)
	}
	want := []string{
		`w.p root.states.w.states.p.on[0] guard="or" asked=true holds=false chosen=false preempted=false [true true ][typed false ][in w.p true ]`,
		`w.p root.states.w.states.p.on[1] guard="broken" asked=true holds=false chosen=false preempted=false out of order[broken false out of order]`,
		`w.p root.states.w.states.p.on[2] guard="general" asked=true holds=false chosen=false preempted=false [general false ]`,
		`w.p root.states.w.states.p.on[3] guard="general" asked=true holds=true chosen=true preempted=false [general true ]`,
		`w.p root.states.w.states.p.on[4] guard="" asked=false holds=false chosen=false preempted=false `,
		`w root.states.w.on[0] guard="" asked=true holds=true chosen=false preempted=true `,
		`w.q.q1 root.states.w.states.q.states.q1.on[1] guard="" asked=true holds=true chosen=true preempted=false `,
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("candidates are\n%s\nwant\n%s", g, w)
	}
	if after := encode(t, in); after != before {
		t.Errorf("explaining changed the session:\n%s\n%s", before, after)
	}
}

func first[A, B any](a A, _ B) A  { return a }
func second[A, B any](_ A, b B) B { return b }

// What Explain says of events that are not taken, and that Send agrees.
func TestFace_ExplainSaysWhySendDoesNot(t *testing.T) {
	for name, want := range map[string]struct{ result, deferredBy string }{
		"e":      {"taken", ""},
		"no":     {"ignored forbidden", ""},
		"shut":   {"ignored guard_false", ""},
		"unused": {"ignored not_taken", ""},
		"keep":   {"deferred deferred", "w.q"},
		"both":   {"taken", ""},
		"nosuch": {"refused unknown_event", ""},
		"pre.x":  {"taken", ""},
	} {
		in := start(t, first(explainable()), second(explainable()))
		x := in.Explain(Event{Name: name})
		if got := result(statechart.Result{Outcome: x.Outcome, Reason: x.Reason}); got != want.result || strings.Join(x.DeferredBy, " ") != want.deferredBy {
			t.Errorf("%s: %s, deferred by %q", name, got, x.DeferredBy)
		}
		if can := in.Can(Event{Name: name}); can != (want.result == "taken") {
			t.Errorf("%s: Can says %v", name, can)
		}
		wantTold(t, in, name, want.result)
	}
	in := root(t, State{Initial: "f", States: []State{final("f")}})
	if x := in.Explain(Event{Name: "x"}); x.Outcome != statechart.Refused || x.Reason.Code != statechart.CodeEnded {
		t.Errorf("after the end: %+v", x)
	}
	if in.Can(Event{Name: "x"}) || in.Events() != nil {
		t.Error("after the end something can be taken")
	}
}

// Questions leave ids, fuel and everything else as it was, whatever the
// guards do.
func TestFace_QuestionsChangeNothing(t *testing.T) {
	reg := spoken()
	reg.Guard("counts", func(s *Scope) (bool, error) { s.NextID(); return false, nil })
	reg.Guard("writes", func(s *Scope) (bool, error) { return true, s.Set("n", int64(9)) })
	reg.Guard("raises", func(s *Scope) (bool, error) { return true, s.Raise(Event{Name: "x"}) })
	s := State{Context: vars("n", int64(1)), On: []Transition{on("error.execution", "", say("error"))}}
	for _, g := range []string{"counts", "writes", "raises"} {
		s.On = append(s.On, Transition{Event: "e", Guard: statechart.When(g), Actions: []Action{say(g)}})
	}
	in := root(t, s, reg)
	before := encode(t, in)
	for range 3 {
		x := in.Explain(Event{Name: "e"})
		if in.Can(Event{Name: "e"}) || len(x.Candidates) != 3 || x.Candidates[1].Error == "" || x.Candidates[2].Error == "" {
			t.Errorf("candidates %+v", x.Candidates)
		}
		in.Events()
	}
	if after := encode(t, in); after != before {
		t.Errorf("looking changed the session:\n%s\n%s", before, after)
	}
	wantTold(t, in, "e", "ignored guard_false")
	wantMarks(t, in, "error error")
	wantVar(t, in, "", "n", int64(1))
}

// Events lists what has a candidate that does something, with what the
// definition declares of it.
func TestFace_Events(t *testing.T) {
	in := start(t, first(explainable()), second(explainable()))
	var got []string
	for _, e := range in.Events() {
		got = append(got, fmt.Sprintf("%s guarded=%v %s %v", e.Name, e.Guarded, compact(e.Data), e.From))
	}
	want := []string{`e guarded=false {"type":"object"} [client]`, `after guarded=false null []`, `shut guarded=true null []`, `both guarded=false null []`, `pre.* guarded=false null []`}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("events are\n%s\nwant\n%s", g, w)
	}
}

// Matches, HasTag and Tags read the active states.
func TestFace_Tags(t *testing.T) {
	c := compile(t, Definition{Root: State{Initial: "a", Tags: []string{"all"}, States: []State{
		{Name: "a", Tags: []string{"one", "two"}, Initial: "x", States: []State{{Name: "x", Tags: []string{"two", "three"}}}, On: []Transition{on("go", "b")}}, {Name: "b", Tags: []string{"four"}}}}})
	inEachForm(t, c, nil, func(t *testing.T, in *Instance) {
		if got := strings.Join(in.Tags(), " "); got != "all one two three" || !in.HasTag("three") || in.HasTag("four") {
			t.Errorf("tags are %s", got)
		}
		send(t, in, "go")
		if got := strings.Join(in.Tags(), " "); got != "all four" || in.HasTag("one") || !in.Matches("b") || in.Matches("a.x") {
			t.Errorf("tags are %s", got)
		}
	})
}

// A subscriber is told once per event that came past the door, when all that
// follows from it is done, until it cancels.
func TestFace_Subscribe(t *testing.T) {
	c := compile(t, Definition{Root: State{Initial: "a", States: []State{
		{Name: "a", Defer: []string{"x"}, On: []Transition{on("go", "b")}}, {Name: "b", On: []Transition{on("x", "c")}}, {Name: "c", Always: []Transition{on("", "d")}}, {Name: "d", On: []Transition{on("end", "f")}}, final("f")}}})
	in := c.Instance(nil)
	var heard []string
	in.Subscribe(func(ch statechart.Change) {
		heard = append(heard, fmt.Sprint(ch.Sequence, ch.Configuration, ch.Status))
	})
	other := 0
	in.Subscribe(func(statechart.Change) { other++ })
	for _, e := range []string{"x", "nosuch", "go", "end", "end"} {
		told(in, e)
	}
	if got := strings.Join(heard, "; "); got != "2 [a]active; 4 [d]active; 5 [f]completed" || other != 3 {
		t.Errorf("heard %s; the other %d", got, other)
	}
	in = c.Instance(nil)
	heard = nil
	cancel := in.Subscribe(func(ch statechart.Change) { heard = append(heard, ch.Configuration[0]) })
	told(in, "x")
	cancel()
	cancel()
	told(in, "go")
	if len(heard) != 1 {
		t.Errorf("after its cancel it heard %v", heard)
	}
	wantActive(t, in, "d")
}

// A subscriber may send, and cancel from inside.
func TestFace_SubscriberSends(t *testing.T) {
	c := compile(t, Definition{Root: State{Initial: "a", States: []State{
		{Name: "a", On: []Transition{on("go", "b", note("one"))}}, {Name: "b", On: []Transition{on("on", "c", note("two"))}}, {Name: "c", On: []Transition{on("go", "a")}}}}}, diarist(nil, "one", "two"))
	in := c.Instance(newDiary())
	var heard []string
	var cancel func()
	cancel = in.Subscribe(func(ch statechart.Change) {
		heard = append(heard, ch.Configuration[0])
		if in.Matches("b") {
			if got := told(in, "on"); got != "taken" {
				t.Errorf("from the subscriber it is %s", got)
			}
			cancel()
		}
	})
	wantTold(t, in, "go", "taken")
	wantTold(t, in, "go", "taken")
	if got := strings.Join(heard, " "); got != "b c" {
		t.Errorf("heard %s", got)
	}
	wantActive(t, in, "a")
	wantNotes(t, in, "one two")
}

// A Next that delivers nothing asks for nothing.
func TestFace_NextWithoutADelivery(t *testing.T) {
	in := root(t, State{Initial: "a", States: []State{{Name: "a", Defer: []string{"x"}, On: []Transition{on("go", "", say("go"))}}}})
	send(t, in, "go")
	if _, _, ok := in.Next(); ok || asked(in) != "" {
		t.Errorf("nothing is kept: %v, asked for %s", ok, asked(in))
	}
	wantTold(t, in, "x", "deferred deferred")
	in.Step(Delivery{Event: Event{Name: "go"}})
	if _, _, ok := in.Next(); ok || asked(in) != "" {
		t.Errorf("nothing is taken: %v, asked for %s", ok, asked(in))
	}
}

// A definition that went through JSON is the same: every value with its type,
// expressions as such, and the same digest; and it is written the same again.
func TestFace_DefinitionJSON(t *testing.T) {
	values := []any{int64(1), 1.0, 1.5e300, "text", true, nil, []any{}, map[string]any{}, map[string]any{"x": []any{int64(1), Expression("(now)")}}, Expression("(+ 1 1)"), int64(1) << 62}
	s := State{Initial: "a", States: []State{{Name: "a", On: []Transition{guarded("e", "(< 1 2)", "a", Action{Emit: "x", Data: values})}}}}
	for i, v := range values {
		s.Context = append(s.Context, Variable{Name: fmt.Sprint("v", i), Value: v})
	}
	for _, d := range []Definition{rich(), {ID: "c", Root: s}, ended(State{}), {ID: "c", Root: recalled()}} {
		if d.ID == "" {
			d.ID = "c"
		}
		text, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		var back Definition
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if again, err := json.Marshal(back); err != nil || string(again) != string(text) {
			t.Errorf("%v, written again as\n%s\nwas\n%s", err, again, text)
		}
		a, b := compile(t, d), compile(t, back)
		if a.Digest() != b.Digest() {
			t.Errorf("the digest changed by JSON: %s", text)
		}
		if x, y := encode(t, a.Instance(nil)), encode(t, b.Instance(nil)); x != y {
			t.Errorf("they begin in\n%s\n%s", x, y)
		}
	}
	one, float := compile(t, Definition{Root: State{Context: vars("n", int64(1))}}), compile(t, Definition{Root: State{Context: vars("n", 1.0)}})
	if one.Digest() == float.Digest() {
		t.Error("1 and 1.0 have one digest")
	}
}

// A definition's JSON is read strictly.
func TestFace_DefinitionJSONIsStrict(t *testing.T) {
	for _, text := range []string{`{"id":"c","nosuch":1}`, `{"id":"c","root":{"nmae":"x"}}`, `{"id":"c","id":"d"}`, `{"id":1}`, `[]`, `{"root":{"context":[{"name":"n","value":99999999999999999999}]}}`, `{"id":"c"} x`} {
		var d Definition
		if err := json.Unmarshal([]byte(text), &d); err == nil {
			t.Errorf("%s is read", text)
		}
	}
}

// A digest follows what the chart means: not its descriptions, but the
// versions of the names it uses.
func TestFace_Digest(t *testing.T) {
	digest := func(change func(*Definition, *Registry)) string {
		d, r := Definition{ID: "c", Root: one(guardedBy(statechart.When("isReady")))}, stocked()
		change(&d, r)
		return compile(t, d, r).Digest()
	}
	same := digest(func(*Definition, *Registry) {})
	for name, change := range map[string]func(*Definition, *Registry){
		"a description":             func(d *Definition, _ *Registry) { d.Description, d.Root.Description = "x", "y" },
		"a version of another name": func(_ *Definition, r *Registry) { r.Version("refresh", "2") },
		"a default limit":           func(d *Definition, _ *Registry) { d.Limits.Effects = 100 },
	} {
		if digest(change) != same {
			t.Errorf("%s changes the digest", name)
		}
	}
	for name, change := range map[string]func(*Definition, *Registry){
		"a version of a used name": func(_ *Definition, r *Registry) { r.Version("isReady", "2") },
		"a limit":                  func(d *Definition, _ *Registry) { d.Limits.Effects = 99 },
		"a transition":             func(d *Definition, _ *Registry) { d.Root.On = []Transition{on("e", "", say("x"))} },
		"an id":                    func(d *Definition, _ *Registry) { d.ID = "d" },
		"the order of states": func(d *Definition, _ *Registry) {
			d.Root.States[0], d.Root.States[1] = d.Root.States[1], d.Root.States[0]
		},
	} {
		if digest(change) == same {
			t.Errorf("%s does not change the digest", name)
		}
	}
}

// A subscriber is told what came in and what became of it; a snapshot what
// its histories and lists hold.
func TestFace_WhatIsTold(t *testing.T) {
	in := start(t, Definition{Lists: []string{"rows"}, Root: State{Initial: "w", States: []State{
		{Name: "w", Initial: "a", States: []State{{Name: "h", Type: statechart.History, History: "deep"}, {Name: "a"}}, On: []Transition{on("go", "out", Action{Append: "rows", Data: "x"}), {Event: "no", Guard: shut}}}, {Name: "out"}}}})
	var heard []string
	in.Subscribe(func(c statechart.Change) { heard = append(heard, c.Event.Name+" "+result(c.Result)) })
	told(in, "no")
	told(in, "go")
	if got := strings.Join(heard, "; "); got != "no ignored guard_false; go taken" {
		t.Errorf("heard %s", got)
	}
	s := in.Snapshot()
	if got := fmt.Sprint(s.History(), s.Len("rows"), s.Len("nosuch"), in.Len("rows")); got != "map[w.h:[w.a]] 1 0 1" {
		t.Errorf("the snapshot says %s", got)
	}
}

// Conditions can be combined by functions.
func TestFace_Conditions(t *testing.T) {
	yes, no := when("true"), when("false")
	for i, c := range []struct {
		guard Condition
		holds bool
	}{{statechart.All(yes, yes), true}, {statechart.All(yes, no), false}, {statechart.Any(no, yes), true}, {statechart.Any(no), false}, {statechart.Not(no), true}, {statechart.Not(statechart.Any(no, yes)), false}} {
		if in := root(t, guardedBy(c.guard)); in.Can(Event{Name: "e"}) != c.holds {
			t.Errorf("condition %d does not say %v", i, c.holds)
		}
	}
}
