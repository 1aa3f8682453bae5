package scxml_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/chartfile/scxml"
)

var update = flag.Bool("update", false, "write the expected diagnostics again")

// refusedCase is a document and what is said about it: the place, the
// sentence, the hint and the code.
type refusedCase struct{ name, document, want string }

// refusedCases reads the cases of one file: "=== name", the document, "----",
// and the diagnostics, one a line.
func refusedCases(t testing.TB, file string) []refusedCase {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []refusedCase
	for _, part := range strings.Split("\n"+string(data), "\n=== ")[1:] {
		name, rest, _ := strings.Cut(part, "\n")
		document, want, _ := strings.Cut(rest+"\n", "\n----\n")
		out = append(out, refusedCase{name, document + "\n", strings.TrimSpace(want)})
	}
	return out
}

// check is everything that is said about a document and those in it.
func check(name string, data []byte, o scxml.Options) chartfile.Diagnostics {
	doc, found := scxml.Read(name, data, o)
	if doc == nil {
		return found
	}
	_, found = doc.Compile(nil)
	return found
}

func said(found chartfile.Diagnostics) string {
	var lines []string
	for _, d := range found {
		lines = append(lines, strings.TrimPrefix(d.String(), "door.scxml:"))
	}
	return strings.Join(lines, "\n")
}

// Every refusal and every warning: its place, sentence, hint and code. The
// files are read as a user would; with -update they are written again.
func TestRefused(t *testing.T) {
	files, err := filepath.Glob("testdata/refused/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		var written strings.Builder
		for _, c := range refusedCases(t, file) {
			got := said(check("door.scxml", []byte(c.document), scxml.Options{}))
			written.WriteString("=== " + c.name + "\n" + c.document + "----\n" + got + "\n")
			if !*update && got != c.want {
				t.Errorf("%s: %s\ngot\n%s\nwant\n%s", file, c.name, got, c.want)
			}
			if got == "" {
				t.Errorf("%s: %s: nothing is said", file, c.name)
			}
		}
		if *update {
			if err := os.WriteFile(file, []byte(written.String()), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}
