package xstate

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// JSON returns a definition as a JSON configuration of XState v5, indented by
// two spaces. What XState has functions for stands there under a name that a
// program provides to XState: a registered guard or action under its own, with
// its params where they are fixed, anything else under guard_1, action_1,
// delay_1, source_1 and so on. What those mean is written as text into the
// root's meta, under the key detent, in the forms of a chart file; equal ones
// share a name. [Read] reads that again: it gives a definition that does the
// same, with these differences of writing: delays of after come in milliseconds
// or another unit, and those that are numbers first; descriptors such as error.*
// that stand for events of both come as one of each.
//
// What does not decide which transitions XState takes is kept in meta.detent,
// too: what the door checks (input, events), what a host reads (tools, budget,
// limits, timeout, retry, mode, key, approval, …), constants and lists, the
// status of an end, computed first values of variables (null in XState),
// computed inputs and outputs (left out of XState), and onUnknown and
// onProgress, whose events XState does not have.
//
// With anything else XState would go another way even where the names do what
// is written of them. The error is of type [statechart.Errors] and lists all of
// it with [chartfile.CodeUnwritable] and the paths of a Definition: the scxml
// dialect (it alone, for its rules are others), variables below the root and
// their promotion, deferral, timers of every, kept timers and those above 24.8
// days (which XState's clock cuts off), an initial that leads further than to a
// child or to several states, actions of a history's default, states whose
// numbers as names JavaScript would put into another order, and events whose
// names begin with xstate.; also a meta in which detent stands already, or that
// is no object where something is kept in it, what a chart file cannot say
// either, and what would be larger than [Read] takes. Where XState differs on
// purpose, whatever the file says, is listed in docs/coming-from-xstate.md.
func JSON(def statechart.Definition) ([]byte, error) {
	if found := otherRules(&def); len(found) > 0 {
		return nil, found
	}
	found := unwritable(&def)
	text, err := chartfile.Write(def, chartfile.JSON)
	if list, ok := errors.AsType[statechart.Errors](err); ok {
		found = append(found, list...)
	}
	if len(found) > 0 {
		return nil, found
	}
	if err != nil {
		return nil, err
	}
	file, said := chartfile.Read("chart.json", text)
	for _, d := range said {
		if d.Severity == chartfile.Error {
			found = append(found, &statechart.Error{Code: d.Code, Message: d.Message, Hint: d.Hint})
		}
	}
	if len(found) > 0 {
		return nil, found
	}
	n, _ := document.Parse(text, document.JSON, document.Limits{Nodes: 1 << 20})
	e := exporter{def: &file.Definition, calls: map[string]string{}, timers: map[string]string{}, keys: map[string]string{},
		guards: newTable("guard_", file.Requires.Guards), actions: newTable("action_", file.Requires.Actions),
		delays: newTable("delay_", nil), sources: newTable("source_", file.Requires.Performers)}
	for _, d := range file.Definition.Delays {
		e.delays.taken[d.Name] = true
	}
	out := e.machine(n)
	if len(e.found) > 0 {
		return nil, e.found
	}
	if text, err = document.Write(out, document.JSON); err != nil {
		return nil, err
	}
	if found := tooLarge(text); len(found) > 0 {
		return nil, found
	}
	return text, nil
}

// tooLarge lists what is beyond the bounds of [Read]: a configuration is
// longer and deeper than the chart file that says the same.
func tooLarge(text []byte) (found statechart.Errors) {
	_, said := Read("machine.json", text)
	for _, d := range said {
		if d.Code == chartfile.CodeTooLarge {
			found = append(found, &statechart.Error{Code: chartfile.CodeUnwritable, Path: "root", Message: "as a configuration it could not be read again: " + d.Message, Hint: "take a part out into a chart of its own"})
		}
	}
	return found
}

// exporter makes a configuration of a definition and of the chart file that
// says the same, in which everything stands in the same order.
type exporter struct {
	def    *statechart.Definition
	found  statechart.Errors
	calls  map[string]string // ids of XState by those of invocations
	timers map[string]string // events of XState by those of timers
	keys   map[string]string // of after, by the events of timers

	guards, actions, delays, sources table
}

