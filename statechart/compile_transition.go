package statechart

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// ownTransitions compiles On, Always and OnDone of a state.
func (c *compiler) ownTransitions(n *node) {
	for i := range n.def.On {
		t := &n.def.On[i]
		place := fmt.Sprintf("%s.on[%d]", n.place, i)
		if strings.TrimSpace(t.Event) == "" {
			c.fail(CodeMissing, place+".event", "a transition of on needs an event", "an eventless one belongs under always")
			continue
		}
		c.transition(n, t, c.descriptors(t.Event, place+".event"), place)
	}
	c.namedTransitions(n, n.def.OnDone, n.doneName, n.place+".onDone")
	for i := range n.def.Always {
		t := &n.def.Always[i]
		place := fmt.Sprintf("%s.always[%d]", n.place, i)
		if t.Event != "" {
			c.fail(CodeNotAllowed, place+".event", "an always transition has no event", "")
		}
		if t.Target == "" && isZero(&t.Guard) && !c.chart.scxml {
			c.fail(CodeCycle, place, "an always without target and guard would be taken for ever", "give it a guard or a target")
		}
		c.transition(n, t, nil, place)
	}
}

// namedTransitions compiles transitions for one of the engine's events,
// written without its name.
func (c *compiler) namedTransitions(n *node, list []Transition, event, path string) {
	if len(list) == 0 {
		return
	}
	d := []int32{c.events.exactly(event)}
	for i := range list {
		place := fmt.Sprintf("%s[%d]", path, i)
		if list[i].Event != "" {
			c.fail(CodeNotAllowed, place+".event", "the event is "+quote(event)+" already", "leave it empty")
		}
		c.transition(n, &list[i], d, place)
	}
}

// descriptors numbers the descriptors of one event field.
func (c *compiler) descriptors(text, place string) []int32 {
	if !c.chart.scxml {
		if !c.checkDescriptor(text, place) {
			return []int32{0}
		}
		return []int32{c.events.descriptor(text)}
	}
	var out []int32
	for _, d := range strings.Fields(text) {
		if c.checkDescriptor(d, place) {
			out = append(out, c.events.descriptor(d))
		}
	}
	return out
}

func (c *compiler) checkDescriptor(text, place string) bool {
	stem := strings.TrimSuffix(text, ".*")
	switch {
	case text == "*":
	case text == "" || len(text) > maxName || !validText(text) || strings.ContainsFunc(text, unicode.IsSpace) || strings.ContainsFunc(text, hidden):
		c.fail(CodeInvalidName, place, quote(text)+" is no event descriptor", "")
		return false
	case strings.Contains(stem, "*"):
		c.fail(CodeInvalidName, place, quote(text)+" is no event descriptor", "a '*' stands alone or after the last dot")
		return false
	}
	return true
}

// transition compiles one candidate and files it with its state.
func (c *compiler) transition(n *node, def *Transition, descriptors []int32, place string) {
	if len(c.chart.transitions) >= maxTransitions {
		if !c.tooLarge {
			c.fail(CodeLimit, place, fmt.Sprintf("more than %d transitions", maxTransitions), "")
		}
		c.tooLarge = true
		return
	}
	c.event = ""
	if len(descriptors) == 1 && int(descriptors[0]) < len(c.events.texts) {
		c.event = c.events.texts[descriptors[0]]
	}
	t := transition{
		index: int32(len(c.chart.transitions)), source: n.index, descriptors: descriptors, kind: def.Type,
		targetless: def.Target == "", def: def, place: place, domain: -1,
		guard:   c.condition(&def.Guard, n.index, place+".guard", nil),
		actions: c.block(def.Actions, n.index, place+".actions", nil),
	}
	c.event = ""
	c.carried(def.Meta, place+".meta")
	t.inert = t.targetless && t.actions == nil
	if def.Type != Local && def.Type != External && def.Type != Internal {
		c.fail(CodeInvalid, place+".type", quote(string(def.Type))+" is not known", `leave it empty, or "external" or "internal"`)
	}
	if !t.targetless {
		t.targets = c.targets(def.Target, n.index, place+".target", false)
	}
	c.chart.transitions = append(c.chart.transitions, t)
	if descriptors == nil {
		n.always = append(n.always, t.index)
	} else {
		n.on = append(n.on, t.index)
	}
}

