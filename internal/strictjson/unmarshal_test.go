package strictjson_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/detent-run/detent/internal/strictjson"
)

type kind string

// source reads itself from an object with one key.
type source string

func (s *source) UnmarshalJSON(data []byte) error {
	var m map[string]string
	if err := strictjson.Unmarshal(data, strictjson.Limits{}, &m); err != nil {
		return err
	}
	text, ok := m["source"]
	if !ok {
		return errors.New("the source is missing")
	}
	*s = source(text)
	return nil
}

type state struct {
	Name    string            `json:"name"`
	Kind    kind              `json:"kind,omitempty"`
	States  []state           `json:"states,omitempty"`
	Not     *state            `json:"not,omitempty"`
	Value   any               `json:"value,omitempty"`
	Meta    map[string]any    `json:"meta,omitempty"`
	Tags    map[kind][]string `json:"tags,omitempty"`
	Final   bool              `json:"final,omitempty"`
	Count   int               `json:"count,omitempty"`
	Small   uint8             `json:"small,omitempty"`
	Big     int64             `json:"big,omitempty"`
	Ratio   float64           `json:"ratio,omitempty"`
	Source  source            `json:"source,omitempty"`
	Further *source           `json:"further,omitempty"`
	Raw     json.RawMessage   `json:"raw,omitempty"`
	Bare    string
	Secret  string `json:"-"`
	hidden  string
}

func TestUnmarshal(t *testing.T) {
	text := `{"name": "a", "kind": "final", "states": [{"name": "b"}, {"name": "c", "states": []}], "not": {"name": "d"},
		"value": [1, 1.0, {"x": null}], "meta": {"y": 9007199254740993}, "tags": {"k": ["v"]}, "final": true, "count": -3, "small": 255,
		"big": 9223372036854775807, "ratio": 3, "source": {"source": "s"}, "further": {"source": "t"}, "raw": [1,  2], "Bare": "x"}`
	further := source("t")
	want := state{
		Name: "a", Kind: "final", States: []state{{Name: "b"}, {Name: "c", States: []state{}}}, Not: &state{Name: "d"},
		Value: []any{int64(1), 1.0, map[string]any{"x": nil}}, Meta: map[string]any{"y": int64(9007199254740993)},
		Tags: map[kind][]string{"k": {"v"}}, Final: true, Count: -3, Small: 255, Big: 9223372036854775807, Ratio: 3,
		Source: "s", Further: &further, Raw: json.RawMessage("[1,  2]"), Bare: "x", Secret: "kept", hidden: "kept",
	}
	got := state{Secret: "kept", hidden: "kept"}
	if err := strictjson.Unmarshal([]byte(text), strictjson.Limits{}, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("it is\n%+v, want\n%+v; %v", got, want, err)
	}
	got = state{States: []state{{}}, Not: &state{}, Value: 1, Meta: map[string]any{"a": 1}}
	if err := strictjson.Unmarshal([]byte(`{"states": null, "not": null, "value": null, "meta": null}`), strictjson.Limits{}, &got); err != nil || !reflect.DeepEqual(got, state{}) {
		t.Errorf("null leaves %+v; %v", got, err)
	}
}

func TestUnmarshalRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`{"name": "a", "Name": "b"}`:                          `Name: there is no key "Name" here at line 1, column 15 (did you mean "name"?)`,
		"{\"states\": [{}, {\"states\": [\n{\"nmae\": 1}]}]}": `states[1].states[0].nmae: there is no key "nmae" here at line 2, column 2 (did you mean "name"?)`,
		`{"colour": 1}`:                    `colour: there is no key "colour" here at line 1, column 2`,
		`{"name": 1}`:                      `name: it takes text, not a number at line 1, column 10`,
		`{"name": null}`:                   `name: it cannot be null at line 1, column 10 (leave the key out)`,
		`{"final": "true"}`:                `final: it takes true or false, not text at line 1, column 11`,
		`{"states": {}}`:                   `states: it takes a list, not an object at line 1, column 12`,
		`{"meta": []}`:                     `meta: it takes an object, not a list at line 1, column 10`,
		`{"not": []}`:                      `not: it takes an object, not a list at line 1, column 9`,
		`{"count": 1.0}`:                   `count: it takes a whole number, not 1.0 at line 1, column 11`,
		`{"count": "1"}`:                   `count: it takes a number, not text at line 1, column 11`,
		`{"small": 256}`:                   `small: the number 256 does not fit here at line 1, column 11`,
		`{"big": 9223372036854775808}`:     `big: the number 9223372036854775808 does not fit here at line 1, column 9`,
		`{"ratio": 9007199254740993}`:      `ratio: the number 9007199254740993 does not fit here at line 1, column 11`,
		`{"ratio": 9223372036854775807}`:   `ratio: the number 9223372036854775807 does not fit here at line 1, column 11`,
		`{"value": [9223372036854775808]}`: `value[0]: the number 9223372036854775808 does not fit a 64-bit integer at line 1, column 12 (write it as text, or with a decimal point)`,
		`{"tags": {"k": [1]}}`:             `tags.k[0]: it takes text, not a number at line 1, column 17`,
		"{\n\"source\": {\"source\": 1}}":  `source.source: it takes text, not a number at line 2, column 22`,
		`{"source": {}}`:                   `source: the source is missing at line 1, column 12`,
		`{"further": {"other": "x"}}`:      `further: the source is missing at line 1, column 13`,
		`{"hidden": "x"}`:                  `hidden: there is no key "hidden" here at line 1, column 2`,
		`{"-": "x", "name": "a"}`:          `-: there is no key "-" here at line 1, column 2`,
		`[]`:                               `it takes an object, not a list at line 1, column 1`,
		`{"name": "a"} x`:                  `something follows the document: "x" at line 1, column 15 (text stands in double quotes)`,
		`{"value": {"a": 1, "a": 2}}`:      `the key "a" stands twice, first at line 1, column 12 at line 1, column 20`,
	} {
		var s state
		err := strictjson.Unmarshal([]byte(text), strictjson.Limits{}, &s)
		if err == nil {
			t.Errorf("%s is taken as %+v", text, s)
		} else if err.Error() != want {
			t.Errorf("%s:\n got %s\nwant %s", text, err, want)
		}
	}
	for _, target := range []any{nil, state{}, (*state)(nil), new(chan int), new(map[int]string)} {
		if err := strictjson.Unmarshal([]byte(`{}`), strictjson.Limits{}, target); err == nil {
			t.Errorf("%T is read into", target)
		}
	}
}

// What encoding/json writes is read as it reads it.
func TestUnmarshalAsEncodingJSON(t *testing.T) {
	text, err := json.Marshal(state{Name: strings.Repeat("é\x01", 3), States: []state{{Value: []any{1.5, "x", nil}}}, Ratio: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	text = []byte(strings.ReplaceAll(string(text), `"source":"",`, ""))
	var a, b state
	if err := strictjson.Unmarshal(text, strictjson.Limits{}, &a); err != nil {
		t.Fatal(err)
	}
	text = []byte(strings.ReplaceAll(string(text), `"source":{"source":""},`, ""))
	if err := json.Unmarshal(text, &b); err != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("it is\n%+v, and\n%+v; %v", a, b, err)
	}
}
