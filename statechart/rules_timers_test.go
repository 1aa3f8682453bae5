package statechart_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// R24: a raise is internal; a send to oneself, named or not, and one to
// somebody else are effects, and nothing else happens here.
func TestR24_RaiseAndSend(t *testing.T) {
	in := root(t, State{On: []Transition{
		on("go", "", Action{Send: "s1"}, Action{Send: "s2", To: "self", Data: Expression("(now)")}, Action{Send: "s3", To: "other"}, Action{Raise: "r", Data: map[string]any{"n": int64(7)}}),
		on("r", "", Action{Log: Expression("(data n)")}), on("s1", "", say("s1")), on("s2", "", say("s2")), on("s3", "", say("s3")),
	}})
	in.SetNow(5)
	wantTold(t, in, "go", "taken")
	wantAsked(t, in, "send s1 to self", "send s2 to self 5", "send s3 to other", "log 7")
	wantTold(t, in, "s1", "taken") // what the host makes of it
	wantMarks(t, in, "s1")
}

// R24: the arguments of a send are evaluated when it is executed.
func TestR24_ArgumentsAreEvaluatedAtOnce(t *testing.T) {
	in := root(t, State{Context: vars("n", int64(1), "who", "peer"), On: []Transition{
		on("go", "", Action{Send: "s", To: Expression("who"), ID: Expression("(cat 'i' 'd')"), Data: Expression("n"), Delay: Expression("(* n 100)")}, assign("n", int64(2), "who", "nobody")),
	}})
	wantTold(t, in, "go", "taken")
	wantAsked(t, in, "schedule s at 100 1")
	timer := in.Timers()[0]
	if timer.To != "peer" || timer.Source != (statechart.Source{Kind: "timer", ID: "id", Entry: 1}) || timer.Kind != "send" || timer.State != "" {
		t.Errorf("the timer is %+v", timer)
	}
	if got := fire(t, in); got != "taken" {
		t.Errorf("it is %s", got)
	}
	wantAsked(t, in, "send s to peer 1")
}

// R24: what a delayed raise or send to oneself becomes is an external event:
// its own macrostep, never deferred, never refused.
func TestR24_DelayedEventsAreExternal(t *testing.T) {
	in := root(t, State{Initial: "a", Defer: []string{"r"}, States: []State{
		{Name: "a", Entry: []Action{{Raise: "r", Delay: 10, Data: map[string]any{"n": int64(3)}}, {Send: "s", To: "self", Delay: 20}, {Send: "other", Delay: 30}},
			On: []Transition{on("r", "b", Action{Log: Expression("(data n)")})}},
		{Name: "b", On: []Transition{on("s", "a", say("s")), {Event: "other", Guard: shut}}},
	}})
	if got := timers(in); got != "r@10 s@20 other@30" {
		t.Fatalf("armed are %s", got)
	}
	if got := fire(t, in); got != "taken" {
		t.Errorf("the raise is %s", got)
	}
	wantAsked(t, in, "log 3")
	if in.Now() != 10 || in.Sequence() != 2 {
		t.Errorf("now %d, macrostep %d", in.Now(), in.Sequence())
	}
	in.SetNow(30) // s is late: the host delivers by due time
	if got := result(in.Receive(in.Timers()[1].Delivery())); got != "ignored guard_false" {
		t.Errorf("the other is %s", got)
	}
	if got := fire(t, in); got != "taken" {
		t.Errorf("the send is %s", got)
	}
	wantActive(t, in, "a")
	if len(in.Deferred()) != 0 {
		t.Errorf("deferred are %v", in.Deferred())
	}
}

