package statechart_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// many is a root with n states below it.
func many(n int, each func(i int) State) State {
	s := State{Initial: "s0"}
	for i := range n {
		x := each(i)
		x.Name = fmt.Sprint("s", i)
		s.States = append(s.States, x)
	}
	return s
}

// nested is a chain of states of a depth.
func nested(depth int) State {
	s := State{}
	for i := range depth {
		s.Name = fmt.Sprint("n", i)
		s = State{Initial: s.Name, States: []State{s}}
	}
	return s
}

// What comes up to a bound compiles; one more is refused with CodeLimit and
// its place.
func TestRefusedSizes(t *testing.T) {
	plain := func(int) State { return State{} }
	jumps := func(n int) State {
		s := State{Initial: "a", States: []State{{Name: "a"}}}
		for range n {
			s.States[0].On = append(s.States[0].On, on("e", "a"))
		}
		return s
	}
	for name, c := range map[string]struct {
		within, beyond State
		path           string
	}{
		"states":      {many(9_999, plain), many(10_000, plain), "root.states.s9999"},
		"nesting":     {nested(64), nested(65), "root" + place(nested(65))},
		"transitions": {jumps(100_000), jumps(100_001), "root.states.a.on[100000]"},
		"actions":     {State{Entry: repeat(100_000, say("x"))}, State{Entry: repeat(100_001, say("x"))}, "root.entry[100000]"},
		"conditions":  {guardedBy(deepCondition(64)), guardedBy(deepCondition(65)), "root.on[0].guard" + strings.Repeat(".not", 65)},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := statechart.Compile(Definition{ID: "c", Root: c.within}, spoken()); err != nil {
				t.Errorf("within: %v", err)
			}
			list := errorsOf(t, Definition{ID: "c", Root: c.beyond}, spoken())
			if len(list) != 1 || list[0].Code != statechart.CodeLimit || list[0].Path != c.path {
				t.Errorf("beyond:\n%s", describeErrors(list[:min(len(list), 3)]))
			}
		})
	}
}

// place is the path of the innermost state of nested.
func place(s State) string {
	if len(s.States) == 0 {
		return ""
	}
	return ".states." + s.States[0].Name + place(s.States[0])
}

// Past 1,000 errors the rest is left out, with a note.
func TestRefusedManyErrors(t *testing.T) {
	wrong := many(3_000, func(int) State { return State{On: []Transition{on("e", "nosuch")}} })
	list := errorsOf(t, Definition{ID: "c", Root: wrong}, nil)
	if len(list) != 1_001 {
		t.Fatalf("%d errors", len(list))
	}
	for i, e := range list[:1_000] {
		if want := fmt.Sprintf("root.states.s%d.on[0].target", i); e.Code != statechart.CodeUnknownState || e.Path != want {
			t.Fatalf("error %d is %s at %s, want it at %s", i, e.Code, e.Path, want)
		}
	}
	if last := list[1_000]; last.Code != statechart.CodeLimit || last.Message != "more than 1000 errors; the rest is not listed" {
		t.Errorf("the last is %v", last)
	}
}

