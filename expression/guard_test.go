package expression_test

import (
	"errors"
	"testing"

	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/statechart"
)

// A guard that can never be true or false does not compile; one of which
// that is not known is asked when it is evaluated.
func TestGuards(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{`n < 3`, ""},
		{`flag`, ""},
		{`flag ?? false`, ""},
		{`n + 1`, `a guard needs a boolean, not a number (compare it, as in x > 0)`},
		{`"yes"`, `a guard needs a boolean, not text (compare it, as in x != "")`},
		{`[n]`, `a guard needs a boolean, not a list (compare its length, as in len(x) > 0)`},
	} {
		r := statechart.NewRegistry()
		r.Language(expression.Language{})
		def := statechart.Definition{ID: "c", Root: statechart.State{
			Context: []statechart.Variable{{Name: "n", Value: int64(1)}, {Name: "flag", Value: true}},
			On:      []statechart.Transition{{Event: "go", Guard: statechart.Condition{Expression: statechart.Expression(c.source)}, Actions: []statechart.Action{{Log: "x"}}}},
		}}
		_, err := statechart.Compile(def, r)
		got := ""
		if e := (*expression.Error)(nil); errors.As(err, &e) {
			got = e.Error()
		} else if err != nil {
			t.Errorf("%s: %v", c.source, err)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.source, got, c.want)
		}
	}
}