// R24: timers stand by due time, those of one time as they were armed; they
// outlive the state that asked for them.
func TestR24_OrderOfTimers(t *testing.T) {
	late := func(name string, delay int) Action { return Action{Raise: name, Delay: delay} }
	in := root(t, State{Initial: "a", On: []Transition{on("x.*", "")}, States: []State{
		{Name: "a", Entry: []Action{late("x.1", 20), late("x.2", 10), late("x.3", 20), late("x.4", 0), late("x.5", -7), late("x.6", 10)}, On: []Transition{on("go", "b")}},
		{Name: "b", Entry: []Action{late("x.7", 10)}},
	}})
	if got := timers(in); got != "x.4@0 x.5@0 x.2@10 x.6@10 x.1@20 x.3@20" {
		t.Errorf("armed are %s", got)
	}
	send(t, in, "go")
	if got := timers(in); got != "x.4@0 x.5@0 x.2@10 x.6@10 x.7@10 x.1@20 x.3@20" {
		t.Errorf("armed are %s", got)
	}
}

// R24: cancel takes back what was sent or raised under the id, also two of
// it; not another's, not what has fired, not the timers of states.
func TestR24_Cancel(t *testing.T) {
	in := root(t, State{Initial: "a", States: []State{{Name: "a", After: []Timed{{Delay: 1000}},
		Entry: []Action{{Raise: "x", Delay: 30, ID: "one"}, {Send: "y", Delay: 20, ID: "one", To: "peer"}, {Raise: "z", Delay: 10, ID: "two"}, {Raise: "u", Delay: 40},
			{Do: &Invocation{ID: "one", Src: "d"}}, {Do: &Invocation{ID: "one", Src: "e"}}, {Do: &Invocation{ID: "two", Src: "f"}}},
		On: []Transition{on("cancel", "", Action{Cancel: Expression("(cat 'on' 'e')")}), on("other", "", Action{Cancel: "nosuch"}),
			on("empty", "", Action{Cancel: ""}), on("timer", "", Action{Cancel: "after.a:0"}), on("bad", "", Action{Cancel: int64(5)}), hear},
	}}})
	for _, nothing := range []string{"other", "empty", "timer"} {
		wantTold(t, in, nothing, "taken")
		wantAsked(t, in)
	}
	wantTold(t, in, "cancel", "taken")
	wantAsked(t, in, "unschedule y", "unschedule x", "stop one", "stop one")
	if got := timers(in); got != "z@10 u@40 after.a:0@1000" {
		t.Errorf("armed are %s", got)
	}
	if len(in.Live()) != 1 {
		t.Errorf("live are %v", in.Live())
	}
	wantTold(t, in, "cancel", "taken")
	wantAsked(t, in)
	wantTold(t, in, "bad", "taken")
	wantAsked(t, in, "log [action root.states.a.on[4].actions[0]]")
}

// R24: a timer that was taken back, or has fired, is stale.
func TestR24_StaleTimers(t *testing.T) {
	in := root(t, State{Entry: []Action{{Raise: "x", Delay: 10, ID: "one"}, {Raise: "x", Delay: 20, ID: "one"}}, On: []Transition{on("x", "", say("x")), on("cancel", "", Action{Cancel: "one"})}})
	first, second := in.Timers()[0].Delivery(), in.Timers()[1].Delivery()
	if got := fire(t, in); got != "taken" {
		t.Errorf("it is %s", got)
	}
	send(t, in, "cancel")
	for _, d := range []Delivery{first, second} {
		if got := result(in.Receive(d)); got != "ignored stale" {
			t.Errorf("it is %s", got)
		}
		wantAsked(t, in)
	}
}

// R24: a receiver or an id that is no text is an error.
func TestR24_ArgumentsMustBeText(t *testing.T) {
	for _, a := range []Action{{Send: "s", To: int64(1)}, {Send: "s", ID: true}, {Raise: "s", ID: []any{}, Delay: 5}} {
		in := root(t, State{On: []Transition{on("go", "", a), hear}})
		wantTold(t, in, "go", "taken")
		wantAsked(t, in, "log [action root.on[0].actions[0]]")
		if len(in.Timers()) != 0 {
			t.Errorf("armed are %v", in.Timers())
		}
	}
}

