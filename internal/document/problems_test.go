package document_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/detent-run/detent/internal/document"
)

// shown is a problem as a user sees it.
func shown(p document.Problem) string {
	text := fmt.Sprintf("%d:%d %s", p.Start.Line, p.Start.Column, p.Message)
	if p.Hint != "" {
		text += " (" + p.Hint + ")"
	}
	return text + " [" + p.Code + "]"
}

func shownAll(problems []document.Problem) string {
	var lines []string
	for _, p := range problems {
		lines = append(lines, shown(p))
	}
	return strings.Join(lines, "\n")
}

func TestYAMLTraps(t *testing.T) {
	const (
		tags    = " is read as a tag, and tags are not taken"
		aliases = " is read as an alias, and aliases are not taken"
		comment = "what follows # is a comment, and the bracket before it is not closed"
	)
	for text, want := range map[string]string{
		"guard: !ready\n":                 `1:8 !ready` + tags + ` (if it is text, quote it: "!ready") [yaml_feature]`,
		"guard: !ready and x # why":       `1:8 !ready` + tags + ` (if it is text, quote it: "!ready and x") [yaml_feature]`,
		"guard: !(a == \"b\")":            `1:8 !(a` + tags + ` (if it is text, quote it: '!(a == "b")') [yaml_feature]`,
		"- [!x]":                          `1:4 !x` + tags + ` (if it is text, quote it: "!x") [yaml_feature]`,
		"a: !e!x y":                       `1:4 an exclamation mark begins a tag, and tags are not taken (if it is text, quote it: "!e!x y") [yaml_feature]`,
		"a: {b: !c > d}":                  `1:8 an exclamation mark begins a tag, and tags are not taken (if it is text, quote it: "!c > d") [yaml_feature]`,
		"a: !!int 5":                      `1:4 !!int` + tags + ` (leave it out; what is to be text stands in quotes) [yaml_feature]`,
		"!<tag:x> {a: 1}":                 `1:1 !<tag:x>` + tags + ` (leave it out; what is to be text stands in quotes) [yaml_feature]`,
		"a: ! 'x'":                        `1:4 !` + tags + ` (if it is text, quote it: "! x") [yaml_feature]`,
		"on:\n  *: x":                     `2:3 an asterisk begins an alias, and aliases are not taken (if it is text, quote it: "*") [yaml_feature]`,
		"on: {done.*: a, *: b}":           `1:17 an asterisk begins an alias, and aliases are not taken (if it is text, quote it: "*") [yaml_feature]`,
		"a: *b":                           `1:4 *b` + aliases + ` (if it is text, quote it: "*b"; otherwise write out what is meant) [yaml_feature]`,
		"a: &b 1":                         `1:4 &b is read as an anchor, and anchors are not taken (if it is text, quote it; otherwise write out what is meant where it is meant) [yaml_feature]`,
		"a: &b: c":                        `1:4 the sign & begins an anchor, and anchors are not taken (if it is text, quote it: "&b") [yaml_feature]`,
		"<<: {a: 1}":                      `1:1 the merge key << is not taken (write out the keys that are meant) [yaml_feature]`,
		"a: 1\n---\nb: 2":                 `2:1 a second document begins here (a file holds one document: part it, or remove the line ---) [yaml_feature]`,
		"%x":                              `1:1 directives are not taken (remove the line) [yaml_feature]`,
		"%YAML 1.2\n---\na: 1":            `1:1 directives are not taken (remove the line) [yaml_feature]`,
		"x: {n: ${ n }}":                  "1:8 ${ … } stands in brackets without quotes (quote it: \"${ n }\") [syntax]",
		"x: [1, ${n}]":                    "1:8 ${ … } stands in brackets without quotes (quote it: \"${n}\") [syntax]",
		"x: [\"${ n }\", ${ n }]":         "1:15 ${ … } stands in brackets without quotes (quote it: \"${ n }\") [syntax]",
		"a: x&y: z":                       `1:7 a second colon cannot stand here (text with a colon and a space in it stands in quotes) [syntax]`,
		"a: b: c":                         `1:5 a second colon cannot stand here (text with a colon and a space in it stands in quotes) [syntax]`,
		"a: 1\n  b: 2":                    `2:3 a key cannot stand here (is the line indented as its neighbours are? is a space missing after the colon above?) [syntax]`,
		"a: [b]]":                         `1:7 the ] closes nothing (text with brackets in it stands in quotes) [syntax]`,
		"a: }":                            `1:4 the } closes nothing (text with brackets in it stands in quotes) [syntax]`,
		"a: [b, ,]":                       `1:8 a value is missing here (remove a comma, or write null) [syntax]`,
		"a: {b: 'c', ":                    `1:13 the file ends within brackets (a closing ] or } is missing) [syntax]`,
		"a: ? b":                          `1:4 a key cannot begin here (text that begins with ? stands in quotes) [syntax]`,
		"-\na: b\n-\n":                    `2:1 a value is missing before this (is the line indented as its neighbours are?) [syntax]`,
		"a: - b":                          `1:4 a list item cannot begin here (an item begins on its own line; text with - stands in quotes) [syntax]`,
		"a: 'x' in list":                  `1:8 something follows the closing quote (put the whole text in quotes, of the other kind if it has these inside) [syntax]`,
		"a: [b] c":                        `1:8 something follows the closing bracket (text that begins with [ or { stands in quotes) [syntax]`,
		"a: \"x\nb: 1":                    `1:4 the quote that opens here is not closed (close it where the text ends) [syntax]`,
		"a: {b: #c.d, e: f}\nb: 1":        "1:8 " + comment + ` (if it is text, quote it: "#c.d") [syntax]`,
		"a: {b: {c: #d.e}}":               "1:12 " + comment + ` (if it is text, quote it: "#d.e") [syntax]`,
		"a:\n  b: {c: {d: #e}}\n  f: 1":   "2:14 " + comment + ` (if it is text, quote it: "#e") [syntax]`,
		"a:\n- {b: #c}\n- {d: e}":         "2:7 " + comment + ` (if it is text, quote it: "#c") [syntax]`,
		"a: {\n b: #c,\n d: e}":           "2:5 " + comment + ` (if it is text, quote it: "#c") [syntax]`,
		"a: {b: c, # d\n e: #f}":          "2:5 " + comment + ` (if it is text, quote it: "#f") [syntax]`,
		"a: [#b]":                         `1:5 no value begins with # (if it is text, quote it: "#b") [syntax]`,
		"a: [b, # c\nd: e":                `1:4 the [ that opens here is not closed (a closing ] or } is missing) [syntax]`,
		"a: {b: #c}\n }\nd: [1":           `3:4 the [ that opens here is not closed (a closing ] or } is missing) [syntax]`,
		"a: {b: c, # d, e\n f: g":         `1:4 the { that opens here is not closed (a closing ] or } is missing) [syntax]`,
		"a: {b: 1\n":                      `1:4 the { that opens here is not closed (a closing ] or } is missing) [syntax]`,
		"a: [1, 2\nb: 3\n":                `2:1 a comma or a closing bracket is missing before this (the [ at line 1, column 4 is not closed) [syntax]`,
		"a:\n\tb: 1":                      `2:1 a tab stands where only spaces may (indent with spaces) [syntax]`,
		"a: @x":                           `1:4 no value begins with @ (text that begins with it stands in quotes) [syntax]`,
		"a: > 3":                          `1:4 the text below | or > cannot be read: did not find expected comment or line break (text that begins with | or > stands in quotes) [syntax]`,
		"a: \"\\q\"":                      `1:5 there is no such escape in double quotes (a backslash is written \\, or the text stands in single quotes) [syntax]`,
		"a: \"\\u12\"":                    `1:7 a hexadecimal digit is missing in the escape (an escape has two digits after \x, four after \u) [syntax]`,
		"a: \"\\ud800\"":                  `1:7 the escape stands for no character (write the character itself) [syntax]`,
		"- a\nb: 1":                       `2:1 a list item or the end of the list is missing here (is the line indented as its neighbours are?) [syntax]`,
		"a: \"x\n y\nz\"":                 `3:1 the line continues what is in quotes or brackets, and is indented too little for it (indent it further than the key) [syntax]`,
		"a: [1,\n2]":                      `2:1 the line continues what is in quotes or brackets, and is indented too little for it (indent it further than the key) [syntax]`,
		"a: |\n   \n  # b":                `3:3 the first line of the text is indented less than the empty line above it (remove the spaces from the empty line) [syntax]`,
		"? [a]\n: b":                      `1:3 a list or an object stands where a key belongs (a key is text; one that begins with { or [ stands in quotes) [bad_key]`,
		": x":                             `1:1 a key is missing before the colon (a key without characters is written "") [bad_key]`,
		"a: 1\nb: 2\na: 3":                `3:1 the key "a" stands twice, first at line 1, column 1 (keep one of the two) [duplicate_key]`,
		"{1: a, \"1\": b}":                `1:8 the key "1" stands twice, first at line 1, column 2 (keep one of the two) [duplicate_key]`,
		"a: 9223372036854775808":          `1:4 the number 9223372036854775808 does not fit a 64-bit integer (write it as text, in quotes) [number_range]`,
		"a: -.inf":                        `1:4 -.inf is no number that a chart can hold (write it as text, in quotes, or leave it out) [number_range]`,
		"a: 1e999":                        `1:4 the number 1e999 is too large (write it as text, in quotes) [number_range]`,
		"a: \"\\0\"":                      `1:5 the text holds a NUL character (no text of a chart may) [encoding]`,
		"a: \x00":                         `1:4 the file holds a NUL byte (is it UTF-16? save it as UTF-8) [encoding]`,
		"a: é\xff":                        `1:5 the byte 0xff is no UTF-8 (save the file as UTF-8) [encoding]`,
		"\xef\xbb\xbfa: 1":                `1:1 the file begins with a byte order mark (save it as UTF-8 without one) [encoding]`,
		"a: b\u2028c":                     `1:5 the character U+2028 cannot stand in a file (remove it, or write it \u2028 in double quotes) [encoding]`,
		"":                                `1:1 the file is empty (a chart begins with id: NAME) [empty]`,
		"# nothing\n":                     `1:1 the file is empty (a chart begins with id: NAME) [empty]`,
		"---\n...\n":                      `1:1 the file holds no value (a chart begins with id: NAME) [empty]`,
		"a: 1\r\nb: [1,\r\n  2\r\nc: 3\r": "4:1 a comma or a closing bracket is missing before this (the [ at line 2, column 4 is not closed) [syntax]",
	} {
		_, problems := document.Parse([]byte(text), document.YAML, document.Limits{})
		if got := shownAll(problems); got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
		for _, p := range problems {
			if p.Hint == "" {
				t.Errorf("%q: %s has no hint", text, shown(p))
			}
		}
	}
}

