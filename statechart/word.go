package statechart

import (
	"math/bits"
	"unsafe"
)

// wordTable is the bitset form for calm charts of up to 64 states: the
// configuration is one word, and so is each set that a step needs. Charts
// with more states, or with more than quick callbacks, go the general way.
type wordTable struct {
	chart     *Chart
	leaves    uint64
	above     []uint64 // by state: its ancestors and itself
	handles   []uint64 // by event: states that have a candidate
	exiting   uint64   // states with exit callbacks
	entering  uint64   // states with entry callbacks
	initially uint64   // states whose initial has callbacks
	moves     []wordMove
}

// wordMove is one transition: the states that leave if they are active, the
// ones that enter, and the ones whose initial is taken.
type wordMove struct{ exit, enter, byDefault uint64 }

// newWordTable returns nil where the form cannot serve.
func newWordTable(c *Chart) *wordTable {
	if !c.calm || len(c.nodes) > 64 || c.dense == nil {
		return nil
	}
	w := &wordTable{chart: c, leaves: c.leafMask[0], above: make([]uint64, len(c.nodes)), handles: make([]uint64, len(c.events)), moves: make([]wordMove, len(c.transitions))}
	for i := range c.nodes {
		n := &c.nodes[i]
		w.above[i] = 1 << i
		if n.parent >= 0 {
			w.above[i] |= w.above[n.parent]
		}
		for id := range c.events {
			if c.dense[i*len(c.events)+id].n > 0 {
				w.handles[id] |= 1 << i
			}
		}
		w.exiting |= flag(n.exit, i)
		w.entering |= flag(n.entry, i)
		w.initially |= flag(n.initialActions, i)
	}
	for i := range c.transitions {
		w.moves[i] = w.move(&c.transitions[i])
	}
	return w
}

func flag(b *block, i int) uint64 {
	if b == nil {
		return 0
	}
	return 1 << i
}

func (w *wordTable) move(t *transition) (m wordMove) {
	if t.targetless {
		return m
	}
	d := &w.chart.nodes[t.domain]
	m.exit = between(d.index+1, d.last)
	for _, e := range t.entry.states {
		if e.state != t.domain {
			m.enter |= 1 << e.state
		}
		if e.byDefault {
			m.byDefault |= 1 << e.state
		}
	}
	return m
}

// between is the word with the bits from..to set, both included.
func between(from, to int32) uint64 {
	if from > to {
		return 0
	}
	return ^uint64(0) >> (63 - uint32(to)) >> uint32(from) << uint32(from)
}

// step is the macrostep of a calm chart. It reports false when it does not
// apply, and nothing happened.
func (w *wordTable) step(in *Instance, id EventID, e Event) bool {
	r := in.rare
	if int(id) >= len(w.handles) || r.active[0]&w.handles[id] == 0 {
		return false
	}
	r.busy = true
	taken := w.choose(in, id, e)
	if taken {
		w.carryOut(in, e)
		in.count()
	}
	r.busy = false
	return taken
}

// choose is the selection of R3 and R4 on words; it leaves the chosen in
// rare.chosen and reports whether any of them does something.
func (w *wordTable) choose(in *Instance, id EventID, e Event) (taken bool) {
	r, c := in.rare, w.chart
	r.chosen = r.chosen[:0]
	var no, yes uint64 // states asked before, for another leaf
	row := c.dense[int(id):]
	for leaves := r.active[0] & w.leaves; leaves != 0; leaves &= leaves - 1 {
		up := w.above[bits.TrailingZeros64(leaves)] & w.handles[id] &^ no
	climb:
		for up != 0 {
			s := 63 - bits.LeadingZeros64(up)
			up &^= 1 << s
			if yes>>s&1 == 1 {
				break
			}
			sp := row[s*len(c.events)]
			for _, t := range c.flat[sp.first : sp.first+sp.n] {
				tr := &c.transitions[t]
				if g := tr.guard; g != nil && !w.holds(in, g, e) {
					continue
				}
				yes |= 1 << s
				taken = taken || !tr.inert
				w.add(in, tr)
				break climb
			}
			no |= 1 << s
		}
	}
	return taken
}

// add is [Instance.add] without its rarer cases up front.
func (w *wordTable) add(in *Instance, t *transition) {
	r := in.rare
	if n := len(r.chosen); n == 0 || t.domain < 0 || r.chosen[n-1].domain >= 0 && w.chart.nodes[r.chosen[n-1].domain].last < t.domain {
		r.chosen = append(r.chosen, choice{t.index, t.domain})
		return
	}
	in.add(t.index)
}

func (w *wordTable) holds(in *Instance, g *guard, e Event) bool {
	if g.op == opQuick {
		return g.quick(in.ctx, e)
	}
	in.rare.event = e
	in.rare.scope = Scope{in: in}
	b, _ := g.holds(&in.rare.scope)
	return b
}

// carryOut runs the microstep: exits, actions, entries (R11).
func (w *wordTable) carryOut(in *Instance, e Event) {
	r := in.rare
	var exit, enter, byDefault uint64
	for _, ch := range r.chosen {
		m := &w.moves[ch.t]
		exit |= m.exit
		enter |= m.enter
		byDefault |= m.byDefault
	}
	exit &= r.active[0]
	if x := exit & w.exiting; x != 0 {
		w.runExits(in, x, e)
	}
	for _, ch := range r.chosen {
		if b := w.chart.transitions[ch.t].actions; b != nil {
			runAll(b.quick, in.ctx, e)
		}
	}
	r.active[0] = r.active[0]&^exit | enter
	if x := enter&w.entering | byDefault&w.initially; x != 0 {
		w.runEntries(in, x, enter, byDefault, e)
	}
}

func (w *wordTable) runExits(in *Instance, x uint64, e Event) {
	for x != 0 {
		s := 63 - bits.LeadingZeros64(x)
		x &^= 1 << s
		runAll(w.chart.nodes[s].exit.quick, in.ctx, e)
	}
}

func (w *wordTable) runEntries(in *Instance, x, enter, byDefault uint64, e Event) {
	for ; x != 0; x &= x - 1 {
		s := bits.TrailingZeros64(x)
		n := &w.chart.nodes[s]
		if enter>>s&1 == 1 && n.entry != nil {
			runAll(n.entry.quick, in.ctx, e)
		}
		if byDefault>>s&1 == 1 && n.initialActions != nil {
			runAll(n.initialActions.quick, in.ctx, e)
		}
	}
}

func runAll(list []func(unsafe.Pointer, Event), ctx unsafe.Pointer, e Event) {
	for _, f := range list {
		f(ctx, e)
	}
}
