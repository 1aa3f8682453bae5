package conformance

import (
	"encoding/xml"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile/scxml"
	"github.com/detent-run/detent/ecmascript"
	"github.com/detent-run/detent/internal/world"
	"github.com/detent-run/detent/statechart"
)

// rewriter changes a document before it is read; nil leaves it as it is.
type rewriter func(document []byte) ([]byte, error)

// models are the data models that the suites' documents may name. Those that
// name none and are not rewritten mean ECMAScript.
var models = map[string]scxml.DataModel{"ecmascript": &ecmascript.DataModel{Trusted: true}}

// scxmlDocument is a document of a suite with what it starts, compiled.
type scxmlDocument struct {
	*scxml.Document
	files   fs.FS
	rewrite rewriter
	ids     map[string]string // of the states, by path
}

// open reads a document, changed by rewrite where that is not nil.
func open(files fs.FS, name string, rewrite rewriter) (*scxmlDocument, error) {
	data, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, err
	}
	return read(files, name, data, rewrite)
}

func read(files fs.FS, name string, data []byte, rewrite rewriter) (*scxmlDocument, error) {
	model := "ecmascript"
	if rewrite != nil {
		var err error
		if data, err = rewrite(data); err != nil {
			return nil, err
		}
		files, model = rewritten{files, rewrite}, "detent"
	}
	d, found := scxml.Read(name, data, scxml.Options{Files: files, DataModel: model, DataModels: models})
	if err := found.Err(); err != nil {
		return nil, err
	}
	out := &scxmlDocument{Document: d, files: files, rewrite: rewrite, ids: map[string]string{}}
	for id, p := range d.States {
		out.ids[p] = id
	}
	return out, nil
}

// rewritten gives out the documents of a folder rewritten, for invoke.
type rewritten struct {
	fs.FS
	rewrite rewriter
}

// ReadFile implements [fs.ReadFileFS].
func (r rewritten) ReadFile(name string) ([]byte, error) {
	data, err := fs.ReadFile(r.FS, name)
	if err != nil || path.Ext(name) != ".scxml" {
		return data, err
	}
	return r.rewrite(data)
}

// find gives the chart of a call whose source is only known when it starts:
// the text of a document, or a file's name (IRP 216, 530).
func (d *scxmlDocument) find(src string) (*statechart.Chart, error) {
	name, data := strings.TrimPrefix(src, "file:"), []byte(src)
	if !strings.HasPrefix(strings.TrimSpace(src), "<") {
		var err error
		if data, err = fs.ReadFile(d.files, name); err != nil {
			return nil, err
		}
	} else {
		name = "document"
	}
	child, found := scxml.Read(name, data, scxml.Options{Files: d.files, DataModel: "ecmascript", DataModels: models})
	if err := found.Err(); err != nil {
		return nil, err
	}
	chart, found := child.Compile(nil)
	return chart, found.Err()
}

// session is one started document in a world of its own.
type session struct {
	world    *world.World
	document *scxmlDocument
}

const sessionID = "session"

// start starts a document. The start is one macrostep: what it sends to
// itself still waits in the inbox.
func start(d *scxmlDocument, options world.Options) (*session, error) {
	chart, found := d.Compile(nil)
	if err := found.Err(); err != nil {
		return nil, fmt.Errorf("does not compile: %w", err)
	}
	options.Find, options.Charts = d.find, map[string]*statechart.Chart{}
	for id, child := range d.Children {
		if options.Charts[id], found = child.Compile(nil); found.Errors() {
			return nil, fmt.Errorf("%s does not compile: %w", id, found.Err())
		}
	}
	w := world.New(options)
	if _, err := w.Start(sessionID, chart, nil); err != nil {
		return nil, err
	}
	return &session{world: w, document: d}, nil
}

// leaves returns the ids of the active leaves, sorted.
func (s *session) leaves() []string {
	var ids []string
	for _, path := range s.world.Instance(sessionID).Configuration() {
		ids = append(ids, s.document.ids[path])
	}
	slices.Sort(ids)
	return ids
}

// expect compares the active leaves as a set.
func (s *session) expect(want []string) error {
	want = slices.Sorted(slices.Values(want))
	if got := s.leaves(); !slices.Equal(got, want) {
		return fmt.Errorf("active are %v, want %v", got, want)
	}
	return nil
}

// maxTimers bounds how often time is let pass for one document. The tests
// have a handful of delays each.
const maxTimers = 1000

// verdict runs a document until it ends or nothing can happen any more. W3C's
// criterion is the only one: it must have ended in the final state "pass".
func verdict(d *scxmlDocument, options world.Options) error {
	s, err := start(d, options)
	if err != nil {
		return err
	}
	for range maxTimers {
		more, err := s.world.AdvanceToNext()
		if err != nil {
			return err
		}
		if !more || s.world.Instance(sessionID).Status() != statechart.Active {
			break
		}
	}
	if leaves := s.leaves(); !slices.Equal(leaves, []string{"pass"}) {
		return fmt.Errorf("it came to rest in %v", leaves)
	}
	return nil
}

// manifest is the W3C's list of its tests.
type manifest struct {
	Assertions []struct {
		Section string `xml:"specnum,attr"`
		Tests   []struct {
			ID          string `xml:"id,attr"`
			Conformance string `xml:"conformance,attr"`
			Manual      string `xml:"manual,attr"`
			Start       []struct {
				URI string `xml:"uri,attr"`
			} `xml:"start"`
		} `xml:"test"`
	} `xml:"assert"`
}

// irp are the names of the W3C's automated documents by what asks for them.
type irp struct{ mandatory, ecmascript, other []string }

func irpDocuments(t *testing.T, files fs.FS) (list irp) {
	t.Helper()
	data, err := fs.ReadFile(files, "manifest.xml")
	if err != nil {
		t.Fatal(err)
	}
	var m manifest
	if err := xml.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	for _, a := range m.Assertions {
		for _, test := range a.Tests {
			for _, s := range test.Start {
				name := path.Base(s.URI) + ".scxml"
				switch {
				case test.Manual == "true":
				case test.Conformance == "mandatory":
					list.mandatory = append(list.mandatory, name)
				case a.Section == "B.2":
					list.ecmascript = append(list.ecmascript, name)
				default:
					list.other = append(list.other, name)
				}
			}
		}
	}
	return list
}
