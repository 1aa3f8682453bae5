package expression_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/detent-run/detent/statechart"
)

// Every example of the page gives what the page says.
func TestPageExamples(t *testing.T) {
	w := world{
		data:  data(t, `{"attempts": 2, "customer": "Ada", "plan": {"steps": [{"id": "a", "done": true}, {"id": "b", "done": false}]}}`),
		event: statechart.Event{Name: "go", Data: map[string]any{"code": "rate_limited"}},
	}
	w.page(t, "expressions")
	w.document = &door
	w.page(t, "document")
}

// page plays the block of the page that is marked so.
func (w world) page(t *testing.T, mark string) {
	t.Helper()
	text, err := os.ReadFile("../docs/expressions.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```" + mark + "\n(.*?)```").FindSubmatch(text)
	if block == nil {
		t.Fatalf("the page has no block %s", mark)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(block[1])), "\n") {
		source, want, ok := strings.Cut(line, "→")
		if !ok {
			t.Errorf("%q has no result", line)
		}
		w.expect(t, [2]string{strings.TrimSpace(source), strings.TrimSpace(want)})
	}
}
