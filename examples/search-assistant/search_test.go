package main

import (
	"reflect"
	"slices"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/charttest"
	"github.com/detent-run/detent/examples/internal/pins"
	"github.com/detent-run/detent/statechart"
)

func chart(t *testing.T, file []byte) *statechart.Chart {
	t.Helper()
	c, err := chartfile.Load("search-assistant.yaml", file, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The chart that declares its calls has transcripts of its own, for the calls
// are seen in them.
func TestTranscripts(t *testing.T) {
	charttest.Run(t, chart(t, bare), "testdata/*.transcript", charttest.Options{})
	charttest.Run(t, chart(t, calling), "testdata/calls/*.transcript", charttest.Options{})
}

// What the agent must do, and what shows that it does.
func TestEachLineIsShown(t *testing.T) {
	for _, loose := range pins.Loose([]pins.Line{
		{Text: "the table: from, event, to, event for event", Test: "TestTheTableIsTheContract"},
		{Text: "each row stores what it says, SEARCH_COMPLETE sets the retry count to 0, and RESPONSE_SENT clears everything", Transcript: "answer"},
		{Text: "SEARCH_RETRY and SEARCH_FAILED enter searching again while the retry count is below the maximum; each entry clears the results and counts", Transcript: "retry"},
		{Text: "a search that fails for the last time stores an error text and falls back to an apology, which is sent after 500 ms", Transcript: "fallback"},
		{Text: "TOOL_SEARCH_TRIGGERED sets the retry count to 0", Transcript: "tools"},
		{Text: "an unclear intent is clarified and analyzed again", Transcript: "unclear"},
		{Text: "confidence at least 0.8 is what a detector calls detected", Transcript: "calls/unclear"},
		{Text: "calls are made outside the chart by whoever watches it, or by declared invocations; both styles work on the same chart", Transcript: "calls/declared"},
		{Text: "both styles have the same states and events", Test: "TestBothStylesAreOneChart"},
		{Text: "it loads as an XState v5 JSON configuration, and the exported module behaves the same in XState", Waits: "the reader and writer of XState's format"},
	}) {
		t.Error(loose)
	}
}

// Beside its calls, and what only they need, the second chart is the first.
func TestBothStylesAreOneChart(t *testing.T) {
	first, _ := chartfile.Read("search-assistant.yaml", bare)
	second, _ := chartfile.Read("search-assistant-calls.yaml", calling)
	a, b := first.Definition.Root, second.Definition.Root
	if !reflect.DeepEqual(a.Context, b.Context) || len(a.States) != len(b.States) {
		t.Fatal("the charts differ in their data or in their states")
	}
	for i, s := range a.States {
		other := b.States[i]
		if s.Name != other.Name || !reflect.DeepEqual(s.On, other.On) || !reflect.DeepEqual(s.After, other.After) {
			t.Errorf("the state %s differs:\n%+v\n%+v", s.Name, s, other)
		}
		if s.Name != "toolCalling" && !reflect.DeepEqual(s.Entry, other.Entry) {
			t.Errorf("the entry of %s differs", s.Name)
		}
	}
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

// ways leads to each state.
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

// payloads keep the events from being what nothing is known about: a tool that
// is needed is another than the search.
var payloads = map[string]any{"TOOL_NEEDED": map[string]any{"tool": "calculator"}}

// Event for event: each state takes what its rows say and nothing else, in
// both styles.
func TestTheTableIsTheContract(t *testing.T) {
	for _, file := range [][]byte{bare, calling} {
		c := chart(t, file)
		for state, way := range ways {
			for _, row := range table {
				in := c.Instance(nil)
				for _, event := range way {
					in.Send(statechart.Event{Name: event, Data: payloads[event]})
				}
				result := in.Send(statechart.Event{Name: row[1], Data: payloads[row[1]]})
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
