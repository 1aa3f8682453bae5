package statechart

// covering is a history recorded in this microstep with the states that
// restoring it would enter again.
type covering struct {
	ordinal int32
	states  set
}

// recordHistories records the histories of all exiting states, before the
// first of them is exited (R11, R15).
func (in *Instance) recordHistories() {
	r, c := in.rare, in.chart
	r.coverings = r.coverings[:0]
	for _, s := range r.exits {
		for _, h := range c.nodes[s].histories {
			in.record(&c.nodes[h])
		}
	}
}

func (in *Instance) record(h *node) {
	r, c := in.rare, in.chart
	parent := &c.nodes[h.parent]
	recorded := []int32{}
	if h.deep {
		for s := nextIn(r.active, c.leafMask, parent.index); s >= 0 && s <= parent.last; s = nextIn(r.active, c.leafMask, s+1) {
			recorded = append(recorded, s)
		}
	} else {
		for _, k := range parent.children {
			if r.active.has(k) {
				recorded = append(recorded, k)
			}
		}
	}
	r.history[h.ordinal] = recorded
	r.parked[h.ordinal] = parking{}
	if r.trace != nil {
		in.traceRecorded(h, recorded)
	}
	cover := newSet(len(c.nodes))
	cover.add(parent.index)
	r.planner.closure(recorded, parent.index, r.history, cover)
	for i := range cover {
		cover[i] &= r.active[i]
	}
	r.coverings = append(r.coverings, covering{h.ordinal, cover})
}

// park keeps the scope of an exiting state with each history that would
// bring it back (R33).
func (in *Instance) park(s int32) {
	r, c := in.rare, in.chart
	var values []any
	for _, v := range c.nodes[s].variables {
		values = append(values, r.slots[v.slot])
	}
	for _, cv := range r.coverings {
		if cv.states.has(s) {
			p := &r.parked[cv.ordinal]
			p.scopes = append(p.scopes, parkedScope{s, values})
		}
	}
}

// parkTimer keeps what remains of a timer (R27, keep).
func (in *Instance) parkTimer(s int32, t *Timer) {
	r := in.rare
	for _, cv := range r.coverings {
		if cv.states.has(s) {
			p := &r.parked[cv.ordinal]
			p.timers = append(p.timers, parkedTimer{s, t.index, max(t.Due-r.now, 0)})
		}
	}
}

// restoredScope returns the parked values of a state that is entered through
// a history.
func (in *Instance) restoredScope(s int32) ([]any, bool) {
	r, c := in.rare, in.chart
	for _, h := range r.restored {
		for _, p := range r.parked[c.nodes[h].ordinal].scopes {
			if p.state == s {
				return p.values, true
			}
		}
	}
	return nil, false
}

// restoredTimer returns what remained of a kept timer.
func (in *Instance) restoredTimer(s, index int32) (int64, bool) {
	r, c := in.rare, in.chart
	for _, h := range r.restored {
		for _, p := range r.parked[c.nodes[h].ordinal].timers {
			if p.state == s && p.index == index {
				return p.remaining, true
			}
		}
	}
	return 0, false
}

// dropParkings forgets what the histories of entered states had parked: it
// was used, or the state was entered by another way, which makes its scopes
// anew.
func (in *Instance) dropParkings() {
	r, c := in.rare, in.chart
	for _, e := range r.entries {
		for _, h := range c.nodes[e.state].histories {
			r.parked[c.nodes[h].ordinal] = parking{}
		}
	}
}

// records returns what is recorded, never nil: without records a planner
// would take the chart for one that is being compiled.
func (r *rare) records() [][]int32 {
	if r.history == nil {
		return [][]int32{}
	}
	return r.history
}
