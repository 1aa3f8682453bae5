package main

import "slices"

// forms: the plans of interned configurations and the two forms that serve
// without them. Each must do what the rules say, only faster.
var forms = slices.Concat(
	of("statechart/plans.go",
		mutant{
			name: "a plan does not ask guards", run: "^TestR03_",
			before: "if t.guard == nil {\n\t\t\treturn true",
			after:  "if t.guard == nil || !t.guard.fallible {\n\t\t\treturn true",
		},
		mutant{
			name: "a plan asks one guard and no more", run: "^TestR03_",
			before: "no := b.expand(append(answers[:len(answers):len(answers)], false))",
			after:  "no := &plan{end: endNotTaken, to: b.row, result: Result{Ignored, reasonGuardFalse}}",
		},
		mutant{
			name: "a plan forgets eventless transitions of the states it is for", run: "^TestR29_",
			before: "c.defers(s, id) || len(c.nodes[s].always) > 0",
			after:  "c.defers(s, id)",
		},
		mutant{
			name: "a plan forgets eventless transitions of the states it enters", run: "^TestR29_",
			before: "|| e.history != nil || len(n.always) > 0 {",
			after:  "|| e.history != nil {",
		},
		mutant{
			name: "a plan ignores what a state defers", run: "^TestR30_",
			before: "c.defers(s, id) || len(c.nodes[s].always) > 0",
			after:  "len(c.nodes[s].always) > 0",
		},
		mutant{
			name: "a plan lets the engine's names in", run: "^TestR28_",
			before: "id <= unmatched || c.events[id].reserved ||",
			after:  "id <= unmatched ||",
		},
		mutant{
			name: "a plan forgets timers and data of the states it leaves", run: "^TestR02_",
			before: "if !c.nodes[s].plain {",
			after:  "if !c.nodes[s].exit.isQuick() {",
		},
		mutant{
			name: "a plan leaves exited states active", run: "^TestR02_",
			before: "after.remove(s)",
			after:  "_ = s",
		},
		mutant{
			name: "a plan enters states that are active", run: differential,
			before: "if !after.has(e.state) {",
			after:  "if e.state >= 0 {",
		},
		mutant{
			name: "a plan runs actions before exits", run: "^TestR03_",
			before: "run = append(run, t.actions.quickly()...)",
			after:  "run = append(append([]func(unsafe.Pointer, Event){}, t.actions.quickly()...), run...)",
		},
		mutant{
			name: "a plan loses the fourth of four callbacks", run: "^TestR08_",
			before: "n < len(run) {",
			after:  "n+1 < len(run) {",
		},
		mutant{
			name: "a plan forgets that a guard said no", run: "^TestR03_",
			before: "in.rare.guardSaid = in.rare.guardSaid || !answers[asked-1]",
			after:  "_ = asked",
		},
	),
	of("statechart/compile_guard.go",
		mutant{
			name: "a plan takes a guard on data for one on the configuration", run: differential,
			before: "return k.fallible })",
			after:  "return k.fallible && k.op != opGeneral })",
		},
		mutant{
			name: "a plan takes not for its part", run: "^TestMutantR07_",
			before: "return nil, n, a\n",
			after:  "return nil, a, n\n",
		},
		mutant{
			name: "a plan takes and for or where the configuration decides", run: "^TestMutantR07_",
			before: "return nil, g.op == opAnd, g.op == opOr",
			after:  "return nil, g.op == opOr, g.op == opAnd",
		},
		mutant{
			name: "a plan takes and for or", run: differential,
			before: "if f(p, e) == or {\n\t\t\t\treturn or",
			after:  "if f(p, e) {\n\t\t\t\treturn true",
		},
	),
	of("statechart/seal.go",
		mutant{
			name: "a plan leaves a state without recording its history", run: "^TestR02_",
			before: "\t\t\tlen(n.histories) == 0 && ",
			after:  "\t\t\t",
		},
		mutant{
			name: "a plan enters a final state without a done event", run: "^TestR18_",
			before: "n.kind != Final && (len(n.data)",
			after:  "(len(n.data)",
		},
		mutant{
			name: "a plan enters a state without its invocations", run: "^TestR26_",
			before: "len(n.timed) == 0 && len(n.invocations) == 0 &&",
			after:  "len(n.timed) == 0 &&",
		},
		mutant{
			name: "a chart that defers counts as calm", run: "^TestR32_",
			before: "ch.hasDefer || ch.unhandled == Deferred ||",
			after:  "ch.unhandled == Deferred ||",
		},
	),
	of("statechart/memory.go",
		mutant{
			name: "R32 an instance that keeps events takes the planned way", run: "^TestR32_",
			before: " || len(r.deferred) > 0 {",
			after:  " {",
		},
		mutant{
			name: "the session's id is given up with the rest of a plain instance", run: differential,
			before: `m.session == "" && `,
			after:  "",
		},
		mutant{
			name: "R30 the time is given up with the rest of a plain instance", run: "^TestMutantR30_",
			before: "m.now == 0 && ",
			after:  "",
		},
		mutant{
			name: "the effects of the start are given up with the rest of a plain instance", run: "^TestMutantR23_",
			before: "r.plain() && len(r.effects) == 0 {",
			after:  "r.plain() {",
		},
		mutant{
			name: "a subscriber does not hear of planned steps", run: "^TestFace_Subscri",
			before: " || len(r.subscribers) > 0 ||",
			after:  " ||",
		},
		mutant{
			name: "a trace misses planned steps", run: "^TestFace_Trace",
			before: "|| r.trace != nil || len(r.subscribers)",
			after:  "|| len(r.subscribers)",
		},
	),
	of("statechart/regions.go",
		mutant{
			name: "the region form exits in document order", run: "^TestR08_",
			before: "for i := len(chosen) - 1; i >= 0; i-- {",
			after:  "for i := range chosen {",
		},
		mutant{
			name: "the region form takes a shared transition once for each region", run: "^TestMutantR03_",
			before: "if t.chart.nodes[x].kind == Parallel {",
			after:  "if t.chart.nodes[x].kind == History {",
		},
		mutant{
			name: "the region form does not ask above a false guard", run: "^TestMutantR03_",
			before: "if len(c.candidates(up, id, &scratch)) > 0 {",
			after:  "if len(c.candidates(up, id, &scratch)) > len(c.transitions) {",
		},
		mutant{
			name: "the region form asks the first candidate only", run: "^TestMutantR03_",
			before: "if len(list) > 1 || !t.ends",
			after:  "if !t.ends",
		},
		mutant{
			name: "the region form counts a forbidden event as taken", run: "^TestR34_",
			before: "if tr.dynamic || tr.inert ||",
			after:  "if tr.dynamic ||",
		},
		mutant{
			name: "the region form counts an ignored event as taken", run: "^TestMutantR34_",
			before: "return all >= 0",
			after:  "return all >= -1",
		},
		mutant{
			name: "the region form does not ask guards", run: "^TestR03_",
			before: "p.guard != nil && !p.guard(in.ctx, e)",
			after:  "p.guard != nil && t == nil",
		},
		mutant{
			name: "the region form does not count its plain steps", run: "^TestFace_",
			before: "\tin.count()\n\treturn true",
			after:  "\treturn true",
		},
		mutant{
			name: "the region form lets the engine's names in", run: "^TestR28_",
			before: "if c.events[id].reserved {",
			after:  "if c.events[id].reserved && id == eventless {",
		},
	),
	of("statechart/word.go",
		mutant{
			name: "the bitset form takes transitions that conflict", run: "^TestMutantForms$",
			before: "if exit&out.gone != 0 && !w.preempt(t, exit, active, out) {",
			after:  "if exit < exit&out.gone {",
		},
		mutant{
			name: "the bitset form takes plain transitions that conflict", run: "^TestMutantForms$",
			before: "if m.exit&exit != 0 {",
			after:  "if m.exit&exit != 0 && m.exit == 0 {",
		},
		mutant{
			name: "the bitset form exits the domain too", run: "^TestR08_",
			before: "m.exit = between(d.index+1, d.last)",
			after:  "m.exit = between(d.index, d.last)",
		},
		mutant{
			name: "the bitset form exits in document order", run: "^TestR08_",
			before: "s := 63 - bits.LeadingZeros64(x)\n",
			after:  "s := bits.TrailingZeros64(x)\n",
		},
		mutant{
			name: "the bitset form counts a forbidden event as taken", run: "^TestMutantForms$",
			before: "inert = inert && w.moves[t].inert",
			after:  "inert = inert && w.moves[t].inert && chosen == nil",
		},
		mutant{
			name: "the bitset form lets the engine's names in", run: "^TestR28_",
			before: "if id <= unmatched || w.chart.events[id].reserved {",
			after:  "if id <= unmatched {",
		},
		mutant{
			name: "the bitset form asks a guard again for the next leaf", run: "^TestR03_|^TestR03_",
			before: "no |= 1 << s\n",
			after:  "",
		},
		mutant{
			name: "the bitset form takes a transition once for each leaf", run: "^TestR03_",
			before: "yes |= 1 << s\n",
			after:  "",
		},
		mutant{
			name: "the bitset form runs initial actions only beside entry actions", run: "^TestMutantForms$",
			before: "x := enter&w.entering | byDefault&w.initially; x != 0",
			after:  "x := enter & w.entering; x != 0",
		},
		mutant{
			name: "the bitset form lets the earlier transition win always", run: "^TestMutantForms$",
			before: "conflict != 0 && !c.isDescendant(c.transitions[t].source, c.transitions[o].source)",
			after:  "conflict != 0 && c != nil",
		},
		mutant{
			name: "the bitset form lets the later transition win always", run: "^TestMutantForms$",
			before: "conflict != 0 && !c.isDescendant(c.transitions[t].source, c.transitions[o].source)",
			after:  "conflict != 0 && c == nil",
		},
		mutant{
			name: "the bitset form forgets that a guard said no", run: "^TestR03_",
			before: "out.guardSaid = true",
			after:  "out.guardSaid = false",
		},
		mutant{
			name: "the bitset form asks compound guards about the event before", run: "^TestMutantR08_",
			before: "\tin.rare.event = e\n",
			after:  "",
		},
	),
	of("statechart/macrostep.go",
		mutant{
			name: "a trace misses the steps of the bitset form", run: "^TestFace_Trace",
			before: "r.form == formBits && r.trace == nil &&",
			after:  "r.form == formBits &&",
		},
		mutant{
			name: "the other forms take events after the end", run: "^TestR21_|^TestR19_",
			before: "case in.inside() || r.status != Active:",
			after:  "case in.inside():",
		},
	),
	of("statechart/read.go",
		mutant{
			name: "effects of an earlier step come with a planned one", run: "^TestR25_",
			before: " || r.effectsAt != in.sequence() {",
			after:  " {",
		},
	),
)
