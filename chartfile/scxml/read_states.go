package scxml

import (
	"fmt"
	"slices"
	"strings"

	"github.com/detent-run/detent/statechart"
)

// maxPath is the length of a state's path that the core takes.
const maxPath = 1_000

// children returns the children that are SCXML's and have one of the names.
func (r *reader) children(e *element, names ...string) []*element {
	var out []*element
	for _, c := range e.elements() {
		if r.ours(c) && slices.Contains(names, c.local) {
			out = append(out, c)
		}
	}
	return out
}

// child returns the first of them, nil without any.
func (r *reader) child(e *element, name string) *element {
	if found := r.children(e, name); len(found) > 0 {
		return found[0]
	}
	return nil
}

// survey gives the states below e their names and paths. An id may hold what
// a name may not, and a state may have none: then its name is made up.
func (r *reader) survey(e *element, prefix string) {
	taken := map[string]int{}
	for _, c := range r.children(e, stateNames...) {
		id := r.stateID(c)
		part := strings.ReplaceAll(id, ".", "·")
		if part == "" {
			r.unnamed++
			part = fmt.Sprintf("_%s_%d", c.local, r.unnamed)
		}
		for base := part; taken[part] > 0; {
			taken[base]++
			part = fmt.Sprintf("%s·%d", base, taken[base])
		}
		taken[part]++
		path := prefix + part
		if len(path) > maxPath {
			r.note(statechart.CodeLimit, c, fmt.Sprintf("the path of <%s> is longer than %d bytes", c.local, maxPath), "use shorter ids")
			continue
		}
		r.parts[c], r.paths[c] = part, path
		if id != "" {
			r.doc.States[id] = path
		}
		r.survey(c, path+".")
	}
}

// stateID reads and notes the id of a state; "" without a good one.
func (r *reader) stateID(e *element) string {
	a := e.attribute("id")
	if a == nil {
		return ""
	}
	switch first := r.states[a.value]; {
	case len(strings.Fields(a.value)) != 1 || strings.TrimSpace(a.value) != a.value:
		r.noteAttribute(statechart.CodeInvalidName, e, a, quote(a.value)+" is no id", "an id is one word; without the attribute a state has none")
		return ""
	case first != nil:
		line, _ := first.source.place(first.at)
		r.noteAttribute(statechart.CodeDuplicate, e, a, fmt.Sprintf("the id %s is given twice, first to the <%s> of line %d", quote(a.value), first.local, line), "give one of them another id")
		return ""
	}
	r.states[a.value] = e
	return a.value
}

// top reads <scxml> as the root state.
func (r *reader) top(s *spot) statechart.State {
	root := r.state(r.root, s)
	root.Name, root.ID = "", ""
	if len(root.States) == 0 {
		r.note(statechart.CodeMissing, r.root, "the document has no state", `write <state id="…"/> into it`)
	}
	var scripts []statechart.Action
	for _, e := range r.children(r.root, "script") {
		at := s.add(index("entry", len(scripts)), e, nil)
		if actions := r.actions([]*element{e}, at, "block"); len(actions) > 0 {
			scripts = append(scripts, statechart.Action{Block: actions})
		}
	}
	root.Entry = scripts // <scxml> has no <onentry>
	return root
}

// state reads one state with all below it.
func (r *reader) state(e *element, s *spot) statechart.State {
	st := statechart.State{Name: r.parts[e]}
	if a := e.attribute("id"); a != nil && r.states[a.value] == e {
		st.ID = a.value
	}
	switch e.local {
	case "parallel", "final", "history":
		st.Type = statechart.StateType(e.local)
	}
	if e.local == "history" {
		r.history(e, s, &st)
		return st
	}
	for _, c := range e.elements() {
		if r.ours(c) && slices.Contains(rules[e.local].children, c.local) {
			r.part(c, s, &st)
		}
	}
	r.initial(e, s, &st)
	if e.local == "parallel" && !slices.ContainsFunc(st.States, func(c statechart.State) bool { return c.Type != statechart.History }) {
		r.note(statechart.CodeMissing, e, "<parallel>"+idOf(e)+" has no state in it", "write the states that are active together into it")
	}
	return st
}

