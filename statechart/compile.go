package statechart

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/detent-run/detent/internal/edits"
)

// Bounds of a definition. They keep every later cost bounded, too.
const (
	maxStates      = 10_000
	maxTransitions = 100_000
	maxDepth       = 64
	maxName        = 1_000
	maxExpression  = 65_536 // a language may ask for less
	maxScript      = 1 << 20
	maxActions     = 100_000
	maxTargets     = 256
	maxFuel        = 1_000_000 // of one macrostep
	maxPath        = 1_000
	maxHints       = 100
	maxList        = 1_000     // entries of one list of a state or an action
	maxData        = 1_000_000 // values in all literals together
	maxErrors      = 1_000
)

// Compile turns a definition into a chart, or returns [Errors] with all that
// is wrong with it, in document order. A nil registry is an empty one. Names
// that the definition uses and the registry lacks are errors.
func Compile(def Definition, registry *Registry) (*Chart, error) {
	if registry == nil {
		registry = NewRegistry()
	}
	c := &compiler{
		chart:    &Chart{definition: def, scxml: def.Dialect == "scxml", paths: map[string]int32{}, ids: map[string]int32{}, listIndex: map[string]int{}},
		registry: registry,
		events:   newEventTable(def.Dialect == "scxml"),
		lists:    map[string]int{},
		delays:   map[string]any{},
		used:     map[string]bool{},
		globals:  map[string]variable{},
		tools:    map[int32][]string{},
	}
	c.errors = append(c.errors, registry.errors...)
	if l, watchful := registry.language.(WatchfulLanguage); watchful {
		c.chart.admit = l.Admit
	}
	c.header()
	c.number(&c.chart.definition.Root, -1, "root", "")
	if c.tooLarge {
		c.sort()
		return nil, c.errors
	}
	for _, pass := range []func(){c.variables, c.namedDelays, c.states, c.finish} {
		pass()
	}
	if len(c.errors) == 0 {
		c.seal()
	}
	if len(c.errors) > 0 {
		c.sort()
		return nil, c.errors
	}
	return c.chart, nil
}

// compiler holds what is needed only while a chart is compiled.
type compiler struct {
	chart    *Chart
	registry *Registry
	events   *eventTable
	errors   Errors
	tooLarge bool
	lists    map[string]int
	globals  map[string]variable // data of an SCXML document
	delays   map[string]any
	used     map[string]bool // registered names, for the digest
	actions  int             // and conditions, and entries of lists
	data     int             // of how many values all literals are made
	text     int             // bytes in them
	hints    int
	tools    map[int32][]string // that may be called at a state, once asked for
	schemas  bool               // some schema is checked
	event    string             // descriptor of the transition that is being compiled
	guard    bool               // an expression that is being compiled is a condition
}

// fail notes an error. Past the bound the rest is left out, with a note.
func (c *compiler) fail(code Code, path, message, hint string) {
	switch {
	case len(c.errors) < maxErrors:
		c.errors = append(c.errors, &Error{Code: code, Path: path, Message: message, Hint: hint})
	case len(c.errors) == maxErrors:
		c.errors = append(c.errors, &Error{Code: CodeLimit, Message: fmt.Sprintf("more than %d errors; the rest is not listed", maxErrors)})
	}
}

// sort puts the errors into document order: by the state that their path
// lies in, and as they were found within one.
func (c *compiler) sort() {
	at := make(map[string]int, len(c.chart.nodes))
	for i := range c.chart.nodes {
		at[c.chart.nodes[i].place] = i + 1
	}
	order := func(e *Error) int {
		for path := e.Path; path != ""; path = path[:max(strings.LastIndexAny(path, ".["), 0)] {
			if i, ok := at[path]; ok {
				return i
			}
		}
		if e.Path == "" {
			return len(at) + 1
		}
		return 0
	}
	slices.SortStableFunc(c.errors, func(a, b *Error) int { return order(a) - order(b) })
}

