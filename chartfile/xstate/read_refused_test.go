package xstate_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/chartfile/xstate"
)

var update = flag.Bool("update", false, "write the files of testdata again")

// refusal is a machine and what is said of it.
type refusal struct{ name, machine, want string }

// refusals reads the cases of one file: "=== name", the machine, "----", and
// the diagnostics, one a line.
func refusals(t testing.TB, file string) []refusal {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []refusal
	for _, part := range strings.Split("\n"+string(data), "\n=== ")[1:] {
		name, rest, _ := strings.Cut(part, "\n")
		machine, want, _ := strings.Cut(rest+"\n", "\n----\n")
		out = append(out, refusal{name, machine, strings.TrimSpace(want)})
	}
	return out
}

// check lists what is said of a machine when it is compiled with stand-ins.
func check(machine string) chartfile.Diagnostics {
	file, found := xstate.Read("machine.json", []byte(machine))
	if file == nil {
		return found
	}
	_, found = file.Compile(nil)
	return found
}

// Every refusal and warning: its place, code, sentence and hint. With -update
// the files are written again.
func TestRefused(t *testing.T) {
	files, err := filepath.Glob("testdata/refused/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		var text strings.Builder
		for _, c := range refusals(t, file) {
			var lines []string
			for _, d := range check(c.machine) {
				lines = append(lines, strings.TrimPrefix(d.String(), "machine.json:"))
				if d.Hint == "" || strings.HasPrefix(d.Hint, "detent explain") {
					t.Errorf("%s: %s: no hint of its own: %s", filepath.Base(file), c.name, d)
				}
				if (d.Severity == chartfile.Warning) != strings.Contains(file, "warnings") {
					t.Errorf("%s: %s: its severity is %s: %s", filepath.Base(file), c.name, d.Severity, d)
				}
			}
			got := strings.Join(lines, "\n")
			if got != c.want && !*update {
				t.Errorf("%s: %s\n%s\nsays\n%s\nnot\n%s", filepath.Base(file), c.name, c.machine, got, c.want)
			}
			text.WriteString("=== " + c.name + "\n" + c.machine + "\n----\n" + got + "\n\n")
		}
		if *update {
			if err := os.WriteFile(file, []byte(strings.TrimSuffix(text.String(), "\n")), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
