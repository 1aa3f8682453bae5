package scxml

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/statechart"
)

// Document is an SCXML document that was read, with those that it invokes. It
// is not changed afterwards, and it may be used concurrently.
type Document struct {
	// Name is the name that it was read under; diagnostics carry it.
	Name string
	// Title is its name attribute, "" without one.
	Title string
	// DataModel is the name of its data model.
	DataModel string
	// Definition is what it says, in the "scxml" dialect.
	Definition statechart.Definition
	// States has the path in the Definition of each state that has an id, by
	// that.
	States map[string]string
	// Children are the documents that its invocations hold or name, and
	// theirs, by the ID of their Definition: "chart:ID" is what Src says there.
	Children map[string]*Document

	language statechart.Language
	found    chartfile.Diagnostics // of this document alone
	top      *spot
	sources  []sourceText // the expressions, locations and scripts
	calls    []*Document  // the children that it invokes itself
	files    []string     // of it and all children, as they were met
}

// Read reads a document and lists everything that is wrong with it and with
// the documents that it invokes, in the order of the files. What only the
// compiler can see is found by [Document.Compile]. The document is nil when
// nothing can be made of the file.
func Read(name string, data []byte, o Options) (*Document, chartfile.Diagnostics) {
	l := &loader{options: o, ids: map[string]bool{}, byFile: map[string]*Document{}, contents: map[string][]byte{}}
	root, r := l.parse(newSource(name, data[:min(len(data), maxBytes+4)]))
	if root == nil {
		return nil, inOrder([]string{name}, r.doc.found)
	}
	doc := r.document(root, l.unique(chartID(name)), "")
	if doc == nil {
		return nil, inOrder([]string{name}, r.doc.found)
	}
	for _, d := range append([]*Document{doc}, l.documents...) {
		d.gather()
	}
	return doc, doc.everything()
}

// Load reads a document and compiles it with the behaviour that is built in.
// The error is [chartfile.Diagnostics]; with one there is no chart.
func Load(name string, data []byte, o Options) (*Document, *statechart.Chart, error) {
	doc, found := Read(name, data, o)
	if doc == nil {
		return nil, nil, found.Err()
	}
	chart, found := doc.Compile(nil)
	return doc, chart, found.Err()
}

// gather finds the children's children.
func (d *Document) gather() {
	d.Children = map[string]*Document{}
	d.files = []string{d.Name}
	var visit func(of *Document)
	visit = func(of *Document) {
		for _, c := range of.calls {
			if d.Children[c.Definition.ID] == nil {
				d.Children[c.Definition.ID] = c
				if !slices.Contains(d.files, c.Name) {
					d.files = append(d.files, c.Name)
				}
				visit(c)
			}
		}
	}
	visit(d)
}

// everything is what was found in the document and in its children.
func (d *Document) everything() chartfile.Diagnostics {
	found := slices.Clone(d.found)
	for _, id := range slices.Sorted(maps.Keys(d.Children)) {
		if c := d.Children[id]; c != d {
			found = append(found, c.found...)
		}
	}
	return inOrder(d.files, found)
}

// reader makes a definition of the tree of one document.
type reader struct {
	*loader
	doc     *Document
	root    *element
	space   string         // the namespace of the root
	folder  string         // of the file, below Files
	skipped []use          // namespaces, as they were met
	skips   map[string]int // their indices

	model    DataModel // nil: not known
	scripts  bool      // the language has them
	states   map[string]*element
	paths    map[*element]string
	parts    map[*element]string // the names of states
	unnamed  int
	ids      []string            // of the states, sorted, for hints
	data     map[string]*element // variables that the document declares
	declared []string            // variables of foreach, which nobody declares
	final    bool                // within finalize
	branches int                 // of the <if> that is read
}

