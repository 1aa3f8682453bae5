package host_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/statechart"
)

// A row with everything in it, and the bytes that its hash covers. They are in
// the stores of users: a change of one is a new format.
var fullRow = host.Record{
	Sequence: 7, Time: 1700000000500, AcceptedAt: 1700000000000, Event: "go", Data: map[string]any{"n": int64(3), "x": 3.0}, ID: "e1", Sender: "client",
	By: "ann", Effect: "k1", Source: &statechart.Source{Kind: "invoke", ID: "call", Entry: 2}, Origin: "other", SendID: "s1", Invocation: "i1", Deferred: true,
	Step: 4, Outcome: "taken", Reason: &statechart.Reason{Code: "limit", Message: "too much"}, From: []string{"a"}, To: []string{"b.c", "d"}, Status: "active",
	Calls:  []host.CallChange{{Key: "k1", Src: "tool:x", State: "ended", Attempt: 2, Outcome: &host.Outcome{Kind: host.KindDone, Output: int64(1)}}},
	Change: json.RawMessage(`{"data":{"n":3}}`), Chart: "digest", Hash: "not in it",
}

const fullText = `{"acceptedAt":1700000000000,"by":"ann","calls":[{"attempt":2,"key":"k1","outcome":{"kind":"done","output":1},"src":"tool:x","state":"ended"}],` +
	`"change":{"data":{"n":3}},"chart":"digest","data":{"n":3,"x":3.0},"deferred":true,"effect":"k1","event":"go","from":["a"],"id":"e1","invocation":"i1",` +
	`"origin":"other","outcome":"taken","reason":{"code":"limit","message":"too much"},"sendID":"s1","sender":"client","sequence":7,` +
	`"source":{"entry":2,"id":"call","kind":"invoke"},"status":"active","step":4,"time":1700000000500,"to":["b.c","d"]}`

func TestRecordIsCanonical(t *testing.T) {
	for _, c := range []struct {
		name string
		r    host.Record
		want string
	}{
		{"everything", fullRow, fullText},
		{"nothing that can be left out", host.Record{Sequence: 1, Event: "x", Outcome: "ignored", Status: "active"},
			`{"event":"x","from":[],"outcome":"ignored","sequence":1,"status":"active","time":0,"to":[]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.r.Encode()
			if err != nil || string(got) != c.want {
				t.Fatalf("got  %s (%v)\nwant %s", got, err, c.want)
			}
			back, err := host.DecodeRecord(got)
			if err != nil {
				t.Fatal(err)
			}
			again, err := back.Encode()
			if err != nil || string(again) != c.want {
				t.Errorf("read and written again: %s (%v)", again, err)
			}
			canonical, err := host.Encode(back)
			if err != nil || len(c.r.From) > 0 && string(canonical) != c.want {
				t.Errorf("the general writer says %s (%v)", canonical, err)
			}
		})
	}
	back, err := host.DecodeRecord([]byte(fullText))
	if want := fullRow; err == nil {
		want.Hash = ""
		if !reflect.DeepEqual(back, want) {
			t.Errorf("got  %+v\nwant %+v", back, want)
		}
	}
}

// A row of a newer version, or one that was edited, is not half understood.
func TestRecordIsStrict(t *testing.T) {
	for _, body := range []string{`{"sequence":1,"shape":2}`, `{"sequence":"1"}`, `{"Sequence":1}`, `[]`, `{"sequence":1}x`} {
		if r, err := host.DecodeRecord([]byte(body)); err == nil {
			t.Errorf("%s was read as %+v", body, r)
		}
	}
	r := host.Record{Event: "x", Data: func() {}}
	if got, err := r.Encode(); err == nil || err.Error()[:6] != "data: " {
		t.Errorf("data that cannot be kept: %s (%v)", got, err)
	}
}

// How long an event waited, and never less than nothing.
func TestTook(t *testing.T) {
	for _, c := range []struct{ accepted, time, want int64 }{{0, 500, 0}, {100, 500, 400}, {500, 100, 0}, {7, 7, 0}} {
		if got := (&host.Record{AcceptedAt: c.accepted, Time: c.time}).Took(); got != c.want {
			t.Errorf("accepted at %d, taken at %d: %d, want %d", c.accepted, c.time, got, c.want)
		}
	}
}
