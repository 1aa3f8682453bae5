// Package examples_test holds all chart files of the examples to what readers
// may expect of them.
package examples_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/internal/cli"
)

// Each chart file is without a fault, tells editors its schema, is laid out as
// the formatter would, and needs no Go code.
func TestEveryChartFile(t *testing.T) {
	files, err := filepath.Glob("*/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no chart files: %v", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if first, _, _ := strings.Cut(string(text), "\n"); first != "# yaml-language-server: $schema=../../schema/chart.schema.json" {
			t.Errorf("%s begins with %q", name, first)
		}
		f, found := chartfile.Read(name, text)
		if f == nil {
			t.Errorf("%v", found)
			continue
		}
		if _, found := f.Compile(nil); len(found) > 0 {
			t.Errorf("%v", found)
		}
		if r := f.Requires; len(r.Guards)+len(r.Actions)+len(r.Performers) > 0 {
			t.Errorf("%s requires Go code: %+v", name, r)
		}
		laidOut, found := chartfile.Format(name, text)
		if len(found) > 0 || string(laidOut) != string(text) {
			t.Errorf("%s is not laid out as `detent fmt` would, or cannot be: %v", name, found)
		}
	}
}

// chartOf is the chart file that a transcript is about.
func chartOf(transcript string) string {
	folder, rest, _ := strings.Cut(filepath.ToSlash(transcript), "/")
	switch {
	case folder == "first-chart":
		return folder + "/ask.yaml"
	case folder == "from-scxml":
		return folder + "/order.scxml"
	case folder == "from-xstate":
		return folder + "/upload.json"
	case strings.HasPrefix(rest, "testdata/calls/"):
		return folder + "/" + folder + "-calls.yaml"
	}
	return folder + "/" + folder + ".yaml"
}

// Each transcript also plays from the command line: detent sim FILE --script.
func TestEveryTranscriptPlays(t *testing.T) {
	files, _ := filepath.Glob("*/testdata/*.transcript")
	below, _ := filepath.Glob("*/testdata/*/*.transcript")
	played := 0
	for _, transcript := range append(files, below...) {
		chart := chartOf(transcript)
		if _, err := os.Stat(chart); err != nil && strings.HasPrefix(transcript, "door") {
			continue // the one example that is written in Go
		}
		played++
		var out, prose bytes.Buffer
		env := cli.System()
		env.In, env.InTerminal = strings.NewReader(""), false
		env.Out, env.OutTerminal = &out, false
		env.Err, env.ErrTerminal = &prose, false
		args := []string{"sim", chart, "--script", transcript}
		if strings.HasPrefix(transcript, "from-xstate") {
			args = append(args, "--from", "xstate")
		}
		if code := cli.Run(env, args); code != 0 {
			t.Errorf("detent sim %s --script %s ends with %d:\n%s%s", chart, transcript, code, out.String(), prose.String())
		}
	}
	if played == 0 {
		t.Error("there are no transcripts")
	}
}
