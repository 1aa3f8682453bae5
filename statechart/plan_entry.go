package statechart

// planner computes which states a transition enters: addDescendantStates-
// ToEnter and addAncestorStatesToEnter of SCXML's Appendix D. It is scratch
// for one owner.
type planner struct {
	c         *Chart
	enter     set
	byDefault set
	defaults  []historyDefault
	restored  []int32
	history   [][]int32 // what is recorded; nil while compiling
	domain    int32     // what is not entered, nor anything above it
	dynamic   bool      // a history was met while compiling
	effective []int32
	states    []entryState
}

type historyDefault struct {
	parent  int32
	actions *block
}

func newPlanner(c *Chart) *planner {
	return &planner{c: c, enter: newSet(len(c.nodes)), byDefault: newSet(len(c.nodes))}
}

// domain is the state below which t exits and enters everything (R9).
func (c *Chart) domain(t *transition, targets []int32) int32 {
	below := func(orSelf bool) bool {
		for _, x := range targets {
			if !c.isDescendant(x, t.source) && !(orSelf && x == t.source) {
				return false
			}
		}
		return true
	}
	switch {
	case t.kind == Local && below(true):
		return t.source
	case t.kind == Internal && c.nodes[t.source].kind == Compound && below(false):
		return t.source
	}
	for s := c.nodes[t.source].parent; s > 0; s = c.nodes[s].parent {
		if c.nodes[s].kind != Compound {
			continue
		}
		inside := true
		for _, x := range targets {
			inside = inside && c.isDescendant(x, s)
		}
		if inside {
			return s
		}
	}
	return 0
}

// resolve replaces histories among the targets by what they stand for
// (getEffectiveTargetStates). The result is valid until the next call.
func (p *planner) resolve(targets []int32) []int32 {
	p.effective = p.effective[:0]
	p.resolveInto(targets)
	return p.effective
}

func (p *planner) resolveInto(targets []int32) {
	for _, s := range targets {
		n := &p.c.nodes[s]
		switch {
		case n.kind != History:
			p.effective = append(p.effective, s)
		case p.history[n.ordinal] != nil:
			p.effective = append(p.effective, p.history[n.ordinal]...)
		default:
			p.resolveInto(n.initial)
		}
	}
}

// plan returns the states that are entered below the domain. Without a
// history (while compiling) dynamic says that one is needed to tell.
func (p *planner) plan(targets []int32, domain int32, history [][]int32) (_ entryPlan, dynamic bool) {
	p.begin(history)
	p.domain = domain
	for _, s := range targets {
		p.descendants(s)
	}
	if p.dynamic {
		return entryPlan{}, true
	}
	for _, s := range targets {
		p.ancestors(s, domain)
	}
	if p.c.nodes[domain].kind == Parallel {
		p.regions(domain)
	}
	return p.collect(domain), p.dynamic
}

// start returns what the initial macrostep enters: everything from the root.
func (p *planner) start(history [][]int32) entryPlan {
	p.begin(history)
	p.descendants(0)
	return p.collect(-1)
}

// closure adds to into the states that restoring a history enters below its
// parent.
func (p *planner) closure(recorded []int32, parent int32, history [][]int32, into set) {
	p.begin(history)
	for _, s := range recorded {
		p.descendants(s)
	}
	for _, s := range recorded {
		p.ancestors(s, parent)
	}
	for i, w := range p.enter {
		into[i] |= w
	}
}

func (p *planner) begin(history [][]int32) {
	p.enter.clear()
	p.byDefault.clear()
	p.defaults, p.restored = p.defaults[:0], p.restored[:0]
	p.history, p.dynamic, p.domain = history, false, -1
}

// collect lists what is to be entered in document order. The domain itself
// stays; it is listed only when its initial is taken again.
func (p *planner) collect(domain int32) entryPlan {
	p.states = p.states[:0]
	for s := p.enter.next(0); s >= 0; s = p.enter.next(s + 1) {
		e := entryState{state: s, byDefault: p.byDefault.has(s)}
		for _, d := range p.defaults {
			if d.parent == s {
				e.history = d.actions
			}
		}
		if s == domain && !e.byDefault && e.history == nil {
			continue
		}
		p.states = append(p.states, e)
	}
	plan := entryPlan{states: p.states, restored: p.restored}
	if p.history == nil { // kept with the chart
		plan.states = append([]entryState(nil), p.states...)
		plan.restored = nil
	}
	return plan
}

func (p *planner) descendants(s int32) {
	n := &p.c.nodes[s]
	switch n.kind {
	case History:
		p.throughHistory(n)
		return
	case Compound:
		p.enter.add(s)
		p.byDefault.add(s)
		for _, t := range n.initial {
			p.descendants(t)
		}
		for _, t := range n.initial {
			p.ancestors(t, s)
		}
	case Parallel:
		p.enter.add(s)
		p.regions(s)
	default:
		p.enter.add(s)
	}
}

// regions enters by default each region of a parallel state that nothing
// targeted lies in (R14).
func (p *planner) regions(s int32) {
	for _, k := range p.c.nodes[s].children {
		if !p.enter.has(k) && !p.enter.any(k+1, p.c.nodes[k].last) {
			p.descendants(k)
		}
	}
}

func (p *planner) throughHistory(n *node) {
	if p.history == nil {
		p.dynamic = true
		return
	}
	targets := p.history[n.ordinal]
	if targets != nil {
		p.restored = append(p.restored, n.index)
	} else {
		targets = n.initial
		p.defaults = append(p.defaults, historyDefault{n.parent, n.initialActions})
	}
	for _, t := range targets {
		p.descendants(t)
	}
	for _, t := range targets {
		p.ancestors(t, max(n.parent, p.domain)) // the domain can lie below the history's parent (R16)
	}
}

// ancestors enters what lies between s and above, and the regions beside the
// way (R13, R14).
func (p *planner) ancestors(s, above int32) {
	for a := p.c.nodes[s].parent; a > above; a = p.c.nodes[a].parent {
		p.enter.add(a)
		if p.c.nodes[a].kind == Parallel {
			p.regions(a)
		}
	}
}
