package durable_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// way is a way to take a transition, and thing something that it can start.
type way struct {
	name string
	// states lead up to the transition; the first is the initial one.
	states func(take func(event string) statechart.Transition) []statechart.State
	events []string // what clients send, as session:event, or answer
}

type thing struct {
	name    string
	actions []statechart.Action // of the transition
	started statechart.State    // what it leads to; the chart ends from there
}

const (
	start  = "started"
	finish = "over"
)

func list(t ...statechart.Transition) []statechart.Transition { return t }

func calls(id, src string, v statechart.Invocation) []statechart.Invocation {
	v.ID, v.Src, v.Mode = id, src, "at_least_once"
	return []statechart.Invocation{v}
}

func act(a ...statechart.Action) []statechart.Action { return a }

// waiting is a state from which one transition leads on.
func waiting(on ...statechart.Transition) statechart.State {
	return statechart.State{Name: "wait", On: on}
}

var ways = []way{
	{"the start", nil, nil},
	{"an event", func(take func(string) statechart.Transition) []statechart.State {
		return []statechart.State{waiting(take("go"))}
	}, []string{"main:go"}},
	{"a kept event", func(take func(string) statechart.Transition) []statechart.State {
		return []statechart.State{{Name: "first", Defer: []string{"go"}, On: list(on("ready", "wait"))}, waiting(take("go"))}
	}, []string{"main:go", "main:ready"}},
	{"a timer", func(take func(string) statechart.Transition) []statechart.State {
		return []statechart.State{{Name: "wait", After: []statechart.Timed{{Delay: "900ms", Transitions: list(take(""))}}}}
	}, nil},
	{"a tick", func(take func(string) statechart.Transition) []statechart.State {
		return []statechart.State{{Name: "wait", Every: []statechart.Timed{{Delay: "900ms", Transitions: list(take(""))}}}}
	}, nil},
	{"a delayed event", func(take func(string) statechart.Transition) []statechart.State {
		w := waiting(take("later"))
		w.Entry = act(statechart.Action{Raise: "later", Delay: "900ms", Data: int64(7)})
		return []statechart.State{w}
	}, nil},
	{"a call's end", func(take func(string) statechart.Transition) []statechart.State {
		return []statechart.State{{Name: "wait", Invoke: calls("cause", "tool:ok", statechart.Invocation{Input: 3.0, OnDone: list(take(""))})}}
	}, nil},
	{"a call's error", func(take func(string) statechart.Transition) []statechart.State {
		return []statechart.State{{Name: "wait", Invoke: calls("cause", "tool:bad", statechart.Invocation{OnError: list(take(""))})}}
	}, nil},
	{"a call's second try", func(take func(string) statechart.Transition) []statechart.State {
		return []statechart.State{{Name: "wait", Invoke: calls("cause", "tool:flaky", statechart.Invocation{
			Retry: map[string]any{"max": int64(3), "initial": "100ms"}, OnDone: list(take(""))})}}
	}, nil},
	{"a call's unknown end", func(take func(string) statechart.Transition) []statechart.State {
		return []statechart.State{{Name: "wait", Invoke: calls("cause", "tool:lost", statechart.Invocation{OnUnknown: list(take(""))})}}
	}, nil},
	{"the end of a do", func(take func(string) statechart.Transition) []statechart.State {
		w := waiting(take("done.do.cause"))
		w.Entry = act(statechart.Action{Do: &calls("cause", "tool:ok", statechart.Invocation{})[0]})
		return []statechart.State{w}
	}, nil},
	{"a person's answer", func(take func(string) statechart.Transition) []statechart.State {
		return []statechart.State{{Name: "wait", Invoke: calls("cause", "tool:ask", statechart.Invocation{OnDone: list(take(""))})}}
	}, []string{"answer"}},
	{"no event", func(take func(string) statechart.Transition) []statechart.State {
		return []statechart.State{waiting(on("go", "mid")), {Name: "mid", Always: list(take(""))}}
	}, []string{"main:go"}},
	{"a state's end", func(take func(string) statechart.Transition) []statechart.State {
		return []statechart.State{{Name: "wait", Initial: "a", OnDone: list(take("")),
			States: []statechart.State{{Name: "a", On: list(on("go", "b"))}, {Name: "b", Type: statechart.Final, Output: 1.5}}}}
	}, []string{"main:go"}},
	{"an event raised", func(take func(string) statechart.Transition) []statechart.State {
		return []statechart.State{waiting(on("go", "", statechart.Action{Raise: "on", Data: "raised"}), take("on"))}
	}, []string{"main:go"}},
	{"an event sent to itself", func(take func(string) statechart.Transition) []statechart.State {
		return []statechart.State{waiting(on("go", "", statechart.Action{Send: "on", Data: "sent"}), take("on"))}
	}, []string{"main:go"}},
	{"an action's error", func(take func(string) statechart.Transition) []statechart.State {
		return []statechart.State{waiting(on("go", "", statechart.Action{Fail: "on purpose"}), take("error.execution"))}
	}, []string{"main:go"}},
	{"a send to nobody", func(take func(string) statechart.Transition) []statechart.State {
		return []statechart.State{waiting(on("go", "", statechart.Action{Send: "hello", To: "nobody"}), take("error.communication"))}
	}, []string{"main:go"}},
	{"a child's message", func(take func(string) statechart.Transition) []statechart.State {
		return []statechart.State{{Name: "wait", Invoke: calls("cause", "chart:talker", statechart.Invocation{}), On: list(take("hi"))}}
	}, nil},
	{"a child's end", func(take func(string) statechart.Transition) []statechart.State {
		return []statechart.State{{Name: "wait", Invoke: calls("cause", "chart:leaf", statechart.Invocation{Input: "leaf", OnDone: list(take(""))})}}
	}, nil},
	{"a child's failure", func(take func(string) statechart.Transition) []statechart.State {
		return []statechart.State{{Name: "wait", Invoke: calls("cause", "chart:failing", statechart.Invocation{OnError: list(take(""))})}}
	}, nil},
	{"another session's message", func(take func(string) statechart.Transition) []statechart.State {
		return []statechart.State{waiting(take("told"))}
	}, []string{"other:tell"}},
}

