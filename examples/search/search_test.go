package main

import (
	"slices"
	"testing"

	"github.com/detent-run/detent/charttest"
	"github.com/detent-run/detent/statechart"
)

func chart(t *testing.T, d statechart.Definition) *statechart.Chart {
	t.Helper()
	c, err := compile(d)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The chart that declares its calls has transcripts of its own, for the calls
// are seen in them.
func TestTranscripts(t *testing.T) {
	charttest.Run(t, chart(t, assistant), "testdata/*.transcript", charttest.Options{})
	charttest.Run(t, chart(t, invoking(assistant)), "testdata/invoking/*.transcript", charttest.Options{})
}

// table is the contract: from, event, to.
var table = [][3]string{
	{"idle", "USER_INPUT", "analyzing"},
	{"analyzing", "INTENT_DETECTED", "searching"},
	{"analyzing", "INTENT_UNCLEAR", "clarifying"},
	{"clarifying", "USER_CLARIFICATION", "analyzing"},
	{"searching", "SEARCH_COMPLETE", "generating"},
	{"searching", "SEARCH_RETRY", "searching"},
	{"searching", "SEARCH_FAILED", "searching"},
	{"generating", "GENERATION_COMPLETE", "responding"},
	{"generating", "TOOL_NEEDED", "toolCalling"},
	{"toolCalling", "TOOL_SEARCH_TRIGGERED", "searching"},
	{"toolCalling", "TOOL_COMPLETE", "generating"},
	{"responding", "RESPONSE_SENT", "idle"},
}

// ways leads to each state; "" lets the timer fire.
var ways = map[string][]string{
	"idle":        nil,
	"analyzing":   {"USER_INPUT"},
	"clarifying":  {"USER_INPUT", "INTENT_UNCLEAR"},
	"searching":   {"USER_INPUT", "INTENT_DETECTED"},
	"generating":  {"USER_INPUT", "INTENT_DETECTED", "SEARCH_COMPLETE"},
	"toolCalling": {"USER_INPUT", "INTENT_DETECTED", "SEARCH_COMPLETE", "TOOL_NEEDED"},
	"fallingBack": {"USER_INPUT", "INTENT_DETECTED", "SEARCH_FAILED", "SEARCH_FAILED", "SEARCH_FAILED"},
	"responding":  {"USER_INPUT", "INTENT_DETECTED", "SEARCH_COMPLETE", "GENERATION_COMPLETE"},
}

// Event for event: each state takes what its rows say and nothing else, in
// both styles.
func TestTheTableIsTheContract(t *testing.T) {
	for _, d := range []statechart.Definition{assistant, invoking(assistant)} {
		c := chart(t, d)
		for state, way := range ways {
			for _, row := range table {
				in := c.Instance(nil)
				for _, event := range way {
					in.Send(statechart.Event{Name: event})
				}
				result := in.Send(statechart.Event{Name: row[1]})
				want, outcome := state, statechart.Ignored
				if i := slices.IndexFunc(table, func(r [3]string) bool { return r[0] == state && r[1] == row[1] }); i >= 0 {
					want, outcome = table[i][2], statechart.Taken
				}
				if got := in.Configuration()[0]; got != want || result.Outcome != outcome {
					t.Errorf("in %s, %s is %s and leads to %s; want %s, %s", state, row[1], result.Outcome, got, outcome, want)
				}
			}
		}
	}
}
