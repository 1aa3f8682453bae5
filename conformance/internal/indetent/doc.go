// Package indetent rewrites SCXML documents of the data model "ecmascript" in
// Detent's own expression language, for suites whose documents are written in
// ECMAScript only. It reads each expression with a parser of ECMAScript and
// says the same in the other language, by rules that know the languages and
// nothing of the documents; what has no equal is an error that says so.
//
// Where the languages differ:
//
//   - A field that is absent is undefined there and an error here, so the last
//     step of a path is read with ?. and undefined is null.
//   - A condition there may be any value. Here what is no boolean is compared
//     with what counts as false.
//   - == converts kinds there. Here it does not, and values of two kinds are
//     never equal; documents that lean on "1" == 1 are not the same.
//   - Two objects are == there when they are one; here, when they look alike.
//   - 'sendid' in _event is true there whatever the event is, for a field of
//     which nothing is known is there and undefined. Here such a field is
//     absent, so the seven names that SCXML lists are answered with whether
//     there is an event.
//   - What cannot be parsed there is an error when it is executed, and so it
//     is here.
package indetent
