package world_test

import (
	"testing"

	"github.com/detent-run/detent/internal/world"
	"github.com/detent-run/detent/statechart"
)

func after(delay any, target string) statechart.Timed {
	return statechart.Timed{Delay: delay, Transitions: []statechart.Transition{on("", target)}}
}

func TestTimersFireInOrderAcrossSessions(t *testing.T) {
	wait := func(id string, delay any) *statechart.Chart {
		return compile(t, id,
			statechart.State{Name: "wait", After: []statechart.Timed{after(delay, "rest")}},
			statechart.State{Name: "rest"})
	}
	w := world.New(world.Options{Now: 1000})
	begin(t, w, "late", wait("late", "2s"))
	begin(t, w, "soon", wait("soon", "1s"))
	begin(t, w, "tie", wait("tie", "2s"))
	must(t, w.Advance(999))
	wantRecords(t, w, 3)
	if due, ok := w.Due(); !ok || due != 2000 {
		t.Errorf("next is due at %d, %v", due, ok)
	}
	must(t, w.Advance(5000))
	wantRecords(t, w, 3,
		"soon#2 after.wait:0: taken [rest]",
		"late#2 after.wait:0: taken [rest]",
		"tie#2 after.wait:0: taken [rest]")
	for i, want := range []int64{2000, 3000, 3000} {
		if got := w.Records()[3+i].Now; got != want {
			t.Errorf("timer %d fired at %d, want %d", i, got, want)
		}
	}
	if w.Now() != 6999 {
		t.Errorf("the clock shows %d", w.Now())
	}
}

// Within a session equal due times go by the order of arming.
func TestTimersOfOneTimeFireInArmingOrder(t *testing.T) {
	c := compile(t, "c", statechart.State{Name: "a", Entry: []statechart.Action{
		{Send: "x", Delay: "2s"}, {Send: "y", Delay: "1s"}, {Send: "z", Delay: "2s"},
	}, On: []statechart.Transition{on("x", ""), on("y", ""), on("z", "")}})
	w := world.New(world.Options{})
	begin(t, w, "s", c)
	must(t, w.Advance(2000))
	var fired []int64
	order := ""
	for _, r := range w.Records()[1:] {
		order += r.Event.Name + " "
		fired = append(fired, r.Now)
	}
	if order != "y x z " {
		t.Errorf("order is %q at %v", order, fired)
	}
}

// An event that is in the inbox comes before a timer of the same time.
func TestEventsComeBeforeTimersOfTheSameTime(t *testing.T) {
	c := compile(t, "c",
		statechart.State{Name: "wait", After: []statechart.Timed{after("1s", "late")}, On: []statechart.Transition{on("reply", "intime")}},
		statechart.State{Name: "late"}, statechart.State{Name: "intime"})
	w := world.New(world.Options{})
	begin(t, w, "s", c)
	must(t, w.Advance(999))
	send(t, w, "s", "reply")
	must(t, w.Advance(1))
	wantRecords(t, w, 1, "s#2 reply: taken [intime]")
}

// So does an answer that comes at the same time.
func TestAnswersComeBeforeTimersOfTheSameTime(t *testing.T) {
	c := compile(t, "c",
		statechart.State{Name: "wait", After: []statechart.Timed{after("1s", "late")},
			Invoke: []statechart.Invocation{{ID: "call", Src: "tool:x", OnDone: []statechart.Transition{on("", "intime")}}}},
		statechart.State{Name: "late"}, statechart.State{Name: "intime"})
	for delay, want := range map[int64]string{
		1000: "s#2 done.invoke.call: taken [intime]",
		1001: "s#2 after.wait:0: taken [late]",
	} {
		w := world.New(world.Options{Performers: map[string]world.Performer{"tool:x": world.Always(world.Done(nil).In(delay))}})
		begin(t, w, "s", c)
		must(t, w.Advance(2000))
		wantRecords(t, w, 1, want)
	}
}

func TestAdvanceToNext(t *testing.T) {
	c := compile(t, "c",
		statechart.State{Name: "a", After: []statechart.Timed{after("10s", "b")}},
		statechart.State{Name: "b", After: []statechart.Timed{after("5s", "d")}},
		statechart.State{Name: "d"})
	w := world.New(world.Options{})
	begin(t, w, "s", c)
	for _, want := range []int64{10_000, 15_000} {
		more, err := w.AdvanceToNext()
		must(t, err)
		if !more || w.Now() != want {
			t.Errorf("advanced to %d, %v; want %d", w.Now(), more, want)
		}
	}
	if more, _ := w.AdvanceToNext(); more || w.Now() != 15_000 {
		t.Errorf("advanced to %d, %v with nothing due", w.Now(), more)
	}
}

// A timer of zero is due at once, goes through the queue, and keeps the order.
func TestZeroDelayComesAfterWhatWasAccepted(t *testing.T) {
	c := compile(t, "c", statechart.State{Name: "a",
		On: []statechart.Transition{on("go", "", statechart.Action{Send: "late", Delay: "0s"}), on("second", ""), on("late", "")}})
	w := world.New(world.Options{})
	begin(t, w, "s", c)
	send(t, w, "s", "go", "second")
	must(t, w.Run())
	order := ""
	for _, r := range w.Records()[1:] {
		order += r.Event.Name + " "
	}
	if order != "go second late " || w.Now() != 0 {
		t.Errorf("order is %q at %d", order, w.Now())
	}
}

// The session's clock is the world's.
func TestSessionsSeeTheWorldsTime(t *testing.T) {
	w := world.New(world.Options{Now: 42})
	begin(t, w, "s", light(t))
	must(t, w.Advance(58))
	send(t, w, "s", "go")
	must(t, w.Run())
	r := w.Records()[1]
	if got := w.Instance("s").Now(); got != 100 || r.Now != 100 || r.Event.Envelope.AcceptedAt != 100 {
		t.Errorf("instance %d, record %d, accepted %d; want 100", got, r.Now, r.Event.Envelope.AcceptedAt)
	}
}
