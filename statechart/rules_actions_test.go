package statechart_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// hear logs the kind and the place of each error.
var hear = on("error.execution", "", Action{Log: []any{Expression("(data kind)"), Expression("(data place)")}})

// R20: an error stops its own block only, and the machine goes on; effects
// asked for before it stay.
func TestR20_AnErrorStopsItsBlockOnly(t *testing.T) {
	in := root(t, State{Initial: "a", On: []Transition{hear}, States: []State{
		{Name: "a", Exit: []Action{say("-a"), fails, say("never")}, On: []Transition{on("go", "b", say("!"), fails, say("never"))}},
		{Name: "b", Entry: []Action{say("+b"), fails, say("never")}, Initial: "c", InitialActions: []Action{say("initial"), fails, say("never")},
			States: []State{loud("c", State{})}},
	}})
	wantTold(t, in, "go", "taken")
	wantAsked(t, in, "log -a", "log !", "log +b", "log initial", "log +c",
		"log [action root.states.a.exit[1]]", "log [action root.states.a.on[0].actions[1]]",
		"log [action root.states.b.entry[1]]", "log [action root.states.b.initialActions[1]]")
	wantActive(t, in, "b.c")
}

// R20: if, foreach and their bodies are part of the block around them; a
// block is one of its own. The place is that of the innermost action.
func TestR20_NestedBlocks(t *testing.T) {
	yes := when("true")
	for name, c := range map[string]struct {
		action Action
		want   string
	}{
		"if":          {Action{If: &yes, Then: []Action{fails, say("never")}}, "log [action root.on[0].actions[0].then[0]]"},
		"else":        {Action{If: &shut, Else: []Action{say("else"), fails}}, "log else; log [action root.on[0].actions[0].else[1]]"},
		"a condition": {Action{If: &Condition{Expression: "(fail)"}, Then: []Action{say("never")}}, "log [action root.on[0].actions[0]]"},
		"foreach":     {Action{Foreach: []any{"x", "y"}, Then: []Action{say("once"), fails}}, "log once; log [action root.on[0].actions[0].then[1]]"},
		"block":       {Action{Block: []Action{fails, say("never")}}, "log after; log [action root.on[0].actions[0].block[0]]"},
		"do":          {Action{Do: &Invocation{Src: Expression("(fail)")}}, "log [do root.on[0].actions[0]]"},
	} {
		t.Run(name, func(t *testing.T) {
			in := root(t, State{On: []Transition{on("go", "", c.action, say("after")), hear}})
			wantTold(t, in, "go", "taken")
			wantAsked(t, in, c.want)
		})
	}
}

// R20: what the event of an error carries.
func TestR20_ErrorData(t *testing.T) {
	in := root(t, State{Initial: "a", Context: vars("got", nil), States: []State{
		{Name: "a", On: []Transition{on("go", "b")}},
		{Name: "b", Entry: []Action{fails}, On: []Transition{on("error.execution", "",
			assign("got", []any{Expression("(data kind)"), Expression("(data place)"), Expression("(data message)"), Expression("(data other)")}))}},
	}})
	wantTold(t, in, "go", "taken")
	wantVar(t, in, "", "got", []any{"action", "root.states.b.entry[0]", "fail was evaluated", nil})
}

// unheard runs an action where nothing takes errors.
func unheard(t *testing.T, s State, dialect string) *Instance {
	t.Helper()
	s.Name = "b"
	return start(t, Definition{Dialect: dialect, Root: State{Initial: "a", Context: vars("n", int64(0)), States: []State{
		{Name: "a", On: []Transition{on("go", "#c.b", assign("n", int64(1)), say("!")), {Event: "guard", Guard: when("(fail)")}}}, s}}})
}