// table are the stubs of one kind, with what they stand for.
type table struct {
	prefix string
	taken  map[string]bool   // names that are other things
	names  map[string]string // by the text of what they stand for
	fields []document.Field
}

func newTable(prefix string, taken []string) table {
	t := table{prefix: prefix, taken: map[string]bool{}, names: map[string]string{}}
	for _, name := range taken {
		t.taken[name] = true
	}
	return t
}

// name is the name of a stub for what a node says.
func (t *table) name(n *document.Node) string {
	text, _ := document.Write(n, document.JSON) // it was just read
	if name, known := t.names[string(text)]; known {
		return name
	}
	i := len(t.fields) + 1
	for t.taken[t.prefix+strconv.Itoa(i)] {
		i++
	}
	name := t.prefix + strconv.Itoa(i)
	t.taken[name], t.names[string(text)] = true, name
	t.fields = append(t.fields, document.NewField(name, n))
	return name
}

func (e *exporter) fail(path, hint, format string, args ...any) {
	e.found = append(e.found, &statechart.Error{Code: chartfile.CodeUnwritable, Path: path, Message: fmt.Sprintf(format, args...), Hint: hint})
}

func (e *exporter) machine(n *document.Node) *document.Node {
	top := place{id: e.def.ID, root: true}
	e.survey(&e.def.Root, n, top)
	out, own := e.state(&e.def.Root, n, top, "root")
	for _, t := range []struct {
		key string
		*table
	}{{"guards", &e.guards}, {"actions", &e.actions}, {"after", &e.delays}} {
		if len(t.fields) > 0 {
			own = append(own, document.NewField(t.key, document.NewObject(t.fields...)))
		}
	}
	return e.withMeta(out, own, "root")
}

// withMeta puts what XState does not have into meta, behind what stands there.
func (e *exporter) withMeta(fields, own []document.Field, path string) *document.Node {
	if len(own) == 0 {
		return document.NewObject(fields...)
	}
	added := document.NewField(ownKey, document.NewObject(own...))
	i := slices.IndexFunc(fields, func(f document.Field) bool { return f.Key == "meta" })
	switch {
	case i < 0:
		fields = append(fields, document.NewField("meta", document.NewObject(added)))
	case fields[i].Value.Kind != document.Object:
		e.fail(path+".meta", "make it an object", "meta is no object, and what XState does not have stands in it")
	default:
		fields[i].Value = document.NewObject(append(slices.Clone(fields[i].Value.Fields), added)...)
	}
	return document.NewObject(fields...)
}

// survey finds the names that events have in XState.
func (e *exporter) survey(s *statechart.State, n *document.Node, p place) {
	for i := range s.Invoke {
		if s.Invoke[i].ID == "" {
			e.calls[fmt.Sprintf("%s:%d", p.path, i)] = fmt.Sprintf("%d.%s", i, p.id)
		}
	}
	if after, ok := n.Field("after"); ok {
		for i, f := range after.Fields {
			event := fmt.Sprintf("after.%s:%d", p.path, i)
			e.keys[event] = e.delayKey(s.After[i].Delay, f.Key)
			e.timers[event] = delayEvent(e.keys[event], p.id)
		}
	}
	if states, ok := n.Field("states"); ok {
		for i, f := range states.Fields {
			e.survey(&s.States[i], f.Value, p.child(f.Key, f.Value))
		}
	}
}

// theirs are the descriptors of XState for one of ours.
func (e *exporter) theirs(event string) []string {
	for _, pair := range engineEvents {
		name, ok := strings.CutPrefix(event, pair.ours)
		switch {
		case !ok:
		case pair.ours == "after." && e.timers[event] != "":
			return []string{e.timers[event]}
		case pair.ours == "after." && name != "*":
		case pair.ours != "done.state." && e.calls[name] != "":
			return []string{pair.theirs + e.calls[name]}
		default:
			return []string{pair.theirs + name}
		}
	}
	switch event {
	case "done.*":
		return []string{event, "xstate.done.state.*", "xstate.done.actor.*"}
	case "error.*":
		return []string{event, "xstate.error.actor.*"}
	case "progress.*":
		return []string{event, "xstate.snapshot.*"}
	}
	return []string{event}
}
