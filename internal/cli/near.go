package cli

import (
	"slices"
	"strings"

	"github.com/detent-run/detent/internal/edits"
)

// nearest finds the name that was most likely meant, "" when none is near:
// fewer than half of its letters may differ, and at most three.
func nearest(typed string, names []string) string {
	best, distance := "", 4
	for _, name := range names {
		d := edits.Distance(strings.ToLower(typed), strings.ToLower(name), distance)
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