// part reads one child of a state into it.
func (r *reader) part(c *element, s *spot, st *statechart.State) {
	switch c.local {
	case "state", "parallel", "final", "history":
		if part, ok := r.parts[c]; ok {
			st.States = append(st.States, r.state(c, s.add("states."+part, c, nil)))
		}
	case "transition":
		r.transitionOf(c, s, st)
	case "onentry":
		st.Entry = r.block(c, s, "entry", st.Entry)
	case "onexit":
		st.Exit = r.block(c, s, "exit", st.Exit)
	case "invoke":
		st.Invoke = append(st.Invoke, r.invocation(c, s.add(index("invoke", len(st.Invoke)), c, nil)))
	case "donedata":
		at := s.add("output", c, nil)
		st.Output = r.payload(c, at)
	case "datamodel":
		r.datamodel(c, s, st)
	}
}

// block reads an <onentry> or <onexit>: each is a block of its own.
func (r *reader) block(e *element, s *spot, field string, blocks []statechart.Action) []statechart.Action {
	at := s.add(index(field, len(blocks)), e, nil)
	if actions := r.actions(e.elements(), at, "block"); len(actions) > 0 {
		return append(blocks, statechart.Action{Block: actions})
	}
	at.name = "" // nothing stands there
	return blocks
}

// initial finds where a state with children is entered by default: its
// attribute, its element, or its first child.
func (r *reader) initial(e *element, s *spot, st *statechart.State) {
	a, inner := e.attribute("initial"), r.child(e, "initial")
	if e.local != "state" && e.local != "scxml" {
		return
	}
	compound := slices.ContainsFunc(st.States, func(c statechart.State) bool { return c.Type != statechart.History })
	switch {
	case a != nil && inner != nil:
		r.note(statechart.CodeNotAllowed, inner, "<state> has both the attribute and the element initial", "keep one of the two")
	case a != nil && !compound, inner != nil && !compound:
		var at int
		if a != nil {
			at = a.at
		} else {
			at = inner.at
		}
		r.noteAt(e.source, statechart.CodeNotAllowed, at, "a state without children has no initial", "remove it, or give the state children")
	case a != nil:
		s.mark("initial", "initial")
		st.Initial = r.targetsBelow(e, e, a)
	case inner != nil:
		r.initialElement(inner, e, s, st)
	case compound:
		first := st.States[slices.IndexFunc(st.States, func(c statechart.State) bool { return c.Type != statechart.History })]
		s.add("initial", e, nil)
		st.Initial = pathText(first.Name, first.ID)
	}
}

// initialElement reads the one transition of an <initial>, or of a <history>:
// it has a target and actions, and nothing else.
func (r *reader) initialElement(e, base *element, s *spot, st *statechart.State) {
	t := r.child(e, "transition")
	if t == nil {
		r.note(statechart.CodeMissing, e, "<"+e.local+"> has no transition", `write <transition target="…"/> into it`)
		return
	}
	for _, name := range []string{"event", "cond"} {
		if a := t.attribute(name); a != nil {
			r.noteAttribute(statechart.CodeNotAllowed, t, a, "the transition of <"+e.local+"> has no "+name, "remove it: the transition is always taken")
		}
	}
	a := t.attribute("target")
	if a == nil || blank(a.value) {
		r.note(statechart.CodeMissing, t, "the transition of <"+e.local+"> has no target", `write target="ID"`)
		return
	}
	s.add("initial", t, a)
	st.Initial = r.targetsBelow(base, t, a)
	st.InitialActions = r.actions(t.elements(), s, "initialActions")
	if st.Initial == "" {
		st.InitialActions = nil
	}
}