var things = []thing{
	{"a timer", nil, statechart.State{After: []statechart.Timed{{Delay: "700ms", Transitions: list(on("", finish))}}}},
	{"a ticking timer", nil, statechart.State{Every: []statechart.Timed{{Delay: "700ms", Transitions: list(on("", finish))}}}},
	{"a delayed event", act(statechart.Action{Raise: "later", Delay: "700ms"}), statechart.State{On: list(on("later", finish))}},
	{"a tool", nil, statechart.State{Invoke: calls("effect", "tool:effect", statechart.Invocation{Input: statechart.Expression("{ 'of': event, 'whole': 3.0 }"), OnDone: list(on("", finish))})}},
	{"a tool under a key", nil, statechart.State{Invoke: calls("effect", "tool:effect", statechart.Invocation{Key: "order-17", OnDone: list(on("", finish))})}},
	{"a tool that nobody waits for", act(statechart.Action{Do: &calls("deed", "tool:effect", statechart.Invocation{Input: int64(1)})[0]}), statechart.State{On: list(on("done.do.deed", finish))}},
	{"a child", nil, statechart.State{Invoke: calls("kid", "chart:leaf", statechart.Invocation{Input: "leaf", OnDone: list(on("", finish))})}},
	{"a child that is talked to", nil, statechart.State{Invoke: calls("kid", "chart:talker", statechart.Invocation{OnDone: list(on("", finish))}),
		On: list(on("hi", "", statechart.Action{Send: "finish", To: "kid"}))}},
	{"an event raised", act(statechart.Action{Raise: "inner", Data: 3.0}), statechart.State{On: list(on("inner", finish))}},
	{"an event sent to itself", act(statechart.Action{Send: "inner", Data: 3.0}), statechart.State{On: list(on("inner", finish))}},
	{"an event sent to another session", act(statechart.Action{Send: "hello", To: "other"}), statechart.State{On: list(on("thanks", finish))}},
	{"an event emitted", act(statechart.Action{Emit: "news", Data: "good"}), statechart.State{After: []statechart.Timed{{Delay: "1ms", Transitions: list(on("", finish))}}}},
	{"a row of a list", act(statechart.Action{Append: "lines", Data: statechart.Expression("{ 'of': event }")}), statechart.State{Always: list(on("", finish))}},
}