// A definition that holds itself, or shares parts without end, is refused.
func TestRefusedCycles(t *testing.T) {
	states := make([]State, 2)
	states[0], states[1] = State{Name: "a", Initial: "a", States: states}, State{Name: "b", Initial: "a", States: states}
	conditions := make([]Condition, 2)
	conditions[0].And, conditions[1].Or = conditions, conditions
	not := &Condition{}
	not.Not = not
	actions := make([]Action, 2)
	actions[0].Block, actions[1].Block = actions, actions
	call := &Invocation{Src: "x"}
	call.OnDone = []Transition{{Actions: []Action{{Do: call}}}}
	object := map[string]any{}
	object["self"] = object
	list := make([]any, 1)
	list[0] = list
	var shared any = int64(1)
	for range 60 {
		shared = []any{shared, shared}
	}
	for name, s := range map[string]State{
		"states":     {Initial: "a", States: states},
		"conditions": guardedBy(Condition{And: conditions}),
		"not":        guardedBy(*not),
		"actions":    {Entry: actions},
		"then":       {Entry: []Action{{Foreach: []any{}, Then: actions}}},
		"call":       {Entry: []Action{{Do: call}}},
		"object":     {Context: vars("n", object)},
		"list":       {Context: vars("n", list)},
		"shared":     {Context: vars("n", shared)},
		"data":       doing(Action{Emit: "e", Data: list}),
		"params":     guardedBy(Condition{Name: "isReady", Params: object}),
		"meta":       {Meta: object},
		"retry":      {Invoke: []Invocation{{Src: "x", Retry: object}}},
		"approval":   {Invoke: []Invocation{{Src: "x", Approval: object}}},
	} {
		t.Run(name, func(t *testing.T) {
			list := errorsOf(t, Definition{ID: "c", Root: s}, stocked())
			for _, e := range list {
				switch e.Code {
				case statechart.CodeLimit, statechart.CodeInvalid, statechart.CodeNotAllowed, statechart.CodeMissing:
				default:
					t.Errorf("refused with %s at %.100s", e.Code, e.Path)
				}
			}
		})
	}
	if _, err := json.Marshal(Definition{ID: "c", Budget: object}); err == nil {
		t.Error("encoding/json writes a cycle")
	}
	if list := errorsOf(t, Definition{ID: "c", Budget: object}, nil); list[0].Code != statechart.CodeInvalid {
		t.Errorf("a budget: %v", list)
	}
}

// Numbers, text and types that JSON cannot hold are no values.
func TestRefusedValues(t *testing.T) {
	deep := any("x")
	for range 65 {
		deep = []any{deep}
	}
	for name, v := range map[string]any{
		"NaN": math.NaN(), "+Inf": math.Inf(1), "-Inf": math.Inf(-1), "float32 NaN": float32(math.NaN()), "text": "\xff", "NUL": "a\x00", "NUL in a key": map[string]any{"a\x00": 1}, "key": map[string]any{"\xff": 1},
		"channel": make(chan int), "function": func() {}, "struct": struct{ A int }{1}, "pointer": new(int), "complex": complex(1, 1), "map": map[int]any{1: 1},
		"deep": deep, "large": make([]any, 100_001), "uint64": uint64(math.MaxUint64),
	} {
		for _, v := range []any{v, []any{v}, map[string]any{"k": v}} {
			list := errorsOf(t, Definition{ID: "c", Root: State{Context: vars("n", v)}}, nil)
			if len(list) != 1 || list[0].Code != statechart.CodeInvalid || list[0].Path != "root.context.n" {
				t.Errorf("%s:\n%.300s", name, describeErrors(list))
			}
		}
	}
	for _, v := range []any{nil, true, 1, int32(1), int64(1), uint8(1), uint32(1), 1.5, float32(1.5), "text with ü", []any{}, []string{"a"}, map[string]any{}, []any{nil}, math.MaxInt64, math.Copysign(0, -1)} {
		if _, err := statechart.Compile(Definition{ID: "c", Root: State{Context: vars("n", v)}}, nil); err != nil {
			t.Errorf("%T %v: %v", v, v, err)
		}
	}
}

// While running, a value past its bounds is an error of the chart's, not an
// endless step.
func TestRefusedValuesWhileRunning(t *testing.T) {
	reg := spoken()
	reg.Value("NaN", func(*Scope) (any, error) { return math.NaN(), nil })
	reg.Value("text", func(*Scope) (any, error) { return "\xff", nil })
	reg.Value("struct", func(*Scope) (any, error) { return struct{}{}, nil })
	reg.Value("cycle", func(*Scope) (any, error) { l := make([]any, 1); l[0] = l; return l, nil })
	reg.Value("large", func(*Scope) (any, error) { return make([]any, 200_000), nil })
	reg.Action("set", func(s *Scope) error { return s.Set("n", make(chan int)) })
	grow := Action{Foreach: make([]any, 60), Then: []Action{assign("n", []any{Expression("n"), Expression("n")})}}
	for name, a := range map[string]Action{
		"NaN": assign("n", Expression("NaN")), "text": assign("n", Expression("text")), "struct": assign("n", Expression("struct")), "cycle": assign("n", Expression("cycle")),
		"large": assign("n", Expression("large")), "set": {Call: "set"}, "grow": grow,
	} {
		t.Run(name, func(t *testing.T) {
			in := root(t, State{Context: vars("n", nil), On: []Transition{on("go", "", a), on("error.execution", "", say("refused"))}}, reg)
			wantTold(t, in, "go", "taken")
			wantMarks(t, in, "refused")
			encode(t, in)
		})
	}
}

