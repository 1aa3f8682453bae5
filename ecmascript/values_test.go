package ecmascript

import (
	"cmp"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile/scxml"
	"github.com/detent-run/detent/statechart"
)

// The data of an event may be of any type that the core takes.
func TestDataOfEvents(t *testing.T) {
	d := document{variables: map[string]any{"got": nil}, blocks: [][]statechart.Action{block(assign("got", "_event.data"))}}
	for _, x := range []struct{ data, want any }{
		{int(1), int64(1)}, {int8(-2), int64(-2)}, {uint64(3), int64(3)}, {float32(0.5), 0.5}, {[]string{"a"}, []any{"a"}}, {nil, nil},
		{map[string]any{"n": []any{int32(4)}}, map[string]any{"n": []any{int64(4)}}}, {"\u0000"[:0], ""}, {"\u001f\"\\\u2028", "\u001f\"\\\u2028"},
	} {
		in := d.chart(t, trusted).Instance(nil)
		in.Send(statechart.Event{Name: "go", Data: x.data})
		if data := in.Data()[""]; !reflect.DeepEqual(data["got"], x.want) || len(data["failed"].([]any)) > 0 {
			t.Errorf("%#v arrives as %#v, %q", x.data, data["got"], data["failed"])
		}
	}
}

// An object that a stranger sends is no function, whatever it looks like.
func TestNoFunctionsFromOutside(t *testing.T) {
	d := document{variables: map[string]any{"kind": nil, "kept": nil}, blocks: [][]statechart.Action{
		block(assign("kind", "typeof _event.data + typeof _event.data.f")), block(assign("kept", "_event.data")),
	}}
	in := d.chart(t, trusted).Instance(nil)
	in.Send(statechart.Event{Name: "go", Data: map[string]any{"f": map[string]any{"$function": "() => 1"}}})
	if data := in.Data()[""]; data["kind"] != "objectobject" || data["kept"] != nil || len(data["failed"].([]any)) != 1 {
		t.Errorf("the variables are %v", data)
	}
}

// Data of an event that are no data of a chart cannot be read, and hurt
// nobody.
func TestDataThatAreNone(t *testing.T) {
	inItself := map[string]any{}
	inItself["it"] = []any{inItself}
	var deep, bomb any
	for range 65 {
		deep, bomb = []any{deep}, []any{bomb, bomb}
	}
	wide := make([]any, 1000)
	for i := range wide {
		wide[i] = make([]any, 1000)
	}
	d := document{variables: map[string]any{"got": "none", "after": nil}, blocks: [][]statechart.Action{block(assign("got", "typeof _event.data")), block(assign("after", "1"))}}
	const tooDeep, tooMany = "_event: nested deeper than 64", "_event: made of more than 100000 values"
	for _, x := range []struct {
		data any
		says string
	}{{inItself, tooDeep}, {deep, tooDeep}, {bomb, tooDeep}, {wide, tooMany}, {struct{}{}, "_event: a struct {} is no data of a chart"}} {
		in := d.chart(t, trusted).Instance(nil)
		in.Send(statechart.Event{Name: "go", Data: x.data})
		if data := in.Data()[""]; data["got"] != "none" || data["after"] != int64(1) || !reflect.DeepEqual(data["failed"], []any{x.says}) {
			t.Errorf("%s: the variables are %v", x.says, data)
		}
	}
}

// A child process in the hands of hostile code may answer anything; the
// session hears of an error.
func TestForgedResponses(t *testing.T) {
	for _, text := range []string{
		` `, `{`, `[]`, `"text"`, `{"value":1}{}`, `{"value":` + strings.Repeat("[", 20000) + `}`, `{"value":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}`,
		`{"value":1e999}`, `{"value":"\u0000"}`, `{"value":{"a\u0000":1}}`, `{"changed":1}`, `{"changed":{"x":[`, `{}`, `{"error":"it says so"}`,
	} {
		d := document{variables: map[string]any{"got": "none"}, blocks: [][]statechart.Action{block(assign("got", "1"))}}
		registry := statechart.NewRegistry()
		forged := &forger{}
		registry.Language(newLanguage(forged, scxml.Details{}))
		chart, err := statechart.Compile(d.definition(), registry)
		if err != nil {
			t.Fatal(err)
		}
		forged.text = text
		in := chart.Instance(nil)
		in.Send(statechart.Event{Name: "go"})
		if data := in.Data()[""]; data["got"] != "none" || in.Status() != statechart.Active {
			t.Errorf("%.40q makes %v, %v", text, data, in.Status())
		}
	}
}

// forger answers always the same. Empty: that all is well.
type forger struct{ text string }

func (f *forger) evaluate(request) ([]byte, error) {
	return []byte(cmp.Or(f.text, "{}")), nil
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]any{
		"0": int64(0), "-0": int64(0), "1.0": int64(1), "1e3": int64(1000), "9007199254740992": int64(1) << 53,
		"9007199254740994": 9007199254740994.0, "-1e300": -1e300, "0.1": 0.1, "123456789012345678901234567890": 123456789012345678901234567890.0,
	} {
		if got, err := decode(json.RawMessage(text)); got != want || err != nil {
			t.Errorf("%s is %#v, %v", text, got, err)
		}
	}
}
