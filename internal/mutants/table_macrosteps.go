package main

import "slices"

// macrosteps: the order inside a macrostep and around it (R5, R8, R19, R25,
// R30, R34).
var macrosteps = slices.Concat(
	of("statechart/macrostep.go",
		mutant{
			name: "R5 internal events come before eventless transitions", run: "^TestR05_",
			before: "if in.anyAlways() && in.choose(eventless, false) {",
			after:  "if r.head == len(r.queue) && in.anyAlways() && in.choose(eventless, false) {",
		},
		mutant{
			name: "R5 one eventless transition ends the macrostep", run: "^TestR25_",
			before: "in.microstep()\n\t\t\tcontinue",
			after:  "in.microstep()\n\t\t\treturn",
		},
		mutant{
			name: "R5 nothing follows an ignored event", run: "^TestR05_",
			before: "in.exhaust()\n\tif r.halted {",
			after:  "if result.Outcome == Taken {\n\t\tin.exhaust()\n\t}\n\tif r.halted {",
		},
		mutant{
			name: "R8 an internal event is not the event", run: "^TestR08_",
			before: "r.event, r.envelope = e, nil",
			after:  "r.envelope = nil",
		},
		mutant{
			name: "R8 an internal event has the envelope of the external one", run: "^TestR30_",
			before: "r.event, r.envelope = e, nil",
			after:  "r.event = e",
		},
		mutant{
			name: "R25 invocations start before eventless transitions are exhausted", run: "^TestR25_",
			before: "\t\tin.drain()\n",
			after:  "\t\tin.startPending()\n\t\tin.drain()\n",
		},
		mutant{
			name: "R19 the end starts the invocations of its macrostep", run: "^TestMutantR19_",
			before: "if r.final >= 0 {\n\t\t\tin.terminate()",
			after:  "if r.final >= 0 {\n\t\t\tin.startPending()\n\t\t\tin.terminate()",
		},
		mutant{
			name: "R19 a session that is over takes events", run: "^TestR19_|^TestR21_",
			before: "if r != nil && r.status != Active {\n\t\treturn &Reason{Code: CodeEnded",
			after:  "if r != nil && r.status == Cancelled {\n\t\treturn &Reason{Code: CodeEnded",
		},
		mutant{
			name: "R19 internal events are processed after the final state", run: "^TestR19_",
			before: "for r.broken == nil && !r.halted && r.final < 0 {",
			after:  "for r.broken == nil && !r.halted {",
		},
		mutant{
			name: "R34 an ignored event of a calm chart does not count", run: differential,
			before: "\tin.count()\n\tif !in.choose(id, true) {\n\t\treturn in.untaken(e)\n\t}\n",
			after:  "\tif !in.choose(id, true) {\n\t\treturn in.untaken(e)\n\t}\n\tin.count()\n",
		},
		mutant{
			name: "effects of the step before outlive a refusal", run: "^TestFace_Effects",
			before: "!in.inside() {\n\t\tin.rare.forget()\n",
			after:  "!in.inside() {\n\t\t_ = why\n",
		},
	),
	of("statechart/instance.go",
		mutant{
			name: "R32 Send delivers one kept event only", run: "^TestR32_",
			before: "\tfor {\n\t\tif _, _, more",
			after:  "\tfor range 1 {\n\t\tif _, _, more",
		},
		mutant{
			name: "R34 a planned event that is ignored does not count", run: "^TestR34_",
			before: "\tif in.steps++; in.steps == 0 {\n\t\tin.carry()\n\t}\n\treturn p.result",
			after:  "\treturn p.result",
		},
		mutant{
			name: "effects of the step before come with a kept event", run: "^TestFace_",
			before: "\tin.rare.forget()\n\td, result, ok",
			after:  "\td, result, ok",
		},
		mutant{
			name: "a send from inside a callback is taken", run: "^TestFace_Reentrant",
			before: "\tctx := in.ctx\n\tin.row = 0\n",
			after:  "\tctx := in.ctx\n",
		},
	),
	of("statechart/read.go",
		mutant{
			name: "R30 the clock can go back", run: "^TestR30_",
			before: "in.rare.now = max(in.rare.now, ms)",
			after:  "in.rare.now = ms",
		},
	),
)
