package scxml

import (
	"io/fs"

	"github.com/detent-run/detent/statechart"
)

// Options say what a document may use beside its own text. The zero value
// stands for no files and the two data models that are built in.
type Options struct {
	// Files is what src may name, by clean relative paths. Nil: no file. It is
	// read from while a document is read, at most 16 MiB in all.
	Files fs.FS
	// DataModel is that of documents which name none. Empty: null.
	DataModel string
	// DataModels are those that there are besides null, which has no values,
	// and detent, which is the language of chart files.
	DataModels map[string]DataModel
}

// A DataModel is a language for the expressions, locations and scripts of
// documents. Its methods may be called concurrently.
type DataModel interface {
	// Language makes the language of one document. It may also be a
	// [statechart.ScriptLanguage], without which scripts are refused, and a
	// [statechart.LocationLanguage]. Nil: there are no expressions.
	Language(d Details) statechart.Language
	// Globals are names of variables that are declared in every document, and
	// that its author does not see.
	Globals() []string
}

// Details are what a language may want to know of its document.
type Details struct {
	// Name is the document's name attribute, "" without one.
	Name string
	// States has the path in the Definition of each state that has an id, by
	// that. It must not be changed.
	States map[string]string
	// Position tells which element a place of the core means, such as the
	// place of an error.execution. It is false when it means none.
	Position func(place string) (Position, bool)
}

// Position is the place of an element in its file.
type Position struct {
	// Element is its name, without a prefix.
	Element string
	// Line counts from 1. Column counts characters from 1.
	Line, Column int
}
