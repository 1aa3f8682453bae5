package houserules

import "slices"

// checkPackageComments sees that every package says what it is.
func checkPackageComments(h *house) []finding {
	var found []finding
	for _, p := range h.packages {
		files := p.product()
		if len(files) == 0 {
			files = p.files
		}
		if !slices.ContainsFunc(files, func(s *source) bool { return s.syntax.Doc != nil }) {
			found = append(found, finding{p.path, p.path, "has no package comment"})
		}
	}
	return found
}
