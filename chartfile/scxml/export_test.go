package scxml

import "github.com/detent-run/detent/statechart"

// DocumentPaths has the path in the document of each state of a chart, by its
// path in the chart, and Translated the definition that Write writes.
func DocumentPaths(def statechart.Definition) (paths map[string]string, translated statechart.Definition) {
	t := &translator{def: &def, tree: newTree(&def), delays: map[string]any{}, variables: map[string]string{}, renamed: map[string]string{}}
	t.asked = t.askedStates()
	t.wrapped = t.needsState()
	t.nameStates()
	paths = map[string]string{}
	for _, n := range t.tree.all[1:] {
		paths[n.path] = docPath(n, nil)
		if isFinal(n) || !t.wrapped {
			paths[n.path] = docPath(n, t.tree.root)
		}
	}
	if t.wrapped {
		paths[""] = t.tree.root.name
	}
	translated, _ = translate(&def)
	return paths, translated
}
