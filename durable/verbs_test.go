package durable_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/memory"
)

// method is one exported method that takes a session.
type method struct {
	name string
	do   func(ctx context.Context, e *durable.Engine, session string) error
	// absent: an unknown session is no error; reads: it works while the engine
	// is closed, as long as its store is open.
	absent, reads bool
}

func methods() []method {
	yes := true
	return []method{
		{name: "Start", absent: true, do: func(ctx context.Context, e *durable.Engine, s string) error {
			_, err := e.Start(ctx, durable.Start{ID: s, Chart: "light"})
			return err
		}},
		{name: "Send", do: func(ctx context.Context, e *durable.Engine, s string) error {
			_, err := e.Send(ctx, durable.Event{Session: s, Name: "go"})
			return err
		}},
		{name: "Send until accepted", do: func(ctx context.Context, e *durable.Engine, s string) error {
			_, err := e.Send(ctx, durable.Event{Session: s, Name: "go", Until: durable.Accepted})
			return err
		}},
		{name: "Wait", do: func(ctx context.Context, e *durable.Engine, s string) error {
			_, err := e.Wait(ctx, s, durable.Committed)
			return err
		}},
		{name: "Get", reads: true, do: func(ctx context.Context, e *durable.Engine, s string) error { _, err := e.Get(ctx, s); return err }},
		{name: "List", reads: true, absent: true, do: func(ctx context.Context, e *durable.Engine, s string) error {
			_, err := e.List(ctx, durable.Filter{Parent: s})
			return err
		}},
		{name: "History", reads: true, do: func(ctx context.Context, e *durable.Engine, s string) error {
			_, err := e.History(ctx, s, 0, 0)
			return err
		}},
		{name: "Watch", do: func(ctx context.Context, e *durable.Engine, s string) error {
			for _, err := range e.Watch(ctx, s, 100) {
				return err
			}
			return nil
		}},
		{name: "Pending", reads: true, do: func(ctx context.Context, e *durable.Engine, s string) error {
			_, err := e.Pending(ctx, s)
			return err
		}},
		{name: "Answer", do: func(ctx context.Context, e *durable.Engine, s string) error {
			return e.Answer(ctx, s, "call", durable.Reply{Approve: &yes, By: "ann"})
		}},
		{name: "Suspend", do: func(ctx context.Context, e *durable.Engine, s string) error {
			return e.Suspend(ctx, s, durable.Suspension{})
		}},
		{name: "Resume", do: func(ctx context.Context, e *durable.Engine, s string) error { return e.Resume(ctx, s, "ann") }},
		{name: "Cancel", do: func(ctx context.Context, e *durable.Engine, s string) error { return e.Cancel(ctx, s, "ann") }},
		{name: "Retry", do: func(ctx context.Context, e *durable.Engine, s string) error { return e.Retry(ctx, s, "ann") }},
		{name: "Settle", do: func(ctx context.Context, e *durable.Engine, s string) error {
			return e.Settle(ctx, s, "call", durable.Settlement{Done: true, By: "ann"})
		}},
		{name: "Delete", do: func(ctx context.Context, e *durable.Engine, s string) error { return e.Delete(ctx, s, "ann") }},
		{name: "Export", reads: true, do: func(ctx context.Context, e *durable.Engine, s string) error { _, err := e.Export(ctx, s); return err }},
		{name: "Import", do: func(ctx context.Context, e *durable.Engine, s string) error {
			document, err := e.Export(context.WithoutCancel(ctx), s)
			if err != nil && s != "known" {
				return err
			}
			_, err = e.Import(ctx, document, durable.ImportOptions{ID: "taken-in"})
			return err
		}},
		{name: "Verify", reads: true, do: func(ctx context.Context, e *durable.Engine, s string) error { _, err := e.Verify(ctx, s); return err }},
	}
}

