package durable_test

import (
	"context"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/statechart"
)

// lamp is a typed context.
type lamp struct{ Watts, Turns int }

func typed(t testing.TB) *statechart.Chart {
	t.Helper()
	r := statechart.NewRegistry()
	statechart.Assign(r, "turn", func(l *lamp, _ statechart.Event) { l.Turns++ })
	statechart.Guard(r, "strong", func(l *lamp, _ statechart.Event) bool { return l.Watts > 10 })
	c, err := statechart.Compile(statechart.Definition{ID: "typed", Root: statechart.State{Initial: "off", States: []statechart.State{
		{Name: "off", On: []statechart.Transition{{Event: "go", Target: "on", Guard: statechart.Condition{Name: "strong"}, Actions: []statechart.Action{{Call: "turn"}}}}},
		{Name: "on", On: []statechart.Transition{on("go", "off")}}}}}, r)
	must(t, err)
	return c
}

// A session may begin with a typed context, which it has again after a
// restart; the context is a part of what a start is.
func TestStartWithATypedContext(t *testing.T) {
	w := simulate(t, durable.Config{Charts: durable.NewCharts(typed(t), light(t)), EventBytes: 1000}, nil)
	start := func(chart string, c any) (a durable.Answer, err error) {
		must(t, w.Do("start", 10_000, func() {
			a, err = w.e.Start(context.Background(), durable.Start{ID: "s-" + chart, Chart: chart, Context: c})
		}))
		return a, err
	}
	for _, c := range []struct {
		chart string
		give  any
		want  statechart.Code
	}{
		{"light", &lamp{}, statechart.CodeContextType},
		{"typed", lamp{}, statechart.CodeContextType},
		{"typed", &struct{ F func() }{}, statechart.CodeData},
		{"typed", &[2000]int{}, statechart.CodeLimit},
		{"typed", &lamp{Watts: 60}, ""},
		{"typed", &lamp{Watts: 40}, durable.CodeSessionExists},
	} {
		if _, err := start(c.chart, c.give); code(err) != c.want {
			t.Errorf("%s with %T is answered by %v", c.chart, c.give, err)
		}
	}
	if a, err := start("typed", &lamp{Watts: 60}); err != nil || !a.Duplicate {
		t.Errorf("the same again is answered by %+v, %v", a, err)
	}
	for range 3 {
		w.do(func(ctx context.Context) error {
			_, err := w.e.Send(ctx, durable.Event{Session: "s-typed", Name: "go"})
			return err
		})
		w.down(10)
	}
	w.do(func(ctx context.Context) error {
		v, err := w.e.Get(ctx, "s-typed")
		if got, ok := v.Context.(*lamp); !ok || *got != (lamp{60, 2}) {
			t.Errorf("after two turns it has %+v", v.Context)
		}
		return err
	})
}
