// Package ecmascript is the data model "ecmascript" of SCXML documents:
// expressions, locations and scripts of ECMAScript, on QuickJS. It is a
// module of its own, which only programs that ask for it are built with:
//
//	func main() {
//		ecmascript.Main() // first thing
//		model := &ecmascript.DataModel{}
//		defer model.Close()
//		document, chart, err := scxml.Load("order.scxml", text, scxml.Options{
//			DataModels: map[string]scxml.DataModel{"ecmascript": model},
//		})
//		…
//	}
//
// Code that is not trusted runs in child processes, which are this program
// started once more; that is what [Main] is for.
//
// Between two evaluations there is no state but the chart's variables, so
// that a snapshot holds all there is. Each evaluation gets copies of what it
// can name and a clean engine. There is no clock but the macrostep's, no
// chance that a replay would not give again, and nothing of the host. What
// that means for the author of a document is told in docs/ecmascript.md.
package ecmascript