// Whoever asks for a session that is not there, with a context that is done,
// or after Close, is told so and nothing else happens.
func TestWhatEveryMethodSaysWhenItCannot(t *testing.T) {
	for _, m := range methods() {
		t.Run(m.name, func(t *testing.T) {
			e := open(t, memory.New(), durable.Config{Charts: durable.NewCharts(light(t))})
			ctx := within(t)
			_, err := e.Start(ctx, durable.Start{ID: "known", Chart: "light"})
			must(t, err)
			over, cancel := context.WithCancel(ctx)
			cancel()
			if err := m.do(over, e, "known"); !errors.Is(err, context.Canceled) {
				t.Errorf("with a context that is done: %v", err)
			}
			v, err := e.Get(ctx, "known")
			if must(t, err); v.Sequence != 1 || v.Status != durable.Active {
				t.Errorf("that was done all the same: it stands at %d, %s", v.Sequence, v.Status)
			}
			if err := m.do(ctx, e, "unknown"); m.absent && err != nil || !m.absent && code(err) != durable.CodeNoSession {
				t.Errorf("of an unknown session: %v", err)
			}
			must(t, e.Close())
			if err := m.do(ctx, e, "known"); m.reads && err != nil || !m.reads && code(err) != durable.CodeClosed {
				t.Errorf("after Close: %v", err)
			}
		})
	}
}

// S7: an engine that takes no more events, and a session whose state is larger
// than is allowed, still obey.
func TestS7ControlVerbsWorkOverEveryLimit(t *testing.T) {
	store := memory.New()
	big := strings.Repeat("x", 3000)
	bag := func() *statechart.Chart {
		r := statechart.NewRegistry()
		statechart.Assign(r, "fill", func(b *struct{ Text string }, _ statechart.Event) { b.Text += big })
		c, err := statechart.Compile(statechart.Definition{ID: "bag", Root: statechart.State{Initial: "a", States: []statechart.State{
			{Name: "a", Exit: []statechart.Action{{Call: "fill"}}, On: []statechart.Transition{{Event: "fill", Actions: []statechart.Action{{Call: "fill"}}}}}}}}, r)
		must(t, err)
		return c
	}()
	charts := durable.NewCharts(bag)
	first := open(t, store, durable.Config{Charts: charts})
	ctx := within(t)
	for _, id := range []string{"a", "b", "c"} {
		_, err := first.Start(ctx, durable.Start{ID: id, Chart: "bag"})
		must(t, err)
		_, err = first.Send(ctx, durable.Event{Session: id, Name: "fill"})
		must(t, err)
	}
	must(t, first.Suspend(ctx, "a", durable.Suspension{}))
	_, err := first.Send(ctx, durable.Event{Session: "a", Name: "fill"})
	must(t, err)
	must(t, first.Close())
	must(t, store.Close())

	e := open(t, store, durable.Config{Charts: charts, StateBytes: 1000, Queue: 1, SessionQueue: 1})
	a, err := e.Send(ctx, durable.Event{Session: "b", Name: "fill"})
	if err != nil || a.Outcome != statechart.Failed {
		t.Errorf("a step over the limit is answered by %+v, %v", a, err)
	}
	_, err = e.Send(ctx, durable.Event{Session: "a", Name: "fill"}) // queued: the queue is full now
	must(t, err)
	if _, err := e.Send(ctx, durable.Event{Session: "a", Name: "fill"}); code(err) != durable.CodeOverload {
		t.Errorf("a send past the queue is answered by %v", err)
	}
	must(t, e.Suspend(ctx, "b", durable.Suspension{}))
	must(t, e.Resume(ctx, "b", "ann"))
	must(t, e.Cancel(ctx, "b", "ann"))
	document, err := e.Export(ctx, "a")
	must(t, err)
	if _, err := e.Import(ctx, document, durable.ImportOptions{ID: "copy"}); err != nil {
		t.Errorf("an import: %v", err)
	}
	must(t, e.Delete(ctx, "c", "ann"))
	must(t, e.Cancel(ctx, "a", "ann"))
	for id, want := range map[string]durable.Status{"a": durable.Cancelled, "b": durable.Cancelled, "copy": durable.Suspended} {
		if v, err := e.Get(ctx, id); err != nil || v.Status != want {
			t.Errorf("%s is %s, want %s (%v)", id, v.Status, want, err)
		}
	}
}
