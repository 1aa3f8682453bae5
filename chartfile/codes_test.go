package chartfile_test

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/internal/strictjson"
	"github.com/detent-run/detent/internal/world"
	"github.com/detent-run/detent/statechart"
)

var update = flag.Bool("update", false, "write the generated files again")

// Every code that the source declares has its row, and every row a code.
func TestEveryCodeIsExplained(t *testing.T) {
	declared := map[statechart.Code]string{}
	for _, dir := range []string{"../statechart", ".", "../internal/document", "../expression", "../durable", "../store/sqlite"} {
		for name, code := range codesIn(t, dir) {
			declared[code] = dir + " " + name
		}
	}
	calls := failureCodes(t)
	if len(calls) < 40 {
		t.Fatalf("only %d codes of failed calls were found in the source", len(calls))
	}
	for code, where := range calls {
		if declared[code] == "" {
			declared[code] = where
		}
	}
	if len(declared) < 50 {
		t.Fatalf("only %d codes were found in the source", len(declared))
	}
	for code, where := range declared {
		if _, ok := chartfile.Explain(code); !ok {
			t.Errorf("%s (%s) has no explanation", code, where)
		}
	}
	seen := map[statechart.Code]bool{}
	for _, e := range chartfile.Explanations() {
		if seen[e.Code] {
			t.Errorf("%s is explained twice", e.Code)
		}
		seen[e.Code] = true
		if declared[e.Code] == "" {
			t.Errorf("%s is explained, and no constant has it", e.Code)
		}
	}
}

// codesIn lists the string constants of a package whose names begin with
// Code.
func codesIn(t *testing.T, dir string) map[string]statechart.Code {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]statechart.Code{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 || !strings.HasPrefix(spec.Names[0].Name, "Code") {
				return true
			}
			if literal, ok := spec.Values[0].(*ast.BasicLit); ok && literal.Kind == token.STRING {
				code, _ := strconv.Unquote(literal.Value)
				out[spec.Names[0].Name] = statechart.Code(code)
			}
			return true
		})
	}
	return out
}

// The wrong example of each row gives its code and no other; the right one
// gives none.
func TestExamplesOfCodes(t *testing.T) {
	for _, e := range chartfile.Explanations() {
		t.Run(string(e.Code), func(t *testing.T) {
			if e.NoExample != "" {
				if e.Bad.Chart+e.Good.Chart != "" {
					t.Error("there is an example, and a reason why there is none")
				}
				return
			}
			if got := codesOf(t, e.Bad, e.Code); !slices.Equal(got, []statechart.Code{e.Code}) {
				t.Errorf("the wrong example gives %v", got)
			}
			if got := codesOf(t, e.Good, e.Code); len(got) > 0 {
				t.Errorf("the right example gives %v", got)
			}
		})
	}
}

// codesOf reads and plays an example and returns what there is to complain
// about, each code once. That an event is kept is no complaint unless that is
// what the example is about.
func codesOf(t *testing.T, x chartfile.Example, about statechart.Code) []statechart.Code {
	t.Helper()
	var codes []statechart.Code
	add := func(c statechart.Code) {
		if !slices.Contains(codes, c) {
			codes = append(codes, c)
		}
	}
	for _, d := range chartfile.Check("example.yaml", []byte(x.Chart)) {
		t.Log(d)
		add(d.Code)
	}
	if len(codes) > 0 {
		return codes
	}
	says := ""
	for _, why := range play(t, x) {
		t.Log(why.Message)
		says = why.Message
		if why.Code != statechart.CodeDeferred || about == statechart.CodeDeferred {
			add(why.Code)
		}
	}
	if len(codes) > 0 && says != x.Says {
		t.Errorf("the last reason is\n%s\nand the page says\n%s", says, x.Says)
	}
	return codes
}

// play does the steps of an example in a world of its own, and returns why
// not everything was taken.
func play(t *testing.T, x chartfile.Example) []*statechart.Reason {
	t.Helper()
	file, _ := chartfile.Read("example.yaml", []byte(x.Chart))
	chart, found := file.Compile(nil)
	if len(found) > 0 {
		t.Fatal(found)
	}
	if len(x.Steps) == 0 {
		return nil
	}
	w := world.New(world.Options{})
	var input any
	for _, s := range x.Steps {
		if s.Flag == "input" {
			input = value(t, s.Value)
		}
	}
	if _, err := w.Start("s", chart, input); err != nil {
		t.Fatal(err)
	}
	for _, s := range x.Steps {
		if err := w.Run(); err != nil {
			t.Fatal(err)
		}
		do(t, w, s)
	}
	if err := w.Run(); err != nil {
		t.Fatal(err)
	}
	var reasons []*statechart.Reason
	for _, r := range w.Records() {
		if r.Reason != nil {
			reasons = append(reasons, r.Reason)
		}
	}
	if why := w.Instance("s").Reason(); why != nil && len(reasons) == 0 {
		reasons = append(reasons, why)
	}
	return reasons
}

func do(t *testing.T, w *world.World, s chartfile.Step) {
	t.Helper()
	name, text, has := strings.Cut(s.Value, "=")
	var data any
	if has {
		data = value(t, text)
	}
	var err error
	switch s.Flag {
	case "event":
		err = w.Send("s", statechart.Event{Name: name, Data: data})
	case "done", "error", "unknown":
		err = w.Answer("s", name, world.Answer{Kind: s.Flag, Data: data})
	case "input":
	default:
		t.Fatalf("the example has a step %q", s.Flag)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func value(t *testing.T, text string) any {
	t.Helper()
	v, err := strictjson.Decode([]byte(text), strictjson.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The pages under docs/errors and the schema under schema are what the tables
// say now. With -update they are written.
func TestGeneratedFiles(t *testing.T) {
	files := map[string]string{
		"../schema/chart.schema.json": string(chartfile.Schema()),
		"../docs/errors/README.md":    chartfile.ErrorIndex(),
	}
	for _, e := range chartfile.Explanations() {
		files["../docs/errors/"+string(e.Code)+".md"] = e.Page()
	}
	pages, err := filepath.Glob("../docs/errors/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		if _, ok := files[page]; ok {
			continue
		}
		if t.Errorf("%s is the page of no code", page); *update {
			os.Remove(page)
		}
	}
	for name, want := range files {
		if *update {
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(want), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != want {
			t.Errorf("%s is stale; write it with: go test ./chartfile -run TestGeneratedFiles -update", name)
		}
	}
}
