package chartfile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/detent-run/detent/expression"
	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// chart reads the root of the document: what belongs to the chart, and then
// its root state.
func (r *reader) chart(n *document.Node, s *spot) {
	d := &r.file.Definition
	d.ID = r.text(n, s, "id")
	d.Version = r.text(n, s, "version")
	d.Semantics = r.number(n, s, "semantics")
	d.Description = r.text(n, s, "description")
	d.Unhandled = r.text(n, s, "unhandled")
	d.Input = r.literal(n, s, "input")
	d.Budget = r.literalObject(n, s, "budget")
	d.Events = r.events(n, s)
	d.Limits = r.limits(n, s)
	r.requires(n, s)
	d.Performers = r.file.Requires.Performers
	for _, f := range r.listed(n, s, "lists") {
		d.Lists = append(d.Lists, f.Key)
	}
	constants := r.listed(n, s, "constants")
	r.within(r.declared(constants), func() {
		r.within(r.declared(r.listedQuietly(n, "context")), func() {
			d.Delays = r.namedDelays(n, s)
			d.Constants = r.variables(constants)
		})
		root := s.add("root", s.at, n)
		root.bad = r.flawed[n]
		d.Root = r.state(n, root, true)
		d.Root.ID, d.Root.Description = "", ""
		root.kids = append(root.kids, s.constantSpots()...)
	})
}

// listed returns the fields of an object whose keys the author chose.
func (r *reader) listed(n *document.Node, s *spot, key string) []document.Field {
	v, _ := r.part(n, s, key)
	r.file.lostNames = r.file.lostNames || r.lost(n, key)
	return r.fields(v)
}

// listedQuietly is listed for what is read again later.
func (r *reader) listedQuietly(n *document.Node, key string) []document.Field {
	return r.listed(n, &spot{}, key)
}

// declared returns the names of declarations.
func (r *reader) declared(fields []document.Field) map[string]bool {
	names := make(map[string]bool, len(fields))
	for _, f := range fields {
		names[f.Key] = true
	}
	return names
}

// reservedName refuses a variable's name that the language has taken.
func (r *reader) reservedName(name string, at document.Position) {
	if expression.Reserved(name) {
		r.note(codeInvalidName, at, fmt.Sprintf("the language has %s already; no variable can have that name", quote(name)), "choose another name")
	}
}

// constantSpots lets the values of constants be found where the compiler
// looks for them: among the variables of the root.
func (s *spot) constantSpots() []*spot {
	constants, _ := s.step("constants")
	if constants == nil || constants.node == nil {
		return nil
	}
	var out []*spot
	for _, f := range constants.node.Fields {
		out = append(out, &spot{name: "context." + f.Key, at: placeOf(f), node: f.Value})
	}
	return out
}

// variables reads declarations with their values.
func (r *reader) variables(fields []document.Field) []statechart.Variable {
	var out []statechart.Variable
	for _, f := range fields {
		r.reservedName(f.Key, f.KeyStart)
		v := statechart.Variable{Name: f.Key}
		if !r.bad[f.Value] {
			v.Value = r.value(f.Value)
		}
		out = append(out, v)
	}
	return out
}

func (r *reader) events(n *document.Node, s *spot) []statechart.EventDeclaration {
	v, _ := r.part(n, s, "events")
	r.lostEvents = r.lost(n, "events")
	var out []statechart.EventDeclaration
	for _, f := range r.fields(v) {
		e := statechart.EventDeclaration{Name: f.Key}
		if !r.bad[f.Value] {
			e.Data = r.literal(f.Value, &spot{}, "data")
			e.From = r.texts(f.Value, &spot{}, "from")
		}
		from, _ := f.Value.Field("from")
		r.lostSenders[f.Key] = r.bad[f.Value] || r.lost(f.Value, "from") || from != nil && slices.ContainsFunc(from.Items, func(i *document.Node) bool { return r.bad[i] })
		out = append(out, e)
	}
	return out
}

func (r *reader) limits(n *document.Node, s *spot) statechart.Limits {
	v, at := r.part(n, s, "limits")
	if v == nil {
		return statechart.Limits{}
	}
	return statechart.Limits{
		Microsteps: r.number(v, at, "microsteps"), Raised: r.number(v, at, "raised"), Effects: r.number(v, at, "effects"),
		Deferred: r.number(v, at, "deferred"), Data: r.number(v, at, "data"), Fuel: int64(r.number(v, at, "fuel")),
	}
}