// targets resolves a list of targets and checks that they can be active
// together (R17).
func (c *compiler) targets(text string, base int32, place string, initial bool) []int32 {
	var out []int32
	names := strings.Fields(text)
	if len(names) > maxTargets {
		c.fail(CodeLimit, place, fmt.Sprintf("more than %d targets", maxTargets), "")
		return nil
	}
	for _, one := range names {
		t, ok := c.target(one, base, initial)
		if !ok {
			c.fail(CodeUnknownState, place, "there is no state "+quote(one)+" here", c.targetHint(one, base, initial))
			continue
		}
		if t == 0 && initial {
			c.fail(CodeTargets, place, "the root cannot be its own initial", "")
			continue
		}
		if slices.Contains(out, t) {
			c.fail(CodeDuplicate, place, "the target "+quote(one)+" stands twice", "")
			continue
		}
		out = append(out, t)
	}
	if len(names) == 0 {
		c.fail(CodeMissing, place, "no target is given", "")
	}
	for i, a := range out {
		for _, b := range out[:i] {
			if !c.together(a, b) {
				c.fail(CodeTargets, place, fmt.Sprintf("%s and %s cannot be active together", quote(c.chart.pathOf(b)), quote(c.chart.pathOf(a))),
					"several targets lie in different regions of one parallel state")
			}
		}
	}
	return out
}

// together reports whether two targets lie in different regions of a
// parallel state, with a history standing for its parent.
func (c *compiler) together(a, b int32) bool {
	a, b = c.standsFor(a), c.standsFor(b)
	if a == b || c.chart.isDescendant(a, b) || c.chart.isDescendant(b, a) {
		return false
	}
	x := c.chart.nodes[a].parent
	for x >= 0 && !c.chart.isDescendant(b, x) {
		x = c.chart.nodes[x].parent
	}
	return x >= 0 && c.chart.nodes[x].kind == Parallel
}

func (c *compiler) standsFor(s int32) int32 {
	if c.chart.nodes[s].kind == History {
		return c.chart.nodes[s].parent
	}
	return s
}

// target resolves one target. For an initial, paths start below base; for a
// transition, ".path" does, and otherwise the first segment is a sibling of
// the source or the source itself.
func (c *compiler) target(text string, base int32, initial bool) (int32, bool) {
	if strings.HasPrefix(text, "#") {
		return c.chart.find(text)
	}
	n := &c.chart.nodes[base]
	if initial {
		return c.chart.below(base, strings.TrimPrefix(text, "."))
	}
	if below, ok := strings.CutPrefix(text, "."); ok {
		if below == "" {
			return base, base == 0
		}
		return c.chart.below(base, below)
	}
	if base == 0 {
		return 0, false
	}
	return c.chart.below(n.parent, text)
}

func (c *compiler) targetHint(text string, base int32, initial bool) string {
	if c.hints > maxHints {
		return "" // all names of a state need not be gathered
	}
	among := map[string]bool{}
	from, prefix := base, ""
	switch {
	case strings.HasPrefix(text, "#"):
		for _, id := range sortedKeys(c.chart.ids) {
			among["#"+id] = true
		}
	case initial:
	case strings.HasPrefix(text, "."):
		prefix = "."
	case base > 0:
		from = c.chart.nodes[base].parent
	default:
		return `targets on the root begin with "." or "#"`
	}
	if !strings.HasPrefix(text, "#") {
		n := &c.chart.nodes[from]
		for _, k := range append(slices.Clone(n.children), n.histories...) {
			among[prefix+c.chart.nodes[k].def.Name] = true
		}
	}
	if hint := nearest(c, text, among); hint != "" {
		return hint
	}
	if !strings.HasPrefix(text, ".") && !strings.HasPrefix(text, "#") {
		if _, below := c.chart.below(base, text); below {
			return "did you mean " + quote("."+text) + "? a child is named with a dot"
		}
	}
	return ""
}

