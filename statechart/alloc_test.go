package statechart_test

import (
	"fmt"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// tally is a typed context whose functions allocate nothing.
type tally struct {
	N  int
	No bool
}

// counting is a registry on it.
func counting() *Registry {
	r := statechart.NewRegistry()
	statechart.Guard(r, "yes", func(c *tally, _ Event) bool { return !c.No })
	statechart.Guard(r, "no", func(c *tally, _ Event) bool { return c.No })
	statechart.Assign(r, "count", func(c *tally, _ Event) { c.N++ })
	return r
}

// plainChart is a chart of typed callbacks: guards, exits, actions, entries, an
// ancestor's transition, regions, and events that nothing takes.
func plainChart(t testing.TB) *statechart.Chart {
	leaf := func(name, next string) State {
		return State{Name: name, Entry: []Action{note("count")}, Exit: []Action{note("count")}, On: []Transition{
			on("move", next), {Event: "guarded", Guard: statechart.When("no"), Target: next}, {Event: "guarded", Guard: statechart.When("yes"), Target: next, Actions: []Action{note("count")}},
			{Event: "shut", Guard: statechart.When("no"), Target: next}, on("forbidden", ""), {Event: "both", Guard: Condition{And: []Condition{statechart.When("yes"), {Not: &Condition{Name: "no"}}}}, Target: next},
		}}
	}
	region := func(name string) State {
		return State{Name: name, Initial: "a", States: []State{leaf("a", "b"), leaf("b", "a")}}
	}
	return compile(t, Definition{Root: State{Initial: "w", On: []Transition{on("root", "", note("count")), on("over", "#c.v")}, States: []State{
		{Name: "w", Type: statechart.Parallel, States: []State{region("p"), region("q"), region("r")}}, {Name: "v", On: []Transition{on("other", "w"), on("over", "w")}},
	}}}, counting())
}

// A step of typed callbacks allocates nothing, in every form, by name and by
// id, taken or not.
func TestAllocationsOfPlannedSteps(t *testing.T) {
	base := plainChart(t)
	for form, cache := range map[string]statechart.Cache{"planned": {}, "leaf per region": {Configurations: -1}, "bitsets": {Configurations: -1, Regions: -1}} {
		c := base.WithCache(cache)
		for _, name := range []string{"move", "guarded", "both", "root", "over", "shut", "forbidden", "other", "nosuch", "error.execution"} {
			t.Run(form+"/"+name, func(t *testing.T) {
				in := c.Instance(&tally{})
				id, known := c.EventID(name)
				for range 40 { // every configuration on the way has its plans
					in.Send(Event{Name: name})
				}
				if n := testing.AllocsPerRun(200, func() { in.Send(Event{Name: name}) }); n != 0 {
					t.Errorf("by name: %v allocations", n)
				}
				if n := testing.AllocsPerRun(200, func() { in.SendID(id, nil) }); known && n != 0 {
					t.Errorf("by id: %v allocations", n)
				}
			})
		}
	}
}

// Questions in the planned form: what a host asks before each event.
func TestAllocationsOfQuestions(t *testing.T) {
	in := plainChart(t).Instance(&tally{})
	in.Send(Event{Name: "move"})
	if n := testing.AllocsPerRun(200, func() { in.Matches("w.p.a"); in.HasTag("x"); in.Status(); in.Sequence() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Steps on data allocate for what they give out, and no more than that.
func TestAllocationsOfStepsOnData(t *testing.T) {
	reg := spoken()
	reg.Guard("no", func(*Scope) (bool, error) { return false, nil })
	in := root(t, State{Context: vars("n", int64(1)), On: []Transition{
		on("assign", "", assign("n", int64(7))),
		on("log", "", say("x")),
		on("send", "", Action{Send: "x", To: "peer", Data: "d"}),
		on("timer", "", Action{Raise: "x", Delay: 5, ID: "id"}, Action{Cancel: "id"}),
		on("raise", "", Action{Raise: "inner"}), on("inner", ""), {Event: "shut", Guard: statechart.When("no")}, on("x", ""),
	}}, reg)
	for _, c := range []struct {
		event string
		most  float64
	}{{"assign", 0}, {"log", 0}, {"raise", 2}, {"shut", 0}, {"nosuch", 0}, {"send", 10}, {"timer", 10}} {
		for range 5 {
			in.Send(Event{Name: c.event})
		}
		if n := testing.AllocsPerRun(100, func() { in.Send(Event{Name: c.event}) }); n > c.most {
			t.Errorf("%s: %v allocations, want at most %v", c.event, n, c.most)
		}
	}
}

// An idle instance of a plain chart is four words and its context.
func TestAllocationsOfAnInstance(t *testing.T) {
	c := plainChart(t)
	c.Instance(nil)
	pool := make([]Instance, 1000)
	contexts := make([]tally, len(pool))
	for i := range pool {
		c.Start(&pool[i], statechart.Start{Context: &contexts[i]})
	}
	i := 0
	n := testing.AllocsPerRun(len(pool)-1, func() {
		pool[i].Send(Event{Name: "move"})
		i++
	})
	if n != 0 {
		t.Errorf("%v allocations for the first step of each", n)
	}
	for i := range pool {
		if got := fmt.Sprint(pool[i].Configuration()); got != "[w.p.b w.q.b w.r.b]" {
			t.Fatalf("number %d is in %s", i, got)
		}
	}
}
