package scxml

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// reader turns one tree into a definition.
type reader struct {
	files    fs.FS
	root     *node
	id       string
	byID     map[string]*node // states, by their id
	paths    map[*node]string // their paths in the definition
	data     []*node          // all <data>, in document order
	declared map[string]bool  // variables
	late     []string         // variables that foreach declares
	children map[string]*Document
	locals   int // numbers the names that foreach needs
}

var stateNames = []string{"state", "parallel", "final", "history"}

func isState(n *node) bool { return slices.Contains(stateNames, n.name) }

func unsupported(n *node, format string, a ...any) error {
	return &Unsupported{Element: n.name, Line: n.line, Reason: fmt.Sprintf(format, a...)}
}

// survey refuses what is not read at all, gives every state its path, and
// collects the data: it is one global scope, made at the start (SCXML 5.3).
func (r *reader) survey() error {
	if r.root.attributes["binding"] == "late" {
		return unsupported(r.root, "late binding")
	}
	var err error
	r.root.walk(func(n *node) bool {
		switch n.name {
		case "script":
			err = unsupported(n, "scripts need the ECMAScript data model")
		case "finalize":
			err = unsupported(n, "not a part of definitions")
		case "content":
			return false // may be a document of its own
		case "data":
			r.data = append(r.data, n)
			r.declared[n.attributes["id"]] = true
			return false // may be any XML
		}
		return err == nil
	})
	if err != nil {
		return err
	}
	return r.place(r.root, "")
}

// place gives the states below n their paths. An id may hold what a name may
// not, and a state may have no id; the name is then made up.
func (r *reader) place(n *node, prefix string) error {
	for _, c := range n.children {
		if !isState(c) {
			continue
		}
		id := c.attributes["id"]
		if id == "" {
			id = fmt.Sprintf("_%s_line%d_%d", c.name, c.line, len(r.byID))
			c.attributes["id"] = id
		}
		if r.byID[id] != nil {
			return fmt.Errorf("two states have the id %q", id)
		}
		r.byID[id] = c
		r.paths[c] = prefix + stateName(id)
		if err := r.place(c, r.paths[c]+"."); err != nil {
			return err
		}
	}
	return nil
}

// stateName is an id without the characters that paths give a meaning to.
func stateName(id string) string { return strings.NewReplacer(".", "·", "#", "·").Replace(id) }

func (r *reader) definition() (statechart.Definition, error) {
	root, err := r.state(r.root)
	if err != nil {
		return statechart.Definition{}, err
	}
	root.Name, root.ID, root.Type = "", "", ""
	data, err := r.datamodel()
	if err != nil {
		return statechart.Definition{}, err
	}
	// The data comes before everything; a foreach may declare more.
	root.Entry = append(data, root.Entry...)
	for _, n := range r.data {
		root.Context = append(root.Context, statechart.Variable{Name: n.attributes["id"]})
	}
	for _, name := range r.late {
		root.Context = append(root.Context, statechart.Variable{Name: name})
	}
	return statechart.Definition{ID: r.id, Dialect: "scxml", Root: root}, nil
}

// state reads one state, <scxml> included, with all below it.
func (r *reader) state(n *node) (statechart.State, error) {
	s := statechart.State{Name: stateName(n.attributes["id"]), ID: stateName(n.attributes["id"])}
	switch n.name {
	case "parallel", "final", "history":
		s.Type = statechart.StateType(n.name)
	}
	if n.name == "history" {
		return s, r.history(n, &s)
	}
	for _, c := range n.children {
		if err := r.part(c, &s); err != nil {
			return s, err
		}
	}
	if n.name != "parallel" && len(s.States) > 0 {
		return s, r.initial(n, &s)
	}
	return s, nil
}

// part reads one child of a state into it.
func (r *reader) part(c *node, s *statechart.State) error {
	switch c.name {
	case "state", "parallel", "final", "history":
		child, err := r.state(c)
		s.States = append(s.States, child)
		return err
	case "transition":
		t, err := r.transition(c)
		if t.Event == "" {
			s.Always = append(s.Always, t)
		} else {
			s.On = append(s.On, t)
		}
		return err
	case "onentry", "onexit":
		actions, err := r.actions(c.children)
		block := statechart.Action{Block: actions}
		switch {
		case len(actions) == 0:
		case c.name == "onentry":
			s.Entry = append(s.Entry, block)
		default:
			s.Exit = append(s.Exit, block)
		}
		return err
	case "invoke":
		call, err := r.invocation(c)
		s.Invoke = append(s.Invoke, call)
		return err
	case "donedata":
		var err error
		s.Output, err = r.payload(c)
		return err
	case "initial", "datamodel":
		return nil // read by initial and survey
	}
	return unsupported(c, "not read here")
}

// initial finds where a compound state is entered by default: its attribute,
// its element, or its first child.
func (r *reader) initial(n *node, s *statechart.State) error {
	element := n.first("initial")
	switch {
	case n.has("initial"):
		var err error
		s.Initial, err = r.below(n, n.list("initial"))
		return err
	case element != nil && element.first("transition") != nil:
		t := element.first("transition")
		var err error
		if s.Initial, err = r.below(n, t.list("target")); err != nil {
			return err
		}
		s.InitialActions, err = r.actions(t.children)
		return err
	}
	for _, c := range n.children {
		if isState(c) && c.name != "history" {
			s.Initial = stateName(c.attributes["id"])
			return nil
		}
	}
	return unsupported(n, "no child to start in")
}

func (r *reader) history(n *node, s *statechart.State) error {
	s.History = "shallow"
	if kind := n.attributes["type"]; kind != "" {
		s.History = kind
	}
	t := n.first("transition")
	if t == nil {
		return nil
	}
	var err error
	if s.Initial, err = r.below(r.parent(n), t.list("target")); err != nil {
		return err
	}
	s.InitialActions, err = r.actions(t.children)
	return err
}

func (r *reader) parent(n *node) *node {
	var found *node
	r.root.walk(func(p *node) bool {
		if slices.Contains(p.children, n) {
			found = p
		}
		return found == nil
	})
	return found
}

// below returns the paths from n to the states with these ids.
func (r *reader) below(n *node, ids []string) (string, error) {
	paths := make([]string, len(ids))
	prefix := ""
	if n != r.root {
		prefix = r.paths[n] + "."
	}
	for i, id := range ids {
		target := r.byID[id]
		if target == nil {
			return "", fmt.Errorf("line %d: no state has the id %q", n.line, id)
		}
		path, inside := strings.CutPrefix(r.paths[target], prefix)
		if !inside {
			return "", fmt.Errorf("line %d: the state %q does not lie below", n.line, id)
		}
		paths[i] = path
	}
	return strings.Join(paths, " "), nil
}

func (r *reader) transition(n *node) (statechart.Transition, error) {
	t := statechart.Transition{Event: strings.Join(n.list("event"), " "), Type: statechart.External}
	if n.attributes["type"] == "internal" {
		t.Type = statechart.Internal
	}
	if n.has("cond") {
		t.Guard = condition(n.attributes["cond"])
	}
	for _, id := range n.list("target") {
		if r.byID[id] == nil {
			return t, fmt.Errorf("line %d: no state has the id %q", n.line, id)
		}
		t.Target = strings.TrimSpace(t.Target + " #" + stateName(id))
	}
	var err error
	t.Actions, err = r.actions(n.children)
	return t, err
}