// finish computes what needs all states and events: domains, entry plans,
// completions, and the checks over the whole chart.
func (c *compiler) finish() {
	ch := c.chart
	c.events.build(ch)
	c.masks()
	c.defaultCycles()
	c.alwaysCycles()
	c.promotionConflicts()
	c.callIDs()
	if len(c.errors) > 0 {
		return // entering might not end
	}
	p := newPlanner(ch)
	for i := range ch.transitions {
		t := &ch.transitions[i]
		if t.targetless {
			continue
		}
		t.domain = ch.domain(t, t.targets)
		if t.domain == t.source && len(t.targets) == 1 && t.targets[0] == t.source && ch.nodes[t.source].kind == Atomic {
			t.targetless, t.domain = true, -1 // R9: on a leaf the same as targetless
			continue
		}
		t.entry, t.dynamic = p.plan(t.targets, t.domain, nil)
		if len(t.entry.states) > maxStaticEntry {
			t.dynamic, t.entry = true, entryPlan{}
		}
	}
}

// maxStaticEntry bounds the entry list that is kept for one transition.
const maxStaticEntry = 512

func (c *compiler) masks() {
	ch := c.chart
	ch.leafMask, ch.alwaysMask = newSet(len(ch.nodes)), newSet(len(ch.nodes))
	for i := range ch.nodes {
		n := &ch.nodes[i]
		if n.kind == Atomic || n.kind == Final {
			ch.leafMask.add(n.index)
		}
		if len(n.always) > 0 {
			ch.alwaysMask.add(n.index)
		}
	}
}

// defaultCycles refuses a history whose default, by way of initials, leads to
// the history itself.
func (c *compiler) defaultCycles() {
	const unseen, open, closed = 0, 1, 2
	mark := make([]uint8, len(c.chart.nodes))
	var enter func(s int32) (loop bool)
	enter = func(s int32) bool {
		if mark[s] != unseen {
			return mark[s] == open
		}
		mark[s] = open
		n := &c.chart.nodes[s]
		next := n.initial
		if n.kind == Parallel {
			next = n.children
		}
		loop := slices.ContainsFunc(next, enter)
		mark[s] = closed
		if loop && n.kind == History {
			c.fail(CodeCycle, n.place+".initial", "the default of the history "+quote(n.path)+" leads back to it", "name a state as its default")
			return false
		}
		return loop
	}
	for s := range mark {
		enter(int32(s))
	}
}

// callIDs refuses that two invocations which can be live together have one
// id: the end of one would be taken for the other's.
func (c *compiler) callIDs() {
	type place struct {
		parallel int32
		id       string
	}
	regions := map[place]int32{} // under a parallel state: the region with the id
	for i := range c.chart.nodes {
		n := &c.chart.nodes[i]
		for k, v := range n.invocations {
			twice := slices.ContainsFunc(n.invocations[:k], func(o invocation) bool { return o.id == v.id })
			for below, up := n.index, n.parent; up >= 0; below, up = up, c.chart.nodes[up].parent {
				p := &c.chart.nodes[up]
				twice = twice || slices.ContainsFunc(p.invocations, func(o invocation) bool { return o.id == v.id })
				if p.kind != Parallel {
					continue
				}
				region, seen := regions[place{up, v.id}]
				twice = twice || seen && region != below
				regions[place{up, v.id}] = below
			}
			if twice {
				c.fail(CodeDuplicate, v.place+".id", "another invocation that can run at the same time has the id "+quote(v.id), "")
			}
		}
	}
}

