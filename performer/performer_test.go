package performer_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/performer"
)

func redact(s string) string { return strings.ReplaceAll(s, "canary", "[secret]") }

// No part of an outcome keeps a secret, and what it was made from is not
// changed.
func TestClean(t *testing.T) {
	data := map[string]any{"a canary": []any{"x canary", map[string]any{"b": "canary"}}, "n": int64(1)}
	for _, o := range []host.Outcome{
		host.Done(data),
		host.Failed(host.Failure{Code: "canary", Message: "the canary sings", Detail: data, Status: 3}),
		host.Unknown("x", "canary"),
		host.GoOn(host.More{Effects: []host.Request{{Src: "tool:x", Input: data}}, Continuation: json.RawMessage(`{"k":"canary"}`)}),
	} {
		before, err := host.Encode(o)
		if err != nil {
			t.Fatal(err)
		}
		clean, err := host.Encode(performer.Clean(o, redact))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := string(clean), redact(string(before)); got != want {
			t.Errorf("it became %s\nwanted %s", got, want)
		}
		if after, _ := host.Encode(o); string(after) != string(before) {
			t.Errorf("the outcome itself became %s", after)
		}
		if same, _ := host.Encode(performer.Clean(o, nil)); string(same) != string(before) {
			t.Errorf("without secrets it became %s", same)
		}
	}
	two := map[string]any{"canary": int64(1), "[secret]": int64(2)}
	for range 20 {
		if got := performer.CleanValue(two, redact).(map[string]any)["[secret]"]; got != int64(1) {
			t.Fatalf("of two keys that become one the value is %v", got)
		}
	}
}

// A secret of digits is one as a number, too; a number that only has its
// digits stays.
func TestCleanNumbers(t *testing.T) {
	pin := func(s string) string { return strings.ReplaceAll(s, "471100", "•••") }
	for _, c := range []struct{ in, want any }{
		{int64(471100), "•••"}, {471100.0, "•••"}, {int64(4711001), int64(4711001)}, {0.471100, 0.4711}, {int64(7), int64(7)}, {true, true}, {nil, nil},
	} {
		if got := performer.CleanValue([]any{c.in}, pin).([]any)[0]; got != c.want {
			t.Errorf("%v becomes %v, want %v", c.in, got, c.want)
		}
	}
}

func TestFailures(t *testing.T) {
	for _, c := range []struct {
		row  performer.Failure
		want string
	}{
		{performer.Failure{}, `{"failure":{"code":"own","executed":true,"status":7},"kind":"unknown"}`},
		{performer.Failure{Code: "mine"}, `{"failure":{"code":"mine","executed":true,"status":7},"kind":"unknown"}`},
		{performer.Failure{Executed: performer.Maybe}, `{"failure":{"code":"own","executed":true,"status":7},"kind":"unknown"}`},
		{performer.Failure{Code: "mine", Executed: performer.Yes}, `{"failure":{"code":"mine","executed":true,"status":7},"kind":"error"}`},
		{performer.Failure{Code: "mine", Executed: performer.No}, `{"failure":{"code":"mine","status":7},"kind":"error"}`},
	} {
		got, err := host.Encode(c.row.Outcome(host.Failure{Code: "own", Status: 7}))
		if err != nil || string(got) != c.want {
			t.Errorf("%+v gives %s, %v", c.row, got, err)
		}
		if err := c.row.Check(); err != nil {
			t.Error(err)
		}
	}
}

func TestDecode(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, c := range []struct {
		text string
		ok   bool
	}{
		{`{"a": [1, 2.0, "x", null, true]}`, true}, {deep(64), true}, {deep(66), false}, {deep(100_000), false},
		{`{"a": 1, "a": 2}`, false}, {`{"a": 1} {}`, false}, {``, false}, {`1e999`, false}, {"\"\xff\"", false}, {`NaN`, false},
	} {
		if _, err := performer.Decode([]byte(c.text)); (err == nil) != c.ok {
			t.Errorf("of %.40q the error is %v", c.text, err)
		}
	}
}

func TestText(t *testing.T) {
	const words = "a ${ b }"
	head, whole := performer.Text(words).Literal()
	joined, err := performer.Join(performer.Text(words), performer.Scope{}, strings.ToUpper)
	if head != words || !whole || joined != words || err != nil {
		t.Errorf("%q, %v, %q, %v", head, whole, joined, err)
	}
	if _, err := performer.Join(performer.Text(strings.Repeat("x", 2<<20)), performer.Scope{}, nil); err == nil {
		t.Error("a text of 2 MiB is taken")
	}
}
