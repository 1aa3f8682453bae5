// Package handwritten is the limit that the other peers are measured
// against: for each workload a Go switch, written for that one chart.
//
// It is as fast as such code can honestly be. Hierarchy is resolved by the
// author, so depth costs nothing; events are small numbers. But two things
// are as for an engine: guards and callbacks are function pointers, because
// an engine does not know its users' functions, and Send is not inlined into
// its caller, because an event comes as data and a loop over constants would
// otherwise be folded away by the compiler.
package handwritten
