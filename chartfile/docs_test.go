package chartfile_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/internal/document"
)

const page = "../docs/chart-file.md"

// keysMark stands before a table that is made from the types of the format.
var keysMark = regexp.MustCompile(`^<!-- keys: (\w+) -->$`)

// The tables of keys on the page are those of the format. With -update they
// are written.
func TestPageListsTheKeys(t *testing.T) {
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	tables := 0
	inTable := false
	for line := range strings.Lines(string(data)) {
		if inTable && strings.HasPrefix(line, "|") {
			continue
		}
		inTable = false
		out.WriteString(line)
		if m := keysMark.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			table, ok := chartfile.KeyTable(m[1])
			if !ok {
				t.Fatalf("the page asks for the keys of %q", m[1])
			}
			out.WriteString(table)
			inTable = true
			tables++
		}
	}
	if tables < 12 {
		t.Errorf("the page has %d tables of keys", tables)
	}
	if out.String() == string(data) {
		return
	}
	if !*update {
		t.Fatalf("%s is stale; write it with: go test ./chartfile -run TestPageListsTheKeys -update", page)
	}
	if err := os.WriteFile(page, []byte(out.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Each chart on the page is one, each part of a chart is YAML, and each row
// of its traps is what it says.
func TestPageShowsCharts(t *testing.T) {
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	charts, parts := 0, 0
	for _, block := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(data), -1) {
		text := block[1]
		if strings.HasPrefix(text, "id:") || strings.HasPrefix(text, "# yaml-language-server") {
			charts++
			if found := chartfile.Check("page.yaml", []byte(text)); len(found) > 0 {
				t.Errorf("%v\nin\n%s", found, text)
			}
			continue
		}
		parts++
		if _, problems := document.Parse([]byte(text), document.YAML, document.Limits{}); len(problems) > 0 {
			t.Errorf("%v\nin\n%s", problems, text)
		}
		if found := chartfile.Check("page.yaml", []byte("id: c\n"+text)); len(found) > 0 {
			for _, d := range found {
				if d.Code == chartfile.CodeUnknownKey || d.Code == chartfile.CodeWrongType || d.Code == chartfile.CodeSyntax {
					t.Errorf("%v\nin\n%s", d, text)
				}
			}
		}
	}
	if charts < 2 || parts < 5 {
		t.Errorf("the page shows %d charts and %d parts", charts, parts)
	}
}
