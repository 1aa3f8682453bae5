package expression_test

import (
	"strings"
	"testing"

	"github.com/detent-run/detent/expression"
)

// An expression of a chart says the same in a document: states by their ids.
func TestForDocument(t *testing.T) {
	states := map[string]string{"work.one": "one", "say \"hi\"": "hi", "é": "e"}
	state := func(path string) (string, bool) { id, ok := states[path]; return id, ok }
	text := func(value string) string { return strings.ReplaceAll(value, "done.state.c.work", "done.state.w") }
	for source, want := range map[string]string{
		`a + 1`:                                  `a + 1`,
		`active("work.one")`:                     `In('one')`,
		`not active ( 'work.one' ) and a > 1`:    `not In ( 'one' ) and a > 1`,
		`"é" + (active("é") ? "work.one" : 'x')`: `"é" + (In('e') ? "work.one" : 'x')`,
		`active("say \"hi\"")`:                   `In('hi')`,
		`active`:                                 `error: "active" is a function (call it: active(…))`,
		`o.active`:                               `o.active`,
		`o["active"] + "active("`:                `o["active"] + "active("`,
		`event.type == "done.state.c.work"`:      `event.type == 'done.state.w'`,
		`// active("no")` + "\na":                `// active("no")` + "\na",
		`"work.one" | active()`:                  `error: the path of active does not stand in its parentheses (write active("path"))`,
		`active("no")`:                           `error: there is no state "no"`,
		`active(`:                                `error: the expression ends where more is expected`,
	} {
		got, err := expression.ForDocument(source, state, text)
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", source, got, want)
		}
	}
}

// A literal that is written gives its text.
func TestQuote(t *testing.T) {
	w := world{}
	for text, want := range map[string]string{
		"":                 `''`,
		"plain text":       `'plain text'`,
		"it's":             `'it\'s'`,
		`"it's"`:           `'"it\'s"'`,
		`a\b`:              `'a\\b'`,
		"a\nb\r\tc":        `'a\nb\r\tc'`,
		"\x01\u00a0\u2028": `'\u0001\u00a0\u2028'`,
		"é 𝄞 \U000E0001":   `'é 𝄞 \U000e0001'`,
		"\uFFFE":           `'\ufffe'`,
	} {
		got := expression.Quote(text)
		if got != want {
			t.Errorf("%q is written %s, not %s", text, got, want)
		}
		if v, err := w.evaluate(got); err != nil || v != text {
			t.Errorf("%s gives %q, not %q: %v", got, v, text, err)
		}
	}
}
