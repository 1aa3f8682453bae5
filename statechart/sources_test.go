package statechart_test

import (
	"testing"

	"github.com/detent-run/detent/statechart"
)

// Sources of outside calls are checked where the definition lists some of
// their kind; those without a kind, where it lists any.
func TestSourcesAreCheckedByKind(t *testing.T) {
	for _, c := range []struct {
		name   string
		listed []string
		src    string
		known  bool
	}{
		{"nothing is listed", nil, "verify", true},
		{"it is registered", []string{"verify"}, "verify", true},
		{"it is not registered", []string{"verify"}, "refund", false},
		{"of a kind that is not listed", []string{"verify"}, "tool:search", true},
		{"of a kind that is listed", []string{"verify", "tool:search"}, "tool:serch", false},
		{"without a kind, and the list has only others", []string{"tool:search"}, "refund", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := statechart.NewRegistry()
			r.Performer("verify", "tool:search")
			def := statechart.Definition{ID: "c", Performers: c.listed, Root: statechart.State{Invoke: []statechart.Invocation{{Src: c.src}}}}
			if _, err := statechart.Compile(def, r); (err == nil) != c.known {
				t.Errorf("compiling says %v", err)
			}
		})
	}
}
