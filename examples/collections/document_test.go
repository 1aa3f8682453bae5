package main

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// "The snapshot of a suspended session is one self-contained JSON document:
// session id, chart and its version, active leaf paths (dotted), history, every
// scope's data, pending timers, pending calls."
func TestTheDocumentHoldsEverything(t *testing.T) {
	in := reach(t, chart(t), leaves[4].path, leaves[4].way)
	happen(t, in, event("SUSPEND", object{"reason": "night window", "wakeAfter": "8h"}))
	encoded, err := in.Snapshot().Encode()
	if err != nil {
		t.Fatal(err)
	}
	var document object
	if err := json.Unmarshal(encoded, &document); err != nil {
		t.Fatal(err)
	}
	const tool = "Active.Executing.ToolInvocation"
	for path, want := range map[[4]string]any{
		{"session"}:                               "s",
		{"chart", "id"}:                           "collections",
		{"chart", "version"}:                      "1",
		{"configuration"}:                         []any{"Suspended"},
		{"history", "Active.Last"}:                []any{tool + ".Retrying"},
		{"data", "", "customer"}:                  "c-17",
		{"data", "Suspended", "reason"}:           "night window",
		{"parked", "Active.Last", "scopes", tool}: object{"answer": nil, "attempts": 1.0, "backoff": 500.0, "credential": nil, "lastStatus": 429.0, "message": "Dear c-17"},
		{"parked", "Active.Last", "scopes", "Active.Planning"}: nil,
	} {
		if got := at(document, path[:]); !reflect.DeepEqual(got, want) {
			t.Errorf("at %q stands %v, want %v", path, got, want)
		}
	}
	timer := document["timers"].([]any)[0].(object)
	if timer["name"] != "RESUME" || timer["due"] != 28_800_000.0 {
		t.Errorf("the timer is %v", timer)
	}
}

// A call that is open is in the document too, with its key.
func TestTheDocumentHoldsOpenCalls(t *testing.T) {
	in := reach(t, chart(t), leaves[2].path, leaves[2].way)
	call := in.Live()[0]
	moved := elsewhere(t, in)
	if got := moved.Live(); len(got) != 1 || got[0].Source != call.Source || got[0].Key != call.Key || got[0].Src != "tool:bank.handshake" {
		t.Errorf("the open calls are %+v, were %+v", got, call)
	}
}

// at walks down objects; empty keys are part of the way except at its end.
func at(v any, path []string) any {
	for len(path) > 0 && path[len(path)-1] == "" {
		path = path[:len(path)-1]
	}
	for _, key := range path {
		o, _ := v.(object)
		v = o[key]
	}
	return v
}

// BenchmarkResume is the engine's own time from the stored document to the
// exact leaf.
func BenchmarkResume(b *testing.B) {
	c := chart(b)
	in := new(statechart.Instance)
	c.Start(in, statechart.Start{Session: "s", Input: object{"customer": "c-17"}})
	in.Send(statechart.Event{Name: "SUSPEND"})
	document, err := in.Snapshot().Encode()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		snapshot, err := c.Decode(document)
		if err != nil {
			b.Fatal(err)
		}
		var again statechart.Instance
		if err := c.Resume(&again, snapshot); err != nil {
			b.Fatal(err)
		}
		if again.Send(statechart.Event{Name: "RESUME"}).Outcome != statechart.Taken {
			b.Fatal("it does not resume")
		}
	}
}
