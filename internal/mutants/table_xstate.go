package main

import "slices"

// configurations: how XState's JSON is read and written.
var configurations = slices.Concat(
	noticedIn("./chartfile/xstate", of("chartfile/read_nodes.go",
		mutant{
			name: "XState what was refused is looked at again", run: "^TestRefused$",
			before: "maps.Copy(r.bad, adapted.Refused)\n",
			after:  "",
		},
		mutant{
			name: "XState what follows from a refused key is said", run: "^TestRefused$",
			before: "maps.Copy(r.flawed, adapted.Flawed)\n",
			after:  "",
		},
		mutant{
			name: "XState a misspelt type is none", run: "^TestRefused$",
			before: "r.meanKey(n, key)",
			after:  "r.meanKey(n, key+\"!\")",
		},
	)...),
	of("chartfile/xstate/read.go",
		mutant{
			name: "XState a built machine is read key by key", run: "^TestRefused$",
			before: `has(n, "transitions") > 0 && has(n, "order") > 0 {`,
			after:  `has(n, "transitions") > 1 {`,
		},
		mutant{
			name: "XState a program gets the hints of JSON", run: "^TestRefused$",
			before: "len(found) > 0 && isCode(data) {",
			after:  "len(found) < 0 && isCode(data) {",
		},
		mutant{
			name: "XState a name is required twice", run: "^TestReadsAsAChartFileDoes$",
			before: "if !list.seen[n.Text] {",
			after:  "if true {",
		},
		mutant{
			name: "XState a machine without an id has none", run: "^Test(ReadsAsAChartFileDoes|Refused)$",
			before: "root.Fields = append(root.Fields, document.Field{Key: \"id\", KeyStart: n.Start, Value: textAt(n, id)})",
			after:  "_ = root",
		},
		mutant{
			name: "XState unknown keys are carried", run: "^TestRefused$",
			before: "a.follow(&out, k, a.unknownKey(f, k))",
			after:  "_ = k",
		},
		mutant{
			name: "XState what is said has no end", run: "^TestReadSaysAThousandThings$",
			before: "case len(a.found) > maxFound:\n\t\treturn\n\tcase len(a.found) == maxFound:",
			after:  "case len(a.found) == maxFound:",
		},
	),
	of("chartfile/xstate/read_action.go",
		mutant{
			name: "XState a function of its own is a name", run: "^TestRefused$",
			before: "if v == nil && a.ownFunction(key, name) {",
			after:  "if false {",
		},
		mutant{
			name: "XState params of an explained name are dropped", run: "^TestRefused$",
			before: "v != nil && given {",
			after:  "false && given {",
		},
		mutant{
			name: "XState a guard is its variable", run: "^TestReadsAsAChartFileDoes$",
			before: `return objectAt(n, document.Field{Key: "type", KeyStart: n.Start, Value: n})`,
			after:  "return n",
		},
		mutant{
			name: "XState the payload of an event is evaluated", run: "^TestReadsAsAChartFileDoes$",
			before: `out = append(out, fieldAt(f, "data", a.literal(&data)))`,
			after:  `out = append(out, fieldAt(f, "data", &data))`,
		},
		mutant{
			name: "XState a source is a template", run: "^TestRe(adsAsAChartFileDoes|fused)$",
			before: `strings.ReplaceAll(f.Value.Text, "${", "$${")`,
			after:  "f.Value.Text",
		},
	),
	of("chartfile/xstate/read_meta.go",
		mutant{
			name: "XState requires of another shape is nothing", run: "^TestRefused$",
			before: "if listed.Kind != document.Object {",
			after:  "if false {",
		},
		mutant{
			name: "XState meta.detent of another shape is nothing", run: "^TestRefused$",
			before: "if v != nil && v.Kind != document.Object {",
			after:  "if v != nil && v.Kind != document.Object && v.Kind != document.List {",
		},
		mutant{
			name: "XState meta.detent stays in meta", run: "^TestReadsAsAChartFileDoes$",
			before: "rest.Fields = slices.Delete(slices.Clone(rest.Fields), i, i+1)\n",
			after:  "",
		},
		mutant{
			name: "XState what names stand for has no end", run: "^TestReadLimits$",
			before: "if a.spent <= maxSpent {",
			after:  "if a.spent >= 0 {",
		},
		mutant{
			name: "XState all names are compared with all", run: "^TestReadComparesSoManyNames$",
			before: "compared <= maxCompared {",
			after:  "compared >= 0 {",
		},
		mutant{
			name: "XState a computed value counts less than a written one", run: "^TestReadsAsAChartFileDoes$",
			before: "out.Fields[i] = f\n\t\t\tcontinue",
			after:  "_ = i\n\t\t\tcontinue",
		},
	),
	of("chartfile/xstate/read_events.go",
		mutant{
			name: "XState xstate.done.* is the end of calls only", run: "^TestReadsAsAChartFileDoes$",
			before: "case strings.HasPrefix(e.theirs, prefix):",
			after:  `case strings.HasPrefix(e.theirs, prefix) && e.ours != "done.state.":`,
		},
		mutant{
			name: "XState an error of XState 4 is one of the author's", run: "^TestRefused$",
			before: "case isError && known:",
			after:  "case isError && known && call == \"\":",
		},
	),
	of("chartfile/xstate/read_transition.go",
		mutant{
			name: "XState an empty list of transitions forbids", run: "^TestReadsAsAChartFileDoes$",
			before: "return n.Kind == document.List && len(n.Items) == 0 }",
			after:  "return n.Kind == document.List && len(n.Items) < 0 }",
		},
		mutant{
			name: "XState a target with a space is several", run: "^TestRefused$",
			before: `strings.ContainsAny(n.Text, " \t\r\n")`,
			after:  `strings.ContainsAny(n.Text, "\t\r\n")`,
		},
		mutant{
			name: "XState unknown delays are all the same one", run: "^TestRefused$",
			before: "a.strange++\n",
			after:  "",
		},
		mutant{
			name: "XState timers go in the order of the file", run: "^TestReadsAsAChartFileDoes$",
			before: "range inJavaScriptOrder(f.Value.Fields) {",
			after:  "range f.Value.Fields {",
		},
	),
	of("chartfile/xstate/read_survey.go",
		mutant{
			name: "XState 01 is a number of an array", run: "^Test(ReadsAsAChartFileDoes|JSONIsReadAgain)$",
			before: "err != nil || strconv.FormatUint(n, 10) != f.Key {",
			after:  "err != nil {",
		},
		mutant{
			name: "XState a timer that is nothing counts", run: "^TestReadsAsAChartFileDoes$",
			before: "if readsAsNothing(f.Value) {\n\t\t\t\tcontinue\n\t\t\t}\n\t\t\ta.timers",
			after:  "a.timers",
		},
	),
	of("chartfile/xstate/json.go",
		mutant{
			name: "XState JSON a name is two things", run: "^TestJSONGolden$",
			before: "for t.taken[t.prefix+strconv.Itoa(i)] {",
			after:  "for false {",
		},
		mutant{
			name: "XState JSON what is too large to read is written", run: "^TestJSONIsNotTooLargeToRead$",
			before: "if found := tooLarge(text); len(found) > 0 {",
			after:  "if found := tooLarge(text); len(found) < 0 {",
		},
		mutant{
			name: "XState JSON a call has the id of Detent", run: "^TestJSON",
			before: "return []string{pair.theirs + e.calls[name]}",
			after:  "return []string{pair.theirs + name}",
		},
	),
	of("chartfile/xstate/json_state.go",
		mutant{
			name: "XState JSON a name of its own is a reference", run: "^TestJSONGolden$",
			before: `if name == "" || strings.HasPrefix(name, "xstate.") {`,
			after:  `if name == "" {`,
		},
		mutant{
			name: "XState JSON a named delay is its duration", run: "^TestJSON",
			before: "ok && !e.delays.taken[text] {",
			after:  "ok {",
		},
	),
	of("chartfile/xstate/json_refused.go",
		mutant{
			name: "XState JSON events of its own are written", run: "^TestJSONGolden$",
			before: `strings.HasPrefix(t.Event, "xstate.") {`,
			after:  `strings.HasPrefix(t.Event, "xstate.done.") {`,
		},
		mutant{
			name: "XState JSON a null under detent is nothing", run: "^TestJSONGolden$",
			before: "if _, taken := m[ownKey]; taken {",
			after:  "if m[ownKey] != nil {",
		},
		mutant{
			name: "XState JSON numbers are names in their order", run: "^TestJSONGolden$",
			before: "if f.Key != s.States[i].Name {",
			after:  "if f.Key == s.States[i].Name+\"!\" {",
		},
	),
	of("internal/cli/convert.go",
		mutant{
			name: "XState what convert leaves out is not said", run: "^TestCommands$",
			before: "	showDiagnostics(a.err, a.warnings, s.data, found)\n\treturn chart, nil",
			after:  "\treturn chart, nil",
		},
		mutant{
			name: "XState what does not compile is converted", run: "^TestCommands$",
			before: "_, found = chart.compile(nil)",
			after:  "_, _ = chart.compile(nil)",
		},
	),
	of("internal/cli/charts.go", mutant{
		name: "XState the other format is always suggested", run: "^TestCommands$",
		before: "if as.errors >= is.errors {",
		after:  "if as.errors > is.errors {",
	}),
)
