package document_test

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/detent-run/detent/internal/document"
)

func parse(t *testing.T, text string, f document.Format) *document.Node {
	t.Helper()
	n, problems := document.Parse([]byte(text), f, document.Limits{})
	if len(problems) > 0 || n == nil {
		t.Fatalf("%q: %s", text, shownAll(problems))
	}
	return n
}

// Plain values by the core schema; what only older YAML takes for something
// else is text.
func TestPlainValues(t *testing.T) {
	for text, want := range map[string]any{
		"~": nil, "null": nil, "Null": nil, "NULL": nil, "nULL": "nULL", "none": "none",
		"true": true, "True": true, "TRUE": true, "false": false, "tRUE": "tRUE",
		"yes": "yes", "No": "No", "on": "on", "OFF": "OFF", "y": "y",
		"0": int64(0), "-0": int64(0), "12": int64(12), "+12": int64(12), "-9223372036854775808": int64(math.MinInt64),
		"0x1F": int64(31), "0o17": int64(15), "0b11": "0b11", "-0x1F": "-0x1F",
		"012": "012", "-012": "-012", "00": "00", "01.5": "01.5", "1_000": "1_000", "12:30:45": "12:30:45", "190:20:30": "190:20:30",
		"1.0": 1.0, "1.": 1.0, ".5": .5, "-.5": -.5, "+1.5e3": 1500.0, "1e3": 1000.0, "1E-2": .01, ".": ".", "-": "-x", "e3": "e3", "1e": "1e",
		"2020-01-01": "2020-01-01", "2020-01-01 10:00:00": "2020-01-01 10:00:00", "15m": "15m", "1.2.3": "1.2.3",
		"'12'": "12", `"null"`: "null", "a # b": "a", "a#b": "a#b", "${ a.b + 1 }": "${ a.b + 1 }", "#a": nil,
		"a: b": map[string]any{"a": "b"}, "inf": "inf", ".Inf.": ".Inf.", "=": "=", "->": "->", "?x": "?x", ".path.to": ".path.to",
	} {
		source := text
		if text == "-" {
			source = "-x"
		}
		n := parse(t, "k:\n  "+source, document.YAML)
		if got := n.Fields[0].Value.Value(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %#v, want %#v", source, got, want)
		}
	}
}

// A key is the text that is written.
func TestKeys(t *testing.T) {
	n := parse(t, "on: a\n15m: b\n500: c\nnull: d\ntrue: e\n0x1F: f\n1.0: g\n'a b': h\n\"\\u00e9\": i\n\"\": j\n? long\n: k\n", document.YAML)
	var keys []string
	for _, f := range n.Fields {
		keys = append(keys, f.Key)
	}
	if got, want := strings.Join(keys, "|"), "on|15m|500|null|true|0x1F|1.0|a b|é||long"; got != want {
		t.Errorf("the keys are %s, want %s", got, want)
	}
	if v, ok := n.Field("500"); !ok || v.Text != "c" {
		t.Errorf("500 is %v", v)
	}
	if _, ok := n.Field("none"); ok {
		t.Error("a key that is not there is found")
	}
}

// A hint for those who expected something else.
func TestSlips(t *testing.T) {
	for text, want := range map[string]string{
		"a: #id":          `what follows # is a comment; if it is text, quote it: "#id"`,
		"a: #id.x  ":      `what follows # is a comment; if it is text, quote it: "#id.x"`,
		"a: # a comment":  "",
		"a:":              "",
		"a: yes":          "yes is text; write true",
		"a: Off":          "Off is text; write false",
		"a: 012":          "012 is text because of the zero that it begins with; write the number without",
		"a: 1_000":        "1_000 is text; write 1000",
		"a: {b: 1}":       "",
		"a: some words x": "",
	} {
		if got := parse(t, text, document.YAML).Fields[0].Value; got.Slip != want || got.Blank != (strings.TrimSpace(text[2:]) == "" || strings.Contains(text, "#")) {
			t.Errorf("%s: %q, blank %v, want %q", text, got.Slip, got.Blank, want)
		}
	}
}

// Items are no other than fields.
func TestSlipOfItem(t *testing.T) {
	if item := parse(t, "- #a\n-\n", document.YAML).Items[0]; !item.Blank || item.Slip == "" {
		t.Errorf("%+v", item)
	}
}

