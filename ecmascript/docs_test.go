package ecmascript

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// What the page says of expressions is what they do.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../docs/ecmascript.md")
	if err != nil {
		t.Fatal(err)
	}
	_, shown, found := strings.Cut(string(page), "```ecmascript\n")
	shown, _, closed := strings.Cut(shown, "\n```")
	if !found || !closed {
		t.Fatal("the page has no block of expressions")
	}
	for line := range strings.Lines(shown) {
		source, want, ok := strings.Cut(strings.TrimSpace(line), "→")
		if !ok {
			t.Errorf("the line %q has no arrow", line)
			continue
		}
		data := document{
			variables: map[string]any{"list": []any{int64(1), nil}, "order": map[string]any{"id": int64(7)}, "nothing": nil, "result": "none"},
			blocks:    [][]statechart.Action{block(assign("result", strings.TrimSpace(source)))},
		}.played(t, trusted)
		text, err := json.Marshal(data["result"])
		if err != nil {
			t.Fatal(err)
		}
		got := strings.ReplaceAll(string(text), `\u003e`, ">")
		if failed := data["failed"].([]any); len(failed) > 0 {
			got = "error: " + failed[0].(string)
		}
		if got != strings.TrimSpace(want) {
			t.Errorf("%s → %s", source, got)
		}
	}
}