// What stands before a syntax error is listed too, in order.
func TestAllProblems(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		format document.Format
		want   string
	}{
		"before a syntax error": {"a: &x 1\nb: {c: 1, c: 2}\nd: \"e\nf: 1\n", document.YAML, "1:4 anchor, 2:11 duplicate_key, 3:4 syntax"},
		"in a valid file":       {"a: *x\nb: !y z\nb: 1\n<<: *z\nc: .nan\n", document.YAML, "1:4 alias, 2:4 tag, 3:1 duplicate_key, 4:1 merge key, 4:5 alias, 5:4 number_range"},
		"in two documents":      {"a: &x 1\n---\nb: 2\n", document.YAML, "1:4 anchor, 2:1 several documents"},
		"in JSON":               {"{\"a\": 1, \"a\": {\"b\": 1e999, \"b\": \"\\u0000\"}, \"c\": 9223372036854775808, ]", document.JSON, "1:10 duplicate_key, 1:28 duplicate_key, 1:34 encoding, 1:70 syntax"},
		"numbers in JSON":       {"[9223372036854775808, {\"a\": 1e999, \"a\": 1e999}]", document.JSON, "1:2 number_range, 1:29 number_range, 1:36 duplicate_key, 1:41 number_range"},
	} {
		_, problems := document.Parse([]byte(c.text), c.format, document.Limits{})
		var got []string
		for _, p := range problems {
			what := p.Code
			if p.Feature != "" {
				what = p.Feature
			}
			got = append(got, fmt.Sprintf("%d:%d %s", p.Start.Line, p.Start.Column, what))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, strings.Join(got, ", "), c.want)
		}
	}
}

// Nobody is shown more than a thousand problems.
func TestManyProblems(t *testing.T) {
	_, problems := document.Parse([]byte(strings.Repeat("a: 1\n", 5000)), document.YAML, document.Limits{})
	if len(problems) != 1000 {
		t.Errorf("%d problems", len(problems))
	}
}

// Beside the problem there is the node, with the first value of a key.
func TestFirstOfTwo(t *testing.T) {
	for f, text := range map[document.Format]string{document.YAML: "a: 1\na: 2\nb: 3", document.JSON: `{"a": 1, "a": 2, "b": 3}`} {
		n, problems := document.Parse([]byte(text), f, document.Limits{})
		if len(problems) != 1 || n == nil || len(n.Fields) != 2 || n.Fields[0].Value.Int != 1 {
			t.Errorf("%s: %+v, %s", f, n, shownAll(problems))
		}
	}
}