func TestSpans(t *testing.T) {
	text := "é: {b: \"x\\n\", 'c''': [1, ~ ]} # end\nlist:\n  - plain text\n    goes on\n  - |\n    a\n\n    b\n\n  - >-\n    c\n    d\n  -\nlast: null\n"
	want := `1:1-14:11 object
1:4-1:30 object
1:8-1:13 "x\n"
1:22-1:29 list
1:23-1:24 1
1:26-1:27 null
3:3-13:4 list
3:5-4:12 "plain text goes on"
5:5-9:1 "a\n\nb\n"
10:5-12:6 "c d"
13:4-13:4 null
14:7-14:11 null`
	var lines []string
	var walk func(n *document.Node)
	walk = func(n *document.Node) {
		what := strings.TrimPrefix(strings.TrimPrefix(n.Kind.String(), "an "), "a ")
		if n.Kind == document.String || n.Kind == document.Int {
			what = fmt.Sprintf("%#v", n.Value())
		}
		lines = append(lines, fmt.Sprintf("%d:%d-%d:%d %s", n.Start.Line, n.Start.Column, n.End.Line, n.End.Column, what))
		for _, item := range n.Items {
			walk(item)
		}
		for _, f := range n.Fields {
			walk(f.Value)
		}
	}
	n := parse(t, text, document.YAML)
	walk(n)
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if at := n.Fields[0].Value.Fields[1].KeyStart; at.Column != 15 || at.Line != 1 || at.Offset != 15 {
		t.Errorf("the key begins at %+v", at)
	}
}

// The place of each X of the text is that of an X in the file.
func TestAt(t *testing.T) {
	for _, c := range []struct {
		text   string
		format document.Format
	}{
		{"k: aXbX", document.YAML},
		{"k: 'it''s X, ''X'' and X'", document.YAML},
		{`k: "é\tX\u00e9X\U0001F600X\x41X\\X\"X\/X\eX\_X\NX\LX\PX"`, document.YAML},
		{"k: \"a\n  X\n\n  X \\\n  X\\\n  \\ X\"", document.YAML},
		{"k: 'a\n  X\n\n  X'", document.YAML},
		{"k: plain X\n  goes X\n\n  on X\n", document.YAML},
		{"k: | # X is a comment\n  aX\n    bX\n\n  cX\n", document.YAML},
		{"k: |2-\n   aX\n  bX\n", document.YAML},
		{"k: >\n  aX\n  bX\n\n    cX\n  dX\n", document.YAML},
		{"k: [é, {b: X}, \"X\", ${X]", document.YAML},
		{`{"k": "éX\u00e9X\ud83d\ude00X\nX\"X\/X"}`, document.JSON},
	} {
		text := strings.ReplaceAll(c.text, "${X", "zX")
		checkPlaces(t, text, parse(t, text, c.format).Fields[0].Value)
	}
}

func checkPlaces(t *testing.T, text string, n *document.Node) {
	t.Helper()
	for _, item := range n.Items {
		checkPlaces(t, text, item)
	}
	for _, f := range n.Fields {
		checkPlaces(t, text, f.Value)
	}
	last := 0
	for i, c := range n.Text {
		if at := n.At(i); c == 'X' && (at.Offset <= last || text[at.Offset] != 'X') {
			t.Errorf("%q: the X at byte %d of %q is placed at %+v", text, i, n.Text, at)
		} else if c == 'X' {
			last = at.Offset
		}
	}
	if at := n.At(len(n.Text)); n.Kind == document.String && at.Offset > n.End.Offset {
		t.Errorf("%q: the end of %q is at %+v, behind %+v", text, n.Text, at, n.End)
	}
	if n.End.Offset > n.Start.Offset && (text[n.Start.Offset] == '"' || text[n.Start.Offset] == '\'') && text[n.End.Offset-1] != text[n.Start.Offset] {
		t.Errorf("%q: %q ends at %+v", text, n.Text, n.End)
	}
}

func TestFormatOf(t *testing.T) {
	for _, c := range []struct {
		name, data string
		want       document.Format
	}{
		{"a.json", "a: 1", document.JSON}, {"a.YAML", "{}", document.YAML}, {"a.yml", "[]", document.YAML},
		{"a", "\n {}", document.JSON}, {"-", "[1]", document.JSON}, {"", "a: 1", document.YAML}, {"x.txt", "", document.YAML},
	} {
		if got := document.FormatOf(c.name, []byte(c.data)); got != c.want {
			t.Errorf("%s with %q is %s", c.name, c.data, got)
		}
	}
}
