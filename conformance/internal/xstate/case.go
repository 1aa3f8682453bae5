package xstate

import (
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/detent-run/detent/internal/chartgen"
	"github.com/detent-run/detent/statechart"
)

// Case is one random chart with its script. The kinds of its ops are event,
// advance (Wait milliseconds), answer (the Pick-th open call ends; Name is
// done or error) and restore.
type Case = chartgen.Case

// scriptLength is how many steps a script has.
const scriptLength = 14

// New makes case number of a seed, the same for the same two numbers, and
// plays it on our side. Charts that do not come to rest are drawn again: they
// would teach what a limit is and nothing else. So are those whose unguarded
// eventless transitions go in circles, which are refused here and not there.
// Any other chart that does not compile is an error.
func New(seed, number uint64) (Case, Run, error) {
	r := rand.New(rand.NewPCG(seed, number))
	for redrawn := 0; ; redrawn++ {
		g := &gen{r: r}
		c := g.one()
		c.Seed, c.Number = seed, number
		p, err := begin(c)
		if circular(err) {
			continue
		}
		if err != nil {
			return c, Run{}, err
		}
		if c.Script = g.script(p); !p.run.restless {
			p.run.Redrawn = redrawn
			return c, p.run, nil
		}
	}
}

// script draws the ops of a script while they are played, so that most of
// them do something. A session that has ended is asked once more.
func (g *gen) script(p *player) []chartgen.Op {
	var script []chartgen.Op
	for ended := 0; len(script) < scriptLength && !p.run.restless && ended < 2; {
		op := g.op()
		tries := 4
		if g.chance(25) {
			tries = 0
		}
		for try := 0; p.goesOn() && try < tries && !p.can(op); try++ {
			op = g.op()
		}
		script = append(script, op)
		if p.goesOn() {
			if p.step(&op); p.world.Instance(session).Status() != statechart.Active {
				ended++
			}
		}
	}
	return script
}

// circular reports whether nothing is wrong with a chart but a cycle.
func circular(err error) bool {
	var all statechart.Errors
	if !errors.As(err, &all) {
		return false
	}
	return !slices.ContainsFunc(all, func(e *statechart.Error) bool { return e.Code != statechart.CodeCycle })
}

// gen is the state of making one case.
type gen struct {
	r     *rand.Rand
	nodes []*node // in order of making; the first is the root
	root  *node
	calls int // invocations made, for their ids

	// what the chart has
	parallels, histories, eventless, timers, invokes, finals, wildcards bool
	raises, sending, initials, locals, failing                          bool
	output, finalEnds, crossing, sloppy                                 bool

	// what the expressions and actions that are being made may do
	guarding bool // see which states are active
	blind    bool // not read the event
	calm     bool // not change data
}

// draw chooses the features of the chart.
func (g *gen) draw() {
	g.parallels = g.chance(65)
	g.histories = g.chance(55)
	g.eventless = g.chance(60)
	g.timers = g.chance(60)
	g.invokes = g.chance(55)
	g.finals = g.chance(75)
	g.wildcards = g.chance(60)
	g.raises = g.chance(70)
	g.sending = g.chance(65)
	g.initials = g.chance(75)
	g.locals = g.chance(50)
	g.failing = g.chance(30)
	g.output = g.chance(40)    // of the root
	g.finalEnds = g.chance(35) // a final child of the root
	g.crossing = g.chance(8)   // targets in other regions of the same parallel
	g.sloppy = g.chance(6)     // delayed events whose id may be in use
}

func (g *gen) one() Case {
	g.draw()
	g.tree()
	g.declare()
	g.fill()
	c := Case{Definition: statechart.Definition{
		ID:     "c",
		Root:   g.root.assemble(),
		Delays: []statechart.Variable{{Name: "short", Value: "20ms"}, {Name: "long", Value: int64(50)}},
		// far above what a chart that comes to rest needs
		Limits: statechart.Limits{Microsteps: 60, Raised: 60},
	}}
	for _, name := range events { // one that a chart does not know is refused here
		c.Definition.Events = append(c.Definition.Events, statechart.EventDeclaration{Name: name})
	}
	c.Input = map[string]any{"n": g.small(), "s": "in"}
	return c
}

// op draws one step of a script.
func (g *gen) op() chartgen.Op {
	switch k := g.r.IntN(100); {
	case k < 18 && (g.timers || g.sending):
		return chartgen.Op{Kind: "advance", Wait: int64(5 * g.r.IntN(14))}
	case k < 30 && g.invokes:
		o := chartgen.Op{Kind: "answer", Name: pick(g, "done", "done", "error"), Pick: g.r.IntN(4), Data: map[string]any{"n": g.small(), "s": "a"}}
		return o
	case k < 36:
		return chartgen.Op{Kind: "restore"}
	}
	o := chartgen.Op{Kind: "event", Name: pick(g, events...), Data: map[string]any{"n": g.small(), "s": pick(g, "d", "e")}}
	if g.chance(10) {
		o.Data = nil
	}
	return o
}

// chance is true in percent of 100 cases.
func (g *gen) chance(percent int) bool { return g.r.IntN(100) < percent }

// small is a small integer.
func (g *gen) small() int64 { return int64(g.r.IntN(6)) }

func pick[T any](g *gen, from ...T) T { return from[g.r.IntN(len(from))] }

// events are what scripts send; raised and sent are what charts send
// themselves.
var (
	events = []string{"e0", "e1", "e2", "a", "a.b", "a.b.c"}
	raised = []string{"r0", "r1", "r2"}
	sent   = []string{"s0", "s1"}
)

// descriptor is what a transition listens to.
func (g *gen) descriptor() string {
	switch k := g.r.IntN(20); {
	case k == 0 && g.wildcards:
		return "*"
	case k < 3 && g.wildcards:
		return pick(g, "a.*", "a.*", "a.b.*")
	case k < 6 && g.raises:
		return pick(g, raised...)
	case k < 8 && g.sending:
		return pick(g, sent...)
	}
	return pick(g, events...)
}

// listens reports whether n has a transition for a descriptor already.
func (n *node) listens(descriptor string) bool {
	return slices.ContainsFunc(n.On, func(t statechart.Transition) bool { return t.Event == descriptor })
}
