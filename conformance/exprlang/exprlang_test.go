package exprlang

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/expr-lang/expr"

	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/statechart"
)

// exprNames is what the corpus speaks of, but for its functions of the host.
func exprNames() map[string]any {
	return map[string]any{
		"ok": true, "f64": 0.5, "f32": 0.5, "i": 1, "i32": 1, "i64": 1,
		"array": []any{1, 2, 3, 4, 5},
		"list":  []any{map[string]any{"Bar": "bar"}, map[string]any{"Bar": "baz"}},
		"foo":   map[string]any{"Bar": "bar"},
		"str":   "str",
	}
}

// exprCorpus is the corpus of expr-lang, line by line.
func exprCorpus(t *testing.T) []string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/expr-lang/expr").Output()
	if err != nil {
		t.Fatalf("the module of expr-lang: %v", err)
	}
	var out []string
	for _, name := range []string{"test/fuzz/fuzz_corpus.txt", "testdata/generated.txt"} {
		text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), name))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, strings.Split(strings.TrimSpace(string(text)), "\n")...)
	}
	return out
}

// ours evaluates sources in one chart: the language of this registry
// compiles them all where the chart has its one expression.
type ours struct {
	sources  []string
	programs []statechart.Program
	errs     []error
	values   []any
	next     int
}

func (o *ours) Version() string { return "corpus" }

func (o *ours) Compile(_ string, names statechart.Names) (statechart.Program, error) {
	for i, s := range o.sources {
		o.programs[i], o.errs[i] = expression.Language{}.Compile(s, names)
	}
	return o, nil
}

func (o *ours) Evaluate(s *statechart.Scope) (any, error) {
	o.values[o.next], o.errs[o.next] = o.programs[o.next].Evaluate(s)
	return nil, nil
}

func (o *ours) run(t *testing.T) {
	t.Helper()
	n := len(o.sources)
	o.programs, o.errs, o.values = make([]statechart.Program, n), make([]error, n), make([]any, n)
	r := statechart.NewRegistry()
	r.Language(o)
	var variables []statechart.Variable
	names := exprNames()
	for _, k := range slices.Sorted(maps.Keys(names)) {
		variables = append(variables, statechart.Variable{Name: k, Value: names[k]})
	}
	chart, err := statechart.Compile(statechart.Definition{ID: "c", Root: statechart.State{
		Context: variables,
		On:      []statechart.Transition{{Event: "go", Actions: []statechart.Action{{Log: statechart.Expression("all")}}}},
	}}, r)
	if err != nil {
		t.Fatal(err)
	}
	in := &statechart.Instance{}
	chart.Start(in, statechart.Start{Session: "s"})
	for o.next = range o.sources {
		if o.errs[o.next] == nil {
			in.Send(statechart.Event{Name: "go"})
		}
	}
}

// theirs evaluates a source in expr-lang's VM.
func theirs(source string) (v any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	p, err := expr.Compile(source, expr.Env(exprNames()))
	if err != nil {
		return nil, err
	}
	return expr.Run(p, exprNames())
}

// asData turns what the VM gives into data: keys become text, integers have
// 64 bits, and a list without elements is a list.
func asData(v any) any {
	x := reflect.ValueOf(v)
	switch x.Kind() {
	case reflect.Int:
		return x.Int()
	case reflect.Slice, reflect.Array:
		out := make([]any, x.Len())
		for i := range out {
			out[i] = asData(x.Index(i).Interface())
		}
		return out
	case reflect.Map:
		out := map[string]any{}
		for _, k := range x.MapKeys() {
			out[fmt.Sprint(k.Interface())] = asData(x.MapIndex(k).Interface())
		}
		return out
	}
	return v
}

// differences are why both give a value and not the same one. A line that
// fits none is a failure.
var differences = []struct{ kind, line string }{
	{"differ: JSON is canonical, without white space", `toJSON\(`},
	{"differ: text of a value is JSON; decimals keep their point", `string\(`},
	{"differ: a bug of the VM, findLast writes over what stands before it", `findLast`},
}

// refusals are why only the VM gives a value.
var refusals = []struct{ kind, message string }{
	{"refused: $env", `^\$env`},
	{"refused: methods", `^values have no methods`},
	{"refused: a key twice in one object", `^the key`},
	{"refused: a field that is absent", `^there is no field`},
	{"refused: clock and time zones", `is not a function of this language`},
	{"refused: division by zero, NaN and infinity", `^division by zero|^the result is not a finite`},
	{"refused: int of a text that has a point, as decimals have", `^the text "1.0" is no`},
	{"refused: text that is not UTF-8", `not UTF-8`},
	{"refused: a value of another kind than is needed", ` needs | read by an? | named by text| put in order| has no | slice ends| does not work on |cannot be sliced|cannot name|among the|must be text|repeated -|taken`},
}

var update = flag.Bool("update", false, "rewrite testdata/tally.txt")

// TestExprLang plays the corpus. testdata/tally.txt says how many lines end
// in which way.
func TestExprLang(t *testing.T) {
	o := &ours{sources: exprCorpus(t)}
	o.run(t)
	tally := map[string]int{}
	for i, source := range o.sources {
		v, err := theirs(source)
		kind := verdict(source, v, err, o.values[i], o.errs[i])
		if kind == "" {
			t.Errorf("%s\nVM   %s (%v)\nours %s (%v)", source, shown(asData(v)), err, shown(o.values[i]), o.errs[i])
		}
		tally[kind]++
	}
	var b strings.Builder
	for _, kind := range slices.Sorted(maps.Keys(tally)) {
		fmt.Fprintf(&b, "%6d  %s\n", tally[kind], kind)
	}
	fmt.Fprintf(&b, "%6d  lines\n", len(o.sources))
	const file = "testdata/tally.txt"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != b.String() {
		t.Errorf("the tally changed; read it, then run with -update:\n%s", b.String())
	}
	t.Logf("\n%s", b.String())
}

// verdict names how a line ended; "" is a difference without a reason.
func verdict(source string, theirs any, theirErr error, ours any, ourErr error) string {
	switch {
	case theirErr != nil && ourErr != nil:
		return "both refuse"
	case theirErr != nil:
		return "only ours gives a value: the VM confuses kinds"
	case ourErr != nil:
		for _, r := range refusals {
			if matches(r.message, ourErr.Error()) {
				return r.kind
			}
		}
		return ""
	case matches(`keys\(|values\(|toPairs\(`, source):
		return "not compared: keys and values come sorted, from the VM in the order of Go's maps"
	case shown(asData(theirs)) == shown(ours):
		return "same"
	}
	for _, d := range differences {
		if matches(d.line, source) {
			return d.kind
		}
	}
	return ""
}

func matches(pattern, s string) bool { return regexp.MustCompile(pattern).MatchString(s) }

func shown(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%T %v", v, v)
	}
	return string(b)
}
