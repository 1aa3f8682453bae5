package chartfile

import (
	"maps"

	"github.com/detent-run/detent/internal/document"
)

// Adapted is a document of another format in the shape of a chart file.
type Adapted struct {
	// Root is the document as a chart file would have it. Its nodes keep the
	// places of those that they were made of.
	Root *document.Node
	// Literals are the nodes in value positions in which nothing is evaluated.
	Literals map[*document.Node]bool
	// Refused are nodes that Found says something about: they count as absent,
	// and nothing is looked for in them.
	Refused map[*document.Node]bool
	// Flawed are objects in which something was refused. Their other parts are
	// read, and what would only follow from what is missing is not said.
	Flawed map[*document.Node]bool
	// Meant are the keys of an object under which something else was meant that
	// Found refuses.
	Meant map[*document.Node][]string
	// Found is what is wrong with the document itself, or odd, in any order.
	Found Diagnostics
}

// ReadAdapted reads a JSON document of another format, which adapt brings into
// the shape of a chart file, as [Read] reads a chart file: within the same
// bounds, everything that is wrong at once and in the order of the file. It is
// for the packages that read such formats. The file is nil when nothing can be
// made of the document: then adapt is not called, or gives no Root.
func ReadAdapted(name string, data []byte, adapt func(*document.Node) Adapted) (*File, Diagnostics) {
	r, node := newReader(name, data, document.JSON)
	if node == nil {
		return nil, r.found.inOrder()
	}
	adapted := adapt(node)
	r.found = append(r.found, adapted.Found...)
	if adapted.Root == nil {
		return nil, r.found.inOrder()
	}
	r.literals = adapted.Literals
	maps.Copy(r.bad, adapted.Refused)
	maps.Copy(r.flawed, adapted.Flawed)
	for n, keys := range adapted.Meant {
		for _, key := range keys {
			r.meanKey(n, key)
		}
	}
	return r.read(adapted.Root)
}
