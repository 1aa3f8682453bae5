package human_test

import (
	"strings"
	"testing"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/performer/human"
)

type object = map[string]any

func TestQuestions(t *testing.T) {
	for _, c := range []struct {
		name, src string
		input     any
		want      string // the outcome, as JSON
	}{
		{
			"the least", "human:approve", object{"question": "Call again?"},
			`{"kind":"wait","question":{"kind":"approve","text":"Call again?"}}`,
		},
		{
			"everything", "human:input",
			object{
				"question": "How much?", "detail": object{"customer": "c-1"}, "schema": object{"type": "integer"},
				"who": []any{"ann", "clerks"}, "deadline": "15m", "default": int64(0),
			},
			`{"kind":"wait","question":{"default":0,"detail":{"customer":"c-1"},"kind":"input","schema":{"type":"integer"},` +
				`"text":"How much?","who":["ann","clerks"],"within":900000}}`,
		},
		{
			"one name and days", "human:approve", object{"question": "Pay?", "who": "ann", "deadline": "3d", "default": false},
			`{"kind":"wait","question":{"default":false,"kind":"approve","text":"Pay?","who":["ann"],"within":259200000}}`,
		},
		{
			"milliseconds", "human:approve", object{"question": "Pay?", "deadline": int64(500)},
			`{"kind":"wait","question":{"kind":"approve","text":"Pay?","within":500}}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := host.Encode(human.New().Perform(t.Context(), host.Call{Src: c.src, Input: c.input}))
			if err != nil || string(got) != c.want {
				t.Errorf("the outcome is %s, %v\nwanted %s", got, err, c.want)
			}
		})
	}
}

func TestBadQuestions(t *testing.T) {
	ask := func(more ...any) object {
		o := object{"question": "Pay?"}
		for i := 0; i < len(more); i += 2 {
			o[more[i].(string)] = more[i+1]
		}
		return o
	}
	for _, c := range []struct {
		name, src string
		input     any
		want      string
	}{
		{"another source", "human:guess", ask(), `a person cannot be asked by "human:guess"; write human:approve or human:input`},
		{"no input", "human:approve", nil, "the input must be an object with a question"},
		{"text", "human:approve", "Pay?", "the input must be an object with a question"},
		{"no question", "human:approve", object{"detail": "x"}, "question: must be there, as text"},
		{"blank", "human:approve", object{"question": " \n"}, "question: must be text with something in it"},
		{"a number", "human:approve", object{"question": int64(1)}, "question: must be text with something in it"},
		{"long", "human:approve", object{"question": strings.Repeat("x", 1<<15)}, "question: is 32768 bytes long, and may be 16384; put the rest into detail"},
		{"misspelt", "human:approve", ask("deatline", "1s"), "deatline: there is no such field; there are question, detail, schema, who, deadline and default"},
		{"schema", "human:input", ask("schema", "integer"), "schema: must be a JSON Schema, which is an object"},
		{"nobody", "human:input", ask("who", []any{}), "who: must be 1 to 100 names, not 0"},
		{"who is a number", "human:input", ask("who", []any{"ann", int64(1)}), "who: must be a name or a list of names"},
		{"no duration", "human:input", ask("deadline", "soon"), `deadline: "soon" is no duration; write 45s, 15m or 3d`},
		{"the past", "human:input", ask("deadline", "-1s"), "deadline: must be 1 ms to 3650 days"},
		{"no time", "human:input", ask("deadline", int64(0)), "deadline: must be 1 ms to 3650 days"},
		{"for ever", "human:input", ask("deadline", "65535d"), "deadline: must be 1 ms to 3650 days"},
		{"a fraction", "human:input", ask("deadline", 1.5), "deadline: must be milliseconds or a duration such as 15m"},
		{"default and no deadline", "human:input", ask("default", int64(1)), "default: needs a deadline, which it is the answer after"},
		{"default of an approval", "human:approve", ask("default", "yes", "deadline", "1s"), "default: must be true (approved) or false (rejected)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := human.New().Perform(t.Context(), host.Call{Src: c.src, Input: c.input})
			want := host.Failure{Code: "bad_input", Message: c.want, Final: true}
			if got.Kind != host.KindError || got.Failure == nil || *got.Failure != want {
				t.Errorf("the outcome is %+v, %+v\nwanted %+v", got, got.Failure, want)
			}
		})
	}
}
