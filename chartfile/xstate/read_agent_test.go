package xstate_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/chartfile/xstate"
	"github.com/detent-run/detent/charttest"
	"github.com/detent-run/detent/statechart"
)

func agent(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/search-assistant.json")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// load reads a machine without a word about it and compiles it.
func load(t *testing.T, name string, data []byte, registry *statechart.Registry) *statechart.Chart {
	t.Helper()
	file, found := xstate.Read(name, data)
	if file == nil {
		t.Fatal(found)
	}
	chart, found := file.Compile(registry)
	if len(found) > 0 {
		t.Fatal(found)
	}
	return chart
}

// The reference agent, written as an XState machine, does what the example's
// transcripts say.
func TestAgentPlaysItsTranscripts(t *testing.T) {
	charttest.Run(t, load(t, "search-assistant.json", agent(t), nil), "../../examples/search-assistant/testdata/*.transcript", charttest.Options{})
}

// Written again as JSON it still does.
func TestAgentPlaysItsTranscriptsAfterJSON(t *testing.T) {
	file, _ := xstate.Read("search-assistant.json", agent(t))
	again, err := xstate.JSON(file.Definition)
	if err != nil {
		t.Fatal(err)
	}
	charttest.Run(t, load(t, "again.json", again, nil), "../../examples/search-assistant/testdata/*.transcript", charttest.Options{})
}

// Without what meta says of its names, Go code registers them.
func TestAgentWithItsNamesInGo(t *testing.T) {
	data := agent(t)
	cut := bytes.LastIndex(data, []byte(",\n  \"meta\""))
	data = append(bytes.Clone(data[:cut]), "}"...)
	registry := chartfile.Behaviour()
	registry.Guard("mayRetry", func(s *statechart.Scope) (bool, error) {
		return number(s, "retryCount") < number(s, "maxRetries"), nil
	})
	set := func(name string, value func(*statechart.Scope) any, variables ...string) {
		registry.Action(name, func(s *statechart.Scope) error {
			for _, v := range variables {
				if err := s.Set(v, value(s)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	null := func(*statechart.Scope) any { return nil }
	for name, variable := range map[string]string{"keepInput": "userInput", "keepIntent": "intent", "keepResults": "searchResults", "keepError": "error", "keepContent": "generatedContent"} {
		set(name, null, variable)
	}
	set("forgetIntent", null, "intent", "error")
	set("forgetResults", null, "searchResults")
	set("countAttempt", func(s *statechart.Scope) any { return number(s, "retryCount") + 1 }, "retryCount")
	set("forgetAttempts", func(*statechart.Scope) any { return int64(0) }, "retryCount")
	set("apologize", func(*statechart.Scope) any { return "sorry" }, "generatedContent")
	set("forgetAll", null, "userInput", "intent", "searchResults", "generatedContent", "error")

	in := load(t, "search-assistant.json", data, registry).Instance(nil)
	for _, step := range []struct{ event, want string }{
		{"USER_INPUT", "analyzing"}, {"INTENT_DETECTED", "searching"}, {"SEARCH_RETRY", "searching"}, {"SEARCH_FAILED", "searching"},
		{"SEARCH_RETRY", "searching"}, {"SEARCH_FAILED", "fallingBack"},
	} {
		in.Send(statechart.Event{Name: step.event})
		if got := in.Configuration()[0]; got != step.want {
			t.Errorf("%s leads to %s, not %s", step.event, got, step.want)
		}
	}
	if in.HasTag("busy") {
		t.Error("fallingBack is busy")
	}
}

func number(s *statechart.Scope, name string) int64 {
	v, _ := s.Get(name)
	n, _ := v.(int64)
	return n
}