// header checks what stands above the states.
func (c *compiler) header() {
	d := &c.chart.definition
	c.checkName(d.ID, "id", "the chart's id")
	if d.Semantics != 0 && d.Semantics != Semantics {
		c.fail(CodeSemantics, "semantics", fmt.Sprintf("semantics %d is not known", d.Semantics), fmt.Sprintf("this package follows %d", Semantics))
	}
	if d.Dialect != "" && d.Dialect != "scxml" {
		c.fail(CodeInvalid, "dialect", "the dialect "+quote(d.Dialect)+" is not known", `leave it empty, or "scxml"`)
	}
	if d.Binding != "" && d.Binding != "early" && d.Binding != "late" {
		c.fail(CodeInvalid, "binding", "the binding "+quote(d.Binding)+" is not known", "early or late")
	}
	c.onlySCXML(d.Binding != "", "binding")
	c.onlySCXML(len(d.Undeclared) > 0, "undeclared")
	if c.chart.scxml && len(d.Constants) > 0 {
		c.fail(CodeNotAllowed, "constants", "a chart of the scxml dialect has no constants", "declare data of the root")
	}
	unhandled := map[string]Outcome{"": Ignored, "ignore": Ignored, "reject": Refused, "defer": Deferred}
	outcome, ok := unhandled[d.Unhandled]
	if !ok {
		c.fail(CodeInvalid, "unhandled", quote(d.Unhandled)+" is not known", "ignore, reject or defer")
	}
	c.chart.unhandled = outcome
	c.limits(&d.Limits)
	c.carried(d.Input, "input")
	c.chart.input = c.schemaCheck(d.Input, "input")
	c.carriedMap(d.Budget, "budget")
	c.declarations(d)
}

// onlySCXML refuses what only the scxml dialect has.
func (c *compiler) onlySCXML(said bool, place string) {
	if said && !c.chart.scxml {
		c.fail(CodeNotAllowed, place, "only a chart of the scxml dialect has this", "leave it out")
	}
}

func (c *compiler) limits(l *Limits) {
	lower := func(name string, v *int, most int) {
		if *v < 0 || *v > most {
			c.fail(CodeLimit, "limits."+name, fmt.Sprintf("%d is outside 1 to %d", *v, most), "a chart may lower a limit, never raise it")
		}
		if *v == 0 {
			*v = most
		}
	}
	lower("microsteps", &l.Microsteps, 1000)
	lower("raised", &l.Raised, 1000)
	lower("effects", &l.Effects, 100)
	lower("deferred", &l.Deferred, 1000)
	lower("data", &l.Data, maxValueSize)
	fuel := int(l.Fuel)
	lower("fuel", &fuel, maxFuel)
	l.Fuel = int64(fuel)
	c.chart.limits = *l
}

func (c *compiler) declarations(d *Definition) {
	fits := c.bounded(len(d.Lists), "lists") && c.bounded(len(d.Undeclared), "undeclared") && c.bounded(len(d.Delays), "delays") && c.bounded(len(d.Constants), "constants") &&
		c.bounded(len(d.Performers), "performers")
	if c.overfull(len(d.Events), "events"); c.tooLarge || !fits {
		return
	}
	for i, name := range d.Lists {
		path := fmt.Sprintf("lists[%d]", i)
		c.checkName(name, path, "a list's name")
		if _, twice := c.lists[name]; twice {
			c.fail(CodeDuplicate, path, "the list "+quote(name)+" is declared twice", "")
		}
		c.lists[name] = i
		c.chart.listIndex[name] = i
	}
	c.chart.lists = d.Lists
	for i, v := range d.Delays {
		path := fmt.Sprintf("delays[%d]", i)
		c.checkName(v.Name, path, "a delay's name")
		if _, twice := c.delays[v.Name]; twice {
			c.fail(CodeDuplicate, path, "the delay "+quote(v.Name)+" is declared twice", "")
		}
		c.delays[v.Name] = v.Value
	}
	for i := range d.Events {
		e := &d.Events[i]
		path := fmt.Sprintf("events[%d]", i)
		if c.checkEventName(e.Name, path) {
			if c.events.declared[e.Name] != nil {
				c.fail(CodeDuplicate, path, "the event "+quote(e.Name)+" is declared twice", "")
			}
			c.carried(e.Data, path+".data")
			c.events.declared[e.Name] = e
			if check := c.schemaCheck(e.Data, path+".data"); check != nil {
				c.events.checks[e.Name] = check
			}
			c.events.name(e.Name)
		}
	}
	if len(d.Performers) > 0 {
		c.chart.sources = c.registry.performers
	}
	for i, p := range d.Performers {
		if !c.registry.performers[p] {
			c.fail(CodeUnknownSource, fmt.Sprintf("performers[%d]", i), "the performer "+quote(p)+" is not registered", nearest(c, p, c.registry.performers))
		}
	}
}

