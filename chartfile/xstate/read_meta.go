package xstate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// ownKey is the key of meta under which a machine says what XState cannot.
const ownKey = "detent"

// ours is what stands in meta under that key; nil when nothing does.
func ours(n *document.Node) *document.Node {
	meta, _ := n.Field("meta")
	if meta == nil {
		return nil
	}
	v, _ := meta.Field(ownKey)
	return v
}

// ours refuses what is no object under that key, and gives nil then.
func (a *adapter) ours(n *document.Node) *document.Node {
	v := ours(n)
	if v != nil && v.Kind != document.Object {
		a.refuse(chartfile.CodeWrongType, v.Start, `"detent" of meta is an object`, "write the keys of a chart file in it")
		return nil
	}
	return v
}

// meta is carried as it stands, without what is read elsewhere.
func meta(_ *document.Node, f document.Field) []document.Field {
	i := slices.IndexFunc(f.Value.Fields, func(f document.Field) bool { return f.Key == ownKey })
	switch {
	case i < 0:
		return []document.Field{f}
	case len(f.Value.Fields) == 1:
		return nil
	}
	rest := *f.Value
	rest.Fields = slices.Delete(slices.Clone(rest.Fields), i, i+1)
	return []document.Field{fieldAt(f, f.Key, &rest)}
}

// stubs are what names stand for, by the key under which it is said.
type stubs struct {
	tables   map[string][]document.Field
	values   map[string]*document.Node // by key and name
	used     map[string]bool           // key and name
	delays   map[string]bool           // the names of delays
	reported map[string]bool           // delays of which it was said that something is wrong
	// lostDelays is set when the names of delays cannot be read.
	lostDelays bool
}

// find is what a name stands for, nil when it is not said.
func (s *stubs) find(key, name string) *document.Node {
	v := s.values[key+" "+name]
	if v != nil {
		s.used[key+" "+name] = true
	}
	return v
}

func (s *stubs) report(delay string) {
	if s.reported == nil {
		s.reported = map[string]bool{}
	}
	s.reported[delay] = true
}

// maxSpent bounds how many values the stubs stand for, each where it is used.
const maxSpent = 20_000

// stub is what a name stands for, nil when it is not said.
func (a *adapter) stub(key string, name *document.Node) *document.Node {
	v := a.stubs.find(key, name.Text)
	if v == nil {
		return nil
	}
	before := a.spent
	if before <= maxSpent {
		a.spent += valuesIn(v)
	}
	if a.spent <= maxSpent {
		return v
	}
	if before <= maxSpent {
		a.refuse(chartfile.CodeTooLarge, name.Start, fmt.Sprintf("what meta.detent says comes to more than %d values where it is used", maxSpent), "register the larger ones in Go")
	}
	if key == "guards" {
		return textAt(name, "true")
	}
	return listAt(name, nil)
}

func valuesIn(n *document.Node) int {
	sum := 1
	for _, item := range n.Items {
		sum += valuesIn(item)
	}
	for _, f := range n.Fields {
		sum += valuesIn(f.Value)
	}
	return sum
}

// readStubs reads what the root says of names.
func (a *adapter) readStubs(n *document.Node) {
	a.stubs = stubs{tables: map[string][]document.Field{}, values: map[string]*document.Node{}, used: map[string]bool{}, delays: map[string]bool{}}
	v := ours(n)
	if v == nil || v.Kind != document.Object {
		return
	}
	for _, key := range []string{"guards", "actions", "after"} {
		if table, ok := v.Field(key); ok && table.Kind == document.Object {
			a.stubs.tables[key] = table.Fields
			for _, f := range table.Fields {
				a.stubs.values[key+" "+f.Key] = f.Value
			}
		} else if ok {
			a.refuse(chartfile.CodeWrongType, table.Start, fmt.Sprintf("%s of meta.detent is an object", quoted(key)), fmt.Sprintf(`write {%q: {"name": …}}`, key))
		}
	}
	for _, f := range a.stubs.tables["after"] {
		if f.Value.Kind != document.String {
			a.refuse(chartfile.CodeWrongType, f.Value.Start, fmt.Sprintf("a delay under %q of meta.detent is text, not %s", "after", f.Value.Kind), `write "30s", or "${ … }"`)
			a.stubs.report(f.Key)
		}
	}
	if delays, ok := v.Field("delays"); ok {
		a.stubs.lostDelays = delays.Kind != document.Object
		for _, f := range delays.Fields {
			a.stubs.delays[f.Key] = true
		}
	}
	if listed, ok := v.Field("requires"); ok {
		a.readRequires(listed)
	}
}

// readRequires reads the names that only meta uses.
func (a *adapter) readRequires(listed *document.Node) {
	lists := known{what: "requires", keys: map[string]adapting{"guards": nil, "actions": nil, "performers": nil}}
	wrong := func(n *document.Node, what string) {
		a.refuse(chartfile.CodeWrongType, n.Start, what+", not "+n.Kind.String(), `write {"actions": ["name"]}`)
	}
	if listed.Kind != document.Object {
		wrong(listed, `"requires" of meta.detent is an object`)
	}
	for _, f := range listed.Fields {
		if _, ok := lists.keys[f.Key]; !ok {
			a.unknownKey(f, lists)
			continue
		}
		if f.Value.Kind != document.List {
			wrong(f.Value, quoted(f.Key)+" of requires is a list of names")
		}
		for _, item := range f.Value.Items {
			switch {
			case item.Kind != document.String:
				wrong(item, "a name in requires is text")
			case item.Text == "":
				a.refuse(chartfile.CodeBlank, item.Start, "a name in requires is empty text", "give it a value, or take the entry out")
			default:
				a.require(f.Key, item)
			}
		}
	}
}

