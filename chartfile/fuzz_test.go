package chartfile_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/detent-run/detent/chartfile"
)

// lineBreak is what ends a line in YAML.
var lineBreak = regexp.MustCompile(`\r\n?|\n`)

// Whatever a file holds: nothing panics, the same is said each time, every
// diagnostic has a code, a sentence and a place in the file, and a file
// without errors is a chart.
func FuzzRead(f *testing.F) {
	seeds, _ := filepath.Glob("../examples/*/*.yaml")
	seeds = append(seeds, "testdata/collections.yaml")
	for _, seed := range seeds {
		data, err := os.ReadFile(seed)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, false)
	}
	cases, _ := filepath.Glob("testdata/refused/*.txt")
	for _, file := range cases {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range strings.Split("\n"+string(data), "\n=== ")[1:] {
			_, rest, _ := strings.Cut(part, "\n")
			document, _, _ := strings.Cut(rest, "\n----\n")
			f.Add([]byte(document), strings.Contains(file, "json"))
		}
	}
	for _, p := range statePairs {
		f.Add([]byte(p.document), false)
	}
	f.Fuzz(func(t *testing.T, data []byte, isJSON bool) {
		name := "chart.yaml"
		if isJSON {
			name = "chart.json"
		}
		found := chartfile.Check(name, data)
		if again := chartfile.Check(name, data); found.Error() != again.Error() {
			t.Fatalf("the first time\n%v\nthe second time\n%v", found, again)
		}
		lines := lineBreak.Split(string(data), -1)
		for _, d := range found {
			inFile := d.Line >= 1 && d.Line <= len(lines) && d.Column >= 1 && d.Column <= utf8.RuneCountInString(lines[d.Line-1])+1
			if !inFile || d.Code == "" || d.Message == "" || strings.Contains(d.Message+d.Hint, "\n") {
				t.Errorf("%q of %d lines", d.String(), len(lines))
			}
		}
		read, _ := chartfile.Read(name, data)
		if read == nil {
			return
		}
		if chart, all := read.Compile(nil); (chart == nil) != all.Errors() {
			t.Errorf("a chart: %v, and %v", chart != nil, all)
		}
	})
}
