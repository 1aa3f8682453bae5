package statechart_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// traced renders a trace.
func traced(t *statechart.Trace) string {
	var out []string
	for _, r := range t.Records {
		s := string(r.Kind) + " " + strings.ReplaceAll(r.Name, "root.states.", "")
		if r.Guard != "" {
			s += " " + r.Guard
		}
		if r.Kind == statechart.TraceCandidate {
			s += fmt.Sprint(" ", r.Holds)
		}
		if r.Value != nil {
			s += " " + compact(r.Value)
		}
		if r.Error != "" {
			s += " (" + r.Error + ")"
		}
		out = append(out, s)
	}
	return strings.Join(out, "\n")
}

// A trace holds everything that happens, in order, of every kind, while it
// is attached; and nothing else changes by it.
func TestFace_Trace(t *testing.T) {
	d := Definition{Root: State{Initial: "w", Context: vars("n", int64(0)), On: []Transition{on("error.*", "")}, States: []State{
		{Name: "w", Type: statechart.Parallel, Promote: []Promotion{{Variable: "n", Value: int64(5)}}, On: []Transition{on("e", "#c.v")}, States: []State{
			{Name: "h", Type: statechart.History},
			{Name: "p", On: []Transition{guarded("e", "(fail)", ""), on("e", "#c.v", assign("n", int64(1)), Action{Raise: "r"}, fails)}},
			{Name: "q", On: []Transition{on("e", "#c.v")}},
		}},
		{Name: "v", Defer: []string{"x"}, On: []Transition{on("r", "u")}},
		{Name: "u", On: []Transition{on("x", "")}, Always: []Transition{{Guard: shut, Target: "v"}}},
	}}}
	in, plain := start(t, d), start(t, d)
	var trace statechart.Trace
	in.Trace(&trace)
	for _, e := range []string{"e", "x", "nosuch"} {
		wantTold(t, in, e, told(plain, e))
	}
	want := `event e
error w.states.p.on[0] guard (fail was evaluated)
raised error.execution
candidate w.states.p.on[0] (fail) false (fail was evaluated)
candidate w.states.p.on[1] true
candidate w.states.q.on[0] true
preempted w.states.q.on[0]
recorded w.h ["w.p","w.q"]
exited w.q
exited w.p
exited w
taken w.states.p.on[1]
assigned n 1
raised r
error w.states.p.on[1].actions[2] action (fail was evaluated)
raised error.execution
promoted n 5
entered v
event error.execution
candidate root.on[0] true
event r
candidate v.on[0] true
exited v
taken v.on[0]
entered u
candidate u.always[0] false false
event error.execution
candidate root.on[0] true
candidate u.always[0] false false
event x
candidate u.on[0] true
candidate u.always[0] false false`
	if got := traced(&trace); got != want {
		t.Errorf("the trace is\n%s\nwant\n%s", got, want)
	}
	if encode(t, in) != encode(t, plain) {
		t.Errorf("a traced session differs:\n%s\n%s", encode(t, in), encode(t, plain))
	}
	in.Trace(nil)
	n := len(trace.Records)
	told(in, "x")
	if len(trace.Records) != n {
		t.Error("it records after it was taken off")
	}
}

// What is kept is traced, and so is each delivery; the start of the next
// macrostep is an event record, in charts of every kind.
func TestFace_TraceOfDeferralAndOfPlainCharts(t *testing.T) {
	in := root(t, State{Initial: "a", States: []State{{Name: "a", Defer: []string{"x"}, On: []Transition{on("go", "b")}}, {Name: "b", On: []Transition{on("x", "", Action{Send: "y"})}}}})
	var trace statechart.Trace
	in.Trace(&trace)
	told(in, "x")
	told(in, "go")
	if got := strings.ReplaceAll(traced(&trace), "\n", "; "); got != "event x; deferred x; event go; candidate a.on[0] true; exited a; taken a.on[0]; entered b; event x; candidate b.on[0] true; taken b.on[0]" {
		t.Errorf("the trace is %s", got)
	}
	c := compile(t, Definition{Root: State{Initial: "a", States: []State{
		noted("a", State{On: []Transition{{Event: "go", Guard: statechart.When("may"), Target: "b"}}}), noted("b", State{On: []Transition{on("go", "a")}})}}},
		diarist([]string{"may"}, both("a", "b")...))
	inEachForm(t, c, newDiary, func(t *testing.T, in *Instance) {
		in.Context().(*diary).Answers["may"] = true
		var trace statechart.Trace
		told(in, "go")
		told(in, "go")
		in.Trace(&trace)
		told(in, "go")
		told(in, "go")
		want := "event go; candidate a.on[0] may true; exited a; taken a.on[0]; entered b; event go; candidate b.on[0] true; exited b; taken b.on[0]; entered a"
		if got := strings.ReplaceAll(traced(&trace), "\n", "; "); got != want {
			t.Errorf("the trace is %s", got)
		}
		in.Trace(nil)
		told(in, "go")
		wantActive(t, in, "b")
		wantNotes(t, in, "+a may? -a +b -b +a may? -a +b -b +a may? -a +b")
	})
}

