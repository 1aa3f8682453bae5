package host_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/detent-run/detent/host"
)

// What a record keeps is the same bytes for the same data: keys in order,
// whole numbers and others apart, nothing that has no value.
func TestEncodeIsCanonical(t *testing.T) {
	type inner struct {
		B string `json:"b,omitempty"`
		A int    `json:"a"`
	}
	for _, c := range []struct {
		name string
		in   any
		want string
	}{
		{"keys are sorted", map[string]any{"b": int64(1), "a": int64(2), "Z": nil}, `{"Z":null,"a":2,"b":1}`},
		{"3 and 3.0 are two numbers", []any{int64(3), 3.0, -0.5, 1e21}, `[3,3.0,-0.5,1e+21]`},
		{"numbers past 2^53 are exact", int64(9007199254740993), `9007199254740993`},
		{"a struct by its tags", inner{A: 7}, `{"a":7}`},
		{"fields in the order of their names", inner{A: 7, B: "x"}, `{"a":7,"b":"x"}`},
		{"pointers and nothing", []any{&inner{}, (*inner)(nil), nil}, `[{"a":0},null,null]`},
		{"raw JSON is read and written anew", struct {
			Raw json.RawMessage `json:"raw"`
		}{json.RawMessage(` { "b" : 2.0, "a" : 1 } `)}, `{"raw":{"a":1,"b":2.0}}`},
		{"text that is not ASCII", "ä \"q\" \u2028 <>&", "\"ä \\\"q\\\" \u2028 <>&\""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for range 20 {
				got, err := host.Encode(c.in)
				if err != nil || string(got) != c.want {
					t.Fatalf("got %s (%v), want %s", got, err, c.want)
				}
			}
		})
	}
}

// What was encoded comes back as it was.
func TestDecodeGivesBackWhatWasThere(t *testing.T) {
	want := host.Outcome{Kind: host.KindMore, Output: map[string]any{"n": int64(3), "x": 3.0, "list": []any{int64(1), "a", nil, true}},
		Failure: &host.Failure{Code: "busy", Status: 429, Executed: true, RetryAfter: 1500, Detail: []any{0.5}},
		More: &host.More{Effects: []host.Request{{Src: "tool:a", Mode: host.Reconcile, Timeout: 5, Retry: &host.Retry{Max: 2, On: []string{"busy"}}}},
			Continuation: json.RawMessage(`{"at":2}`)},
		Question: &host.Question{Text: "may I?", Kind: "approve", Who: []string{"ann"}, Within: 60_000, Default: false}}
	body, err := host.Encode(want)
	if err != nil {
		t.Fatal(err)
	}
	var got host.Outcome
	if err := host.Decode(body, &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	again, err := host.Encode(got)
	if err != nil || string(again) != string(body) {
		t.Errorf("encoded again: %s (%v), want %s", again, err, body)
	}
}

// A body that another program wrote is refused, not half understood.
func TestDecodeIsStrict(t *testing.T) {
	for _, c := range []struct{ name, body string }{
		{"a field that is not known", `{"kind":"done","extra":1}`},
		{"a name in other letters", `{"Kind":"done"}`},
		{"a name twice", `{"kind":"done","kind":"error"}`},
		{"something behind it", `{"kind":"done"} {}`},
		{"nothing", ``},
		{"depth without end", `{"kind":"done","output":` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + `}`},
	} {
		var o host.Outcome
		if err := host.Decode([]byte(c.body), &o); err == nil {
			t.Errorf("%s: read as %+v", c.name, o)
		}
	}
}

// What is no data is an error that names the place.
func TestEncodeRefusesWhatIsNoData(t *testing.T) {
	for _, v := range []any{func() {}, make(chan int), map[string]any{"f": func() {}}, []any{complex(1, 2)}, "\xff"} {
		if got, err := host.Encode(v); err == nil {
			t.Errorf("%T was written as %s", v, got)
		}
	}
	_, err := host.Encode(host.Outcome{Kind: host.KindDone, Output: func() {}})
	if err == nil || !strings.HasPrefix(err.Error(), "output: ") {
		t.Errorf("got %v, want the name of the field", err)
	}
}