// checkName checks a key or an id.
func (c *compiler) checkName(name, path, what string) bool {
	switch {
	case name == "":
		c.fail(CodeMissing, path, what+" is missing", "")
	case len(name) > maxName:
		c.fail(CodeLimit, path, fmt.Sprintf("%s is longer than %d bytes", what, maxName), "")
	case !validText(name):
		c.fail(CodeInvalidName, path, what+" is not text that can be kept", "")
	case !c.chart.scxml && strings.ContainsFunc(name, badInName):
		c.fail(CodeInvalidName, path, what+" "+quote(name)+" holds a '.', '#', '*' or white space", "")
	case !c.chart.scxml && strings.ContainsFunc(name, hidden):
		c.fail(CodeInvalidName, path, what+" "+quote(name)+" holds a character that cannot be seen", "write it without control characters and marks of direction")
	default:
		return true
	}
	return false
}

func badInName(r rune) bool { return strings.ContainsRune(".#*", r) || unicode.IsSpace(r) }

// hidden reports whether a character makes a name read as what it is not: a
// control, or a mark that turns the direction of what follows.
func hidden(r rune) bool {
	return unicode.IsControl(r) && !unicode.IsSpace(r) || unicode.Is(unicode.Bidi_Control, r)
}

// checkEventName checks the plain name of an event that is declared, raised
// or sent.
func (c *compiler) checkEventName(name, path string) bool {
	switch {
	case name == "":
		c.fail(CodeMissing, path, "an event has no name", "")
	case !isEventName(name):
		c.fail(CodeInvalidName, path, quote(name)+" is no event name", "")
	case !c.chart.scxml && reserved(name):
		c.fail(CodeReserved, path, quote(name)+" is one of the engine's names", "events of the engine can be taken, not declared, raised or sent")
	case !c.chart.scxml && strings.Contains(name, "*"):
		c.fail(CodeInvalidName, path, quote(name)+" is a descriptor, not a name", "")
	default:
		return true
	}
	return false
}

// isEventName reports whether a name can be an event's in some dialect.
func isEventName(name string) bool {
	return name != "" && len(name) <= maxName && validText(name) && !strings.ContainsFunc(name, unicode.IsSpace) && !strings.ContainsFunc(name, hidden)
}

func validText(s string) bool {
	return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0
}

// number gives each state its number, in document order.
func (c *compiler) number(def *State, parent int32, place, path string) int32 {
	i := int32(len(c.chart.nodes))
	depth := int32(0)
	if parent >= 0 {
		depth = c.chart.nodes[parent].depth + 1
	}
	if c.tooLarge = c.tooLarge || !c.listsFit(def, place) || !c.toolsFit(def, parent, place) || i >= maxStates || depth > maxDepth; c.tooLarge {
		if i >= maxStates || depth > maxDepth {
			c.fail(CodeLimit, place, fmt.Sprintf("more than %d states, or nested deeper than %d", maxStates, maxDepth), "")
		}
		return i
	}
	c.chart.nodes = append(c.chart.nodes, node{
		index: i, parent: parent, depth: depth, kind: c.kind(def, place), path: path, def: def, place: place, ordinal: -1,
	})
	if _, twice := c.chart.paths[path]; twice && strings.Contains(def.Name, ".") {
		c.fail(CodeDuplicate, place, "two states have the path "+quote(path), "a name with a dot reads like a path")
	}
	c.chart.paths[path] = i
	c.identify(i, def, place)
	names := map[string]bool{}
	for k := range def.States {
		if c.tooLarge {
			break
		}
		c.child(i, &def.States[k], k, names)
	}
	c.chart.nodes[i].last = int32(len(c.chart.nodes)) - 1
	return i
}

// bounded refuses a list that is too long.
func (c *compiler) bounded(n int, place string) bool {
	if n > maxList {
		c.fail(CodeLimit, place, fmt.Sprintf("a list of more than %d", maxList), "")
		c.tooLarge = true
	}
	return n <= maxList && !c.overfull(n, place)
}

// listsFit bounds the lists of a state whose entries are compared with each
// other.
func (c *compiler) listsFit(d *State, place string) bool {
	return c.bounded(len(d.After), place+".after") && c.bounded(len(d.Every), place+".every") && c.bounded(len(d.Invoke), place+".invoke") &&
		c.bounded(len(d.Context), place+".context") && c.bounded(len(d.Promote), place+".promote") && c.bounded(len(d.Defer), place+".defer")
}

