package main

import "slices"

// readers: what is told without stepping.
var readers = slices.Concat(
	of("statechart/macrostep.go",
		mutant{
			name: "Explain uses up the ids of the session", run: "^TestFace_",
			before: "trace, false, fuel, broken, ids\n",
			after:  "trace, false, fuel, broken, max(ids, r.ids)\n",
		},
	),
	of("statechart/explain.go",
		mutant{
			name: "Explain forgets who lost a conflict", run: "^TestFace_",
			before: "preempted[rec.Name] || rec.Kind == TracePreempted",
			after:  "preempted[rec.Name]",
		},
		mutant{
			name: "Events lists what is forbidden", run: "^TestFace_",
			before: "possible = possible || !tr.inert",
			after:  "possible = true",
		},
		mutant{
			name: "Events looks above a transition that has no guard", run: "^TestMutantEvents$",
			before: "guarded = guarded && tr.inert\n\t\t\t\t\tbreak climb",
			after:  "if guarded = guarded && tr.inert; tr.index < 0 {\n\t\t\t\t\t\tbreak climb\n\t\t\t\t\t}",
		},
		mutant{
			name: "Events lists the engine's events", run: "^TestFace_",
			before: "if ev.reserved ||",
			after:  "if ev.reserved && id == unmatched ||",
		},
	),
	of("statechart/read.go",
		mutant{
			name: "tags of ancestors are not found", run: "^TestMutantTags$",
			before: "if slices.Contains(in.chart.nodes[s].def.Tags, tag) {",
			after:  "if in.chart.leafMask.has(s) && slices.Contains(in.chart.nodes[s].def.Tags, tag) {",
		},
		mutant{
			name: "R33 after the end all scopes can be read", run: "^TestMutantR33_",
			before: "if !ended {",
			after:  "if !ended || len(active) > 0 {",
		},
		mutant{
			name: "a cancelled subscriber is still told", run: "^TestFace_Subscri",
			before: "func(o *subscriber) bool { return o == s }",
			after:  "func(o *subscriber) bool { return o == nil }",
		},
	),
)
