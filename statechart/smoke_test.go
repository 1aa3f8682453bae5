package statechart_test

import (
	"testing"

	sc "github.com/detent-run/detent/statechart"
)

type door struct {
	Locked bool
	Count  int
}

func TestDoor(t *testing.T) {
	reg := sc.NewRegistry()
	sc.Guard(reg, "unlocked", func(d *door, e sc.Event) bool { return !d.Locked })
	sc.Assign(reg, "count", func(d *door, e sc.Event) { d.Count++ })
	def := sc.Definition{ID: "door", Root: sc.State{Initial: "closed", States: []sc.State{
		{Name: "closed", On: []sc.Transition{{Event: "open", Guard: sc.When("unlocked"), Target: "opened", Actions: []sc.Action{{Call: "count"}}}}},
		{Name: "opened", On: []sc.Transition{{Event: "close", Target: "closed"}}},
	}}}
	c, err := sc.Compile(def, reg)
	if err != nil {
		t.Fatal(err)
	}
	d := &door{}
	in := c.Instance(d)
	for i := 0; i < 3; i++ {
		t.Log(in.Send(sc.Event{Name: "open"}).Outcome, in.Configuration())
		r := in.Send(sc.Event{Name: "open"})
		t.Log(r.Outcome, r.Reason)
		t.Log(in.Send(sc.Event{Name: "close"}).Outcome, in.Configuration())
	}
	d.Locked = true
	r := in.Send(sc.Event{Name: "open"})
	t.Log(r.Outcome, r.Reason, d.Count, in.Sequence())
	b, err := in.Snapshot().Encode()
	t.Log(string(b), err)
	s, err := c.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	n, err := sc.Step(c, s, sc.Delivery{Event: sc.Event{Name: "open"}}, 0)
	t.Log(n.Result.Outcome, err, n.Snapshot.Sequence())
	x := in.Explain(sc.Event{Name: "open"})
	t.Logf("%+v", x)
}

func TestTimersAndCalls(t *testing.T) {
	def := sc.Definition{ID: "m", Root: sc.State{Initial: "a", Context: []sc.Variable{{Name: "n", Value: 1}}, States: []sc.State{
		{Name: "a", On: []sc.Transition{{Event: "go", Target: "b.x"}},
			Invoke: []sc.Invocation{{ID: "call", Src: "tool:x", Input: map[string]any{"q": 1}, OnDone: []sc.Transition{{Target: "b"}}}}},
		{Name: "b", Initial: "x", Entry: []sc.Action{{Log: "in b"}}, States: []sc.State{
			{Name: "x", After: []sc.Timed{{Delay: "5s", Transitions: []sc.Transition{{Target: "y"}}}}},
			{Name: "y", Type: sc.Final, Output: 42}}, OnDone: []sc.Transition{{Target: "end"}}},
		{Name: "end", Type: sc.Final},
	}}}
	c, err := sc.Compile(def, nil)
	if err != nil {
		t.Fatal(err)
	}
	in := c.Instance(nil)
	t.Logf("%+v", in.Effects())
	src := in.Effects()[0].Source
	r := in.Receive(sc.Delivery{Event: sc.Event{Name: "done.invoke.call", Data: "ok"}, Envelope: &sc.Envelope{Source: src}})
	t.Logf("%v %v %+v", r, in.Configuration(), in.Effects())
	r = in.Receive(sc.Delivery{Event: sc.Event{Name: "done.invoke.call", Data: "ok"}, Envelope: &sc.Envelope{Source: src}})
	t.Logf("%v %v %+v", r, r.Reason, in.Effects())
	in.SetNow(5000)
	b, _ := in.Snapshot().Encode()
	t.Log(string(b))
	if _, err := c.Decode(b); err != nil {
		t.Fatal(err)
	}
	r = in.Receive(in.Timers()[0].Delivery())
	t.Logf("%v %v %v %+v", r, in.Configuration(), in.Status(), in.Effects())
}
