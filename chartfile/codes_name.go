package chartfile

import "github.com/detent-run/detent/statechart"

// nameCodes are the codes of names and expressions.
var nameCodes = []Explanation{
	{
		Code: statechart.CodeInvalidName, Title: "a name holds what it may not", When: Compiling,
		Meaning: "Names of states, ids and variables hold no dot, `#`, `*` or white space: these mean something in targets, events and expressions. An event descriptor has its `*` alone or after the last dot.",
		Remedy:  "Choose another name. What people should read goes into `description`.",
		Bad: Example{Chart: `id: door
initial: half open
states:
  half open: {}
`},
		Good: Example{Chart: `id: door
initial: halfOpen
states:
  halfOpen: {description: half open}
`},
	},
	{
		Code: statechart.CodeDuplicate, Title: "two things of one name", When: Compiling,
		Meaning: "Two states have one id, a variable is declared again below a state that has it, two calls that can be live together share an id, or two delays of one `after` are equal. Nothing is shadowed: a name means one thing wherever it can be seen.",
		Remedy:  "Rename one of them, or join what stands under both.",
		Bad: Example{Chart: `id: door
initial: closed
context: {visits: 0}
states:
  closed: {context: {visits: 0}}
`},
		Good: Example{Chart: `id: door
initial: closed
context: {visits: 0}
states:
  closed: {context: {knocks: 0}}
`},
	},
	{
		Code: statechart.CodeUnknownState, Title: "a target that is no state", When: Compiling,
		Meaning: "A target begins at a sibling of its source or at the source itself, with `.` below the source, or with `#` at an id. A child's bare name is not one: write `.child`. An `initial` begins below its own state, a history's default below the parent.",
		Remedy:  "Take the state that the hint offers, or write `#id.path`.",
		Bad: Example{Chart: `id: door
initial: closed
states:
  closed: {on: {OPEN: opend}}
  opened: {}
`},
		Good: Example{Chart: `id: door
initial: closed
states:
  closed: {on: {OPEN: opened}}
  opened: {}
`},
	},
	{
		Code: statechart.CodeUnknownGuard, Title: "a guard that is not registered", When: Compiling,
		Meaning: "A guard with a `type` is a function of Go code. A file lists those that it uses under `requires.guards`, and a program registers them.",
		Remedy:  "List it, or correct the name. What can be computed from the data needs no Go: write an expression.",
		Bad: Example{Chart: `id: door
initial: closed
states:
  closed: {on: {OPEN: {guard: {type: mayEnter}, target: opened}}}
  opened: {}
`},
		Good: Example{Chart: `id: door
requires: {guards: [mayEnter]}
initial: closed
states:
  closed: {on: {OPEN: {guard: {type: mayEnter}, target: opened}}}
  opened: {}
`},
	},
	{
		Code: statechart.CodeUnknownAction, Title: "an action that is not registered", When: Compiling,
		Meaning: "An action that is only a name is a function of Go code. A file lists those that it uses under `requires.actions`, and a program registers them.",
		Remedy:  "List it, or correct the name. What merely assigns, raises or logs needs no Go.",
		Bad: Example{Chart: `id: door
on: {KNOCK: {actions: [ring]}}
`},
		Good: Example{Chart: `id: door
requires: {actions: [ring]}
on: {KNOCK: {actions: [ring]}}
`},
	},
	{
		Code: statechart.CodeUnknownSource, Title: "a source of calls that is not registered", When: Compiling,
		Meaning: "A source without a colon is a performer of Go code. A file lists those that it uses under `requires.performers`, and a program registers them.",
		Remedy:  "List it, or correct the name. Tools, models, people and charts are `tool:NAME`, `model:NAME`, `human:approve`, `chart:ID`.",
		Bad: Example{Chart: `id: door
requires: {performers: [bell]}
initial: closed
states:
  closed: {invoke: {src: bel, onDone: opened}}
  opened: {}
`},
		Good: Example{Chart: `id: door
requires: {performers: [bell]}
initial: closed
states:
  closed: {invoke: {src: bell, onDone: opened}}
  opened: {}
`},
	},
	{
		Code: statechart.CodeUnknownName, Title: "a variable, a list or a delay that is not declared", When: Compiling,
		Meaning: "A variable can be used in the state whose `context` declares it, and below. Lists and delays are declared at the root.",
		Remedy:  "Take the name that the hint offers, or declare it where all who use it can see it.",
		Bad: Example{Chart: `id: door
context: {knocks: 0}
on:
  KNOCK: {actions: [{assign: {knock: "${ knocks + 1 }"}}]}
`},
		Good: Example{Chart: `id: door
context: {knocks: 0}
on:
  KNOCK: {actions: [{assign: {knocks: "${ knocks + 1 }"}}]}
`},
	},
	{
		Code: statechart.CodeReserved, Title: "a name that is the engine's", When: Compiling,
		Meaning: "Events such as `done.invoke.ID` and `error.execution` come from the engine. A chart takes them with `on`; it cannot declare, raise or send one, and nobody can send one from outside: a session could not tell it from a true one (R28).",
		Remedy:  "Choose another name. Plain `done`, `error` and `init` are yours.",
		Bad: Example{Chart: `id: door
on:
  BREAK: {actions: [{raise: error.execution}]}
`},
		Good: Example{Chart: `id: door
on:
  BREAK: {actions: [{raise: broken}]}
  broken: {}
`},
	},
	{
		Code: statechart.CodeExpression, Title: "an expression that is not right", When: Compiling,
		Meaning: "The expression cannot be read, calls a function that does not exist, or puts kinds together that never fit, such as a text and a number.",
		Remedy:  "Look at the column. The language is described in [expressions.md](../expressions.md).",
		Bad: Example{Chart: `id: door
context: {knocks: 0}
initial: closed
states:
  closed: {on: {OPEN: {guard: knocks <, target: opened}}}
  opened: {}
`},
		Good: Example{Chart: `id: door
context: {knocks: 0}
initial: closed
states:
  closed: {on: {OPEN: {guard: knocks < 3, target: opened}}}
  opened: {}
`},
	},
}
