package transcript_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/detent-run/detent/charttest/transcript"
	"github.com/detent-run/detent/statechart"
)

type counter struct {
	N     int
	Notes []string
}

// counting has a typed context, a timer that never rests, a call, and two
// functions that they say nothing good of.
func counting(t *testing.T) *statechart.Chart {
	t.Helper()
	r := statechart.NewRegistry()
	statechart.Assign(r, "count", func(c *counter, e statechart.Event) { c.N++ })
	statechart.Guard(r, "few", func(c *counter, e statechart.Event) bool { return c.N < 2 })
	calls := 0
	statechart.Assign(r, "impure", func(c *counter, e statechart.Event) { calls++; c.N = calls })
	statechart.Guard(r, "fickle", func(*counter, statechart.Event) bool { calls++; return calls%2 == 1 })
	call := func(name string) []statechart.Action { return []statechart.Action{{Call: name}} }
	chart, err := statechart.Compile(statechart.Definition{ID: "counting", Root: statechart.State{
		Initial: "on",
		States: []statechart.State{{
			Name: "on",
			On: []statechart.Transition{
				{Event: "count", Guard: statechart.Condition{And: []statechart.Condition{statechart.When("few"), {In: "on"}}}, Actions: call("count")},
				{Event: "impure", Actions: call("impure")},
				{Event: "fickle", Guard: statechart.When("fickle"), Actions: call("count")},
				{Event: "loop", Actions: []statechart.Action{{Send: "loop"}}},
				{Event: "tick", Target: "ticking"},
			},
			Invoke: []statechart.Invocation{{ID: "work", Src: "tool:work"}},
		}, {
			Name:  "ticking",
			Every: []statechart.Timed{{Delay: "1ms", Transitions: []statechart.Transition{{Actions: call("count")}}}},
		}},
	}}, r)
	if err != nil {
		t.Fatal(err)
	}
	return chart
}

