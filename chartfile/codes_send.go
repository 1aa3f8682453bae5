package chartfile

import "github.com/detent-run/detent/statechart"

// sendCodes are the codes of events that were not simply taken.
var sendCodes = []Explanation{
	{
		Code: statechart.CodeNotTaken, Title: "no transition for the event here", When: Sending,
		Meaning: "The chart knows the event, and no active state has a transition for it. The event is on the record as ignored, and nothing changed.",
		Remedy:  "Often nothing. Otherwise add the transition where it is missing, keep the event with `defer`, or let `unhandled: reject` tell the sender.",
		Bad: Example{Chart: `id: door
initial: closed
states:
  closed: {on: {OPEN: opened}}
  opened: {on: {CLOSE: closed}}
`, Steps: []Step{{"event", "CLOSE"}}, Says: `no transition takes the event in the current configuration`},
		Good: Example{Chart: `id: door
initial: closed
states:
  closed: {on: {OPEN: opened}}
  opened: {on: {CLOSE: closed}}
`, Steps: []Step{{"event", "OPEN"}, {"event", "CLOSE"}}},
	},
	{
		Code: statechart.CodeGuardFalse, Title: "there are transitions, and no guard held", When: Sending,
		Meaning: "Active states have transitions for the event, and the guard of each said no. A guard that ends in an error says no, too, and raises `error.execution`.",
		Remedy:  "`why EVENT` in `detent sim` shows each guard with its answer. Add a last transition without a guard where nothing should fall through.",
		Bad: Example{Chart: `id: door
initial: closed
context: {locked: true}
states:
  closed: {on: {OPEN: {guard: not locked, target: opened}}}
  opened: {}
`, Steps: []Step{{"event", "OPEN"}}, Says: `no guard of a transition for the event holds`},
		Good: Example{Chart: `id: door
initial: closed
context: {locked: true}
states:
  closed: {on: {OPEN: [{guard: not locked, target: opened}, alarm]}}
  opened: {}
  alarm: {}
`, Steps: []Step{{"event", "OPEN"}}},
	},
	{
		Code: statechart.CodeForbidden, Title: "the chart forbids the event here", When: Sending,
		Meaning: "A transition `EVENT: {}` of an active state forbids it, so that ancestors do not take it either. It is on the record as ignored.",
		Remedy:  "Nothing, if that is meant. Otherwise remove the empty transition.",
		Bad: Example{Chart: `id: door
initial: closed
on: {OPEN: .opened}
states:
  closed: {on: {LOCK: locked}}
  locked: {on: {OPEN: {}}}
  opened: {}
`, Steps: []Step{{"event", "LOCK"}, {"event", "OPEN"}}, Says: `the event is forbidden in the current configuration`},
		Good: Example{Chart: `id: door
initial: closed
on: {OPEN: .opened}
states:
  closed: {on: {LOCK: locked}}
  locked: {}
  opened: {}
`, Steps: []Step{{"event", "LOCK"}, {"event", "OPEN"}}},
	},
	{
		Code: statechart.CodeDeferred, Title: "the event is kept for later", When: Sending,
		Meaning: "An active state lists the event under `defer`, or the chart says `unhandled: defer`. It is delivered by itself, in its turn, as soon as a transition can take it.",
		Remedy:  "Nothing: it is no error. What happens with it is a macrostep of its own on the record.",
		Bad: Example{Chart: `id: door
initial: busy
states:
  busy: {defer: [OPEN], on: {READY: closed}}
  closed: {on: {OPEN: opened}}
  opened: {}
`, Steps: []Step{{"event", "OPEN"}}, Says: `the event is kept until a transition takes it`},
		Good: Example{Chart: `id: door
initial: busy
states:
  busy: {defer: [OPEN], on: {READY: closed}}
  closed: {on: {OPEN: opened}}
  opened: {}
`, Steps: []Step{{"event", "READY"}, {"event", "OPEN"}}},
	},
	{
		Code: statechart.CodeFull, Title: "too many events are kept already", When: Sending,
		Meaning: "As many deferred events wait as `limits.deferred` allows. The event was refused, and its sender knows.",
		Remedy:  "Send it again later. If it keeps happening, nothing takes what is deferred: look at the states that should.",
		Bad: Example{Chart: `id: door
limits: {deferred: 1}
initial: busy
states:
  busy: {defer: [OPEN], on: {READY: closed}}
  closed: {on: {OPEN: opened}}
  opened: {}
`, Steps: []Step{{"event", "OPEN"}, {"event", "OPEN"}}, Says: `no more events can be deferred`},
		Good: Example{Chart: `id: door
limits: {deferred: 2}
initial: busy
states:
  busy: {defer: [OPEN], on: {READY: closed}}
  closed: {on: {OPEN: opened}}
  opened: {}
`, Steps: []Step{{"event", "OPEN"}, {"event", "OPEN"}}},
	},
	{
		Code: statechart.CodeUnknownEvent, Title: "the chart does not know the event", When: Sending,
		Meaning: "No transition, no `defer` and no `events` names it, and no `*` stands anywhere: it is a slip, or meant for another chart. It was refused at the door, without a macrostep.",
		Remedy:  "Correct the name. An event that a chart knows and takes nowhere yet can be declared under `events`.",
		Bad: Example{Chart: `id: door
initial: closed
states:
  closed: {on: {OPEN: opened}}
  opened: {}
`, Steps: []Step{{"event", "OPNE"}}, Says: `the chart knows no such event`},
		Good: Example{Chart: `id: door
initial: closed
states:
  closed: {on: {OPEN: opened}}
  opened: {}
`, Steps: []Step{{"event", "OPEN"}}},
	},
	{
		Code: statechart.CodeSender, Title: "the event may not come from there", When: Sending,
		Meaning: "`events` lists under `from` who may send it, and this sender is none of them. Without `from`, clients and sessions may.",
		Remedy:  "Let the right one send it, or widen `from`.",
		Bad: Example{Chart: `id: door
events: {OPEN: {from: [human]}}
initial: closed
states:
  closed: {on: {OPEN: opened}}
  opened: {}
`, Steps: []Step{{"event", "OPEN"}}, Says: `the event "OPEN" may not come from a client`},
		Good: Example{Chart: `id: door
events: {OPEN: {from: [human, client]}}
initial: closed
states:
  closed: {on: {OPEN: opened}}
  opened: {}
`, Steps: []Step{{"event", "OPEN"}}},
	},
	{
		Code: statechart.CodeData, Title: "the data of the event does not fit its schema", When: Sending,
		Meaning: "`events` declares a JSON Schema for the event's data, and what came does not fit. The event was refused at the door; raised or sent by the chart itself it is an error of the action.",
		Remedy:  "Send what the schema asks for; the message names the place.",
		Bad: Example{Chart: `id: door
events: {KNOCK: {data: {type: object, required: [who], properties: {who: {type: string}}}}}
on: {KNOCK: {actions: [{log: "${ event.who }"}]}}
`, Steps: []Step{{"event", `KNOCK={"who": 7}`}}, Says: `the data of "KNOCK" does not fit its schema: who is a number, not text`},
		Good: Example{Chart: `id: door
events: {KNOCK: {data: {type: object, required: [who], properties: {who: {type: string}}}}}
on: {KNOCK: {actions: [{log: "${ event.who }"}]}}
`, Steps: []Step{{"event", `KNOCK={"who": "Ada"}`}}},
	},
	{
		Code: statechart.CodeEnded, Title: "the session takes no events any more", When: Sending,
		Meaning: "It is completed, failed, cancelled or parked. The event was refused.",
		Remedy:  "Start a new session. Work that goes on belongs into a state that is not final.",
		Bad: Example{Chart: `id: door
initial: closed
states:
  closed: {on: {BREAK: broken}}
  broken: {type: final}
`, Steps: []Step{{"event", "BREAK"}, {"event", "BREAK"}}, Says: `the session is completed and takes no events`},
		Good: Example{Chart: `id: door
initial: closed
on: {BREAK: .broken}
states:
  closed: {}
  broken: {}
`, Steps: []Step{{"event", "BREAK"}, {"event", "BREAK"}}},
	},
	{
		Code: statechart.CodeStale, Title: "the answer of something that is over", When: Sending,
		Meaning:   "A call was answered, or a timer came due, after the state that it belonged to was left, or after the call had ended. The session has moved on; the answer is kept as evidence and changes nothing (R26). Ticks that a host was down for are of this kind, too, where the chart skips them.",
		Remedy:    "Nothing: it protects the chart from answers to questions that it no longer asks.",
		NoExample: "a late answer comes from a host, and no chart file is wrong.",
	},
	{
		Code: statechart.CodeReentrant, Title: "sent from inside a callback", When: Sending,
		Meaning:   "A guard or an action of Go code sent an event to the very session that was calling it. Taking it would let one macrostep begin inside another.",
		Remedy:    "Raise an event instead (`Scope.Raise`), or send when the step is over.",
		NoExample: "it is about Go code that a chart calls.",
	},
}
