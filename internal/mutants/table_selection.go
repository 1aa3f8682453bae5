package main

import "slices"

// selection: which transitions an event takes (R3, R4, R7, R8).
var selection = slices.Concat(
	of("statechart/select.go",
		mutant{
			name: "R3 only the first leaf is asked", run: "^TestR03_",
			before: "leaf = nextIn(r.active, c.leafMask, leaf+1)",
			after:  "leaf = -1",
		},
		mutant{
			name: "R3 a leaf goes on climbing after its transition", run: "^TestR03_",
			before: "if in.chooseAt(s, id) {",
			after:  "if in.chooseAt(s, id) && s == 0 {",
		},
		mutant{
			name: "R3 the root is not asked", run: "^TestR20_",
			before: "for s := leaf; s >= 0; s = c.nodes[s].parent {",
			after:  "for s := leaf; s > 0; s = c.nodes[s].parent {",
		},
		mutant{
			name: "R3 chosen once for each leaf", run: "^TestR03_",
			before: "r.marks[t] = r.mark + 1\n",
			after:  "r.marks[t] = 0\n",
		},
		mutant{
			name: "R3 a guard that said no is asked again for the next leaf", run: "^TestR03_",
			before: "\t\tr.marks[t] = r.mark\n",
			after:  "",
		},
		mutant{
			name: "R3 a false guard ends the climb", run: "^TestR03_",
			before: "if !in.ask(&c.transitions[t]) {\n\t\t\tcontinue",
			after:  "if !in.ask(&c.transitions[t]) {\n\t\t\treturn true",
		},
		mutant{
			name: "R3 only the first candidate of a state is asked", run: "^TestR03_",
			before: "if !in.ask(&c.transitions[t]) {\n\t\t\tcontinue",
			after:  "if !in.ask(&c.transitions[t]) {\n\t\t\treturn false",
		},
		mutant{
			name: "R3 what an earlier selection asked counts as asked", run: "^TestR03_",
			before: "r.mark += 2; r.mark == 0",
			after:  "r.mark += 0; r.mark == 0",
		},
		mutant{
			name: "R4 the earlier transition always wins", run: "^TestR04_",
			before: "if !c.isDescendant(tr.source, c.transitions[other.t].source) {",
			after:  "if true {",
		},
		mutant{
			name: "R4 the later transition always wins", run: "^TestR04_",
			before: "if !c.isDescendant(tr.source, c.transitions[other.t].source) {",
			after:  "if false {",
		},
		mutant{
			name: "R4 too narrow: only equal domains conflict", run: "^TestR04_",
			before: "if other.domain != domain && !c.isDescendant(other.domain, domain) && !c.isDescendant(domain, other.domain) {",
			after:  "if other.domain != domain {",
		},
		mutant{
			name: "R4 too wide: any two that exit conflict", run: "^TestR04_",
			before: "if other.domain != domain && !c.isDescendant(other.domain, domain) && !c.isDescendant(domain, other.domain) {",
			after:  "if false {",
		},
		mutant{
			name: "R4 a loser takes targetless transitions with it", run: "^TestR04_",
			before: "if ch.domain < 0 {\n\t\t\tleft",
			after:  "if ch.domain < -1 {\n\t\t\tleft",
		},
		mutant{
			name: "R4 a leaf's transition to itself conflicts though it exits nothing", run: "^TestMutantR04_",
			before: " || c.nodes[domain].kind == Atomic {",
			after:  " {",
		},
		mutant{
			name: "R7 a failing guard holds", run: "^TestR07_",
			before: "holds = false\n",
			after:  "holds = true\n",
		},
		mutant{
			name: "R7 a failing guard raises nothing", run: "^TestR07_",
			before: "in.executionError(\"guard\", t.place, err)",
			after:  "_ = err",
		},
		mutant{
			name: "R7 a failing guard raises each time it is asked", run: "^TestR07_",
			before: "if f == t.index {",
			after:  "if f < 0 {",
		},
		mutant{
			name: "R34 an earlier false guard is the reason", run: "^TestR32_",
			before: "r.guardSaid, r.deferring = false, false",
			after:  "r.deferring = false",
		},
		mutant{
			name: "R32 an ancestor beats a state that defers", run: "^TestR32_",
			before: "if deferring && in.deferredBelow(s, id) {",
			after:  "if deferring && in.deferredBelow(s, id) && id == eventless {",
		},
		mutant{
			name: "R32 a state's defer hides its own transitions", run: "^TestR32_",
			before: "for d := active.next(s + 1);",
			after:  "for d := active.next(s);",
		},
	),
	of("statechart/compile_guard.go",
		mutant{
			name: "R7 and holds when one part does", run: "^TestR07_",
			before: "if b == (g.op == opOr) {",
			after:  "if b {",
		},
		mutant{
			name: "R7 or holds when no part does", run: "^TestR07_",
			before: "return g.op == opAnd, nil",
			after:  "return true, nil",
		},
		mutant{
			name: "R7 the error of a negated guard is lost", run: "^TestR07_",
			before: "return !b && err == nil, err",
			after:  "return !b || err != nil, nil",
		},
	),
)
