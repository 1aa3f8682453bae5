package oracle

import (
	"maps"
	"slices"

	"github.com/detent-run/detent/statechart"
)

// Session is a running chart. Its memory is copied before each macrostep and
// put back when the macrostep is undone.
type Session struct {
	chart *Chart
	memory
	m macrostep
}

// memory is all that outlives a macrostep.
type memory struct {
	now      int64
	sequence uint64
	counter  uint64 // the entry counter
	made     uint64 // ids of calls (SCXML)
	config   set
	ended    []*state // the configuration before the final exit (R19)
	history  map[*state][]*state
	parked   map[*state]*parking
	scopes   map[*state]map[string]any
	lists    map[string]int64
	timers   []timer
	calls    []call
	deferred []statechart.Delivery
	status   statechart.Status
	output   any
	context  any
}

// parking is what a recorded exit keeps beside the states (R33). It is not
// changed once made.
type parking struct {
	states    []*state
	scopes    map[*state]map[string]any
	remaining map[*state]map[int]int64 // of keep timers, by index in After
}

// timer is one armed timer.
type timer struct {
	kind   string // after, every, warn, raise, send
	name   string // its event
	id     string
	entry  uint64
	due    int64
	state  *state // whose timer it is, or whose block armed it
	index  int    // in After or Every
	period int64
	to     string
	data   any
}

func (t timer) source() statechart.Source {
	return statechart.Source{Kind: "timer", ID: t.id, Entry: t.entry}
}

// call is one live invocation or do.
type call struct {
	source statechart.Source
	state  *state
	src    string
}

// macrostep is what lives no longer than one macrostep.
type macrostep struct {
	event        statechart.Event
	input        any
	queue        []statechart.Event
	effects      []statechart.Effect
	pending      map[*state][]pendingCall
	failedGuards map[*transition]bool
	microsteps   int
	raised       int
	counted      int // effects that count (R29)
	fuel         int64
	done         bool // the root is done (R19)
	end          statechart.Status
	endOutput    any
	over         *result // the session failed or parked (R21)
	silent       bool    // looking only: nothing is raised, fuel is free
	unbounded    bool    // no limit holds: a cancellation always works
}

// pendingCall is an invocation that waits for the end of the macrostep.
type pendingCall struct {
	index    int
	prepared *prepared // nil: evaluated at the end (scxml)
}

// result is what became of an event.
type result struct {
	outcome statechart.Outcome
	code    statechart.Code
}

// bound is panicked with when a limit is passed; macrosteps recover it.
type bound struct{ code statechart.Code }

func (m memory) clone() memory {
	m.config = maps.Clone(m.config)
	m.history = maps.Clone(m.history)
	m.parked = maps.Clone(m.parked)
	m.scopes = maps.Clone(m.scopes)
	for st, scope := range m.scopes {
		m.scopes[st] = maps.Clone(scope)
	}
	m.lists = maps.Clone(m.lists)
	m.timers = slices.Clone(m.timers)
	m.calls = slices.Clone(m.calls)
	m.deferred = slices.Clone(m.deferred)
	return m
}

// Start begins a session: the initial macrostep, with the event detent.init
// whose data is input.
func (c *Chart) Start(context, input any, now int64) (*Session, Record) {
	s := &Session{chart: c, memory: memory{
		now: now, sequence: 1, config: set{}, history: map[*state][]*state{}, parked: map[*state]*parking{},
		scopes: map[*state]map[string]any{}, lists: map[string]int64{}, status: statechart.Active, context: context,
	}}
	s.begin(statechart.Event{Name: "detent.init", Data: input})
	s.m.input = input
	before := s.snapshot()
	r := s.bounded(func() result {
		s.config[c.root] = true
		if !s.createScope(c.root) {
			return result{statechart.Failed, statechart.CodeStart}
		}
		s.microstepCounted()
		s.enterRoot()
		s.checkLegal()
		s.exhaust()
		return s.finish(result{outcome: statechart.Taken})
	})
	if r.code != "" && s.m.over == nil { // a bound, or CodeStart: dec. 24, 16
		s.memory = before
		s.m.effects = nil
		s.status = statechart.FailedStatus
	}
	return s, s.record(r)
}

// snapshot copies the memory, the typed context included.
func (s *Session) snapshot() memory {
	m := s.memory.clone()
	if m.context != nil {
		m.context = s.chart.behaviour.CloneContext(m.context)
	}
	return m
}

