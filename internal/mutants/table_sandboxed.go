package main

import "slices"

// sandboxed are bugs in what keeps code that is not trusted apart: from the
// host, from other sessions, and from data.
var sandboxed = slices.Concat(
	of("ecmascript/request.go",
		mutant{
			name: "a forged function inside a list comes in", run: "^TestStrangersSendNoCode$",
			before: "return slices.ContainsFunc(v, forged)",
			after:  "return false",
		},
		mutant{
			name: "integers beyond 2^53 are read", run: "^TestErrors$",
			before: "if v > maxInteger || v < -maxInteger {",
			after:  "if v > maxInteger<<1 {",
		},
	),
	of("ecmascript/harness.js",
		mutant{
			name: "data that look like a function are kept", run: "^TestStrangersSendNoCode$",
			before: `if (names[i] === "$function") refuse(`,
			after:  `if (false) refuse(`,
		},
		mutant{
			name: "the harness uses what a script has replaced", run: "^TestScripts$",
			before: `if (apply(hasOwn, request.variables, [names[i]])) continue;`,
			after:  `if (names[i] in request.variables) continue;`,
		},
		mutant{
			name: "functions of the harness are kept as text", run: "^TestErrors$",
			before: "if (apply(has, ours, [f])) throw f;",
			after:  "",
		},
		mutant{
			name: "dates are read in the machine's zone", run: "^TestClockElsewhere$",
			before: `(isoTime.test(text) ? "Z" : " UTC")`,
			after:  `(isoTime.test(text) ? "Z" : "")`,
		},
		mutant{
			name: "threads can be had", run: "^TestNoHost$",
			before: `["Atomics", "SharedArrayBuffer", `,
			after:  `["SharedArrayBuffer", `,
		},
	),
	of("ecmascript/check.go",
		mutant{
			name: "a source is run to be checked", run: "^TestCheckingRunsNothing$",
			before: "e.vm.Compile(form[0]+source+form[1]",
			after:  "e.vm.Eval(form[0]+source+form[1]",
		},
		mutant{
			name: "a source is checked in brackets of one sort", run: "^TestNoExpressions$",
			before: "checkValue:    {inBrackets, inParentheses}",
			after:  "checkValue:    {inParentheses}",
		},
	),
	of("ecmascript/calm.go",
		mutant{
			name: "a call leaves an engine as it was", run: "^TestCalm$",
			before: `operator != ")" && operator != "]"`,
			after:  `operator != ")"`,
		},
	),
	of("ecmascript/engine.go",
		mutant{
			name: "every engine is used again", run: "^TestNothingLeaks$",
			before: "s.give(e, again && err == nil)",
			after:  "s.give(e, err == nil)",
		},
	),
	of("ecmascript/language.go",
		mutant{
			name: "what scripts define can be given", run: "^TestStrangersSendNoCode$",
			before: "case variable == globalsName:",
			after:  "case false:",
		},
		mutant{
			name: "a script that fails has written a part", run: "^TestScriptsThatWriteTooMuch$",
			before: "slices.Backward(writes[:i])",
			after:  "slices.Backward(writes[:0])",
		},
		mutant{
			name: "running out of time is cheap", run: "^TestManyTimeouts$",
			before: "scope.Charge(fuelDeadline)",
			after:  "scope.Charge(fuelEvaluation)",
		},
	),
	of("statechart/scxml_data.go",
		mutant{
			name: "R38 a language is not asked about what is given", run: "^TestR38_Watchful",
			before: "err := in.chart.admitted(v.name, x)",
			after:  "err := error(nil)",
		},
	),
	of("internal/sandbox/process.go",
		mutant{
			name: "a deadline is told as a crash", run: "^TestCancelled$",
			before: "if !stop() {\n\t\t<-killed",
			after:  "if !stop() && p.in == nil {\n\t\t<-killed",
		},
		mutant{
			name: "a child has the parent's environment", run: "^TestBareSurroundings$",
			before: "append([]string{marker",
			after:  "append([]string{\"SECRET=\" + os.Getenv(\"SECRET\"), marker",
		},
		mutant{
			name: "a child that is not confined will do", run: "^TestForgedMessages$",
			before: "!c.Lax && !slices.Contains(g.Held, \"data\")",
			after:  "!c.Lax && len(g.Held) == 0",
		},
	),
	of("internal/sandbox/main.go",
		mutant{
			name: "a child outlives its parent", run: "^TestChildEndsWithItsParent$",
			before: "if err != nil || mark != markRequest {\n\t\t\tos.Exit(0)",
			after:  "if err != nil || mark != markRequest {\n\t\t\tselect {}",
		},
		mutant{
			name: "a child is used until the system ends it", run: "^TestProcessorTime$|^TestLowerLimitsStay$",
			before: "mark = markLast",
			after:  "_ = mark",
		},
	),
	of("internal/sandbox/confine_linux.go",
		mutant{
			name: "a child keeps files that it inherited", run: "^TestInheritedFilesAreClosed$",
			before: "flags&syscall.FD_CLOEXEC == 0",
			after:  "flags&syscall.FD_CLOEXEC != 0 && fd < 0",
		},
		mutant{
			name: "a child has all the memory", run: "^TestEndings$/^memory$",
			before: "data + uint64(l.Data)",
			after:  "data + uint64(l.Data)<<8",
		},
	),
	of("internal/sandbox/rlimit.go",
		mutant{
			name: "lower limits are raised", run: "^TestLowerLimitsStay$",
			before: "min(l.value, now.Cur, now.Max)",
			after:  "min(l.value, now.Max)",
		},
	),
	of("internal/sandbox/frame.go",
		mutant{
			name: "a message may be longer than its limit", run: "^TestEndings$/^long$",
			before: "if int64(size) > int64(limit) {",
			after:  "if int64(size) > int64(limit)*2 {",
		},
	),
)
