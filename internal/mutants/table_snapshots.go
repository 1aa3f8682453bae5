package main

import "slices"

// snapshots: states as values and as documents (R2, R30, R31), and what the
// digest tells apart.
var snapshots = slices.Concat(
	of("statechart/snapshot.go",
		mutant{
			name: "R31 a resumed session counts from the start", run: "^TestR31_",
			before: "steps: uint32(s.s.sequence)}",
			after:  "steps: 0}",
		},
		mutant{
			name: "a snapshot shares the instance's configuration", run: "^TestMutantR31_",
			before: "active: slices.Clone(in.current())}",
			after:  "active: in.current()}",
		},
		mutant{
			name: "a snapshot shares the instance's context", run: "^TestFace_",
			before: "s.ctx = in.chart.context.copy(in.ctx, nil)",
			after:  "s.ctx = in.ctx",
		},
		mutant{
			name: "a pure step writes into the context of its argument", run: "^TestFace_",
			before: "in.ctx = c.context.copy(s.s.ctx, nil)",
			after:  "in.ctx = s.s.ctx",
		},
		mutant{
			name: "a snapshot of another chart is resumed", run: "^TestFace_|^TestRefused",
			before: "if s.s.chart != c && s.s.chart.digest != c.digest {",
			after:  "if s.s.chart != c && s.s.chart.digest == \"\" {",
		},
	),
	of("statechart/encode.go",
		mutant{
			name: "R31 the counter of ids is not written", run: "^TestMutantR31_",
			before: `w.number("ids", int64(s.ids))`,
			after:  `w.number("ids", 0)`,
		},
		mutant{
			name: "R31 the payload of a delayed send is not written", run: differential,
			before: "out[\"data\"] = t.Data",
			after:  "_ = t.Data",
		},
		mutant{
			name: "R31 the envelope of a kept event is not written", run: "^TestMutantR31_",
			before: "if v := e.Envelope; v != nil {",
			after:  "if v := e.Envelope; v != nil && v.AcceptedAt < 0 {",
		},
		mutant{
			name: "R31 kept timers without a scope beside them are not written", run: differential,
			before: "len(p.scopes)+len(p.timers) > 0",
			after:  "len(p.scopes) > 0",
		},
		mutant{
			name: "R31 histories are not written", run: "^TestR31_",
			before: "if len(history) > 0 {",
			after:  "if len(history) > len(c.nodes) {",
		},
		mutant{
			name: "R31 the lengths of lists are not written", run: "^TestRefus",
			before: "lists[c.lists[i]] = n",
			after:  "lists[c.lists[i]] = n - n",
		},
	),
	of("statechart/json.go",
		mutant{
			name: "R31 a whole float64 is written as an integer", run: "^TestR33_",
			before: "b = append(b, '.', '0')",
			after:  "b = append(b, \"\"...)",
		},
		mutant{
			name: "R31 keys are written in the order of the map", run: "^TestR31_",
			before: "for i, k := range sortedKeys(x) {",
			after:  "keys := []string{}\n\tfor k := range x {\n\t\tkeys = append(keys, k)\n\t}\n\tfor i, k := range keys {",
		},
		mutant{
			name: "R31 control characters are written wrong", run: "^TestMutantR31_",
			before: "hexDigits[c>>4], hexDigits[c&15]",
			after:  "hexDigits[c&15], hexDigits[c>>4]",
		},
	),
	of("statechart/decode.go",
		mutant{
			name: "R2 an illegal configuration is read", run: "^TestRefus|^TestR02_",
			before: "!d.c.legal(d.s.active)",
			after:  "!d.s.active.has(0)",
		},
		mutant{
			name: "R2 two children of a compound state are legal", run: "^TestRefus|^TestR02_",
			before: "n.kind == Compound && count != 1",
			after:  "n.kind == Compound && count < 1",
		},
		mutant{
			name: "R2 a parallel state without one of its regions is legal", run: "^TestRefus|^TestR02_",
			before: "n.kind == Parallel && count != len(n.children)",
			after:  "n.kind == Parallel && count == 0",
		},
		mutant{
			name: "a snapshot of another version of the chart is read", run: "^TestRefus",
			before: `if d.err == nil && chart["digest"] != d.c.digest {`,
			after:  `if d.err == nil && chart["digest"] == "" {`,
		},
		mutant{
			name: "a snapshot of other semantics is read", run: "^TestRefus",
			before: "d.err == nil && n != Semantics",
			after:  "d.err == nil && n < Semantics",
		},
		mutant{
			name: "unknown keys are read over", run: "^TestRefus",
			before: "if !slices.Contains(allowed, k) {",
			after:  "if !slices.Contains(allowed, k) && k == \"\" {",
		},
		mutant{
			name: "a variable that is missing is null", run: "^TestRefus",
			before: "x, ok := m[v.name]\n\t\tif !ok {",
			after:  "x, ok := m[v.name]\n\t\tif !ok && v.name == \"\" {",
		},
	),
	of("statechart/decode_pending.go",
		mutant{
			name: "R24 timers are read in any order", run: "^TestRefus",
			before: "n > 0 && !before(&d.s.timers[n-1], &t)",
			after:  "n > 0 && before(&t, &t)",
		},
		mutant{
			name: "R26 a call of a state that is not active is read", run: "^TestMutantR26_",
			before: "if i < 0 || !d.s.active.has(s) {",
			after:  "if i < 0 {",
		},
	),
	of("statechart/seal.go",
		mutant{
			name: "the digest does not know the versions of functions", run: "^TestFace_Digest",
			before: ` + "\x00" + c.registry.version(bareName(name))`,
			after:  "",
		},
		mutant{
			name: "the digest does not know the language", run: "^TestMutantDigest$",
			before: `h.Write([]byte("\x00language\x00" + c.registry.language.Version()))`,
			after:  "_ = h",
		},
		mutant{
			name: "the digest knows a transition's description", run: "^TestMutantDigest$",
			before: "\t\t\tlist[i].Description = \"\"\n",
			after:  "\t\t\t_ = i\n",
		},
	),
)
