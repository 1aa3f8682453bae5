package statechart_test

import (
	"fmt"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// rich is a chart with one of everything: regions, histories, scopes with
// promotions, kept and repeating timers, calls, deferral, lists, delayed
// events, eventless transitions, and an end.
func rich() Definition {
	return Definition{
		ID: "rich", Lists: []string{"rows"}, Delays: vars("soon", "100ms"),
		Constants: vars("step", int64(10)),
		Events:    []statechart.EventDeclaration{{Name: "idle.tick"}},
		Root: State{
			Initial: "work", Context: vars("total", int64(0), "log", []any{}, "got", nil), Output: map[string]any{"total": Expression("total"), "log": Expression("log")},
			On: []Transition{
				on("error.*", "", assign("got", Expression("(data message)"))),
				on("note", "", Action{Append: "rows", Data: Expression("(data n)")}),
				on("retry.*", "", assign("got", Expression("(event)"))),
			},
			States: []State{
				{Name: "work", Type: statechart.Parallel, Tags: []string{"busy"}, On: []Transition{on("pause", "paused"), on("stop", "over")},
					Promote: []Promotion{{Variable: "log", Value: Expression("(list 'work')"), Merge: "union"}},
					States:  []State{{Name: "last", Type: statechart.History, History: "deep"}, richTask(), richClock()}},
				{Name: "paused", Defer: []string{"note"}, Every: []Timed{{Delay: 1000}}, WarnAfter: "1h",
					On: []Transition{on("resume", "work.last"), on("anew", "work.task.b work.clock.slow")}},
				{Name: "over", Type: statechart.Final, Output: "over"},
			},
		}}
}

// richTask is the region that calls out.
func richTask() State {
	return State{Name: "task", Initial: "a", Context: vars("n", int64(1)),
		Promote: []Promotion{{Variable: "total", Value: Expression("n"), Merge: "max"}},
		States: []State{
			{Name: "again", Type: statechart.History, Initial: "b", InitialActions: []Action{{Log: "by default"}}},
			{Name: "a", Defer: []string{"go"}, Invoke: []Invocation{{ID: "call", Src: "tool:x", Input: map[string]any{"n": Expression("n")}, Key: Expression("n"),
				OnDone:  []Transition{on("", "b", assign("n", Expression("(+ n step)")))},
				OnError: []Transition{on("", "again")}}},
				After: []Timed{{Delay: "5s", Keep: true, Transitions: []Transition{on("", "b")}}}},
			{Name: "b", Entry: []Action{{Raise: "retry.later", Delay: "soon", ID: "r", Data: Expression("n")}, {Do: &Invocation{ID: "side", Src: "tool:y"}}},
				On:     []Transition{on("go", "c"), guarded("back", "(< n 50)", "a", Action{Cancel: "r"})},
				Always: []Transition{guarded("", "(< 40 n)", "c")}},
			{Name: "c", Initial: "c1", Context: vars("m", Expression("(* n 2)")), States: []State{
				{Name: "c1", On: []Transition{on("go", "c2", assign("m", Expression("(+ m 1)")))}}, {Name: "c2", Type: statechart.Final, Output: Expression("m")}},
				OnDone: []Transition{on("", "d", Action{Emit: "finished", Data: Expression("n")})}},
			{Name: "d", On: []Transition{on("again", "#rich.work.task")}},
		}}
}

// richClock is the region that only keeps time.
func richClock() State {
	return State{Name: "clock", Initial: "slow", States: []State{
		{Name: "slow", After: []Timed{{Delay: 3000, Transitions: []Transition{on("", "fast")}}}, On: []Transition{on("speed", "fast")}},
		{Name: "fast", Every: []Timed{{Delay: 400, Missed: "all", Transitions: []Transition{on("", "", Action{Log: Expression("(now)")})}}}, On: []Transition{on("speed", "slow")}},
	}}
}

// line is one step of a script: an event with a number, the answer to a
// running call, the next timer, or the delivery of a kept event.
type line struct {
	event  string
	n      int64
	answer string // how the call whose id is event ends
	timer  bool
	keep   bool
	at     int64 // the clock
}

func (l line) String() string {
	switch {
	case l.timer:
		return "the next timer"
	case l.keep:
		return "the first kept event"
	case l.answer != "":
		return l.answer + " of " + l.event
	}
	return l.event
}

// delivery is what a host would hand over. ok is false when there is no such
// timer or call.
func (l line) delivery(timers []statechart.Timer, live []statechart.LiveCall) (d Delivery, now int64, ok bool) {
	data := map[string]any{"n": l.n, "message": "told"}
	switch {
	case l.timer:
		if len(timers) == 0 {
			return d, 0, false
		}
		return timers[0].Delivery(), timers[0].Due, true
	case l.answer != "":
		for _, c := range live {
			if c.Source.ID == l.event {
				return answer(l.answer, c.Source, data), l.at, true
			}
		}
		return d, 0, false
	}
	return Delivery{Event: Event{Name: l.event, Data: data}}, l.at, true
}

// step is the line as a pure step.
func (l line) step(c *statechart.Chart, s statechart.Snapshot) (statechart.Next, error) {
	if l.keep {
		next, _, ok, err := statechart.Deliver(c, s, l.at)
		if err == nil && !ok {
			err = fmt.Errorf("no kept event can be delivered in %v", s.Configuration())
		}
		return next, err
	}
	d, now, ok := l.delivery(s.Timers(), s.Live())
	if !ok {
		return statechart.Next{}, fmt.Errorf("%v: there is none; timers %v, calls %v", l, s.Timers(), s.Live())
	}
	return statechart.Step(c, s, d, now)
}

// richScript leads through the whole of the rich chart.
var richScript = []line{
	{event: "note", n: 5}, {event: "call", answer: "progress"}, {event: "call", answer: "error"}, {event: "back"}, {event: "go"},
	{event: "call", answer: "done"}, {keep: true}, {event: "speed"}, {timer: true}, {timer: true}, {event: "pause", at: 700},
	{event: "note", n: 6}, {timer: true}, {event: "nosuch"}, {event: "resume", at: 2000}, {keep: true}, {event: "side", answer: "done"},
	{event: "go"}, {event: "again"}, {event: "pause"}, {event: "anew"}, {event: "note", n: 7}, {event: "go"}, {event: "pause"},
	{event: "resume"}, {event: "stop"},
}

func encodeSnapshot(t testing.TB, s statechart.Snapshot) string {
	t.Helper()
	b, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
