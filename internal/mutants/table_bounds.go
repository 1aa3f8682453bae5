package main

import "slices"

// bounds: limits of a macrostep and its undoing (R29).
var bounds = slices.Concat(
	of("statechart/microstep.go",
		mutant{
			name: "R29 one microstep fewer than the limit", run: "^TestR29_",
			before: "if r.microsteps++; r.microsteps > limit {",
			after:  "if r.microsteps++; r.microsteps >= limit {",
		},
		mutant{
			name: "R29 typed actions cost fuel by the block", run: "^TestMutantR29_",
			before: "r.fuel -= int64(len(list))",
			after:  "r.fuel -= int64(min(len(list), 1))",
		},
	),
	of("statechart/scope.go",
		mutant{
			name: "R29 one raised event fewer than the limit", run: "^TestR29_",
			before: "r.raised > in.chart.limits.Raised",
			after:  "r.raised >= in.chart.limits.Raised",
		},
		mutant{
			name: "R29 the last unit of fuel cannot be spent", run: "^TestR29_",
			before: "if r.fuel -= n; r.fuel < 0 ||",
			after:  "if r.fuel -= n; r.fuel <= 0 ||",
		},
		mutant{
			name: "R29 foreach costs nothing", run: "^TestR29_",
			before: "for i, e := range elements {\n\t\tif err := s.Charge(1); err != nil {",
			after:  "for i, e := range elements {\n\t\tif err := s.Charge(0); err != nil {",
		},
	),
	of("statechart/calls.go",
		mutant{
			name: "R29 one effect fewer than the limit", run: "^TestR29_",
			before: "r.counted > in.chart.limits.Effects",
			after:  "r.counted >= in.chart.limits.Effects",
		},
		mutant{
			name: "R29 taking timers and calls back counts", run: "^TestR29_",
			before: "if e.Type != EffectUnschedule && e.Type != EffectStop {",
			after:  "if e.Type != \"\" {",
		},
	),
	of("statechart/macrostep.go",
		mutant{
			name: "R29 an undone macrostep leaves its effects", run: "^TestR29_",
			before: "r.effects = r.effects[:mark]",
			after:  "_ = mark",
		},
		mutant{
			name: "R29 the cycle is not told", run: "^TestR29_",
			before: "why.Cycle = append([]string(nil), r.cycle...)",
			after:  "why.Cycle = nil",
		},
		mutant{
			name: "R29 a session survives the engine's event that passes a bound", run: "^TestR29_",
			before: "if engine {\n",
			after:  "if engine && why == nil {\n",
		},
		mutant{
			name: "R29 a client's event that passes a bound ends the session", run: "^TestR29_",
			before: "if engine {\n",
			after:  "if engine || why != nil {\n",
		},
	),
	of("statechart/memory.go",
		mutant{
			name: "R29 undo leaves the configuration", run: "^TestR29_",
			before: "\tcopy(r.active, r.undoActive)\n",
			after:  "",
		},
		mutant{
			name: "R29 undo leaves the typed context", run: "^TestR29_",
			before: "in.chart.context.assign(in.ctx, r.undoContext)",
			after:  "_ = r",
		},
		mutant{
			name: "R29 undo forgets variables", run: "^TestR29_",
			before: "m.slots = append(slots[:0], from.slots...)",
			after:  "m.slots = append(from.slots, slots[:0]...)",
		},
		mutant{
			name: "R29 undo forgets the lengths of lists", run: "^TestR29_",
			before: "m.lists = append(lists[:0], from.lists...)",
			after:  "m.lists = append(from.lists, lists[:0]...)",
		},
		mutant{
			name: "R29 undo forgets timers", run: "^TestR30_",
			before: "m.timers = append(timers[:0], from.timers...)",
			after:  "m.timers = append(from.timers, timers[:0]...)",
		},
		mutant{
			name: "R29 undo forgets calls", run: "^TestR30_",
			before: "m.live = append(live[:0], from.live...)",
			after:  "m.live = append(from.live, live[:0]...)",
		},
		mutant{
			name: "R32 kept events are shared between states", run: "^TestMutantR32_",
			before: "m.deferred = append(deferred[:0], from.deferred...)",
			after:  "m.deferred = append(from.deferred, deferred[:0]...)",
		},
		mutant{
			name: "R29 undo forgets histories", run: "^TestR29_",
			before: "m.history = append(history[:0], from.history...)",
			after:  "m.history = append(from.history, history[:0]...)",
		},
		mutant{
			name: "R29 undo forgets what is parked", run: "^TestR29_",
			before: "m.parked = append(parked[:0], from.parked...)",
			after:  "m.parked = append(from.parked, parked[:0]...)",
		},
		mutant{
			name: "R29 undo forgets the entry counter", run: "^TestR29_",
			before: "r.memory, r.undo = r.undo, r.memory\n",
			after:  "counter := r.counter\n\tr.memory, r.undo = r.undo, r.memory\n\tr.counter = counter\n",
		},
	),
	of("statechart/typed.go",
		mutant{
			name: "R29 a context's Clone is not heeded", run: "^TestMutantR29_",
			before: "return unsafe.Pointer(cl.Clone())",
			after:  "_ = cl",
		},
	),
	of("statechart/compile.go",
		mutant{
			name: "R29 a chart may raise its limits", run: "^TestR29_|^TestRefus",
			before: "if *v < 0 || *v > most {",
			after:  "if *v < 0 {",
		},
	),
)
