package houserules

import (
	"fmt"
	"go/ast"
)

// share is a part of a whole.
type share struct{ part, whole int }

func (s *share) count(in bool) {
	s.whole++
	if in {
		s.part++
	}
}

// String gives the share as "3 of 4".
func (s share) String() string { return fmt.Sprintf("%d of %d", s.part, s.whole) }

// documentedShares counts the exported names, and the exported fields of
// exported structs, that have a comment.
func documentedShares(h *house) (names, fields share) {
	for _, p := range h.packages {
		for _, e := range exportedNames(p) {
			names.count(e.prose)
		}
		for _, s := range p.product() {
			ast.Inspect(s.syntax, func(n ast.Node) bool {
				if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.IsExported() {
					countFields(spec, &fields)
				}
				return true
			})
		}
	}
	return names, fields
}

func countFields(spec *ast.TypeSpec, fields *share) {
	record, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range record.Fields.List {
		for _, name := range f.Names {
			if name.IsExported() {
				fields.count(f.Doc != nil || f.Comment != nil)
			}
		}
	}
}
