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
			name: "Events lists the engine's events", run: "^TestFace_",
			before: "if ev.reserved {\n\t\t\tcontinue",
			after:  "if ev.reserved && id == unmatched {\n\t\t\tcontinue",
		},
	),
	of("statechart/read.go",
		mutant{
			name: "a cancelled subscriber is still told", run: "^TestFace_Subscri",
			before: "func(o *subscriber) bool { return o == s }",
			after:  "func(o *subscriber) bool { return o == nil }",
		},
	),
)
