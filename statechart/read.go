package statechart

import (
	"slices"
	"strings"
)

// Status returns the standing of the instance; "" when it was not started.
func (in *Instance) Status() Status {
	switch {
	case in.chart == nil:
		return ""
	case in.rare == nil:
		return Active
	}
	return in.rare.status
}

// Reason says why the session failed or is parked; nil otherwise.
func (in *Instance) Reason() *Reason {
	if in.rare == nil {
		return nil
	}
	return in.rare.reason
}

// Output is what the session ended with.
func (in *Instance) Output() any {
	if in.rare == nil {
		return nil
	}
	return in.rare.output
}

// Context returns the typed context, a pointer, or nil. The caller may read
// it between steps.
func (in *Instance) Context() any {
	if in.ctx == nil {
		return nil
	}
	return in.chart.context.box(in.ctx)
}

// Chart returns the chart that the instance runs.
func (in *Instance) Chart() *Chart { return in.chart }

// Session returns the session's id.
func (in *Instance) Session() string {
	if in.rare == nil {
		return ""
	}
	return in.rare.session
}

// Sequence is the number of the last macrostep; the initial one is 1. Every
// event that comes past the door counts, also one that is ignored.
func (in *Instance) Sequence() uint64 { return in.sequence() }

// Now is the time of the last macrostep, or what [Instance.SetNow] has said
// since, in milliseconds.
func (in *Instance) Now() int64 {
	if in.rare == nil {
		return 0
	}
	return in.rare.now
}

// SetNow gives the host's clock, in milliseconds, for the macrosteps to
// come. An earlier time than before has no effect (R30). Charts without
// timers need no clock.
func (in *Instance) SetNow(ms int64) {
	if in.rare == nil {
		if ms <= 0 || in.chart == nil {
			return
		}
		in.rare = newRare(in.chart)
		in.rare.form = formBusy
	}
	in.rare.now = max(in.rare.now, ms)
}

// Effects returns what the last Start, Send, Step or Next asks the host to
// do, in order. It is valid until the next of these calls.
func (in *Instance) Effects() []Effect {
	r := in.rare
	if r == nil || len(r.effects) == 0 || r.effectsAt != in.sequence() {
		return nil
	}
	return r.effects
}

// Timers returns the armed timers, the next due first. The slice is valid
// until the next step and must not be changed.
func (in *Instance) Timers() []Timer {
	if in.rare == nil {
		return nil
	}
	return in.rare.timers
}

// Live returns the outside calls that run, in the order in which they were
// started. The slice is valid until the next step and must not be changed.
func (in *Instance) Live() []LiveCall {
	if in.rare == nil {
		return nil
	}
	return in.rare.live
}

// Deferred returns the events that are kept for later, in order. The slice
// is valid until the next step and must not be changed.
func (in *Instance) Deferred() []Delivery {
	if in.rare == nil {
		return nil
	}
	return in.rare.deferred
}

// Len returns the length of an append-only list.
func (in *Instance) Len(list string) int64 {
	if in.rare == nil {
		return 0
	}
	i, ok := in.chart.listIndex[list]
	if !ok {
		return 0
	}
	return in.rare.lists[i]
}

// current returns the active states. It must not be changed.
func (in *Instance) current() set {
	switch {
	case in.chart == nil:
		return nil
	case in.row != 0:
		return in.chart.plans.table.Load().bits(in.row)
	case in.rare == nil || in.rare.form == formBusy:
		return newSet(len(in.chart.nodes))
	case in.rare.form == formRegions:
		s := newSet(len(in.chart.nodes))
		in.chart.local.bits(in.rare.leaves, s)
		return s
	}
	return in.rare.active
}

// Configuration returns the paths of the active leaves in document order,
// without the root; "" when the root itself is the leaf. After the end it is
// the configuration before the exit.
func (in *Instance) Configuration() []string { return in.leafPaths(in.current()) }

