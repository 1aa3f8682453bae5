package main

import "slices"

// documents are bugs in what only SCXML documents have (R36 to R40).
var documents = slices.Concat(
	of("statechart/scxml_calls.go",
		mutant{
			name: "R36 finalize runs for every call", run: "^TestR36_",
			before: `if l.Source != e.Envelope.Source && (e.Envelope.Invocation == "" || l.Source.ID != e.Envelope.Invocation) {`,
			after:  "if false {",
		},
		mutant{
			name: "R36 the end of a call is not finalized", run: "^TestR36_",
			before: `l.Source != e.Envelope.Source && (e.Envelope.Invocation == ""`,
			after:  `(e.Envelope.Invocation == ""`,
		},
		mutant{
			name: "R37 everything is forwarded", run: "^TestR37_",
			before: ".def.Forward {",
			after:  ".def.Forward && false {",
		},
		mutant{
			name: "R37 a copy forgets the call that it comes from", run: "^TestR37_",
			before: `kind == "invoke" || kind == "do"`,
			after:  "kind == \"\"",
		},
		mutant{
			name: "R37 a copy answers what the event answered", run: "^TestR37_",
			before: `out.Source, out.Effect = Source{}, ""`,
			after:  "",
		},
		mutant{
			name: "R37 an error of a send is forwarded", run: "^TestR37_",
			before: `e.engine() && e.Envelope.Source.Kind == "send"`,
			after:  "false",
		},
		mutant{
			name: "R37 calls are forwarded to in the order of their start", run: "^TestR37_|^TestMutantR37_",
			before: "return int(a.state - b.state)",
			after:  "return int(b.state - a.state)",
		},
		mutant{
			name: "R40 an id is stored after the call's arguments", run: "^TestR40_Calls",
			before: "if v.idLocation != nil {",
			after:  "if v.idLocation != nil && p.options.Src != \"\" {",
		},
		mutant{
			name: "R40 every kind of process can be started", run: "^TestR40_Calls",
			before: "if err == nil && !isSession(kind) {",
			after:  "if false {",
		},
		mutant{
			name: "R40 made ids are all alike", run: "^TestR40_Calls",
			before: "in.rare.ids++\n",
			after:  "",
		},
	),
	of("statechart/macrostep.go",
		mutant{
			name: "R36 finalize runs after the event was consumed", run: "^TestR36_",
			before: "in.finalize(&e)\n\t}\n",
			after:  "}\n\tdefer in.finalize(&e)\n",
		},
		mutant{
			name: "R40 nobody is heard", run: "^TestR40_Targets",
			before: "in.hear(e.Envelope.Origin)",
			after:  "_ = e",
		},
	),
	of("statechart/scxml_data.go",
		mutant{
			name: "R38 late data is made at each entry", run: "^TestR38_Late",
			before: "r.bound.add(s)\n",
			after:  "",
		},
		mutant{
			name: "R38 early data is only the root's", run: "^TestR38_Early",
			before: "for i := range c.nodes {\n\t\tin.firstValues(int32(i))\n\t}",
			after:  "in.firstValues(0)",
		},
		mutant{
			name: "R38 early data is made again at each entry", run: "^TestR38_Early",
			before: "if s > 0 {\n\t\treturn\n\t}\n",
			after:  "",
		},
		mutant{
			name: "R38 what is given replaces inner data, too", run: "^TestR38_Given",
			before: "ok && s == 0 {",
			after:  "ok {",
		},
		mutant{
			name: "R38 what is given is overwritten", run: "^TestR38_Given",
			before: "r.slots[v.slot] = x\n\t\t\tcontinue\n",
			after:  "r.slots[v.slot] = x\n",
		},
		mutant{
			name: "R38 a failing value ends the others", run: "^TestR38_Failing",
			before: "in.executionError(\"data\", d.place, err)\n\t\t\tcontinue",
			after:  "in.executionError(\"data\", d.place, err)\n\t\t\treturn",
		},
	),
	of("statechart/scxml_send.go",
		mutant{
			name: "R40 a stranger can be reached", run: "^TestR40_Targets",
			before: "return to == r.parent ||",
			after:  "return true || to == r.parent ||",
		},
		mutant{
			name: "R40 a parent is not reached by its id", run: "^TestR40_Targets",
			before: "return to == r.parent ||",
			after:  "return",
		},
		mutant{
			name: "R40 a session without a parent reaches one", run: "^TestR40_NoParent",
			before: `return r.parent != ""`,
			after:  "return true",
		},
		mutant{
			name: "R40 one's own session is another", run: "^TestR40_Targets",
			before: "case named && id == session:",
			after:  "case named && id == \"\":",
		},
		mutant{
			name: "R40 every event processor is ours", run: "^TestR40_Parts",
			before: `if processor != "" && processor != "scxml" &&`,
			after:  `if processor == "never" &&`,
		},
		mutant{
			name: "R40 an internal event may wait", run: "^TestR40_Parts",
			before: "if delay > 0 {\n\t\t\treturn &Error",
			after:  "if false {\n\t\t\treturn &Error",
		},
		mutant{
			name: "R40 no delay is a timer", run: "^TestR40_Parts",
			before: `case delay > 0 && to != "":`,
			after:  "case m.delay != nil:",
		},
		mutant{
			name: "R40 who is there is asked before the delay", run: "^TestR40_TargetsOf",
			before: `case delay > 0 && to != "":`,
			after:  "case delay > 0 && s.in.reachable(to):",
		},
		mutant{
			name: "R40 a word for a receiver is an id", run: "^TestR40_Targets",
			before: `case id == "self" || id == "internal" || id == "parent":`,
			after:  "case false:",
		},
		mutant{
			name: "R40 a delay may have a sign", run: "^TestR40_Parts",
			before: `"0123456789."`,
			after:  `"+-0123456789."`,
		},
		mutant{
			name: "R40 a delay may end in a point", run: "^TestR40_Parts",
			before: "number[len(number)-1] == '.'",
			after:  "false",
		},
		mutant{
			name: "R40 a computed delay has any unit", run: "^TestR40_Parts",
			before: "m.delay.eval != nil && s.in",
			after:  "m.delay == nil && s.in",
		},
		mutant{
			name: "R40 an error does not name its send", run: "^TestR40_Targets",
			before: "return &sendError{id, err}",
			after:  "return err",
		},
		mutant{
			name: "R40 who is unreachable stops the block", run: "^TestR40_Targets",
			before: "unreachable(event, target, id), sendID: id, platform: true})\n",
			after:  "unreachable(event, target, id), sendID: id, platform: true})\n\t\treturn errors.New(\"stop\")\n",
		},
		mutant{
			name: "R40 sessions heard from are remembered for ever", run: "^TestMutantR40_",
			before: "len(r.heard) >= maxHeard",
			after:  "len(r.heard) < 0",
		},
	),
	of("statechart/sender.go",
		mutant{
			name: "R40 what the engine raises is internal", run: "^TestR40_Sender",
			before: "if r.inner.platform {",
			after:  "if false {",
		},
		mutant{
			name: "R40 a start has a sender", run: "^TestR40_Sender",
			before: `r.event.Name == "detent.init"`,
			after:  "false",
		},
		mutant{
			name: "R40 an answer comes from no call", run: "^TestR40_Sender",
			before: "out.Invocation = e.Source.ID",
			after:  "_ = e.Source.ID",
		},
	),
	of("statechart/timers.go",
		mutant{
			name: "R40 a delayed event forgets its id", run: "^TestR40_Sender",
			before: "own.SendID, own.Origin = id, in.rare.session",
			after:  "own.Origin = in.rare.session",
		},
		mutant{
			name: "R40 a delayed send to nobody is sent", run: "^TestR40_TargetsOf",
			before: "if in.chart.scxml && !in.reachable(t.To) {",
			after:  "if false {",
		},
		mutant{
			name: "R40 a delayed send to nobody does not say which it was", run: "^TestR40_TargetsOf",
			before: "unreachable(t.Name, t.To, t.Source.ID), &failed",
			after:  `unreachable(t.Name, t.To, ""), &failed`,
		},
	),
	of("statechart/compile_action.go", mutant{
		name: "R40 a delay of a document may be any duration", run: "^TestR40_Parts",
		before: "m.delay = c.sendDelay(",
		after:  "m.delay = c.delay(",
	}),
	of("internal/world/effects.go", mutant{
		name: "R25 a cancelled session still reaches its parent", run: "^TestACancelledChildSends",
		before: "if s.gone && s.answers != nil && (",
		after:  "if false && (",
	}),
	of("internal/world/call.go", mutant{
		name: "sessions start sessions without end", run: "^TestSessionsAreNested",
		before: "if c.from.depth >= maxNested {",
		after:  "if c.from.depth >= 3*maxNested {",
	}),
	of("statechart/locations.go",
		mutant{
			name: "R22 a constant may be assigned", run: "^TestR33_",
			before: "case ok && !target.constant:",
			after:  "case ok:",
		},
		mutant{
			name: "R40 a location that is none does not compile", run: "^TestR40_Locations",
			before: "case !c.chart.scxml:",
			after:  "case true:",
		},
		mutant{
			name: "R40 a script of a chart compiles", run: "^TestR40_|^TestRefusalsOfDialects",
			before: "if !able {\n\t\tc.fail(CodeNotAllowed",
			after:  "if !able {\n\t\treturn func(*Scope) error { return nil }\n\t}\n\tif false {\n\t\tc.fail(CodeNotAllowed",
		},
	),
	of("statechart/scxml_snapshot.go",
		mutant{
			name: "R31 first values are forgotten in a snapshot", run: "^TestR38_Late",
			before: "if len(s.bound) > 0 {",
			after:  "if len(s.bound) < 0 {",
		},
		mutant{
			name: "a session that stands twice is read", run: "^TestRefusedForgeriesOfDocuments",
			before: "seen[id] || id == s.session",
			after:  "id == s.session",
		},
		mutant{
			name: "a call at another place is read", run: "^TestRefusedForgeriesOfDocuments",
			before: `calls[i].def.ID == "" && made || calls[i].def.ID == id`,
			after:  "made || id != \"\"",
		},
	),
)
