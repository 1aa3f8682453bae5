package main

import "slices"

// worlds: the driver that suites and tests stand on.
var worlds = slices.Concat(
	of("internal/world/queue.go",
		mutant{
			name:   "R24 a new event overtakes those in the inbox",
			before: "w.inbox = append(w.inbox, delivery{to: s, event: e})",
			after:  "w.inbox = append([]delivery{{to: s, event: e}}, w.inbox...)",
		},
		mutant{
			name:   "an answer comes after a timer of the same time",
			before: "w.agenda[answer].due <= timed.due.Due)",
			after:  "w.agenda[answer].due < timed.due.Due)",
		},
		mutant{
			name:   "of answers due together the newest comes first",
			before: "a.number < w.agenda[first].number",
			after:  "a.number > w.agenda[first].number",
		},
		mutant{
			name:   "timers of several sessions fire in the order of the sessions",
			before: "(first == nil || s.due.Due < first.due.Due)",
			after:  "first == nil",
		},
	),
	of("internal/world/call.go",
		mutant{
			name:   "R25 a stopped child goes on",
			before: "child.gone = true",
			after:  "child.gone = false",
		},
		mutant{
			name:   "R26 a stopped call is heard of",
			before: "\tw.agenda = slices.DeleteFunc(w.agenda, func(a appointment) bool { return a.call == c })\n",
			after:  "",
		},
		mutant{
			name:   "a call is answered twice",
			before: "if a.Kind != \"progress\" {\n\t\tc.ended = true",
			after:  "if a.Kind != \"progress\" {\n\t\tc.ended = false",
		},
	),
	of("internal/world/world.go",
		mutant{
			name:   "a timer due when the time is up does not fire",
			before: "if !ok || due > end {",
			after:  "if !ok || due >= end {",
		},
	),
	of("internal/world/session.go",
		mutant{
			name:   "R26 a failed child reports that it is done",
			before: "if s.in.Status() == statechart.Completed {",
			after:  "if s.in.Status() != statechart.Active {",
		},
	),
	of("internal/world/effects.go",
		mutant{
			name:   "a send to nobody is lost",
			before: "if to == nil {\n",
			after:  "if to == nil {\n\t\treturn\n\t}\n\tif to == nil {\n",
		},
		mutant{
			name:   "a send reaches a session that is over",
			before: "if r == nil || r.gone || r.in != nil && !r.active() {",
			after:  "if r == nil || r.gone {",
		},
	),
)
