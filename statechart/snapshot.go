package statechart

import (
	"slices"
	"unsafe"
)

// Snapshot is the whole state of a session as an immutable value: the pure
// face of an [Instance]. It may be kept, compared by its encoding, stepped
// any number of times, and used concurrently. Data in it must not be changed.
type Snapshot struct{ s *snapshot }

type snapshot struct {
	memory
	chart    *Chart
	sequence uint64
	active   set
	ctx      unsafe.Pointer
	rows     Rows
}

// Next is what follows from one step of a [Snapshot].
type Next struct {
	// Snapshot must be stored together with Effects, in one transaction,
	// before any effect is performed.
	Snapshot Snapshot
	Effects  []Effect
	Result   Result
}

// Snapshot returns the instance's state. A typed context is copied by value,
// or by its Clone method. Inside a step, and for ever after a callback
// panicked, there is no state to speak of: the result is the zero Snapshot.
func (in *Instance) Snapshot() Snapshot {
	if in.chart == nil || in.inside() || in.sequence() == 0 {
		return Snapshot{}
	}
	s := &snapshot{chart: in.chart, sequence: in.sequence(), active: slices.Clone(in.current())}
	s.memory.status = Active
	if in.rare != nil {
		s.memory.copyFrom(&in.rare.memory)
		s.rows = in.rare.rows
	}
	if in.ctx != nil {
		s.ctx = in.chart.context.copy(in.ctx, nil)
	}
	return Snapshot{s}
}

// Resume makes in an instance that goes on from the snapshot. What it was
// before is forgotten. The snapshot must be of this chart, or of one with
// the same digest.
func (c *Chart) Resume(in *Instance, s Snapshot) error {
	if s.s == nil {
		return &Error{Code: CodeSnapshot, Message: "the snapshot is empty"}
	}
	if s.s.chart != c && s.s.chart.digest != c.digest {
		return &Error{Code: CodeChartMismatch, Message: "the snapshot belongs to the chart " + quote(s.s.chart.definition.ID) + " with another digest",
			Hint: "migrate the session first"}
	}
	if !c.sameContext(s.s.chart) {
		return &Error{Code: CodeContextType, Message: "the snapshot's context is of another type than the chart's"}
	}
	*in = Instance{chart: c, steps: uint32(s.s.sequence)}
	r := newRare(c)
	r.carried = s.s.sequence >> 32
	r.memory.copyFrom(&s.s.memory)
	copy(r.active, s.s.active)
	r.effectsAt = s.s.sequence
	r.rows = s.s.rows
	in.rare = r
	if s.s.ctx != nil {
		in.ctx = c.context.copy(s.s.ctx, nil)
	}
	in.settle()
	return nil
}

// sameContext reports whether both charts run on one type of context.
func (c *Chart) sameContext(other *Chart) bool {
	if c.context == nil || other.context == nil {
		return c.context == other.context
	}
	return c.context.is(other.context.zero)
}

// Begin is the pure form of [Chart.Start]: the initial macrostep as a value.
// The context in s is used and must not be used again by the caller.
func (c *Chart) Begin(s Start) (Next, error) {
	in := &Instance{}
	*in = Instance{chart: c}
	if why := in.bind(s.Context); why != nil {
		return Next{}, &Error{Code: why.Code, Message: why.Message}
	}
	in.rare = newRare(c)
	in.rare.introduce(s, c.scxml)
	in.rare.trace = s.Trace
	result := in.initialize(s.Input)
	in.rare.busy = false
	return in.value(result), nil
}

// Step decides what the event does to a session of chart c in state s, when
// the host's clock shows now (milliseconds). It is pure: equal arguments
// give equal results, s is not changed, nothing is performed. An event that
// is not taken is not an error; the error is for a snapshot of another
// chart. A refused event moves the clock and nothing else. Deferred events
// wait for [Deliver].
func Step(c *Chart, s Snapshot, d Delivery, now int64) (Next, error) {
	var in Instance
	if err := c.Resume(&in, s); err != nil {
		return Next{}, err
	}
	in.SetNow(now)
	next := in.value(in.Step(d))
	c.spare(&in)
	return next, nil
}

