package scxml

import "github.com/detent-run/detent/statechart"

// Meant is what Write makes of a chart.
type Meant struct {
	Definition statechart.Definition
	// Paths has the path in the document of each state, by its path in the
	// chart, and Variables the names there of those that it declares.
	Paths     map[string]string
	Variables map[string]map[string]string
}

// Means translates a chart.
func Means(def statechart.Definition) Meant {
	t := &translator{def: &def, tree: newTree(&def), delays: map[string]any{}, renamed: map[string]string{}}
	t.asked, t.inside = t.askedStates(), t.overridden()
	t.wrapped = t.needsState()
	t.nameStates()
	t.declarations()
	paths, variables := map[string]string{}, map[string]map[string]string{}
	for n, names := range t.variables {
		variables[n.path] = names
	}
	for _, n := range t.tree.all[1:] {
		paths[n.path] = docPath(n, nil)
		if isFinal(n) || !t.wrapped {
			paths[n.path] = docPath(n, t.tree.root)
		}
	}
	if t.wrapped {
		paths[""] = t.tree.root.name
	}
	out, _ := translate(&def)
	return Meant{out, paths, variables}
}
