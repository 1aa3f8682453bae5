package document_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/detent-run/detent/internal/document"
)

// allocated counts the bytes that parsing asks for, all in all.
func allocated(text string, f document.Format, l document.Limits) (*document.Node, []document.Problem, uint64) {
	data := []byte(text)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n, problems := document.Parse(data, f, l)
	runtime.ReadMemStats(&after)
	return n, problems, after.TotalAlloc - before.TotalAlloc
}

const mib = 1 << 20

func TestLimits(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	blocks := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.Repeat(" ", i) + "a:\n")
		}
		return b.String() + strings.Repeat(" ", n) + "b"
	}
	fields := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "k%d: 1\n", i)
		}
		return b.String()
	}
	wide := func(n int) string { return strings.Repeat("- a\n", n-1) }
	for name, c := range map[string]struct {
		text  string
		want  string // of YAML
		json  bool   // also as JSON
		nodes int    // the limit, if it is not the default
	}{
		"64 brackets":              {nested(64), "", true, 0},
		"65 brackets":              {nested(65), "nested deeper than 64 levels", true, 0},
		"6,400 brackets":           {nested(6400), "nested deeper than 64 levels", true, 0},
		"64 blocks":                {blocks(64), "", false, 0},
		"65 blocks":                {blocks(65), "nested deeper than 64 levels", false, 0},
		"66 blocks":                {blocks(66), "nested deeper than 64 levels", false, 0},
		"640 blocks":               {blocks(640), "nested deeper than 64 levels", false, 0},
		"60 blocks and 4 brackets": {blocks(60) + ": " + nested(3), "", false, 0},
		"60 blocks and 5 brackets": {blocks(60) + ": " + nested(4), "nested deeper than 64 levels", false, 0},
		"items of items":           {strings.Repeat("- ", 500_000), "nested deeper than 64 levels", false, 0},
		"keys of keys":             {strings.Repeat("? ", 15_000), "nested deeper than 64 levels", false, 0},
		"1 MiB":                    {"a: " + strings.Repeat("x", mib-3), "", false, 0},
		"1 MiB and a byte":         {"a: " + strings.Repeat("x", mib-2), "the file is 1048577 bytes long, and may be 1048576", false, 0},
		"100 MiB":                  {strings.Repeat("[", 100*mib), "the file is 104857600 bytes long, and may be 1048576", false, 0},
		"1,000 values":             {wide(1000), "", false, 1000},
		"1,001 values":             {wide(1001), "the file has more than 1000 values", false, 1000},
		"100,000 values":           {wide(100_000), "the file has more than 1000 values", false, 1000},
		"1,000 fields":             {fields(1000), "", false, 1001},
		"1,001 fields":             {fields(1001), "the file has more than 1001 values", false, 1001},
		"100,000 fields":           {fields(100_000), "the file has more than 1001 values", false, 1001},
		"a crowded line":           {"[" + strings.Repeat("a,", 19_000) + "a]", "", true, 0},
		"a line too crowded":       {"[" + strings.Repeat("a,", 20_000) + "a]", "the line has more than 20000 commas, colons and brackets", false, 0},
		"brackets without end":     {strings.Repeat("[", mib), "the line has more than 20000 commas, colons and brackets", false, 0},
	} {
		for _, f := range []document.Format{document.YAML, document.JSON} {
			if f == document.JSON && !c.json {
				continue
			}
			text := c.text
			if f == document.JSON {
				text = strings.ReplaceAll(text, "a", "1")
			}
			n, problems, bytes := allocated(text, f, document.Limits{Nodes: c.nodes})
			switch {
			case bytes > bound:
				t.Errorf("%s: %d MiB", name, bytes/mib)
			case c.want == "" && (n == nil || len(problems) > 0):
				t.Errorf("%s: %s", name, shownAll(problems))
			case c.want != "" && (n != nil || len(problems) != 1 || problems[0].Code != document.CodeTooLarge || !strings.Contains(shown(problems[0]), c.want)):
				t.Errorf("%s: %s, want %s", name, shownAll(problems), c.want)
			}
		}
	}
}

// Without a limit of its own a document may have 200,000 values.
func TestValuesByDefault(t *testing.T) {
	for n, want := range map[int]int{200_000: 0, 200_001: 1} {
		text := "[" + strings.Repeat("0,", n-2) + "0]"
		if _, problems := document.Parse([]byte(text), document.JSON, document.Limits{}); len(problems) != want {
			t.Errorf("%d values: %s", n, shownAll(problems))
		}
	}
}

// Documents that are made to cost much.
func TestBombs(t *testing.T) {
	keys := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	aliases := "a: &a [x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c <= 'z'; c++ {
		aliases += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c, ", c-1), 9), ", "))
	}
	for name, c := range map[string]struct {
		text string
		code string // of the first problem, or empty
	}{
		"nine to the power of 26": {aliases, document.CodeFeature},
		"an alias of itself":      {"a: &a [*a]\n", document.CodeFeature},
		"merges of merges":        {"a: &a {b: c}\n" + keys(5_000, "k%d: {<<: *a}\n"), document.CodeFeature},
		"a wide object":           {keys(30_000, "k%d: 1\n"), ""},
		"a wide object on lines":  {"{\n" + keys(30_000, " k%d: 1,\n") + "}", ""},
		"one key":                 {strings.Repeat("a: 1\n", 20_000), document.CodeDuplicate},
		"tags":                    {strings.Repeat("- !a b\n", 20_000), document.CodeFeature},
		"anchors":                 {strings.Repeat("- &a b\n", 20_000), document.CodeFeature},
		"comments":                {"a: 1\n" + strings.Repeat("  # a\n", 50_000), ""},
		"empty lines":             {strings.Repeat("\n", mib/4) + "a: 1", ""},
		"documents":               {strings.Repeat("---\na\n", 50_000), document.CodeFeature},
		"a long quote":            {`a: "` + strings.Repeat(`\n`, mib/4) + `"`, ""},
		"a long fold":             {"a: >\n" + strings.Repeat(" a\n", mib/8), ""},
		"a quote without end":     {`a: "` + strings.Repeat("x\n ", mib/8), document.CodeSyntax},
		"errors":                  {strings.Repeat("a: b: c\n", 20_000), document.CodeSyntax},
	} {
		_, problems, bytes := allocated(c.text, document.YAML, document.Limits{})
		if code := append(problems, document.Problem{})[0].Code; code != c.code {
			t.Errorf("%s: the first problem is %q, want %q", name, code, c.code)
		}
		if bytes > bound {
			t.Errorf("%s takes %d MiB", name, bytes/mib)
		}
	}
}
