package chartfile

import "github.com/detent-run/detent/statechart"

// runCodes are the codes of macrosteps that were undone and of sessions that
// ended, could not start or could not be restored.
var runCodes = []Explanation{
	{
		Code: statechart.CodeMicrosteps, Title: "the macrostep does not come to rest", When: Running,
		Meaning: "More sets of transitions were taken for one event than `limits.microsteps` allows (1,000 unless lowered). The macrostep was undone; the reason lists the last configurations, which show the cycle (R29).",
		Remedy:  "Find the guard under `always` that stays true, and let an action make it false.",
		Bad: Example{Chart: `id: door
initial: closed
context: {windy: true}
states:
  closed: {on: {OPEN: opened}}
  opened: {always: {guard: windy, target: slammed}}
  slammed: {always: {guard: windy, target: opened}}
`, Steps: []Step{{"event", "OPEN"}}, Says: `the macrostep has too many microsteps`},
		Good: Example{Chart: `id: door
initial: closed
context: {windy: true}
states:
  closed: {on: {OPEN: opened}}
  opened: {always: {guard: windy, target: slammed}}
  slammed: {entry: [{assign: {windy: false}}], always: {guard: windy, target: opened}}
`, Steps: []Step{{"event", "OPEN"}}},
	},
	{
		Code: statechart.CodeRaised, Title: "too many events were raised", When: Running,
		Meaning: "One macrostep raised more events than `limits.raised` allows (1,000 unless lowered); often an event whose transition raises it again. The macrostep was undone (R29).",
		Remedy:  "Raise on a condition that ends, or use `after` or `every` for what should go on.",
		Bad: Example{Chart: `id: bell
limits: {raised: 10}
on:
  RING: {actions: [{raise: RING}]}
`, Steps: []Step{{"event", "RING"}}, Says: `the macrostep raises too many events`},
		Good: Example{Chart: `id: bell
limits: {raised: 10}
context: {rung: 0}
on:
  RING:
    - {guard: rung < 3, actions: [{assign: {rung: "${ rung + 1 }"}}, {raise: RING}]}
    - {actions: [{log: it is quiet}]}
`, Steps: []Step{{"event", "RING"}}},
	},
	{
		Code: statechart.CodeEffects, Title: "too many effects", When: Running,
		Meaning: "One macrostep asked for more calls, sends, timers, rows and log entries than `limits.effects` allows (100 unless lowered). It was undone, and none of them happened (R29).",
		Remedy:  "Work through long lists in several steps, or hand the list over in one call.",
		Bad: Example{Chart: `id: mail
on:
  POST: {actions: [{foreach: "${ 1..200 }", as: number, do: [{log: "${ number }"}]}]}
`, Steps: []Step{{"event", "POST"}}, Says: `the macrostep has too many effects`},
		Good: Example{Chart: `id: mail
on:
  POST: {actions: [{log: "${ 1..200 }"}]}
`, Steps: []Step{{"event", "POST"}}},
	},
	{
		Code: statechart.CodeFuel, Title: "the expressions of the macrostep cost too much", When: Running,
		Meaning: "All expressions of a macrostep share one amount of fuel, `limits.fuel` (1,000,000 unless lowered); each step of each function takes from it, and so does each piece of text that is made. It was undone (R29).",
		Remedy:  "Compute less at once: look at functions inside functions over the same list, and at text that grows in a loop.",
		Bad: Example{Chart: `id: sums
limits: {fuel: 1000}
context: {total: 0}
on:
  SUM: {actions: [{assign: {total: "${ sum(map(1..1000, # * #)) }"}}]}
`, Steps: []Step{{"event", "SUM"}}, Says: `the macrostep's fuel is spent`},
		Good: Example{Chart: `id: sums
limits: {fuel: 1000}
context: {total: 0}
on:
  SUM: {actions: [{assign: {total: "${ sum(map(1..10, # * #)) }"}}]}
`, Steps: []Step{{"event", "SUM"}}},
	},
	{
		Code: statechart.CodeUnhandled, Title: "an error that nothing takes ended the session", When: Running,
		Meaning: "A call failed, an action failed, or the platform reported an error, and no active state has a transition for it. The session fails rather than go on as if nothing had happened (R21).",
		Remedy:  "Give the call an `onError`, or a state above `on: {error.execution: …}`.",
		Bad: Example{Chart: `id: door
initial: ringing
states:
  ringing: {invoke: {id: bell, src: "tool:bell", onDone: opened}}
  opened: {}
`, Steps: []Step{{"error", `bell={"code": "broken", "message": "no power"}`}}, Says: `nothing takes error.invoke.bell: no power`},
		Good: Example{Chart: `id: door
initial: ringing
states:
  ringing: {invoke: {id: bell, src: "tool:bell", onDone: opened, onError: knocking}}
  opened: {}
  knocking: {}
`, Steps: []Step{{"error", `bell={"code": "broken", "message": "no power"}`}}},
	},
	{
		Code: statechart.CodeUnknownOutcome, Title: "nobody knows whether a call happened", When: Running,
		Meaning: "The outcome of a call is unknown: it may have happened, and repeating it could do harm. No active state takes the event, so the session is parked until a person decides (R21).",
		Remedy:  "Give the call an `onUnknown`, or a mode that finds out: `reconcile` asks before it tries again.",
		Bad: Example{Chart: `id: payment
initial: paying
states:
  paying: {invoke: {id: pay, src: "tool:pay", onDone: paid, onError: failed}}
  paid: {}
  failed: {}
`, Steps: []Step{{"unknown", "pay"}}, Says: `nothing takes unknown.invoke.pay: nobody knows whether the call happened`},
		Good: Example{Chart: `id: payment
initial: paying
states:
  paying: {invoke: {id: pay, src: "tool:pay", onDone: paid, onError: failed, onUnknown: asking}}
  paid: {}
  failed: {}
  asking: {invoke: {src: "human:approve", input: {question: Was it paid?}, onDone: paid, onError: failed}}
`, Steps: []Step{{"unknown", "pay"}}},
	},
	{
		Code: statechart.CodeInput, Title: "the input does not fit its schema", When: Starting,
		Meaning: "`input` is the JSON Schema of what a new session takes, and what was given does not fit. The session did not start. As the failure of a call: its input does not fit the schema of the tool, or is not what the tool takes.",
		Remedy:  "Give what the schema asks for; the message names the place.",
		Bad: Example{Chart: `id: door
input: {type: object, required: [owner], properties: {owner: {type: string}}}
context: {owner: "${ input.owner }"}
`, Steps: []Step{{"input", `{"owner": 7}`}}, Says: `the input does not fit its schema: owner is a number, not text`},
		Good: Example{Chart: `id: door
input: {type: object, required: [owner], properties: {owner: {type: string}}}
context: {owner: "${ input.owner }"}
`, Steps: []Step{{"input", `{"owner": "Ada"}`}}},
	},
	{
		Code: statechart.CodeStart, Title: "the data of the root could not be made", When: Starting,
		Meaning: "An expression in the root's `context` ended in an error, so there is nothing for the session to start with. Below the root such an error is `error.execution`, and the variable is null.",
		Remedy:  "Declare what the input must hold under `input`, and read what may be absent with `?.` or `??`.",
		Bad: Example{Chart: `id: door
context: {owner: "${ input.owner }"}
`, Steps: []Step{{"input", `{}`}}, Says: `the initial value of owner cannot be made: there is no field "owner" (?. and ?? read a field that may be absent)`},
		Good: Example{Chart: `id: door
context: {owner: "${ input.owner ?? 'nobody' }"}
`, Steps: []Step{{"input", `{}`}}},
	},
	{
		Code: statechart.CodeChartMismatch, Title: "a snapshot of another chart", When: Restoring,
		Meaning:   "The digest in the snapshot is not that of the chart it is to be restored with. States, data and timers may mean something else there, so nothing is guessed.",
		Remedy:    "Register the chart that the session began with, or move the session on purpose.",
		NoExample: "it takes two charts and a stored session.",
	},
	{
		Code: statechart.CodeSnapshot, Title: "a snapshot that cannot be read", When: Restoring,
		Meaning:   "The stored text is no snapshot, was cut off, or says what no session of the chart can be: it was changed by hand, or damaged.",
		Remedy:    "Restore it from a copy. Sessions are changed by events, never by hand.",
		NoExample: "it takes a stored session that was damaged.",
	},
}
