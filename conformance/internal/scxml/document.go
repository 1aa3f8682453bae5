// Package scxml reads SCXML documents of the public suites into definitions
// in the "scxml" dialect. It is for tests: what the suites do not need, and
// what a [statechart.Definition] cannot say, is refused with an [Unsupported]
// error that names it.
package scxml

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/detent-run/detent/conformance/internal/ecma"
	"github.com/detent-run/detent/statechart"
)

// Document is what was read.
type Document struct {
	Definition statechart.Definition
	Registry   *statechart.Registry
	// States are the ids of the states by path.
	States map[string]string
	// Children are the documents that it invokes, by the id of their chart.
	Children map[string]*Document
}

// Unsupported says which part of SCXML a document needs that is not read.
type Unsupported struct {
	Element string
	Line    int
	Reason  string
}

// Error names the element, its line and what is not supported of it.
func (u *Unsupported) Error() string {
	return fmt.Sprintf("<%s> in line %d: %s", u.Element, u.Line, u.Reason)
}

// HasScript reports whether err says that the document has a script.
func HasScript(err error) bool {
	var u *Unsupported
	return errors.As(err, &u) && u.Element == "script"
}

// Read reads the document called name in files.
func Read(files fs.FS, name string) (*Document, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return decode(f, files, chartID(name))
}

// decode reads one document; files are where the others are that it refers
// to.
func decode(r io.Reader, files fs.FS, id string) (*Document, error) {
	root, err := parse(r)
	if err != nil {
		return nil, err
	}
	return build(root, files, id)
}

func build(root *node, files fs.FS, id string) (*Document, error) {
	b := &reader{
		files:    files,
		root:     root,
		id:       id,
		paths:    map[*node]string{},
		byID:     map[string]*node{},
		children: map[string]*Document{},
		declared: map[string]bool{},
	}
	if err := b.survey(); err != nil {
		return nil, err
	}
	definition, err := b.definition()
	if err != nil {
		return nil, err
	}
	d := &Document{Definition: definition, States: map[string]string{}, Children: b.children}
	language := &ecma.Language{Name: root.attributes["name"], States: map[string]string{}}
	for _, n := range b.byID {
		d.States[b.paths[n]] = n.attributes["id"]
		language.States[n.attributes["id"]] = b.paths[n]
	}
	d.Registry = statechart.NewRegistry()
	d.Registry.Language(language)
	d.Registry.Action(illegal, func(s *statechart.Scope) error {
		return fmt.Errorf("%v", s.Params()["message"])
	})
	return d, nil
}

// Compile compiles the document and those that it invokes. The charts of the
// latter are returned by id.
func (d *Document) Compile() (*statechart.Chart, map[string]*statechart.Chart, error) {
	charts := map[string]*statechart.Chart{}
	for id, child := range d.Children {
		chart, more, err := child.Compile()
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", id, err)
		}
		charts[id] = chart
		for id, chart := range more {
			charts[id] = chart
		}
	}
	chart, err := statechart.Compile(d.Definition, d.Registry)
	return chart, charts, err
}

// chartID makes a chart's id of a file's name.
func chartID(name string) string {
	return strings.NewReplacer(".", "_", "/", "_", "+", "_", "#", "_", "*", "_", " ", "_").Replace(name)
}
