package durable_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/internal/sim"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/memory"
)

// A retried session hears of all that its failure cut off and that cannot be
// done again, before the event that failed: nobody knows of a call that may
// not be repeated, and a child that was cancelled does not come back.
func TestRetryBringsBackWhatTheFailureCutOff(t *testing.T) {
	for _, c := range []struct {
		name, src string
		mode      host.Mode
		listens   bool
		made      int
		want      string
	}{
		{"a call that may not", "tool:x", host.AtMostOnce, true, 1, "lost"},
		{"a call that may not, and runs on", "tool:x", host.AtMostOnce, false, 1, "lost"},
		{"a child", "chart:kid", "", false, 0, "bad"},
	} {
		t.Run(c.name, func(t *testing.T) {
			made := 0
			var w *simulated
			perform := func(ctx context.Context, call host.Call) host.Outcome {
				if call.Src == "tool:fails" {
					_ = w.Sleep(ctx, 500)
					return host.Fail("no", "not today")
				}
				if !c.listens {
					ctx = context.Background()
				}
				if made++; w.Sleep(ctx, 20_000) != nil {
					return host.Unknown("cut", "")
				}
				return host.Done("well")
			}
			main := compile(t, "main", statechart.State{Name: "both", Type: statechart.Parallel, States: []statechart.State{
				{Name: "fails", Invoke: []statechart.Invocation{{ID: "fails", Src: "tool:fails"}}},
				{Name: "part", Initial: "runs", States: []statechart.State{
					{Name: "runs", Invoke: []statechart.Invocation{{ID: "call", Src: c.src, Mode: string(c.mode),
						OnDone: list(on("", "well")), OnError: list(on("", "bad")), OnUnknown: list(on("", "lost"))}}},
					{Name: "well"}, {Name: "bad"}, {Name: "lost"}}}}})
			kid := compile(t, "kid", statechart.State{Name: "on", After: []statechart.Timed{{Delay: "20s", Transitions: list(on("", "end"))}}},
				statechart.State{Name: "end", Type: statechart.Final})
			w = simulate(t, durable.Config{Charts: durable.NewCharts(main, kid), Performers: performing(perform)}, nil)
			w.start("s", "main")
			w.pass(2000)
			w.do(func(ctx context.Context) error { return w.e.Retry(ctx, "s", "ann") })
			w.pass(60_000)
			w.do(func(ctx context.Context) error {
				rows, err := w.e.History(ctx, "s", 1, 0)
				heard := ""
				for _, r := range rows {
					for _, at := range r.To {
						if at == "both.part."+c.want {
							heard = c.want
						}
					}
				}
				if heard != c.want || made != c.made {
					v, _ := w.e.Get(ctx, "s")
					t.Errorf("after %d calls it never came to %s: it is %s in %v with %+v", made, c.want, v.Status, v.Configuration, v.Effects)
				}
				return err
			})
		})
	}
}

// However many askers wait for something that takes long, the next one is
// served at once.
func TestManyWhoWaitHideNobodysRequest(t *testing.T) {
	kept := memory.New()
	w := &simulated{t: t, World: sim.New(1), kept: kept, store: kept, config: durable.Config{Charts: durable.NewCharts(light(t))}}
	w.open()
	w.start("s", "light")
	visitor, err := durable.Visit(kept, durable.VisitConfig{Runtime: w.Runtime(), Charts: w.config.Charts})
	must(t, err)
	const waiting = 150
	for i := range waiting {
		w.Runtime().Go(fmt.Sprint("asker ", i), func() {
			_, _ = visitor.Send(context.Background(), durable.Event{Session: "s", Name: "go", Until: durable.End})
		})
	}
	w.pass(1000)
	w.do(func(ctx context.Context) error {
		begin := w.Elapsed()
		_, err := visitor.Start(ctx, durable.Start{Chart: "light"})
		if took := w.Elapsed() - begin; took > 200 {
			t.Errorf("it took %d ms", took)
		}
		return err
	})
	w.do(func(context.Context) error { return w.e.Close() })
}