// account is a typed context without a Clone: undo restores it by value.
type account struct {
	Balance int
	Tags    []string // replaced, never written to
}

// Run, Assign, Guard and Compute work on the typed context and read the
// scope; an error of Run stops its block.
func TestFace_TypedFunctions(t *testing.T) {
	reg := spoken()
	statechart.Guard(reg, "rich", func(a *account, e Event) bool { return a.Balance > 10 })
	statechart.Assign(reg, "deposit", func(a *account, e Event) {
		n, _ := e.Data.(int)
		a.Balance += n
	})
	statechart.Run(reg, "withdraw", func(a *account, s *Scope) error {
		n, _ := s.Event().Data.(int)
		if n > a.Balance {
			return fmt.Errorf("%d is more than there is", n)
		}
		a.Balance -= n
		a.Tags = append(slices.Clone(a.Tags), s.Event().Name)
		return s.Raise(Event{Name: "withdrawn", Data: map[string]any{"left": int64(a.Balance)}})
	})
	statechart.Compute(reg, "balance", func(a *account, e Event) any { return a.Balance })
	c := compile(t, Definition{Root: State{On: []Transition{
		on("deposit", "", Action{Call: "deposit"}), on("withdraw", "", Action{Call: "withdraw"}, say("done")), on("withdrawn", "", Action{Log: Expression("(data left)")}),
		{Event: "rich", Guard: statechart.When("rich"), Actions: []Action{{Send: "x", To: "peer", Data: Expression("balance")}}}, hear,
	}}}, reg)
	own := &account{Balance: 5}
	in := c.Instance(own)
	if in.Context() != own {
		t.Error("the context is not the one it was started with")
	}
	wantTold(t, in, "rich", "ignored guard_false")
	in.Send(Event{Name: "deposit", Data: 10})
	wantTold(t, in, "rich", "taken")
	wantAsked(t, in, "send x to peer 15")
	in.Send(Event{Name: "withdraw", Data: 4})
	wantAsked(t, in, "log done", "log 11")
	in.Send(Event{Name: "withdraw", Data: 400})
	wantAsked(t, in, "log [action root.on[1].actions[0]]")
	if own.Balance != 11 || !slices.Equal(own.Tags, []string{"withdraw"}) {
		t.Errorf("the account is %+v", own)
	}
}

