//go:build pending

package statechart_test

import (
	"strings"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// Tests of this file wait for a cure in the product; each moves to its place
// when it passes.

// Q30: each event that is taken up is a record of the trace.
func TestPendingQ30_InternalEventsInTheTrace(t *testing.T) {
	in := root(t, State{Initial: "a", States: []State{{Name: "a", On: []Transition{on("go", "", Action{Raise: "r"}), on("r", "")}}}})
	var trace statechart.Trace
	in.Trace(&trace)
	told(in, "go")
	if got := strings.ReplaceAll(traced(&trace), "\n", "; "); got != "event go; candidate a.on[0] true; taken a.on[0]; raised r; event r; candidate a.on[1] true" {
		t.Errorf("the trace is %s", got)
	}
}
