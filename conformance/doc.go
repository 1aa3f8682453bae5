// Package conformance runs suites that others wrote for statecharts on our
// core: the SCION pairs of @scion-scxml/test-framework, and, as a preview,
// the documents of the W3C SCXML implementation report plan in the same
// package.
//
//	go test -run TestSuites -v .
//
// The suites are fetched by npm on the first run (see internal/npm). The
// reader of SCXML documents (internal/scxml) and its ECMAScript expressions
// (internal/ecma) are for these tests only: they hold what the suites need
// and refuse the rest.
package conformance
