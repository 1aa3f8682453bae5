package xstate_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/chartfile/xstate"
	"github.com/detent-run/detent/charttest"
	"github.com/detent-run/detent/statechart"
)

// chart reads a chart file of which nothing is refused.
func chart(t *testing.T, name, text string) statechart.Definition {
	t.Helper()
	file, found := chartfile.Read(name, []byte(text))
	if found.Errors() {
		t.Fatal(found)
	}
	return file.Definition
}

// again writes a definition as JSON and reads it.
func again(t *testing.T, def statechart.Definition) (*chartfile.File, string) {
	t.Helper()
	text, err := xstate.JSON(def)
	if err != nil {
		t.Fatal(err)
	}
	file, found := xstate.Read("again.json", text)
	if found.Errors() {
		t.Fatalf("%v\nin\n%s", found, text)
	}
	return file, string(text)
}

// Every shape of a chart that JSON can say comes back from it.
func TestJSONIsReadAgain(t *testing.T) {
	for _, c := range same {
		def := chart(t, "chart.yaml", c.chart)
		if len(unwritable(def)) > 0 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			file, text := again(t, def)
			got, want := written(t, file.Definition), written(t, def)
			if got != want {
				t.Errorf("it comes back as\n%s\nnot\n%s\nfrom\n%s", got, want, text)
			}
		})
	}
}

func unwritable(def statechart.Definition) []string {
	_, err := xstate.JSON(def)
	list, _ := err.(statechart.Errors)
	var out []string
	for _, e := range list {
		out = append(out, e.Error())
	}
	return out
}

// What JSON gives, and what it makes of names and meta: the golden files are
// for people to read. With -update they are written again.
func TestJSONGolden(t *testing.T) {
	files, _ := filepath.Glob("testdata/json/*.yaml")
	if len(files) == 0 {
		t.Fatal("there are no charts")
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := xstate.JSON(chart(t, name, string(data)))
		if err != nil {
			got = []byte(err.Error() + "\n")
		}
		golden(t, strings.TrimSuffix(name, ".yaml")+".golden", string(got))
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: it gives\n%s\nnot\n%s", name, got, want)
	}
}

// What would be larger or deeper than Read takes is refused, and not written.
func TestJSONIsNotTooLargeToRead(t *testing.T) {
	deep := `{tools: [x]}`
	for range 30 {
		deep = `{initial: a, states: {a: ` + deep + `}}`
	}
	long := `{log: "` + strings.Repeat("y", 90) + `"},` + "\n"
	var logs strings.Builder
	for i := range 7_000 {
		logs.WriteString(strings.Replace(long, "yy", strconv.Itoa(i), 1))
	}
	for _, c := range []struct{ name, chart, want string }{
		{"deep", `{id: m, initial: a, states: {a: ` + deep + `}}`, "root: as a configuration it could not be read again: the document is nested deeper than 64 levels (take a part out into a chart of its own)"},
		{"long", `{id: m, entry: [` + logs.String() + `]}`, "bytes long, and may be 1048576"},
	} {
		if found := unwritable(chart(t, c.name+".yaml", c.chart)); len(found) != 1 || !strings.Contains(found[0], c.want) {
			t.Errorf("%s: it says %q", c.name, found)
		}
	}
}

// The example charts that JSON can say play their transcripts when they come
// back from it.
func TestExamplesPlayAfterJSON(t *testing.T) {
	for _, c := range []struct{ file, transcripts string }{
		{"search-assistant/search-assistant", "search-assistant/testdata/*.transcript"},
		{"first-chart/ask", "first-chart/testdata/*.transcript"},
	} {
		t.Run(filepath.Base(c.file), func(t *testing.T) {
			data, err := os.ReadFile("../../examples/" + c.file + ".yaml")
			if err != nil {
				t.Fatal(err)
			}
			file, _ := again(t, chart(t, c.file+".yaml", string(data)))
			compiled, found := file.Compile(nil)
			if found.Errors() {
				t.Fatal(found)
			}
			charttest.Run(t, compiled, "../../examples/"+c.transcripts, charttest.Options{})
		})
	}
}

// Of every other example chart it is said what JSON cannot say, each time with
// a place and a hint.
func TestExamplesAsJSON(t *testing.T) {
	files, _ := filepath.Glob("../../examples/*/*.yaml")
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		_, err = xstate.JSON(chart(t, name, string(data)))
		list, _ := err.(statechart.Errors)
		if err != nil && len(list) == 0 {
			t.Errorf("%s: %v", name, err)
		}
		for _, e := range list {
			if e.Code != chartfile.CodeUnwritable || e.Path == "" || e.Hint == "" {
				t.Errorf("%s: %v", name, e)
			}
		}
	}
}
