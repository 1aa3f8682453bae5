package chartfile

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// Bounds of a document. They hold before anything is made of it.
const (
	maxBytes = 1 << 20
	maxDepth = 64
	maxNodes = 400_000
)

// File is a chart file that was read. It is not changed afterwards and may
// be used concurrently.
type File struct {
	// Name is the name that it was read under; diagnostics carry it.
	Name string
	// Definition is what the file says. Where the file has errors, what
	// could not be read is missing from it.
	Definition statechart.Definition
	// Requires lists the registered names that the file uses.
	Requires Requires

	found      Diagnostics
	problems   []int // the offsets of the document's own, sorted
	top        *spot
	bad        map[*document.Node]bool // what could not be read
	lostStates map[string]bool         // names of states that, or below which, could not be read: who misses them is not to blame
	lostKinds  map[string]bool         // names of states of which it is not known what kind they are
	lostNames  bool                    // variables, lists or delays could not be read, whatever they are called
	lostListed map[string]bool         // the lists of requires that could not be read
}

// Requires lists the names that a file needs Go code to register.
type Requires struct {
	// Guards, Actions and Performers are names of a [statechart.Registry], in
	// the order of the file.
	Guards, Actions, Performers []string
}

// Read reads a chart file, YAML or JSON by its name or its first character,
// and lists everything that is wrong with the file itself, in the order of
// the file. What only the compiler can see is found by [File.Compile], also
// when there are errors here. The file is nil when nothing can be made of
// the document.
func Read(name string, data []byte) (*File, Diagnostics) {
	r, node := newReader(name, data, document.FormatOf(name, data))
	if node == nil {
		return nil, r.found.inOrder()
	}
	return r.read(node)
}

// newReader parses a document. The node is nil when it is no object.
func newReader(name string, data []byte, format document.Format) (*reader, *document.Node) {
	r := &reader{name: name, data: data, bad: map[*document.Node]bool{}, flawed: map[*document.Node]bool{}, required: map[string]map[string]bool{}, taken: map[string]bool{}}
	r.file.lostStates, r.file.lostKinds, r.file.lostListed = map[string]bool{}, map[string]bool{}, map[string]bool{}
	r.meant, r.lostSenders = map[*document.Node]map[string]bool{}, map[string]bool{}
	node, problems := document.Parse(data, format, document.Limits{Bytes: maxBytes, Depth: maxDepth, Nodes: maxNodes})
	for _, p := range problems {
		r.problems = append(r.problems, p.Start.Offset)
		r.note(statechart.Code(p.Code), p.Start, p.Message, p.Hint)
	}
	slices.Sort(r.problems)
	if node != nil && node.Kind != document.Object {
		r.note(CodeWrongType, node.Start, "a chart is an object, not "+kindOf(node), "it begins with id: NAME")
		node = nil
	}
	return r, node
}

// read makes a file of the nodes of a chart.
func (r *reader) read(node *document.Node) (*File, Diagnostics) {
	shapeChecker{r, map[reflect.Type][]formatKey{}}.check(node, reflect.TypeFor[fileObject](), subject{name: "the chart", at: node.Start})
	r.file.bad, r.file.problems = r.bad, r.problems
	r.file.Name, r.file.top = r.name, &spot{at: node.Start, node: node, bad: r.flawed[node]}
	r.chart(node, r.file.top)
	r.checkChoices()
	r.file.found = r.found.inOrder()
	return &r.file, slices.Clone(r.file.found)
}

// reader makes a definition of the nodes of a document.
type reader struct {
	name     string
	data     []byte
	found    Diagnostics
	problems []int                              // the offsets of the document's own, sorted
	bad      map[*document.Node]bool            // what cannot be read
	flawed   map[*document.Node]bool            // what can be, but is not all that was meant
	meant    map[*document.Node]map[string]bool // what the misspelt keys of an object were meant as
	file     File
	scope    *scope
	literals map[*document.Node]bool // values in which nothing is evaluated

	taken   map[string]bool  // the descriptors of all on
	choices []*document.Node // of all decide: calls

	lostTaken   bool            // an on could not be read
	lostEvents  bool            // events could not be read
	lostSenders map[string]bool // events of which it is not known who may send them

	required map[string]map[string]bool // the lists of requires
	delays   map[string]bool            // the names of delays
	fixed    map[string]float64         // those that are not computed, in milliseconds
}

// scope is the variables that can be read at a place.
type scope struct {
	up    *scope
	names map[string]bool
}

func (s *scope) has(name string) bool {
	for ; s != nil; s = s.up {
		if s.names[name] {
			return true
		}
	}
	return false
}

