package transcript_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/detent-run/detent/charttest/transcript"
	"github.com/detent-run/detent/statechart"
)

const head = "# Pins down a thing.\n\n"

func TestBadTranscripts(t *testing.T) {
	for name, c := range map[string]struct{ text, place, says, hint string }{
		"empty":           {"", "x", "without a step", "start"},
		"comments only":   {"# nothing\n", "x", "without a step", "start"},
		"no head":         {"start\n", "x:1", "does not say what it pins down", "# Pins down"},
		"empty head":      {"#\n\nstart\n", "x:1", "does not say what it pins down", ""},
		"unknown step":    {head + "open the door\n", "x:3", `no step "open"`, "start, context, send"},
		"misspelt step":   {head + "start\nsned open\n", "x:4", `no step "sned"`, ""},
		"one letter off":  {head + "start\nsent open\n", "x:4", `no step "sent"`, "did you mean send?"},
		"not indented":    {head + "start\nin closed\n", "x:4", `no step "in"`, "expected lines are indented"},
		"headline":        {head + "start\nopen: taken\n", "x:4", `no step "open:"`, "expected lines are indented"},
		"expected first":  {head + "  in closed\nstart\n", "x:3", "before the first step", "first column"},
		"after a comment": {head + "start\n# hm\n  in closed\n", "x:5", "after a comment", "before a step"},
		"no event":        {head + "send\n", "x:3", "send needs an event", "send EVENT [DATA]"},
		"data first":      {head + `send {"a": 1}` + "\n", "x:3", "send needs an event", "send EVENT [DATA]"},
		"no id":           {head + "done\n", "x:3", "done needs the id of a call", "done ID [DATA]"},
		"no context":      {head + "context\n", "x:3", "context needs data", "context DATA"},
		"more than asked": {head + "restore now\n", "x:3", `nothing can follow here: "now"`, "restore"},
		"no JSON":         {head + "send open {task: 1}\n", "x:3", "no JSON", "quotes"},
		"bare text":       {head + "send open hello\n", "x:3", "no JSON", "quotes"},
		"two values":      {head + "send open 1 2\n", "x:3", `something follows the document: "2" at character 3`, ""},
		"cut JSON":        {head + "send open {\"a\": [1\n", "x:3", "the [ that opens here is not closed at character 7", ""},
		"field twice":     {head + "send open {\"a\": 1, \"a\": 2}\n", "x:3", `"a" stands twice`, ""},
		"big number":      {head + "send open 9223372036854775808\n", "x:3", "does not fit a 64-bit integer", ""},
		"huge number":     {head + "send open 1e999\n", "x:3", "too large", ""},
		"deep data":       {head + "send open " + strings.Repeat("[", 200) + strings.Repeat("]", 200) + "\n", "x:3", "deeper than 100", ""},
		"no sender":       {head + "as\n", "x:3", "as needs a sender", "as SENDER"},
		"unknown sender":  {head + "as nobody\n", "x:3", `no sender "nobody"`, "client, model, human"},
		"no time":         {head + "advance\n", "x:3", "advance needs a time", "advance DURATION"},
		"bare number":     {head + "advance 45\n", "x:3", `no time "45"`, "45s"},
		"microseconds":    {head + "advance 3us\n", "x:3", `no time "3us"`, "500ms"},
		"back in time":    {head + "advance -1s\n", "x:3", `no time "-1s"`, ""},
		"half a day":      {head + "advance 0.5d\n", "x:3", `no time "0.5d"`, ""},
		"long ages":       {head + "advance 99999999999999999999d\n", "x:3", "no time", ""},
		"session alone":   {head + "@other\n", "x:3", "a session without a step", "@ID"},
		"no session":      {head + "@ send open\n", "x:3", "a session without a step", "@ID"},
		"not UTF-8":       {head + "send open\n\xff\n", "x:4", "not UTF-8", ""},
		"too long":        {head + "start\n" + strings.Repeat("\n", 1<<20), "x", "longer than", "split it"},
	} {
		t.Run(name, func(t *testing.T) {
			script, err := transcript.Parse("x", []byte(c.text))
			var e *statechart.Error
			if !errors.As(err, &e) || script != nil {
				t.Fatalf("the answer is %v, %v", script, err)
			}
			if e.Code != transcript.CodeTranscript || e.Path != c.place || !strings.Contains(e.Message, c.says) || !strings.Contains(e.Hint, c.hint) {
				t.Errorf("the error is %s %q\nwant %s: … %s … (… %s …)", e.Code, e, c.place, c.says, c.hint)
			}
		})
	}
}

func TestAllBadLinesAreListed(t *testing.T) {
	_, err := transcript.Parse("x", []byte(head+"start\nopen\nsend\n  in closed\nadvance 3\n"))
	list, ok := err.(statechart.Errors)
	if !ok || len(list) != 3 || list[0].Path != "x:4" || list[1].Path != "x:5" || list[2].Path != "x:7" {
		t.Errorf("the errors are:\n%v", err)
	}
	_, err = transcript.Parse("x", []byte(head+strings.Repeat("open\n", 1000)))
	if list, _ := err.(statechart.Errors); len(list) != 20 {
		t.Errorf("%d errors are listed", len(list))
	}
}

func TestStepsAreRead(t *testing.T) {
	for line, want := range map[string]transcript.Step{
		"start":                   {Verb: "start"},
		`start {"n": 1}`:          {Verb: "start", Data: map[string]any{"n": int64(1)}},
		"send open":               {Verb: "send", Name: "open"},
		"send  open \t [1, 1.0] ": {Verb: "send", Name: "open", Data: []any{int64(1), 1.0}},
		`send a.b "x y"`:          {Verb: "send", Name: "a.b", Data: "x y"},
		"queue open null":         {Verb: "queue", Name: "open"},
		"@p/call/3 send open":     {Session: "p/call/3", Verb: "send", Name: "open"},
		"advance 500ms":           {Verb: "advance", Name: "500ms", Time: 500},
		"advance 1m30s":           {Verb: "advance", Name: "1m30s", Time: 90_000},
		"advance 2d12h":           {Verb: "advance", Name: "2d12h", Time: 60 * 3_600_000},
		"advance 30d":             {Verb: "advance", Name: "30d", Time: 30 * 86_400_000},
		"advance next":            {Verb: "advance", Name: "next", Time: transcript.Next},
		"as human":                {Verb: "as", Name: "human"},
		"progress call 0.5":       {Verb: "progress", Name: "call", Data: 0.5},
	} {
		script, err := transcript.Parse("x", []byte(head+line+"\n"))
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		got := script.Steps[0]
		if want.Session == "" {
			want.Session = "main"
		}
		if got.Session != want.Session || got.Verb != want.Verb || got.Name != want.Name || got.Time != want.Time || !reflect.DeepEqual(got.Data, want.Data) {
			t.Errorf("%s is read as %+v", line, got)
		}
		if got.Line != 3 {
			t.Errorf("%s stands in line %d", line, got.Line)
		}
	}
}

func TestHead(t *testing.T) {
	script, err := transcript.Parse("x", []byte("\n# One.\n#   Two.\n\n# Of the step.\nstart\r\n  in a\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	if script.Head() != "One.\nTwo." {
		t.Errorf("the head is %q", script.Head())
	}
	if want := script.Steps[0].Want; len(want) != 1 || want[0] != "  in a" {
		t.Errorf("expected is %q", want)
	}
}