// delayed starts a chart that enters a state with an after at time 1000.
func delayed(t *testing.T, after Timed, entry ...Action) *Instance {
	t.Helper()
	in := start(t, Definition{
		Delays: vars("short", "250ms", "computed", Expression("(+ n 1)"), "wrong", Expression("'soon'")),
		Root: State{Initial: "a", Context: vars("n", int64(41)), On: []Transition{hear}, States: []State{
			{Name: "a", On: []Transition{on("go", "b")}}, {Name: "b", Entry: entry, After: []Timed{after}},
		}}})
	in.SetNow(1000)
	wantTold(t, in, "go", "taken")
	return in
}

// R27: what a delay may be, and what it comes to.
func TestR27_Delays(t *testing.T) {
	for _, c := range []struct {
		delay any
		due   int64
	}{
		{250, 1250}, {int64(1), 1001}, {0, 1000}, {-5, 1000}, {"-1s", 1000}, {"0s", 1000},
		{"500ms", 1500}, {"45s", 46_000}, {"15m", 901_000}, {"72h", 259_201_000}, {"1h30m", 5_401_000}, {"1.5s", 2500}, {"30d", 2_592_001_000}, {"0.5d", 43_201_000},
		{0.2, 1001}, {1.0, 1001}, {1.0001, 1002}, {"0.5ms", 1001}, {"1500us", 1002}, {"1ns", 1001}, {-0.5, 1000},
		{"short", 1250}, {"computed", 1042}, {Expression("n"), 1041}, {Expression("(float n)"), 1042}, {Expression("'2s'"), 3000}, {Expression("'short'"), 1250}, {Expression("'computed'"), 1042},
		{int64(math.MaxInt64), math.MaxInt64}, {int64(math.MaxInt64 - 5), math.MaxInt64}, {"100000d", 8_640_000_001_000},
	} {
		t.Run(fmt.Sprint(c.delay), func(t *testing.T) {
			in := delayed(t, Timed{Delay: c.delay})
			if want := fmt.Sprintf("after.b:0@%d", c.due); timers(in) != want {
				t.Errorf("armed are %q, want %q", timers(in), want)
			}
			wantAsked(t, in, fmt.Sprintf("schedule after.b:0 at %d", c.due))
		})
	}
}

// R27: a value that is no delay raises error.execution and arms nothing; the
// other timers of the state are armed.
func TestR27_NoDelay(t *testing.T) {
	for _, source := range []string{"'abc'", "nil", "true", "(list)", "(fail)", "'wrong'", "'12'", "''", "'1x'", "'NaNd'", "'Infd'"} {
		in := delayed(t, Timed{Delay: Expression(source)})
		wantAsked(t, in, "log [action root.states.b.after[0]]")
		if len(in.Timers()) != 0 {
			t.Errorf("%s arms %s", source, timers(in))
		}
	}
	in := root(t, State{After: []Timed{{Delay: Expression("nil")}, {Delay: 5}}, Every: []Timed{{Delay: Expression("nil")}, {Delay: 7}}, WarnAfter: Expression("true"), On: []Transition{hear}})
	if got := timers(in); got != "after.#c:1@5 every.#c:1@7" {
		t.Errorf("armed are %s", got)
	}
	wantAsked(t, in, "schedule after.#c:1 at 5", "schedule every.#c:1 at 7", "log [action root.after[0]]", "log [action root.every[0]]", "log [action root.warnAfter]")
}

