// Package statechart is the core of Detent: statecharts as plain data,
// compiled to integers, stepped without side effects.
//
// A [Definition] is data. A [Registry] binds the names in it to Go functions.
// [Compile] checks everything at once and gives an immutable [Chart]. A chart
// runs in two ways over the same code: an [Instance] is driven in place by
// one owner and allocates nothing in the common case; [Step] is a pure
// function on a [Snapshot], for hosts that store each state.
//
// An event taken to the end is a macrostep: the transitions it takes, the
// eventless ones that follow, and the internal events those raise. What a
// macrostep wants of the outside world, it returns as [Effect]s: the package
// reads no clock, draws no random number, starts no goroutine and performs no
// input or output. A host stores state and effects in one transaction and
// performs the effects afterwards; their answers come back as events.
//
// The rules are numbered R1 to R34 in docs/semantics.md, and comments cite
// them. They are those of W3C SCXML, Appendix D, with state-local data,
// deferral and bounds added.
//
// The files follow the way of an event: definition, compile_* and seal make a
// Chart; instance is the door and the planned step, plans the cache behind
// it, regions and word the forms without one; macrostep, select and microstep
// are the general way; data, timers, calls and history what it works on;
// snapshot, encode and decode the state as a value; trace, explain and read
// what people ask.
package statechart
