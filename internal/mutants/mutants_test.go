package main

import (
	"bytes"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// sampleModule is a module with a tested function.
var sampleModule = fstest.MapFS{
	"go.mod": {Data: []byte("module sample\n\ngo 1.26.0\n")},
	"sum.go": {Data: []byte(`package sample

import "os"

func Sum(numbers []int) int {
	total := 0
	for i := 0; i < len(numbers); i++ {
		total += numbers[i]
	}
	if total < 0 {
		total = 0
	}
	return total
}

func init() { quit(0) }

func quit(code int) {
	if code > 0 {
		os.Exit(code)
	}
}
`)},
	"sum_test.go": {Data: []byte(`package sample

import "testing"

func TestSum(t *testing.T) {
	for name, numbers := range map[string][]int{"two": {1, 2}} {
		t.Run(name, func(t *testing.T) {
			if got := Sum(numbers); got != 3 {
				t.Errorf("got %d, want 3", got)
			}
		})
	}
}

func TestNothing(t *testing.T) {}
`)},
	"red/red_test.go": {Data: []byte("package red\n\nimport \"testing\"\n\nfunc TestRed(t *testing.T) { t.Error(\"always\") }\n")},
}

// inSum gives a mutant of sum.go that all tests of the package look at.
func inSum(name, before, after string) mutant {
	return mutant{name: name, file: "sum.go", before: before, after: after, packages: []string{"."}}
}

func newLaboratory(t *testing.T) *laboratory {
	t.Helper()
	root := t.TempDir()
	if err := os.CopyFS(root, sampleModule); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOWORK", "off")
	return &laboratory{root: root, timeout: 2 * time.Second, memory: 4096, parallel: 2}
}

func TestVerdicts(t *testing.T) {
	l := newLaboratory(t)
	harmless := inSum("harmless", "i := 0;", "i := 0 + 0;")
	harmless.equivalent = "nought more is nothing more"
	wrong := inSum("not equivalent", "total := 0", "total := 1")
	wrong.equivalent = "says somebody"
	elsewhere := inSum("looked at elsewhere", "total += numbers[i]", "total -= numbers[i]")
	elsewhere.run = "TestNothing"
	results, err := l.examine(t.Context(), []mutant{
		inSum("minus", "total += numbers[i]", "total -= numbers[i]"),
		inSum("panics", "numbers[i]", "numbers[i+1]"),
		inSum("never ends", "i++", "i += 0"),
		inSum("ends the tests", "quit(0)", "quit(3)"),
		inSum("nobody looks", "total < 0", "total < -5"),
		elsewhere, harmless, wrong,
		inSum("is no Go", "i++", "i++ ++"),
	})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	code := report(&out, results, false)
	for i, want := range []verdict{killed, killed, timedOut, killed, survived, survived, survived, killed, notBuilt} {
		if results[i].verdict != want {
			t.Errorf("%s: %s, want %s", results[i].mutant.name, results[i].verdict, want)
		}
	}
	if got := results[0].killers; len(got) != 1 || got[0] != "TestSum" {
		t.Errorf("minus was killed by %q, want TestSum", got)
	}
	if code != 1 {
		t.Errorf("exit code %d, want 1: some survived", code)
	}
	_, tail, _ := strings.Cut(out.String(), "survived:\n")
	tail, compiler, _ := strings.Cut(tail, "do not build")
	want := `  nobody looks (sum.go): go test -run "" .
  looked at elsewhere (sum.go): go test -run "TestNothing" .
said to be equivalent, but killed:
  not equivalent, by TestSum
equivalent:
  harmless: nought more is nothing more
`
	if tail != want {
		t.Errorf("got\n%s\nwant\n%s", tail, want)
	}
	if !strings.Contains(compiler, "is no Go: ") || !strings.Contains(compiler, "syntax error") || !strings.HasSuffix(compiler, "\nmutants 4/7\n") {
		t.Errorf("after \"do not build\" got\n%s", compiler)
	}
	if !strings.Contains(out.String(), "killed by timeout  never ends") {
		t.Errorf("the timeout is not told apart:\n%s", out.String())
	}
}

// TestMemoryIsLimited asks for more than a run may have; the system would hand
// it out, as nobody writes to it.
func TestMemoryIsLimited(t *testing.T) {
	l := newLaboratory(t)
	results, err := l.examine(t.Context(), []mutant{inSum("eats memory", "total := 0", "total := len(make([]byte, 8<<30)) * 0")})
	if err != nil {
		t.Fatal(err)
	}
	want := killed
	if runtime.GOOS != "linux" {
		want = survived // the shell's limit is not enforced there
	}
	if results[0].verdict != want {
		t.Errorf("%s, want %s", results[0].verdict, want)
	}
}

func TestCheckoutIsNotTouched(t *testing.T) {
	l := newLaboratory(t)
	if _, err := l.examine(t.Context(), []mutant{inSum("minus", "total += numbers[i]", "total -= numbers[i]")}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(l.root + "/sum.go")
	if err != nil || !bytes.Equal(text, sampleModule["sum.go"].Data) {
		t.Errorf("sum.go became\n%s\n%v", text, err)
	}
}

func TestNotInOrder(t *testing.T) {
	good := inSum("minus", "total += numbers[i]", "total -= numbers[i]")
	with := func(change func(*mutant)) []mutant {
		m := good
		change(&m)
		return []mutant{m}
	}
	l := newLaboratory(t)
	for _, c := range []struct {
		name    string
		mutants []mutant
		want    string
	}{
		{"before is missing", with(func(m *mutant) { m.before = "product" }), "before occurs 0 times in sum.go, not once"},
		{"before is there often", with(func(m *mutant) { m.before = "total" }), "before occurs 5 times in sum.go, not once"},
		{"nothing changes", with(func(m *mutant) { m.after = m.before }), "before and after are the same"},
		{"no such file", with(func(m *mutant) { m.file = "product.go" }), "no such file"},
		{"no package", with(func(m *mutant) { m.packages = nil }), "names no package to test"},
		{"one name twice", []mutant{good, good}, `"minus": the name is empty or taken`},
		{"the tests fail anyway", with(func(m *mutant) { m.packages = []string{"./red"} }), "fails on the unchanged code"},
		{"there is no such test", with(func(m *mutant) { m.run = "TestProduct" }), "runs no test"},
		{"there is no such package", with(func(m *mutant) { m.packages = []string{"./product"} }), "fails on the unchanged code"},
		{"a pattern that go does not take", with(func(m *mutant) { m.run = "(" }), "on the unchanged code"},
	} {
		t.Run(c.name, func(t *testing.T) {
			results, err := l.examine(t.Context(), c.mutants)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got results %v and error %v, want an error with %q", results, err, c.want)
			}
		})
	}
}

func TestReportOfSuccess(t *testing.T) {
	var out bytes.Buffer
	code := report(&out, []result{{mutant: inSum("minus", "a", "b"), verdict: killed}}, false)
	if code != 0 || out.String() != "mutants 1/1\n" {
		t.Errorf("exit code %d and %q, want 0 and mutants 1/1", code, out.String())
	}
}

func TestChoose(t *testing.T) {
	all := []mutant{inSum("R3 order", "a", "b"), inSum("R4 conflict", "a", "b")}
	for _, c := range []struct {
		pattern string
		want    int
		fails   bool
	}{{"", 2, false}, {"^R4", 1, false}, {"R5", 0, true}, {"(", 0, true}} {
		chosen, err := choose(all, c.pattern)
		if len(chosen) != c.want || (err != nil) != c.fails {
			t.Errorf("%q: got %d mutants and %v", c.pattern, len(chosen), err)
		}
	}
}

func TestWrongFlag(t *testing.T) {
	var out, complaints bytes.Buffer
	if code := command(t.Context(), []string{"-nope"}, &out, &complaints); code != 2 || out.Len() > 0 {
		t.Errorf("exit code %d and output %q, want 2 and none", code, out.String())
	}
}

// TestTable sees that each mutant of the project can still be applied to the
// code as it stands; whether it is killed is for the command.
func TestTable(t *testing.T) {
	root, err := workspaceRoot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := (&laboratory{root: root}).checkTable(table); err != nil {
		t.Error(err)
	}
}
