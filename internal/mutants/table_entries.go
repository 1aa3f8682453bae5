package main

import "slices"

// entries: domains, what is entered, and history (R9, R12–R17).
var entries = slices.Concat(
	of("statechart/plan_entry.go",
		mutant{
			name: "R9 a parallel state may be the domain", run: "^TestR09_",
			before: "if c.nodes[s].kind != Compound {",
			after:  "if c.nodes[s].kind == Atomic {",
		},
		mutant{
			name: "R9 the domain is one state above the least common one", run: "^TestR09_",
			before: "if inside {\n\t\t\treturn s\n",
			after:  "if inside {\n\t\t\treturn max(c.nodes[s].parent, 0)\n",
		},
		mutant{
			name: "R9 the source may be the domain of an external transition", run: "^TestR09_",
			before: "for s := c.nodes[t.source].parent; s > 0;",
			after:  "for s := t.source; s > 0;",
		},
		mutant{
			name: "R9 a local transition to its source leaves it", run: "^TestR09_",
			before: "case t.kind == Local && below(true):",
			after:  "case t.kind == Local && below(false):",
		},
		mutant{
			name: "R9 local is external", run: "^TestR09_",
			before: "case t.kind == Local && below(true):",
			after:  "case false:",
		},
		mutant{
			name: "R9 internal also stays inside a parallel source", run: "^TestR09_",
			before: "case t.kind == Internal && c.nodes[t.source].kind == Compound && below(false):",
			after:  "case t.kind == Internal && below(false):",
		},
		mutant{
			name: "R9 an internal transition to its source stays inside", run: "^TestR09_",
			before: "case t.kind == Internal && c.nodes[t.source].kind == Compound && below(false):",
			after:  "case t.kind == Internal && c.nodes[t.source].kind == Compound && below(true):",
		},
		mutant{
			name: "R9 restarting a state does not take its initial's actions", run: "^TestR09_",
			before: "if s == domain && !e.byDefault && e.history == nil {",
			after:  "if s == domain {",
		},
		mutant{
			name: "R9 a local transition into one region leaves the others out", run: "^TestR09_",
			before: "if p.c.nodes[domain].kind == Parallel {",
			after:  "if false {",
		},
		mutant{
			name: "R12 the actions of a history's default do not run", run: "^TestR12_",
			before: "if d.parent == s {",
			after:  "if d.parent == s && s < 0 {",
		},
		mutant{
			name: "R13 only the parent of a target is entered", run: "^TestR13_",
			before: "for a := p.c.nodes[s].parent; a > above; a = p.c.nodes[a].parent {",
			after:  "if a := p.c.nodes[s].parent; a > above {",
		},
		mutant{
			name: "R14 regions beside the way to a target are not entered", run: "^TestR14_",
			before: "if p.c.nodes[a].kind == Parallel {",
			after:  "if false {",
		},
		mutant{
			name: "R14 a region with a target is also entered by default", run: "^TestR14_",
			before: "if !p.enter.has(k) && !p.enter.any(k+1, p.c.nodes[k].last) {",
			after:  "if !p.enter.has(k) {",
		},
		mutant{
			name: "R14 only the first region is entered", run: "^TestR14_",
			before: "p.descendants(k)\n",
			after:  "p.descendants(k)\n\t\t\treturn\n",
		},
		mutant{
			name: "R15 the default is taken though something is recorded", run: "^TestR15_|^TestHole01_",
			before: "targets := p.history[n.ordinal]\n",
			after:  "targets := p.history[n.ordinal][:0:0]\n",
		},
		mutant{
			name: "R15 the actions of the default run though something is recorded", run: "^TestR15_|^TestR12_",
			before: "p.restored = append(p.restored, n.index)",
			after:  "p.restored = append(p.restored, n.index)\n\t\tp.defaults = append(p.defaults, historyDefault{n.parent, n.initialActions})",
		},
		mutant{
			name: "R16 a domain below the history's parent is entered again", run: "^TestR16_",
			before: "max(n.parent, p.domain)",
			after:  "n.parent",
		},
	),
	of("statechart/history.go",
		mutant{
			name: "R15 shallow history keeps leaves", run: "^TestR15_",
			before: "if h.deep {",
			after:  "if true {",
		},
		mutant{
			name: "R15 deep history keeps children", run: "^TestR15_",
			before: "if h.deep {",
			after:  "if false {",
		},
		mutant{
			name: "R15 deep history keeps leaves of later siblings", run: differential,
			before: "s >= 0 && s <= parent.last;",
			after:  "s >= 0;",
		},
		mutant{
			name: "R15 only the outermost state that exits records", run: "^TestR15_",
			before: "for _, s := range r.exits {\n\t\tfor _, h",
			after:  "for _, s := range r.exits[len(r.exits)-min(len(r.exits), 1):] {\n\t\tfor _, h",
		},
	),
	of("statechart/microstep.go",
		mutant{
			name: "R16 a history that is just left is resolved before it records", run: "^TestR11_",
			before: "\tif len(in.chart.histories) > 0 {\n\t\tin.recordHistories()\n\t}\n\tin.gatherDynamic()\n",
			after:  "\tin.gatherDynamic()\n\tif len(in.chart.histories) > 0 {\n\t\tin.recordHistories()\n\t}\n",
		},
		mutant{
			name: "R12 entries of several transitions go one transition after the other", run: "^TestMutantR12_",
			before: "\tif dynamic {\n\t\tslices.SortFunc",
			after:  "\tif dynamic && len(r.exits) > 1000 {\n\t\tslices.SortFunc",
		},
	),
	of("statechart/compile_transition.go",
		mutant{
			name: "R17 targets in one region are let in", run: "^TestR17_",
			before: "return x >= 0 && c.chart.nodes[x].kind == Parallel",
			after:  "return x >= 0",
		},
		mutant{
			name: "R17 a target below another is let in", run: "^TestR17_",
			before: "if a == b || c.chart.isDescendant(a, b) || c.chart.isDescendant(b, a) {\n\t\treturn false",
			after:  "if a == b {\n\t\treturn false\n\t}\n\tif c.chart.isDescendant(a, b) || c.chart.isDescendant(b, a) {\n\t\treturn true",
		},
		mutant{
			name: "R17 a target below a history's parent is let in", run: "^TestR17_",
			before: "return c.chart.nodes[s].parent\n\t}\n\treturn s",
			after:  "return s\n\t}\n\treturn s",
		},
	),
)
