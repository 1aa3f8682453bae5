package document_test

import (
	"math"
	"strings"
	"testing"

	"github.com/detent-run/detent/internal/document"
)

func written(t *testing.T, n *document.Node, f document.Format) string {
	t.Helper()
	text, err := document.Write(n, f)
	if err != nil {
		t.Fatal(err)
	}
	again, problems := document.Parse(text, f, document.Limits{})
	if len(problems) > 0 || !document.Equal(n, again) {
		t.Errorf("it reads back as another one: %s\n%s", shownAll(problems), text)
	}
	return string(text)
}

// Text is quoted where some reader of YAML would take it for something else,
// and only there.
func TestQuotes(t *testing.T) {
	for text, want := range map[string]string{
		"plain": "plain", "two words": "two words", "a.b": "a.b", ".Aborted": ".Aborted", "a:b": "a:b", "model:default": "model:default",
		"${ customer }": "${ customer }", "a == 'b'": "a == 'b'", "x#y": "x#y", "15m": "15m", "é": "é", "a, [b]": "a, [b]", "(a)": "(a)",
		"": `""`, " a": `" a"`, "a ": `"a "`, "a: b": `"a: b"`, "a:": `"a:"`, "a #b": `"a #b"`, "#a.b": `"#a.b"`, "*": `"*"`, "!x": `"!x"`, "- a": `"- a"`, "-a": `"-a"`,
		"[a": `"[a"`, "{a": `"{a"`, "@x": `"@x"`, "`": "\"`\"", "%a": `"%a"`, "? a": `"? a"`, "|": `"|"`, "...": `"..."`, "---": `"---"`, "'a'": `"'a'"`,
		"yes": `"yes"`, "No": `"No"`, "on": `"on"`, "y": `"y"`, "null": `"null"`, "~": `"~"`, "true": `"true"`, "TRUE": `"TRUE"`, "=": `"="`, "<<": `"<<"`,
		"1": `"1"`, "012": `"012"`, "1_000": `"1_000"`, "1.5": `"1.5"`, "0x1F": `"0x1F"`, "0b1": `"0b1"`, "12:30:45": `"12:30:45"`, "2020-01-01": `"2020-01-01"`, ".inf": `".inf"`, "1.2.3": `"1.2.3"`,
		`"a"`: `'"a"'`, "\"\x01": `"\"\u0001"`, `a\b`: `a\b`, `say "x": y`: `'say "x": y'`, `"it's"`: `"\"it's\""`, "tab\there": `"tab\there"`, "\u2028": `"\u2028"`, "\x7f": `"\u007f"`, "\ufeff": `"\ufeff"`,
	} {
		n := document.NewObject(document.NewField("k", document.NewText(text)))
		if got := written(t, n, document.YAML); got != "k: "+want+"\n" {
			t.Errorf("%q is written %s, want %s", text, got, want)
		}
		written(t, document.NewObject(document.NewField(text, document.NewText(text)), document.NewField("other", n)), document.YAML)
		written(t, document.NewList(document.NewText(text), n), document.YAML)
		written(t, document.NewText(text), document.YAML)
		written(t, n, document.JSON)
	}
}

