package xstate_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile/xstate"
	"github.com/detent-run/detent/statechart"
)

// A module brings along every helper that it calls and no other, whichever
// functions its expressions use: here each is a module of its own.
func TestModuleBringsItsHelpers(t *testing.T) {
	runtime, err := os.ReadFile("module_runtime.js")
	if err != nil {
		t.Fatal(err)
	}
	var helpers []string
	for _, found := range regexp.MustCompile(`(?m)^(?:function|const) (\w+)`).FindAllStringSubmatch(string(runtime), -1) {
		helpers = append(helpers, found[1])
	}
	usages := regexp.MustCompile("(?m)^\\| `(\\w+)\\((.*?)\\)`").FindAllStringSubmatch(page(t), -1)
	if len(usages) < 70 || len(helpers) < 100 {
		t.Fatalf("%d functions and %d helpers are too few", len(usages), len(helpers))
	}
	for _, u := range usages {
		if u[1] == "active" || u[1] == "In" {
			continue // a guard of XState's, and SCXML's
		}
		source := u[1] + "(" + sample(u[2]) + ")"
		def := statechart.Definition{ID: "c", Root: statechart.State{Context: []statechart.Variable{{Name: "x"}},
			On: []statechart.Transition{{Event: "E", Actions: []statechart.Action{{Assign: []statechart.Variable{{Name: "x", Value: statechart.Expression(source)}}}}}}}}
		text, err := xstate.Module(def)
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		defined, called, named := namesIn(string(text))
		for _, name := range helpers {
			if defined[name] && !named[name] {
				t.Errorf("the module of %s defines %s and does not use it", source, name)
			}
			if called[name] && !defined[name] {
				t.Errorf("the module of %s calls %s and does not define it", source, name)
			}
		}
	}
}

var (
	definitions = regexp.MustCompile(`^(?:function|const) (\w+)`)
	mentions    = regexp.MustCompile(`\.{0,3}\w+\(?`)
)

// namesIn are the names that a module defines, calls and mentions.
func namesIn(text string) (defined, called, named map[string]bool) {
	defined, called, named = map[string]bool{}, map[string]bool{}, map[string]bool{}
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "//") {
			continue
		}
		if d := definitions.FindStringSubmatch(line); d != nil {
			defined[d[1]] = true
			continue // a helper may call itself
		}
		for _, m := range mentions.FindAllString(line, -1) {
			m = strings.TrimPrefix(m, "...")
			if name, is := strings.CutSuffix(m, "("); is && name[0] != '.' {
				called[name] = true
			}
			named[strings.TrimSuffix(m, "(")] = true
		}
	}
	return defined, called, named
}

func page(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/expressions.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// sample is arguments of a function as the page describes them.
func sample(usage string) string {
	usage = strings.NewReplacer(" [, ", ", ", "[", "", "]", "", ", …", "").Replace(usage)
	var args []string
	for _, name := range strings.Split(usage, ", ") {
		switch name {
		case "":
		case "list", "object", "text", "x", "a", "b", "n", "key", "value", "part", "old", "new", "separator", "characters", "prefix", "suffix", "glue", "initial":
			args = append(args, "x")
		case "body":
			args = append(args, "# == 1")
		default:
			args = append(args, name) // written out
		}
	}
	return strings.Join(args, ", ")
}

// The names of guards and delays are their expressions, so a chart that names
// something else so is refused, and two expressions of one text that mean two
// things are told apart.
func TestModuleNames(t *testing.T) {
	def := chartOf(t, "c.yaml", `{id: c, initial: a, states: {
		a: {context: {n: 1}, on: {E: {target: b, guard: n > 0}}},
		b: {context: {n: 1}, on: {E: {target: a, guard: n > 0}}}}}`)
	text, err := xstate.Module(def)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"'n > 0': guard(({ context }) => gt(context['a.n'], 0))", "'n > 0 (b)': guard(({ context }) => gt(context['b.n'], 0))",
		"guard: 'n > 0',", "guard: 'n > 0 (b)',",
	} {
		if !strings.Contains(strings.Join(strings.Fields(string(text)), " "), strings.TrimSuffix(want, ",")) {
			t.Errorf("the module lacks %s:\n%s", want, text)
		}
	}
	def.Root.States[0].On[0].Guard = statechart.Condition{Or: []statechart.Condition{{Name: "n > 0"}, {Expression: "n > 0"}}}
	if _, err := xstate.Module(def); err == nil || !strings.Contains(err.Error(), `the registered guard "n > 0" has the name of one that is written here`) {
		t.Errorf("of two guards of one name: %v", err)
	}
}

// The module of a chart is the same each time.
func TestModuleIsDeterministic(t *testing.T) {
	def := definition(t, "testdata/module/corners.yaml")
	first, err := xstate.Module(def)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if again, _ := xstate.Module(def); string(again) != string(first) {
			t.Fatalf("the module changed:\n%s", again)
		}
	}
}
