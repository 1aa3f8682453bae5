package chartfile

import "github.com/detent-run/detent/internal/document"

// Adapted is a document of another format in the shape of a chart file.
type Adapted struct {
	// Root is the document as a chart file would have it. Its nodes keep the
	// places of those that they were made of.
	Root *document.Node
	// Literals are the nodes in value positions in which nothing is evaluated.
	Literals map[*document.Node]bool
	// Found is what is wrong with the document itself, or odd, in any order.
	Found Diagnostics
}

// ReadAdapted reads a JSON document of another format, which adapt brings into
// the shape of a chart file, as [Read] reads a chart file: within the same
// bounds, everything that is wrong at once and in the order of the file. It is
// for the packages that read such formats. The file is nil when nothing can be
// made of the document; adapt is not called then.
func ReadAdapted(name string, data []byte, adapt func(*document.Node) Adapted) (*File, Diagnostics) {
	r, node := newReader(name, data, document.JSON)
	if node == nil {
		return nil, r.found.inOrder()
	}
	adapted := adapt(node)
	r.literals = adapted.Literals
	r.found = append(r.found, adapted.Found...)
	return r.read(adapted.Root)
}
