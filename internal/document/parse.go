package document

import (
	"bytes"
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/detent-run/detent/internal/strictjson"
)

// Format is a way to write a document.
type Format uint8

// The formats.
const (
	YAML Format = iota
	JSON
)

// String returns the name of the format.
func (f Format) String() string {
	return [...]string{"YAML", "JSON"}[f]
}

// FormatOf tells the format of a file by the end of its name, or else by its
// first character: what begins with { or [ is JSON.
func FormatOf(name string, data []byte) Format {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".json":
		return JSON
	case ".yaml", ".yml":
		return YAML
	}
	data = bytes.TrimLeft(data, " \t\r\n")
	if bytes.HasPrefix(data, []byte("{")) || bytes.HasPrefix(data, []byte("[")) {
		return JSON
	}
	return YAML
}

// Limits bounds a document. A zero is the default.
type Limits struct {
	// Bytes is how long the file may be. Zero: 1 MiB.
	Bytes int
	// Depth is how many lists and objects may stand inside each other. Zero:
	// 64. Others build on it: who raises it lets walks over nodes go as deep.
	Depth int
	// Nodes is how many values there may be, lists and objects included. Zero:
	// 200,000, which is more than a file of 1 MiB can say anything with.
	Nodes int
}

func (l Limits) filled() Limits {
	return Limits{cmp.Or(l.Bytes, 1<<20), cmp.Or(l.Depth, 64), cmp.Or(l.Nodes, 200_000)}
}

// source is what the nodes of one file share.
type source struct {
	data  []byte
	index *strictjson.Index
	yaml  bool
}

func newSource(data []byte) *source {
	return &source{data: data, index: strictjson.NewIndex(data)}
}

func (s *source) position(offset int) Position {
	line, column := s.index.Place(offset)
	return Position{Offset: offset, Line: line, Column: column}
}

// Parse reads one document and returns all problems that can be found, in the
// order of the file. The node is nil if nothing can be made of the document;
// otherwise it is there beside problems, so that others can be found in it.
// Of a key that stands twice it has the first value. Parse keeps data, which
// must not change afterwards.
func Parse(data []byte, f Format, l Limits) (*Node, []Problem) {
	l = l.filled()
	s := newSource(data)
	s.yaml = f == YAML
	read := s.parseYAML
	if f == JSON {
		read = s.parseJSON
	}
	n, problems := read(l)
	slices.SortStableFunc(problems, func(a, b Problem) int { return cmp.Compare(a.Start.Offset, b.Start.Offset) })
	return n, problems
}
