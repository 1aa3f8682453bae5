package expression_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/statechart"
)

// share is how many lines of the corpus there are for each that is a seed:
// its lines differ little. The conformance module runs all.
const share = 13

// corpus is expr-lang's own: the lines of its seeds, from the module that
// the parser comes from.
var corpus = sync.OnceValues(func() ([]string, error) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/expr-lang/expr").Output()
	if err != nil {
		return nil, err
	}
	var out []string
	for _, name := range []string{"test/fuzz/fuzz_corpus.txt", "testdata/generated.txt"} {
		text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), name))
		if err != nil {
			return nil, err
		}
		for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
			if i%share == 0 {
				out = append(out, line)
			}
		}
	}
	return out, nil
})

// corpusData has the names that the corpus uses.
const corpusData = `{
	"ok": true, "f64": 0.5, "f32": 0.5, "i": 1, "i64": 1, "i32": 1,
	"array": [1, 2, 3, 4, 5],
	"list": [{"Bar": "bar"}, {"Bar": "baz"}],
	"foo": {"Bar": "bar"}, "str": "str"
}`

// own seeds are forms that the corpus lacks.
var own = []string{
	"", "\xff", "a\x00b", "'\\xff'", "1_000", "0x7fffffffffffffff", "9223372036854775808", "let x = 1; x;", "if ok {1} else {2}",
	`foo?.Bar?.[0] ?? "x"`, `has(foo, "Bar")`, `set(foo, "a.b", [1])`, `text(1, "a")`, `active("work.one")`, `granted("x")`, `id()`,
	`#`, `map(list, {{a: .Bar}})`, `"\u{1F600}" + "é"`, `array[-1:]`, `str matches "^s"`, `fromJSON("{\"a\":[1.0,2]}")`, `event.data`, `now`,
}

// FuzzCompile: any source gives a program or an Error whose offset lies in
// it, and the same one each time.
func FuzzCompile(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, source string) {
		tree, err := expression.Parse(source)
		_, again := expression.Parse(source)
		if text(err) != text(again) {
			t.Fatalf("%q: %v, then %v", source, err, again)
		}
		if err == nil {
			tree.Roots()
			return
		}
		e, ok := errors.AsType[*expression.Error](err)
		if !ok || e.Offset < 0 || e.Offset > len(source) || e.Message == "" || e.Code == "" {
			t.Fatalf("%q: %#v", source, err)
		}
		if at, err := expression.End(source+"}", 0); err == nil && (at > len(source) || (source + "}")[at] != '}') {
			t.Fatalf("%q ends at %d", source, at)
		}
	})
}

// FuzzEvaluate: a program gives data or a typed error, the same each time,
// within its fuel.
func FuzzEvaluate(f *testing.F) {
	seed(f)
	w := world{data: data(f, corpusData), fuel: 20_000, event: statechart.Event{Name: "go", Data: map[string]any{"code": "x"}}}
	f.Fuzz(func(t *testing.T, source string) {
		v, err := w.evaluate(source)
		again, errAgain := w.evaluate(source)
		if text(err) != text(errAgain) || show(v) != show(again) {
			t.Fatalf("%q: %s (%v), then %s (%v)", source, show(v), err, show(again), errAgain)
		}
		if err != nil && strings.HasPrefix(codeOf(err), "untyped") {
			t.Fatalf("%q: %v", source, err)
		}
		if strings.Contains(show(v), "which is no data") {
			t.Fatalf("%q: %s", source, show(v))
		}
	})
}

func seed(f *testing.F) {
	f.Helper()
	lines, err := corpus()
	if err != nil {
		f.Fatalf("expr-lang's corpus: %v", err)
	}
	for _, s := range append(own, lines...) {
		f.Add(s)
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
