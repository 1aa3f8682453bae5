package plan_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/performer/plan"
)

type object = map[string]any

func TestPlans(t *testing.T) {
	for _, c := range []struct {
		name  string
		tools []string
		input any
		want  string
	}{
		{
			"no tools", nil, object{"prompt": "Find the office."},
			`{"planner":"fixed","steps":[{"input":{"query":"Find the office."},"tool":"web_search"}],"tokens":0}`,
		},
		{
			"none named", []string{"notes", "calc"}, object{"prompt": "x"},
			`{"planner":"fixed","steps":[{"input":{"code":"output = len(input)","input":"x"},"tool":"calc"}],"tokens":0}`,
		},
		{
			"in the order of the prompt", []string{"a", "calc", "mark", "notes", "web_search"}, object{"prompt": "web_search, notes, mark, calc"},
			`{"planner":"fixed","steps":[` +
				`{"input":{"query":"web_search, notes, mark, calc"},"tool":"web_search"},` +
				`{"input":{"content":"web_search, notes, mark, calc\u000a","op":"write","path":"report.md"},"tool":"notes"},` +
				`{"input":{"task":"web_search, notes, mark, calc"},"tool":"mark"}],"tokens":0}`,
		},
		{
			"the longer name", []string{"bank", "bank.pay"}, object{"prompt": "bank.pay now"},
			`{"planner":"fixed","steps":[{"input":{"task":"bank.pay now"},"tool":"bank.pay"}],"tokens":0}`,
		},
		{
			"messages", nil, object{"messages": []any{object{"content": "a"}, object{"content": " b "}}},
			`{"planner":"fixed","steps":[{"input":{"query":"b"},"tool":"web_search"}],"tokens":0}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			planner := plan.New(c.tools...)
			for range 2 {
				o := planner.Perform(t.Context(), host.Call{Input: c.input})
				got, err := host.Encode(o.Output)
				if err != nil || o.Kind != host.KindDone || string(got) != c.want {
					t.Errorf("the outcome is %s %s, %v\nwanted %s", o.Kind, got, err, c.want)
				}
			}
		})
	}
}

func TestNothingToPlan(t *testing.T) {
	for _, input := range []any{nil, "x", object{}, object{"prompt": "  "}, object{"prompt": int64(1)}, object{"messages": []any{}}, object{"messages": []any{"x"}}} {
		o := plan.New().Perform(t.Context(), host.Call{Input: input})
		if o.Kind != host.KindError || o.Failure.Code != "bad_input" || !o.Failure.Final {
			t.Errorf("of %v the outcome is %+v", input, o)
		}
	}
}

// A long prompt is cut between two characters.
func TestLongPrompt(t *testing.T) {
	o := plan.New().Perform(t.Context(), host.Call{Input: object{"prompt": "a" + strings.Repeat("é", 10_000)}})
	query := o.Output.(object)["steps"].([]any)[0].(object)["input"].(object)["query"].(string)
	if len(query) > 600 || !utf8.ValidString(query) || !strings.HasSuffix(query, "é…") {
		t.Errorf("the query is %q", query)
	}
}
