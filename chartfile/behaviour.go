package chartfile

import (
	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/statechart"
)

// Behaviour returns a new registry with what chart files need: the expression
// language and JSON Schema. Guards, actions and performers of Go code are
// added to it; the caller owns it.
func Behaviour() *statechart.Registry {
	r := statechart.NewRegistry()
	r.Language(expression.Language{})
	r.Schemas(schemaLanguage{})
	return r
}

// standIns returns a registry in which everything that a file requires is
// there and does nothing: enough to check a file, not to run it.
func (f *File) standIns() *statechart.Registry {
	r := Behaviour()
	once := func(names []string, register func(string)) {
		seen := map[string]bool{}
		for _, name := range names {
			if name != "" && !seen[name] {
				seen[name] = true
				register(name)
			}
		}
	}
	once(f.Requires.Guards, func(name string) { r.Guard(name, func(*statechart.Scope) (bool, error) { return false, nil }) })
	once(f.Requires.Actions, func(name string) { r.Action(name, func(*statechart.Scope) error { return nil }) })
	r.Performer(f.Requires.Performers...)
	return r
}
