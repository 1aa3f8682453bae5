// Package plan is a planner that needs no model: it makes a plan of one to
// three steps from the words of the prompt, always the same one. It stands in
// for a model where none is configured, and says so in what it gives.
package plan

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/detent-run/detent/host"
)

// Name is what stands under "planner" in every output.
const Name = "fixed"

const (
	most     = 3   // steps
	maxTask  = 500 // bytes of the prompt that go into a step
	fallback = "web_search"
)

// New returns the planner. tools are the names that a plan may use. They stand
// in it in the order in which the prompt names them, at most three; when it
// names none, the plan has one step with "web_search" or, where that is none
// of them, the first by name. Without tools it is "web_search".
//
// The call's input is an object with a prompt, or with messages of which the
// last has text as its content. The text's first paragraph is the task. The
// output is
// {"planner": "fixed", "steps": [{"tool", "input"}…], "tokens": 0}. An input
// without text is a failure with the code "bad_input". It may be used
// concurrently.
func New(tools ...string) host.Performer {
	known := slices.Sorted(slices.Values(tools))
	if len(known) == 0 {
		known = []string{fallback}
	}
	return host.PerformerFunc(func(_ context.Context, call host.Call) host.Outcome {
		task := prompt(call.Input)
		if task == "" {
			return host.Failed(host.Failure{Code: "bad_input", Message: "the input must be an object with a prompt", Final: true})
		}
		steps := []any{}
		for _, tool := range choose(task, known) {
			steps = append(steps, map[string]any{"tool": tool, "input": argument(tool, shorten(task))})
		}
		return host.Done(map[string]any{"planner": Name, "steps": steps, "tokens": int64(0)})
	})
}

// prompt is the task to plan for; empty if there is none.
func prompt(input any) string {
	object, _ := input.(map[string]any)
	text, _ := object["prompt"].(string)
	if list, ok := object["messages"].([]any); ok && text == "" && len(list) > 0 {
		last, _ := list[len(list)-1].(map[string]any)
		text, _ = last["content"].(string)
	}
	task, _, _ := strings.Cut(strings.TrimSpace(text), "\n\n")
	return strings.TrimSpace(task)
}

// choose picks the tools that the task names, by the place of the first time.
func choose(task string, known []string) []string {
	type mention struct {
		tool string
		at   int
	}
	var found []mention
	for _, tool := range known {
		if at := word(task, tool); at >= 0 {
			found = append(found, mention{tool, at})
		}
	}
	// Of two at one place the longer is meant.
	slices.SortStableFunc(found, func(a, b mention) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(len(b.tool), len(a.tool)))
	})
	found = slices.CompactFunc(found, func(a, b mention) bool { return a.at == b.at })
	var out []string
	for _, m := range found[:min(most, len(found))] {
		out = append(out, m.tool)
	}
	if len(out) > 0 {
		return out
	}
	if slices.Contains(known, fallback) {
		return []string{fallback}
	}
	return known[:1]
}

// word is where the name stands first as a word of its own; -1 if nowhere.
func word(task, name string) int {
	for from := 0; name != ""; {
		at := strings.Index(task[from:], name)
		if at < 0 {
			break
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(task[:at])
		after, _ := utf8.DecodeRuneInString(task[at+len(name):])
		if !inWord(before) && !inWord(after) {
			return at
		}
		from = at + 1
	}
	return -1
}

func inWord(r rune) bool {
	return r == '_' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// argument is what the well-known tools take.
func argument(tool, task string) map[string]any {
	switch tool {
	case fallback:
		return map[string]any{"query": task}
	case "notes", "file_writer":
		return map[string]any{"op": "write", "path": "report.md", "content": task + "\n"}
	case "calc", "code_executor":
		return map[string]any{"code": "output = len(input)", "input": task}
	}
	return map[string]any{"task": task}
}

// shorten cuts a text between two characters.
func shorten(task string) string {
	if len(task) <= maxTask {
		return task
	}
	cut := maxTask
	for !utf8.RuneStart(task[cut]) {
		cut--
	}
	return task[:cut] + "…"
}
