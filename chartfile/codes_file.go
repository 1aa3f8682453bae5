package chartfile

import "github.com/detent-run/detent/internal/document"

// fileCodes are the codes of documents, before they are a definition.
var fileCodes = []Explanation{
	{
		Code: CodeUnreadable, Title: "the file cannot be read at all", When: Reading,
		Meaning:   "There is no such file, it is a folder, it may not be read, or it is not text.",
		Remedy:    "Look at the spelling of its name, and at its permissions.",
		NoExample: "it is about files that are no charts.",
	},
	{
		Code: CodeSyntax, Title: "the file is not the YAML or JSON that it should be", When: Reading,
		Meaning: "The file cannot be read as a document: a bracket or a quote is not closed, the indentation does not fit, or a character stands where it cannot. Nothing after that place was looked at. As the failure of a call of a code tool: the program is no Starlark.",
		Remedy:  "Look at the line and at the one before it. In YAML, put text that begins with a special character, or holds `: ` or ` #`, into quotes.",
		Bad: Example{Chart: `id: door
initial: closed
states:
  closed: {on: {OPEN: opened}
  opened: {on: {CLOSE: closed}}
`},
		Good: Example{Chart: `id: door
initial: closed
states:
  closed: {on: {OPEN: opened}}
  opened: {on: {CLOSE: closed}}
`},
	},
	{
		Code: CodeEncoding, Title: "the file holds characters that cannot be kept", When: Reading,
		Meaning: "A chart file is UTF-8 and holds no NUL character, neither as it is nor written as an escape: not every store and not every language that a session meets can keep one.",
		Remedy:  "Save the file as UTF-8, and write what the character was to stand for in another way.",
		Bad: Example{Chart: `id: door
description: "front\0back"
`},
		Good: Example{Chart: `id: door
description: front, back
`},
	},
	{
		Code: CodeDuplicateKey, Title: "a key stands twice in one object", When: Reading,
		Meaning: "Of two equal keys one would silently win, so the second is refused, and the message says where the first one stands.",
		Remedy:  "Remove one of them, or join what stands under them: several transitions of one event are a list.",
		Bad: Example{Chart: `id: door
initial: closed
context: {locked: false}
states:
  closed:
    on:
      OPEN: {guard: not locked, target: opened}
      OPEN: alarm
  opened: {}
  alarm: {}
`},
		Good: Example{Chart: `id: door
initial: closed
context: {locked: false}
states:
  closed:
    on:
      OPEN:
        - {guard: not locked, target: opened}
        - alarm
  opened: {}
  alarm: {}
`},
	},
	{
		Code: CodeYAML, Title: "the file uses a feature of YAML that charts do without", When: Reading,
		Meaning: "Anchors, aliases, merge keys, tags and several documents in one file are refused: what stands at a place should be all there is to it. Often nobody meant to use one: `!ready` is read as a tag, `*` as an alias, `&` as an anchor.",
		Remedy:  "Put the text into quotes, or write out what the alias stood for.",
		Bad: Example{Chart: `id: door
on:
  KNOCK: {actions: [{log: !hurry somebody knocks}]}
`},
		Good: Example{Chart: `id: door
on:
  KNOCK: {actions: [{log: "!hurry somebody knocks"}]}
`},
	},
	{
		Code: document.CodeKey, Title: "a key that is no text", When: Reading,
		Meaning: "Keys are text. A plain word, also one such as `on`, `null` or `500`, is taken as it is written; a list or an object as a key is not, and neither is an empty key.",
		Remedy:  "Put text with braces or brackets into quotes; `{{ x }}` is a key in YAML, where `${ x }` was meant.",
		Bad: Example{Chart: `id: door
context: {[front]: closed}
`},
		Good: Example{Chart: `id: door
context: {front: closed}
`},
	},
	{
		Code: document.CodeNumber, Title: "a number that cannot be kept", When: Reading,
		Meaning: "Whole numbers have 64 bits, decimal ones are doubles. A number beyond both would silently become another one.",
		Remedy:  "Put it into quotes when it is an identifier rather than a quantity.",
		Bad: Example{Chart: `id: door
context: {serial: 9223372036854775808}
`},
		Good: Example{Chart: `id: door
context: {serial: "9223372036854775808"}
`},
	},
	{
		Code: document.CodeEmpty, Title: "there is nothing in the file", When: Reading,
		Meaning: "The file is empty, or holds nothing but comments.",
		Remedy:  "A chart begins with `id: NAME`.",
		Bad: Example{Chart: `# id: door
`},
		Good: Example{Chart: `id: door
`},
	},
	{
		Code: CodeTooLarge, Title: "the file is over a bound", When: Reading,
		Meaning:   "A chart file is at most 1 MiB long and nested 64 deep, with at most 10,000 states. The bounds keep a hostile file from costing more than it is worth; no chart that a person can read comes near them. As the failure of a call: what came back is larger than the tool takes.",
		Remedy:    "Split the chart: a part of it can be a chart of its own that is invoked with `chart:ID`. Large tables are data, and belong into the input.",
		NoExample: "a file over the bound would not fit on a page.",
	},
	{
		Code: CodeUnknownKey, Title: "a key that the format does not have there", When: Reading,
		Meaning: "The key is not one of those that the format knows at this place. Mostly it is a slip; sometimes a key that stands one level too deep, or one from another format.",
		Remedy:  "Take the name that the hint offers. Data for other programs goes under `meta`, or under a key that begins with `x-` at the root.",
		Bad: Example{Chart: `id: door
inital: closed
states:
  closed: {}
`},
		Good: Example{Chart: `id: door
initial: closed
states:
  closed: {}
`},
	},
	{
		Code: CodeWrongType, Title: "another kind of value is wanted", When: Reading,
		Meaning: "The value is, say, a text where a list is wanted, or a number where text is wanted. YAML reads `1`, `true` and `null` as a number, a truth value and nothing, whatever stands around them.",
		Remedy:  "Write the kind that the message names; put numbers that are meant as text into quotes.",
		Bad: Example{Chart: `id: door
version: 1.0
tags: front
`},
		Good: Example{Chart: `id: door
version: "1.0"
tags: [front]
`},
	},
	{
		Code: CodeBlank, Title: "a key without a value", When: Reading,
		Meaning: "Nothing, or null, stands where something is wanted. In YAML a key with nothing behind it has the value null, and so has one whose value begins with `#`, which begins a comment. A list that must name something, such as `from`, may not be empty either.",
		Remedy:  "Give it a value or remove the key. To forbid an event write `EVENT: {}`; put a target such as `\"#id\"` into quotes.",
		Bad: Example{Chart: `id: door
initial: closed
on:
  KNOCK: {target: .closed, reenter: true}
states:
  closed:
    on:
      KNOCK:
`},
		Good: Example{Chart: `id: door
initial: closed
on:
  KNOCK: {target: .closed, reenter: true}
states:
  closed:
    on:
      KNOCK: {}
`},
	},
	{
		Code: CodeUnexpanded, Title: "a text that reads like an expression", When: Reading,
		Meaning: "In a value a text is text: only what stands in `${ … }` is computed. This one would make sense as an expression over the variables that are declared here, so it is refused rather than guessed.",
		Remedy:  "Write `\"${ knocks + 1 }\"` to compute it, or `{text: \"knocks + 1\"}` when the words themselves are meant.",
		Bad: Example{Chart: `id: door
context: {knocks: 0}
on:
  KNOCK: {actions: [{assign: {knocks: knocks + 1}}]}
`},
		Good: Example{Chart: `id: door
context: {knocks: 0}
on:
  KNOCK: {actions: [{assign: {knocks: "${ knocks + 1 }"}}]}
`},
	},
	{
		Code: CodeInterpolated, Title: "${ … } where it does not belong", When: Reading,
		Meaning: "Guards and `if` are expressions already and stand bare. And in what is carried as it stands, such as a description, nothing is evaluated.",
		Remedy:  "Remove `${` and `}`.",
		Bad: Example{Chart: `id: door
initial: closed
context: {locked: false}
states:
  closed:
    on: {OPEN: {guard: "${ not locked }", target: opened}}
  opened: {}
`},
		Good: Example{Chart: `id: door
initial: closed
context: {locked: false}
states:
  closed:
    on: {OPEN: {guard: not locked, target: opened}}
  opened: {}
`},
	},
	{
		Code: CodeUnwritable, Title: "a definition that no chart file can say", When: Writing,
		Meaning:   "A Definition made by a program, or read from SCXML, can hold things for which the chart file has no words: blocks of actions with errors of their own, the rules of SCXML, timers without transitions. The path in the message says where.",
		Remedy:    "Say it in another way, or keep the definition in the exact JSON form of the Go package.",
		NoExample: "it is about what cannot stand in a chart file.",
	},
	{
		Code: document.CodeUnsupported, Title: "a value that no document can hold", When: Writing,
		Meaning:   "A value made by a program holds NaN, an infinity, a NUL character or text that is not UTF-8. As the failure of a call: this version of Detent, or this system, has nobody who makes such calls, such as those of a model that `detent.yaml` defines.",
		Remedy:    "Correct it where it is made.",
		NoExample: "such a value cannot stand in a file.",
	},
}
