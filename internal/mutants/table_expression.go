package main

import "slices"

// expressions: the language of guards and values, what it costs, and how long
// reading it may take.
var expressions = slices.Concat(
	of("expression/arithmetic.go",
		mutant{
			name: "expression: sums wrap around", run: "^TestArithmetic$",
			before: "if (x^sum)&(y^sum) < 0 {",
			after:  "if false {",
		},
		mutant{
			name: "expression: the least integer has an opposite", run: "^Test(Arithmetic|NumberFunctions)$",
			before: "if x == math.MinInt64 {",
			after:  "if false {",
		},
		mutant{
			name: "expression: infinity is a number", run: "^Test(Arithmetic|NumberFunctions)$",
			before: "if math.IsNaN(f) || math.IsInf(f, 0) {",
			after:  "if math.IsNaN(f) {",
		},
	),
	of("expression/compare.go",
		mutant{
			name: "expression: integers and decimals compare as decimals", run: "^TestComparison$",
			before: "if c := cmp.Compare(i, int64(t)); c != 0 {",
			after:  "if c := cmp.Compare(float64(i), t); c != 0 {",
		},
		mutant{
			name: "expression: comparing what is shared is free", run: "^TestCosts$",
			before: "if err := m.Charge(int64(len(x))); err != nil {",
			after:  "if err := m.Charge(0); err != nil {",
		},
	),
	of("expression/members.go",
		mutant{
			name: "expression: an absent field is null", run: "^Test(Members|Event)",
			before: "case mode == missingNull:\n\t\treturn nil, nil\n\tcase mode == missingShort:\n\t\treturn nil, errShort\n\t}\n\treturn nil, refuse(statechart.CodeExpression, at, absentHint(name, fields)",
			after:  "case mode != missingShort:\n\t\treturn nil, nil\n\tcase mode == missingShort:\n\t\treturn nil, errShort\n\t}\n\treturn nil, refuse(statechart.CodeExpression, at, absentHint(name, fields)",
		},
		mutant{
			name: "expression: null ends no chain", run: "^TestMembers$",
			before: "case v == nil && mode != missingFails:\n\t\treturn nil, errShort",
			after:  "case v == nil && mode != missingFails:\n\t\treturn nil, nil",
		},
	),
	of("expression/operators.go",
		mutant{
			name: "expression: or asks both sides", run: "^TestLogic$",
			before: "if err != nil || v == decided {\n\t\t\treturn v, err\n\t\t}",
			after:  "if err != nil {\n\t\t\treturn v, err\n\t\t}\n\t\tif v == decided {\n\t\t\t_, err = right(s, l)\n\t\t\treturn v, err\n\t\t}",
		},
		mutant{
			name: "expression: ?? keeps null", run: "^TestLogic$|^TestMembers$",
			before: "if err == nil && v != nil {",
			after:  "if err == nil {",
		},
	),
	of("expression/turns.go",
		mutant{
			name: "expression: turns of a body are free", run: "^TestCosts$",
			before: "if err := s.Charge(t.cost); err != nil {",
			after:  "if err := s.Charge(0); err != nil {",
		},
		mutant{
			name: "expression: the last of a range that has no end", run: "^TestHostileSourcesEnd$",
			before: "if back && q.size == most {",
			after:  "if false {",
		},
	),
	of("expression/text.go", mutant{
		name: "expression: text that grows is free", run: "^TestHostileSourcesEnd$",
		before: "chargeText(m, max(0, len(w.out)-room))",
		after:  "chargeText(m, 0*room)",
	}),
	of("expression/pattern.go",
		mutant{
			name: "expression: a match at the end is free", run: "^TestCosts$",
			before: "times(int64(len(text))+1, p.size/8+1)",
			after:  "1 + times(int64(len(text)), p.size/8+1)",
		},
		mutant{
			name: "expression: wide ranges that ignore case are read", run: "^TestHostileSourcesEnd$",
			before: "if folded(source) > maxFolded {",
			after:  "if false {",
		},
		mutant{
			name: "expression: ends of ranges that are numbers are not read", run: "^TestHostileSourcesEnd$",
			before: "strings.CutPrefix(s, `\\x{`); numbered {",
			after:  "strings.CutPrefix(s, `\\x{`); false && numbered {",
		},
	),
	of("expression/functions_lists.go", mutant{
		name: "expression: equal elements change places", run: "^Test(ListFunctions|TurnFunctions)$",
		before: "!s.before(right[0], left[0])",
		after:  "s.before(left[0], right[0])",
	}),
	of("expression/functions_text.go", mutant{
		name: "expression: replacing is paid for by the text alone", run: "^TestHostileSourcesEnd$",
		before: "size := int64(len(s)) + times(found, int64(len(by)))",
		after:  "size := int64(len(s))",
	}),
	of("expression/event.go",
		mutant{
			name: "expression: the payload's fields hide the engine's", run: "^TestEvent$",
			before: "for _, name := range ownFields(e.Name) {",
			after:  "for _, name := range ownFields(e.Name)[:0] {",
		},
		mutant{
			name: "expression: any error is the engine's", run: "^TestEventsOfTheEngine$",
			before: `{"error.invoke.", []string{"error"}},`,
			after:  `{"error.", []string{"error"}},`,
		},
	),
	of("expression/kind.go", mutant{
		name: "expression: patterns of properties are forgotten", run: "^TestEventSchema$",
		before: "return ok && !more && !patterns",
		after:  "return ok && !more && (!patterns || true)",
	}),
	of("expression/end.go", mutant{
		name: "expression: the first brace ends an expression", run: "^TestEnd",
		before: "depth++",
		after:  "depth += 0",
	}),
	of("expression/names.go", mutant{
		name: "expression: the tools are a list for nothing", run: "^TestCosts$",
		before: "s.Charge(perList + 2*int64(len(tools)))",
		after:  "s.Charge(0)",
	}),
	inLanguage("statechart/language.go",
		mutant{
			name: "expression: every mistake looks for a hint", run: "^TestManyMistakes$",
			before: "if !n.c.hinting() {\n\t\treturn nil\n\t}\n\treturn sortedKeys(n.c.chart.paths)",
			after:  "return sortedKeys(n.c.chart.paths)",
		},
	),
	inLanguage("statechart/compile_value.go", mutant{
		name: "expression: all mistakes are read", run: "^TestManyMistakes$",
		before: "if len(c.errors) > maxErrors {",
		after:  "if false {",
	}),
	inLanguage("statechart/compile.go", mutant{
		name: "expression: the tools of the states above have no bound", run: "^TestManyTools$",
		before: "n, only = n+len(above.Tools), above.ToolsOnly",
		after:  "only = above.ToolsOnly",
	}),
	of("statechart/scope.go", mutant{
		name: "R29 looking through what is refused is free", run: "^TestR29_Look",
		before: "out, _, err := n.normal(v, 0)\n",
		after:  "out, _, err := n.normal(v, 0)\n\tif err != nil {\n\t\treturn nil, err\n\t}\n",
	}),
	of("statechart/compile_value.go",
		mutant{
			name: "R29 lists that are written out are free", run: "^TestR29_Making",
			before: "s.Charge(1 + int64(len(parts)))",
			after:  "s.Charge(0)",
		},
		mutant{
			name: "R29 objects that are written out are free", run: "^TestR29_Making",
			before: "s.Charge(perObject + perField*int64(len(keys)))",
			after:  "s.Charge(0)",
		},
	),
)

// inLanguage gives mutants of the core the tests of the language, which ask
// for what it says.
func inLanguage(file string, mutants ...mutant) []mutant {
	mutants = of(file, mutants...)
	for i := range mutants {
		mutants[i].packages = []string{"./expression"}
	}
	return mutants
}
