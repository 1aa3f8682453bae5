package conformance

import (
	"encoding/xml"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/detent-run/detent/chartfile/scxml"
	"github.com/detent-run/detent/conformance/internal/indetent"
	"github.com/detent-run/detent/ecmascript"
	"github.com/detent-run/detent/internal/world"
	"github.com/detent-run/detent/statechart"
)

// reader is a way to read the suites' documents. Those that name no data model
// mean ECMAScript.
type reader struct {
	// rewrite changes a document before it is read; nil leaves it as it is.
	rewrite func(document []byte) ([]byte, error)
	// ecmascript is the data model of that name.
	ecmascript scxml.DataModel
}

// The ways: as they are, in this process and in a child, and rewritten in
// Detent's expression language.
var (
	asTheyAre = reader{ecmascript: &ecmascript.DataModel{Trusted: true}}
	inAChild  = reader{ecmascript: &ecmascript.DataModel{}}
	inDetent  = reader{rewrite: indetent.Rewrite}
)

// options are those that documents are read with, from a folder.
func (r reader) options(files fs.FS) scxml.Options {
	if r.rewrite != nil {
		return scxml.Options{Files: rewritten{files, r.rewrite}, DataModel: "detent"}
	}
	return scxml.Options{Files: files, DataModel: "ecmascript", DataModels: map[string]scxml.DataModel{"ecmascript": r.ecmascript}}
}

// scxmlDocument is a document of a suite with what it starts, compiled.
type scxmlDocument struct {
	*scxml.Document
	options scxml.Options
	ids     map[string]string // of the states, by path
}

// open reads a document of a folder.
func (r reader) open(files fs.FS, name string) (*scxmlDocument, error) {
	data, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, err
	}
	return r.read(files, name, data)
}

func (r reader) read(files fs.FS, name string, data []byte) (*scxmlDocument, error) {
	if r.rewrite != nil {
		var err error
		if data, err = r.rewrite(data); err != nil {
			return nil, err
		}
	}
	options := r.options(files)
	d, found := scxml.Read(name, data, options)
	if err := found.Err(); err != nil {
		return nil, err
	}
	out := &scxmlDocument{Document: d, options: options, ids: map[string]string{}}
	for id, p := range d.States {
		out.ids[p] = id
	}
	return out, nil
}

// rewritten gives out the documents of a folder rewritten, for invoke.
type rewritten struct {
	fs.FS
	rewrite func([]byte) ([]byte, error)
}

// Open implements [fs.FS].
func (r rewritten) Open(name string) (fs.File, error) {
	if path.Ext(name) != ".scxml" {
		return r.FS.Open(name)
	}
	data, err := fs.ReadFile(r.FS, name)
	if err == nil {
		data, err = r.rewrite(data)
	}
	if err != nil {
		return nil, err
	}
	return fstest.MapFS{name: {Data: data}}.Open(name)
}

// find gives the chart of a call whose source is only known when it starts:
// the text of a document, or a file's name (IRP 216, 530).
func (d *scxmlDocument) find(src string) (*statechart.Chart, error) {
	name, data := "document", []byte(src)
	if !strings.HasPrefix(strings.TrimSpace(src), "<") {
		name = strings.TrimPrefix(src, "file:")
		var err error
		if data, err = fs.ReadFile(d.options.Files, name); err != nil {
			return nil, err
		}
	}
	child, found := scxml.Read(name, data, d.options)
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
