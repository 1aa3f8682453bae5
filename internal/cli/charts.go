package cli

import (
	"bytes"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/chartfile/scxml"
	"github.com/detent-run/detent/chartfile/xstate"
	"github.com/detent-run/detent/statechart"
)

// The formats that a chart can be read from.
const (
	fromChart  = "chart" // a chart file, YAML or JSON
	fromSCXML  = "scxml"
	fromXState = "xstate"
)

var fromFormats = []string{fromChart, fromSCXML, fromXState}

// fromFlag adds the flag that says what a file is where its name does not.
func (a *app) fromFlag(c *cobra.Command) {
	c.Flags().StringVar(&a.from, "from", "", "what the file is: chart, scxml or xstate; by its name and first character unless said")
	c.RegisterFlagCompletionFunc("from", cobra.FixedCompletions(fromFormats, cobra.ShellCompDirectiveNoFileComp))
}

// formatOf tells what a file is.
func (a *app) formatOf(s *source) (string, *problem) {
	switch {
	case a.from != "" && !slices.Contains(fromFormats, a.from):
		return "", usage("there is no format "+plain(a.from)+" to read", meant(a.from, fromFormats, "formats"))
	case a.from != "":
		return a.from, nil
	case isSCXML(s):
		return fromSCXML, nil
	}
	return fromChart, nil
}

func isSCXML(s *source) bool {
	if slices.Contains(scxmlExtensions, strings.ToLower(filepath.Ext(s.name))) {
		return true
	}
	text := bytes.TrimPrefix(s.data, []byte("\ufeff"))
	return bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("<"))
}

// loaded is a chart that was read from a file of any format.
type loaded struct {
	definition statechart.Definition
	requires   chartfile.Requires
	document   *scxml.Document // of an SCXML document
	compile    func(*statechart.Registry) (*statechart.Chart, chartfile.Diagnostics)
}

// load reads a chart. It is nil when nothing can be made of the file.
func (a *app) load(s *source) (*loaded, chartfile.Diagnostics, *problem) {
	format, p := a.formatOf(s)
	if p != nil {
		return nil, nil, p
	}
	if format == fromSCXML {
		document, found := scxml.Read(s.shown(), s.data, scxml.Options{Files: a.beside(s.name)})
		if document == nil {
			return nil, found, nil
		}
		return &loaded{definition: document.Definition, document: document, compile: func(*statechart.Registry) (*statechart.Chart, chartfile.Diagnostics) {
			return document.Compile(nil)
		}}, found, nil
	}
	read := chartfile.Read
	if format == fromXState {
		read = xstate.Read
	}
	file, found := read(s.shown(), s.data)
	if file == nil {
		return nil, found, nil
	}
	return &loaded{definition: file.Definition, requires: file.Requires, compile: file.Compile}, found, nil
}

// children compiles the documents that an SCXML document starts, by the ids
// of their charts.
func (l *loaded) children() (map[string]*statechart.Chart, chartfile.Diagnostics) {
	if l.document == nil {
		return nil, nil
	}
	charts := map[string]*statechart.Chart{}
	for _, id := range sortedKeys(l.document.Children) {
		chart, found := l.document.Children[id].Compile(nil)
		if chart == nil {
			return nil, found
		}
		charts[id] = chart
	}
	return charts, nil
}

// beside gives out the files in the folder of a document and below it, for
// its src attributes.
func (a *app) beside(name string) fs.FS {
	if name == "-" {
		return nil
	}
	return folder{filepath.Dir(name), a.env.ReadFile}
}

// folder is a file system of one folder, over the files of the environment.
type folder struct {
	path string
	read func(name string) ([]byte, error)
}

func (f folder) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	data, err := f.read(filepath.Join(f.path, filepath.FromSlash(name)))
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &openFile{Reader: bytes.NewReader(data), name: path.Base(name)}, nil
}

// openFile is a file that was read whole; it is its own description.
type openFile struct {
	*bytes.Reader
	name string
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *openFile) Close() error               { return nil }
func (f *openFile) Name() string               { return f.name }
func (f *openFile) Mode() fs.FileMode          { return 0o444 }
func (f *openFile) ModTime() time.Time         { return time.Time{} }
func (f *openFile) IsDir() bool                { return false }
func (f *openFile) Sys() any                   { return nil }
