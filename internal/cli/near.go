package cli

import (
	"slices"
	"strings"
)

// nearest finds the name that was most likely meant, "" when none is near:
// fewer than half of its letters may differ, and at most three.
func nearest(typed string, names []string) string {
	best, distance := "", 4
	for _, name := range names {
		d := editDistance(strings.ToLower(typed), strings.ToLower(name))
		if d < distance && 2*d < max(len(typed), len(name)) {
			best, distance = name, d
		}
	}
	if best == "" && len(typed) >= 3 {
		i := slices.IndexFunc(names, func(n string) bool { return strings.HasPrefix(strings.ToLower(n), strings.ToLower(typed)) })
		if i >= 0 {
			best = names[i]
		}
	}
	return best
}

// maxCompared bounds the work of editDistance, in letters.
const maxCompared = 60

// editDistance counts the letters to change, add, drop or swap with their
// neighbour to get from a to b.
func editDistance(a, b string) int {
	if len(a) > maxCompared || len(b) > maxCompared {
		return maxCompared
	}
	x, y := []rune(a), []rune(b)
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := range x {
		row[0] = i + 1
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}

// meant is the hint for a name that does not exist: the nearest one, or all
// of them when there are few.
func meant(typed string, names []string, kind string) string {
	if near := nearest(typed, names); near != "" {
		return "did you mean " + near + "?"
	}
	if len(names) == 0 {
		return "there are no " + kind
	}
	const few = 12
	if len(names) > few {
		return "some " + kind + " are " + strings.Join(names[:few], ", ")
	}
	return "the " + kind + " are " + strings.Join(names, ", ")
}
