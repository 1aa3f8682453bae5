package expression_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/statechart"
)

// counting counts the sources that are compiled.
type counting struct {
	expression.Language
	compiled int
}

func (c *counting) Compile(source string, names statechart.Names) (statechart.Program, error) {
	c.compiled++
	return c.Language.Compile(source, names)
}

// A chart with very many mistakes, each of which could be compared with very
// many names, is refused without doing so: only the first hundred have hints,
// and what comes after the errors that are listed is not read.
func TestManyMistakes(t *testing.T) {
	for _, c := range []struct{ source, hint string }{
		{`stat7x > 1`, `did you mean "stat7"?`},
		{`active("sub.stat7x")`, `did you mean "sub.stat7"?`},
		{`active("stat7")`, `did you mean "sub.stat7"?`},
	} {
		root := statechart.State{Initial: "sub", States: []statechart.State{{Name: "sub", Initial: "stat0"}}}
		for i := range 500 {
			name := fmt.Sprint("stat", i)
			root.Context = append(root.Context, statechart.Variable{Name: name})
			root.States[0].States = append(root.States[0].States, statechart.State{Name: name})
		}
		for i := range 2000 {
			root.On = append(root.On, statechart.Transition{Event: fmt.Sprint("e", i), Guard: statechart.Condition{Expression: statechart.Expression(c.source)}})
		}
		language := &counting{}
		r := statechart.NewRegistry()
		r.Language(language)
		_, err := statechart.Compile(statechart.Definition{ID: "c", Root: root}, r)
		list, _ := errors.AsType[statechart.Errors](err)
		hints := 0
		for _, e := range list {
			if e.Hint == c.hint {
				hints++
			}
		}
		if len(list) != 1001 || hints != 100 || language.compiled > 1001 {
			t.Errorf("%s: %d errors, %d with the hint, %d sources compiled", c.source, len(list), hints, language.compiled)
		}
	}
}

// As many tools as may be asked for again and again are bounded, also those
// of the states above.
func TestManyTools(t *testing.T) {
	for _, c := range []struct {
		above, here int
		only        bool
		want        string
	}{
		{600, 400, false, ""},
		{600, 401, false, `more than 1000 tools may be called here`},
		{600, 401, true, ""},
		{0, 1001, false, `more than 1000 tools may be called here`},
	} {
		tools := func(begin string, n int) []string {
			return strings.Fields(strings.Repeat(begin+" ", n))
		}
		r := statechart.NewRegistry()
		r.Language(expression.Language{})
		_, err := statechart.Compile(statechart.Definition{ID: "c", Root: statechart.State{Initial: "a", Tools: tools("x", c.above), States: []statechart.State{
			{Name: "a", Tools: tools("y", c.here), ToolsOnly: c.only},
		}}}, r)
		if got := fmt.Sprint(err); c.want == "" && err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%d and %d tools: %v", c.above, c.here, err)
		}
	}
}
