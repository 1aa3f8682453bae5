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
	text, err := os.ReadFile("../docs/expressions.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```expressions\n(.*?)```").FindSubmatch(text)
	if block == nil {
		t.Fatal("the page has no examples")
	}
	w := world{
		data:  data(t, `{"attempts": 2, "customer": "Ada", "plan": {"steps": [{"id": "a", "done": true}, {"id": "b", "done": false}]}}`),
		event: statechart.Event{Name: "go", Data: map[string]any{"code": "rate_limited"}},
	}
	for _, line := range strings.Split(strings.TrimSpace(string(block[1])), "\n") {
		source, want, ok := strings.Cut(line, "→")
		if !ok {
			t.Errorf("%q has no result", line)
		}
		w.expect(t, [2]string{strings.TrimSpace(source), strings.TrimSpace(want)})
	}
}