func (in *Instance) leafPaths(active set) []string {
	return leafPaths(in.chart, active)
}

func leafPaths(c *Chart, active set) []string {
	paths := []string{}
	if c == nil {
		return paths
	}
	for s := nextIn(active, c.leafMask, 0); s >= 0; s = nextIn(active, c.leafMask, s+1) {
		paths = append(paths, c.nodes[s].path)
	}
	return paths
}

func joinPaths(paths []string) string { return strings.Join(paths, ", ") }

// Matches reports whether the state is active: a path from the root, or "#id".
func (in *Instance) Matches(state string) bool {
	if in.chart == nil {
		return false
	}
	s, ok := in.chart.find(state)
	return ok && in.current().has(s)
}

// HasTag reports whether an active state has the tag.
func (in *Instance) HasTag(tag string) bool {
	active := in.current()
	for s := active.next(0); s >= 0; s = active.next(s + 1) {
		if slices.Contains(in.chart.nodes[s].def.Tags, tag) {
			return true
		}
	}
	return false
}

// Tags returns the tags of the active states, each once, in document order.
func (in *Instance) Tags() []string {
	var tags []string
	active := in.current()
	for s := active.next(0); s >= 0; s = active.next(s + 1) {
		for _, t := range in.chart.nodes[s].def.Tags {
			if !slices.Contains(tags, t) {
				tags = append(tags, t)
			}
		}
	}
	return tags
}

// Data returns the variables of the active states: by the path of their
// state ("" is the root), then by name. The values must not be changed.
func (in *Instance) Data() map[string]map[string]any {
	if in.rare == nil {
		return map[string]map[string]any{}
	}
	return dataOf(in.chart, liveScopes(in.current(), in.rare.ended), in.rare.slots)
}

// liveScopes returns the states whose variables exist: the active ones, or
// the root alone after the end.
func liveScopes(active set, ended bool) set {
	if !ended {
		return active
	}
	root := make(set, len(active))
	root.add(0)
	return root
}

func dataOf(c *Chart, active set, slots []any) map[string]map[string]any {
	data := map[string]map[string]any{}
	for s := active.next(0); s >= 0; s = active.next(s + 1) {
		if len(c.nodes[s].variables) == 0 {
			continue
		}
		scope := make(map[string]any, len(c.nodes[s].variables))
		for _, v := range c.nodes[s].variables {
			scope[v.name] = slots[v.slot]
		}
		data[c.nodes[s].path] = scope
	}
	return data
}

// Change is what a subscriber is told.
type Change struct {
	// Event is what came in, and Result what became of it.
	Event  Event
	Result Result
	// Sequence is the number of the last macrostep.
	Sequence uint64
	// Configuration, as of [Instance.Configuration].
	Configuration []string
	Status        Status
}

type subscriber struct{ call func(Change) }

// Subscribe calls f after each event that came past the door, when all that
// follows from it is done. The subscriber may send to the instance. An
// instance with subscribers does not use the fast path. On an instance that
// was not started it does nothing.
func (in *Instance) Subscribe(f func(Change)) (cancel func()) {
	if in.chart == nil {
		return func() {}
	}
	r := in.watch()
	s := &subscriber{f}
	r.subscribers = append(r.subscribers, s)
	return func() {
		r.subscribers = slices.DeleteFunc(r.subscribers, func(o *subscriber) bool { return o == s })
	}
}

func (in *Instance) notify(s *subscriber, e Event, result Result) {
	in.rare.telling++
	defer func() { in.rare.telling-- }()
	s.call(Change{Event: e, Result: result, Sequence: in.sequence(), Configuration: in.Configuration(), Status: in.Status()})
}

// watch takes the instance off the fast path, unless it is inside a step.
func (in *Instance) watch() *rare {
	if !in.inside() {
		in.wake().busy = false
	} else if in.rare == nil {
		in.rare = newRare(in.chart)
		in.rare.form = formBusy
	}
	return in.rare
}
