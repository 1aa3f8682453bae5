// Package conformance runs what others wrote on Detent: the W3C's documents of
// its SCXML implementation report plan and the SCION pairs, as they are and
// rewritten in our expression language; random charts beside XState 5; suites
// of XML, JSON and YAML.
//
//	go test -run 'TestSuites|TestXStateRandom$' -v .
//
// The suites are fetched by npm on the first run (see internal/npm). How
// documents are rewritten is in internal/indetent, how charts are drawn and
// compared with XState in internal/xstate.
package conformance
