// Package chartgen makes random statecharts and scripts of events for them,
// the same for the same seed, for the differential test of package statechart
// against package oracle. Charts are valid by construction: what Compile
// refuses is not made. Of two families, one holds data, expressions and
// effects; the other only typed Go contexts, so that the product's quick
// paths are met too. The package also shrinks a chart that fails.
//
// [ForFile] makes a case one that a chart file can hold, [Rendered] puts its
// expressions into the language of files, and [Play] tells what a chart does.
package chartgen
