package statechart

import "testing"

// wrapping is a chart whose steps are planned, with one event ("slow") that
// needs the general way.
func wrapping(t *testing.T) *Chart {
	t.Helper()
	r := NewRegistry()
	type context struct{ N int }
	Assign(r, "count", func(c *context, _ Event) { c.N++ })
	c, err := Compile(Definition{ID: "c", Root: State{Initial: "a", States: []State{
		{Name: "a", On: []Transition{{Event: "go", Target: "b"}, {Event: "count", Target: "b", Actions: []Action{{Call: "count"}}}, {Event: "slow", Actions: []Action{{Log: "x"}}}}},
		{Name: "b", On: []Transition{{Event: "go", Target: "a"}, {Event: "count", Target: "a", Actions: []Action{{Call: "count"}}}, {Event: "slow", Actions: []Action{{Log: "x"}}}}},
	}}}, r)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Macrosteps are counted beyond 2^32, in every way in which a step can be
// taken, and a snapshot keeps the number.
func TestSequenceBeyond32Bits(t *testing.T) {
	const before = 1<<32 - 2
	c := wrapping(t)
	for name, step := range map[string]func(in *Instance){
		"moving":      func(in *Instance) { in.Send(Event{Name: "go"}) },
		"calling":     func(in *Instance) { in.Send(Event{Name: "count"}) },
		"general":     func(in *Instance) { in.Send(Event{Name: "slow"}) },
		"not taken":   func(in *Instance) { in.Send(Event{Name: "go"}); in.Send(Event{Name: "go"}) },
		"watched":     func(in *Instance) { in.Subscribe(func(Change) {})(); in.Send(Event{Name: "go"}) },
		"traced":      func(in *Instance) { in.Trace(&Trace{}); in.Trace(nil); in.Send(Event{Name: "go"}) },
		"with a look": func(in *Instance) { in.Can(Event{Name: "slow"}); in.Send(Event{Name: "count"}) },
	} {
		for form, chart := range map[string]*Chart{"planned": c, "regions": c.WithCache(Cache{Configurations: -1}), "bits": c.WithCache(Cache{Configurations: -1, Regions: -1})} {
			in := chart.Instance(nil)
			in.Send(Event{Name: "go"})
			in.steps = before & 0xffff_ffff
			last := in.Sequence()
			if last != before {
				t.Fatalf("it begins at %d", last)
			}
			for range 6 {
				step(in)
				now := in.Sequence()
				if now <= last {
					t.Fatalf("%s, %s: %d follows %d", name, form, now, last)
				}
				last = now
				var back Instance
				if err := chart.Resume(&back, in.Snapshot()); err != nil || back.Sequence() != now {
					t.Fatalf("%s, %s: resumed at %d, was %d, %v", name, form, back.Sequence(), now, err)
				}
			}
			if last < 1<<32 {
				t.Fatalf("%s, %s: it ends at %d", name, form, last)
			}
			for _, e := range in.Effects() {
				if e.Sequence != last {
					t.Errorf("%s, %s: an effect of macrostep %d in %d", name, form, e.Sequence, last)
				}
			}
		}
	}
}

// An event that the door refuses because nothing more can be kept is not
// counted, also where the count overflows.
func TestSequenceAtARefusalBeyond32Bits(t *testing.T) {
	c, err := Compile(Definition{ID: "c", Limits: Limits{Deferred: 1}, Root: State{Initial: "a", States: []State{{Name: "a", Defer: []string{"x"}}}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	in := c.Instance(nil)
	in.Send(Event{Name: "x"})
	in.steps = 1<<32 - 1
	for range 3 {
		if r := in.Send(Event{Name: "x"}); r.Outcome != Refused || in.Sequence() != 1<<32-1 {
			t.Errorf("%v, macrostep %d", r.Outcome, in.Sequence())
		}
	}
}

// The marks of selections repeat after 2^31 of them; a transition that was
// asked long ago is asked again.
func TestSelectionMarksWrap(t *testing.T) {
	in := wrapping(t).Instance(nil)
	for range 4 {
		in.Send(Event{Name: "slow"})
	}
	in.rare.mark = ^uint32(0) - 5
	for range 8 {
		if r := in.Send(Event{Name: "slow"}); r.Outcome != Taken {
			t.Fatalf("%v after the marks have wrapped", r.Outcome)
		}
	}
}