// Undo restores a typed context by value, or by its Clone; snapshots and
// resumed instances share nothing with the live one.
func TestFace_TypedContextsAreUndoneAndCopied(t *testing.T) {
	reg := spoken()
	statechart.Assign(reg, "spend", func(a *account, e Event) { a.Balance -= 100; a.Tags = []string{"spent"} })
	c := compile(t, Definition{Limits: statechart.Limits{Effects: 1}, Root: State{On: []Transition{on("over", "", Action{Call: "spend"}, say("1"), say("2")), on("spend", "", Action{Call: "spend"})}}}, reg)
	own := &account{Balance: 7, Tags: []string{"old"}}
	in := c.Instance(own)
	wantTold(t, in, "over", "failed limit_effects")
	if own.Balance != 7 || own.Tags[0] != "old" {
		t.Errorf("undone to %+v", own)
	}
	before := in.Snapshot()
	wantTold(t, in, "spend", "taken")
	if got := before.Context().(*account); got.Balance != 7 || own.Balance != -93 {
		t.Errorf("snapshot %+v, live %+v", got, own)
	}
	before.Context().(*account).Balance = 1000
	next, err := statechart.Step(c, before, Delivery{Event: Event{Name: "spend"}}, 0)
	if err != nil || next.Snapshot.Context().(*account).Balance != -93 || before.Context().(*account).Balance != 7 {
		t.Errorf("stepped to %+v from %+v, %v", next.Snapshot.Context(), before.Context(), err)
	}
	var resumed Instance
	if err := c.Resume(&resumed, before); err != nil {
		t.Fatal(err)
	}
	send(t, &resumed, "spend")
	if before.Context().(*account).Balance != 7 {
		t.Error("a resumed instance writes into its snapshot")
	}
	back, err := c.Decode([]byte(encode(t, in)))
	if err != nil || back.Context().(*account).Balance != -93 {
		t.Errorf("decoded %+v, %v", back.Context(), err)
	}
}

// A Clone is used wherever the context is copied.
func TestFace_CloneIsHonoured(t *testing.T) {
	c := compile(t, Definition{Limits: statechart.Limits{Effects: 1}, Root: State{On: []Transition{on("over", "", note("a"), note("b"), say("1"), say("2")), on("go", "", note("c"), say("1"))}}}, diarist(nil, "a", "b", "c"))
	own := &diary{Notes: make([]string, 0, 10)} // room, so that append writes in place
	in := c.Instance(own)
	before := in.Snapshot()
	send(t, in, "go")
	wantTold(t, in, "over", "failed limit_effects")
	if !slices.Equal(own.Notes, []string{"c"}) || len(before.Context().(*diary).Notes) != 0 {
		t.Errorf("notes %q, before %q", own.Notes, before.Context().(*diary).Notes)
	}
	again := in.Snapshot()
	send(t, in, "go")
	if got := again.Context().(*diary).Notes; !slices.Equal(got, []string{"c"}) {
		t.Errorf("the snapshot's notes are %q", got)
	}
}

// What a registered function sees of the instance, and may do to it.
func TestFace_Scope(t *testing.T) {
	reg := spoken()
	var seen []string
	saw := func(format string, args ...any) { seen = append(seen, fmt.Sprintf(format, args...)) }
	reg.Action("look", func(s *Scope) error {
		inner, okInner := s.Get("m")
		outer, okOuter := s.Get("n")
		_, okOther := s.Get("other")
		saw("%v %v %v %v %v", inner, okInner, outer, okOuter, okOther)
		saw("%v %v %v %v", s.Active("a"), s.Active("#c.b"), s.Active("nosuch"), s.Active(""))
		saw("%d %s %d %d %d", s.Now(), s.Session(), s.Sequence(), s.Len("rows"), s.Len("nosuch"))
		saw("%s %v %v", s.Event().Name, s.Event().Data, s.Params()["p"])
		saw("%v", s.Input())
		return nil
	})
	reg.Action("write", func(s *Scope) error {
		for _, name := range slices.Sorted(maps.Keys(s.Params())) {
			if err := s.Set(name, s.Params()[name]); err != nil {
				saw("%v", err)
			}
		}
		return nil
	})
	reg.Value("writing", func(s *Scope) (any, error) { return nil, errors.Join(s.Set("n", 1), s.Raise(Event{Name: "x"})) })
	c := compile(t, Definition{Lists: []string{"rows"}, Constants: vars("k", int64(1)), Root: State{Initial: "a", Context: vars("n", int64(1)), States: []State{
		{Name: "a", Context: vars("m", int64(2)), On: []Transition{
			on("look", "", Action{Append: "rows", Data: nil}, Action{Call: "look", Params: map[string]any{"p": Expression("(+ n m)")}}),
			on("write", "", Action{Call: "write", Params: map[string]any{"n": int64(5), "m": map[string]any{"x": []any{"y"}}, "k": int64(2), "other": int64(3)}}),
			on("value", "", Action{Log: Expression("writing")}), hear}},
		{Name: "b", Context: vars("other", int64(9))},
	}}}, reg)
	var in Instance
	c.Start(&in, statechart.Start{Session: "sess", Input: "in", Now: 40})
	in.Send(Event{Name: "look", Data: "payload"})
	want := "2 true 1 true false; true false false true; 40 sess 2 1 0; look payload 3; <nil>"
	if got := strings.Join(seen, "; "); got != want {
		t.Errorf("it saw %s\nwant %s", got, want)
	}
	seen = nil
	send(t, &in, "write")
	if got := strings.Join(seen, "; "); got != `"k" is no variable that can be written here; "other" is no variable that can be written here` {
		t.Errorf("writing says %s", got)
	}
	if got := compact(in.Data()); got != `{"":{"k":1,"n":5},"a":{"m":{"x":["y"]}}}` {
		t.Errorf("data is %s", got)
	}
	send(t, &in, "value") // a value may not write
	wantAsked(t, &in, "log [action root.states.a.on[2].actions[0]]")
}

