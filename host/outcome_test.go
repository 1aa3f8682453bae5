package host_test

import (
	"reflect"
	"testing"

	"github.com/detent-run/detent/host"
)

// What a chart hears of an end: the output, or an object that says whether
// something was done.
func TestOutcomeAsEvent(t *testing.T) {
	for _, c := range []struct {
		name string
		o    host.Outcome
		want any
		ends bool
	}{
		{"done", host.Done("x"), "x", true},
		{"done with nothing", host.Done(nil), nil, true},
		{"failed and not executed", host.Fail("busy", "not now"), map[string]any{"code": "busy", "message": "not now", "executed": "no"}, true},
		{"failed and executed, with details", host.Failed(host.Failure{Code: "http", Message: "it broke", Status: 500, Executed: true, Detail: []any{int64(1)}}),
			map[string]any{"code": "http", "message": "it broke", "executed": "yes", "status": int64(500), "detail": []any{int64(1)}}, true},
		{"unknown says so, whatever it claims", host.Unknown("timeout", "no answer"), map[string]any{"code": "timeout", "message": "no answer", "executed": "unknown"}, true},
		{"an error without a failure", host.Outcome{Kind: host.KindCancelled}, map[string]any{"code": "cancelled", "message": "", "executed": "no"}, true},
		{"more", host.GoOn(host.More{}), nil, false},
		{"a question", host.Ask(host.Question{Text: "may I?", Kind: "approve"}), nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.o.Ends() != c.ends {
				t.Errorf("it ends the call: %t", c.o.Ends())
			}
			if got := c.o.Event(); c.ends && !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// More carries the effects in their order, and what the performer wants back.
func TestMoreKeepsItsOrder(t *testing.T) {
	o := host.GoOn(host.More{Effects: []host.Request{{Src: "tool:b"}, {Src: "tool:a", Mode: host.AtLeastOnce}}, Continuation: []byte(`{"at":1}`)})
	body, err := host.Encode(o)
	const want = `{"kind":"more","more":{"continuation":{"at":1},"effects":[{"src":"tool:b"},{"mode":"at_least_once","src":"tool:a"}]}}`
	if err != nil || string(body) != want {
		t.Errorf("got  %s (%v)\nwant %s", body, err, want)
	}
}

// The three modes, and nothing else.
func TestModes(t *testing.T) {
	for m, want := range map[host.Mode]bool{host.AtLeastOnce: true, host.AtMostOnce: true, host.Reconcile: true, "": false, "once": false, "At_most_once": false} {
		if m.Valid() != want {
			t.Errorf("%q is a mode: %t", m, m.Valid())
		}
	}
}
