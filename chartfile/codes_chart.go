package chartfile

import "github.com/detent-run/detent/statechart"

// chartCodes are the codes of what a chart cannot be.
var chartCodes = []Explanation{
	{
		Code: statechart.CodeMissing, Title: "something that is required is not there", When: Compiling,
		Meaning: "The chart has no `id`, a compound state does not say with which of its children it begins, a call says no `src`: there is no default for it.",
		Remedy:  "Add what the message names.",
		Bad: Example{Chart: `id: door
states:
  closed: {on: {OPEN: opened}}
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
		Code: statechart.CodeInvalid, Title: "a value outside of what is allowed there", When: Compiling,
		Meaning: "The key allows certain words only, or the text is no duration, or the number is too small or too large.",
		Remedy:  "Take one of the values that the hint lists. A duration has a unit: `500ms`, `45s`, `15m`, `72h`, `30d`.",
		Bad: Example{Chart: `id: door
unhandled: drop
`},
		Good: Example{Chart: `id: door
unhandled: reject
`},
	},
	{
		Code: statechart.CodeNotAllowed, Title: "a key that this kind of state or action cannot have", When: Compiling,
		Meaning: "The key exists, and means nothing here: a final state takes no events, a parallel state has no initial one, an atomic state cannot be done. As the failure of a call of a file tool: the tool's `allow` has not what was asked, or the system says no.",
		Remedy:  "Remove the key, or change the type of the state.",
		Bad: Example{Chart: `id: door
initial: closed
states:
  closed: {on: {BREAK: broken}}
  broken: {type: final, on: {REPAIR: closed}}
`},
		Good: Example{Chart: `id: door
initial: closed
states:
  closed: {on: {BREAK: broken}}
  broken: {on: {REPAIR: closed}}
`},
	},
	{
		Code: statechart.CodeTargets, Title: "targets that cannot be active together", When: Compiling,
		Meaning: "Several targets must lie in different regions of one parallel state. Two children of a compound state are never active at once, and no target may contain another (R17).",
		Remedy:  "Name one target, or make the state that holds them `type: parallel`.",
		Bad: Example{Chart: `id: door
initial: closed
states:
  closed: {on: {OPEN: {target: [opened, lit]}}}
  opened: {}
  lit: {}
`},
		Good: Example{Chart: `id: door
initial: closed
states:
  closed: {on: {OPEN: {target: ["#door.inside.opened", "#door.inside.lit"]}}}
  inside:
    type: parallel
    states:
      opened: {}
      lit: {}
`},
	},
	{
		Code: statechart.CodeCondition, Title: "a guard that is not exactly one thing", When: Compiling,
		Meaning: "A guard in long form has one of `type`, `and`, `or`, `not` and `in`; `params` go with `type`. Two of them at once would leave open how they are joined.",
		Remedy:  "Join them with `and` or `or`, or write one expression.",
		Bad: Example{Chart: `id: door
initial: closed
context: {locked: false}
states:
  closed: {on: {OPEN: {guard: {in: closed, not: locked}, target: opened}}}
  opened: {}
`},
		Good: Example{Chart: `id: door
initial: closed
context: {locked: false}
states:
  closed: {on: {OPEN: {guard: {and: [{in: closed}, {not: locked}]}, target: opened}}}
  opened: {}
`},
	},
	{
		Code: statechart.CodeAction, Title: "an action that is not exactly one thing", When: Compiling,
		Meaning: "An action is a name, or an object that says one thing to do. Two in one object would leave open which comes first; none says nothing.",
		Remedy:  "Make each of them an entry of the list of actions.",
		Bad: Example{Chart: `id: door
context: {knocks: 0}
on:
  KNOCK: {actions: [{assign: {knocks: "${ knocks + 1 }"}, log: somebody knocks}]}
`},
		Good: Example{Chart: `id: door
context: {knocks: 0}
on:
  KNOCK: {actions: [{assign: {knocks: "${ knocks + 1 }"}}, {log: somebody knocks}]}
`},
	},
	{
		Code: statechart.CodeCycle, Title: "a default or an eventless transition that leads back to itself", When: Compiling,
		Meaning: "Transitions under `always` that have no guard are taken at once; a cycle of them would never come to rest. The same goes for a history whose default leads back to it.",
		Remedy:  "Give one of the transitions a guard, or an event.",
		Bad: Example{Chart: `id: door
initial: closed
states:
  closed: {always: opened}
  opened: {always: closed}
`},
		Good: Example{Chart: `id: door
initial: closed
context: {locked: true}
states:
  closed: {always: {guard: not locked, target: opened}}
  opened: {always: {guard: locked, target: closed}}
`},
	},
	{
		Code: statechart.CodeConflict, Title: "promotions whose result would depend on their order", When: Compiling,
		Meaning: "When a parallel state is left, all its regions are. Two of them that promote one variable with `replace`, or with different merges, would overwrite each other; and what is added with `append` or `sum` from a state that a history can bring back would be counted again.",
		Remedy:  "Promote into two variables, or merge with `union`, `max`, `min` or, without a history, `sum`.",
		Bad: Example{Chart: `id: search
initial: work
context: {found: null}
states:
  work:
    type: parallel
    on: {STOP: stopped}
    states:
      web: {context: {hits: 1}, promote: {found: "${ hits }"}}
      files: {context: {paths: 2}, promote: {found: "${ paths }"}}
  stopped: {}
`},
		Good: Example{Chart: `id: search
initial: work
context: {found: 0}
states:
  work:
    type: parallel
    on: {STOP: stopped}
    states:
      web: {context: {hits: 1}, promote: {found: {value: "${ hits }", merge: sum}}}
      files: {context: {paths: 2}, promote: {found: {value: "${ paths }", merge: sum}}}
  stopped: {}
`},
	},
	{
		Code: statechart.CodeLimit, Title: "too large, too deep, or too many", When: Compiling,
		Meaning: "A chart, an expression or a value is over one of the bounds that are built in. A chart's own `limits` lower them and never raise them. An expression may be 4 KiB long and nested 32 deep.",
		Remedy:  "Compute in steps, in several variables; take lists apart; keep large data outside.",
		Bad: Example{Chart: `id: sums
context: {total: 0}
on:
  ADD: {actions: [{assign: {total: "${ (((((((((((((((((((((((((((((((((total + 1))))))))))))))))))))))))))))))))) }"}}]}
`},
		Good: Example{Chart: `id: sums
context: {total: 0}
on:
  ADD: {actions: [{assign: {total: "${ total + 1 }"}}]}
`},
	},
	{
		Code: statechart.CodeSemantics, Title: "the chart is written for other rules", When: Compiling,
		Meaning: "`semantics` is the number of the rules that a chart was written for. This version of Detent follows other ones, and does not guess what the difference would do.",
		Remedy:  "Remove the key to take the current rules, after reading what changed; or run the chart with a version that follows its rules.",
		Bad: Example{Chart: `id: door
semantics: 99
`},
		Good: Example{Chart: `id: door
semantics: 1
`},
	},
	{
		Code: statechart.CodeSchema, Title: "a JSON Schema that is none", When: Compiling,
		Meaning: "What stands under `input`, or under `data` of an event, is not a JSON Schema (2020-12): a type that does not exist, a bad pattern, a reference to elsewhere.",
		Remedy:  "Correct it. The types are `object`, `array`, `string`, `number`, `integer`, `boolean` and `null`.",
		Bad: Example{Chart: `id: door
events:
  KNOCK: {data: {type: object, properties: {who: {type: text}}}}
`},
		Good: Example{Chart: `id: door
events:
  KNOCK: {data: {type: object, properties: {who: {type: string}}}}
`},
	},
	{
		Code: statechart.CodeContextType, Title: "functions of two context types in one registry", When: Compiling,
		Meaning:   "A Go program registered guards and actions on different typed contexts, or a chart with data of its own was compiled with them, or a session was given a context of another type.",
		Remedy:    "Use one context type per registry, and give sessions a pointer to it.",
		NoExample: "it is about Go types, and a chart file knows none.",
	},
}
