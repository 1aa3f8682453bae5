package statechart

import (
	"slices"
	"strings"
	"unsafe"
)

// A Chart is a compiled [Definition]. It is immutable and safe for
// concurrent use; any number of instances run on one Chart. Inside, states,
// transitions, events and variables are small numbers in document order.
type Chart struct {
	definition Definition
	digest     string
	scxml      bool
	unhandled  Outcome // what an event that nothing takes becomes
	limits     Limits
	context    *contextType

	nodes       []node
	transitions []transition
	events      []event
	eventIDs    map[string]EventID
	prefixes    map[string][2]EventID // [plain, reserved] class of unknown names
	star        [2]EventID
	hasDefer    bool
	checked     bool  // the data of some event is checked
	input       Check // of what a session starts with; nil: anything
	admit       admission

	// dense is the candidate lists of all (state, event) pairs, for charts
	// small enough; candidates computes them otherwise.
	dense []span
	flat  []int32

	slots     []slotInfo        // all variables, and the ones of foreach
	sources   map[string]bool   // performers, where the definition lists its own
	delays    map[string]*value // named ones, in the root's scope
	lists     []string
	listIndex map[string]int
	histories []int32 // history states by ordinal
	paths     map[string]int32
	ids       map[string]int32

	leafMask   set  // atomic and final states
	alwaysMask set  // states with eventless transitions
	calm       bool // no macrostep can reach a bound or fail (no undo needed)
	quick      bool // some transition may be planned for the fast path

	cache Cache
	plans *planCache
	local *regionTable
	word  *wordTable
}

// span is a run of a flat list.
type span struct{ first, n uint32 }

// node is one state.
type node struct {
	index, parent, last int32 // last: the highest number below it, or its own
	depth               int32
	kind                StateType
	path, id            string
	def                 *State
	place               string  // where it stands in the definition
	children            []int32 // without histories
	histories           []int32
	initial             []int32 // targets; of a history its default
	initialActions      *block
	entry, exit         *block
	on                  []int32 // transitions with an event, in document order
	always              []int32
	variables           []variable
	data                []datum // of an SCXML document
	promotions          []promotion
	timed               []timed
	invocations         []invocation
	output              *value
	doneName            string // the event its completion raises
	ordinal             int32  // of a history state
	deep                bool
	defers              []int32 // descriptors
	forwards            bool    // one of its calls gets every event (R37)
	plain               bool    // entering and leaving it does nothing but quick blocks
}

// transition is one candidate.
type transition struct {
	index, source int32
	descriptors   []int32 // of its event
	guard         *guard
	actions       *block
	targets       []int32
	kind          TransitionType
	targetless    bool
	inert         bool // no target and no action: it forbids
	dynamic       bool // its targets depend on recorded history
	domain        int32
	entry         entryPlan // when not dynamic
	def           *Transition
	place         string
}

// entryPlan is which states a transition enters, in document order.
type entryPlan struct {
	states   []entryState
	restored []int32 // histories whose record is used
}

type entryState struct {
	state     int32
	byDefault bool   // its initial is taken
	history   *block // the actions of a history default below it
}

// variable is a declared variable, or a constant.
type variable struct {
	name     string
	slot     Slot
	value    *value
	constant bool
}

type slotInfo struct {
	name  string
	state int32 // -1: of foreach
}

type promotion struct {
	name, merge string
	target      Slot
	value       *value
	place       string
}

type timed struct {
	name    string
	delay   *value
	every   bool
	keep    bool
	warning bool
	missed  string
	place   string
}

type invocation struct {
	id         string
	isDo       bool
	src, input *value
	key        *value
	timeout    *value
	heartbeat  *value
	kind       *value
	idLocation storer
	finalize   *block
	def        *Invocation
	place      string
}

// block is a list of actions that an error stops (R20).
type block struct {
	quick []func(unsafe.Pointer, Event) // when all are of this kind
	steps []step
	place string
}

// step is one compiled action.
type step struct {
	run   func(*Scope) error
	place string
	do    bool // its errors are those of a do (R21)
}

// Definition returns what the chart was compiled from. It must not be
// changed.
func (c *Chart) Definition() Definition { return c.definition }

// Digest identifies the chart's meaning: a hash of the definition's normal
// form, the versions of the registered names it uses and the language's.
func (c *Chart) Digest() string { return c.digest }

// EventID resolves the name of an event that the chart takes somewhere.
func (c *Chart) EventID(name string) (EventID, bool) {
	id, ok := c.eventIDs[name]
	return id, ok
}

// Cache bounds what a chart remembers of the steps it was asked for. The
// zero value serves: a few megabytes at most, for charts of any size.
type Cache struct {
	// Configurations is how many configurations are interned: 0 means 4,096,
	// -1 none. With none, or beyond the bound, instances fall back to the
	// other forms, which are slower but need no memory of the chart.
	Configurations int
	// Regions is 0 to let an instance whose configuration is not interned
	// hold one leaf per region where that is possible, -1 to always use
	// bitsets.
	Regions int
}

// WithCache returns the same chart with another bound for its plans and no
// plan made yet. Instances of both may live side by side.
func (c *Chart) WithCache(bound Cache) *Chart {
	d := *c
	d.cache = bound
	d.plans, d.local = newPlanCache(&d), nil
	if bound.Regions >= 0 {
		d.local = newRegionTable(&d)
	}
	d.word = newWordTable(&d)
	return &d
}

// find resolves "#id", "#id.path" where the id ends at the first dot unless
// the whole is one, or a path from the root.
func (c *Chart) find(text string) (int32, bool) {
	id, isID := strings.CutPrefix(text, "#")
	if !isID {
		s, ok := c.paths[text]
		return s, ok
	}
	if s, ok := c.ids[id]; ok {
		return s, true
	}
	head, path, ok := strings.Cut(id, ".")
	if s, known := c.ids[head]; ok && known {
		return c.below(s, path)
	}
	return 0, false
}

// below follows keys below a state.
func (c *Chart) below(from int32, path string) (int32, bool) {
	full := path
	if from > 0 {
		full = c.nodes[from].path + "." + path
	}
	s, ok := c.paths[full]
	return s, ok && path != ""
}

// lacksSource reports whether a source of outside calls is not registered,
// though the definition lists its own of that kind: sources without a kind,
// or with the same word before the colon.
func (c *Chart) lacksSource(src string) bool {
	if c.sources == nil || c.sources[src] {
		return false
	}
	kind, _, has := strings.Cut(src, ":")
	return !has || slices.ContainsFunc(c.definition.Performers, func(p string) bool { return strings.HasPrefix(p, kind+":") })
}

func (c *Chart) isDescendant(s, of int32) bool { return s > of && s <= c.nodes[of].last }

// pathOf names a state in ids, event names and messages: by its path, the
// root by "#" and the chart's id, which no path can be.
func (c *Chart) pathOf(s int32) string {
	if s <= 0 {
		return "#" + c.definition.ID
	}
	return c.nodes[s].path
}
