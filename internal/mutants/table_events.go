package main

import "slices"

// events: what events match, and what becomes of those that nothing takes (R6,
// R10, R21, R28, R32, R34).
var events = slices.Concat(
	of("statechart/events.go",
		mutant{
			name: "R6 the shortest prefix comes first", run: "^TestR06_",
			before: "if t.scxml || !isReserved {",
			after:  "slices.Reverse(chain)\n\tif t.scxml || !isReserved {",
		},
		mutant{
			name: "R6 * takes the engine's events", run: "^TestR06_",
			before: "if t.scxml || !isReserved {",
			after:  "if true {",
		},
		mutant{
			name: "R6 * takes those of the engine's events that the chart does not spell out", run: "^TestR06_|^TestR21_|^TestR28_",
			before: "if reserved(name) {\n\t\tclass = 1",
			after:  "if reserved(name) {\n\t\tclass = 0",
		},
		mutant{
			name: "R6 prefix.* does not match prefix", run: "^TestR32_",
			before: "try(p + \".*\")",
			after:  "if p != name {\n\t\t\t\ttry(p + \".*\")\n\t\t\t}",
		},
		mutant{
			name: "R6 SCXML's prefixes match inside a token", run: differential,
			before: "p = p[:max(dot, 0)]",
			after:  "p = p[:max(dot, len(p)-1)]",
		},
		mutant{
			name: "R6 SCXML's descriptors go by rank", run: "^TestR06_",
			before: "if c.scxml {",
			after:  "if false {",
		},
		mutant{
			name: "R6 onDone takes the done events below it", run: "^TestMutantR06_",
			before: "return t.numbered(exactMark + name)",
			after:  "return t.numbered(name)",
		},
		mutant{
			name: "R28 clients may send after.*", run: "^TestR28_",
			before: `"progress.", "after.", `,
			after:  `"progress.", `,
		},
	),
	of("statechart/macrostep.go",
		mutant{
			name: "R28 the door lets the engine's names in", run: "^TestR28_",
			before: "case (in.chart.events[id].reserved || id == unmatched) && reserved(e.Name):",
			after:  "case false:",
		},
		mutant{
			name: "R6 unknown events are ignored, not refused", run: "^TestR06_",
			before: "case id == unmatched:",
			after:  "case false:",
		},
		mutant{
			name: "R10 a forbidden event counts as taken", run: "^TestR10_",
			before: "return Result{Ignored, reasonForbidden}\n}",
			after:  "return Result{Outcome: Taken}\n}",
		},
		mutant{
			name: "R34 reject ignores", run: "^TestR34_",
			before: "return Result{in.chart.unhandled, why}",
			after:  "return Result{Ignored, why}",
		},
		mutant{
			name: "R34 unhandled: defer is not heeded", run: "^TestR34_",
			before: "if r.deferring || in.chart.unhandled == Deferred {",
			after:  "if r.deferring {",
		},
		mutant{
			name: "R32 one more event is kept than the limit", run: "^TestR32_",
			before: "if len(r.deferred) >= in.chart.limits.Deferred {",
			after:  "if len(r.deferred) > in.chart.limits.Deferred {",
		},
		mutant{
			name: "R32 an event refused for a full queue counts", run: "^TestR32_",
			before: "in.undoStep(mark, false)\n\t\tin.uncount()\n",
			after:  "in.undoStep(mark, false)\n",
		},
		mutant{
			name: "R32 defer keeps internal events from ancestors", run: "^TestR32_",
			before: "if in.choose(in.chart.lookup(e.Name), false) {",
			after:  "if in.choose(in.chart.lookup(e.Name), true) {",
		},
		mutant{
			name: "R32 defer keeps the engine's events from ancestors", run: "^TestR32_",
			before: "if in.choose(id, !e.engine()) {",
			after:  "if in.choose(id, true) {",
		},
		mutant{
			name: "R32 the engine's events are kept", run: "^TestR34_",
			before: "if e.engine() {\n\t\treturn Result{Ignored, why}",
			after:  "if e.engine() && r.halted {\n\t\treturn Result{Ignored, why}",
		},
		mutant{
			name: "R32 the newest kept event goes first", run: "^TestR32_",
			before: "for i, e := range r.deferred {\n",
			after:  "for i := len(r.deferred) - 1; i >= 0; i-- {\n\t\te := r.deferred[i]\n",
		},
		mutant{
			name: "R32 a kept event is given to a transition that forbids it", run: "^TestR32_",
			before: "if !in.chart.transitions[ch.t].inert {\n\t\t\treturn true",
			after:  "if ch.t >= 0 {\n\t\t\treturn true",
		},
		mutant{
			name: "R21 a guard's error that nothing takes ends the session", run: "^TestR21_",
			before: `case e.Name == "error.execution" && fieldOf(e.Data, "kind") != "action" && fieldOf(e.Data, "kind") != "data":`,
			after:  `case e.Name == "error.execution" && fieldOf(e.Data, "kind") == "do":`,
		},
		mutant{
			name: "R21 an unknown outcome fails the session", run: "^TestR21_",
			before: "r.end(Parked, why)",
			after:  "r.end(FailedStatus, why)",
		},
		mutant{
			name: "R21 a failed invocation that nothing takes is ignored", run: "^TestR21_",
			before: `strings.HasPrefix(e.Name, "error.invoke."):`,
			after:  `e.Name == "error.invoke":`,
		},
		mutant{
			name: "R21 an unknown do parks the session", run: "^TestR21_",
			before: `, strings.HasPrefix(e.Name, "unknown.do."):`,
			after:  ":",
		},
		mutant{
			name: "R21 the macrostep goes on after the session failed", run: "^TestR21_",
			before: "r.end(FailedStatus, why)\n\t\tr.halted = true",
			after:  "r.end(FailedStatus, why)",
		},
		mutant{
			name: "R21 an error fails an SCXML session", run: "^TestR21_",
			before: "if in.chart.scxml {\n\t\treturn nil\n\t}\n\twarn",
			after:  "if false {\n\t\treturn nil\n\t}\n\twarn",
		},
	),
	of("statechart/select.go",
		mutant{
			name: "R10 a forbidding transition lets ancestors take the event", run: "^TestR10_",
			before: "in.add(t)\n\t\treturn true",
			after:  "in.add(t)\n\t\treturn !c.transitions[t].inert",
		},
	),
	of("statechart/scope.go",
		mutant{
			name: "R28 an action may raise the engine's events", run: "^TestR28_",
			before: `if !s.in.chart.scxml && reserved(e.Name) || e.Name == "" {`,
			after:  `if e.Name == "" {`,
		},
	),
)
