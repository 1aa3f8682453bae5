package statechart

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Scope is what a registered function or an expression sees of the instance:
// the variables of its state and of the states above, the event, and a few
// facts that are the same at each replay. It is valid during the call only.
type Scope struct {
	in     *Instance
	state  int32
	params map[string]any
	writes bool // an action: Set and Raise are allowed
}

// Event returns the event that is being processed.
func (s *Scope) Event() Event { return s.in.rare.event }

// Envelope returns what the host knows of the event; it is zero for internal
// and plain ones.
func (s *Scope) Envelope() Envelope {
	if s.in.rare.envelope == nil {
		return Envelope{}
	}
	return *s.in.rare.envelope
}

// Params returns the parameters that the chart gives to this use.
func (s *Scope) Params() map[string]any { return s.params }

// Get returns a visible variable. The value must not be changed.
func (s *Scope) Get(name string) (any, bool) {
	v, ok := s.find(name)
	if !ok {
		return nil, false
	}
	return s.in.rare.slots[v.slot], true
}

// Load returns the variable in a slot that [Names.Variable] gave.
func (s *Scope) Load(slot Slot) any { return s.in.rare.slots[slot] }

// Set writes the nearest variable of that name. The value is taken over, so
// it must not be changed afterwards. Only actions may write.
func (s *Scope) Set(name string, value any) error {
	v, ok := s.find(name)
	switch {
	case !s.writes:
		return fmt.Errorf("only an action may write %s", quote(name))
	case !ok || v.constant:
		return fmt.Errorf("%s is no variable that can be written here", quote(name))
	}
	x, err := normalizeWithin(s.in.chart.limits.Data, value)
	if err == nil {
		err = s.in.chart.admitted(name, x)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	s.store(name, v.slot, x)
	return nil
}

// Store is [Scope.Set] by the slot that [Names.Variable] gave.
func (s *Scope) Store(slot Slot, value any) error {
	if !s.writes {
		return errors.New("only an action may write variables")
	}
	name := s.in.chart.slots[slot].name
	x, err := normalizeWithin(s.in.chart.limits.Data, value)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	s.store(name, slot, x)
	return nil
}

func (s *Scope) find(name string) (*variable, bool) {
	nodes := s.in.chart.nodes
	for up := s.state; up >= 0; up = nodes[up].parent {
		for i := range nodes[up].variables {
			if nodes[up].variables[i].name == name {
				return &nodes[up].variables[i], true
			}
		}
	}
	return nil, false
}

func (s *Scope) store(name string, slot Slot, v any) {
	s.in.rare.slots[slot] = v
	if s.in.rare.trace != nil {
		s.in.traceValue(TraceAssigned, name, v)
	}
}

// Active reports whether the state is active now: a path from the root, or
// "#id".
func (s *Scope) Active(state string) bool {
	i, ok := s.in.chart.find(state)
	return ok && s.in.rare.active.has(i)
}

// Now is the time of the macrostep in milliseconds (R30).
func (s *Scope) Now() int64 { return s.in.rare.now }

// Session is the session's id.
func (s *Scope) Session() string { return s.in.rare.session }

// User is the user whom the session belongs to, "" if it has none.
func (s *Scope) User() string { return s.in.rare.user }

// Chart is the chart's id.
func (s *Scope) Chart() string { return s.in.chart.definition.ID }

// Sequence is the number of the macrostep.
func (s *Scope) Sequence() uint64 { return s.in.sequence() }

// NextID returns an id that is new in the session and the same at replay.
func (s *Scope) NextID() string {
	s.in.rare.ids++
	return strconv.FormatUint(s.in.rare.ids, 10)
}

// Len is the length of an append-only list.
func (s *Scope) Len(list string) int64 {
	if i, ok := s.in.chart.listIndex[list]; ok {
		return s.in.rare.lists[i]
	}
	return 0
}

// Input is what the session was started with, in its first macrostep.
func (s *Scope) Input() any { return s.in.rare.input }

// Raise queues an internal event. Only actions may raise, and not the
// engine's names.
func (s *Scope) Raise(e Event) error {
	if !s.writes {
		return errors.New("only an action may raise events")
	}
	if !s.in.chart.scxml && reserved(e.Name) || e.Name == "" {
		return fmt.Errorf("the event %s cannot be raised", quote(e.Name))
	}
	if err := s.in.chart.misfit(e.Name, e.Data); err != nil {
		return err
	}
	s.in.raise(e)
	if s.in.rare.broken != nil {
		return errBroken
	}
	return nil
}

// errBroken ends an action after a bound was passed; the bound itself is in
// rare.broken.
var errBroken = errors.New("a bound of the macrostep was passed")

// Charge takes n from the fuel of the macrostep. An error means that it is
// spent and must be returned at once.
func (s *Scope) Charge(n int64) error {
	r := s.in.rare
	if s.in.chart.calm {
		return nil
	}
	if r.fuel -= n; r.fuel < 0 || n < 0 {
		s.in.breakOff(CodeFuel, "the macrostep's fuel is spent")
		return errBroken
	}
	return nil
}

// call runs a registered function with its parameters; writes says that it
// is an action.
func (s *Scope) call(f func(*Scope) error, params *value, writes bool) error {
	outer, wrote := s.params, s.writes
	defer func() { s.params, s.writes = outer, wrote }()
	s.params, s.writes = nil, false
	if params != nil {
		v, err := params.get(s)
		if err != nil {
			return err
		}
		s.params, _ = v.(map[string]any)
	}
	s.writes = writes
	if err := s.Charge(1); err != nil {
		return err
	}
	return f(s)
}

// computed runs a registered value or a program.
func (s *Scope) computed(f func(*Scope) (any, error)) (any, error) {
	v, err := f(s)
	if err != nil {
		return nil, err
	}
	if s.in.rare.broken != nil {
		return nil, errBroken
	}
	return s.bounded(v)
}

// bounded brings a computed value into the form of data, within the bound on
// its size, and charges for having looked through it.
func (s *Scope) bounded(v any) (any, error) {
	switch v.(type) {
	case nil, bool, int64:
		return v, nil
	}
	n := normalizer{limit: s.in.chart.limits.Data}
	out, _, err := n.normal(v, 0)
	// What is refused was looked through as well.
	if cost := int64(n.size/lookedThrough + n.bytes/(64*lookedThrough) + n.fields); cost > 0 {
		if err := s.Charge(cost); err != nil {
			return nil, err
		}
	}
	return out, err
}

// lookedThrough is how many values one unit of fuel looks through.
const lookedThrough = 16

// evaluate computes a value for a state outside an action.
func (in *Instance) evaluate(v *value, state int32) (any, error) {
	if v.eval == nil {
		return v.constant, nil
	}
	outer := in.rare.scope
	in.rare.scope = Scope{in: in, state: state}
	x, err := v.eval(&in.rare.scope)
	in.rare.scope = outer
	return x, err
}

func (s *Scope) assign(stores []storer, values []*value) error {
	var few [4]any
	news := append(few[:0], make([]any, len(stores))...)
	for i, v := range values {
		if err := s.Charge(1); err != nil {
			return err
		}
		x, err := v.get(s)
		if err != nil {
			return err
		}
		news[i] = x
	}
	for i, store := range stores {
		if err := store(s, news[i]); err != nil {
			return err
		}
	}
	return nil
}

func (s *Scope) foreach(list *value, item, index Slot, body *block) error {
	v, err := list.get(s)
	if err != nil {
		return err
	}
	elements, ok := v.([]any)
	if !ok {
		return fmt.Errorf("foreach needs a list, not %s", describeValue(v))
	}
	slots := s.in.rare.slots
	for i, e := range elements {
		if err := s.Charge(1); err != nil {
			return err
		}
		if item >= 0 {
			slots[item] = e
		}
		if index >= 0 {
			slots[index] = int64(i)
		}
		if err = body.inline(s); err != nil {
			break
		}
	}
	for _, slot := range []Slot{item, index} {
		if slot >= 0 && s.in.chart.slots[slot].state < 0 {
			slots[slot] = nil
		}
	}
	return err
}

// stepError is an error of an action with its place.
type stepError struct {
	place string
	do    bool
	cause error
}

func (e *stepError) Error() string { return e.cause.Error() }
func (e *stepError) Unwrap() error { return e.cause }

func (in *Instance) actionError(err error, place string) {
	kind := "action"
	if s, ok := err.(*stepError); ok {
		place = s.place
		if s.do {
			kind = "do"
		}
	}
	in.executionError(kind, place, err)
}

// boundAt tells in which action or guard the macrostep passed its bound.
func (in *Instance) boundAt(place string, err error) {
	if step := (*stepError)(nil); errors.As(err, &step) {
		place = step.place
	}
	if why := in.rare.broken; why != reasonFull && why != reasonNotKept && why.Place == "" {
		why.Place = place
	}
}

// executionError raises error.execution with its place and cause (R20).
func (in *Instance) executionError(kind, place string, err error) {
	if in.rare.trace != nil {
		in.traceError(kind, place, err)
	}
	data := map[string]any{"kind": kind, "place": place, "message": errorText(err)}
	id := sendIDOf(err)
	if id != "" {
		data["sendid"] = id
	}
	in.raiseAs(queued{Event: Event{Name: "error.execution", Data: data}, sendID: id, platform: true})
}

// errorText is an error's text, fit to be kept.
func errorText(err error) string {
	text := err.Error()
	if len(text) > 4096 {
		text = text[:4096] + "…"
	}
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

// raise puts an event of the chart's on the internal queue.
func (in *Instance) raise(e Event) { in.raiseAs(queued{Event: e}) }

func (in *Instance) raiseAs(e queued) {
	r := in.rare
	if r.dry || r.broken != nil {
		return
	}
	if r.raised++; r.raised > in.chart.limits.Raised {
		in.breakOff(CodeRaised, "the macrostep raises too many events")
		return
	}
	if r.trace != nil {
		in.traceNote(TraceRaised, e.Name)
	}
	r.queue = append(r.queue, e)
}