func compiled(t testing.TB, d statechart.Definition) *statechart.Chart {
	t.Helper()
	r := statechart.NewRegistry()
	r.Language(expression.Language{})
	c, err := statechart.Compile(d, r)
	must(t, err)
	return c
}

// cell is the chart of one way that starts one thing.
func cell(t testing.TB, w way, x thing) *statechart.Chart {
	t.Helper()
	take := func(event string) statechart.Transition { return on(event, start, x.actions...) }
	root := statechart.State{Initial: start, InitialActions: x.actions}
	if w.states != nil {
		root.States = w.states(take)
		root.Initial, root.InitialActions = root.States[0].Name, nil
	}
	begun := x.started
	begun.Name = start
	root.States = append(root.States, begun, statechart.State{Name: finish, Type: statechart.Final})
	return compiled(t, statechart.Definition{ID: "main", Lists: []string{"lines"}, Root: root})
}

// company are the charts that the cells talk to.
func company(t testing.TB) []*statechart.Chart {
	other := compile(t, "other", statechart.State{Name: "there", On: list(
		on("hello", "", statechart.Action{Send: "thanks", To: "main"}), on("tell", "", statechart.Action{Send: "told", To: "main", Data: 2.0}))})
	leaf := compile(t, "leaf", statechart.State{Name: "end", Type: statechart.Final, Output: map[string]any{"leaf": 4.0}})
	failing := compile(t, "failing", statechart.State{Name: "end", Type: statechart.Final, Status: "failed"})
	talker := compile(t, "talker",
		statechart.State{Name: "talking", Entry: act(statechart.Action{Send: "hi", To: "parent"}), On: list(on("finish", "end"))},
		statechart.State{Name: "end", Type: statechart.Final, Output: "fine"})
	return []*statechart.Chart{other, leaf, failing, talker}
}

// witness is the other side of the calls.
type witness struct {
	mu   sync.Mutex
	seen []string
	// attempts of each key, and what was called without a claim on record.
	attempts map[string]int
	early    []string
	on       *lives
}

func (w *witness) perform(_ context.Context, c host.Call) host.Outcome {
	w.mu.Lock()
	defer w.mu.Unlock()
	input, err := host.Encode(c.Input)
	if err != nil {
		return host.Fail("input", err.Error())
	}
	if !w.on.claimed[attempt{c.Key, c.Attempt}] {
		w.early = append(w.early, c.Src)
	}
	w.attempts[c.Key] = max(w.attempts[c.Key], c.Attempt)
	line := fmt.Sprintf("%s of %s under %s with %s", c.Src, c.Session, c.Key, input)
	if !slices.Contains(w.seen, line) {
		w.seen = append(w.seen, line)
	}
	switch c.Src {
	case "tool:bad":
		return host.Fail("bad", "no")
	case "tool:lost":
		return host.Unknown("lost", "no answer came")
	case "tool:ask":
		return host.Ask(host.Question{Kind: "approve", Text: "Shall we?"})
	case "tool:flaky":
		if c.Attempt == 1 {
			return host.Fail("busy", "come again")
		}
	}
	return host.Done(map[string]any{"whole": 3.0, "empty": map[string]any{}})
}

func (w *witness) tries() (n int) {
	for _, a := range w.attempts {
		n += a
	}
	return n
}

// result is what is left of one play.
type result struct {
	rows, calls string
	tries       int
	commits     [][]committed
}

func playCell(t testing.TB, d disk, charts *durable.ChartSet, w way, cuts ...cut) result {
	t.Helper()
	l := &lives{t: t, disk: d}
	seen := &witness{attempts: map[string]int{}, on: l}
	l.config = durable.Config{Charts: charts, Workers: 2, Performers: host.Table{"tool:*": {Performer: host.PerformerFunc(seen.perform)}}}
	l.client = func(ctx context.Context, e *durable.Engine) error { return visit(ctx, e, w) }
	commits := l.play(cuts...)
	for _, src := range seen.early {
		t.Errorf("%s is called before its claim is on record", src)
	}
	slices.Sort(seen.seen)
	return result{l.rows, strings.Join(seen.seen, "\n"), seen.tries(), commits}
}

