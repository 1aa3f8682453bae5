package main

import "slices"

// equivalents change what nobody can see. They are listed so that nobody
// looks for a test; the tests run all the same and must pass.
var equivalents = slices.Concat(
	of("statechart/plans.go",
		mutant{
			name: "a table that grows loses its plans", run: differential,
			before:     "cells[i].Store(t.cells[i].Load())",
			after:      "_ = i",
			equivalent: "a plan that is not there is built again: only time is lost",
		},
	),
	of("statechart/data.go",
		mutant{
			name: "variables of a state that was left keep their values", run: differential,
			before:     "\t\tr.slots[v.slot] = nil\n",
			after:      "\t\t_ = v\n",
			equivalent: "nothing reads a variable of a state that is not active, and entering makes all anew: only memory is kept",
		},
	),
	of("statechart/scope.go",
		mutant{
			name: "variables of foreach keep their last value", run: differential,
			before:     "if slot >= 0 && s.in.chart.slots[slot].state < 0 {",
			after:      "if slot >= 0 && s.in.chart.slots[slot].state < -1 {",
			equivalent: "only the body sees them, and each round sets them before the body runs: only memory is kept",
		},
	),
	of("statechart/compile_transition.go",
		mutant{
			name: "R9 a leaf's local transition to itself is not made targetless", run: differential,
			before:     "if t.domain == t.source && len(t.targets) == 1 && t.targets[0] == t.source && ch.nodes[t.source].kind == Atomic {",
			after:      "if t.domain < -1 {",
			equivalent: "its domain is the leaf, below which there is nothing to exit or enter: only time is lost",
		},
	),
)
