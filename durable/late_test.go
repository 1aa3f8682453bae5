package durable_test

import (
	"context"
	"strings"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// X7, X8: a result that comes when it is too late, from a performer that does
// not listen to its context, is evidence: it changes nothing, and a later
// entry of the same state never sees it.
func TestX8LateResultsAreEvidence(t *testing.T) {
	leave := func(ctx context.Context, e *durable.Engine) error {
		_, err := e.Send(ctx, durable.Event{Session: "s", Name: "leave"})
		return err
	}
	for _, c := range []struct {
		name    string
		mode    host.Mode
		timeout string
		act     func(ctx context.Context, e *durable.Engine) error
		events  string // of the journal
		state   string
		status  durable.Status
		heard   any // what the chart keeps of ends
	}{
		{"its state was left", host.AtMostOnce, "", leave, "detent.init leave detent.late", "left", durable.Active, nil},
		{"its state was left, and the call may be repeated", host.AtLeastOnce, "", leave, "detent.init leave detent.late", "left", durable.Active, nil},
		{"its time was up", host.AtMostOnce, "1s", nil, "detent.init unknown.invoke.call detent.late", "lost", durable.Active, nil},
		{"the session was cancelled", host.AtMostOnce, "", func(ctx context.Context, e *durable.Engine) error {
			return e.Cancel(ctx, "s", "ann")
		}, "detent.init detent.cancel detent.late", "calling", durable.Cancelled, nil},
		{"its state was left and entered again", host.AtMostOnce, "", func(ctx context.Context, e *durable.Engine) error {
			if err := leave(ctx, e); err != nil {
				return err
			}
			_, err := e.Send(ctx, durable.Event{Session: "s", Name: "back"})
			return err
		}, "detent.init leave back done.invoke.call detent.late", "done", durable.Active, "second"},
		{"its state was entered again from itself", host.AtMostOnce, "", func(ctx context.Context, e *durable.Engine) error {
			_, err := e.Send(ctx, durable.Event{Session: "s", Name: "again"})
			return err
		}, "detent.init again done.invoke.call detent.late", "done", durable.Active, "second"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := late(t, c.mode, c.timeout)
			w.start("s", "late")
			w.pass(100) // the first attempt runs
			if c.act != nil {
				w.do(func(ctx context.Context) error { return c.act(ctx, w.e) })
			}
			w.pass(10_000)
			w.stands(c.events, c.state, c.status, c.heard)
			before := w.journal()
			w.down(0) // and it says the same after a restart
			w.pass(10_000)
			w.stands(c.events, c.state, c.status, c.heard)
			if after := w.journal(); after != before {
				t.Errorf("after a restart the journal is\n%s\nbefore it was\n%s", after, before)
			}
		})
	}
}

// late is a world with a call whose first attempt takes five seconds, whatever
// becomes of its context, and whose second takes one.
func late(t *testing.T, mode host.Mode, timeout string) *simulated {
	t.Helper()
	call := statechart.Invocation{ID: "call", Src: "tool:x", Mode: string(mode),
		OnDone: list(on("", "done", statechart.Action{Assign: []statechart.Variable{{Name: "heard", Value: statechart.Expression("event.output")}}})), OnUnknown: list(on("", "lost"))}
	if timeout != "" {
		call.Timeout = timeout
	}
	again := on("again", "calling")
	again.Type = statechart.External
	chart := compiled(t, statechart.Definition{ID: "late", Root: statechart.State{Initial: "calling", Context: []statechart.Variable{{Name: "heard"}}, States: []statechart.State{
		{Name: "calling", Invoke: []statechart.Invocation{call}, On: list(on("leave", "left"), again)},
		{Name: "left", On: list(on("back", "calling"))}, {Name: "done"}, {Name: "lost"}}}})
	var w *simulated
	first := true
	w = simulate(t, durable.Config{Charts: durable.NewCharts(chart), Performers: performing(func(context.Context, host.Call) host.Outcome {
		takes, result := int64(5000), "first"
		if !first {
			takes, result = 1000, "second"
		}
		first = false
		if err := w.Sleep(context.Background(), takes); err != nil {
			return host.Unknown("sleep", err.Error())
		}
		return host.Done(result)
	})}, nil)
	return w
}

// stands compares the session with what is expected of it. Evidence is on the
// row of what came too late, with the result.
func (w *simulated) stands(events, state string, status durable.Status, heard any) {
	w.t.Helper()
	var names []string
	for r, err := range w.rows("s") {
		must(w.t, err)
		names = append(names, r.Event)
		if r.Event == "detent.late" && (len(r.Calls) != 1 || r.Calls[0].Outcome == nil || r.Calls[0].Outcome.Output != "first" || len(r.Change) > 0) {
			w.t.Errorf("the evidence is %+v, and it changes %s", r.Calls, r.Change)
		}
	}
	if got := strings.Join(names, " "); got != events {
		w.t.Errorf("the journal holds %s, want %s", got, events)
	}
	v, err := w.e.Get(context.Background(), "s")
	must(w.t, err)
	if v.Configuration[0] != state || v.Status != status || v.Data[""]["heard"] != heard {
		w.t.Errorf("it is %s in %v and keeps %v, want %s in %s with %v", v.Status, v.Configuration, v.Data, status, state, heard)
	}
}

func (w *simulated) journal() string {
	w.t.Helper()
	var b strings.Builder
	for r, err := range w.rows("s") {
		must(w.t, err)
		b.WriteString(r.Hash + "\n")
	}
	return b.String()
}
