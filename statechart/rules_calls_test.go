package statechart_test

import (
	"slices"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// R25: invocations start when the macrostep is over, in document order, and
// only for states that are still active then.
func TestR25_StartAtTheEnd(t *testing.T) {
	call := func(name string, s State) State {
		s.Name, s.Invoke = name, []Invocation{{Src: "tool:" + name}, {ID: name + "2", Src: "tool:" + name + "2"}}
		return s
	}
	in := root(t, State{Initial: "a", States: []State{
		{Name: "a", On: []Transition{on("go", "b")}},
		call("b", State{Entry: []Action{say("+b"), {Raise: "r"}}, Always: []Transition{on("", "c")}}),
		call("c", State{Type: statechart.Parallel, Entry: []Action{say("+c")}, States: []State{
			{Name: "p", Initial: "x", States: []State{{Name: "x", On: []Transition{on("r", "y")}}, call("y", State{Entry: []Action{say("+y")}})}},
			call("q", State{}),
		}}),
	}})
	wantTold(t, in, "go", "taken")
	wantAsked(t, in, "log +b", "log +c", "log +y",
		"invoke c:0 tool:c", "invoke c2 tool:c2", "invoke c.p.y:0 tool:y", "invoke y2 tool:y2", "invoke c.q:0 tool:q", "invoke q2 tool:q2")
	for i, l := range in.Live() {
		if l.Source.Entry != uint64(i+1) || l.Key == "" {
			t.Errorf("call %d is %+v", i, l)
		}
	}
}

// R25: in chart files the input is evaluated right after the entry actions of
// the state; in SCXML when the invocation starts.
func TestR25_WhenTheInputIsEvaluated(t *testing.T) {
	for dialect, want := range map[string]string{"": `invoke i x 2`, "scxml": `invoke i x 3`} {
		in := start(t, Definition{Dialect: dialect, Root: State{Initial: "a", Context: vars("n", int64(1)), States: []State{
			{Name: "a", Entry: []Action{assign("n", int64(2))}, Invoke: []Invocation{{ID: "i", Src: "x", Input: Expression("n")}}, Initial: "b",
				States: []State{{Name: "b", Entry: []Action{assign("n", int64(3))}}}}}}})
		wantAsked(t, in, want)
	}
}

// R25: leaving cancels what runs, and forgets what has not started; the exit
// actions of the state come before.
func TestR25_LeavingCancels(t *testing.T) {
	in := root(t, State{Initial: "a", Invoke: []Invocation{{ID: "stays", Src: "x"}}, States: []State{
		{Name: "a", Exit: []Action{say("-a")}, Invoke: []Invocation{{ID: "one", Src: "x"}, {ID: "two", Src: "y"}}, On: []Transition{on("go", "b", say("!")), on("same", "a"), {Event: "again", Target: "a", Type: statechart.External}}},
		{Name: "b", Invoke: []Invocation{{ID: "three", Src: "z"}}, Always: []Transition{on("", "c")}}, {Name: "c"},
	}})
	key := in.Live()[1].Key
	send(t, in, "same")
	wantAsked(t, in)
	send(t, in, "again")
	wantAsked(t, in, "log -a", "stop one", "stop two", "invoke one x", "invoke two y")
	if stop := effectOf(t, in, statechart.EffectStop); stop.Key != key || stop.Source.Entry != 2 || stop.State != "a" {
		t.Errorf("the stop is %+v, want the key %s", stop, key)
	}
	send(t, in, "go")
	wantAsked(t, in, "log -a", "stop one", "stop two", "log !")
	if len(in.Live()) != 1 || in.Live()[0].Source.ID != "stays" {
		t.Errorf("live are %v", in.Live())
	}
}

// R25: an invocation whose arguments fail is not started; the others are.
func TestR25_FailingArguments(t *testing.T) {
	for _, bad := range []Invocation{{Src: Expression("(fail)")}, {Src: Expression("''")}, {Src: Expression("5")}, {Src: "x", Input: Expression("(fail)")},
		{Src: "x", Key: Expression("(fail)")}, {Src: "x", Timeout: Expression("'soon'")}, {Src: "x", Heartbeat: Expression("nil")}} {
		for _, dialect := range []string{"", "scxml"} {
			bad.ID = "bad"
			in := start(t, Definition{Dialect: dialect, Root: State{On: []Transition{hear}, Invoke: []Invocation{bad, {ID: "good", Src: "y"}}}})
			var calls []string
			for _, e := range in.Effects() {
				if e.Type == statechart.EffectInvoke {
					calls = append(calls, e.Source.ID)
				}
			}
			if !slices.Equal(calls, []string{"good"}) || marksOf(in) != "[action root.invoke[0]]" {
				t.Errorf("%+v in dialect %q: %s", bad, dialect, asked(in))
			}
		}
	}
}

// marksOf returns what the first log of the last step says.
func marksOf(in *Instance) string {
	for _, e := range in.Effects() {
		if e.Type == statechart.EffectLog {
			return render(e)[len("log "):]
		}
	}
	return ""
}

// R25: cancelling a session from outside runs its exit actions and reports
// nothing.
func TestR25_CancelASession(t *testing.T) {
	d := ended(State{})
	d.Root.States[0].On[0].Guard = shut
	in := start(t, d)
	wantTold(t, in, "later", "deferred deferred")
	before := in.Snapshot()
	want := "log -x; log -w; stop call; log -root; unschedule after.#c:0; stop rootcall; unschedule sooner; unschedule late; stop side; warn later"
	if got := result(in.Cancel()); got != "taken" || asked(in) != want {
		t.Errorf("%s: %s\nwant %s", got, asked(in), want)
	}
	wantStatus(t, in, statechart.Cancelled, "")
	wantActive(t, in, "w.x")
	if len(in.Timers())+len(in.Live())+len(in.Deferred()) != 0 {
		t.Errorf("left are %v %v %v", in.Timers(), in.Live(), in.Deferred())
	}
	wantTold(t, in, "end", "refused ended")
	if got := result(in.Cancel()); got != "refused ended" {
		t.Errorf("a second time it is %s", got)
	}
	wantAsked(t, in)
	next, err := before.Cancel(0)
	if err != nil || rendered(next.Effects) != want || next.Snapshot.Status() != statechart.Cancelled {
		t.Errorf("the pure form: %s %v", rendered(next.Effects), err)
	}
	text, err := next.Snapshot.Encode()
	if err != nil || string(text) != encode(t, in) {
		t.Errorf("the pure form leads to %s, %v\nwant %s", text, err, encode(t, in))
	}
	if before.Status() != statechart.Active {
		t.Error("the snapshot changed")
	}
}

// R25: a parked session can be cancelled, a completed one not.
func TestR25_CancelByStatus(t *testing.T) {
	in, invoke, _ := calling(t, "")
	in.Receive(answer("unknown", invoke, nil))
	wantStatus(t, in, statechart.Parked, statechart.CodeUnknownOutcome)
	if got := result(in.Cancel()); got != "taken" || in.Status() != statechart.Cancelled {
		t.Errorf("%s, %s", got, in.Status())
	}
	in = root(t, State{Initial: "f", States: []State{final("f")}})
	if got := result(in.Cancel()); got != "refused ended" || in.Status() != statechart.Completed {
		t.Errorf("%s, %s", got, in.Status())
	}
}

// R26: ends match by id and entry counter together: the answer to an earlier
// entry never reaches a later one.
func TestR26_AnswersMatchTheEntry(t *testing.T) {
	in := root(t, State{Initial: "a", On: []Transition{on("*", "")}, States: []State{
		{Name: "a", Invoke: []Invocation{{ID: "i", Src: "x", OnDone: []Transition{on("", "b", Action{Log: Expression("(data n)")})}}}, On: []Transition{{Event: "again", Target: "a", Type: statechart.External}}},
		{Name: "b"},
	}})
	first := effectOf(t, in, statechart.EffectInvoke).Source
	send(t, in, "again")
	second := effectOf(t, in, statechart.EffectInvoke).Source
	if first.Entry == second.Entry {
		t.Fatal("the second entry has the counter of the first")
	}
	for _, wrong := range []statechart.Source{first, {Kind: "invoke", ID: "j", Entry: second.Entry}, {Kind: "do", ID: "i", Entry: second.Entry}, {Kind: "invoke", ID: "i", Entry: 99}} {
		d := answer("done", wrong, nil)
		d.Name = "done.invoke.i"
		if got := result(in.Receive(d)); got != "ignored stale" {
			t.Errorf("the answer to %v is %s", wrong, got)
		}
	}
	wantActive(t, in, "a")
	if got := result(in.Receive(answer("done", second, map[string]any{"n": int64(4)}))); got != "taken" {
		t.Errorf("the right one is %s", got)
	}
	wantAsked(t, in, "log 4")
	wantActive(t, in, "b")
}

// R26: an end ends the call, taken or not; progress does not.
func TestR26_EndsAndProgress(t *testing.T) {
	for _, how := range []string{"done", "error", "unknown"} {
		in := root(t, State{Invoke: []Invocation{{ID: "i", Src: "x",
			OnDone: []Transition{on("", "", say("done"))}, OnError: []Transition{on("", "", say("error"))},
			OnUnknown: []Transition{on("", "", say("unknown"))}, OnProgress: []Transition{on("", "", say("progress"))}}}})
		source := in.Live()[0].Source
		for range 2 {
			if got := result(in.Receive(answer("progress", source, nil))); got != "taken" || marks(in) != "progress" || len(in.Live()) != 1 {
				t.Errorf("progress is %s, said %q, live %v", got, marks(in), in.Live())
			}
		}
		if got := result(in.Receive(answer(how, source, nil))); got != "taken" || marks(in) != how || len(in.Live()) != 0 {
			t.Errorf("%s is %s, said %q, live %v", how, got, marks(in), in.Live())
		}
		for _, late := range []string{"done", "error", "unknown", "progress"} {
			if got := result(in.Receive(answer(late, source, nil))); got != "ignored stale" {
				t.Errorf("%s after %s is %s", late, how, got)
			}
		}
		wantStatus(t, in, statechart.Active, "")
	}
}

// R26: several dos may share an id and end in any order; they outlive the
// state that started them.
func TestR26_Dos(t *testing.T) {
	in := root(t, State{Initial: "a", On: []Transition{on("done.do.d", "", Action{Log: Expression("(data n)")})}, States: []State{
		{Name: "a", Entry: []Action{{Do: &Invocation{ID: "d", Src: "x"}}, {Do: &Invocation{ID: "d", Src: "y"}}, {Do: &Invocation{Src: "z"}}}, On: []Transition{on("go", "b")}},
		{Name: "b", On: []Transition{on("done.do.a:do", "", say("default id"))}},
	}})
	wantAsked(t, in, "do d x", "do d y", "do a:do z")
	live := slices.Clone(in.Live())
	send(t, in, "go")
	wantAsked(t, in)
	in.Receive(answer("done", live[1].Source, map[string]any{"n": int64(2)}))
	wantAsked(t, in, "log 2")
	in.Receive(answer("done", live[0].Source, map[string]any{"n": int64(1)}))
	wantAsked(t, in, "log 1")
	if got := result(in.Receive(answer("done", live[1].Source, nil))); got != "ignored stale" {
		t.Errorf("a second end is %s", got)
	}
	in.Receive(answer("done", live[2].Source, nil))
	wantMarks(t, in, "default id")
}

// R26: names are for people: in SCXML an end whose call is gone is an event
// like any other.
func TestR26_LateEndsInScxml(t *testing.T) {
	in := inScxml(t, State{Initial: "a", States: []State{
		{Name: "a", Invoke: []Invocation{{ID: "i", Src: "x"}}, On: []Transition{on("go", "b")}},
		{Name: "b", On: []Transition{on("done.invoke", "c")}}, {Name: "c"}}})
	source := in.Live()[0].Source
	send(t, in, "go")
	if got := result(in.Receive(answer("done", source, nil))); got != "taken" {
		t.Errorf("it is %s", got)
	}
	wantActive(t, in, "c")
}

// engineNames are names that only the engine may give to an event.
var engineNames = []string{"done.state.c.w", "done.invoke.i", "done.do.d", "error.execution", "error.communication", "error.platform", "error.budget",
	"error.invoke.i", "error.do.d", "unknown.invoke.i", "unknown.x", "progress.invoke.i", "after.w:0", "every.w:0", "detent.init", "detent.x"}

// R28: nobody else can send the engine's names, in whatever form the
// configuration is, by name or by id, taken or not.
func TestR28_EngineEventsCannotBeSent(t *testing.T) {
	s := State{Initial: "w", States: []State{{Name: "w", Initial: "x", States: []State{{Name: "x"}}}, {Name: "other", On: []Transition{on("plain", "w")}}}}
	for _, n := range engineNames {
		s.States[0].On = append(s.States[0].On, on(n, "other"))
	}
	s.States[0].On = append(s.States[0].On, on("error.*", "other"), on("*", "other"))
	inEachForm(t, compile(t, Definition{Root: s}), nil, func(t *testing.T, in *Instance) {
		for _, n := range append(slices.Clone(engineNames), "error.do.unheard", "after.unheard") {
			wantTold(t, in, n, "refused reserved_event")
			if id, ok := in.Chart().EventID(n); ok {
				if got := result(in.SendID(id, nil)); got != "refused reserved_event" {
					t.Errorf("%s by its id is %s", n, got)
				}
			}
			if got := result(in.Receive(Delivery{Event: Event{Name: n}, Envelope: &statechart.Envelope{ID: "x", From: "client"}})); got != "refused reserved_event" {
				t.Errorf("%s in an envelope is %s", n, got)
			}
		}
		if in.Sequence() != 1 {
			t.Errorf("a refused event counts: %d", in.Sequence())
		}
		wantActive(t, in, "w.x")
		wantTold(t, in, "error.mine", "taken")
	})
}

// R28: nor can a chart raise, send or declare them; bare prefixes are the
// user's.
func TestR28_EngineEventsCannotBeRaised(t *testing.T) {
	for _, n := range engineNames {
		wantRefused(t, Definition{Root: State{Entry: []Action{{Raise: n}}}}, statechart.CodeReserved, "root.entry[0]")
		wantRefused(t, Definition{Root: State{Entry: []Action{{Send: n, To: "x"}}}}, statechart.CodeReserved, "root.entry[0]")
		wantRefused(t, Definition{Events: []statechart.EventDeclaration{{Name: n}}}, statechart.CodeReserved, "events[0]")
	}
	for _, n := range []string{"done", "error", "init", "after", "unknown", "progress", "every", "detent", "done.x", "error.x", "error.execution.x", "done.states"} {
		in := root(t, State{Initial: "a", States: []State{{Name: "a", On: []Transition{on("go", "b", Action{Raise: n})}}, {Name: "b", On: []Transition{on(n, "", say(n))}}}})
		wantTold(t, in, "go", "taken")
		wantMarks(t, in, n)
		wantTold(t, in, n, "taken")
	}
	in := inScxml(t, State{Initial: "a", States: []State{{Name: "a", On: []Transition{on("go", "b", Action{Raise: "done.state.x"})}}, {Name: "b", On: []Transition{on("done", "", say("done"))}}}})
	wantTold(t, in, "go", "taken")
	wantMarks(t, in, "done")
}

// R28: nor does a registered function.
func TestR28_FunctionsCannotRaiseThem(t *testing.T) {
	reg := spoken()
	reg.Action("forge", func(s *Scope) error { return s.Raise(Event{Name: s.Params()["name"].(string)}) })
	for _, n := range append(slices.Clone(engineNames), "") {
		in := root(t, State{On: []Transition{on("go", "", Action{Call: "forge", Params: map[string]any{"name": n}}), hear}}, reg)
		wantTold(t, in, "go", "taken")
		wantAsked(t, in, "log [action root.on[0].actions[0]]")
	}
}

// R26: an answer bears the name of its call; another name is no answer of it.
func TestR26_AnswersBearTheNameOfTheirCall(t *testing.T) {
	in := root(t, State{Invoke: []Invocation{{ID: "i", Src: "x"}, {ID: "j", Src: "y"}}, On: []Transition{on("done.*", "", say("done")), on("plain", "", say("plain"))}})
	for _, name := range []string{"done.invoke.j", "done.do.i", "done.state.i", "plain", "done.invoke.i.x"} {
		d := answer("done", in.Live()[0].Source, nil)
		d.Name = name
		if got := result(in.Receive(d)); got != "ignored stale" || len(in.Live()) != 2 {
			t.Errorf("%s is %s, live %v", name, got, in.Live())
		}
	}
}