// R27: evaluated once, after the state's own entry actions; armed on entry,
// taken back on exit, armed in full on re-entry, also through history.
func TestR27_ArmedOnEntryTakenBackOnExit(t *testing.T) {
	in := root(t, State{Initial: "w", Context: vars("n", int64(100)), States: []State{
		{Name: "w", Initial: "a", On: []Transition{on("leave", "out"), on("set", "", assign("n", int64(500)))}, States: []State{
			{Name: "h", Type: statechart.History},
			{Name: "a", Entry: []Action{assign("n", Expression("(+ n 1)"))}, On: []Transition{on("again", "a"), {Event: "reenter", Target: "a", Type: statechart.External}},
				After: []Timed{{Delay: Expression("n"), Transitions: []Transition{on("", "b", say("due"))}}}},
			{Name: "b"},
		}},
		{Name: "out", On: []Transition{on("back", "w.h")}},
	}})
	wantAsked(t, in, "schedule after.w.a:0 at 101")
	send(t, in, "set")
	in.SetNow(50)
	send(t, in, "again") // local: it stays armed
	wantAsked(t, in)
	send(t, in, "reenter")
	wantAsked(t, in, "unschedule after.w.a:0", "schedule after.w.a:0 at 551")
	in.SetNow(60)
	send(t, in, "leave")
	wantAsked(t, in, "unschedule after.w.a:0")
	in.SetNow(70)
	send(t, in, "back")
	wantAsked(t, in, "schedule after.w.a:0 at 572")
	if got := fire(t, in); got != "taken" {
		t.Errorf("it is %s", got)
	}
	wantAsked(t, in, "log due")
	wantActive(t, in, "w.b")
	if in.Now() != 572 {
		t.Errorf("now is %d", in.Now())
	}
}

// R27: the candidates of one timer are asked in order; if none holds the
// timer is spent.
func TestR27_CandidatesOfATimer(t *testing.T) {
	in := root(t, State{Context: vars("n", int64(0)), On: []Transition{on("set", "", assign("n", int64(1)))},
		After: []Timed{{Delay: 10, Transitions: []Transition{guarded("", "(= n 1)", "", say("first")), guarded("", "(= n 2)", "", say("second"))}}, {Delay: 20, Transitions: []Transition{guarded("", "(= n 1)", "", say("20"))}}}})
	if got := fire(t, in); got != "ignored guard_false" || timers(in) != "after.#c:1@20" {
		t.Errorf("%s, armed %s", got, timers(in))
	}
	send(t, in, "set")
	fire(t, in)
	wantMarks(t, in, "20")
	if len(in.Timers()) != 0 {
		t.Errorf("armed are %s", timers(in))
	}
}

// R27: keep goes on with what remained, when the state is restored by a
// history, and with the full time otherwise.
func TestR27_Keep(t *testing.T) {
	chart := State{Initial: "w", States: []State{
		{Name: "w", Initial: "a", On: []Transition{on("leave", "out")}, States: []State{
			{Name: "h", Type: statechart.History},
			{Name: "a", After: []Timed{{Delay: 100, Keep: true, Transitions: []Transition{on("", "b")}}, {Delay: 300}}}, {Name: "b"}}},
		{Name: "out", On: []Transition{on("back", "w.h"), on("anew", "w")}},
	}}
	in := root(t, chart)
	in.SetNow(30)
	send(t, in, "leave")
	in.SetNow(1000)
	send(t, in, "back")
	if got := timers(in); got != "after.w.a:0@1070 after.w.a:1@1300" {
		t.Errorf("restored: %s", got)
	}
	in.SetNow(1050)
	send(t, in, "leave", "back")
	if got := timers(in); got != "after.w.a:0@1070 after.w.a:1@1350" {
		t.Errorf("restored again: %s", got)
	}
	in.SetNow(1060)
	send(t, in, "leave", "anew")
	if got := timers(in); got != "after.w.a:0@1160 after.w.a:1@1360" {
		t.Errorf("entered by another way: %s", got)
	}
	in.SetNow(1500) // overdue when it is left: nothing remains
	send(t, in, "leave")
	in.SetNow(2000)
	send(t, in, "back")
	if got := timers(in); got != "after.w.a:0@2000 after.w.a:1@2300" {
		t.Errorf("nothing remained: %s", got)
	}
	if got := fire(t, in); got != "taken" {
		t.Errorf("it is %s", got)
	}
	wantActive(t, in, "w.b")
}