// R21: an error that nothing takes: from a guard or a do it is a warning,
// from anything else the session fails; in SCXML it is ignored.
func TestR21_UnhandledErrors(t *testing.T) {
	for name, c := range map[string]struct {
		s      State
		event  string
		warned bool
	}{
		"action": {State{Entry: []Action{say("+b"), fails}}, "go", false},
		"data":   {State{Context: vars("x", Expression("(fail)")), Entry: []Action{say("+b")}}, "go", false},
		"input":  {State{Entry: []Action{say("+b")}, Invoke: []Invocation{{Src: Expression("(fail)")}}}, "go", false},
		"delay":  {State{Entry: []Action{say("+b")}, After: []Timed{{Delay: Expression("'soon'")}}}, "go", false},
		"do":     {State{Entry: []Action{say("+b"), {Do: &Invocation{Src: "x", Input: Expression("(fail)")}}}}, "go", true},
		"guard":  {State{Entry: []Action{say("+b")}, Always: []Transition{{Guard: when("(fail)"), Target: "a"}}}, "go", true},
	} {
		t.Run(name, func(t *testing.T) {
			in := unheard(t, c.s, "")
			wantActive(t, in, "a")
			if c.warned {
				wantTold(t, in, c.event, "taken")
				wantAsked(t, in, "log !", "log +b", "warn error.execution")
				wantStatus(t, in, statechart.Active, "")
			} else {
				wantTold(t, in, c.event, "failed unhandled_error")
				wantAsked(t, in, "log !", "log +b")
				wantStatus(t, in, statechart.FailedStatus, statechart.CodeUnhandled)
			}
			wantActive(t, in, "b")
			wantVar(t, in, "", "n", int64(1))
			in = unheard(t, c.s, "scxml")
			wantTold(t, in, c.event, "taken")
			wantAsked(t, in, "log !", "log +b")
			wantStatus(t, in, statechart.Active, "")
		})
	}
}

// R21: a failed session keeps where it stood: configuration, data, timers,
// calls; it starts no invocation, drops what was raised, and takes nothing.
func TestR21_AFailedSessionStands(t *testing.T) {
	in := root(t, State{Initial: "a", Context: vars("n", int64(1)), Entry: []Action{{Send: "tick", Delay: 5}},
		Invoke: []Invocation{{ID: "rootcall", Src: "x"}}, On: []Transition{on("tick", ""), on("raised", "", say("never"))},
		States: []State{
			{Name: "a", On: []Transition{on("go", "b", assign("n", int64(2)))}},
			{Name: "b", Entry: []Action{fails}, Invoke: []Invocation{{ID: "own", Src: "y"}}, Initial: "c", States: []State{
				{Name: "c", Entry: []Action{{Raise: "raised"}}, Always: []Transition{guarded("", "(= (event) 'raised')", "#c.a")}}}},
		}})
	wantTold(t, in, "go", "failed unhandled_error")
	wantAsked(t, in)
	wantActive(t, in, "b.c")
	wantVar(t, in, "", "n", int64(2))
	if len(in.Timers()) != 1 || len(in.Live()) != 1 || in.Live()[0].Source.ID != "rootcall" {
		t.Errorf("timers %v, calls %v", in.Timers(), in.Live())
	}
	if r := in.Reason(); r.Place != "root.states.b.entry[0]" || !strings.Contains(r.Message, "fail was evaluated") {
		t.Errorf("the reason is %+v", r)
	}
	wantTold(t, in, "go", "refused ended")
	if r := in.Receive(in.Timers()[0].Delivery()); result(r) != "refused ended" {
		t.Errorf("the timer is %s", result(r))
	}
	text := encode(t, in)
	again, err := in.Chart().Decode([]byte(text))
	if err != nil || again.Status() != statechart.FailedStatus || again.Reason().Code != statechart.CodeUnhandled {
		t.Errorf("decoded: %v, %v", again.Status(), err)
	}
}

// calling is a chart that runs an invocation and a do; of their ends, only
// what on says is taken.
func calling(t *testing.T, dialect string, on ...Transition) (in *Instance, invoke, do statechart.Source) {
	t.Helper()
	in = start(t, Definition{Dialect: dialect, Root: State{On: on, Invoke: []Invocation{{ID: "i", Src: "x"}}, Entry: []Action{{Do: &Invocation{ID: "d", Src: "y"}}}}})
	return in, effectOf(t, in, statechart.EffectInvoke).Source, effectOf(t, in, statechart.EffectDo).Source
}

// R21: the engine's errors that nothing takes.
func TestR21_UnhandledEndsOfCalls(t *testing.T) {
	for _, c := range []struct {
		how          string
		do           bool
		told, effect string
		status       statechart.Status
		code         statechart.Code
	}{
		{"error", false, "failed unhandled_error", "", statechart.FailedStatus, statechart.CodeUnhandled},
		{"unknown", false, "ignored unknown_outcome", "", statechart.Parked, statechart.CodeUnknownOutcome},
		{"done", false, "ignored not_taken", "", statechart.Active, ""},
		{"progress", false, "ignored not_taken", "", statechart.Active, ""},
		{"error", true, "ignored not_taken", "warn error.do.d", statechart.Active, ""},
		{"unknown", true, "ignored not_taken", "warn unknown.do.d", statechart.Active, ""},
		{"done", true, "ignored not_taken", "", statechart.Active, ""},
	} {
		t.Run(c.how, func(t *testing.T) {
			in, invoke, do := calling(t, "")
			source := invoke
			if c.do {
				source = do
			}
			if got := result(in.Receive(answer(c.how, source, map[string]any{"message": "because"}))); got != c.told {
				t.Errorf("it is %s, want %s", got, c.told)
			}
			wantStatus(t, in, c.status, c.code)
			wantAsked(t, in, c.effect)
			wantActive(t, in, "")
		})
	}
}