func play(t *testing.T, chart *statechart.Chart, text string, o transcript.Options) (*transcript.Result, error) {
	t.Helper()
	script, err := transcript.Parse("x", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return transcript.Play(chart, script, o)
}

func TestStepsThatCannotBeDone(t *testing.T) {
	for name, c := range map[string]struct{ text, place, says, hint string }{
		"not started":     {head + "send count\n", "x:3", "not started", "start"},
		"no such session": {head + "start\n@b send count\n", "x:4", `no session "b"`, "main"},
		"twice":           {head + "start\nstart\n", "x:4", "started already", "@ID"},
		"late context":    {head + "start\ncontext {}\n", "x:4", "has its context", "before start"},
		"no such field":   {head + "context {\"M\": 1}\nstart\n", "x:3", `"M"`, ""},
		"wrong type":      {head + "context {\"N\": \"1\"}\nstart\n", "x:3", "cannot be read", ""},
		"no such call":    {head + "start\ndone play\n", "x:4", `no call "play"`, "open is work"},
		"answered":        {head + "start\nprogress work\ndone work\ndone work\n", "x:6", `no call "work"`, ""},
		"no call":         {head + "start\nsend tick\ndone work\n", "x:5", `no call "work"`, "no call is open"},
		"queued last":     {head + "start\nqueue count\nshow\n", "x:4", "no step comes behind", "send"},
		"never rests":     {head + "start\nsend loop\n", "x:4", "do not come to rest", ""},
		"ticks for ever":  {head + "start\nsend tick\nadvance 30d\n", "x:5", "more than 10000 macrosteps", "less time"},
		"impure action":   {head + "start\nsend impure\n", "x:4", "lead to different states", "not pure"},
		"impure guard":    {head + "start\nsend fickle\n", "x:4", "differ in outcome (taken, ignored)", "not pure"},
	} {
		t.Run(name, func(t *testing.T) {
			result, err := play(t, counting(t), c.text, transcript.Options{})
			var e *statechart.Error
			if !errors.As(err, &e) || result != nil {
				t.Fatalf("the answer is %v, %v", result, err)
			}
			if e.Path != c.place || !strings.Contains(e.Message, c.says) || !strings.Contains(e.Hint, c.hint) {
				t.Errorf("the error is %q\nwant %s: … %s … (… %s …)", e, c.place, c.says, c.hint)
			}
		})
	}
}

func TestContextNeedsATypedChart(t *testing.T) {
	chart, err := statechart.Compile(statechart.Definition{ID: "plain"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = play(t, chart, head+"context {}\nstart\n", transcript.Options{})
	if err == nil || !strings.Contains(err.Error(), "x:3: the chart has no typed context") {
		t.Errorf("the error is %v", err)
	}
}

// secretive does not come back from JSON as it was; broken does not even go.
type secretive struct{ Shown, hidden int }

type broken struct{ F func() }

func TestContextsThatAreNoJSON(t *testing.T) {
	r := statechart.NewRegistry()
	statechart.Assign(r, "hide", func(c *secretive, e statechart.Event) { c.hidden++; c.Shown = c.hidden })
	hiding := event(t, r, "hide")
	r = statechart.NewRegistry()
	statechart.Assign(r, "break", func(c *broken, e statechart.Event) { c.F = func() {} })
	breaking := event(t, r, "break")
	for name, c := range map[string]struct {
		chart *statechart.Chart
		says  string
	}{
		"hidden": {hiding, "lead to different states"},
		"broken": {breaking, "cannot be written as a document"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := play(t, c.chart, head+"start\nsend go\nsend go\n", transcript.Options{})
			if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "InMemory") {
				t.Errorf("the error is %v", err)
			}
			result, err := play(t, c.chart, head+"start\nsend go\nsend go\n", transcript.Options{InMemory: true})
			if err != nil || len(result.Differences()) == 0 {
				t.Errorf("in memory it ends with %v, %v", result, err)
			}
			_, err = play(t, c.chart, head+"start\nrestore\n", transcript.Options{InMemory: true})
			if err == nil || !strings.Contains(err.Error(), "InMemory") {
				t.Errorf("a session in memory is restored: %v", err)
			}
		})
	}
}

// event makes a chart that does an action on the event go.
func event(t *testing.T, r *statechart.Registry, action string) *statechart.Chart {
	t.Helper()
	chart, err := statechart.Compile(statechart.Definition{ID: "one", Root: statechart.State{
		On: []statechart.Transition{{Event: "go", Actions: []statechart.Action{{Call: action}}}}}}, r)
	if err != nil {
		t.Fatal(err)
	}
	return chart
}

// good is a transcript that holds for counting.
const good = `# Pins down what this test plays.

# Not from zero.
context {"N": 1}
start
  detent.init: taken
    in on
    invoke work tool:work
    set N = 1

why count
  count: taken
    root.states.on.on[0]: and holds, taken
      few holds
      in on holds

queue count
advance 1s
  count: taken
    set N = 2

why count
  count: ignored (guard_false)
    root.states.on.on[0]: and does not hold
      few does not hold
      in on holds

events
  takes count, guarded
  takes impure
  takes fickle, guarded
  takes loop
  takes tick

done work [1, 2.0]
  done.invoke.work: ignored (not_taken)

restore
  in on
  data N = 2
  data Notes = null
# The end.
`

func TestAGoodTranscriptHolds(t *testing.T) {
	result, err := play(t, counting(t), good, transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range result.Differences() {
		t.Error(d)
	}
	if result.Text() != good {
		t.Errorf("it is rewritten as\n%s", result.Text())
	}
}

// Whatever is changed in what is expected, somebody is told, and a rewrite
// puts it right.
func TestEveryChangeOfAnExpectationIsNoticed(t *testing.T) {
	chart := counting(t)
	lines := strings.SplitAfter(good, "\n")
	tried := 0
	for i, line := range lines {
		if !strings.HasPrefix(line, "  ") {
			continue
		}
		word := strings.TrimSpace(line)
		for how, instead := range map[string]string{
			"lost":     "",
			"twice":    line + line,
			"another":  strings.Replace(line, word, word+"s", 1),
			"shorter":  strings.Replace(line, word, word[:len(word)-1], 1),
			"preceded": "  in off\n" + line,
		} {
			tried++
			bad := strings.Join(lines[:i], "") + instead + strings.Join(lines[i+1:], "")
			result, err := play(t, chart, bad, transcript.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if d := result.Differences(); len(d) != 1 || !strings.Contains(d[0].String(), "\n- ") && !strings.Contains(d[0].String(), "\n+ ") {
				t.Errorf("line %d, %s: the differences are %v", i+1, how, d)
			}
			if result.Text() != good {
				t.Errorf("line %d, %s: it is rewritten as\n%s", i+1, how, result.Text())
			}
		}
	}
	if tried < 100 {
		t.Errorf("only %d changes were tried", tried)
	}
}

func TestIndentationDoesNotMatter(t *testing.T) {
	text := strings.ReplaceAll(strings.ReplaceAll(good, "    ", "\t"), "\n", "  \r\n")
	result, err := play(t, counting(t), text, transcript.Options{})
	if err != nil || len(result.Differences()) != 0 {
		t.Fatalf("the answer is %v, %v", result.Differences(), err)
	}
	if result.Text() != good {
		t.Errorf("it is rewritten as\n%s", result.Text())
	}
}

func TestScriptsArePlayedConcurrently(t *testing.T) {
	chart := counting(t)
	script, err := transcript.Parse("x", []byte(good))
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if result, err := transcript.Play(chart, script, transcript.Options{}); err != nil || result.Text() != good {
				t.Errorf("the answer is %v", err)
			}
		})
	}
	all.Wait()
}

