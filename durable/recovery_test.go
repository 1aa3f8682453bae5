package durable_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// errand is a chart that has everything running at once that a recovery has to
// deal with: calls of each mode, a child, a timer and a do.
func errand(t testing.TB) []*statechart.Chart {
	region := func(s statechart.State) statechart.State {
		name := s.Name
		s.Name = "busy"
		return statechart.State{Name: name, Initial: "busy", States: []statechart.State{s, {Name: "end", Type: statechart.Final}}}
	}
	ask := func(mode string) []statechart.Invocation {
		return []statechart.Invocation{{ID: mode, Src: "tool:" + mode, Mode: mode, Input: 3.0, Retry: map[string]any{"max": int64(4)},
			OnDone: list(on("", "end")), OnError: list(on("", "end")), OnUnknown: list(on("", "end"))}}
	}
	main := compile(t, "main", statechart.State{Name: "all", Type: statechart.Parallel, OnDone: list(on("", "over")), States: []statechart.State{
		region(statechart.State{Name: "once", Invoke: ask("at_most_once")}),
		region(statechart.State{Name: "often", Invoke: ask("at_least_once")}),
		region(statechart.State{Name: "asked", Invoke: ask("reconcile")}),
		region(statechart.State{Name: "child", Invoke: calls("kid", "chart:slow", statechart.Invocation{OnDone: list(on("", "end"))})}),
		region(statechart.State{Name: "timer", After: []statechart.Timed{{Delay: "200ms", Transitions: list(on("", "end", statechart.Action{
			Do: &calls("deed", "tool:deed", statechart.Invocation{})[0]}))}}}),
		region(statechart.State{Name: "word", On: list(on("word", "end"))}),
	}}, statechart.State{Name: "over", Type: statechart.Final})
	slow := compile(t, "slow", statechart.State{Name: "on", After: []statechart.Timed{{Delay: "300ms", Transitions: list(on("", "end"))}}},
		statechart.State{Name: "end", Type: statechart.Final})
	return []*statechart.Chart{main, slow}
}

// deeds is the other side: its memory is what has really happened.
type deeds struct {
	on    *lives
	done  map[string]int // by source
	known map[string]bool
	early []string
}

func (d *deeds) Perform(_ context.Context, c host.Call) host.Outcome {
	if !d.on.claimed[attempt{c.Key, c.Attempt}] {
		d.early = append(d.early, fmt.Sprintf("%s, attempt %d", c.Src, c.Attempt))
	}
	d.sleep()
	d.done[c.Src]++
	d.known[c.Key] = true
	d.sleep() // done, and nobody knows yet
	return host.Done("well")
}

func (d *deeds) Find(_ context.Context, c host.Call) (host.Finding, host.Outcome) {
	d.sleep()
	if d.known[c.Key] {
		return host.Found, host.Done("well")
	}
	return host.Absent, host.Outcome{}
}

func (d *deeds) sleep() { _ = d.on.world.Sleep(context.Background(), 10) }

// run starts the errand, stops everything for a night, and waits for its end.
func run(ctx context.Context, e *durable.Engine) error {
	if _, err := e.Start(ctx, durable.Start{ID: "main", Chart: "main"}); err != nil {
		return err
	}
	v, err := e.Get(ctx, "main")
	if err != nil {
		return err
	}
	if v.Sequence == 1 {
		if err := e.Suspend(ctx, "main", durable.Suspension{Reason: "night"}); err != nil {
			return err
		}
	}
	if _, err := e.Send(ctx, durable.Event{Session: "main", Name: "word", ID: "word"}); err != nil {
		return err
	}
	err = e.Resume(ctx, "main", "ann")
	var known *statechart.Error
	if err != nil && (!errors.As(err, &known) || known.Code != durable.CodeStatus) {
		return err
	}
	if v, err = e.Wait(ctx, "main", durable.End); err == nil && v.Status != durable.Completed {
		err = fmt.Errorf("main is %s in %v", v.Status, v.Configuration)
	}
	return err
}

func playErrand(t *testing.T, d disk, charts *durable.ChartSet, night int64, cuts ...cut) (*lives, *deeds, [][]committed) {
	t.Helper()
	l := &lives{t: t, disk: d, client: run, night: night}
	other := &deeds{on: l, done: map[string]int{}, known: map[string]bool{}}
	l.config = durable.Config{Charts: charts, Workers: 2, Performers: host.Table{"tool:*": {Performer: other}}}
	return l, other, l.play(cuts...)
}

// An engine that ends while it comes back, at whatever call of the store, has
// done nothing that is not on record: no call without its claim, no call of
// the mode at_most_once or reconcile twice, no event twice, and nothing lost.
func TestAnEndDuringTheRecovery(t *testing.T) {
	charts := durable.NewCharts(errand(t)...)
	for _, store := range []struct {
		disk  func(t *testing.T) disk
		every int // which calls of the store
	}{{func(*testing.T) disk { return inMemory() }, 3}, {func(t *testing.T) disk { return onDisk(t) }, 29}} {
		name := store.disk(t).name
		t.Run(name, func(t *testing.T) {
			_, _, live := playErrand(t, store.disk(t), charts, 0)
			plays := 0
			for k := 1; k <= len(live[0]); k++ {
				step := store.every
				if *every {
					step = 1
				}
				for n := 1 + k%step; ; n += step {
					cuts := []cut{{commit: k}, {call: n}}
					l, other, lived := playErrand(t, store.disk(t), charts, int64(k%2)*3_600_000, cuts...) // every other time, all timers are overdue
					plays++
					checkErrand(t, l, other, cuts)
					if len(lived) < 3 || t.Failed() { // the second life had its end before
						break
					}
				}
			}
			t.Logf("%d commits, each with an end after it and one at each call of the store while it came back: %d plays", len(live[0]), plays)
		})
	}
}

func checkErrand(t *testing.T, l *lives, d *deeds, cuts []cut) {
	t.Helper()
	bad := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("cut at %v, %s\n%s", cuts, fmt.Sprintf(format, args...), l.rows)
	}
	for _, src := range d.early {
		bad("%s runs before its claim is on record", src)
	}
	if d.done["tool:at_most_once"] > 1 || d.done["tool:reconcile"] != 1 || d.done["tool:at_least_once"] == 0 {
		bad("what was done is %v", d.done)
	}
	unseen := strings.Count(l.rows, `"event":"unknown.invoke.at_most_once"`)
	if n := strings.Count(l.rows, `"event":"done.invoke.at_most_once"`); n+unseen != 1 || n > d.done["tool:at_most_once"] {
		bad("%d ends of the call that may be made once are on record, and %d unknown ones", n, unseen)
	}
	for _, event := range []string{"done.invoke.at_least_once", "done.invoke.reconcile", "done.invoke.kid", "done.do.deed", "word", "after.all.timer.busy:0"} {
		want := 1
		if event == "done.do.deed" && !strings.Contains(l.rows, event) {
			want = 0 // the session had ended before, and needs it no more
		}
		if n := strings.Count(l.rows, `"event":"`+event+`","from"`) + strings.Count(l.rows, `"event":"`+event+`","id"`); n != want && n != 2*want {
			bad("the event %s is on record %d times", event, n)
		}
	}
}