// visit starts the sessions and sends what the way needs.
func visit(ctx context.Context, e *durable.Engine, w way) error {
	for _, id := range []string{"other", "main"} {
		if _, err := e.Start(ctx, durable.Start{ID: id, Chart: id}); err != nil {
			return err
		}
	}
	for i, text := range w.events {
		if text == "answer" {
			if _, err := e.Wait(ctx, "main", durable.Settled); err != nil {
				return err
			}
			yes := true
			err := e.Answer(ctx, "main", "cause", durable.Reply{Approve: &yes, By: "ann"})
			var known *statechart.Error
			if err != nil && !errors.As(err, &known) {
				return err
			}
			continue
		}
		session, event, _ := strings.Cut(text, ":")
		if _, err := e.Send(ctx, durable.Event{Session: session, Name: event, ID: fmt.Sprint("e", i), Data: map[string]any{"sum": 3.0}}); err != nil {
			return err
		}
	}
	v, err := e.Wait(ctx, "main", durable.End)
	if err == nil && v.Status != durable.Completed {
		err = fmt.Errorf("main is %s in %v: %+v", v.Status, v.Configuration, v.Reason)
	}
	return err
}

// cuts are the lives to play after a live run: an end between a transition
// and what it starts, and a second one before the engine that came back has
// stored anything. With all, there is an end after each commit.
func cutsOf(live []committed, all bool) (out [][]cut) {
	for i, c := range live {
		if all || slices.Contains(c.to, start) {
			out = append(out, []cut{{commit: i + 1}}, []cut{{commit: i + 1}, {commit: 1, before: true}})
		}
		if all {
			out = append(out, []cut{{commit: i + 1}, {commit: 1}})
		}
	}
	return out
}

// Every way to take a transition and every thing that it can start: live, when
// the engine ends in between, and when it ends once more while it comes back,
// the journals are the same to the byte, and the tools see the same calls.
func TestEveryWayStartsEveryThing(t *testing.T) {
	if len(ways)*len(things) < 250 {
		t.Errorf("%d ways and %d things are left", len(ways), len(things))
	}
	others := company(t)
	cells, plays, starts := 0, 0, 0
	for i, w := range ways {
		for j, x := range things {
			charts := durable.NewCharts(append(slices.Clone(others), cell(t, w, x))...)
			more := *every || (i+j)%4 == 0 // each way and each thing several times
			t.Run(w.name+" starts "+x.name, func(t *testing.T) {
				live := playCell(t, inMemory(), charts, w)
				disks := []func() disk{inMemory}
				if more {
					disks = append(disks, func() disk { return onDisk(t) })
				}
				for k, d := range disks {
					cells++
					for _, cuts := range append([][]cut{nil}, cutsOf(live.commits[0], more && k == 0)...) {
						plays, starts = plays+1, starts+len(cuts)
						compareCell(t, live, d(), charts, w, cuts)
					}
				}
			})
		}
	}
	t.Logf("%d ways × %d things: %d cells on memory, %d on memory and SQLite, %d plays with %d restarts", len(ways), len(things), len(ways)*len(things), cells-len(ways)*len(things), plays, starts)
}

// every takes longer: also on SQLite, and with an end after each commit, in
// each cell and not in one of four.
var every = flag.Bool("every", false, "every cell of the matrix on each store, with an end after each commit")

func compareCell(t *testing.T, live result, d disk, charts *durable.ChartSet, w way, cuts []cut) {
	t.Helper()
	got := playCell(t, d, charts, w, cuts...)
	lost := 0 // attempts that were cut off between claim and result
	for i, c := range cuts {
		life := got.commits[i]
		if seen := c.commit - btoi(c.before); 0 < seen && seen <= len(life) {
			lost += life[seen-1].running
		}
	}
	if lost > 0 && strings.Contains(live.calls, "tool:flaky") {
		return // its tries are on record, and there was one more
	}
	if got.rows != live.rows {
		t.Errorf("on %s, cut at %v, the journals hold\n%s\nlive they hold\n%s", d.name, cuts, got.rows, live.rows)
	}
	if got.calls != live.calls {
		t.Errorf("on %s, cut at %v, the tools saw\n%s\nlive they saw\n%s", d.name, cuts, got.calls, live.calls)
	}
	if got.tries > live.tries+lost {
		t.Errorf("on %s, cut at %v, there were %d attempts, live %d", d.name, cuts, got.tries, live.tries)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