func (r *reader) history(e *element, s *spot, st *statechart.State) {
	st.History = "shallow"
	if a := e.attribute("type"); a != nil {
		s.mark("history", "type")
		if st.History = a.value; a.value != "shallow" && a.value != "deep" {
			r.noteAttribute(statechart.CodeInvalid, e, a, "a history is shallow or deep, not "+quote(a.value), "shallow is what holds without the attribute")
			st.History = "shallow"
		}
	}
	if r.child(e, "transition") == nil {
		r.warn(statechart.CodeMissing, e, e.at, "<history> has no default", `write <transition target="…"/> into it; without one its parent is entered as always`)
		return
	}
	r.initialElement(e, e.parent, s, st)
	t := r.child(e, "transition")
	a := t.attribute("target")
	if a == nil || st.History == "deep" {
		return
	}
	for id := range strings.FieldsSeq(a.value) {
		if child := r.states[id]; child != nil && child.parent != e.parent && r.below(child, e.parent) {
			r.warn(statechart.CodeTargets, t, a.start, "the default "+quote(id)+" of a shallow history is no child of its parent", `name a child of the parent, or write type="deep"`)
		}
	}
}

// attributeText is an attribute's value, "" without it.
func (e *element) attributeText(name string) string {
	if a := e.attribute(name); a != nil {
		return a.value
	}
	return ""
}

// below reports whether a state lies below another element.
func (r *reader) below(e, base *element) bool {
	for up := e.parent; up != nil; up = up.parent {
		if up == base {
			return true
		}
		if up == r.root {
			return false
		}
	}
	return false
}

// targetsBelow reads ids of states below base as paths from there.
func (r *reader) targetsBelow(base, e *element, a *attribute) string {
	var out []string
	for id := range strings.FieldsSeq(a.value) {
		t := r.target(e, a, id)
		switch {
		case t == nil:
		case t.local == "history" && t == e.parent:
			r.noteWord(e, a, id, statechart.CodeTargets, "the history "+quote(id)+" cannot be its own default", "name a state")
		case !r.below(t, base):
			r.noteWord(e, a, id, statechart.CodeTargets, "the state "+quote(id)+" does not lie in <"+base.local+">"+idOf(base), "name one of the states in it")
		default:
			prefix := ""
			if base != r.root {
				prefix = r.paths[base] + "."
			}
			out = append(out, pathText(strings.TrimPrefix(r.paths[t], prefix), id))
		}
	}
	if len(out) == 0 && blank(a.value) {
		r.noteAttribute(statechart.CodeMissing, e, a, a.local+" names no state", "write the id of one, or remove the attribute")
	}
	return strings.Join(out, " ")
}

// idOf shows the id of an element that has one.
func idOf(e *element) string {
	if id := e.attributeText("id"); id != "" {
		return " " + quote(id)
	}
	return ""
}

// pathText writes a path below a state, or an id where the path would be read
// as one.
func pathText(path, id string) string {
	if strings.HasPrefix(path, "#") {
		return "#" + id
	}
	return path
}

// target finds the state of an id, and says so when there is none.
func (r *reader) target(e *element, a *attribute, id string) *element {
	t := r.states[id]
	if t == nil || r.paths[t] == "" {
		if t == nil && !r.full() {
			r.noteWord(e, a, id, statechart.CodeUnknownState, "there is no state "+quote(id), r.nearest(id, r.stateIDs(), "a target is the id of a state"))
		}
		return nil
	}
	return t
}

// noteWord says what is wrong with one word of an attribute.
func (r *reader) noteWord(e *element, a *attribute, word string, code statechart.Code, message, hint string) {
	if r.full() {
		return
	}
	r.noteAt(e.source, code, a.offset(wordAt(a.value, word)), message, hint)
}

// wordAt is the index of a word in a text of words.
func wordAt(text, word string) int {
	for n := 0; n < len(text); n++ {
		i := strings.Index(text[n:], word)
		if i < 0 {
			break
		}
		n += i
		before, after := n == 0 || isSpace(text[n-1]), n+len(word) == len(text) || isSpace(text[n+len(word)])
		if before && after {
			return n
		}
	}
	return 0
}

// stateIDs lists the ids of all states, sorted.
func (r *reader) stateIDs() []string {
	if r.ids == nil {
		for id := range r.states {
			r.ids = append(r.ids, id)
		}
		slices.Sort(r.ids)
	}
	return r.ids
}