// within runs f where more variables can be read.
func (r *reader) within(names map[string]bool, f func()) {
	outer := r.scope
	r.scope = &scope{outer, names}
	f()
	r.scope = outer
}

// maxDiagnostics bounds what is said about one file.
const maxDiagnostics = 1_000

func (r *reader) note(code statechart.Code, at document.Position, message, hint string) {
	switch {
	case r.full():
		return
	case len(r.found) == maxDiagnostics:
		code, message, hint = codeLimit, fmt.Sprintf("more than %d things are wrong; the rest is not listed", maxDiagnostics), ""
	}
	r.found = append(r.found, Diagnostic{Code: code, Severity: Error, File: r.name, Line: at.Line, Column: at.Column, Message: message, Hint: hint})
}

// saidBetween reports whether the document has a problem between a key and
// its value: what stands there is not what it would be.
func (r *reader) saidBetween(key, value document.Position) bool {
	i, _ := slices.BinarySearch(r.problems, key.Offset)
	return i < len(r.problems) && r.problems[i] <= value.Offset
}

// full reports that no more is listed: what would be said need not be found.
func (r *reader) full() bool { return len(r.found) > maxDiagnostics }

// refuse notes that a node cannot be read: it counts as absent.
func (r *reader) refuse(n *document.Node, code statechart.Code, at document.Position, message, hint string) {
	r.note(code, at, message, hint)
	r.bad[n] = true
}

// flaw notes that something is wrong in a node, of which the rest is read.
func (r *reader) flaw(n *document.Node, code statechart.Code, at document.Position, message, hint string) {
	r.note(code, at, message, hint)
	r.flawed[n] = true
}

// mean remembers what a key that is none was meant as, by the hint at it.
func (r *reader) mean(n *document.Node, hint string) {
	_, quoted, found := strings.Cut(hint, "did you mean ")
	key, err := strconv.Unquote(strings.TrimSuffix(quoted, "?"))
	if found && err == nil {
		r.meanKey(n, key)
	}
}

func (r *reader) meanKey(n *document.Node, key string) {
	if r.meant[n] == nil {
		r.meant[n] = map[string]bool{}
	}
	r.meant[n][key] = true
}

// lost reports whether something was meant to stand under a key and cannot be
// read.
func (r *reader) lost(n *document.Node, key string) bool {
	v, _ := n.Field(key)
	return r.meant[n][key] || v != nil && r.bad[v]
}

// part finds what stands under a key and makes its spot, which has the key's
// name unless another is given. It is nil when nothing readable stands there.
func (r *reader) part(n *document.Node, s *spot, key string, name ...string) (*document.Node, *spot) {
	for _, f := range n.Fields {
		if f.Key != key {
			continue
		}
		if len(name) == 0 {
			name = []string{key}
		}
		at := s.add(name[0], placeOf(f), f.Value)
		at.bad = r.bad[f.Value] || r.flawed[f.Value]
		if r.bad[f.Value] {
			return nil, at
		}
		return f.Value, at
	}
	return nil, nil
}

// text reads a text that is said as it stands.
func (r *reader) text(n *document.Node, s *spot, key string) string {
	if v, _ := r.part(n, s, key); v != nil {
		return v.Text
	}
	return ""
}

// texts reads a list of such texts.
func (r *reader) texts(n *document.Node, s *spot, key string) []string {
	v, _ := r.part(n, s, key)
	return r.textsOf(v)
}

func (r *reader) textsOf(v *document.Node) []string {
	if v == nil {
		return nil
	}
	if v.Kind == document.String {
		return []string{v.Text}
	}
	out := make([]string, 0, len(v.Items))
	for _, item := range v.Items {
		if !r.bad[item] {
			out = append(out, item.Text)
		}
	}
	return out
}

// fields lists the fields of an object whose keys the author chose.
func (r *reader) fields(n *document.Node) []document.Field {
	if n == nil {
		return nil
	}
	return n.Fields
}

// literal reads a value that is said as it stands; nil when there is none.
func (r *reader) literal(n *document.Node, s *spot, key string) any {
	if v, _ := r.part(n, s, key); v != nil {
		return v.Value()
	}
	return nil
}

// literalObject is literal for objects.
func (r *reader) literalObject(n *document.Node, s *spot, key string) map[string]any {
	m, _ := r.literal(n, s, key).(map[string]any)
	return m
}

// number reads a whole number.
func (r *reader) number(n *document.Node, s *spot, key string) int {
	if v, _ := r.part(n, s, key); v != nil {
		return int(v.Int)
	}
	return 0
}

// isTrue reads a switch.
func (r *reader) isTrue(n *document.Node, s *spot, key string) bool {
	v, _ := r.part(n, s, key)
	return v != nil && v.Bool
}
