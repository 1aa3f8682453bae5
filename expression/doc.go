// Package expression is the language of guards and values in charts:
// expr-lang's syntax, closed down, checked against the names of a chart, and
// run within the fuel of a macrostep.
//
// [Language] plugs into [statechart.Registry.Language]. Its parser is
// expr-lang's; the checks, the functions and the evaluation are ours, because
// no work and no byte may go uncounted: whatever walks or builds something
// pays [statechart.Scope.Charge] for its size before it begins.
//
// [Parse] and [End] serve readers of chart files: which names does a text
// use, and where does the expression in "${ … }" end.
//
// The files follow the way of a source: source and parse (bounds, syntax),
// walk (shape: what is refused, which functions, how many arguments), compile
// (names and kinds, to closures), then what runs: meter, arithmetic, compare,
// operators, members, turns, and the functions in functions_*.
//
// The language is described in docs/expressions.md.
package expression
