package durable_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/memory"
)

// caller makes one call and ends by how that ended.
func caller(t testing.TB, v statechart.Invocation) *statechart.Chart {
	v.ID = "call"
	v.OnDone = []statechart.Transition{on("", "done")}
	v.OnError = []statechart.Transition{on("", "failed")}
	return compile(t, "caller",
		statechart.State{Name: "calling", Invoke: []statechart.Invocation{v}, On: []statechart.Transition{on("leave", "left")}},
		statechart.State{Name: "done", Type: statechart.Final}, statechart.State{Name: "failed", Type: statechart.Final, Status: "failed"},
		statechart.State{Name: "left"})
}

func performing(f func(context.Context, host.Call) host.Outcome) host.Performers {
	return host.Table{"tool:*": {Performer: host.PerformerFunc(f)}}
}

func TestACallOfThreeRounds(t *testing.T) {
	var rounds []int
	var parts []any
	perform := func(_ context.Context, c host.Call) host.Outcome {
		if c.Src == "tool:part" {
			return host.Done(c.Input)
		}
		rounds = append(rounds, c.Round)
		for _, r := range c.Results {
			parts = append(parts, r.Outcome.Output)
		}
		if c.Round == 2 {
			return host.Done(string(c.Continuation))
		}
		return host.GoOn(host.More{Continuation: json.RawMessage(`{"next":1}`),
			Effects: []host.Request{{Src: "tool:part", Input: int64(c.Round * 2)}, {Src: "tool:part", Input: int64(c.Round*2 + 1)}}})
	}
	e := open(t, memory.New(), durable.Config{Charts: durable.NewCharts(caller(t, statechart.Invocation{Src: "tool:x"})), Performers: performing(perform)})
	a, err := e.Start(within(t), durable.Start{ID: "s", Chart: "caller", Until: durable.End})
	must(t, err)
	if a.Status != durable.Completed || len(rounds) != 3 || len(parts) != 4 {
		t.Errorf("it is %s after the rounds %v with the parts %v", a.Status, rounds, parts)
	}
	for i, p := range parts {
		if p != int64(i) {
			t.Errorf("part %d is %v", i, p)
		}
	}
}

func TestRetriesFollowThePolicy(t *testing.T) {
	n := 0
	perform := func(_ context.Context, c host.Call) host.Outcome {
		if n++; c.Attempt != n {
			t.Errorf("attempt %d comes as %d", n, c.Attempt)
		}
		if n < 3 {
			return host.Fail("busy", "come again")
		}
		return host.Done(nil)
	}
	e := open(t, memory.New(), durable.Config{Charts: durable.NewCharts(caller(t, statechart.Invocation{Src: "tool:x", Retry: map[string]any{"max": int64(2), "initial": "5ms"}})), Performers: performing(perform)})
	a, err := e.Start(within(t), durable.Start{Chart: "caller", Until: durable.End})
	must(t, err)
	if a.Status != durable.Completed || n != 3 {
		t.Errorf("it is %s after %d attempts", a.Status, n)
	}
}

func TestAnUnknownOutcomeParksAndIsSettled(t *testing.T) {
	for name, settle := range map[string]durable.Settlement{
		"done":  {Done: true, Output: "it was", By: "ann", Why: "the bank says so"},
		"again": {Again: true, By: "ann"},
	} {
		t.Run(name, func(t *testing.T) {
			n := 0
			perform := func(context.Context, host.Call) host.Outcome {
				if n++; n == 1 {
					return host.Unknown("lost", "no answer came")
				}
				return host.Done(nil)
			}
			e := open(t, memory.New(), durable.Config{Charts: durable.NewCharts(caller(t, statechart.Invocation{Src: "tool:x"})), Performers: performing(perform)})
			ctx := within(t)
			a, err := e.Start(ctx, durable.Start{ID: "s", Chart: "caller", Until: durable.End})
			must(t, err)
			if a.Status != durable.Parked {
				t.Fatalf("it is %s", a.Status)
			}
			if err := e.Retry(ctx, "s", "ann"); err == nil {
				t.Error("retry repeats a call of the mode at_most_once")
			}
			must(t, e.Settle(ctx, "s", "call", settle))
			v, err := e.Wait(ctx, "s", durable.End)
			must(t, err)
			if v.Status != durable.Completed {
				t.Errorf("settled, it is %s: %+v", v.Status, v.Reason)
			}
			check, err := e.Verify(ctx, "s")
			must(t, err)
			if len(check.Problems) > 0 {
				t.Errorf("verified: %v", check.Problems)
			}
		})
	}
}

