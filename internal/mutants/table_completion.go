package main

// completion: done events, the end of a session, and cancelling it (R18, R19,
// R25).
var completion = of("statechart/microstep.go",
	mutant{
		name: "R18 done does not climb beyond the first parallel state", run: "^TestR18_",
		before: "for ; p >= 0 && c.nodes[p].kind == Parallel; p = c.nodes[p].parent {",
		after:  "if p >= 0 && c.nodes[p].kind == Parallel {",
	},
	mutant{
		name: "R18 the done event has no output", run: "^TestR18_",
		before: "in.raiseAs(queued{Event: Event{Name: c.nodes[p].doneName, Data: output}, platform: true})",
		after:  "in.raiseAs(queued{Event: Event{Name: c.nodes[p].doneName}, platform: true})",
	},
	mutant{
		name: "R18 a nested parallel region is never done", run: "^TestR18_",
		before: "\tcase Parallel:\n\t\tfor _, k := range n.children {",
		after:  "\tcase Parallel:\n\t\tif s == 0 || in.chart.nodes[n.parent].kind == Parallel {\n\t\t\treturn s == 0\n\t\t}\n\t\tfor _, k := range n.children {",
	},
	mutant{
		name: "R18 a final child below the regions' children makes them done", run: "^TestMutantR18_",
		before: "if in.chart.nodes[k].kind == Final && active.has(k) {",
		after:  "if in.done(k) && active.has(k) {",
	},
	mutant{
		name: "R19 the final state's output beats the root's", run: "^TestR19_",
		before: "out != nil {\n\t\tv, err",
		after:  "out != nil && r.output == nil {\n\t\tv, err",
	},
	mutant{
		name: "R19 after the end no state is reported", run: "^TestR19_",
		before: "copy(r.active, before)\n\tr.status, r.ended",
		after:  "r.status, r.ended",
	},
	mutant{
		name: "R19 a final state's status is not heeded", run: "^TestR19_",
		before: "c.nodes[f].def.Status == string(FailedStatus)",
		after:  "c.nodes[f].def.Status == string(Parked)",
	},
	mutant{
		name: "R19 timers stay armed at the end", run: "^TestR19_",
		before: "in.effect(Effect{Type: EffectUnschedule, Event: t.Name, Source: t.Source})",
		after:  "_ = t",
	},
	mutant{
		name: "R19 dos go on at the end", run: "^TestR19_",
		before: "in.effect(Effect{Type: EffectStop, Key: l.Key, Source: l.Source})",
		after:  "_ = l",
	},
	mutant{
		name: "R32 the end forgets kept events silently", run: "^TestR32_|^TestR19_",
		before: "for _, e := range r.deferred {\n",
		after:  "for _, e := range r.deferred[:0] {\n",
	},
	mutant{
		name: "R25 a cancelled session does not run its exit actions", run: "^TestR25_",
		before: "in.exitAll()\n\tif r.broken != nil {",
		after:  "in.takeBackAll()\n\tif r.broken != nil {",
	},
	mutant{
		name: "R25 a cancelled session reports its end", run: "^TestR25_",
		before: "r.end(Cancelled, nil)\n",
		after:  "r.end(Cancelled, nil)\n\tin.effect(Effect{Type: EffectEnd, Name: string(Cancelled)})\n",
	},
)