// document reads a whole document. It is nil when the element is no document.
func (r *reader) document(root *element, id, folder string) *Document {
	r.root, r.folder, r.space = root, folder, root.space
	if !r.isDocument() {
		return nil
	}
	r.doc.Definition = statechart.Definition{ID: id, Dialect: "scxml"}
	r.check(root)
	r.header()
	r.survey(root, "")
	r.surveyData(root)
	for r.states[r.doc.Definition.ID] != nil { // "#id" means the state
		r.doc.Definition.ID = r.unique(id)
	}
	r.chooseLanguage()
	top := &spot{}
	r.doc.top = top
	r.doc.Definition.Root = r.top(top.add("root", root, nil))
	if r.model != nil {
		r.doc.Definition.Undeclared = r.model.Globals()
	}
	slices.Sort(r.declared) // their order means nothing
	r.doc.Definition.Undeclared = append(r.doc.Definition.Undeclared, r.declared...)
	r.warnSkipped()
	return r.doc
}

// isDocument refuses what is no <scxml>.
func (r *reader) isDocument() bool {
	root := r.root
	switch {
	case root.local != "scxml":
		r.note(chartfile.CodeUnknownElement, root, "the document is <"+root.written()+">, not <scxml>", `an SCXML document begins with <scxml xmlns="`+spaceSCXML+`">`)
		return false
	case root.space == "":
		r.warn(chartfile.CodeNamespace, root, root.at, "<scxml> has no namespace", `write xmlns="`+spaceSCXML+`"`)
	case root.space != spaceSCXML:
		r.note(chartfile.CodeNamespace, root, "<"+root.written()+"> belongs to the namespace "+quote(root.space), "that of SCXML is "+spaceSCXML)
		return false
	}
	return true
}

// header reads the attributes of <scxml> that say how to read the rest.
func (r *reader) header() {
	if a := r.root.attribute("name"); a != nil {
		r.doc.Title = strings.TrimSpace(a.value)
	}
	if a := r.root.attribute("version"); a != nil && strings.TrimSpace(a.value) != "1.0" {
		r.warn(statechart.CodeInvalid, r.root, a.at, "version "+quote(a.value)+" of SCXML is not known; it is read as 1.0", `write version="1.0"`)
	}
	if a := r.root.attribute("binding"); a != nil {
		switch a.value {
		case "early":
		case "late":
			r.doc.Definition.Binding = "late"
		default:
			r.noteAttribute(statechart.CodeInvalid, r.root, a, "binding is early or late, not "+quote(a.value), "early is what holds without the attribute")
		}
	}
}

// chooseLanguage finds the data model.
func (r *reader) chooseLanguage() {
	r.doc.DataModel = r.options.DataModel
	if r.doc.DataModel == "" {
		r.doc.DataModel = modelNull
	}
	at := r.root.at
	if a := r.root.attribute("datamodel"); a != nil {
		r.doc.DataModel, at = strings.TrimSpace(a.value), a.at
	}
	model, ok := r.options.find(r.doc.DataModel)
	if !ok {
		hint := "there are " + r.options.known()
		if r.doc.DataModel == "ecmascript" {
			hint = "a Go program adds it: it is the module github.com/detent-run/detent/ecmascript"
		}
		r.noteAt(r.root.source, chartfile.CodeDataModel, at, "the data model "+quote(r.doc.DataModel)+" is not at hand", hint)
		r.scripts = true
		return
	}
	r.model = model
	r.doc.language = model.Language(Details{Name: r.doc.Title, States: maps.Clone(r.doc.States), Position: r.doc.position})
	_, r.scripts = r.doc.language.(statechart.ScriptLanguage)
}

// values reports whether there are expressions.
func (r *reader) values() bool { return r.model == nil || r.doc.language != nil }

// chartID makes a chart's id of a file's name.
func chartID(file string) string {
	base := path.Base(strings.ReplaceAll(file, `\`, "/"))
	base = strings.TrimSuffix(base, path.Ext(base))
	base = strings.Join(strings.Fields(strings.ToValidUTF8(base, "_")), "_")
	base = strings.ReplaceAll(base, "\x00", "_")
	if base == "" || base == "." || base == "/" {
		return "chart"
	}
	return base[:min(len(base), 200)]
}
