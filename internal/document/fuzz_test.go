package document_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/detent-run/detent/internal/document"
)

// What is accepted is written and read back with the same content, as YAML, as
// JSON and formatted; what is refused, as YAML or as JSON, has a place, a
// sentence and a hint; every place lies in the file.
func FuzzYAML(f *testing.F) {
	for _, seed := range []string{
		"a: 1\nb: [x, {y: z}]\n", "# c\na: |\n  x\n\n  y\n# d\n", "a: !x\nb: *c\n<<: &d\n", "x: {n: ${ n }}", "'a''b': \"\\u00e9\\\n  c\"\n",
		"- - a\n  - b\n- ? c\n  : d\n", "a: >-\n  x\n   y\n", "%YAML 1.2\n---\na\n...\n", "a: #b\nc: 012\nd: .5\ne: 0x1f", "[a: b, c]", "{a: , b}", "a:\r\n- b # c\r\n- d\r\n", "|+\n a\n\n", "{0,0000,", "a: {b: #c}\nd: 1", `{"a" 1`, `{"a": 1, "a": -}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, problems := document.Parse([]byte(text), document.YAML, document.Limits{Bytes: 1 << 12})
		_, others := document.Parse([]byte(text), document.JSON, document.Limits{Bytes: 1 << 12})
		for _, p := range slices.Concat(problems, others) {
			if p.Code == "" || p.Message == "" || p.Hint == "" || p.Start.Line < 1 || p.Start.Column < 1 || p.Start.Offset > len(text) {
				t.Fatalf("no place, sentence or hint: %+v", p)
			}
		}
		if len(problems) > 0 {
			return
		}
		inside(t, n, 0, len(text))
		for _, to := range []document.Format{document.YAML, document.JSON} {
			out, err := document.Write(n, to)
			if err != nil {
				t.Fatal(err)
			}
			readsBack(t, n, out, to)
		}
		out, problems := document.Reformat([]byte(text), document.YAML, document.Limits{})
		if len(problems) > 0 {
			t.Fatal(shownAll(problems))
		}
		readsBack(t, n, out, document.YAML)
		if twice, _ := document.Reformat(out, document.YAML, document.Limits{}); string(twice) != string(out) {
			t.Fatalf("formatted in two ways:\n%s\n%s", out, twice)
		}
	})
}

func readsBack(t *testing.T, n *document.Node, text []byte, f document.Format) {
	t.Helper()
	again, problems := document.Parse(text, f, document.Limits{Bytes: 1 << 24, Depth: 200})
	if len(problems) > 0 || !document.Equal(n, again) {
		t.Fatalf("written as %s it is another one: %s\n%s", f, shownAll(problems), text)
	}
}

func inside(t *testing.T, n *document.Node, from, to int) {
	if n.Start.Offset < from || n.End.Offset < n.Start.Offset || n.End.Offset > to {
		t.Fatalf("%+v to %+v is outside of %d to %d", n.Start, n.End, from, to)
	}
	for i := range len(n.Text) + 1 {
		if at := n.At(i).Offset; n.Kind == document.String && (at < n.Start.Offset || at > n.End.Offset) && strings.TrimSpace(n.Text) != "" {
			t.Fatalf("byte %d of %q is at %d, outside of %+v to %+v", i, n.Text, at, n.Start, n.End)
		}
	}
	for _, item := range n.Items {
		inside(t, item, n.Start.Offset, n.End.Offset)
	}
	for _, f := range n.Fields {
		inside(t, f.Value, n.Start.Offset, n.End.Offset)
	}
}
