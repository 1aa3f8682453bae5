package charttest

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/detent-run/detent/charttest/transcript"
	"github.com/detent-run/detent/statechart"
)

var update = flag.Bool("charttest.update", false, "write what is seen into the transcripts as what is expected")

// Options configure [Run]. The zero value serves for a chart without child
// charts whose context can be written as JSON.
type Options = transcript.Options

// Run plays every transcript whose name matches the pattern, each as a
// subtest, and fails where something else is seen than what is expected. The
// pattern is one of [filepath.Glob], from the folder of the test; one that
// nothing matches fails too. With the flag -charttest.update the transcripts
// are rewritten instead.
func Run(t *testing.T, chart *statechart.Chart, pattern string, o Options) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatalf("the pattern %q: %v", pattern, err)
	}
	if len(files) == 0 {
		t.Fatalf("no transcript matches %q", pattern)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		t.Run(name, func(t *testing.T) { play(t, chart, file, o, *update) })
	}
}

// reporter is what play needs of a test.
type reporter interface {
	Helper()
	Errorf(format string, args ...any)
	Logf(format string, args ...any)
}

// play plays one file and reports, or rewrites it.
func play(t reporter, chart *statechart.Chart, file string, o Options, rewrite bool) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	script, err := transcript.Parse(filepath.ToSlash(file), text)
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	result, err := transcript.Play(chart, script, o)
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	if rewrite {
		if err := write(file, string(text), result.Text()); err != nil {
			t.Errorf("%v", err)
		} else if result.Text() != string(text) {
			t.Logf("%s is rewritten: read the difference before you believe it", file)
		}
		return
	}
	differences := result.Differences()
	for _, d := range differences {
		t.Errorf("%s", d)
	}
	if len(differences) > 0 {
		t.Logf("if what is seen is right, accept it with -charttest.update")
	}
}

// write replaces a file whose text changed; never half of it.
func write(file, old, text string) error {
	if text == old {
		return nil
	}
	whole := file + ".new"
	err := os.WriteFile(whole, []byte(text), 0o644)
	if err == nil {
		err = os.Rename(whole, file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(whole))
	}
	return nil
}