// FuzzParse: no text makes a transcript hang or panic; one that can be read
// is written so that it reads the same.
func FuzzParse(f *testing.F) {
	f.Add(good)
	files, _ := filepath.Glob("../testdata/*.transcript")
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	for cut := range 10 {
		f.Add(good[:cut*len(good)/10])
	}
	f.Fuzz(func(t *testing.T, text string) {
		script, err := transcript.Parse("x", []byte(text))
		if err != nil {
			return
		}
		chart := counting(t)
		result, err := transcript.Play(chart, script, transcript.Options{})
		if err != nil {
			return
		}
		again, err := transcript.Parse("x", []byte(result.Text()))
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, result.Text())
		}
		if _, err = transcript.Play(counting(t), again, transcript.Options{}); err != nil {
			t.Fatalf("what was written cannot be played: %v\n%s", err, result.Text())
		}
	})
}

// A number in a field of type any is an int64 while the session runs and a
// float64 once its context was read back. That both look alike as JSON must
// not hide it.
func TestNumbersThatChangeTheirTypeAreNoticed(t *testing.T) {
	type loose struct{ Last any }
	r := statechart.NewRegistry()
	statechart.Assign(r, "keep", func(c *loose, e statechart.Event) { c.Last = e.Data })
	statechart.Compute(r, "last", func(c *loose, e statechart.Event) any { return c.Last })
	chart, err := statechart.Compile(statechart.Definition{ID: "loose", Root: statechart.State{On: []statechart.Transition{
		{Event: "keep", Actions: []statechart.Action{{Call: "keep"}}},
		{Event: "say", Actions: []statechart.Action{{Log: statechart.Expression("last")}}},
	}}}, r)
	if err != nil {
		t.Fatal(err)
	}
	_, err = play(t, chart, head+"start\nsend keep 30\nsend say\n", transcript.Options{})
	if err == nil || !strings.Contains(err.Error(), "x:5: the instance and the pure step differ in effects (log info 30, log info 30.0)") {
		t.Errorf("the error is %v", err)
	}
}
