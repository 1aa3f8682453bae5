package main

import "slices"

// schemas: what is checked of events and inputs, the rows of lists, whose
// session it is, and what names and texts may hold.
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
		before: "err := s.in.chart.misfit(event, data); err != nil {\n\t\treturn err\n\t}\n\treceiver",
		after:  "err := s.in.chart.misfit(event, data); false && err != nil {\n\t\treturn err\n\t}\n\treceiver",
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
		before: `if s.user != "" {`,
		after:  "if false {",
	}),
	of("statechart/compile_action.go", mutant{
		name: "R23 an event without a name is emitted", run: "^TestR23_",
		before: "if !ok || name == \"\" || len(name) > maxName",
		after:  "if !ok || len(name) > maxName",
	}),
	of("statechart/compile.go", mutant{
		name: "a name may turn the direction of what follows", run: "^TestRefusals$",
		before: " || unicode.Is(unicode.Bidi_Control, r)",
		after:  "",
	}),
	of("statechart/microstep.go", mutant{
		name: "R29 a bound has no place", run: "^TestR29_",
		before: "in.boundAt(b.place, err)",
		after:  "_ = in.boundAt",
	}),
	of("expression/language.go", mutant{
		name: "expression: a guard may be a number", run: "^TestGuards$",
		before: "if names.Guard() && ",
		after:  "if false && ",
	}),
	of("expression/source.go",
		mutant{
			name: "expression: the texts of a template count", run: "^TestLongTexts$",
			before: "bytes += to - from",
			after:  "bytes += 0 * (to - from)",
		},
		mutant{
			name: "expression: text beside a call of text does not count", run: "^TestLongTexts$",
			before: "depth--; depth == 0 && to < len(source)",
			after:  "depth--; false",
		},
	),
	of("internal/document/quote.go", mutant{
		name: "a file: marks of direction are written as they are", run: "^TestHiddenCharacters",
		before: "unicode.Is(unicode.Bidi_Control, r)",
		after:  "false && unicode.Is(unicode.Bidi_Control, r)",
	}),
	of("chartfile/schema_compile.go", mutant{
		name: "a schema: patterns are compiled before they are measured", run: "^TestHostilePatterns$",
		before: "wrong != nil {",
		after:  "false && wrong != nil {",
	}),
	of("internal/edits/edits.go", mutant{
		name: "edits: swapped letters are two", run: "^TestDistance$",
		before: "before[j-2]+1",
		after:  "before[j-2]+2",
	}),
)