// toolsFit bounds how many tools may be called at a state: each expression
// that asks for them looks through all.
func (c *compiler) toolsFit(d *State, parent int32, place string) bool {
	n := len(d.Tools)
	for only := d.ToolsOnly; !only && parent >= 0; parent = c.chart.nodes[parent].parent {
		above := c.chart.nodes[parent].def
		n, only = n+len(above.Tools), above.ToolsOnly
	}
	if n > maxList {
		c.fail(CodeLimit, place+".tools", fmt.Sprintf("more than %d tools may be called here", maxList), "")
	}
	return n <= maxList
}

func (c *compiler) child(parent int32, def *State, k int, names map[string]bool) {
	n := &c.chart.nodes[parent]
	place, path := fmt.Sprintf("%s.states[%d]", n.place, k), def.Name
	named := c.checkName(def.Name, place, "a state's name")
	if named {
		place = n.place + ".states." + def.Name
		if names[def.Name] {
			c.fail(CodeDuplicate, place, "two states are called "+quote(def.Name), "")
		}
		names[def.Name] = true
	}
	if n.path != "" {
		path = n.path + "." + def.Name
	}
	if len(path) > maxPath && !named {
		c.tooLarge = true // the name's own error says enough
		return
	}
	if len(path) > maxPath {
		c.tooLarge = true
		c.fail(CodeLimit, place[:min(len(place), maxPath)], fmt.Sprintf("the path of a state is longer than %d bytes", maxPath), "use shorter names")
		return
	}
	i := c.number(def, parent, place, path)
	if c.tooLarge {
		return
	}
	n = &c.chart.nodes[parent]
	if c.chart.nodes[i].kind == History {
		c.chart.nodes[i].ordinal = int32(len(c.chart.histories))
		c.chart.nodes[i].deep = def.History == "deep"
		c.chart.histories = append(c.chart.histories, i)
		n.histories = append(n.histories, i)
		return
	}
	n.children = append(n.children, i)
}

func (c *compiler) kind(def *State, place string) StateType {
	switch def.Type {
	case Parallel, Final, History:
		return def.Type
	case "", Atomic, Compound:
		for i := range def.States {
			if def.States[i].Type != History {
				if def.Type == Atomic {
					c.fail(CodeNotAllowed, place, "an atomic state has no children", "")
				}
				return Compound
			}
		}
		if def.Type == Compound {
			c.fail(CodeMissing, place, "a compound state needs children", "")
		}
		return Atomic
	}
	c.fail(CodeInvalid, place+".type", "the type "+quote(string(def.Type))+" is not known", "atomic, compound, parallel, final or history")
	return Atomic
}

// identify notes the state's id.
func (c *compiler) identify(i int32, def *State, place string) {
	n := &c.chart.nodes[i]
	n.id = def.ID
	if i == 0 {
		n.id = c.chart.definition.ID
	}
	n.doneName = "done.state." + c.chart.definition.ID + "." + n.path // the default id
	if n.id == "" {
		return
	}
	if i > 0 {
		c.checkName(n.id, place+".id", "an id")
	}
	if _, twice := c.chart.ids[n.id]; twice {
		c.fail(CodeDuplicate, place+".id", "the id "+quote(n.id)+" is given twice", "")
	}
	c.chart.ids[n.id] = i
	n.doneName = "done.state." + n.id
}

// hinting reports whether one more error may look for a hint.
func (c *compiler) hinting() bool {
	c.hints++
	return c.hints <= maxHints
}

// nearest is the hint "did you mean …" for a name among others. Very long
// names, very many others, and errors after the first hundred get none.
func nearest[V any](c *compiler, name string, among map[string]V) string {
	if !c.hinting() || len(name) > 64 || len(among) > 1000 {
		return ""
	}
	best, least := "", 1+len(name)/2
	for _, other := range sortedKeys(among) {
		if d := edits.Distance(name, other, least); d < least {
			best, least = other, d
		}
	}
	if best == "" {
		return ""
	}
	return "did you mean " + quote(best) + "?"
}

// visible finds the variable that a name means at a state.
func (c *compiler) visible(state int32, name string) (variable, bool) {
	if c.chart.scxml {
		v, ok := c.globals[name]
		return v, ok
	}
	for s := state; s >= 0; s = c.chart.nodes[s].parent {
		vs := c.chart.nodes[s].variables
		if i := slices.IndexFunc(vs, func(v variable) bool { return v.name == name }); i >= 0 {
			return vs[i], true
		}
	}
	return variable{}, false
}