func TestPeopleAnswerOnce(t *testing.T) {
	ask := performing(func(context.Context, host.Call) host.Outcome {
		return host.Ask(host.Question{Kind: "approve", Text: "Shall we?"})
	})
	store := memory.New()
	charts := durable.NewCharts(caller(t, statechart.Invocation{Src: "tool:human"}))
	e := open(t, store, durable.Config{Charts: charts, Performers: ask})
	ctx := within(t)
	_, err := e.Start(ctx, durable.Start{ID: "s", Chart: "caller", Until: durable.Settled})
	must(t, err)
	must(t, e.Close())
	must(t, store.Close())
	e = open(t, store, durable.Config{Charts: charts, Performers: ask})
	list, err := e.Pending(ctx, "")
	must(t, err)
	if len(list) != 1 || list[0].ID != "call" || list[0].Question.Text != "Shall we?" {
		t.Fatalf("pending is %+v", list)
	}
	yes := true
	if err := e.Answer(ctx, "s", "call", durable.Reply{Approve: &yes, By: "agent"}); err == nil {
		t.Error("an agent may answer")
	}
	if err := e.Answer(ctx, "s", "call", durable.Reply{Approve: &yes, By: "ann", Digest: "another"}); err == nil {
		t.Error("an answer to other arguments is taken")
	}
	must(t, e.Answer(ctx, "s", "call", durable.Reply{Approve: &yes, By: "ann"}))
	if err := e.Answer(ctx, "s", "call", durable.Reply{Approve: &yes, By: "bob"}); err == nil {
		t.Error("a second answer is taken")
	}
	v, err := e.Wait(ctx, "s", durable.End)
	must(t, err)
	if v.Status != durable.Completed {
		t.Errorf("it is %s", v.Status)
	}
}

func TestAnApprovalHoldsTheCall(t *testing.T) {
	called := 0
	perform := performing(func(context.Context, host.Call) host.Outcome { called++; return host.Done(nil) })
	for name, yes := range map[string]bool{"approved": true, "rejected": false} {
		called = 0
		e := open(t, memory.New(), durable.Config{Charts: durable.NewCharts(caller(t, statechart.Invocation{Src: "tool:pay", Input: "100", Approval: map[string]any{"who": "ann"}})), Performers: perform})
		ctx := within(t)
		_, err := e.Start(ctx, durable.Start{ID: "s", Chart: "caller", Until: durable.Settled})
		must(t, err)
		if called != 0 {
			t.Fatal("it was called without a yes")
		}
		if err := e.Answer(ctx, "s", "call", durable.Reply{Approve: &yes, By: "bob"}); err == nil {
			t.Error("bob may answer")
		}
		must(t, e.Answer(ctx, "s", "call", durable.Reply{Approve: &yes, By: "ann"}))
		v, err := e.Wait(ctx, "s", durable.End)
		must(t, err)
		if want := map[bool]durable.Status{true: durable.Completed, false: durable.Failed}[yes]; v.Status != want || (called == 1) != yes {
			t.Errorf("%s: it is %s, called %d times", name, v.Status, called)
		}
	}
}

func TestACrashDuringAnAtMostOnceCallIsUnknown(t *testing.T) {
	store := memory.New()
	c := caller(t, statechart.Invocation{Src: "tool:x"})
	started := make(chan bool, 1)
	hang := performing(func(ctx context.Context, _ host.Call) host.Outcome {
		started <- true
		<-ctx.Done()
		return host.Done(nil)
	})
	e := open(t, store, durable.Config{Charts: durable.NewCharts(c), Performers: hang})
	ctx := within(t)
	_, err := e.Start(ctx, durable.Start{ID: "s", Chart: "caller"})
	must(t, err)
	<-started
	must(t, e.Close())
	must(t, store.Close())
	e = open(t, store, durable.Config{Charts: durable.NewCharts(c), Performers: performing(func(context.Context, host.Call) host.Outcome {
		t.Error("the call is repeated")
		return host.Done(nil)
	})})
	v, err := e.Wait(ctx, "s", durable.End)
	must(t, err)
	if v.Status != durable.Parked || len(v.Effects) != 1 || v.Effects[0].Stands != "unknown" {
		t.Errorf("it is %s with %+v", v.Status, v.Effects)
	}
}

func TestTimeoutsFenceLateResults(t *testing.T) {
	release := make(chan bool)
	slow := performing(func(context.Context, host.Call) host.Outcome { <-release; return host.Done("late") })
	e := open(t, memory.New(), durable.Config{Charts: durable.NewCharts(caller(t, statechart.Invocation{Src: "tool:x", Timeout: "10ms"})), Performers: slow})
	ctx := within(t)
	_, err := e.Start(ctx, durable.Start{ID: "s", Chart: "caller", Until: durable.End})
	must(t, err)
	close(release)
	for r, err := range e.Watch(ctx, "s", 1) {
		must(t, err)
		if r.Event == "detent.late" {
			if r.Calls[0].Outcome.Output != "late" {
				t.Errorf("the evidence is %+v", r.Calls[0])
			}
			break
		}
	}
	v, err := e.Get(ctx, "s")
	must(t, err)
	if v.Status != durable.Parked {
		t.Errorf("it is %s: a late result is applied", v.Status)
	}
}