// maxCompared bounds how many names are compared with others for the hints of
// one file: a file can name thousands that nothing uses.
const maxCompared = 50_000

// unusedStubs warns of names that nothing uses: they may be misspelt.
func (a *adapter) unusedStubs() {
	compared := 0
	for _, key := range []string{"guards", "actions", "after"} {
		var needed []string
		if list := a.needs[key]; list != nil {
			needed = sortedKeys(list.seen)
		}
		for _, f := range a.stubs.tables[key] {
			if a.stubs.used[key+" "+f.Key] {
				continue
			}
			hint := ""
			if compared += len(needed); compared <= maxCompared {
				hint = nearest(f.Key, needed)
			}
			a.warn(statechart.CodeUnknownName, f.KeyStart, fmt.Sprintf("nothing in the machine uses %s", quoted(f.Key)), cmp.Or(hint, "leave it out"))
		}
	}
}

// atRootOnly are the keys of meta.detent that only the root may have.
var atRootOnly = []string{"semantics", "input", "events", "constants", "lists", "unhandled", "limits", "budget", "delays"}

// stubKeys are those that were read before.
var stubKeys = []string{"guards", "actions", "after", "requires"}

// extend adds to a state what its meta says of it.
func (a *adapter) extend(out, n *document.Node, p place) {
	v := a.ours(n)
	if v == nil {
		return
	}
	for _, f := range v.Fields {
		switch {
		case p.root && slices.Contains(stubKeys, f.Key):
		case f.Key == "context":
			a.merge(out, f)
		case f.Key == "invoke":
			a.extendCalls(out, f)
		case p.root && f.Key == "delays":
			out.Fields = append(out.Fields, fieldAt(f, f.Key, withUnits(f.Value)))
		case slices.Contains(ofCharts, f.Key) && (p.root || !slices.Contains(atRootOnly, f.Key)), f.Key == "output":
			a.replace(out, f)
		default:
			a.unknownKey(f, known{what: "meta.detent", keys: keysOfMeta(p.root), elsewhere: elsewhereOfMeta(f.Key, p.root)})
		}
	}
}

func keysOfMeta(root bool) map[string]adapting {
	keys := map[string]adapting{"context": nil, "invoke": nil, "output": nil}
	for _, key := range slices.Concat(ofCharts, stubKeys, atRootOnly) {
		if root || !slices.Contains(atRootOnly, key) && !slices.Contains(stubKeys, key) {
			keys[key] = nil
		}
	}
	return keys
}

func elsewhereOfMeta(key string, root bool) map[string]string {
	if !root && (slices.Contains(stubKeys, key) || slices.Contains(atRootOnly, key)) {
		return map[string]string{key: "it stands in meta of the root only"}
	}
	if _, ok := (&adapter{}).stateKeys(place{})[key]; ok {
		return map[string]string{key: "XState has it itself; write it beside meta"}
	}
	return nil
}

// withUnits gives delays that are numbers their unit.
func withUnits(n *document.Node) *document.Node {
	out := *n
	out.Fields = slices.Clone(n.Fields)
	for i := range out.Fields {
		v := out.Fields[i].Value
		if ms, ok := milliseconds(v.Text); ok && v.Kind != document.List && v.Kind != document.Object {
			out.Fields[i].Value = textAt(v, duration(ms))
		}
	}
	return &out
}

// replace sets a field, which XState may have said less of.
func (a *adapter) replace(out *document.Node, f document.Field) {
	out.Fields = slices.DeleteFunc(out.Fields, func(o document.Field) bool { return o.Key == f.Key })
	out.Fields = append(out.Fields, f)
}

// merge sets variables that XState's context has with other values.
func (a *adapter) merge(out *document.Node, f document.Field) {
	i := slices.IndexFunc(out.Fields, func(o document.Field) bool { return o.Key == f.Key })
	if i < 0 || out.Fields[i].Value.Kind != document.Object {
		a.replace(out, f)
		return
	}
	out.Fields[i].Value = overlaid(out.Fields[i].Value, f.Value)
}

// overlaid is an object with the fields of another, which count more.
func overlaid(n, more *document.Node) *document.Node {
	out := *n
	out.Fields = slices.Clone(n.Fields)
	places := make(map[string]int, len(out.Fields))
	for i, f := range out.Fields {
		places[f.Key] = i
	}
	for _, f := range more.Fields {
		if i, known := places[f.Key]; known {
			out.Fields[i] = f
			continue
		}
		out.Fields = append(out.Fields, f)
	}
	return &out
}

// extendCalls adds to each invocation what a chart file can say of it.
func (a *adapter) extendCalls(out *document.Node, f document.Field) {
	extra := several(f.Value)
	i := slices.IndexFunc(out.Fields, func(o document.Field) bool { return o.Key == f.Key })
	if i < 0 || len(extra) > len(several(out.Fields[i].Value)) {
		a.refuse(chartfile.CodeWrongType, f.KeyStart, `"invoke" of meta.detent says more than the state invokes`, "give the state an invoke for each")
		return
	}
	calls := slices.Clone(several(out.Fields[i].Value))
	for k, more := range extra {
		calls[k] = overlaid(calls[k], more)
	}
	if out.Fields[i].Value.Kind == document.List {
		out.Fields[i].Value = listAt(out.Fields[i].Value, calls)
		return
	}
	out.Fields[i].Value = calls[0]
}
