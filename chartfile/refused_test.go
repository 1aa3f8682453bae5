package chartfile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile"
)

// refusedCase is a file that is refused and what is said about it: the place,
// the code, the sentence and the hint.
type refusedCase struct{ name, document, want string }

// refusedCases reads the cases of one file: "=== name", the document, "----",
// and the diagnostics, one a line.
func refusedCases(t *testing.T, file string) []refusedCase {
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

func documentName(file string) string {
	if strings.Contains(file, "json") {
		return "chart.json"
	}
	return "chart.yaml"
}

func said(file, document string) string {
	var lines []string
	for _, d := range chartfile.Check(documentName(file), []byte(document)) {
		_, rest, _ := strings.Cut(d.String(), ":")
		lines = append(lines, rest)
	}
	return strings.Join(lines, "\n")
}

// Every refusal of the format: its place, code, sentence and hint. The files
// are read as a user would; with -update they are written again.
func TestRefused(t *testing.T) {
	files, err := filepath.Glob("testdata/refused/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	total := 0
	for _, file := range files {
		var written strings.Builder
		for _, c := range refusedCases(t, file) {
			total++
			got := said(file, c.document)
			if got != c.want && !*update {
				t.Errorf("%s: %s\n%s\nsays\n%s\nnot\n%s", filepath.Base(file), c.name, c.document, got, c.want)
			}
			for line := range strings.Lines(got) {
				if !strings.Contains(line, " (") || strings.Contains(line, "detent explain") {
					t.Errorf("%s: %s: no hint of its own: %s", filepath.Base(file), c.name, line)
				}
			}
			if got == "" {
				t.Errorf("%s: %s: nothing is refused", filepath.Base(file), c.name)
			}
			written.WriteString("=== " + c.name + "\n" + strings.TrimSuffix(c.document, "\n") + "\n----\n" + got + "\n\n")
		}
		if *update {
			if err := os.WriteFile(file, []byte(strings.TrimSuffix(written.String(), "\n")), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if total < 120 {
		t.Errorf("only %d refusals are shown", total)
	}
}