func TestWriteYAML(t *testing.T) {
	value := func(v any) *document.Node {
		n, err := document.NewValue(v)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	deep := value(map[string]any{"b": []any{map[string]any{"c": int64(1)}, []any{[]any{"x"}}}})
	flow := value(map[string]any{"b": []any{map[string]any{"c, d": "e, f"}}})
	flow.Flow = true
	long := document.NewObject()
	for _, key := range []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"} {
		long.Fields = append(long.Fields, document.NewField(key, document.NewInt(1)))
	}
	for name, c := range map[string]struct {
		n    *document.Node
		want string
	}{
		"numbers": {value([]any{int64(-1), 1.0, 0.1, 1e300, 5e-324, math.Copysign(0, -1), true, nil}), "- -1\n- 1.0\n- 0.1\n- 1e+300\n- 5e-324\n- -0.0\n- true\n- null\n"},
		"empty":   {value(map[string]any{"a": []any{}, "b": map[string]any{}}), "a: []\nb: {}\n"},
		"nested":  {deep, "b:\n  - {c: 1}\n  - - [x]\n"},
		"asked":   {document.NewObject(document.NewField("a", flow)), "a: {b: [{\"c, d\": \"e, f\"}]}\n"},
		"no room": {document.NewObject(document.NewField("a", long)), "a:\n  first: 1\n  second: 1\n  third: 1\n  fourth: 1\n  fifth: 1\n  sixth: 1\n  seventh: 1\n  eighth: 1\n  ninth: 1\n"},
		"lines":   {value(map[string]any{"a": "x\n  y: z\n\n#w\n", "b": "x\ny", "c": "x\n\n", "d": " x\ny", "e": "x\n \ny", "f": []any{"x\ny"}}), "a: |\n  x\n    y: z\n\n  #w\nb: |-\n  x\n  y\nc: |+\n  x\n\nd: \" x\\ny\"\ne: \"x\\n \\ny\"\nf:\n  - |-\n    x\n    y\n"},
		"keys":    {value(map[string]any{"on": "x", "yes": "x", "5": "x", "5s": "x", "${ a }": "x", "a b": "x", "*": "x"}), "\"${ a }\": x\n\"*\": x\n\"5\": x\n5s: x\na b: x\non: x\n\"yes\": x\n"},
		"a text":  {document.NewText("a\nb"), "|-\n  a\n  b\n"},
	} {
		if got := written(t, c.n, document.YAML); got != c.want {
			t.Errorf("%s is written\n%swant\n%s", name, got, c.want)
		}
		written(t, c.n, document.JSON)
	}
	long.Fields[0].Key = strings.Repeat("k", 2000)
	text := written(t, document.NewList(long, document.NewObject(document.NewField(strings.Repeat("x ", 1000), deep))), document.YAML)
	if strings.Count(text, "? ") != 2 { // readers look for a colon within 1,024 characters
		t.Errorf("long keys are written %s", text)
	}
}

func TestWriteJSON(t *testing.T) {
	n := parse(t, "a: [1, {b: 0x1F, c: 1., d: .5, e: +1.0, f: 1e5}]\nt: \"\\u2028\\e<é\"\ne: [[], {}]\nn:\n", document.YAML)
	want := `{
  "a": [
    1,
    {
      "b": 31,
      "c": 1.0,
      "d": 0.5,
      "e": 1.0,
      "f": 1e5
    }
  ],
  "t": "\u2028\u001b<é",
  "e": [
    [],
    {}
  ],
  "n": null
}
`
	if got := written(t, n, document.JSON); got != want {
		t.Errorf("it is written\n%s", got)
	}
}

func TestWriteRefuses(t *testing.T) {
	cycle := document.NewList()
	cycle.Items = append(cycle.Items, cycle)
	for want, n := range map[string]*document.Node{
		"NaN":                      {Kind: document.Float, Float: math.NaN()},
		"no UTF-8":                 document.NewText("\xff"),
		"a: [0]: the text":         document.NewObject(document.NewField("a", document.NewList(document.NewText("\x00")))),
		`the key "a" stands twice`: document.NewObject(document.NewField("a", document.NewInt(1)), document.NewField("a", document.NewInt(1))),
		"a value is missing":       document.NewObject(document.NewField("a", nil)),
		"deeper than 1000":         cycle,
	} {
		for _, f := range []document.Format{document.YAML, document.JSON} {
			if text, err := document.Write(n, f); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, %q", want, err, text)
			}
		}
	}
	for _, v := range []any{make(chan int), math.Inf(1), []any{struct{}{}}, map[string]any{"a": uint8(1)}} {
		if n, err := document.NewValue(v); err == nil {
			t.Errorf("%T becomes %v", v, n)
		}
	}
}

// What cannot be seen is written as an escape, in both formats, so that no
// file that Detent wrote moves a terminal or reads as what it is not.
func TestHiddenCharactersAreEscaped(t *testing.T) {
	const hidden = "a\u009bb\u202ec\u2066d\u200fe\u061cf\x1bg"
	n := document.NewObject(document.NewField(hidden, document.NewText(hidden)))
	for _, f := range []document.Format{document.YAML, document.JSON} {
		text, err := document.Write(n, f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.ContainsFunc(string(text), func(r rune) bool { return r > 0x7e || r < ' ' && r != '\n' }) {
			t.Errorf("%q", text)
		}
		back, problems := document.Parse(text, f, document.Limits{})
		if len(problems) > 0 || !document.Equal(back, n) {
			t.Errorf("%s came back with %v", text, problems)
		}
	}
}
