package scxml

import (
	"fmt"
	"slices"
	"strings"

	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/statechart"
)

// translate makes the definition of a chart one in the scxml dialect that
// behaves the same, as Read gives it.
func translate(def *statechart.Definition) (statechart.Definition, statechart.Errors) {
	t := &translator{def: def, tree: newTree(def), delays: map[string]any{}, renamed: map[string]string{}}
	t.chart()
	t.asked = t.askedStates()
	t.inside = t.overridden()
	t.wrapped = t.needsState()
	t.nameStates()
	t.declarations()
	t.events()
	out := statechart.Definition{ID: def.ID, Dialect: "scxml", Description: def.Description, Root: t.top()}
	slices.Sort(t.undeclared)
	out.Undeclared = slices.Compact(t.undeclared)
	return out, t.errors
}

// translator says what a chart says in the words of SCXML.
type translator struct {
	def        *statechart.Definition
	errors     statechart.Errors
	tree       *tree
	wrapped    bool                        // the root becomes a state of its own
	inside     bool                        // the root's data is declared in that state
	asked      map[*node]bool              // states that conditions ask for
	at         *node                       // the state that is written
	delays     map[string]any              // those with a name
	variables  map[*node]map[string]string // the names in the document of those that each state declares
	taken      map[string]bool             // the names of all variables of the document
	loops      []string                    // variables of the loops around
	undeclared []string                    // variables of all loops
	renamed    map[string]string           // names of done events
	names      []string                    // of events that can come
	prefixes   []string                    // of events that the chart takes
	timed      bool                        // there are timers
	starting   bool                        // what is written is evaluated before anything is active
	temporary  string                      // the variable for assignments of several values at once, once it is needed
}

// fail notes what cannot be said.
func (t *translator) fail(path, hint, format string, args ...any) {
	t.errors = append(t.errors, unwritable(path, hint, format, args...))
}

// chart refuses what the whole chart says and SCXML does not.
func (t *translator) chart() {
	if t.def.Dialect != "" {
		t.fail("dialect", "the dialects are Detent's own and scxml", "the dialect %q is not known", t.def.Dialect)
	}
	for i, name := range t.def.Lists {
		t.fail(fmt.Sprintf("lists[%d]", i), "keep what must last in a variable", "the append-only list %q cannot be said in SCXML", name)
	}
	if u := t.def.Unhandled; u != "" && u != "ignore" {
		t.fail("unhandled", "SCXML ignores what nothing takes", "unhandled events that are not ignored (%s) cannot be said in SCXML", u)
	}
	for _, d := range t.def.Delays {
		t.delays[d.Name] = d.Value
	}
}

// needsState reports whether the root does more than hold states: the top of
// a document cannot do anything else.
func (t *translator) needsState() bool {
	root, s := t.tree.root, t.tree.root.state
	if !root.isCompound() || t.asked[root] || t.inside || len(s.On)+len(s.Always)+len(s.After)+len(s.Every)+len(s.Entry)+len(s.Exit)+len(s.InitialActions) > 0 {
		return true
	}
	return slices.ContainsFunc(root.children, func(c *node) bool { return c.state.Type == statechart.History })
}

// nameStates gives each state its id in the document: its own, or its name,
// or, where several have that name, its path.
func (t *translator) nameStates() {
	times := map[string]int{}
	own := func(n *node) string {
		if n.state.ID != "" {
			return nameOf(n.state.ID)
		}
		return nameOf(n.state.Name)
	}
	for _, n := range t.tree.all[1:] {
		times[own(n)]++
	}
	taken := map[string]bool{}
	if t.wrapped {
		t.tree.root.name = nameOf(t.def.ID)
		taken[t.tree.root.name] = true
	}
	for _, n := range t.tree.all[1:] {
		name := own(n)
		if times[name] > 1 && n.state.ID == "" || taken[name] {
			name = nameOf(strings.ReplaceAll(n.path, ".", "_"))
		}
		for taken[name] || name != own(n) && times[name] > 0 {
			name += "_"
		}
		taken[name] = true
		n.name = name
		t.renamed["done.state."+n.id] = "done.state." + name
	}
	if t.wrapped {
		t.renamed["done.state."+t.def.ID] = "done.state." + t.tree.root.name
	}
}