// A send from inside a callback is refused, in every form and whatever kind
// of function it is; the step goes on.
func TestFace_ReentrantSendsAreRefused(t *testing.T) {
	var in *Instance
	var inside []string
	reenter := func() {
		_, _, next := in.Next()
		inside = append(inside, told(in, "other"), result(in.SendID(2, nil)), result(in.Step(Delivery{Event: Event{Name: "other"}})), result(in.Receive(Delivery{Event: Event{Name: "other"}, Envelope: &statechart.Envelope{}})), result(in.Cancel()), fmt.Sprint(next, in.Can(Event{Name: "other"}), in.Explain(Event{Name: "other"}).Outcome))
	}
	reg := spoken()
	statechart.Guard(reg, "guard", func(d *diary, _ Event) bool { reenter(); return true })
	statechart.Assign(reg, "quick", func(d *diary, _ Event) { reenter() })
	reg.Action("general", func(*Scope) error { reenter(); return nil })
	for name, s := range map[string]State{
		"typed":   {Initial: "a", States: []State{{Name: "a", On: []Transition{{Event: "go", Guard: statechart.When("guard"), Target: "b", Actions: []Action{{Call: "quick"}}}, on("other", "")}}, {Name: "b", On: []Transition{on("back", "a")}}}},
		"general": {Initial: "a", States: []State{{Name: "a", On: []Transition{on("go", "b", Action{Call: "general"}), on("other", "")}}, {Name: "b", On: []Transition{on("back", "a")}}}},
	} {
		c := compile(t, Definition{Root: s}, reg)
		t.Run(name, func(t *testing.T) {
			inEachForm(t, c, newDiary, func(t *testing.T, fresh *Instance) {
				in, inside = fresh, nil
				for range 3 {
					wantTold(t, in, "go", "taken")
					send(t, in, "back")
				}
				for i, got := range inside {
					want := "refused reentrant"
					if i%6 == 5 {
						want = "false false refused"
					}
					if got != want {
						t.Errorf("number %d from inside is %s", i, got)
					}
				}
				if len(inside) == 0 || in.Sequence() != 7 {
					t.Errorf("%d calls from inside, %d macrosteps", len(inside), in.Sequence())
				}
			})
		})
	}
}

