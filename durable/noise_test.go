package durable_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/statechart"
)

// outcomes tells a session's rows after the start: event, sender and, of a
// count, how many.
func (w *simulated) outcomes(session string) (out []string) {
	w.t.Helper()
	for r, err := range w.rows(session) {
		must(w.t, err)
		line := r.Event + " by " + r.By + " " + r.Outcome
		if m, ok := r.Data.(map[string]any); ok {
			line += fmt.Sprint(" ", m["counted"])
		}
		out = append(out, line)
	}
	return out[1:]
}

func same(t *testing.T, got []string, want ...string) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the rows are\n%q, want\n%q", got, want)
	}
}

// R34: past a rate the events of one sender that nothing takes are counted and
// not stored one by one; the others' are stored, and a later row tells how
// many there were, also after a restart.
func TestR34RowsOfOneSenderAreCounted(t *testing.T) {
	w := simulate(t, durable.Config{Charts: durable.NewCharts(light(t)), Noise: 2}, nil)
	w.start("s", "light")
	send := func(by, name, id string) (a durable.Answer) {
		t.Helper()
		w.do(func(ctx context.Context) (err error) {
			a, err = w.e.Send(ctx, durable.Event{Session: "s", Name: name, By: by, ID: id})
			return err
		})
		return a
	}
	for range 7 {
		if a := send("ann", "stop", ""); a.Outcome != statechart.Ignored || a.Reason == nil {
			t.Errorf("it is answered by %+v", a)
		}
	}
	send("bob", "stop", "")
	first := send("ann", "stop", "x")
	if again := send("ann", "stop", "x"); !again.Duplicate || again.Outcome != first.Outcome || again.Sequence != first.Sequence {
		t.Errorf("the same again is answered by %+v, at first by %+v", again, first)
	}
	if a := send("ann", "go", ""); a.Outcome != statechart.Taken {
		t.Errorf("what is taken is answered by %+v", a)
	}
	same(t, w.outcomes("s"), "stop by ann ignored", "stop by ann ignored", "stop by bob ignored", "go by ann taken")
	w.down(1000)
	send("ann", "go", "") // nothing takes it in green
	w.pass(60_000)
	send("bob", "stop", "")
	same(t, w.outcomes("s"), "stop by ann ignored", "stop by ann ignored", "stop by bob ignored", "go by ann taken",
		"detent.counted by ann ignored 7", "stop by bob taken")
	w.do(func(ctx context.Context) error {
		v, err := w.e.Verify(ctx, "s")
		if len(v.Problems) > 0 {
			t.Errorf("verify finds %v", v.Problems)
		}
		return err
	})
}