// ticking has an every of 100 ms with a policy for missed ticks.
func ticking(t *testing.T, missed string) *Instance {
	t.Helper()
	return root(t, State{Initial: "a", States: []State{
		{Name: "a", Every: []Timed{{Delay: 100, Missed: missed, Transitions: []Transition{on("", "", say("tick"))}}}, On: []Transition{on("stop", "b")}}, {Name: "b"}}})
}

// R27: an every repeats while its state is active, by its policy for ticks
// that were missed: one for all of them, each of them, or none that is late
// by a period.
func TestR27_Every(t *testing.T) {
	for _, c := range []struct {
		missed string
		at     int64
		told   string
		next   int64
	}{
		{"", 100, "taken", 200}, {"", 150, "taken", 200}, {"", 199, "taken", 200}, {"", 200, "taken", 300}, {"", 555, "taken", 600},
		{"coalesce", 555, "taken", 600}, {"coalesce", 600, "taken", 700},
		{"all", 100, "taken", 200}, {"all", 555, "taken", 200},
		{"skip", 100, "taken", 200}, {"skip", 199, "taken", 200}, {"skip", 200, "ignored stale", 300}, {"skip", 555, "ignored stale", 600},
	} {
		t.Run(fmt.Sprint(c.missed, c.at), func(t *testing.T) {
			in := ticking(t, c.missed)
			in.SetNow(c.at)
			if got := result(in.Receive(in.Timers()[0].Delivery())); got != c.told {
				t.Errorf("it is %s, want %s", got, c.told)
			}
			want := []string{fmt.Sprintf("schedule every.a:0 at %d", c.next)}
			if c.told == "taken" {
				want = append(want, "log tick")
			}
			wantAsked(t, in, want...)
		})
	}
}

// R27: leaving takes an every back; its next tick is another than the last.
func TestR27_EveryEnds(t *testing.T) {
	in := ticking(t, "")
	first := in.Timers()[0].Delivery()
	fire(t, in)
	if got := result(in.Receive(first)); got != "ignored stale" {
		t.Errorf("the tick again is %s", got)
	}
	send(t, in, "stop")
	wantAsked(t, in, "unschedule every.a:0")
	if len(in.Timers()) != 0 {
		t.Errorf("armed are %s", timers(in))
	}
}

// R27: an every of nothing is one of a millisecond, not a loop.
func TestR27_EveryOfZero(t *testing.T) {
	in := root(t, State{Every: []Timed{{Delay: 0, Transitions: []Transition{on("", "", say("tick"))}}}})
	for i := range int64(3) {
		if got := timers(in); got != fmt.Sprintf("every.#c:0@%d", i) {
			t.Errorf("armed are %s", got)
		}
		fire(t, in)
	}
}

// R27: staying longer than warnAfter is a warning, once, and nothing else.
func TestR27_WarnAfter(t *testing.T) {
	in := root(t, State{Initial: "a", On: []Transition{on("*", "", say("never"))}, States: []State{{Name: "a", WarnAfter: "1s", After: []Timed{{Delay: 3000}}}}})
	wantAsked(t, in, "schedule after.a:0 at 3000", "schedule after.a:warn at 1000")
	if got := fire(t, in); got != "taken" {
		t.Errorf("it is %s", got)
	}
	wantAsked(t, in, "warn after.a:warn")
	if got := timers(in); got != "after.a:0@3000" {
		t.Errorf("armed are %s", got)
	}
	wantActive(t, in, "a")
}

// R27: due times are absolute and a part of the state.
func TestR27_TimersInTheSnapshot(t *testing.T) {
	in := ticking(t, "all")
	in.SetNow(40)
	s, err := in.Chart().Decode([]byte(encode(t, in)))
	if err != nil {
		t.Fatal(err)
	}
	next, err := statechart.Step(in.Chart(), s, s.Timers()[0].Delivery(), 130)
	if err != nil || rendered(next.Effects) != "schedule every.a:0 at 200; log tick" {
		t.Errorf("%s, %v", rendered(next.Effects), err)
	}
}