// R21: an error is taken also by a transition that forbids it, and by a
// prefix; then nothing fails.
func TestR21_HandledErrors(t *testing.T) {
	for _, taker := range []Transition{on("error.invoke.i", ""), on("error.*", "", say("heard")), on("error.invoke.*", "")} {
		in, invoke, _ := calling(t, "", taker)
		in.Receive(answer("error", invoke, nil))
		wantStatus(t, in, statechart.Active, "")
	}
	in, _, _ := calling(t, "", on("unknown.*", "", say("heard")))
	in.Receive(answer("unknown", in.Live()[0].Source, nil))
	wantStatus(t, in, statechart.Active, "")
	in, invoke, _ := calling(t, "scxml")
	in.Receive(answer("error", invoke, nil))
	wantStatus(t, in, statechart.Active, "")
}

// R21: errors of the host's that nothing takes fail the session at once,
// whatever else the chart does.
func TestR21_ErrorsOfTheHost(t *testing.T) {
	for _, name := range []string{"error.communication", "error.platform", "error.budget"} {
		for _, s := range []State{{}, {On: []Transition{on("e", "")}}, {Initial: "a", States: []State{{Name: "a", On: []Transition{on("e", "b")}}, {Name: "b"}}}} {
			in := root(t, s)
			got := result(in.Receive(Delivery{Event: Event{Name: name}, Envelope: &statechart.Envelope{Source: statechart.Source{Kind: "send", ID: "x"}}}))
			if got != "failed unhandled_error" {
				t.Errorf("%s is %s", name, got)
			}
			wantStatus(t, in, statechart.FailedStatus, statechart.CodeUnhandled)
			wantTold(t, in, "e", "refused ended") // and it stays failed
			wantTold(t, in, "e", "refused ended")
		}
	}
}

// R22: all right-hand sides of an assign are evaluated first; if one fails
// nothing is written.
func TestR22_Assign(t *testing.T) {
	in := root(t, State{Context: vars("a", int64(1), "b", int64(2)), On: []Transition{
		on("swap", "", assign("a", Expression("b"), "b", Expression("a"))),
		on("bad", "", assign("a", int64(9), "b", Expression("(fail)"))),
		on("twice", "", assign("a", Expression("(+ a 1)"), "a", Expression("(+ a 10)"))), hear,
	}})
	wantTold(t, in, "swap", "taken")
	wantVar(t, in, "", "a", int64(2))
	wantVar(t, in, "", "b", int64(1))
	wantTold(t, in, "bad", "taken")
	wantAsked(t, in, "log [action root.on[1].actions[0]]")
	wantVar(t, in, "", "a", int64(2))
	wantTold(t, in, "twice", "taken")
	wantVar(t, in, "", "a", int64(12))
}

// R22: an assignment goes to the nearest scope that declares the variable.
func TestR22_AssignToTheNearestScope(t *testing.T) {
	in := root(t, State{Type: statechart.Parallel, Context: vars("top", int64(0)), States: []State{
		{Name: "p", Context: vars("n", int64(0)), On: []Transition{on("e", "", assign("n", int64(1), "top", int64(1)))}},
		{Name: "q", Context: vars("n", int64(0)), On: []Transition{on("f", "", assign("n", int64(2)))}},
	}})
	send(t, in, "e", "f")
	wantVar(t, in, "", "top", int64(1))
	wantVar(t, in, "p", "n", int64(1))
	wantVar(t, in, "q", "n", int64(2))
}

