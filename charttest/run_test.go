package charttest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/detent-run/detent/statechart"
)

var errBroken = errors.New("the tool is\nbroken")

func TestWorkshop(t *testing.T) {
	children := map[string]*statechart.Chart{"helper": compile(t, helper, nil)}
	Run(t, compile(t, workshop, behaviour()), "testdata/*.transcript", Options{Charts: children})
}

// recorder is a test that was told something.
type recorder struct{ errors, logs []string }

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

func (r *recorder) Logf(format string, args ...any) {
	r.logs = append(r.logs, fmt.Sprintf(format, args...))
}

// file writes a transcript and returns its name.
func file(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "x.transcript")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

const (
	wrong = "# Pins down a thing.\n\nstart\n  detent.init: taken\n    in working.cutting\n\nshow\n"
	right = "# Pins down a thing.\n\nstart\n  detent.init: taken\n    in idle\n\nshow\n  in idle\n  data job = null\n  data served = 0\n  list ledger: 0 rows\n"
)

func TestAWrongExpectationFails(t *testing.T) {
	name := file(t, wrong)
	var r recorder
	play(&r, compile(t, workshop, behaviour()), name, Options{}, false)
	want := []string{
		filepath.ToSlash(name) + ":3: start\n" +
			"    detent.init: taken\n" +
			"-     in working.cutting\n" +
			"+     in idle",
		filepath.ToSlash(name) + ":7: show\n" +
			"+   in idle\n" +
			"+   data job = null\n" +
			"+   data served = 0\n" +
			"+   list ledger: 0 rows",
	}
	if strings.Join(r.errors, "\n") != strings.Join(want, "\n") {
		t.Errorf("the errors are\n%s\nwant\n%s", strings.Join(r.errors, "\n"), strings.Join(want, "\n"))
	}
	if len(r.logs) != 1 || !strings.Contains(r.logs[0], "-charttest.update") {
		t.Errorf("logged is %q", r.logs)
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != wrong {
		t.Errorf("the file was changed: %v", err)
	}
}

func TestUpdateRewrites(t *testing.T) {
	name := file(t, wrong)
	chart := compile(t, workshop, behaviour())
	var r recorder
	play(&r, chart, name, Options{}, true)
	if text, err := os.ReadFile(name); err != nil || string(text) != right {
		t.Errorf("the file is now, %v,\n%s", err, text)
	}
	if len(r.errors) > 0 || len(r.logs) != 1 {
		t.Errorf("the errors are %q, the logs %q", r.errors, r.logs)
	}
	var again recorder
	play(&again, chart, name, Options{}, true)
	play(&again, chart, name, Options{}, false)
	if len(again.errors)+len(again.logs) > 0 {
		t.Errorf("what was rewritten is not what is seen: %q %q", again.errors, again.logs)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(name), "*")); len(left) != 1 {
		t.Errorf("left behind is %v", left)
	}
}

func TestUpdateLeavesABadTranscriptAlone(t *testing.T) {
	for _, text := range []string{"# x\n\nstart\nopen\n", "# x\n\nstart\ndone nothing\n"} {
		name := file(t, text)
		var r recorder
		play(&r, compile(t, workshop, behaviour()), name, Options{}, true)
		if now, err := os.ReadFile(name); err != nil || string(now) != text {
			t.Errorf("the file is now, %v,\n%s", err, now)
		}
		if len(r.errors) != 1 || !strings.Contains(r.errors[0], "x.transcript:4: ") {
			t.Errorf("the errors are %q", r.errors)
		}
	}
}

func TestAMissingFileFails(t *testing.T) {
	var r recorder
	play(&r, compile(t, workshop, behaviour()), filepath.Join(t.TempDir(), "no.transcript"), Options{}, false)
	if len(r.errors) != 1 || !strings.Contains(r.errors[0], "no.transcript") {
		t.Errorf("the errors are %q", r.errors)
	}
}