// begin resets what lives for one macrostep.
func (s *Session) begin(e statechart.Event) {
	s.m = macrostep{event: e, pending: map[*state][]pendingCall{}, failedGuards: map[*transition]bool{}, fuel: s.limit().Fuel}
}

// limit returns the bounds with their defaults.
func (s *Session) limit() statechart.Limits {
	l := s.chart.def.Limits
	or := func(n *int, d int) {
		if *n == 0 {
			*n = d
		}
	}
	or(&l.Microsteps, 1000)
	or(&l.Raised, 1000)
	or(&l.Effects, 100)
	or(&l.Deferred, 1000)
	if l.Fuel == 0 {
		l.Fuel = 1_000_000
	}
	return l
}

// bounded runs f and turns a passed bound into its result (R29).
func (s *Session) bounded(f func() result) (r result) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case bound:
			r = result{statechart.Failed, p.code}
		default:
			panic(p)
		}
	}()
	return f()
}

// Step is one macrostep for d, or its refusal at the door.
func (s *Session) Step(d statechart.Delivery, now int64) Record {
	if code := s.door(d); code != "" {
		return s.record(result{statechart.Refused, code})
	}
	return s.record(s.step(d, now))
}

// door is what is checked before the step (dec. 4).
func (s *Session) door(d statechart.Delivery) statechart.Code {
	s.m.effects = nil
	switch plain := source(d).Kind == "" && !s.chart.scxml; {
	case s.status != statechart.Active:
		return statechart.CodeEnded
	case plain && reserved(d.Name):
		return statechart.CodeReserved
	case plain && !s.chart.knows(d.Name):
		return statechart.CodeUnknownEvent
	}
	return ""
}

// Cancel ends the session from outside: it exits everything and reports
// nothing (R25).
func (s *Session) Cancel(now int64) Record {
	s.m.effects = nil
	if s.status != statechart.Active && s.status != statechart.Parked {
		return s.record(result{statechart.Refused, statechart.CodeEnded})
	}
	s.now = max(s.now, now)
	s.sequence++
	s.begin(statechart.Event{Name: "detent.cancel"})
	s.m.unbounded = true
	s.exitAll()
	s.status = statechart.Cancelled
	return s.record(result{outcome: statechart.Taken})
}

// step does one macrostep and undoes it when it passes a bound (R29).
func (s *Session) step(d statechart.Delivery, now int64) result {
	came := s.memory
	s.now = max(s.now, now) // R30
	s.sequence++
	before := s.snapshot()
	s.begin(d.Event)
	r := s.bounded(func() result { return s.process(d) })
	switch r.code {
	case statechart.CodeMicrosteps, statechart.CodeRaised, statechart.CodeEffects, statechart.CodeFuel:
		s.memory = before
		s.m.effects = nil
		if source(d).Kind != "" {
			s.status = statechart.FailedStatus
		}
	case statechart.CodeFull: // as if it had never come
		s.memory = before
		s.now, s.sequence = came.now, came.sequence
		s.m.effects = nil
	}
	return r
}

// Next delivers the first kept event that can be taken now (R32).
func (s *Session) Next(now int64) (statechart.Delivery, Record, bool) {
	if s.status != statechart.Active {
		return statechart.Delivery{}, Record{}, false
	}
	for i, d := range s.deferred {
		if !s.canTake(d, now) {
			continue
		}
		rest := slices.Delete(slices.Clone(s.deferred), i, i+1)
		s.deferred = slices.Clone(rest)
		return d, s.record(s.step(d, now)), true
	}
	return statechart.Delivery{}, Record{}, false
}

// Can reports whether a transition that does something would take a plain
// event at the host's time now.
func (s *Session) Can(e statechart.Event, now int64) bool {
	d := statechart.Delivery{Event: e}
	return s.door(d) == "" && s.canTake(d, now)
}

// Matches reports, by path, which states are active.
func (s *Session) Matches() map[string]bool {
	out := map[string]bool{}
	for _, st := range s.chart.states {
		if !st.isHistory() && st.parent != nil {
			out[st.path] = s.config[st]
		}
	}
	return out
}

// canTake looks without leaving a trace.
func (s *Session) canTake(d statechart.Delivery, now int64) bool {
	before := s.now
	defer func() { s.now = before }()
	s.now = max(s.now, now)
	s.begin(d.Event)
	s.m.silent = true
	return s.selectTransitions(d).acts()
}
