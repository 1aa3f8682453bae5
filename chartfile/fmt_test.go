package chartfile_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/detent-run/detent/chartfile"
)

// A file keeps its comments, its order and its content, and gets its layout.
func TestFormat(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"layout", "c.yaml", "# a door\nid:   door\nstates:\n    opened: {on:   {CLOSE: closed }}   # ajar\n    closed:\n        on: {OPEN: 'opened'}\ninitial:  closed\n",
			"# a door\nid: door\nstates:\n  opened: {on: {CLOSE: closed}} # ajar\n  closed:\n    on: {OPEN: opened}\ninitial: closed\n"},
		{"a text of several lines", "c.yaml", "id: c\ndescription: \"one\\ntwo\\n\"\n", "id: c\ndescription: |\n  one\n  two\n"},
		{"JSON", "c.json", `{"initial":"a", "id":"c","states":{"a":{}}}`, "{\n  \"initial\": \"a\",\n  \"id\": \"c\",\n  \"states\": {\n    \"a\": {}\n  }\n}\n"},
		{"what is no chart", "c.yaml", "inital:    a\n", "inital: a\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, found := chartfile.Format(c.file, []byte(c.text))
			if string(got) != c.want || len(found) > 0 {
				t.Errorf("it becomes %v\n%s\nnot\n%s", found, got, c.want)
			}
			if again, _ := chartfile.Format(c.file, got); string(again) != string(got) {
				t.Errorf("a second time it becomes\n%s", again)
			}
		})
	}
}

// What cannot be read is left alone, and the diagnostics say where it is
// wrong.
func TestFormatRefuses(t *testing.T) {
	got, found := chartfile.Format("c.yaml", []byte("id: c\nid: d\nstates: {a: *b}\n"))
	if got != nil || len(found) < 2 || found[0].Line != 2 || found[0].Code != chartfile.CodeDuplicateKey || found[1].Line != 3 || found[1].File != "c.yaml" {
		t.Errorf("it gives %q and %v", got, found)
	}
}

// Formatting an example changes nothing that it means, and a second time
// nothing at all.
func TestFormatExamples(t *testing.T) {
	files, err := filepath.Glob("../examples/*/*.yaml")
	if err != nil || len(files) < 4 {
		t.Fatalf("there are %d example files: %v", len(files), err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		formatted, found := chartfile.Format(name, data)
		if len(found) > 0 {
			t.Fatal(found)
		}
		if got, want := readBack(t, name, formatted).Definition, readBack(t, name, data).Definition; !reflect.DeepEqual(got, want) {
			t.Errorf("%s means something else:\n%s", name, formatted)
		}
		if again, _ := chartfile.Format(name, formatted); string(again) != string(formatted) {
			t.Errorf("%s changes a second time:\n%s", name, again)
		}
	}
}
