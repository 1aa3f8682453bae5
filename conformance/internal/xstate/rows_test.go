package xstate

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/internal/chartgen"
)

// Every row is one of the page's list, in its order and with its rules.
func TestRowsAreThoseOfThePage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/semantics.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, found := strings.Cut(string(page), "## Where charts differ from XState v5\n")
	if !found {
		t.Fatal("the page has no such list")
	}
	rules := regexp.MustCompile(`R\d+`)
	said := strings.Split(list, "\n- ")[1:]
	if len(said) != len(Rows) {
		t.Fatalf("the page has %d differences, the rows are %d", len(said), len(Rows))
	}
	for i, r := range Rows {
		if want, got := rules.FindAllString(said[i], -1), rules.FindAllString(r.Differ, -1); !slices.Equal(got, want) {
			t.Errorf("%s is of %v, and on the page of %v: %s", r.Row, got, want, said[i])
		}
	}
}

// played plays events on a chart file and returns the row that stopped it,
// and the number of steps before.
func played(t *testing.T, file string, events string) (Row, int) {
	t.Helper()
	f, found := chartfile.Read("chart.yaml", []byte(file))
	if found.Errors() {
		t.Fatal(found)
	}
	c := Case{Definition: f.Definition, Input: map[string]any{}}
	for _, name := range strings.Fields(events) {
		op := chartgen.Op{Kind: "event", Name: name}
		switch name {
		case "(restore)":
			op = chartgen.Op{Kind: "restore"}
		case "(5ms)":
			op = chartgen.Op{Kind: "advance", Wait: 5}
		}
		c.Script = append(c.Script, op)
	}
	run, err := Ours(c)
	if err != nil {
		t.Fatal(err)
	}
	return run.Stopped, len(run.Steps) - 1
}

// Each row that can arise is noticed when it does, and not before.
func TestRowsAreNoticed(t *testing.T) {
	for _, c := range []struct {
		name, file, events string
		row                Row
		steps              int // that are compared before it
	}{
		{"an ancestor's handler beside a region's", `
id: c
type: parallel
on: {e: {actions: [{log: ancestor}]}, f: {actions: [{log: ancestor}]}}
states:
  a: {initial: x, states: {x: {on: {e: {actions: [{log: region}]}}}}}
  b: {initial: y, states: {y: {}}}
`, "f e", RowAncestors, 1},
		{"an ancestor's handler that loses", `
id: c
initial: p
states:
  p:
    type: parallel
    on: {e: q}
    states:
      a: {initial: x, states: {x: {on: {e: z}}, z: {}}}
      b: {initial: y, states: {y: {}}}
  q: {}
`, "e", "", 1},
		{"eventless transitions after a step", `
id: c
type: parallel
context: {go: false}
states:
  a: {initial: w, states: {w: {on: {n: x}}, x: {always: {guard: go, target: z}}, z: {}}}
  b: {initial: y, on: {g: {actions: [{assign: {go: "${ true }"}}]}}, states: {y: {always: {guard: go, target: z}}, z: {}}}
`, "n g", RowEventless, 1},
		{"the same after a restore", `
id: c
type: parallel
context: {go: false}
states:
  a: {initial: w, states: {w: {on: {n: x}}, x: {always: {guard: go, target: z}}, z: {}}}
  b: {initial: y, on: {g: {actions: [{assign: {go: "${ true }"}}]}}, states: {y: {always: {guard: go, target: z}}, z: {}}}
`, "n (restore) g", "", 3},
		{"a transition across regions", `
id: c
initial: p
states:
  p:
    type: parallel
    states:
      a: {initial: x, states: {x: {on: {e: '#c.p.b.z', f: w}}, w: {}}}
      b: {initial: y, states: {y: {}, z: {}}}
`, "e", RowRegions, 0},
		{"reenter on a region", `
id: c
initial: p
states:
  p:
    type: parallel
    states:
      a: {initial: x, on: {e: {target: .x, reenter: true}, f: .x}, states: {x: {}}}
      b: {initial: y, states: {y: {}}}
`, "f e", RowRegions, 1},
		{"across regions of the root", `
id: c
type: parallel
states:
  a: {initial: x, states: {x: {on: {e: '#c.b.z'}}}}
  b: {initial: y, states: {y: {}, z: {}}}
`, "e", "", 1},
		{"an error in a guard", `
id: c
initial: x
context: {l: []}
states:
  x: {on: {e: {guard: "l[3] == 1", target: y}, error.execution: y}}
  y: {}
`, "e", RowErrors, 0},
		{"a cancel of two delayed events", `
id: c
initial: x
states:
  x: {on: {e: {actions: [{cancel: t}, {raise: late, delay: 5ms, id: t}]}, f: {actions: [{raise: late, delay: 5ms, id: t}]}, late: {}}}
`, "e e f e", RowCancel, 3},
		{"a cancel after two delayed events", `
id: c
initial: x
states:
  x: {on: {e: {actions: [{cancel: t}]}, f: {actions: [{raise: late, delay: 5ms, id: t}]}, late: {}}}
`, "f f (5ms) f e", "", 5},
		{"a cancel of the one of two that is left", `
id: c
initial: x
states:
  x: {on: {e: {actions: [{cancel: t}]}, f: {actions: [{raise: late, delay: 5ms, id: t}]}, g: {actions: [{raise: late, delay: 1s, id: t}]}, late: {}}}
`, "f g (5ms) e", RowCancel, 3},
		{"an initial's actions beside a target", `
id: c
initial: x
states:
  x: {on: {e: '#c.p.a.z', f: p}}
  p:
    type: parallel
    on: {g: x}
    states:
      a: {initial: y, states: {y: {}, z: {}}}
      b: {initial: {target: y, actions: [{log: initial}]}, states: {y: {}}}
`, "f g e", RowInitial, 2},
		{"an initial's actions in a state that a history restored", `
id: c
initial: q
states:
  q: {initial: a, on: {f: w}, states: {a: {initial: {target: y, actions: [{log: initial}]}, states: {y: {}}}, h: {type: history, target: a}}}
  w: {on: {e: '#c.q.h', g: q}}
`, "f g f e", RowInitial, 3},
		{"an initial's actions by a local transition", `
id: c
initial: a
states:
  a: {initial: {target: y, actions: [{log: initial}]}, on: {e: a, f: {target: a, reenter: true}}, states: {y: {}}}
`, "f e", RowInitial, 1},
		{"an initial's actions for a history without default", `
id: c
initial: w
states:
  q: {initial: {target: a, actions: [{log: initial}]}, states: {a: {}, h: {type: history}}}
  w: {on: {e: '#c.q.h'}}
`, "e", RowInitial, 0},
		{"a history that leads back to the source", `
id: c
initial: q
states:
  q:
    initial: a
    states: {a: {on: {e: '#c.q.h', f: {target: '#c.q.h', reenter: true}}, entry: [{log: entry}]}, h: {type: history}}
`, "f e", RowHistory, 1},
		{"a history far above what is left", `
id: c
initial: q
states:
  h: {type: history, history: deep, target: q.r.b}
  q:
    initial: r
    states:
      r: {initial: a, on: {e: '#c.h'}, states: {a: {}, b: {}}}
`, "e", RowHistory, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			row, steps := played(t, c.file, c.events)
			if row != c.row || steps != c.steps {
				t.Errorf("stopped by %q after %d steps, want %q after %d", row, steps, c.row, c.steps)
			}
		})
	}
}
