package statechart

import (
	"math"
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
	rows      [][]span // by event, by state: candidates in chart.flat
	exiting   uint64   // states with exit callbacks
	entering  uint64   // states with entry callbacks
	initially uint64   // states whose initial has callbacks
	moves     []wordMove
	// sole is, by event and state, the transition of a state whose only
	// candidate for the event has neither guard nor actions, or -1.
	sole []int32
}

// wordMove is one transition: the states that leave if they are active, the
// ones that enter, the ones whose initial is taken, and what is asked and run.
type wordMove struct {
	exit, enter, byDefault uint64
	guard                  *guard
	actions                []func(unsafe.Pointer, Event)
	inert                  bool
}

// newWordTable returns nil where the form cannot serve.
func newWordTable(c *Chart) *wordTable {
	if !c.calm || len(c.nodes) > 64 || c.dense == nil || len(c.transitions) > math.MaxUint16 {
		return nil
	}
	w := &wordTable{chart: c, leaves: c.leafMask[0], above: make([]uint64, len(c.nodes)), handles: make([]uint64, len(c.events)),
		rows: make([][]span, len(c.events)), moves: make([]wordMove, len(c.transitions))}
	for id := range w.rows {
		w.rows[id] = make([]span, len(c.nodes))
	}
	for i := range c.nodes {
		n := &c.nodes[i]
		w.above[i] = 1 << i
		if n.parent >= 0 {
			w.above[i] |= w.above[n.parent]
		}
		for id := range c.events {
			w.rows[id][i] = c.dense[i*len(c.events)+id]
			if w.rows[id][i].n > 0 && EventID(id) > unmatched && !c.events[id].reserved {
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
	for id := range c.events {
		for _, candidates := range w.rows[id] {
			w.sole = append(w.sole, w.only(candidates))
		}
	}
	return w
}

func flag(b *block, i int) uint64 {
	if b == nil {
		return 0
	}
	return 1 << i
}

func (w *wordTable) only(candidates span) int32 {
	if candidates.n != 1 {
		return -1
	}
	t := w.chart.flat[candidates.first]
	if m := &w.moves[t]; m.guard != nil || len(m.actions) > 0 || m.inert {
		return -1
	}
	return t
}

func (w *wordTable) move(t *transition) wordMove {
	m := wordMove{guard: t.guard, inert: t.inert, actions: t.actions.quickly()}
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

// step is the macrostep of a calm chart. ok is false, and nothing happened,
// where the door has to look at the event.
func (w *wordTable) step(in *Instance, id EventID, e Event) (result Result, ok bool) {
	if id <= unmatched || w.chart.events[id].reserved {
		return Result{}, false
	}
	r := in.rare
	r.busy = true
	if w.sweep(in, id, e) {
		result = in.uncachedResult(true, false, false)
	} else {
		result = w.pick(in, id, e)
	}
	r.busy = false
	return result, true
}

// pick is the way of transitions with guards or actions.
func (w *wordTable) pick(in *Instance, id EventID, e Event) Result {
	var s wordSelection
	w.choose(in, id, e, &s)
	chosen := s.list[:s.n]
	inert := true
	for _, t := range chosen {
		inert = inert && w.moves[t].inert
	}
	if !inert {
		w.carryOut(in, chosen, e)
	}
	return in.uncachedResult(!inert, s.n > 0, s.guardSaid)
}

// wordSelection is the chosen transitions, in order.
type wordSelection struct {
	list      [64]uint16
	n         int
	gone      uint64 // the states that they exit
	guardSaid bool   // a guard said no
}

// sweep is the step in the plain case: each leaf finds a sole transition, and
// no two of them conflict. Its loop calls nothing, so that all it needs stays
// in registers. It reports false, and nothing happened, in any other case.
func (w *wordTable) sweep(in *Instance, id EventID, e Event) bool {
	active, handles, states := in.rare.active[0], w.handles[id], len(w.above)
	sole := w.sole[int(id)*states:][:states]
	var exit, enter, byDefault, asked uint64
	for leaves := active & w.leaves; leaves != 0; leaves &= leaves - 1 {
		up := w.above[bits.TrailingZeros64(leaves)&63] & handles
		if up == 0 {
			continue
		}
		s := 63 - bits.LeadingZeros64(up)
		if asked>>(s&63)&1 == 1 {
			continue
		}
		asked |= 1 << (s & 63)
		t := uint32(sole[s])
		if uint(t) >= uint(len(w.moves)) {
			return false
		}
		m := &w.moves[t]
		if m.exit&exit != 0 {
			return false
		}
		exit |= m.exit
		enter |= m.enter
		byDefault |= m.byDefault
	}
	if asked == 0 {
		return false
	}
	w.change(in, exit, enter, byDefault, nil, e)
	return true
}

// choose is the selection of R3 and R4 on words.
func (w *wordTable) choose(in *Instance, id EventID, e Event, out *wordSelection) {
	var no, yes uint64 // states asked before, for another leaf
	active, rows := in.rare.active[0], w.rows[id]
	above, handles, flat, moves := w.above, w.handles[id], w.chart.flat, w.moves
	for leaves := active & w.leaves; leaves != 0; leaves &= leaves - 1 {
		up := above[bits.TrailingZeros64(leaves)] & handles &^ no
	climb:
		for up != 0 {
			s := 63 - bits.LeadingZeros64(up)
			if up &^= 1 << s; yes>>s&1 == 1 {
				break
			}
			sp := rows[s]
			for _, t := range flat[sp.first : sp.first+sp.n] {
				if m := &moves[t]; m.guard != nil && !w.holds(in, m.guard, e) {
					out.guardSaid = true
					continue
				}
				yes |= 1 << s
				w.add(t, active, out)
				break climb
			}
			no |= 1 << s
		}
	}
}

// add is [Instance.add] on words.
func (w *wordTable) add(t int32, active uint64, out *wordSelection) {
	exit := w.moves[t].exit & active
	if exit&out.gone != 0 && !w.preempt(t, exit, active, out) {
		return
	}
	out.gone |= exit
	out.list[out.n&63] = uint16(t)
	out.n++
}

// preempt takes out the chosen transitions that t conflicts with, if its
// source lies below each of theirs (R4).
func (w *wordTable) preempt(t int32, exit, active uint64, out *wordSelection) bool {
	c := w.chart
	kept, gone := out.list[:0], uint64(0)
	before := out.list
	for _, o := range before[:out.n] {
		conflict := w.moves[o].exit & active & exit
		if conflict != 0 && !c.isDescendant(c.transitions[t].source, c.transitions[o].source) {
			out.list = before
			return false
		}
		if conflict == 0 {
			kept = append(kept, o)
			gone |= w.moves[o].exit & active
		}
	}
	out.n, out.gone = len(kept), gone
	return true
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
func (w *wordTable) carryOut(in *Instance, chosen []uint16, e Event) {
	var exit, enter, byDefault uint64
	for _, t := range chosen {
		m := &w.moves[t]
		exit |= m.exit
		enter |= m.enter
		byDefault |= m.byDefault
	}
	w.change(in, exit, enter, byDefault, chosen, e)
}

// change leaves the states of exit that are active, runs the actions of the
// transitions, and enters.
func (w *wordTable) change(in *Instance, exit, enter, byDefault uint64, acting []uint16, e Event) {
	r := in.rare
	exit &= r.active[0]
	if x := exit & w.exiting; x != 0 {
		w.runExits(in, x, e)
	}
	for _, t := range acting {
		runAll(w.moves[t].actions, in.ctx, e)
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
