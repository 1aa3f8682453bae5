package xstate

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/internal/edits"
	"github.com/detent-run/detent/statechart"
)

// Read reads a JSON configuration of XState v5 and lists everything that is
// wrong with it, in the order of the file, with the codes of chart files; its
// bounds are theirs, too. [chartfile.File.Compile] goes on from there. The file
// is nil when nothing can be made of the document.
//
// Names of guards, actions and actors become what the file requires, unless
// meta.detent says what they are (see the package comment). Other differences
// of writing: delays without a unit are milliseconds; one action needs no list;
// an empty list of transitions is none, and null forbids an event as {} does;
// a target that is null or empty is none; the events xstate.done.state.ID, xstate.done.actor.ID, xstate.error.actor.ID,
// xstate.snapshot.ID and xstate.after.DELAY.ID are those of Detent, whose ids
// may differ; a state that has only history is a history state; children with
// numbers as keys come first, as JavaScript sorts them; a root without an id
// has XState's, "(machine)". Nothing is evaluated in texts. As guards
// {and: […]}, {or: […]}, {not: …} and {stateIn: "#id"} are taken, and as actions
// {raise: …}, {send: …}, {emit: …}, {cancel: …}, {log: …} and
// {if: …, then: […], else: […]}, for which XState itself has functions only.
//
// Warnings are given for what is left out: transitions of final states, what a
// history state cannot have, initial of a parallel state, types, schemas and
// systemId; for what comes near: onSnapshot, which is the progress of a call;
// and for transitions that can never be taken. What is left is refused, since
// the machine would behave differently without it.
func Read(name string, data []byte) (*chartfile.File, chartfile.Diagnostics) {
	a := &adapter{name: name, needs: map[string]*need{}, calls: map[string]string{}, timers: map[string]string{},
		literals: map[*document.Node]bool{}, refused: map[*document.Node]bool{}, flawed: map[*document.Node]bool{}, meant: map[*document.Node][]string{}}
	file, found := chartfile.ReadAdapted(name, data, a.machine)
	if file == nil && len(found) > 0 && isCode(data) {
		found[0].Hint = "the JSON is what " + stringify + " gives"
	}
	return file, found
}

// stringify is how a program writes the configuration of a machine.
const stringify = "JSON.stringify(machine.config)"

// isCode reports whether a document begins like a program, or like YAML.
func isCode(data []byte) bool {
	text := bytes.TrimLeft(data, " \t\r\n")
	return len(text) > 0 && (text[0] == '/' || text[0] == '(' || text[0]|0x20 >= 'a' && text[0]|0x20 <= 'z' && !bytes.HasPrefix(text, []byte("null")))
}

// adapter brings the nodes of a configuration into the shape of a chart file.
type adapter struct {
	name     string
	found    chartfile.Diagnostics
	literals map[*document.Node]bool // values in which nothing is evaluated
	refused  map[*document.Node]bool // as in chartfile.Adapted
	flawed   map[*document.Node]bool
	meant    map[*document.Node][]string
	stubs    stubs
	needs    map[string]*need  // what requires lists, by its key there
	calls    map[string]string // ids of invocations by those of XState
	timers   map[string]string // events of timers by those of XState
	spent    int               // values that stand for names of stubs
	strange  int               // delays that are none
}

// need is a list of registered names.
type need struct {
	names []*document.Node
	seen  map[string]bool
}

// maxFound bounds what is said about one file, as in chart files.
const maxFound = 1_000

func (a *adapter) note(severity chartfile.Severity, code statechart.Code, at document.Position, message, hint string) {
	switch {
	case len(a.found) > maxFound:
		return
	case len(a.found) == maxFound:
		severity, code, message, hint = chartfile.Error, statechart.CodeLimit, fmt.Sprintf("more than %d things are wrong; the rest is not listed", maxFound), ""
	}
	a.found = append(a.found, chartfile.Diagnostic{Code: code, Severity: severity, File: a.name, Line: at.Line, Column: at.Column, Message: message, Hint: hint})
}

func (a *adapter) refuse(code statechart.Code, at document.Position, message, hint string) {
	a.note(chartfile.Error, code, at, message, hint)
}

func (a *adapter) warn(code statechart.Code, at document.Position, message, hint string) {
	a.note(chartfile.Warning, code, at, message, hint)
}

// literal marks a value that stands as it is.
func (a *adapter) literal(n *document.Node) *document.Node {
	a.literals[n] = true
	return n
}

// require notes that a name must be registered.
func (a *adapter) require(key string, n *document.Node) {
	if n.Text == "" {
		return // that is said where it stands
	}
	list := a.needs[key]
	if list == nil {
		list = &need{seen: map[string]bool{}}
		a.needs[key] = list
	}
	if !list.seen[n.Text] {
		list.seen[n.Text] = true
		list.names = append(list.names, n)
	}
}

// refuseNode refuses a node: nothing that follows from its absence is said.
func (a *adapter) refuseNode(code statechart.Code, n *document.Node, at document.Position, message, hint string) {
	a.refuse(code, at, message, hint)
	a.refused[n] = true
}