// nameOf makes a name of XML of a state's. It has no dots: a dot would part
// the names of done events.
func nameOf(text string) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == '.' || r == ':' || !isNameStart(r) && !isNamePart(r):
			b.WriteRune('_')
		case i == 0 && !isNameStart(r):
			b.WriteString("_" + string(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// top is the root of the document: the chart's, or one around it and around
// the final states that end the session.
func (t *translator) top() statechart.State {
	root := t.tree.root
	t.starting, t.at = true, root
	data := t.rootData()
	t.starting = false
	var inner statechart.State
	if t.wrapped {
		inner = t.state(root)
	}
	if t.inside {
		inner.Context, data = data, nil
	}
	out := statechart.State{}
	if !t.wrapped {
		t.unsaid(root)
		out.Initial = t.initialPath(root, root.state.Initial, root.place+".initial")
		for _, c := range root.children {
			out.States = append(out.States, t.state(c))
		}
	} else {
		out.Initial = inner.Name
		out.States = append(out.States, inner)
		for _, c := range root.children {
			if c.state.Type == statechart.Final {
				out.States = append(out.States, t.state(c))
			}
		}
		t.ends(root)
	}
	if t.temporary != "" {
		data = append(data, statechart.Variable{Name: t.temporary})
	}
	out.Context = data
	t.misfits(root)
	return out
}

// ends sees that a session that the root ends, ends the same way when the
// root is a state beside the final ones.
func (t *translator) ends(root *node) {
	finals := slices.ContainsFunc(root.children, func(c *node) bool { return c.state.Type == statechart.Final })
	switch {
	case finals && len(root.state.Exit) > 0:
		t.fail("root.exit", "do it in the final states", "exit actions of the root would run before the final state is entered in SCXML")
	case root.state.Type == statechart.Parallel && t.canBeDone(root):
		t.fail("root.type", "put the parallel state into a state, and take its done event to a final one", "a root of regions that all end cannot be said in SCXML")
	}
	for _, one := range strings.Fields(root.state.Initial) {
		if n := t.tree.initial(root, one); n != nil && n.state.Type == statechart.Final && n.parent == root {
			t.fail("root.initial", "begin in another state", "a root that begins in a final state cannot be said in SCXML")
		}
	}
}

// canBeDone reports whether a state can be in a final configuration.
func (t *translator) canBeDone(n *node) bool {
	isFinal := func(c *node) bool { return c.state.Type == statechart.Final }
	if n.state.Type != statechart.Parallel {
		return isFinal(n) || slices.ContainsFunc(n.children, isFinal)
	}
	for _, c := range n.children {
		if c.state.Type != statechart.History && !t.canBeDone(c) {
			return false
		}
	}
	return true
}

// misfits refuses what only the root says and SCXML does not.
func (t *translator) misfits(root *node) {
	s := root.state
	if len(s.OnDone) > 0 {
		t.fail("root.onDone", "the root's end is the session's", "onDone of the root cannot be said in SCXML")
	}
	if s.Output == nil {
		return
	}
	finals := 0
	for _, c := range root.children {
		if c.state.Type != statechart.Final {
			continue
		}
		finals++
		if len(c.state.Exit) > 0 {
			t.fail(c.place+".exit", "do it on entry", "SCXML makes the output before the exit actions of a final state, and a chart makes the root's behind them")
		}
	}
	if len(s.Exit) > 0 && finals > 0 || s.Type == statechart.Parallel {
		t.fail("root.output", "give the outputs to the final states", "the output of this root cannot be said in SCXML")
	}
}

// askedStates are the states that conditions and expressions ask for.
func (t *translator) askedStates() map[*node]bool {
	asked := map[*node]bool{}
	visitStrings(t.def.Root, func(condition bool, text string) {
		if condition {
			if n := t.tree.find(text); n != nil {
				asked[n] = true
			}
			return
		}
		same := func(text string) string { return text }
		_, _, _ = expression.ForDocument(text, expression.Rewording{Text: same, Variable: same, State: func(path string) (string, bool) {
			if n := t.tree.find(path); n != nil {
				asked[n] = true
			}
			return "s", true
		}})
	})
	return asked
}
