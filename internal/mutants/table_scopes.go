package main

import "slices"

// scopes: variables, parking with histories, and promotion (R33).
var scopes = slices.Concat(
	of("statechart/data.go",
		mutant{
			name: "R33 nothing is parked", run: "^TestR33_",
			before: "if len(r.coverings) > 0 {",
			after:  "if len(r.coverings) > len(r.exits)+1000 {",
		},
		mutant{
			name: "R33 a failing initial value stops the ones after it", run: "^TestR33_|^TestR33_",
			before: "in.initialError(s, v, err)\n",
			after:  "in.initialError(s, v, err)\n\t\t\treturn\n",
		},
		mutant{
			name: "R33 a failing promotion stops the ones after it", run: "^TestR33_",
			before: "in.promote(s, &n.promotions[i])\n",
			after:  "before := r.raised\n\t\tif in.promote(s, &n.promotions[i]); r.raised > before {\n\t\t\tbreak\n\t\t}\n",
		},
		mutant{
			name: "R33 sum overflows silently", run: "^TestR33_|^TestR33_",
			before: "(s > x) == (y > 0)",
			after:  "s != 0 || y <= 0 || y > 0",
		},
		mutant{
			name: "R33 union keeps doubles", run: "^TestR33_|^TestR33_",
			before: "key := canonical(e); !seen[key]",
			after:  "key := canonical(e); key != \"\"",
		},
		mutant{
			name: "R33 max takes the least", run: "^TestR33_|^TestR33_",
			before: `(how == "max") == (order < 0)`,
			after:  `(how == "max") == (order > 0)`,
		},
		mutant{
			name: "R33 a promoted null counts", run: "^TestR33_|^TestR33_",
			before: "case v == nil:\n\t\treturn old, nil",
			after:  "case v == nil && how == \"union\":\n\t\treturn old, nil",
		},
		mutant{
			name: "R33 append writes into the list that a snapshot shares", run: "^TestMutantR33_",
			before: "append(list[:len(list):len(list)], v)",
			after:  "append(list, v)",
		},
		mutant{
			name: "R33 union writes into the list that a snapshot shares", run: "^TestMutantR33_",
			before: "out := list[:len(list):len(list)]",
			after:  "out := list",
		},
	),
	of("statechart/history.go",
		mutant{
			name: "R33 what is parked is restored by any entry", run: "^TestR33_",
			before: "for _, h := range r.restored {\n\t\tfor _, p := range r.parked[c.nodes[h].ordinal].scopes {",
			after:  "for _, h := range c.histories {\n\t\tfor _, p := range r.parked[c.nodes[h].ordinal].scopes {",
		},
		mutant{
			name: "R33 what is parked is never dropped", run: "^TestMutantR33_",
			before: "r.parked[c.nodes[h].ordinal] = parking{}\n\t\t}",
			after:  "_ = r.parked[c.nodes[h].ordinal]\n\t\t}",
		},
		mutant{
			name: "R33 a history does not park its parent's scope", run: "^TestR33_",
			before: "cover.add(parent.index)\n",
			after:  "",
		},
		mutant{
			name: "R33 shallow history parks all that is exited below it", run: differential,
			before: "r.planner.closure(recorded, parent.index, r.history, cover)",
			after:  "for i := range cover {\n\t\tcover[i] = ^uint64(0)\n\t}",
		},
		mutant{
			name: "R27 keep takes the due time for what remains", run: "^TestR27_",
			before: "max(t.Due-r.now, 0)",
			after:  "t.Due",
		},
		mutant{
			name: "R27 kept timers of one state are mixed up", run: "^TestMutantR27_",
			before: "if p.state == s && p.index == index {",
			after:  "if p.state == s {",
		},
	),
	of("statechart/compile_state.go",
		mutant{
			name: "R33 a variable may shadow another", run: "^TestR33_|^TestRefus",
			before: "if _, taken := c.visible(n.index, v.Name); taken {",
			after:  "if _, taken := c.visible(n.index, v.Name); taken && n.index == 0 {",
		},
		mutant{
			name: "R33 sum may be promoted from a scope that can be parked", run: "^TestR33_|^TestRefus",
			before: `(merge == "append" || merge == "sum") && c.parkable(n.index)`,
			after:  `merge == "append" && c.parkable(n.index)`,
		},
		mutant{
			name: "R33 only deep histories park", run: "^TestR33_|^TestRefus",
			before: "if c.chart.nodes[k].deep || byDefault {",
			after:  "if c.chart.nodes[k].deep {",
		},
	),
	of("statechart/compile_transition.go",
		mutant{
			name: "R33 regions may promote one variable in any way", run: "^TestR33_|^TestRefus",
			before: "\tc.promotionConflicts()\n",
			after:  "",
		},
		mutant{
			name: "R33 regions may both replace one variable", run: "^TestR33_|^TestRefus",
			before: `(merge == "replace" || merge != p.merge)`,
			after:  `merge != p.merge`,
		},
	),
)