// Long names and paths are refused before they cost memory for each state
// below; hints cost no time that grows with them.
func TestRefusedLongNames(t *testing.T) {
	long := strings.Repeat("x", 900)
	list := errorsOf(t, Definition{ID: "c", Root: State{Initial: "a" + long, States: []State{{Name: "a" + long, Initial: "b" + long, States: []State{{Name: "b" + long}}}}}}, nil)
	if list[0].Code != statechart.CodeLimit {
		t.Errorf("got\n%.300s", describeErrors(list))
	}
	wrong := many(2_000, func(i int) State { return State{On: []Transition{on("e", fmt.Sprint("t", i, long))}} })
	for i := range wrong.States {
		wrong.States[i].Name += long
	}
	wrong.Initial = wrong.States[0].Name
	if list := errorsOf(t, Definition{ID: "c", Root: wrong}, nil); len(list) != 1_001 {
		t.Errorf("%d errors", len(list))
	}
}

// The context of an instance must be of the registry's type.
func TestRefusedContexts(t *testing.T) {
	typed := compile(t, Definition{Root: guardedBy(statechart.When("quickly"))}, stocked())
	untyped := compile(t, Definition{Root: State{On: []Transition{on("e", "", say("x"))}}})
	for name, c := range map[string]struct {
		chart   *statechart.Chart
		context any
	}{
		"a value": {typed, diary{}}, "another type": {typed, &Definition{}}, "a nil pointer": {typed, (*diary)(nil)}, "text": {typed, "x"}, "any for an untyped chart": {untyped, &diary{}},
	} {
		t.Run(name, func(t *testing.T) {
			in := c.chart.Instance(c.context)
			wantStatus(t, in, statechart.FailedStatus, statechart.CodeContextType)
			wantTold(t, in, "e", "refused ended")
			wantTold(t, in, "nosuch", "refused ended")
			if r := c.chart.Start(in, statechart.Start{Context: c.context}); result(r) != "refused context_type" {
				t.Errorf("the start is %s", result(r))
			}
			_, err := c.chart.Begin(statechart.Start{Context: c.context})
			var e *statechart.Error
			if !errors.As(err, &e) || e.Code != statechart.CodeContextType {
				t.Errorf("begin: %v", err)
			}
		})
	}
	if in := typed.Instance(nil); in.Status() != statechart.Active || in.Context().(*diary) == nil {
		t.Errorf("without a context: %s", in.Status())
	}
}

