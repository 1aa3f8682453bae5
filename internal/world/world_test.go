package world_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/detent-run/detent/internal/world"
	"github.com/detent-run/detent/statechart"
)

// compile makes a chart of an id and states; the first is the initial one.
func compile(t *testing.T, id string, states ...statechart.State) *statechart.Chart {
	t.Helper()
	root := statechart.State{Initial: states[0].Name, States: states}
	c, err := statechart.Compile(statechart.Definition{ID: id, Root: root}, nil)
	if err != nil {
		t.Fatalf("compile %s:\n%v", id, err)
	}
	return c
}

func on(event, target string, actions ...statechart.Action) statechart.Transition {
	return statechart.Transition{Event: event, Target: target, Actions: actions}
}

func begin(t *testing.T, w *world.World, id string, c *statechart.Chart) {
	t.Helper()
	if _, err := w.Start(id, c, nil); err != nil {
		t.Fatal(err)
	}
}

func send(t *testing.T, w *world.World, session string, events ...string) {
	t.Helper()
	for _, e := range events {
		if err := w.Send(session, statechart.Event{Name: e}); err != nil {
			t.Fatal(err)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantRecords compares the records from the first'th on, one a line.
func wantRecords(t *testing.T, w *world.World, first int, want ...string) {
	t.Helper()
	var got []string
	for _, r := range w.Records()[min(first, len(w.Records())):] {
		got = append(got, r.String())
	}
	if !slices.Equal(got, want) {
		t.Errorf("records are\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// light goes from red to green and back.
func light(t *testing.T) *statechart.Chart {
	return compile(t, "light",
		statechart.State{Name: "red", On: []statechart.Transition{on("go", "green")}},
		statechart.State{Name: "green", On: []statechart.Transition{on("stop", "red")}})
}

func TestEventsAreProcessedInTheOrderOfTheirArrival(t *testing.T) {
	w := world.New(world.Options{})
	begin(t, w, "a", light(t))
	begin(t, w, "b", light(t))
	send(t, w, "b", "go")
	send(t, w, "a", "go", "go")
	send(t, w, "b", "stop")
	if len(w.Records()) != 2 {
		t.Error("a send is processed before the world runs")
	}
	must(t, w.Run())
	wantRecords(t, w, 0,
		"a#1 detent.init: taken [red]",
		"b#1 detent.init: taken [red]",
		"b#2 go: taken [green]",
		"a#2 go: taken [green]",
		"a#3 go: ignored not_taken [green]",
		"b#3 stop: taken [red]")
}

func TestStepIsOneMacrostep(t *testing.T) {
	w := world.New(world.Options{})
	begin(t, w, "a", light(t))
	send(t, w, "a", "go", "stop")
	r, ok := w.Step()
	if !ok || r.String() != "a#2 go: taken [green]" {
		t.Errorf("first step is %v, %v", r, ok)
	}
	if _, ok = w.Step(); !ok {
		t.Error("the second event is lost")
	}
	if r, ok := w.Step(); ok {
		t.Errorf("there is a third step: %v", r)
	}
}

func TestRefusedAtTheDoorIsOnRecord(t *testing.T) {
	w := world.New(world.Options{})
	begin(t, w, "a", light(t))
	send(t, w, "a", "nonsense", "done.invoke.x", "go")
	must(t, w.Run())
	wantRecords(t, w, 1,
		"a#1 nonsense: refused unknown_event [red]",
		"a#1 done.invoke.x: refused reserved_event [red]",
		"a#2 go: taken [green]")
	if err := w.Send("nobody", statechart.Event{Name: "go"}); err == nil {
		t.Error("a send to nobody succeeds")
	}
	if _, err := w.Start("a", light(t), nil); err == nil {
		t.Error("a second session takes the same id")
	}
}

// The start is one macrostep; what it sends to itself waits.
func TestStartLeavesTheInboxAlone(t *testing.T) {
	c := compile(t, "eager",
		statechart.State{Name: "a", Entry: []statechart.Action{{Send: "next"}}, On: []statechart.Transition{on("next", "b")}},
		statechart.State{Name: "b"})
	w := world.New(world.Options{})
	begin(t, w, "s", c)
	wantRecords(t, w, 0, "s#1 detent.init: taken [a]")
	must(t, w.Run())
	wantRecords(t, w, 1, "s#2 next: taken [b]")
}

// A send to oneself stands behind what was accepted before it (R24).
func TestSelfSendGoesToTheEndOfTheInbox(t *testing.T) {
	c := compile(t, "loop", statechart.State{Name: "a", On: []statechart.Transition{
		on("first", "", statechart.Action{Send: "own"}), on("second", "", statechart.Action{Send: "own", To: "self"}), on("own", "")}})
	w := world.New(world.Options{})
	begin(t, w, "s", c)
	send(t, w, "s", "first", "second")
	must(t, w.Run())
	var order []string
	for _, r := range w.Records()[1:] {
		order = append(order, r.Event.Name)
	}
	if want := []string{"first", "second", "own", "own"}; !slices.Equal(order, want) {
		t.Errorf("order is %v, want %v", order, want)
	}
}

func TestDeferredDeliveriesHaveTheirOwnRecords(t *testing.T) {
	c := compile(t, "busy",
		statechart.State{Name: "busy", Defer: []string{"job"}, On: []statechart.Transition{on("free", "idle")}},
		statechart.State{Name: "idle", On: []statechart.Transition{on("job", "working")}},
		statechart.State{Name: "working", Defer: []string{"job"}, On: []statechart.Transition{on("free", "idle")}})
	w := world.New(world.Options{})
	begin(t, w, "s", c)
	send(t, w, "s", "job", "job", "free", "free")
	must(t, w.Run())
	wantRecords(t, w, 1,
		"s#2 job: deferred deferred [busy]",
		"s#3 job: deferred deferred [busy]",
		"s#4 free: taken [idle]",
		"s#5 job (deferred): taken [working]",
		"s#6 free: taken [idle]",
		"s#7 job (deferred): taken [working]")
}

// Two sessions that answer each other for ever must not hang a test.
func TestRunIsBounded(t *testing.T) {
	chatter := func(id, other string) *statechart.Chart {
		return compile(t, id, statechart.State{Name: "a", On: []statechart.Transition{on("ball", "", statechart.Action{Send: "ball", To: other})}})
	}
	w := world.New(world.Options{Limit: 50})
	begin(t, w, "ping", chatter("ping", "pong"))
	begin(t, w, "pong", chatter("pong", "ping"))
	send(t, w, "ping", "ball")
	if err := w.Run(); !errors.Is(err, world.ErrLimit) {
		t.Errorf("run says %v", err)
	}
	if got := len(w.Records()); got != 2+50 {
		t.Errorf("%d macrosteps happened, want the two starts and 50", got)
	}
}