func TestExportAndImport(t *testing.T) {
	charts := durable.NewCharts(light(t))
	ctx := within(t)
	e := open(t, memory.New(), durable.Config{Charts: charts})
	_, err := e.Start(ctx, durable.Start{ID: "s", Chart: "light"})
	must(t, err)
	_, err = e.Send(ctx, durable.Event{Session: "s", Name: "go"})
	must(t, err)
	doc, err := e.Export(ctx, "s")
	must(t, err)
	other := open(t, memory.New(), durable.Config{Charts: charts})
	v, err := other.Import(ctx, doc, durable.ImportOptions{ID: "copy"})
	must(t, err)
	if v.Status != durable.Suspended || v.Configuration[0] != "green" {
		t.Fatalf("imported: %+v", v)
	}
	must(t, other.Resume(ctx, "copy", "me"))
	a, err := other.Send(ctx, durable.Event{Session: "copy", Name: "stop"})
	must(t, err)
	b, err := e.Send(ctx, durable.Event{Session: "s", Name: "stop"})
	must(t, err)
	if a.Outcome != b.Outcome || a.Configuration[0] != b.Configuration[0] {
		t.Errorf("the copy goes on with %+v, the original with %+v", a, b)
	}
	if _, err := other.Import(ctx, []byte("{}"), durable.ImportOptions{}); err == nil {
		t.Error("an empty document is taken in")
	}
}

func TestPriorities(t *testing.T) {
	release := make(chan bool, 4)
	perform := host.PerformerFunc(func(ctx context.Context, c host.Call) host.Outcome {
		if c.Session == "low" && c.Attempt == 1 {
			select {
			case <-ctx.Done():
			case <-release:
			}
		}
		return host.Done(nil)
	})
	e := open(t, memory.New(), durable.Config{Charts: durable.NewCharts(caller(t, statechart.Invocation{Src: "tool:x", Mode: "at_least_once"})),
		Performers: host.Table{"tool:x": {Performer: perform, Traits: host.Traits{Concurrency: 1}}}})
	ctx := within(t)
	_, err := e.Start(ctx, durable.Start{ID: "low", Chart: "caller"})
	must(t, err)
	a, err := e.Start(ctx, durable.Start{ID: "high", Chart: "caller", Priority: 5, Until: durable.End})
	must(t, err)
	if a.Status != durable.Completed {
		t.Errorf("high is %s", a.Status)
	}
	release <- true
	for r, err := range e.Watch(ctx, "low", 1) {
		must(t, err)
		if r.Status == "completed" {
			break
		}
	}
}

func TestRetriesAreCountedByRound(t *testing.T) {
	tries := map[int]int{}
	perform := func(_ context.Context, c host.Call) host.Outcome {
		if tries[c.Round]++; tries[c.Round] == 1 {
			return host.Fail("busy", "come again")
		}
		if c.Round == 2 {
			return host.Done(nil)
		}
		return host.GoOn(host.More{})
	}
	e := open(t, memory.New(), durable.Config{Charts: durable.NewCharts(caller(t, statechart.Invocation{Src: "tool:x", Retry: map[string]any{"max": int64(1), "initial": "1ms"}})), Performers: performing(perform)})
	a, err := e.Start(within(t), durable.Start{Chart: "caller", Until: durable.End})
	must(t, err)
	if a.Status != durable.Completed || len(tries) != 3 {
		t.Errorf("it is %s after the tries %v", a.Status, tries)
	}
}

// Original and copy make calls of their own: no other side may take them for
// one (X3, S10).
func TestAnImportedSessionsCallsAreItsOwn(t *testing.T) {
	c := compile(t, "c", statechart.State{Name: "a", On: []statechart.Transition{on("go", "b")}},
		statechart.State{Name: "b", Invoke: []statechart.Invocation{{ID: "call", Src: "tool:x", OnDone: []statechart.Transition{on("", "end")}}}},
		statechart.State{Name: "end", Type: statechart.Final})
	keys := make(chan string, 2)
	performers := performing(func(_ context.Context, c host.Call) host.Outcome { keys <- c.Key; return host.Done(nil) })
	e := open(t, memory.New(), durable.Config{Charts: durable.NewCharts(c), Performers: performers})
	ctx := within(t)
	_, err := e.Start(ctx, durable.Start{ID: "s", Chart: "c"})
	must(t, err)
	doc, err := e.Export(ctx, "s")
	must(t, err)
	_, err = e.Import(ctx, doc, durable.ImportOptions{ID: "copy"})
	must(t, err)
	must(t, e.Resume(ctx, "copy", "me"))
	for _, id := range []string{"s", "copy"} {
		_, err := e.Send(ctx, durable.Event{Session: id, Name: "go", Until: durable.End})
		must(t, err)
	}
	if a, b := <-keys, <-keys; a == b {
		t.Errorf("both call under the key %s", a)
	}
}
