package main

import "slices"

// outside: sends, timers and calls (R24–R27).
var outside = slices.Concat(
	of("statechart/timers.go",
		mutant{
			name: "R24 of timers due together the newest goes first", run: "^TestR24_|^TestR27_",
			before: "case a.Source.Entry < b.Source.Entry:",
			after:  "case a.Source.Entry > b.Source.Entry:",
		},
		mutant{
			name: "R24 the timer due last goes first", run: "^TestR24_|^TestR27_",
			before: "return cmpInt(a.Due, b.Due)\n",
			after:  "return cmpInt(b.Due, a.Due)\n",
		},
		mutant{
			name: "R24 a delayed send to another session comes back to the sender", run: "^TestR24_",
			before: `if t.To != "self" {`,
			after:  `if t.To == "" && t.To != "self" {`,
		},
		mutant{
			name: "R26 a timer is known by its name", run: "^TestR26_|^TestR27_",
			before: "return t.Source.Entry == e.Envelope.Source.Entry",
			after:  "return t.Name == e.Name",
		},
		mutant{
			name: "R27 a negative delay is due in the past", run: "^TestR27_",
			before: "if delay <= 0 {",
			after:  "if delay == 0 {",
		},
		mutant{
			name: "R27 a huge delay overflows", run: "^TestR27_",
			before: "if delay > math.MaxInt64-now {",
			after:  "if delay > math.MaxInt64 {",
		},
		mutant{
			name: "R27 leaving takes timers back by due time", run: differential,
			before: "cmpInt(int64(a.Source.Entry), int64(b.Source.Entry))",
			after:  "cmpInt(a.Due, b.Due)",
		},
		mutant{
			name: "R27 a timer that fired stays armed", run: "^TestR27_",
			before: "\tr.timers = slices.Delete(r.timers, i, i+1)\n",
			after:  "",
		},
		mutant{
			name: "R27 keep is not heeded", run: "^TestR27_",
			before: "\t\tif t.keep {\n",
			after:  "\t\tif t.keep && s < 0 {\n",
		},
		mutant{
			name: "R27 every goes on from when it was taken up", run: "^TestR27_|^TestT4",
			before: "due := t.Due\n",
			after:  "due := max(t.Due, r.now)\n",
		},
		mutant{
			name: "R27 every fires once for each tick that was missed", run: "^TestR27_|^TestT4",
			before: `if how == "all" {`,
			after:  `if how != "skip" {`,
		},
		mutant{
			name: "R27 a missed tick is not skipped", run: "^TestR27_|^TestT4",
			before: `skip = how == "skip" && missed > 0`,
			after:  `skip = how == "none" && missed > 0`,
		},
		mutant{
			name: "R27 a delay that is no number is due at once", run: "^TestR27_",
			before: "in.executionError(\"action\", t.place, err)\n\t\t\t\tcontinue",
			after:  "in.executionError(\"action\", t.place, err)",
		},
		mutant{
			name: "warnAfter is an event, not a warning", run: "^TestR27_",
			before: "case \"warn\":",
			after:  "case \"warned\":",
		},
	),
	of("statechart/microstep.go",
		mutant{
			name: "R27 leaving a state leaves its timers armed", run: "^TestR27_",
			before: "in.unscheduleOf(s)",
			after:  "_ = s",
		},
		mutant{
			name: "R25 leaving a state leaves its invocations running", run: "^TestR25_",
			before: "in.stopCallsOf(s)",
			after:  "_ = s",
		},
	),
	of("statechart/values.go",
		mutant{
			name: "R27 fractions of a millisecond round down", run: "^TestR27_",
			before: "f = math.Ceil(f)",
			after:  "f = math.Floor(f)",
		},
	),
	of("statechart/calls.go",
		mutant{
			name: "R24 a raise with a delay comes at once", run: "^TestR24_",
			before: "if m.delay != nil {",
			after:  "if m.delay != nil && !m.isRaise {",
		},
		mutant{
			name: "R24 a send to oneself is internal", run: "^TestR24_",
			before: "\tif m.isRaise {\n\t\ts.in.raise",
			after:  "\tif m.isRaise || receiver == \"self\" {\n\t\ts.in.raise",
		},
		mutant{
			name: "R24 cancel takes back the first of two sends", run: "^TestR24_",
			before: "func(t *Timer) bool { return t.state < 0 && t.Source.ID == name }",
			after:  "func(t *Timer) bool {\n\t\tif t.state < 0 && t.Source.ID == name {\n\t\t\tname = \"\"\n\t\t\treturn true\n\t\t}\n\t\treturn false\n\t}",
		},
		mutant{
			name: "R24 cancel takes back the timers of states", run: "^TestR24_|^TestR24_",
			before: "return t.state < 0 && t.Source.ID == name",
			after:  "return t.Source.ID == name",
		},
		mutant{
			name: "R24 cancel without an id takes back all sends without one", run: "^TestR24_|^TestR24_",
			before: "if name == \"\" {\n\t\treturn nil",
			after:  "if name == \"\\x00\" {\n\t\treturn nil",
		},
		mutant{
			name: "R25 input is evaluated when the call starts", run: "^TestR25_",
			before: "if !in.chart.scxml {\n\t\t\tif err",
			after:  "if false {\n\t\t\tif err",
		},
		mutant{
			name: "R25 the invocation of a state that was left still starts", run: "^TestR25_",
			before: "return p.state == s })",
			after:  "return p.state < s && s < 0 })",
		},
		mutant{
			name: "R25 a do is stopped when its state is left", run: "^TestR25_|^TestR26_|^TestR26_",
			before: `live.state = EffectDo, "do", -1`,
			after:  `live.state = EffectDo, "do", p.state`,
		},
		mutant{
			name: "R26 the answer to an earlier entry is accepted", run: "^TestR26_",
			before: "return l.Source == source",
			after:  "return l.Source.ID == source.ID",
		},
		mutant{
			name: "R26 the answer of a call that is over is an event", run: "^TestR26_",
			before: "if i < 0 || !answers && !in.chart.scxml {\n\t\t\treturn Result{Ignored, reasonStale}, true, false",
			after:  "if i < 0 || !answers && !in.chart.scxml {\n\t\t\treturn Result{}, false, false",
		},
		mutant{
			name: "R26 progress ends the call", run: "^TestR26_",
			before: `if answers && kind != "progress" {`,
			after:  `if answers && kind != "" {`,
		},
		mutant{
			name: "R26 an unknown outcome does not end the call", run: "^TestR26_|^TestR21_",
			before: `if answers && kind != "progress" {`,
			after:  `if answers && kind != "progress" && kind != "unknown" {`,
		},
		mutant{
			name: "X3 two calls of one macrostep have one key", run: "^TestMutantR23_",
			before: "strconv.Itoa(in.indexOfNext())",
			after:  `"0"`,
		},
		mutant{
			name: "X3 a declared key is the same for another source", run: "^TestMutantR23_",
			before: `effectKey(r.session, "src", o.Src, canonical(o.DeclaredKey))`,
			after:  `effectKey(r.session, "src", canonical(o.DeclaredKey))`,
		},
		mutant{
			name: "X3 the parts of a key run together", run: "^TestMutantR23_",
			before: "\t\tb = strconv.AppendInt(b, int64(len(p)), 10)\n\t\tb = append(b, ':')\n",
			after:  "",
		},
		mutant{
			name: "effects are numbered through several macrosteps", run: differential,
			before: "if n == 0 || effects[n-1].Sequence != sequence {",
			after:  "if n == 0 || effects[n-1].Sequence > sequence {",
		},
		mutant{
			name: "R31 append does not lengthen its list", run: "^TestR23_",
			before: "s.in.rare.lists[list]++",
			after:  "_ = list",
		},
	),
)
