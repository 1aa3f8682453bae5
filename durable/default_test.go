package durable_test

import (
	"context"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
	"github.com/detent-run/detent/store/memory"
)

// S2: what nobody answered in time ends with the default. A no is a no: the
// chart is told what a person who says no tells it.
func TestS2ADefaultIsAnAnswer(t *testing.T) {
	for _, c := range []struct {
		name, kind string
		answer     any
		event      string
		data       string
		state      string
	}{
		{"yes", "approve", true, "done.invoke.call", "default", "done"},
		{"no", "approve", false, "error.invoke.call", "rejected", "failed"},
		{"data", "input", "blue", "done.invoke.call", "blue", "done"},
		{"none", "approve", nil, "error.invoke.call", "expired", "failed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ask := performing(func(context.Context, host.Call) host.Outcome {
				return host.Ask(host.Question{Kind: c.kind, Text: "Shall we?", Within: 1, Default: c.answer})
			})
			e := open(t, memory.New(), durable.Config{Charts: durable.NewCharts(caller(t, statechart.Invocation{Src: "tool:human"})), Performers: ask})
			ctx := within(t)
			_, err := e.Start(ctx, durable.Start{ID: "s", Chart: "caller"})
			must(t, err)
			view, err := e.Wait(ctx, "s", durable.End)
			must(t, err)
			rows, err := e.History(ctx, "s", 0, 100)
			must(t, err)
			last := rows[len(rows)-1]
			data, _ := last.Data.(map[string]any)
			said := []any{data["code"], data["answer"], data["by"]}
			if view.Configuration[0] != c.state || last.Event != c.event || said[0] != c.data && said[1] != c.data && said[2] != c.data {
				t.Errorf("it ends in %v by %s with %v; want %s by %s with %s", view.Configuration, last.Event, last.Data, c.state, c.event, c.data)
			}
		})
	}
}