// R22: foreach runs over a copy, with its element and index for the body
// only; an inner one has its own.
func TestR22_Foreach(t *testing.T) {
	in := root(t, State{Context: vars("list", []any{"a", "b"}, "seen", nil), On: []Transition{
		on("go", "", Action{Foreach: Expression("list"), As: "item", Index: "i", Then: []Action{
			{Foreach: []any{true}, As: "inner", Index: "k", Then: []Action{{Log: []any{Expression("i"), Expression("item"), Expression("k"), Expression("inner")}}}},
			assign("list", Expression("(push list item)")),
		}}),
		on("none", "", Action{Foreach: []any{}, As: "x", Then: []Action{say("never")}}, say("none")),
		on("bad", "", Action{Foreach: "text", Then: []Action{say("never")}}),
		on("nil", "", Action{Foreach: Expression("nil"), Then: []Action{say("never")}}), hear,
	}})
	wantTold(t, in, "go", "taken")
	wantAsked(t, in, "log [0 a 0 true]", "log [1 b 0 true]")
	wantVar(t, in, "", "list", []any{"a", "b", "a", "b"})
	wantTold(t, in, "none", "taken")
	wantMarks(t, in, "none")
	for i, e := range []string{"bad", "nil"} {
		wantTold(t, in, e, "taken")
		wantAsked(t, in, fmt.Sprintf("log [action root.on[%d].actions[0]]", i+2))
	}
}

// R22: in a second run the variables of foreach do not hold what they held.
func TestR22_ForeachVariablesEnd(t *testing.T) {
	reg := spoken()
	var leaked []any
	reg.Action("peek", func(s *Scope) error {
		v, ok := s.Get("item")
		leaked = append(leaked, v, ok)
		return nil
	})
	in := root(t, State{On: []Transition{on("go", "", Action{Foreach: []any{int64(1)}, As: "item", Then: []Action{{Log: Expression("item")}}}, Action{Call: "peek"})}}, reg)
	send(t, in, "go", "go")
	if !slices.Equal(leaked, []any{nil, false, nil, false}) {
		t.Errorf("outside its body a foreach variable is %v", leaked)
	}
	if text := encode(t, in); strings.Contains(text, "item") {
		t.Errorf("the snapshot holds it: %s", text)
	}
}

// R22: values do not change under whoever holds them: neither what was
// assigned from an event, nor what a snapshot took.
func TestR22_ValuesAreImmutable(t *testing.T) {
	reg := spoken()
	reg.Action("patch", func(s *Scope) error {
		old, _ := s.Get("list")
		return s.Set("list", append(slices.Clone(old.([]any)), "new"))
	})
	in := root(t, State{Context: vars("list", []any{"a"}), On: []Transition{on("patch", "", Action{Call: "patch"})}}, reg)
	before := in.Snapshot()
	old := in.Data()[""]["list"].([]any)
	send(t, in, "patch")
	if len(old) != 1 || len(before.Data()[""]["list"].([]any)) != 1 {
		t.Errorf("an old value changed: %v, %v", old, before.Data())
	}
	wantVar(t, in, "", "list", []any{"a", "new"})
}

// R23: an action adds an effect to the step's result, with its place in the
// order, the state that asked, and where an answer goes.
func TestR23_Effects(t *testing.T) {
	in := start(t, Definition{Lists: []string{"rows"}, Root: State{Initial: "a", States: []State{
		{Name: "a", On: []Transition{{Event: "go", Actions: []Action{
			{Log: map[string]any{"x": Expression("(+ 1 1)")}, Level: "debug"},
			{Append: "rows", Data: "first"},
			{Send: "s", To: "peer", Data: int64(1), ID: "sid"},
			{Emit: "news", Data: []any{true}},
			{Do: &Invocation{ID: "d", Src: "tool:x", Input: int64(2), Mode: "reconcile", Timeout: "2s", Heartbeat: 500, Key: "k",
				Retry: map[string]any{"max": int64(3)}, Approval: map[string]any{"who": "boss"}, Choices: []string{"yes"}}},
			{Append: "rows", Data: Expression("(rows rows)")},
		}}}}}}})
	wantTold(t, in, "go", "taken")
	wantAsked(t, in, "log map[x:2]", `append rows "first"`, "send s to peer 1", "emit news [true]", "do d tool:x 2", "append rows 1")
	if in.Len("rows") != 2 || in.Len("other") != 0 {
		t.Errorf("there are %d rows", in.Len("rows"))
	}
	keys := map[string]bool{}
	for i, e := range in.Effects() {
		if e.Sequence != 2 || e.Index != i || e.State != "a" {
			t.Errorf("%s is number %d of macrostep %d, of state %q", render(e), e.Index, e.Sequence, e.State)
		}
		if e.Key != "" {
			keys[e.Key] = true
		}
	}
	effects := in.Effects()
	if len(keys) != 2 || effects[2].Key == "" || effects[4].Key == "" {
		t.Errorf("the send and the do need a key each: %v", keys)
	}
	if effects[0].Name != "debug" || effects[2].Source != (statechart.Source{Kind: "send", ID: "sid"}) || effects[4].Source != (statechart.Source{Kind: "do", ID: "d", Entry: 1}) {
		t.Errorf("got %+v", effects)
	}
	want := `{"src":"tool:x","mode":"reconcile","declaredKey":"k","timeout":2000,"heartbeat":500,"retry":{"max":3},"approval":{"who":"boss"},"choices":["yes"]}`
	if got := compact(effects[4].Call); got != want {
		t.Errorf("the call is\n%s\nwant\n%s", got, want)
	}
}

