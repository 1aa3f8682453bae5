package main

import "slices"

// microsteps: the order of exits, actions and entries, and errors in them (R11,
// R12, R20, R22).
var microsteps = slices.Concat(
	of("statechart/microstep.go",
		mutant{
			name: "R11 exits go in document order", run: "^TestR11_",
			before: "in.gatherDynamic()\n\tfor",
			after:  "in.gatherDynamic()\n\tslices.Reverse(r.exits)\n\tfor",
		},
		mutant{
			name: "R11 promotions go in document order", run: "^TestR11_|^TestR33_",
			before: "\tif len(in.chart.slots) > 0 || len(in.chart.histories) > 0 {\n",
			after:  "\tslices.Reverse(r.exits)\n\tif len(in.chart.slots) > 0 || len(in.chart.histories) > 0 {\n",
		},
		mutant{
			name: "R11 actions run after the entries", run: "^TestR11_",
			before: "in.runBlock(t.actions, t.source)",
			after:  "defer in.runBlock(t.actions, t.source)",
		},
		mutant{
			name: "R11 history is recorded after the exits", run: "^TestR11_",
			before: "\tif len(in.chart.histories) > 0 {\n\t\tin.recordHistories()\n\t}\n\tin.gatherDynamic()\n\tfor _, s := range r.exits {\n\t\tin.exit(s)\n\t}\n",
			after:  "\tfor _, s := range r.exits {\n\t\tin.exit(s)\n\t}\n\tif len(in.chart.histories) > 0 {\n\t\tin.recordHistories()\n\t}\n\tin.gatherDynamic()\n",
		},
		mutant{
			name: "R11 a state leaves the configuration before its exit actions", run: "^TestR11_",
			before: "\tin.runBlock(n.exit, s)\n",
			after:  "\tr.active.remove(s)\n\tin.runBlock(n.exit, s)\n",
		},
		mutant{
			name: "R11 scopes are dropped before the actions", run: "^TestR11_",
			before: "in.gatherDynamic()\n\tfor _, s := range r.exits {\n\t\tin.exit(s)\n",
			after:  "in.gatherDynamic()\n\tfor _, s := range r.exits {\n\t\tin.exit(s)\n\t\tin.leaveScope(s)\n",
		},
		mutant{
			name: "R11 a state joins the configuration after its entry actions", run: "^TestR11_",
			before: "\t\tr.active.add(e.state)\n",
			after:  "\t\tdefer r.active.add(e.state)\n",
		},
		mutant{
			name: "R12 initial actions run though a child was targeted", run: "^TestR12_",
			before: "if e.byDefault {\n",
			after:  "if n.kind == Compound {\n",
		},
		mutant{
			name: "R12 timers are armed before the entry actions", run: "^TestR12_",
			before: "\t\tin.runBlock(n.entry, e.state)\n\t\tif len(n.timed) > 0 {\n\t\t\tin.schedule(e.state)\n\t\t}\n",
			after:  "\t\tif len(n.timed) > 0 {\n\t\t\tin.schedule(e.state)\n\t\t}\n\t\tin.runBlock(n.entry, e.state)\n",
		},
		mutant{
			name: "R20 a block goes on after an error", run: "^TestR20_",
			before: "cause: err}\n\t\t\t}\n\t\t\treturn err",
			after:  "cause: err}\n\t\t\t}\n\t\t\ts.in.actionError(err, b.place)\n\t\t\tcontinue",
		},
		mutant{
			name: "R20 an error in an action is lost", run: "^TestR20_",
			before: "in.actionError(err, b.place)",
			after:  "_ = err",
		},
	),
	of("statechart/scope.go",
		mutant{
			name: "R20 an error names its block, not its action", run: "^TestR20_",
			before: "place = s.place",
			after:  "_ = s.place",
		},
		mutant{
			name: "R22 assign writes as it evaluates", run: "^TestR22_",
			before: "news[i] = x\n",
			after:  "news[i] = x\n\t\tif err := stores[i](s, x); err != nil {\n\t\t\treturn err\n\t\t}\n",
		},
		mutant{
			name: "R22 a guard may write", run: "^TestFace_",
			before: "case !s.writes:",
			after:  "case false:",
		},
		mutant{
			name: "R22 a guard may raise", run: "^TestFace_",
			before: "if !s.writes {\n\t\treturn errors.New(\"only an action may raise events\")",
			after:  "if false {\n\t\treturn errors.New(\"only an action may raise events\")",
		},
		mutant{
			name: "R22 an action may write a constant", run: "^TestR22_|^TestFace_Scope",
			before: "case !ok || v.constant:",
			after:  "case !ok:",
		},
	),
)
