package main

import "slices"

// documentFiles: how SCXML documents are read.
var documentFiles = slices.Concat(
	of("chartfile/scxml/xml_parse.go",
		mutant{
			name: "XML a document type is skipped", run: "^TestRefused$",
			before: `p.stop(chartfile.CodeXML, p.at, "a document type is declared`,
			after:  "_, _ = p.until(\">\")\n\t\tp.note(chartfile.CodeXML, p.at, \"a document type is declared",
		},
		mutant{
			name: "XML an unknown instruction is taken", run: "^TestRefused$",
			before: `p.note(chartfile.CodeXML, start, "the processing`,
			after:  `_ = fmt.Sprint(chartfile.CodeXML, start, "the processing`,
		},
		mutant{
			name: "XML ]]> may stand in text", run: "^TestRefused$",
			before: `strings.Index(text, "]]>"); i >= 0 {`,
			after:  `strings.Index(text, "]]>"); i > len(text) {`,
		},
		mutant{
			name: "XML -- may stand in a comment", run: "^TestRefused$",
			before: `body, closed := p.until("--")`,
			after:  `body, closed := p.until("--" + ">"[:min(1, strings.Count(p.rest(), "-->"))])`,
		},
	),
	of("chartfile/scxml/xml_tags.go",
		mutant{
			name: "XML the last level is one too many", run: "^TestLimits$",
			before: "case len(p.open) >= maxDepth:",
			after:  "case len(p.open) >= maxDepth-1:",
		},
		mutant{
			name: "XML levels have no end", run: "^Test(Limits|Bombs)$",
			before: "case len(p.open) >= maxDepth:",
			after:  "case false:",
		},
		mutant{
			name: "XML elements have no end", run: "^TestLimits$",
			before: "case p.elements > maxElements:",
			after:  "case false:",
		},
		mutant{
			name: "XML a second root is taken", run: "^TestRefused$",
			before: "case len(p.open) == 0 && p.root != nil:",
			after:  "case false:",
		},
		mutant{
			name: "XML an attribute may stand twice", run: "^TestRefused$",
			before: "o.prefix == a.prefix && o.local == a.local }) {",
			after:  "o.prefix == a.prefix && o.local == a.local && o.value == \"\" }) {",
		},
		mutant{
			name: "XML < may stand in a value", run: "^TestRefused$",
			before: "strings.IndexByte(raw, '<'); i >= 0 {",
			after:  "strings.IndexByte(raw, '<'); i > len(raw) {",
		},
		mutant{
			name: "XML any end tag closes", run: "^TestRefused$",
			before: "if e.written() != name {",
			after:  "if e == nil {",
		},
		mutant{
			name: "XML a prefix outlives its element", run: "^Test(Refused|DocumentsRun)$",
			before: "p.prefixes[prefix] = stack[:len(stack)-1]",
			after:  "_ = stack",
		},
	),
	of("chartfile/scxml/xml_text.go",
		mutant{
			name: "XML bytes that are no UTF-8 are taken", run: "^TestEncodings$",
			before: "isCharacter(r) && (r != utf8.RuneError || strings.HasPrefix(p.source.text[i:], string(utf8.RuneError)))",
			after:  "isCharacter(r)",
		},
		mutant{
			name: "XML an unknown entity stands for nothing", run: "^TestRefused$",
			before: `p.note(chartfile.CodeXML, at, "the entity`,
			after:  `_ = fmt.Sprint(chartfile.CodeXML, at, "the entity`,
		},
		mutant{
			name: "XML a number stands for any character", run: "^TestRefused$",
			before: "if err != nil || !isCharacter(rune(n)) || n > utf8.MaxRune {",
			after:  "if err != nil {",
		},
	),
	of("chartfile/scxml/check.go",
		mutant{
			name: "SCXML rivals may stand together", run: "^TestRefused$",
			before: "a != nil && e.attribute(pair[0]) != nil {",
			after:  "a != nil && e.attribute(pair[0]) == a {",
		},
		mutant{
			name: "SCXML text may stand anywhere", run: "^TestRefused$",
			before: "case p.element == nil && !rule.text && !blank(p.text):",
			after:  "case p.element == nil && rule.text && rule.anything:",
		},
		mutant{
			name: "SCXML elements without a namespace are skipped", run: "^TestRefused$",
			before: `like && child.space == "" {`,
			after:  `like && child.space == "?" {`,
		},
		mutant{
			name: "SCXML hints compare without end", run: "^TestHints",
			before: "if r.compared+len(among) > maxCompared {",
			after:  "if false {",
		},
	),
	of("chartfile/scxml/loader.go",
		mutant{
			name: "SCXML a src leads out", run: "^Test(Files|Invocations)$",
			before: "case !fs.ValidPath(name) || name == \".\":",
			after:  "case name == \".\":",
		},
		mutant{
			name: "SCXML a src is looked for beside the first document", run: "^TestInvocations$",
			before: `return path.Join(r.folder, name), ""`,
			after:  `return path.Join("", name), ""`,
		},
		mutant{
			name: "SCXML what a document brings along has no end", run: "^Test(Files|Bombs)$",
			before: "return l.bytes <= maxFileBytes",
			after:  "return l.bytes >= 0",
		},
	),
	of("chartfile/scxml/read_states.go",
		mutant{
			name: "SCXML two states of one name are one", run: "^Test(DocumentsRun|WriteRoundTrips)$",
			before: "for base := part; taken[part] > 0; {",
			after:  "for base := part; taken[part] > 1; {",
		},
		mutant{
			name: "SCXML an initial may lie elsewhere", run: "^TestRefused$",
			before: "case !r.below(t, base):",
			after:  "case !r.below(t, base) && t.parent == nil:",
		},
		mutant{
			name: "SCXML the first history is where a state is entered", run: "^Test(DocumentsRun|WriteRoundTrips)$",
			before: "first := st.States[slices.IndexFunc(st.States, func(c statechart.State) bool { return c.Type != statechart.History })]",
			after:  "first := st.States[0]",
		},
	),
	of("chartfile/scxml/read_transition.go",
		mutant{
			name: "SCXML a transition is internal without a type", run: "^Test(DocumentsRun|WriteRoundTrips|WriteBehaves)$",
			before: "Type: statechart.External}",
			after:  "Type: statechart.Internal}",
		},
		mutant{
			name: "SCXML In of a state that there is not holds", run: "^TestDocumentsRun$",
			before: "return statechart.Not(statechart.Condition{In: \"#\" + r.doc.Definition.ID})",
			after:  "return statechart.Condition{In: \"#\" + r.doc.Definition.ID}",
		},
	),
	of("chartfile/scxml/read_actions.go",
		mutant{
			name: "SCXML finalize may send", run: "^TestRefused$",
			before: `if r.final && (e.local == "raise" || e.local == "send") {`,
			after:  "if false {",
		},
		mutant{
			name: "SCXML an elseif is done beside the if", run: "^TestDocumentsRun$",
			before: "action.Then = r.actions(content[:i], s, \"then\")",
			after:  "action.Then = r.actions(content, s, \"then\")",
		},
	),
	of("chartfile/scxml/read_send.go",
		mutant{
			name: "SCXML of two params of one name the last holds", run: "^Test(DocumentsRun|Sends)$",
			before: "fields[name] = []any{fields[name], value}",
			after:  "fields[name] = value",
		},
		mutant{
			name: "SCXML a call may have a namelist and params", run: "^TestRefused$",
			before: `e.local == "invoke" && names != nil && len(params) > 0 {`,
			after:  "false {",
		},
	),
	of("chartfile/scxml/read_invoke.go",
		mutant{
			name: "SCXML a file that is invoked twice is read twice", run: "^Test(Invocations|DocumentsInvoke)",
			before: "if known, met := r.byFile[name]; met {",
			after:  "if known, met := r.byFile[name]; met && known == nil {",
		},
		mutant{
			name: "SCXML a call is forwarded to without asking", run: "^TestInvocations$",
			before: `call.Forward = a.value == "true"`,
			after:  `call.Forward = a.value != "true"`,
		},
	),
	of("chartfile/scxml/read_values.go", mutant{
		name: "SCXML a variable may be declared twice", run: "^TestRefused$",
		before: "case first != d:",
		after:  "case first == nil:",
	}),
	of("chartfile/scxml/xml_tree.go", mutant{
		name: "XML columns do not count what a reference makes", run: "^TestColumns",
		before: "size = len(reference(a.raw[i+1 : i+length-1]))",
		after:  "size = length",
	}),
)
