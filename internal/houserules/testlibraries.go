package houserules

// checkTestLibraries sees that only tests, test libraries and measuring tools
// import what is made for tests.
func checkTestLibraries(h *house) []finding {
	var found []finding
	for _, p := range h.packages {
		if r, _ := rowOf(p.path); r.testing {
			continue
		}
		for _, s := range p.product() {
			for i, imported := range s.imports() {
				if forTests(imported) {
					place := h.place(s.syntax.Imports[i].Pos())
					found = append(found, finding{p.path, place, "imports the test library " + imported + " outside a test"})
				}
			}
		}
	}
	return found
}

func forTests(imported string) bool {
	if name, ok := ours(imported); ok {
		r, _ := rowOf(name)
		return r.testing
	}
	return coversAny(testLibraries, imported)
}
