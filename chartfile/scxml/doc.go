// Package scxml reads SCXML documents, and writes definitions as such.
//
// [Read] takes a document in strict XML and makes a statechart.Definition in
// the "scxml" dialect, with a diagnostic for everything that is wrong with it.
// [Document.Compile] goes on to a chart and brings the compiler's errors back
// to the lines they come from; [Load] does both. [Write] is the way back.
//
// It is the whole recommendation but XPath and the Basic HTTP event processor.
// What the recommendation calls an error when it is executed stays one, also
// when it can be seen sooner: then there is a warning.
package scxml