// After a callback panicked the instance refuses for ever: nobody knows where
// the step ended. Looking at it does not bring it back.
func TestFace_APanicLeavesARefusingInstance(t *testing.T) {
	bomb := false
	explode := func() {
		if bomb {
			panic("boom")
		}
	}
	reg := spoken()
	statechart.Guard(reg, "guard", func(*diary, Event) bool { explode(); return true })
	statechart.Assign(reg, "quick", func(*diary, Event) { explode() })
	reg.Action("general", func(*Scope) error { explode(); return nil })
	for name, tr := range map[string]Transition{
		"guard": {Event: "go", Guard: statechart.When("guard"), Target: "#c.b"}, "quick": on("go", "#c.b", Action{Call: "quick"}), "general": on("go", "#c.b", Action{Call: "general"}),
		"plain": on("go", "#c.b", Action{Call: "quick"}),
	} {
		c := compile(t, Definition{Root: State{Initial: "a", States: []State{{Name: "a", On: []Transition{tr}}, {Name: "b", On: []Transition{on("go", "a"), on("back", "a")}}}}}, reg)
		for _, warm := range []int{0, 1, 4} {
			for form, chart := range map[string]*statechart.Chart{"planned": c, "regions": c.WithCache(statechart.Cache{Configurations: -1}), "bits": c.WithCache(statechart.Cache{Configurations: -1, Regions: -1})} {
				t.Run(fmt.Sprint(name, " ", form, " ", warm), func(t *testing.T) {
					var in Instance
					chart.Start(&in, statechart.Start{Session: map[bool]string{true: "", false: "s"}[name == "plain"]})
					bomb = false
					for range warm {
						send(t, &in, "go", "back")
					}
					bomb = true
					func() {
						defer func() {
							if recover() == nil {
								t.Error("nothing panicked")
							}
						}()
						in.Send(Event{Name: "go"})
					}()
					bomb = false
					for range 2 {
						for _, e := range []string{"go", "back", "nosuch"} {
							wantTold(t, &in, e, "refused reentrant")
						}
						if in.Can(Event{Name: "go"}) || in.Events() != nil || in.Explain(Event{Name: "go"}).Outcome != statechart.Refused {
							t.Error("it answers as if it could go on")
						}
						in.SetNow(5)
						in.Trace(&statechart.Trace{})
						in.Subscribe(func(statechart.Change) {})()
						in.Trace(nil)
					}
				})
			}
		}
	}
}

// A guard that panics while the instance is only asked leaves it as it was.
func TestFace_APanicInAQuestion(t *testing.T) {
	bomb := true
	reg := spoken()
	statechart.Guard(reg, "guard", func(*diary, Event) bool {
		if bomb {
			panic("boom")
		}
		return true
	})
	c := compile(t, Definition{Root: State{Initial: "a", States: []State{{Name: "a", On: []Transition{{Event: "go", Guard: statechart.When("guard"), Target: "b"}}}, {Name: "b"}}}}, reg)
	inEachForm(t, c, nil, func(t *testing.T, in *Instance) {
		for _, ask := range []func(){func() { in.Can(Event{Name: "go"}) }, func() { in.Explain(Event{Name: "go"}) }} {
			func() {
				defer func() { _ = recover() }()
				bomb = true
				ask()
			}()
		}
		bomb = false
		wantActive(t, in, "a")
		if !in.Can(Event{Name: "go"}) {
			t.Error("it cannot be asked again")
		}
		wantTold(t, in, "go", "taken")
		wantActive(t, in, "b")
	})
}

// A chart with another cache is the same chart: instances move between them
// by snapshots.
func TestFace_WithCache(t *testing.T) {
	c := compile(t, Definition{Root: fork(nil, []Transition{on("e", "a2")}, []Transition{on("e", "b2")})})
	for _, cache := range []statechart.Cache{{}, {Configurations: 1}, {Configurations: 2}, {Configurations: 100_000}, {Configurations: -1}, {Configurations: -1, Regions: -1}, {Regions: -1}, {Configurations: -7, Regions: -7}} {
		other := c.WithCache(cache)
		if other.Digest() != c.Digest() {
			t.Error("the digest changed")
		}
		in := other.Instance(nil)
		wantTold(t, in, "e", "taken")
		wantActive(t, in, "w.p.a2", "w.q.b2")
		var back Instance
		if err := c.Resume(&back, in.Snapshot()); err != nil {
			t.Fatal(err)
		}
		wantActive(t, &back, "w.p.a2", "w.q.b2")
		if encode(t, in) != encode(t, &back) {
			t.Error("it is another state")
		}
	}
}

// An internal event is a record when it is taken up, too.
func TestFace_InternalEventsInTheTrace(t *testing.T) {
	in := root(t, State{Initial: "a", States: []State{{Name: "a", On: []Transition{on("go", "", Action{Raise: "r"}), on("r", "")}}}})
	var trace statechart.Trace
	in.Trace(&trace)
	told(in, "go")
	if got := strings.ReplaceAll(traced(&trace), "\n", "; "); got != "event go; candidate a.on[0] true; taken a.on[0]; raised r; event r; candidate a.on[1] true" {
		t.Errorf("the trace is %s", got)
	}
}