// alwaysCycles refuses a cycle of unguarded eventless transitions: from a
// state whose first candidate always holds, entered by such a transition,
// without end.
func (c *compiler) alwaysCycles() {
	ch := c.chart
	const unseen, open, closed = 0, 1, 2
	mark := make([]uint8, len(ch.nodes))
	for i := range ch.nodes {
		var trail []int32
		for s := int32(i); s >= 0 && mark[s] == unseen; {
			mark[s] = open
			trail = append(trail, s)
			s = c.firstAlways(s)
			if s >= 0 && mark[s] == open && !c.besideAlways(s) {
				n := &ch.nodes[s]
				for len(n.always) == 0 {
					n = &ch.nodes[n.parent]
				}
				c.fail(CodeCycle, n.place+".always", "a cycle of unguarded always transitions leads back to "+quote(ch.pathOf(n.index)), "give one of them a guard")
			}
		}
		for _, s := range trail {
			mark[s] = closed
		}
	}
}

// besideAlways reports whether a region beside the state's has eventless
// transitions: one of them may leave the parallel state and end the cycle.
func (c *compiler) besideAlways(s int32) bool {
	for below, up := s, c.chart.nodes[s].parent; up >= 0; below, up = up, c.chart.nodes[up].parent {
		p := &c.chart.nodes[up]
		if p.kind == Parallel && (c.chart.alwaysMask.any(up+1, below-1) || c.chart.alwaysMask.any(c.chart.nodes[below].last+1, p.last)) {
			return true
		}
	}
	return false
}

// firstAlways follows the unguarded first eventless transition of the leaf
// that s enters by default, where that is one leaf; else -1.
func (c *compiler) firstAlways(s int32) int32 {
	ch := c.chart
	leaf := c.defaultLeaf(s)
	for up := leaf; up >= 0; up = ch.nodes[up].parent {
		if len(ch.nodes[up].always) == 0 {
			continue
		}
		t := &ch.transitions[ch.nodes[up].always[0]]
		if t.guard != nil || len(t.targets) != 1 {
			return -1
		}
		return c.defaultLeaf(t.targets[0])
	}
	return -1
}

func (c *compiler) defaultLeaf(s int32) int32 {
	for s >= 0 {
		n := &c.chart.nodes[s]
		switch {
		case n.kind == Atomic:
			return s
		case n.kind == Compound && len(n.initial) == 1:
			s = n.initial[0]
		default:
			return -1
		}
	}
	return -1
}

// promotionConflicts refuses that two regions of a parallel state promote
// one variable unless all merge in the same way and the order does not
// matter.
func (c *compiler) promotionConflicts() {
	ch := c.chart
	for i := range ch.nodes {
		if ch.nodes[i].kind != Parallel {
			continue
		}
		merges := map[Slot]string{}
		for _, region := range ch.nodes[i].children {
			for s := region; s <= ch.nodes[region].last; s++ {
				c.regionPromotions(&ch.nodes[s], int32(i), region, merges)
			}
		}
	}
}

// regionPromotions notes region's merges under "slot" and compares them with
// those of the regions before it.
func (c *compiler) regionPromotions(n *node, parallel, region int32, merges map[Slot]string) {
	for _, p := range n.promotions {
		owner := c.chart.slots[p.target].state
		if c.chart.isDescendant(owner, parallel) {
			continue // private to one region
		}
		mine := fmt.Sprintf("%s %d", p.merge, region)
		other, ok := merges[p.target]
		if !ok {
			merges[p.target] = mine
			continue
		}
		merge, from, _ := strings.Cut(other, " ")
		if from != fmt.Sprint(region) && (merge == "replace" || merge != p.merge) {
			c.fail(CodeConflict, p.place, fmt.Sprintf("two regions of %s promote %s, and the result would depend on their order", quote(c.chart.pathOf(parallel)), quote(p.name)),
				"use the same append, union, sum, max or min in both")
		}
	}
}
