package cli

import (
	"bytes"
	"fmt"
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

// otherFormat is a hint for a file in which less is wrong when it is read as
// XState's JSON, which nothing in its name says; "" for another.
func (a *app) otherFormat(s *source, found chartfile.Diagnostics) string {
	if a.from != "" || isSCXML(s) || !found.Errors() || !bytes.HasPrefix(bytes.TrimLeft(s.data, " \t\r\n"), []byte("{")) {
		return ""
	}
	file, other := xstate.Read(s.shown(), s.data)
	if file != nil {
		_, other = file.Compile(nil)
	}
	var as, is tally
	as.add(other)
	is.add(found)
	if as.errors >= is.errors {
		return ""
	}
	return "detent check " + s.name + " --from xstate reads it as a configuration of XState v5"
}

// loaded is a chart that was read from a file of any format.
type loaded struct {
	definition statechart.Definition
	requires   chartfile.Requires
	document   *scxml.Document // of an SCXML document
	compile    func(*statechart.Registry) (*statechart.Chart, chartfile.Diagnostics)
	place      func(path string) (line, column int) // nil where it cannot be told
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
	return &loaded{definition: file.Definition, requires: file.Requires, compile: file.Compile, place: file.Place}, found, nil
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
	inside := filepath.Dir(name)
	if a.env.ReadBeside != nil {
		return folder(func(name string) ([]byte, error) { return a.env.ReadBeside(inside, name) })
	}
	return folder(func(name string) ([]byte, error) {
		return a.env.ReadFile(filepath.Join(inside, filepath.FromSlash(name)))
	})
}

// finder gives the charts of calls whose source is only known when they
// start: the text of a document, or the name of one beside the first.
func (a *app) finder(name string) func(src string) (*statechart.Chart, error) {
	files := a.beside(name)
	return func(src string) (*statechart.Chart, error) {
		child, data := shownName(name), []byte(src)
		if !strings.HasPrefix(strings.TrimSpace(src), "<") {
			child = strings.TrimPrefix(src, "file:")
			if files == nil || !fs.ValidPath(child) {
				return nil, fmt.Errorf("there is no document %s beside this one", plain(src))
			}
			var err error
			if data, err = fs.ReadFile(files, child); err != nil {
				return nil, err
			}
		}
		document, found := scxml.Read(child, data, scxml.Options{Files: files})
		if err := found.Err(); err != nil {
			return nil, err
		}
		chart, found := document.Compile(nil)
		return chart, found.Err()
	}
}

// folder is a file system of one folder, by what reads its files.
type folder func(name string) ([]byte, error)

func (f folder) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	data, err := f(name)
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
