package chartgen

import (
	"math/rand/v2"

	"github.com/detent-run/detent/internal/oracle"
	"github.com/detent-run/detent/statechart"
)

// Case is one random chart with its script.
type Case struct {
	Seed, Number uint64
	Definition   statechart.Definition
	// Typed says that the chart works on a [Counters] and has no data.
	Typed  bool
	Input  any
	Script []Op
}

// steps is the length of a script.
const steps = 20

// New makes case number of a seed. A chart that fails while it starts teaches
// little, so most of them are drawn again.
func New(seed, number uint64) Case {
	r := rand.New(rand.NewPCG(seed, number))
	for {
		g := &gen{r: r}
		c := g.one()
		if g.chance(8) || c.starts() {
			c.Seed, c.Number = seed, number
			return c
		}
	}
}

// starts reports whether the chart is active after its start. What is wrong
// with it otherwise is for the test to find.
func (c Case) starts() (ok bool) {
	defer func() { ok = ok || recover() != nil }()
	chart, err := oracle.New(c.Definition, Behaviour(c.Typed))
	if err != nil {
		return true
	}
	_, r := chart.Start(c.Context(), c.Input, 0)
	return r.Status == statechart.Active
}

// Context is a new typed context, nil for a chart with data.
func (c Case) Context() any {
	if !c.Typed {
		return nil
	}
	return &Counters{}
}

func (g *gen) one() Case {
	g.draw()
	g.tree()
	g.data()
	g.fill()
	c := Case{Typed: g.typed, Definition: g.definition()}
	c.Input = map[string]any{"n": g.small()}
	for range steps {
		c.Script = append(c.Script, g.op())
	}
	return c
}

// gen is the state of making one case.
type gen struct {
	r     *rand.Rand
	nodes []*node // in order of making; the first is the root
	root  *node
	calls int // invocations made, for their ids

	typed, pure, scxml, handler                                                             bool
	parallels, histories, eventless, timers, invokes, defers, scopes, errors, raises, dones bool
	unguarded                                                                               bool // the one unguarded always is spent
}

// draw chooses the features of the chart.
func (g *gen) draw() {
	g.typed = g.chance(33)
	g.pure = g.typed && g.chance(60) // nothing but transitions, guards and calls
	g.scxml = g.chance(22)
	g.parallels = g.chance(60)
	g.histories = g.chance(50)
	g.eventless = g.chance(45)
	g.raises = g.chance(60)
	g.dones = g.chance(20) // finals in plenty, and much that waits for them
	if g.pure {
		return
	}
	g.timers = g.chance(55)
	g.invokes = g.chance(55)
	g.defers = g.chance(50)
	g.scopes = !g.typed && g.chance(70) && !g.scxml // where all data is global
	g.errors = g.chance(40)
	g.handler = g.errors && g.chance(85)
}

// chance is true in percent of 100 cases.
func (g *gen) chance(percent int) bool { return g.r.IntN(100) < percent }

// small is a small integer.
func (g *gen) small() int64 { return int64(g.r.IntN(6)) }

func pick[T any](g *gen, from ...T) T { return from[g.r.IntN(len(from))] }

// definition puts the parts together.
func (g *gen) definition() statechart.Definition {
	d := statechart.Definition{ID: "c", Root: g.root.assemble()}
	if g.scxml {
		d.Dialect = "scxml"
	}
	d.Limits = statechart.Limits{Microsteps: 8 + g.r.IntN(20), Raised: 12 + g.r.IntN(20)}
	d.Events = []statechart.EventDeclaration{{Name: "e9"}}
	d.Unhandled = pick(g, "", "", "", "ignore", "reject", "defer")
	if g.pure {
		d.Unhandled = pick(g, "", "", "reject")
		return d
	}
	if g.chance(15) {
		d.Limits.Effects = 6 + g.r.IntN(16)
	}
	if g.chance(10) {
		d.Limits.Raised = 3 + g.r.IntN(5)
	}
	if g.chance(40) {
		d.Limits.Deferred = 1 + g.r.IntN(3)
	}
	if !g.typed {
		three := []statechart.Variable{{Name: "k0", Value: int64(3)}}
		if g.scxml { // it has no constants
			d.Root.Context = append(three, d.Root.Context...)
		} else {
			d.Constants = three
		}
		d.Lists = []string{"rows0", "rows1"}
		if g.chance(12) {
			d.Limits.Fuel = int64(100 + g.r.IntN(400))
		}
	}
	d.Delays = []statechart.Variable{{Name: "short", Value: int64(10)}, {Name: "long", Value: "1.5s"}}
	return d
}
