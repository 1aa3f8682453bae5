package main

import "slices"

// compiling: definitions that must be refused.
var compiling = slices.Concat(
	of("statechart/compile.go",
		mutant{
			name: "R1 two children may have one name", run: "^TestRefus",
			before: "if names[def.Name] {",
			after:  "if names[def.Name] && def.Name == \"\" {",
		},
		mutant{
			name: "two states may have one id", run: "^TestRefus",
			before: "if _, twice := c.chart.ids[n.id]; twice {",
			after:  "if _, twice := c.chart.ids[n.id]; twice && i == 0 {",
		},
		mutant{
			name: "states nest without bound", run: "^TestRefusedSizes$",
			before: "i >= maxStates || depth > maxDepth;",
			after:  "i >= maxStates;",
		},
		mutant{
			name: "R28 the engine's names may be declared, raised and sent", run: "^TestRefus|^TestR28_",
			before: "case !c.chart.scxml && reserved(name):",
			after:  "case !c.chart.scxml && reserved(name) && name == \"\":",
		},
		mutant{
			name: "errors stand in the order of the passes", run: "^TestRefus",
			before: "return order(a) - order(b)",
			after:  "return 0 * (order(a) - order(b))",
		},
	),
	of("statechart/compile_state.go",
		mutant{
			name: "R19 a final state may take transitions", run: "^TestRefus|^TestR19_",
			before: `refuse(active, "on", "a final state`,
			after:  `refuse(active && d.ID == "\x00", "on", "a final state`,
		},
		mutant{
			name: "an initial may lie outside its state", run: "^TestRefus",
			before: "outside := !c.chart.isDescendant(t, base) || t == n.index",
			after:  "outside := t == n.index",
		},
		mutant{
			name: "R33 an initial value may refer to itself", run: "^TestMutantR33_",
			before: "n.variables = all[:i]",
			after:  "n.variables = all[:i+1]",
		},
		mutant{
			name: "R27 two timers may have one delay", run: "^TestRefus",
			before: "a != nil && a == b && isScalar(a)",
			after:  "a != nil && a == b && !isScalar(a)",
		},
	),
	of("statechart/compile_action.go",
		mutant{
			name: "R22 foreach may shadow a variable", run: "^TestRefus|^TestR22_",
			before: "} else if taken ||",
			after:  "} else if",
		},
	),
	of("statechart/compile_transition.go",
		mutant{
			name: "R5 an always without guard and target is let in", run: "^TestRefus|^TestR05_",
			before: `if t.Target == "" && isZero(&t.Guard) && !c.chart.scxml {`,
			after:  `if t.Target == "" && isZero(&t.Guard) && !c.chart.scxml && i < 0 {`,
		},
		mutant{
			name: "R29 a cycle of unguarded always is let in", run: "^TestRefus|^TestR29_",
			before: "\tc.alwaysCycles()\n",
			after:  "",
		},
		mutant{
			name: "R15 a history may be its own default", run: "^TestRefus|^TestR15_",
			before: "return mark[s] == open",
			after:  "return false",
		},
		mutant{
			name: "R26 invocations that run together may have one id", run: "^TestRefus|^TestR26_",
			before: "twice = twice || seen && region != below",
			after:  "twice = twice || seen && region < 0",
		},
		mutant{
			name: "a target may be a child without its dot", run: "^TestRefus",
			before: "return c.chart.below(n.parent, text)",
			after:  "if s, ok := c.chart.below(base, text); ok {\n\t\treturn s, ok\n\t}\n\treturn c.chart.below(n.parent, text)",
		},
	),
	of("statechart/values.go",
		mutant{
			name: "R31 infinity is a value", run: "^TestRefus",
			before: "if math.IsNaN(x) || math.IsInf(x, 0) {",
			after:  "if math.IsNaN(x) {",
		},
		mutant{
			name: "values nest without bound", run: "^TestRefus",
			before: "if depth > maxValueDepth {",
			after:  "if depth > 1<<20 {",
		},
	),
)
