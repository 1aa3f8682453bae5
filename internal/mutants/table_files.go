package main

import "slices"

// files: how JSON, YAML and chart files are read and written.
var files = slices.Concat(
	of("internal/strictjson/parse.go",
		mutant{
			name: "JSON a small object may have a key twice", run: "^TestRefused$",
			before: "if n.Members[i].Key == n.Members[j].Key {",
			after:  "if false && n.Members[i].Key == n.Members[j].Key {",
		},
		mutant{
			name: "JSON a wide object may have a key twice", run: "^Test(WideObject|Refused)$",
			before: "twice := seen[m.Key]; !twice {",
			after:  "twice := seen[m.Key]; !twice || true {",
		},
		mutant{
			name: "JSON bytes that are no UTF-8 are taken", run: "^TestRefused$",
			before: "if utf8.Valid(data) {",
			after:  "if len(data) > 0 || utf8.Valid(data) {",
		},
		mutant{
			name: "JSON a NUL byte is white space", run: "^TestRefused$",
			before: "if i := bytes.IndexByte(data, 0); i >= 0 {",
			after:  "if i := bytes.IndexByte(data, 0); i > len(data) {",
		},
		mutant{
			name: "JSON the last level is one too many", run: "^TestLimits$",
			before: "if p.depth == 0 {",
			after:  "if p.depth == 1 {",
		},
		mutant{
			name: "JSON a comma may stand before a bracket", run: "^TestRefused$",
			before: "if p.space(); p.peek() == end {",
			after:  "if p.space(); p.at < 0 && p.peek() == end {",
		},
	),
	of("internal/strictjson/token.go",
		mutant{
			name: "JSON a number may begin with a zero", run: "^TestRefused$",
			before: "if p.data[first] == '0' && p.at > first+1 {",
			after:  "if p.data[first] == '0' && p.at > first+99 {",
		},
		mutant{
			name: "JSON half of a pair is a character", run: "^TestRefused$",
			before: "if !utf16.IsSurrogate(r) {",
			after:  "if r > 0 || !utf16.IsSurrogate(r) {",
		},
	),
	of("internal/strictjson/value.go",
		mutant{
			name: "JSON 1E5 is a whole number", run: "^TestDecode$",
			before: `strings.ContainsAny(n.Text, ".eE")`,
			after:  `strings.ContainsAny(n.Text, ".e")`,
		},
	),
	of("internal/strictjson/unmarshal.go",
		mutant{
			name: "JSON keys of fields in capitals are taken", run: "^TestUnmarshalRefuses$",
			before: "at, ok := index[m.Key]",
			after:  "at, ok := index[strings.ToLower(m.Key)]",
		},
	),
	of("internal/strictjson/index.go",
		mutant{
			name: "the two bytes of a line end are two line ends", run: "^TestPlaces$",
			before: `c == '\r' && (from+i+1 >= len(x.data) || x.data[from+i+1] != '\n')`,
			after:  `c == '\r'`,
		},
	),
	of("internal/document/yaml.go",
		mutant{
			name: "YAML one level more than the limit", run: "^TestLimits$",
			before: "if depth++; depth > r.limits.Depth {",
			after:  "if depth++; depth > r.limits.Depth+1 {",
		},
		mutant{
			name: "YAML a key may stand twice", run: "^TestYAMLTraps$",
			before: "seen[f.Key] = f.KeyStart",
			after:  `seen[f.Key+" "] = f.KeyStart`,
		},
		mutant{
			name: "YAML a merge key is a key", run: "^TestYAMLTraps$",
			before: `case n.Plain && n.Text == "<<":`,
			after:  `case n.Plain && n.Text == "<<<":`,
		},
		mutant{
			name: "YAML a second document is refused at the first", run: "^TestYAMLTraps$",
			before: `r.refuse(r.offset(second.Line, second.Column), "several`,
			after:  `r.refuse(0, "several`,
		},
	),
	noticedIn("./chartfile", of("internal/document/yaml.go",
		mutant{
			name: "YAML a tag with nothing behind it is blank as well", run: "^TestRefused$",
			before: "if n.Blank || at > begins && r.isText(begins) {",
			after:  "if at < begins {",
		},
	)...),
	of("internal/document/scalar.go",
		mutant{
			name: "YAML 012 is twelve", run: "^TestPlainValues$",
			before: "`^(?:[-+]?(?:0|[1-9][0-9]*)|0o",
			after:  "`^(?:[-+]?[0-9]+|0o",
		},
	),
	of("internal/document/swallowed.go",
		mutant{
			name: "YAML a comment in closed brackets is to blame", run: "^TestYAMLTraps$",
			before: "if depth--; depth == 0 {",
			after:  "if depth--; depth < 0 {",
		},
		mutant{
			name: "YAML any comment in brackets is to blame", run: "^TestYAMLTraps$",
			before: "!white(word[1]) && ",
			after:  "",
		},
	),
	of("internal/document/quote.go",
		mutant{
			name: "YAML yes is written without quotes", run: "^TestQuotes$",
			before: "if p.MatchString(text) {",
			after:  `if text == "" && p.MatchString(text) {`,
		},
		mutant{
			name: "YAML a comment in text is written without quotes", run: "^TestQuotes$",
			before: `|| strings.Contains(text, " #") `,
			after:  "",
		},
		mutant{
			name: "YAML white space alone on a line of a block", run: "^TestWriteYAML$",
			before: `== "" && line != "" {`,
			after:  `== "" && line == "\x00" {`,
		},
		mutant{
			name: "YAML empty lines at the end of a block go", run: "^TestWriteYAML$",
			before: `return "|+"`,
			after:  `return "|"`,
		},
	),
	of("internal/document/write.go",
		mutant{
			name: "YAML 1.0 is written as a whole number", run: "^TestWriteYAML$",
			before: `text += ".0"`,
			after:  `text += ""`,
		},
	),
	of("internal/document/span.go",
		mutant{
			name: "places behind a folded line are one off", run: "^TestAt$",
			before: "return i - at, max(1, breaks-1)",
			after:  "return i - at, max(1, breaks)",
		},
	),
	of("internal/document/comments.go",
		mutant{
			name: "fmt forgets empty lines before comments", run: "^TestReformat$",
			before: `bytes.Count(s.data[len(before):start], []byte("\n")) > 1`,
			after:  `bytes.Count(s.data[len(before):start], []byte("\n")) > 9`,
		},
	),
	of("chartfile/values_template.go",
		mutant{
			name: "a doubled dollar keeps both", run: "^TestValueTexts$",
			before: `literal.WriteString("${")`,
			after:  `literal.WriteString("$${")`,
		},
		mutant{
			name: "white space around an expression makes it text", run: "^TestValueTexts$",
			before: "if len(single) == 1 {",
			after:  "if len(single) == 99 {",
		},
		mutant{
			name: "errors of an expression stand where the file begins", run: "^TestRefused$",
			before: "return parts[0].offset + offset",
			after:  "return offset",
		},
	),
	of("chartfile/values.go",
		mutant{
			name: "the word event alone is refused as an expression", run: "^TestValueTexts$",
			before: "telling = telling || root.Member",
			after:  "telling = true",
		},
		mutant{
			name: "every object with a text alone is that text", run: "^TestValueTexts$",
			before: `return text, !strings.Contains(text, "${") && readsAsExpression(text, r.scope)`,
			after:  "return text, true",
		},
	),
	of("chartfile/read_state.go",
		mutant{
			name: "two equal delays are taken", run: "^TestRefused$",
			before: "twice && other != text {",
			after:  `twice && other == text+"s" {`,
		},
	),
	of("chartfile/read_transition.go",
		mutant{
			name: "reenter is lost", run: "^TestFileAndDefinitionAreOneChart$",
			before: `if r.isTrue(n, s, "reenter") {`,
			after:  `if false && r.isTrue(n, s, "reenter") {`,
		},
	),
	of("chartfile/read_shapes.go",
		mutant{
			name: "an empty list of senders is the usual ones", run: "^TestRefused$",
			before: `if len(n.Items) == 0 && s.key.Min != "" && !s.entry {`,
			after:  `if len(n.Items) == 0 && s.key.Min == "no" {`,
		},
	),
	of("chartfile/read.go",
		mutant{
			name: "what follows from a misspelt key is said, too", run: "^TestRefused$",
			before: "r.meant[n][key] = true",
			after:  "r.meant[n][key] = false",
		},
		mutant{
			name: "a file may be one level too deep", run: "^TestLimits$",
			before: "Depth: maxDepth, Nodes",
			after:  "Depth: maxDepth + 1, Nodes",
		},
		mutant{
			name: "what a document refuses is blank as well", run: "^TestRefused$",
			before: "r.problems[i] <= value.Offset",
			after:  "r.problems[i] < value.Offset",
		},
	),
	of("chartfile/compile.go",
		mutant{
			name: "a state that cannot be read hides all unknown ones", run: "^TestRefused$",
			before: "return f.lostStates[name] ||",
			after:  "return len(f.lostStates) > 0 ||",
		},
		mutant{
			name: "a wrong delay is wrong wherever it is named", run: "^TestRefused$",
			before: "if f.isDelay(near, node) {",
			after:  "if false && f.isDelay(near, node) {",
		},
		mutant{
			name: "another error at the root hides that it has no initial", run: "^TestRefused$",
			before: `!strings.HasSuffix(e.Message, "needs an initial") && `,
			after:  "",
		},
		mutant{
			name: "what follows from an error is said, too", run: "^TestRefused$",
			before: "return near.bad || f.bad[node] ||",
			after:  "return f.bad[node] ||",
		},
	),
	of("chartfile/diagnostics.go",
		mutant{
			name: "diagnostics of one line are in no order", run: "^TestRefused$",
			before: "return cmp.Or(a.Line-b.Line, a.Column-b.Column)",
			after:  "return cmp.Compare(a.Line, b.Line)",
		},
	),
	of("chartfile/hints.go",
		mutant{
			name: "diagnostics without hints", run: "^TestRefused$",
			before: "for _, rule := range hintRules {",
			after:  "for _, rule := range hintRules[:0] {",
		},
	),
	of("chartfile/write_value.go",
		mutant{
			name: "text that reads as an expression is written bare", run: "^TestWriteValues$",
			before: "if at.refuses(x) {",
			after:  "if false && at.refuses(x) {",
		},
	),
	of("chartfile/schema_check.go",
		mutant{
			name: "lengths are counted in bytes", run: "^TestSchema(Suite|Messages)$",
			before: "n := utf8.RuneCountInString(x)",
			after:  "n := max(len(x), utf8.RuneCountInString(x))",
		},
	),
	noticedIn("./chartfile", of("statechart/compile_transition.go",
		mutant{
			name: "names for a hint are gathered without end", run: "^TestManyWrongTargets$",
			before: "if c.hints > maxHints {",
			after:  "if c.hints < 0 {",
		},
	)...),
)

// noticedIn gives mutants the package whose tests notice them, where that is
// not their own.
func noticedIn(tests string, mutants ...mutant) []mutant {
	for i := range mutants {
		mutants[i].packages = []string{tests}
	}
	return mutants
}