// Deliver is the pure form of [Instance.Next]: ok is false when no deferred
// event can be taken in state s.
func Deliver(c *Chart, s Snapshot, now int64) (next Next, d Delivery, ok bool, err error) {
	var in Instance
	if err := c.Resume(&in, s); err != nil {
		return Next{}, Delivery{}, false, err
	}
	in.SetNow(now)
	d, result, ok := in.Next()
	if !ok {
		return Next{}, Delivery{}, false, nil
	}
	return in.value(result), d, true, nil
}

// Cancel is the pure form of [Instance.Cancel].
func (s Snapshot) Cancel(now int64) (Next, error) {
	var in Instance
	if s.s == nil {
		return Next{}, &Error{Code: CodeSnapshot, Message: "the snapshot is empty"}
	}
	if err := s.s.chart.Resume(&in, s); err != nil {
		return Next{}, err
	}
	in.SetNow(now)
	return in.value(in.Cancel()), nil
}

// value turns an instance that nobody else holds into a Next.
func (in *Instance) value(result Result) Next {
	return Next{Snapshot: in.Snapshot(), Effects: slices.Clone(in.effectsNow()), Result: result}
}

func (in *Instance) effectsNow() []Effect {
	if in.rare == nil {
		return nil
	}
	return in.rare.effects
}

// MarshalJSON is [Snapshot.Encode].
func (s Snapshot) MarshalJSON() ([]byte, error) { return s.Encode() }

// IsZero reports whether s is no snapshot at all.
func (s Snapshot) IsZero() bool { return s.s == nil }

// of returns what the snapshot holds, or an empty state for the zero one.
func (s Snapshot) of() *snapshot {
	if s.s == nil {
		return &snapshot{}
	}
	return s.s
}

// Chart returns the chart of the session.
func (s Snapshot) Chart() *Chart { return s.of().chart }

// Session returns the session's id.
func (s Snapshot) Session() string { return s.of().session }

// User returns the user whom the session belongs to, "" if it has none.
func (s Snapshot) User() string { return s.of().user }

// Sequence is the number of the last macrostep.
func (s Snapshot) Sequence() uint64 { return s.of().sequence }

// Now is the time of the last macrostep.
func (s Snapshot) Now() int64 { return s.of().now }

// Status returns the standing of the session.
func (s Snapshot) Status() Status { return s.of().status }

// Reason says why it failed or is parked.
func (s Snapshot) Reason() *Reason { return s.of().reason }

// Output is what it ended with.
func (s Snapshot) Output() any { return s.of().output }

// Configuration returns the paths of the active leaves.
func (s Snapshot) Configuration() []string { return leafPaths(s.of().chart, s.of().active) }

// Data returns the variables of the active states, as [Instance.Data].
func (s Snapshot) Data() map[string]map[string]any {
	if s.s == nil {
		return map[string]map[string]any{}
	}
	return dataOf(s.s.chart, s.s.scopes(), s.s.slots)
}

// scopes returns the states whose variables exist.
func (s *snapshot) scopes() set { return liveScopes(s.active, s.ended) }

// History returns what the history states have recorded, by their paths.
func (s Snapshot) History() map[string][]string {
	out := map[string][]string{}
	for i, recorded := range s.of().history {
		if recorded == nil {
			continue
		}
		paths := make([]string, len(recorded))
		for k, r := range recorded {
			paths[k] = s.s.chart.nodes[r].path
		}
		out[s.s.chart.nodes[s.s.chart.histories[i]].path] = paths
	}
	return out
}

// Len returns the length of an append-only list.
func (s Snapshot) Len(list string) int64 {
	if s.s == nil {
		return 0
	}
	i, ok := s.s.chart.listIndex[list]
	if !ok {
		return 0
	}
	return s.s.lists[i]
}

// Timers returns the armed timers, the next due first.
func (s Snapshot) Timers() []Timer { return slices.Clone(s.of().timers) }

// Live returns the outside calls that run.
func (s Snapshot) Live() []LiveCall { return slices.Clone(s.of().live) }

// Deferred returns the events that are kept for later.
func (s Snapshot) Deferred() []Delivery { return slices.Clone(s.of().deferred) }

// Context returns a copy of the typed context, a pointer, or nil.
func (s Snapshot) Context() any {
	if s.s == nil || s.s.ctx == nil {
		return nil
	}
	return s.s.chart.context.box(s.s.chart.context.copy(s.s.ctx, nil))
}
