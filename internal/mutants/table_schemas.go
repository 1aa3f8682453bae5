package main

import "slices"

// schemas: what is checked of events and inputs, the rows of lists, whose
// session it is.
var schemas = slices.Concat(
	of("statechart/schemas.go",
		mutant{
			name: "R34 an empty list of senders admits models", run: "^Test(SendersOf|DataOf)",
			before: `sender == "client" || sender == "session"`,
			after:  `sender != ""`,
		},
		mutant{
			name: "R34 whoever sends is admitted", run: "^TestSendersOf",
			before: "!admits(declared.From, e.Envelope.From)",
			after:  "false && admits(declared.From, e.Envelope.From)",
		},
		mutant{
			name: "a schema's error has no place", run: "^TestSchemasWhenCompiled$",
			before: "c.failAs(CodeSchema, place, err)",
			after:  `c.failAs(CodeSchema, "", err)`,
		},
	),
	of("statechart/macrostep.go", mutant{
		name: "R34 data is not checked at the door", run: "^TestDataOfEvents",
		before: "return in.unwelcome(id, e)",
		after:  "return nil",
	}),
	of("statechart/plans.go", mutant{
		name: "R34 planned events are not checked", run: "^TestDataOfEvents",
		before: "c.events[id].check != nil || ",
		after:  "",
	}),
	of("statechart/seal.go", mutant{
		name: "R34 a chart with checks is calm", run: "^TestDataOfEvents",
		before: "ch.checked || ch.hasDefer",
		after:  "ch.hasDefer",
	}),
	of("statechart/calls.go", mutant{
		name: "R34 data that is raised or sent is not checked", run: "^TestDataOfEvents",
		before: "err := s.in.chart.misfit(m.event, data); err != nil",
		after:  "err := s.in.chart.misfit(m.event, data); false && err != nil",
	}),
	of("statechart/rows.go",
		mutant{
			name: "rows of this macrostep come backwards", run: "^TestLastRows",
			before: "slices.Reverse(fresh)",
			after:  "_ = slices.Reverse[[]any]",
		},
		mutant{
			name: "rows of this macrostep are asked of the host", run: "^TestLastRows",
			before: "r.lists[i] - int64(len(fresh))",
			after:  "r.lists[i]",
		},
		mutant{
			name: "too few rows are believed", run: "^TestLastRows",
			before: "err == nil && int64(len(old)) != to-from",
			after:  "false",
		},
	),
	of("statechart/scope.go", mutant{
		name: "R29 looking through a value is free", run: "^TestR29_",
		before: "cost > 0 {",
		after:  "false && cost > 0 {",
	}),
	of("statechart/encode.go", mutant{
		name: "the document forgets the user", run: "^TestTheUserOf",
		before: `if m.user != "" {`,
		after:  "if false {",
	}),
)