func (r *reader) requires(n *document.Node, s *spot) {
	v, at := r.part(n, s, "requires")
	kinds := []string{"guards", "actions", "performers"}
	for _, kind := range kinds {
		r.file.lostListed[kind] = r.lost(n, "requires") || v != nil && r.lost(v, kind)
	}
	if v == nil {
		return
	}
	r.file.Requires = Requires{r.texts(v, at, "guards"), r.texts(v, at, "actions"), r.texts(v, at, "performers")}
	for _, kind := range kinds {
		list, _ := v.Field(kind)
		if list == nil {
			continue
		}
		seen := map[string]bool{}
		r.required[kind] = seen
		for i, item := range list.Items {
			s.add(index(kind, i), item.Start, item) // where the compiler looks for performers
			if seen[item.Text] && item.Text != "" {
				r.note(codeDuplicate, item.Start, fmt.Sprintf("%s is listed twice", quote(item.Text)), "")
			}
			seen[item.Text] = true
			r.file.lostListed[kind] = r.file.lostListed[kind] || r.bad[item]
		}
	}
}

func (r *reader) namedDelays(n *document.Node, s *spot) []statechart.Variable {
	r.fixed = map[string]float64{}
	fields := r.listed(n, s, "delays")
	r.delays = r.declared(fields)
	out := make([]statechart.Variable, 0, len(fields))
	for _, f := range fields {
		v := statechart.Variable{Name: f.Key, Value: "0s"} // where it cannot be read, that is all that is said
		if text := f.Value.Text; f.Value.Kind == document.String && r.delays[text] {
			r.refuse(f.Value, codeInvalid, f.Value.Start, fmt.Sprintf("the delay %s is another's name", quote(f.Key)), "give the duration itself")
		}
		if !r.bad[f.Value] {
			v.Value = r.delay(f.Value)
		}
		if r.bad[f.Value] {
			v.Value = "0s"
		} else if text, fixed := v.Value.(string); fixed {
			r.fixed[f.Key], _ = durationMillis(text)
		}
		out = append(out, v)
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// source reads what an outside call calls.
func (r *reader) source(n *document.Node) any {
	if n == nil {
		return nil
	}
	v, _ := r.template(n)
	text, fixed := v.(string)
	kind, name, hasKind := strings.Cut(n.Text, ":")
	switch {
	case !fixed && !hasKind, v == nil:
		return v
	case !hasKind:
		r.listedIn(n, text, "performers", "performer", r.file.Requires.Performers, statechart.CodeUnknownSource)
		return v
	}
	if message, hint := wrongSource(kind, name); message != "" && !strings.Contains(kind, "${") {
		r.refuse(n, statechart.CodeUnknownSource, n.Start, message, hint)
	}
	return v
}

// sourceKinds are the kinds of outside calls, with an example of each.
var sourceKinds = []string{"tool", "mcp", "model", "decide", "human", "chart", "workflow"}

// wrongSource says what is wrong with a source that has a kind.
func wrongSource(kind, name string) (message, hint string) {
	known := false
	for _, k := range sourceKinds {
		known = known || k == kind
	}
	server, tool, slash := strings.Cut(name, "/")
	switch {
	case !known:
		hint = nearest(kind, sourceKinds)
		if hint == "" {
			hint = "the kinds are " + strings.Join(sourceKinds, ", ")
		}
		return fmt.Sprintf("there is no kind of call %s", quote(kind)), hint
	case strings.TrimSpace(name) == "":
		return fmt.Sprintf("%s names nothing", quote(kind+":")), "write " + kind + ":NAME"
	case kind == "mcp" && (!slash || server == "" || tool == ""):
		return fmt.Sprintf("%s names no tool of a server", quote(kind+":"+name)), "write mcp:SERVER/TOOL"
	case kind == "human" && name != "approve" && name != "input":
		hint = nearest(name, []string{"approve", "input"})
		if hint == "" {
			hint = "write human:approve or human:input"
		}
		return fmt.Sprintf("a person cannot be asked for %s", quote(name)), hint
	}
	return "", ""
}

// listedIn refuses a registered name that requires does not list.
func (r *reader) listedIn(n *document.Node, name, key, kind string, list []string, code statechart.Code) bool {
	switch {
	case r.required[key][name], r.file.lostListed[key]:
		return true
	case r.full():
		r.bad[n] = true
		return false
	}
	hint := nearest(name, list)
	if hint == "" {
		hint = fmt.Sprintf("list it: requires: {%s: [%s]}", key, name)
	}
	if kind == "performer" && hint[0] == 'l' {
		hint = fmt.Sprintf("a source is tool:NAME, model:NAME, …; a registered one is listed: requires: {performers: [%s]}", name)
	}
	r.refuse(n, code, n.Start, fmt.Sprintf("requires lists no %s %s", kind, quote(name)), hint)
	return false
}
