package expression

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

var updateDocs = flag.Bool("update", false, "rewrite the tables of functions in docs/expressions.md")

const page = "../docs/expressions.md"

// sections are the tables of the page.
var sections = []struct {
	title string
	table map[string]*function
}{
	{"Of lists, with a body", turnFunctions},
	{"Of lists", listFunctions},
	{"Of text", textFunctions},
	{"Of numbers", numberFunctions},
	{"Of objects and any value", objectFunctions},
	{"Of the chart and its world", chartFunctions},
	{"Of the bits of integers", bitFunctions},
}

// The page lists every function as the code describes it, and no other.
func TestPageListsFunctions(t *testing.T) {
	var b strings.Builder
	b.WriteString("<!-- functions -->\n")
	for _, s := range sections {
		fmt.Fprintf(&b, "\n%s:\n\n| function | gives |\n|---|---|\n", s.title)
		for _, name := range sortedKeys(s.table) {
			f := s.table[name]
			if !strings.HasPrefix(f.usage, name+"(") || f.does == "" {
				t.Errorf("%s is described as %q", name, f.usage)
			}
			fmt.Fprintf(&b, "| `%s` | %s |\n", f.usage, f.does)
		}
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	listed := regexp.MustCompile(`(?s)<!-- functions -->\n.*?(\n## )`)
	want := listed.ReplaceAllLiteralString(string(text), b.String()+"\n## ")
	if *updateDocs {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want != string(text) {
		t.Error("docs/expressions.md does not list the functions as they are; run this test with -update")
	}
}
