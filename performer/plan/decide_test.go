package plan_test

import (
	"testing"

	"github.com/detent-run/detent/host"
	"github.com/detent-run/detent/performer/plan"
)

func TestDecides(t *testing.T) {
	step := object{"step": object{"tool": "calc", "input": "x"}}
	for _, c := range []struct {
		name    string
		input   any
		choices []string
		want    string
	}{
		{"a step", step, []string{"call_tool", "finish_execution"}, `{"data":{"tool":"calc"},"event":"call_tool","planner":"fixed"}`},
		{"behind the last", object{"step": nil}, []string{"call_tool", "finish_execution"}, `{"data":{"tokens":0},"event":"finish_execution","planner":"fixed"}`},
		{"no input", nil, nil, `{"data":{"tokens":0},"event":"finish_execution","planner":"fixed"}`},
		{"not offered", step, []string{"hold", "fold"}, "no_choice"},
	} {
		o := plan.Decider().Perform(t.Context(), host.Call{Input: c.input, Choices: c.choices})
		got := ""
		if o.Failure != nil {
			got = o.Failure.Code
		} else if text, err := host.Encode(o.Output); err == nil {
			got = string(text)
		}
		if got != c.want {
			t.Errorf("%s: it gives %s, want %s", c.name, got, c.want)
		}
	}
}

// The task is the first paragraph: what follows it is for models.
func TestTheFirstParagraphIsTheTask(t *testing.T) {
	o := plan.New("web_search", "calc", "file_writer", "code_executor").Perform(t.Context(), host.Call{Input: object{"prompt": "Report with file_writer.\n\nUse calc."}})
	text, err := host.Encode(o.Output)
	if want := `{"planner":"fixed","steps":[{"input":{"content":"Report with file_writer.\u000a","op":"write","path":"report.md"},"tool":"file_writer"}],"tokens":0}`; err != nil || string(text) != want {
		t.Errorf("it plans %s, %v; want %s", text, err, want)
	}
}