// machine adapts a whole configuration.
func (a *adapter) machine(n *document.Node) chartfile.Adapted {
	if has(n, "transitions") > 0 && has(n, "order") > 0 {
		a.refuse(chartfile.CodeWrongType, n.Start, "this is a machine that XState has built, which it does not take back itself", "write its configuration: "+stringify)
		return chartfile.Adapted{Found: a.found}
	}
	id := defaultID
	if v, ok := n.Field("id"); ok {
		id = v.Text
	} else {
		a.warn(statechart.CodeMissing, n.Start, "the machine has no id", `XState calls it "`+defaultID+`"; give it an id of its own, by which it is known`)
	}
	a.survey(n, place{id: id})
	a.readStubs(n)
	root := a.state(n, place{id: id, root: true})
	if _, ok := n.Field("id"); !ok {
		root.Fields = append(root.Fields, document.Field{Key: "id", KeyStart: n.Start, Value: textAt(n, id)})
	}
	root.Fields = append(root.Fields, a.required(n)...)
	a.unusedStubs()
	return chartfile.Adapted{Root: root, Literals: a.literals, Refused: a.refused, Flawed: a.flawed, Meant: a.meant, Found: a.found}
}

// defaultID is the id of a machine that has none.
const defaultID = "(machine)"

// required is the field that lists registered names.
func (a *adapter) required(n *document.Node) []document.Field {
	var fields []document.Field
	for _, key := range []string{"guards", "actions", "performers"} {
		if list := a.needs[key]; list != nil {
			fields = append(fields, document.Field{Key: key, KeyStart: list.names[0].Start, Value: listAt(list.names[0], list.names)})
		}
	}
	if fields == nil {
		return nil
	}
	return []document.Field{{Key: "requires", KeyStart: n.Start, Value: objectAt(n, fields...)}}
}

// The nodes that stand for others have their place.

func textAt(n *document.Node, text string) *document.Node {
	return &document.Node{Kind: document.String, Start: n.Start, End: n.End, Text: text}
}

func listAt(n *document.Node, items []*document.Node) *document.Node {
	return &document.Node{Kind: document.List, Start: n.Start, End: n.End, Items: items}
}

func objectAt(n *document.Node, fields ...document.Field) *document.Node {
	return &document.Node{Kind: document.Object, Start: n.Start, End: n.End, Fields: fields}
}

func fieldAt(f document.Field, key string, value *document.Node) document.Field {
	f.Key, f.Value = key, value
	return f
}

// inXState ends the names of objects that XState has.
const inXState = " in XState v5"

// known are the keys of one kind of object, with what becomes of them. A key
// that is not listed is refused.
type known struct {
	what string // "a state"
	keys map[string]func(*document.Node, document.Field) []document.Field
	// elsewhere are hints for keys that other versions or formats have.
	elsewhere map[string]string
	// matter are the keys of which one that was meant and is not there makes
	// other things seem wrong; nil for every key.
	matter []string
}

// object adapts each field of an object in its order.
func (a *adapter) object(n *document.Node, k known) *document.Node {
	out := *n
	out.Fields = make([]document.Field, 0, len(n.Fields))
	for _, f := range n.Fields {
		if adapt, ok := k.keys[f.Key]; ok {
			out.Fields = append(out.Fields, adapt(n, f)...)
			continue
		}
		a.follow(&out, k, a.unknownKey(f, k))
	}
	return &out
}

// follow notes what the hint at a key that is none means for its object.
func (a *adapter) follow(n *document.Node, k known, hint string) {
	start, rest, _ := strings.Cut(hint, `"`)
	key, _, found := strings.Cut(rest, `"`)
	if !found || start != "did you mean " && start != "write " {
		return
	}
	a.meant[n] = append(a.meant[n], key)
	if k.matter == nil || slices.Contains(k.matter, key) {
		a.flawed[n] = true
	}
}

// unknownKey refuses a key and gives the hint.
func (a *adapter) unknownKey(f document.Field, k known) string {
	hint := k.elsewhere[f.Key]
	names := sortedKeys(k.keys)
	if hint == "" {
		hint = nearest(f.Key, names)
	}
	switch {
	case hint != "":
	case len(names) == 1:
		hint = "its one key is " + names[0]
	case len(names) <= 12:
		hint = "its keys are " + strings.Join(names, ", ")
	default:
		hint = "leave it out, or carry it in meta"
	}
	a.refuse(chartfile.CodeUnknownKey, f.KeyStart, fmt.Sprintf("%s is no key of %s", quoted(f.Key), k.what), hint)
	return hint
}

// same leaves a field as it is.
func same(_ *document.Node, f document.Field) []document.Field { return []document.Field{f} }

// literally is same for values in which nothing is evaluated.
func (a *adapter) literally(_ *document.Node, f document.Field) []document.Field {
	a.literal(f.Value)
	return []document.Field{f}
}

// leftOut drops a field that changes nothing, with a warning.
func (a *adapter) leftOut(message, hint string) func(*document.Node, document.Field) []document.Field {
	return func(_ *document.Node, f document.Field) []document.Field {
		a.warn(statechart.CodeNotAllowed, f.KeyStart, quoted(f.Key)+" "+message, hint)
		return nil
	}
}

// nearest is the hint "did you mean …" for a name among others, or "".
func nearest(name string, among []string) string {
	best := edits.Nearest(name, among)
	if best == "" {
		return ""
	}
	return "did you mean " + quoted(best) + "?"
}

// quoted shows a text of the author in a message, shortened when it is long.
func quoted(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		s = string(r[:most-1]) + "…"
	}
	return strconv.Quote(s)
}