// An instance that was not started, and a snapshot of nothing, answer and
// refuse.
func TestRefusedZeroValues(t *testing.T) {
	var in Instance
	in.SetNow(5)
	in.Trace(&statechart.Trace{})
	in.Trace(nil)
	in.Subscribe(func(statechart.Change) { t.Error("a subscriber is told") })()
	for what, r := range map[string]statechart.Result{
		"Send": in.Send(Event{Name: "x"}), "SendID": in.SendID(0, nil), "Receive": in.Receive(Delivery{Envelope: &statechart.Envelope{}}), "Step": in.Step(Delivery{}), "Cancel": in.Cancel(),
	} {
		if result(r) != "refused ended" {
			t.Errorf("%s is %s", what, result(r))
		}
	}
	if _, _, ok := in.Next(); ok {
		t.Error("Next delivers")
	}
	s := in.Snapshot()
	if !s.IsZero() || s.Chart() != nil || s.Context() != nil || s.Output() != nil || s.Reason() != nil || in.Chart() != nil || in.Context() != nil || in.Output() != nil || in.Reason() != nil {
		t.Error("something is there")
	}
	if in.Matches("") || in.HasTag("x") || in.Can(Event{Name: "x"}) || in.Explain(Event{Name: "x"}).Outcome != statechart.Refused || in.Status() != "" || s.Status() != "" || in.Session()+s.Session() != "" {
		t.Error("it says that something is there")
	}
	lengths := []int{len(in.Effects()), len(in.Timers()), len(in.Live()), len(in.Deferred()), len(in.Configuration()), len(in.Tags()), len(in.Data()), len(in.Events()),
		len(s.Timers()), len(s.Live()), len(s.Deferred()), len(s.Configuration()), len(s.Data()), int(in.Len("x")), int(in.Now()), int(s.Now()), int(in.Sequence()), int(s.Sequence())}
	for i, n := range lengths {
		if n != 0 {
			t.Errorf("length %d is %d", i, n)
		}
	}
	c := compile(t, Definition{})
	_, encodeErr := s.Encode()
	_, stepErr := statechart.Step(c, s, Delivery{}, 0)
	_, _, _, deliverErr := statechart.Deliver(c, s, 0)
	_, cancelErr := s.Cancel(0)
	for _, err := range []error{encodeErr, stepErr, deliverErr, cancelErr, c.Resume(&in, s)} {
		var e *statechart.Error
		if !errors.As(err, &e) || e.Code != statechart.CodeSnapshot {
			t.Errorf("%v is not refused as a snapshot of nothing", err)
		}
	}
}

// Integers of all types are values.
func TestIntegersOfAllTypesAreValues(t *testing.T) {
	for _, v := range []any{int8(1), int16(1), uint16(1), uint(1), uint64(1)} {
		in := start(t, Definition{Root: State{Context: vars("n", v)}})
		wantVar(t, in, "", "n", int64(1))
	}
}

// Lists of a definition, a state and an action have at most 1,000 entries.
func TestRefusedLongLists(t *testing.T) {
	variables := func(n int) (out []Variable) {
		for i := range n {
			out = append(out, Variable{Name: fmt.Sprint("v", i), Value: i})
		}
		return out
	}
	names := func(n int) (out []string) {
		for i := range n {
			out = append(out, fmt.Sprint("n", i))
		}
		return out
	}
	timers := func(n int) (out []Timed) {
		for i := range n {
			out = append(out, Timed{Delay: i})
		}
		return out
	}
	calls := func(n int) (out []Invocation) {
		for i := range n {
			out = append(out, Invocation{ID: fmt.Sprint("i", i), Src: "x"})
		}
		return out
	}
	for path, make := range map[string]func(n int) Definition{
		"lists": func(n int) Definition { return Definition{Lists: names(n)} }, "delays": func(n int) Definition { return Definition{Delays: variables(n)} }, "constants": func(n int) Definition { return Definition{Constants: variables(n)} },
		"root.context": func(n int) Definition { return Definition{Root: State{Context: variables(n)}} }, "root.defer": func(n int) Definition { return Definition{Root: State{Defer: names(n)}} },
		"root.after": func(n int) Definition { return Definition{Root: State{After: timers(n)}} }, "root.every": func(n int) Definition { return Definition{Root: State{Every: timers(n)}} }, "root.invoke": func(n int) Definition { return Definition{Root: State{Invoke: calls(n)}} },
	} {
		d := make(1_000)
		d.ID = "c"
		if _, err := statechart.Compile(d, nil); err != nil {
			t.Errorf("1,000 of %s: %v", path, err)
		}
		d = make(1_001)
		d.ID = "c"
		if list := errorsOf(t, d, nil); list[0].Code != statechart.CodeLimit || list[0].Path != path {
			t.Errorf("1,001 of %s:\n%.300s", path, describeErrors(list))
		}
	}
}
