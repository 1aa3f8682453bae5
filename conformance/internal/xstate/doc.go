// Package xstate compares Detent with XState 5: it makes random charts and
// scripts ([New]), plays each on our core ([Ours]) and, as the JavaScript
// module that chartfile/xstate exports, on XState in node ([Node]), and says
// where what is seen differs ([Compare]).
//
// Where the two differ on purpose is a list, the last part of
// docs/semantics.md. Each entry is a [Row]: the generator never makes the
// situation, or the run notices that it arose and compares that script no
// further. Nothing else may differ.
package xstate
