package conformance

import (
	"testing"

	"github.com/detent-run/detent/chartfile"
	export "github.com/detent-run/detent/chartfile/xstate"
	"github.com/detent-run/detent/conformance/internal/xstate"
	"github.com/detent-run/detent/internal/chartgen"
)

// TestXStateErrors makes actions, data, delays and outputs fail in all places
// that they have: error.execution must say the same of it here and there.
func TestXStateErrors(t *testing.T) {
	node := startNode(t)
	ev := func(n string) chartgen.Op { return chartgen.Op{Kind: "event", Name: n} }
	for chart, script := range map[string][]chartgen.Op{
		failingChart:   {ev("E1"), ev("E2"), ev("E5"), ev("E6"), ev("TYPE"), {Kind: "advance", Wait: 4000}, ev("E3"), {Kind: "advance", Wait: 4000}, ev("E4")},
		failingRegions: {ev("E")},
	} {
		f, found := chartfile.Read("c.yaml", []byte(chart))
		if found.Errors() {
			t.Fatal(found)
		}
		alike(t, node, xstate.Case{Definition: f.Definition, Script: script})
	}
}

// alike plays a case here and in XState. What is seen must be the same in
// both, to the end of the script.
func alike(t *testing.T, node *xstate.Node, c xstate.Case) {
	t.Helper()
	ours, theirs := inBoth(t, node, c)
	if len(ours.Steps) != len(c.Script)+1 || len(theirs.Steps) < len(ours.Steps) {
		t.Errorf("of %d steps %d were played here and %d there", len(c.Script), len(ours.Steps)-1, len(theirs.Steps)-1)
	}
	if d := xstate.Compare(ours.Steps, theirs.Steps); d != nil {
		t.Errorf("%s", d)
	}
}

// inBoth plays a case here and, as a module, in XState.
func inBoth(t *testing.T, node *xstate.Node, c xstate.Case) (xstate.Run, xstate.Played) {
	t.Helper()
	ours, err := xstate.Ours(c)
	if err != nil {
		t.Fatal(err)
	}
	module, err := export.Module(c.Definition)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := node.Play(c, module)
	if err != nil {
		t.Fatal(err)
	}
	return ours, theirs
}

// A final state is a whole region here, and its output fails.
const failingRegions = `
id: c
type: parallel
context: {r: [], l: []}
states:
  f: {type: final, output: "${ l[9] }"}
  g:
    initial: a
    on: {error.execution: {actions: [{assign: {r: "${ concat(r, [event.kind, event.place]) }"}}]}}
    states: {a: {on: {E: b}}, b: {}}
`

const failingChart = `
id: c
requires: {actions: [mark]}
context: {r: [], n: 0, l: [1, 2], marks: []}
initial: a
on:
  error.execution: {actions: [{assign: {r: "${ concat(r, [event.kind, event.place, event.error.kind]) }"}}]}
  E1: {actions: [{assign: {n: 1}}, {if: n == 1, then: [{log: one}, {assign: {n: "${ n / 0 }"}}, {log: never}]}, {log: never}]}
  E2: {actions: [{foreach: "${ l }", as: x, do: [{assign: {n: "${ n + x }"}}, {if: x == 2, then: [{raise: Q, data: "${ x / 0 }"}]}]}, {log: never}]}
  E3: .b
  E4: .p
  E5: {actions: [{assign: {n: 5}}, {type: mark, params: {as: "${ n }"}}, {assign: {n: "${ n + len(marks) }"}}, {type: mark, params: {as: "${ n / 0 }"}}, {type: mark, params: {as: never}}, {log: never}]}
  E6: {actions: [{assign: {n: "${ n / 0 }"}}, mark]}
  TYPE: {actions: [{log: "${ event.type }"}]}
states:
  a: {after: {3s: {actions: [{log: "${ event.type }"}]}}}
  b:
    context: {v: "${ 1 / 0 }", w: "${ v }"}
    entry: [{log: "${ w }"}]
    after: {"${ 1 / 0 }": a, "${ n * 10 }": {actions: [{log: "${ event.type }"}]}}
  p:
    initial: q
    onDone: {actions: [{log: "${ event.output }"}, {log: "${ event.type }"}]}
    states: {q: {type: final, output: "${ 1 / 0 }"}}
`
