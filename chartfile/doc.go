// Package chartfile reads and writes charts as YAML and JSON documents.
//
// [Read] makes a statechart.Definition of a document and lists everything
// that is wrong with it, each with its place in the file, a sentence and a
// hint. [File.Compile] goes on to a chart and brings the compiler's errors
// back to the lines they come from; [Load] does both. [Write] is the way
// back.
//
// The types in format.go are the one source of what may stand in a file: the
// reader takes its keys from them, and the JSON Schema is generated from them.
package chartfile
