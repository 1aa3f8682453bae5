// Package exprlang holds Detent's expressions to expr-lang's own corpus: its
// VM and our evaluation run each line, and where both give a value, it is the
// same, or differs for a reason that has a name.
package exprlang
