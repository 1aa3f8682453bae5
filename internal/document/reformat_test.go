package document_test

import (
	"strings"
	"testing"

	"github.com/detent-run/detent/internal/document"
)

func TestReformat(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"comments": {`# head

# second head
id:   x   # the id
# about states
states:    # all of them

  # A is first
  A:
    type: final # done
    # foot of A


  B: {a: 1, b: [1, 2, 3]}   # b
  C: {a: 1, # inside
      b: 2}
  D:
    - x     # one
    # between
    - y:  1
      z: 2
    -   # odd
      - 1
      - 2
    # end of D
  # end of states
text: |    # a block
  line one
  # not a comment

  line three
#the end
`, `# head

# second head
id: x # the id
# about states
states: # all of them
  # A is first
  A:
    type: final # done
    # foot of A

  B: {a: 1, b: [1, 2, 3]} # b
  C:
    a: 1 # inside
    b: 2
  D:
    - x # one
    # between
    - "y": 1
      z: 2
    # odd
    - - 1
      - 2
    # end of D
  # end of states
text: | # a block
  line one
  # not a comment

  line three
#the end
`},
		"too long for brackets":           {"a: {description: a rather long text that goes on and on, other: 1, third: {x: 1}}\n\n\nb: 1", "a:\n  description: a rather long text that goes on and on\n  other: 1\n  third: {x: 1}\n\nb: 1\n"},
		"as its author had it":            {"a: {b: [1, {c: d}]}\ne:\n  f: 1\n", "a: {b: [1, {c: d}]}\ne:\n  f: 1\n"},
		"quotes":                          {"a: 'x'\nb: \"it's\"\nc: 'say \"x\": y'\n'd': >\n  folded\n  text\n", "a: x\nb: it's\nc: 'say \"x\": y'\nd: |\n  folded text\n"},
		"numbers stay":                    {"a: 0x1F\nb: 1.50\nc: ~\nd: True\ne:\n", "a: 0x1F\nb: 1.50\nc: null\nd: true\ne:\n"},
		"marks":                           {"---\na: 1\n...\n", "a: 1\n"},
		"text that ends with empty lines": {"a: |+\n  x\n\n\nb: |+\n  y\n\n# c\n\nc: 1\n", "a: |+\n  x\n\n\nb: |+\n  y\n\n# c\n\nc: 1\n"},
		"Windows":                         {"a: 1\r\n\r\n# c\r\nb: |\r\n  x\r\n  y\r\n", "a: 1\n\n# c\nb: |\n  x\n  y\n"},
		"lists in lists":                  {"-   - a\n    - b\n-\n  c: d\n", "- - a\n  - b\n- c: d\n"},
		"lists not indented":              {"a:\n- b\n# of the list\n- c\nd: 1\n", "a:\n  - b\n  # of the list\n  - c\nd: 1\n"},
	} {
		got, problems := document.Reformat([]byte(c.text), document.YAML, document.Limits{})
		if string(got) != c.want || len(problems) > 0 {
			t.Errorf("%s:\n%swant\n%s%s", name, got, c.want, shownAll(problems))
		}
		again, _ := document.Reformat(got, document.YAML, document.Limits{})
		if string(again) != string(got) {
			t.Errorf("%s is formatted in two ways:\n%s", name, again)
		}
		if !document.Equal(parse(t, c.text, document.YAML), parse(t, string(got), document.YAML)) {
			t.Errorf("%s has another content", name)
		}
	}
	got, problems := document.Reformat([]byte(`{"b":[1.50,{}],"a":"é"}`), document.JSON, document.Limits{})
	if want := "{\n  \"b\": [\n    1.50,\n    {}\n  ],\n  \"a\": \"é\"\n}\n"; string(got) != want || len(problems) > 0 {
		t.Errorf("JSON becomes\n%s", got)
	}
	if got, problems := document.Reformat([]byte("a: 1\na: 2"), document.YAML, document.Limits{}); got != nil || len(problems) != 1 {
		t.Errorf("with problems there is %q", got)
	}
}

// No comment is lost, wherever it stands.
func TestReformatKeepsComments(t *testing.T) {
	lines := strings.Split("a:\n  b: [1,\n    2]\n  c:\n    - d\n    - e: 1\n      f: |\n        x\n  g: {}\nh: 'x\n  y'\n", "\n")
	for i := range lines {
		for _, own := range []bool{true, false} {
			changed := append([]string(nil), lines...)
			if own {
				changed[i] = "    # here\n" + changed[i]
			} else {
				changed[i] += " # here"
			}
			text := strings.Join(changed, "\n")
			n, problems := document.Parse([]byte(text), document.YAML, document.Limits{})
			out, _ := document.Reformat([]byte(text), document.YAML, document.Limits{})
			if len(problems) > 0 {
				continue // not there
			}
			if strings.Count(string(out), "# here") != 1 || !document.Equal(n, parse(t, string(out), document.YAML)) {
				t.Errorf("%s\nbecomes\n%s", text, out)
			}
			if twice, _ := document.Reformat(out, document.YAML, document.Limits{}); string(twice) != string(out) {
				t.Errorf("%s\nbecomes\n%s\nand then\n%s", text, out, twice)
			}
		}
	}
}
