package main

import "slices"

// holes are the eighteen mistakes that the public SCXML suites let pass.
var holes = slices.Concat(
	of("statechart/history.go",
		mutant{
			name: "hole 1: history is recorded on the first exit only", run: "^TestHole01_",
			before: "r.history[h.ordinal] = recorded\n",
			after:  "if r.history[h.ordinal] == nil {\n\t\tr.history[h.ordinal] = recorded\n\t}\n",
		},
	),
	of("statechart/plan_entry.go",
		mutant{
			name: "hole 2: ancestors of a recorded target are not entered", run: "^TestHole02_",
			before: "p.ancestors(t, max(n.parent, p.domain))",
			after:  "if p.history[n.ordinal] == nil {\n\t\t\tp.ancestors(t, max(n.parent, p.domain))\n\t\t}",
		},
		mutant{
			name: "hole 3: ancestors of a history's default target are not entered", run: "^TestHole03_",
			before: "p.ancestors(t, max(n.parent, p.domain))",
			after:  "if p.history[n.ordinal] != nil {\n\t\t\tp.ancestors(t, max(n.parent, p.domain))\n\t\t}",
		},
		mutant{
			name: "hole 4: ancestors of a deep initial target are not entered", run: "^TestHole04_",
			before: "p.ancestors(t, s)\n",
			after:  "_ = t\n",
		},
	),
	of("statechart/microstep.go",
		mutant{
			name: "hole 5: targets are entered before their ancestors", run: "^TestHole05_",
			before: "in.enter(r.entries[i])",
			after:  "in.enter(r.entries[len(r.entries)-1-i])",
		},
		mutant{
			name: "hole 8: done is queued before the entry actions", run: "^TestHole08_",
			before: "\t\tin.runBlock(n.entry, e.state)\n",
			after:  "\t\tif n.kind == Final {\n\t\t\tdefer in.runBlock(n.entry, e.state)\n\t\t} else {\n\t\t\tin.runBlock(n.entry, e.state)\n\t\t}\n",
		},
		mutant{
			name: "hole 9: done is queued after all entries", run: "^TestHole09_",
			before: "\tif len(in.chart.histories) > 0 {\n\t\tin.dropParkings()\n\t}\n",
			after: "\tisDone := func(e queued) int {\n\t\tif len(e.Name) > 11 && e.Name[:11] == \"done.state.\" {\n\t\t\treturn 1\n\t\t}\n\t\treturn 0\n\t}\n" +
				"\tslices.SortStableFunc(r.queue[r.head:], func(a, b queued) int { return isDone(a) - isDone(b) })\n" +
				"\tif len(in.chart.histories) > 0 {\n\t\tin.dropParkings()\n\t}\n",
		},
		mutant{
			name: "hole 10: done is an external event", run: "^TestHole10_",
			before: "in.raiseAs(queued{Event: Event{Name: c.nodes[p].doneName, Data: output}, platform: true})",
			after:  `in.sendNow(c.nodes[p].doneName, "self", "", output, f)`,
		},
		mutant{
			name: "hole 11: a parallel state is done when one region is", run: "^TestHole11_",
			before: "if !in.done(k) {\n\t\t\t\treturn false\n\t\t\t}\n\t\t}\n\t\treturn true",
			after:  "if in.done(k) {\n\t\t\t\treturn true\n\t\t\t}\n\t\t}\n\t\treturn false",
		},
		mutant{
			name: "hole 12: the end exits in document order", run: "^TestHole12_",
			before: "for s := r.active.previous(int32(len(in.chart.nodes)) - 1); s >= 0; s = r.active.previous(s - 1) {",
			after:  "for s := r.active.next(0); s >= 0; s = r.active.next(s + 1) {",
		},
	),
	of("statechart/select.go",
		mutant{
			name: "hole 6: the domain follows from the history state itself", run: "^TestHole06_",
			before: "c.domain(tr, r.planner.resolve(tr.targets))",
			after:  "c.domain(tr, tr.targets)",
		},
		mutant{
			name: "hole 7: sources above each other conflict", run: "^TestHole07_",
			before: "\tif domain < 0 || ",
			after:  "\tfor _, other := range r.chosen {\n\t\tif c.isDescendant(c.transitions[other.t].source, tr.source) {\n\t\t\treturn\n\t\t}\n\t}\n\tif domain < 0 || ",
		},
	),
	of("statechart/data.go",
		mutant{
			name: "hole 13: restored data is made again", run: "^TestHole13_",
			before: "if values, ok := in.restoredScope(s); ok {",
			after:  "if values, ok := in.restoredScope(s); ok && s < 0 {",
		},
	),
	of("statechart/calls.go",
		mutant{
			name: "hole 14: invocations start in the order of entry", run: "^TestHole14_",
			before: "return int(a.state - b.state)",
			after:  "return 0",
		},
	),
	of("statechart/macrostep.go",
		mutant{
			name: "hole 15: the error of a failed invocation waits", run: "^TestHole15_",
			before: "if r.head == len(r.queue) || r.broken != nil {\n\t\t\treturn\n\t\t}\n\t}\n}",
			after:  "return\n\t}\n}",
		},
	),
	of("statechart/scope.go",
		mutant{
			name: "hole 16: foreach goes over the live list", run: "^TestHole16_",
			before: "for i, e := range elements {",
			after:  "for i := 0; i < len(elements); i++ {\n\t\te := elements[i]\n\t\tif again, err := list.get(s); err == nil {\n\t\t\telements, _ = again.([]any)\n\t\t}",
		},
		mutant{
			name: "hole 18: the event can be written", run: "^TestHole18_",
			before: "\tv, ok := s.find(name)\n\tswitch {",
			after:  "\tif e, is := value.(Event); is && name == \"event\" {\n\t\ts.in.rare.event = e\n\t\treturn nil\n\t}\n\tv, ok := s.find(name)\n\tswitch {",
		},
	),
	of("statechart/events.go",
		mutant{
			name: "hole 17: event names match whatever their case", run: "^TestHole17_",
			before: "\tclass := 0\n",
			after:  "\tfor id := range c.events {\n\t\tif strings.EqualFold(c.events[id].name, name) {\n\t\t\treturn EventID(id)\n\t\t}\n\t}\n\tclass := 0\n",
		},
	),
)
