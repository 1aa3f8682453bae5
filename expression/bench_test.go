package expression_test

import (
	"testing"

	"github.com/detent-run/detent/statechart"
)

// BenchmarkEvaluate runs expressions as a macrostep does, many times within
// one: the figure is of the expression alone.
func BenchmarkEvaluate(b *testing.B) {
	w := world{
		data:  data(b, `{"attempts": 1, "customer": "Ada", "plan": {"steps": [{"id": "a", "done": true}, {"id": "b", "done": false}]}}`),
		event: statechart.Event{Name: "go", Data: map[string]any{"code": "rate_limited"}},
	}
	for _, c := range []struct{ name, source string }{
		{"guard", `attempts < 3 and event.code == "rate_limited"`},
		{"increment", `attempts + 1`},
		{"template", `text("Call ", customer, " again?")`},
		{"filter", `filter(plan.steps, not .done) | map(.id)`},
		{"default", `event.reason ?? "none"`},
	} {
		b.Run(c.name, func(b *testing.B) {
			in, l, err := w.start(c.source)
			if err != nil {
				b.Fatal(err)
			}
			const batch = 1000 // for which the fuel of a macrostep is enough
			b.ReportAllocs()
			for left := b.N; left > 0; left -= batch {
				l.again = min(left, batch) - 1
				if in.Send(w.event); l.err != nil {
					b.Fatal(l.err)
				}
			}
		})
	}
}

// BenchmarkHostile says how long the hostile sources take to be refused:
// compiled, run and undone. What they take of fuel and memory is asserted in
// TestHostileSourcesEnd.
func BenchmarkHostile(b *testing.B) {
	for _, c := range hostile {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := (world{}).evaluate(c.source); err == nil {
					b.Fatal("it ends well")
				}
			}
		})
	}
}