// R23: effects of one session and macrostep have the same keys at each run,
// others have others; a declared key makes two calls one.
func TestR23_Keys(t *testing.T) {
	keys := func(session string, events int, key any) (out []string) {
		c := compile(t, Definition{Root: State{On: []Transition{on("go", "", Action{Do: &Invocation{Src: "x", Key: key}})}}})
		var in Instance
		c.Start(&in, statechart.Start{Session: session})
		for range events {
			send(t, &in, "go")
			out = append(out, effectOf(t, &in, statechart.EffectDo).Key)
		}
		return out
	}
	if a, b := keys("s", 2, nil), keys("s", 2, nil); !slices.Equal(a, b) || a[0] == a[1] {
		t.Errorf("keys %v and %v", a, b)
	}
	if keys("s", 1, nil)[0] == keys("t", 1, nil)[0] {
		t.Error("two sessions share a key")
	}
	if a := keys("s", 2, "same"); a[0] != a[1] || a[0] == keys("t", 1, "same")[0] || a[0] == keys("s", 1, "other")[0] {
		t.Errorf("declared keys %v", a)
	}
}

// R23: a log's level is info unless it says otherwise; an if chooses.
func TestR23_LogAndIf(t *testing.T) {
	in := root(t, State{On: []Transition{on("go", "", say("x"),
		Action{If: &Condition{Expression: "(= (data n) 1)"}, Then: []Action{say("then")}, Else: []Action{say("else")}},
		Action{If: &shut, Then: []Action{say("never")}})}})
	in.Send(Event{Name: "go", Data: map[string]any{"n": int64(1)}})
	wantMarks(t, in, "x then")
	if level := in.Effects()[0].Name; level != "info" {
		t.Errorf("the level is %q", level)
	}
	wantTold(t, in, "go", "taken")
	wantMarks(t, in, "x else")
}

// R21: an error from outside that nothing takes ends the session at once: no
// eventless transition and no raised event is looked at any more.
func TestR21_AtOnce(t *testing.T) {
	in := root(t, State{Initial: "a", Invoke: []Invocation{{ID: "i", Src: "x"}}, States: []State{
		{Name: "a", Always: []Transition{guarded("", "(= (event) 'error.invoke.i')", "b")}}, {Name: "b"}}})
	if got := result(in.Receive(answer("error", in.Live()[0].Source, nil))); got != "failed unhandled_error" {
		t.Errorf("it is %s", got)
	}
	wantActive(t, in, "a")
}

// R23: the name of what is emitted may be computed; what is no name is an
// error of the action.
func TestR23_EmittedNames(t *testing.T) {
	for _, c := range []struct {
		name any
		want string
	}{
		{Expression("n"), "emit news"}, {"plain", "emit plain"},
		{Expression("bad"), "log [action root.on[0].actions[0]]"}, {Expression("nothing"), "log [action root.on[0].actions[0]]"}, {Expression("(fail)"), "log [action root.on[0].actions[0]]"},
	} {
		in := root(t, State{Context: vars("n", "news", "bad", int64(1), "nothing", ""), On: []Transition{on("go", "", Action{Emit: c.name}), hear}}, spoken())
		wantTold(t, in, "go", "taken")
		if got := asked(in); got != c.want {
			t.Errorf("emit %v: asked for %q, want %q", c.name, got, c.want)
		}
	}
	for _, bad := range []any{"", int64(1), true, strings.Repeat("x", 1_001)} {
		list := errorsOf(t, Definition{ID: "c", Root: State{Entry: []Action{{Emit: bad}}}}, nil)
		if len(list) != 1 || list[0].Path != "root.entry[0].emit" {
			t.Errorf("emit %.20v:\n%s", bad, describeErrors(list))
		}
	}
}
