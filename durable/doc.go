// Package durable runs charts so that nothing is lost and nothing happens
// twice: the engine on a transactional store.
//
// An event goes through six rooms. At the door it is accepted, refused, or
// known already. A claim, here the ownership of the store under an epoch, lets
// one engine step the session. The step is [statechart.Step]: pure. The commit
// writes journal row, state, outbox rows and inbox moves in one transaction,
// together with those of other sessions. What the step asked of the outside is
// performed only then, after a claim of its own, and what was seen returns as
// an event, in one transaction with the end of the effect.
//
// The laws: a room never calls a later one, it leaves a row; observers read
// the journal and never sit in the path; nothing is published before its
// commit.
//
// The engine starts no goroutine, reads no clock and draws no number itself:
// it asks the [Runtime] that it was opened with, so that the whole of it also
// runs in a simulation.
package durable
