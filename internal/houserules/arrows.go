package houserules

import (
	"maps"
	"slices"
	"strings"
)

// checkArrows sees that every package has a row and that its non-test code
// imports of ours only what the row grants.
func checkArrows(h *house) []finding {
	var found []finding
	for _, p := range h.packages {
		r, ok := rowOf(p.path)
		if !ok {
			found = append(found, finding{p.path, p.path, "has no row in internal/houserules/table.go; say there what it is for and what it may import"})
			continue
		}
		for to, place := range h.arrows(p) {
			if !r.grants(to) {
				found = append(found, finding{p.path, place, "imports " + to + ", which its row in internal/houserules/table.go does not grant"})
			}
		}
	}
	return sorted(found)
}

// grants tells whether the row lets its package import another one of ours.
func (r row) grants(to string) bool {
	if covers(r.pkg, to) && strings.HasSuffix(r.pkg, "/...") {
		return true // beside each other under one pattern
	}
	if r.all {
		return !coversAny(r.but, to)
	}
	return coversAny(r.may, to)
}

// arrows gives the packages of ours that p's non-test code imports, each with
// one place where it does.
func (h *house) arrows(p *pkg) map[string]string {
	to := map[string]string{}
	for _, s := range p.product() {
		for i, imported := range s.imports() {
			if name, ok := ours(imported); ok {
				to[name] = h.place(s.syntax.Imports[i].Pos())
			}
		}
	}
	return to
}

// checkNevers follows the arrows as far as they lead and reports those that
// must not exist, with the way they take.
func checkNevers(h *house) []finding {
	graph := map[string]map[string]string{}
	for _, p := range h.packages {
		graph[p.path] = h.arrows(p)
	}
	var found []finding
	for _, from := range slices.Sorted(maps.Keys(graph)) {
		for to, way := range reach(graph, from) {
			for _, n := range nevers {
				if n.forbids(from, to) {
					found = append(found, finding{from, graph[from][way[1]], "must never reach " + to + " (" + strings.Join(way, " → ") + "): " + n.why})
				}
			}
		}
	}
	return sorted(found)
}

func (n never) forbids(from, to string) bool {
	return coversAny(n.from, from) && !coversAny(n.but, from) && coversAny(n.to, to) && !sameFamily(from, to) &&
		!(coversAny(core, from) && coversAny(core, to))
}

// sameFamily tells whether one package lies below the other: a package may
// always be cut into parts.
func sameFamily(a, b string) bool {
	return covers(a+"/...", b) || covers(b+"/...", a)
}

// reach gives all packages that from leads to, each with the shortest way.
func reach(graph map[string]map[string]string, from string) map[string][]string {
	ways := map[string][]string{from: {from}}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		for _, to := range slices.Sorted(maps.Keys(graph[at])) {
			if ways[to] == nil {
				ways[to] = append(slices.Clone(ways[at]), to)
				queue = append(queue, to)
			}
		}
	}
	delete(ways, from)
	return ways
}

// checkRows looks at the table itself: every name in it has a row, and no row
// grants an arrow that must never exist.
func checkRows(rows []row) []finding {
	var found []finding
	for _, r := range rows {
		for _, to := range r.may {
			if !slices.ContainsFunc(rows, func(other row) bool { return other.pkg == to }) {
				found = append(found, finding{r.pkg, "table.go", "may import " + to + ", which has no row"})
			}
			for _, n := range nevers {
				if n.forbids(r.pkg, to) {
					found = append(found, finding{r.pkg, "table.go", "may import " + to + ", an arrow that must never exist"})
				}
			}
		}
	}
	return found
}

// sorted puts findings in the order of their text, so that output is stable.
func sorted(found []finding) []finding {
	slices.SortFunc(found, func(a, b finding) int { return strings.Compare(a.String(), b.String()) })
	return found
}
