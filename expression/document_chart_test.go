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
	r := expression.Rewording{State: state, Text: text, Variable: func(name string) string {
		if name == "tries" {
			return "tries_2"
		}
		return name
	}}
	for source, want := range map[string]string{
		`tries + o.tries + len(tries)`:           `tries_2 + o.tries + len(tries_2)`,
		`{tries: tries, "tries": 1}`:             `{tries: tries_2, "tries": 1}`,
		`filter(l, .tries > tries)[tries]`:       `filter(l, .tries > tries_2)[tries_2]`,
		`tries | max(1)`:                         `tries_2 | max(1)`,
		`1 < tries < 5 ? "tries" : tries?.x`:     `1 < tries_2 < 5 ? "tries" : tries_2?.x`,
		`let x = tries; x + tries`:               `let x = tries_2; x + tries_2`,
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
		got, _, err := expression.ForDocument(source, r)
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", source, got, want)
		}
	}
}

// What let defines is told, once each.
func TestForDocumentLocals(t *testing.T) {
	same := func(s string) string { return s }
	_, locals, err := expression.ForDocument(`let a = 1; map([1], {let b = a; b + #}) == [(let a = 2; a)]`,
		expression.Rewording{State: func(string) (string, bool) { return "", false }, Text: same, Variable: same})
	if err != nil || strings.Join(locals, " ") != "a b" && strings.Join(locals, " ") != "b a" {
		t.Errorf("the locals are %v: %v", locals, err)
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
