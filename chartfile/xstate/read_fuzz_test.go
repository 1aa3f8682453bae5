package xstate_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/detent-run/detent/chartfile/xstate"
	"github.com/detent-run/detent/statechart"
)

// Whatever a file holds: nothing panics, the same is said each time, every
// diagnostic has a code, a sentence and a place in the file. A machine without
// errors is a chart; it is written as JSON or refused with typed errors, and
// what is written is the same chart again.
func FuzzRead(f *testing.F) {
	for _, c := range same {
		f.Add([]byte(c.machine))
	}
	for _, pattern := range []string{"testdata/*.json", "testdata/json/*.golden"} {
		files, _ := filepath.Glob(pattern)
		for _, name := range files {
			data, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	files, _ := filepath.Glob("testdata/refused/*.txt")
	for _, name := range files {
		for _, c := range refusals(f, name) {
			f.Add([]byte(c.machine))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		found := check(string(data))
		if again := check(string(data)); found.Error() != again.Error() {
			t.Fatalf("the first time\n%v\nthe second time\n%v", found, again)
		}
		lines := strings.Split(strings.ReplaceAll(strings.ReplaceAll(string(data), "\r\n", "\n"), "\r", "\n"), "\n")
		for _, d := range found {
			inFile := d.Line >= 1 && d.Line <= len(lines) && d.Column >= 1 && d.Column <= utf8.RuneCountInString(lines[d.Line-1])+1
			if !inFile || d.Code == "" || d.Message == "" || strings.Contains(d.Message+d.Hint, "\n") {
				t.Errorf("%q of %d lines", d.String(), len(lines))
			}
		}
		file, _ := xstate.Read("machine.json", data)
		if file == nil || found.Errors() {
			return
		}
		writesAgain(t, file.Definition)
	})
}

// writesAgain takes a definition that compiles to JSON and back twice: the
// second time nothing changes.
func writesAgain(t *testing.T, def statechart.Definition) {
	t.Helper()
	text, err := xstate.JSON(def)
	if err != nil {
		if _, typed := errors.AsType[statechart.Errors](err); !typed {
			t.Errorf("it is refused with %v", err)
		}
		return
	}
	file, found := xstate.Read("again.json", text)
	if found.Errors() {
		t.Fatalf("%v\nin\n%s", found, text)
	}
	if _, found = file.Compile(nil); found.Errors() {
		t.Fatalf("%v\nin\n%s", found, text)
	}
	if again, err := xstate.JSON(file.Definition); err != nil || string(again) != string(text) {
		t.Errorf("written again: %v\n%s\nbefore\n%s", err, again, text)
	}
}
