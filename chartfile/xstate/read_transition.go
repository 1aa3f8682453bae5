package xstate

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/detent-run/detent/chartfile"
	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// readsAsNothing reports whether a list of transitions or targets is empty.
func readsAsNothing(n *document.Node) bool { return n.Kind == document.List && len(n.Items) == 0 }

// candidates are transitions under a key of the format.
func (a *adapter) candidates(_ *document.Node, f document.Field) []document.Field {
	switch {
	case readsAsNothing(f.Value):
		return nil
	case f.Value.Kind == document.Null:
		return []document.Field{f}
	}
	return []document.Field{fieldAt(f, f.Key, a.transitions(f.Value))}
}

// transitions adapts one or many.
func (a *adapter) transitions(n *document.Node) *document.Node {
	if n.Kind != document.List {
		return a.transition(n)
	}
	out := *n
	out.Items = make([]*document.Node, len(n.Items))
	for i, item := range n.Items {
		out.Items[i] = a.transition(item)
	}
	return &out
}

func (a *adapter) transition(n *document.Node) *document.Node {
	switch {
	case n.Kind == document.Null, n.Kind == document.String && n.Text == "":
		return objectAt(n)
	case n.Kind != document.Object:
		a.oneState(n)
		return n
	}
	out := a.object(n, known{what: "a transition" + inXState, elsewhere: notOfTransitions, keys: map[string]adapting{
		"target": a.target, "guard": a.guardField, "actions": a.actionList, "reenter": same, "description": same, "meta": meta,
	}})
	if v := a.ours(n); v != nil {
		more := a.object(v, known{what: "meta.detent of a transition", keys: map[string]adapting{"keep": same}})
		out.Fields = append(out.Fields, more.Fields...)
	}
	return out
}

// target is left out where XState takes it for none.
func (a *adapter) target(_ *document.Node, f document.Field) []document.Field {
	if f.Value.Kind == document.Null || f.Value.Kind == document.String && f.Value.Text == "" {
		return nil
	}
	for _, v := range several(f.Value) {
		a.oneState(v)
	}
	return []document.Field{f}
}

// oneState refuses a target with white space: XState has none that are several,
// but names that no state has here.
func (a *adapter) oneState(n *document.Node) {
	if n.Kind == document.String && strings.ContainsAny(n.Text, " \t\r\n") && strings.TrimSpace(n.Text) != "" {
		a.refuseNode(statechart.CodeInvalidName, n, n.Start, fmt.Sprintf("the target %s holds white space", quoted(n.Text)), "rename the state, such as to "+quoted(strings.Join(strings.Fields(n.Text), "_")))
	}
}

// on adapts transitions by their events.
func (a *adapter) on(f document.Field) []document.Field {
	if f.Value.Kind != document.Object {
		return a.keyed(f, "EVENT")
	}
	var list eventList
	for _, t := range f.Value.Fields {
		if readsAsNothing(t.Value) {
			continue
		}
		adapted := a.transitions(t.Value)
		for _, name := range a.descriptors(t) {
			list.add(fieldAt(t, name, adapted), len(t.Key))
		}
	}
	out := *f.Value
	out.Fields = list.joined()
	return []document.Field{fieldAt(f, f.Key, &out)}
}

// keyed refuses a list where an object has its transitions by their keys.
func (a *adapter) keyed(f document.Field, key string) []document.Field {
	if f.Value.Kind == document.List {
		a.refuseNode(chartfile.CodeWrongType, f.Value, f.KeyStart, fmt.Sprintf("%s is an object, not a list", quoted(f.Key)), fmt.Sprintf(`write each under its key: {%q: …}`, key))
	}
	return []document.Field{f}
}

// after adapts transitions by their delays.
func (a *adapter) after(f document.Field) []document.Field {
	if f.Value.Kind != document.Object {
		return a.keyed(f, "1000")
	}
	out := *f.Value
	out.Fields = nil
	seen := map[string]bool{}
	for _, t := range inJavaScriptOrder(f.Value.Fields) {
		if readsAsNothing(t.Value) {
			continue
		}
		key := a.delay(t.Key, t.KeyStart)
		if seen[key] {
			a.refuse(statechart.CodeDuplicate, t.KeyStart, fmt.Sprintf("the delay %s stands twice here", quoted(key)), "put both transitions into one list")
			continue
		}
		seen[key] = true
		out.Fields = append(out.Fields, fieldAt(t, key, a.transitions(t.Value)))
	}
	return []document.Field{fieldAt(f, f.Key, &out)}
}

// delay is a delay as chart files have it.
func (a *adapter) delay(text string, at document.Position) string {
	if ms, ok := milliseconds(text); ok {
		return duration(ms)
	}
	if v := a.stubs.find("after", text); v != nil && v.Kind == document.String {
		return v.Text
	}
	if a.stubs.delays[text] {
		return text
	}
	a.unknownDelay(text, at)
	a.strange++
	return fmt.Sprintf("%dd", 40_000+a.strange) // stands in, and is no other's; the file is refused
}

func (a *adapter) unknownDelay(text string, at document.Position) {
	message, hint := fmt.Sprintf("it is not said how long %s is", quoted(text)), fmt.Sprintf(`say it in the root's meta: {"detent": {"delays": {%s: "30s"}}}`, quoted(text))
	if ms, ok := millisecondsOf(text); ok {
		message, hint = fmt.Sprintf("%s is no delay in XState", quoted(text)), fmt.Sprintf("write the milliseconds: %q", strconv.FormatFloat(ms, 'f', -1, 64))
	}
	if strings.TrimSpace(text) == "" {
		message, hint = "the delay is empty", "write milliseconds, or a name"
	}
	if !a.stubs.reported[text] && !a.stubs.lostDelays {
		a.refuse(statechart.CodeUnknownName, at, message, hint)
	}
	a.stubs.report(text)
}

// delayField is delay for a value.
func (a *adapter) delayField(_ *document.Node, f document.Field) []document.Field {
	if v := f.Value; v.Kind == document.String || v.Kind == document.Int || v.Kind == document.Float {
		f.Value = textAt(v, a.delay(v.Text, v.Start))
	}
	return []document.Field{f}
}

// milliseconds reads a delay that is a number, as JavaScript reads it.
func milliseconds(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	if text == "" || strings.ContainsAny(text, "_pPnNiI") { // none of which JavaScript takes in a number
		return 0, false
	}
	if whole, err := strconv.ParseUint(text, 0, 63); err == nil && len(text) > 1 && text[0] == '0' && !strings.ContainsAny(text[1:2], "0123456789") {
		return float64(whole), true
	}
	if strings.ContainsAny(text, "xXoObB") {
		return 0, false
	}
	ms, err := strconv.ParseFloat(text, 64)
	return ms, err == nil && !math.IsInf(ms, 0)
}

// units are those in which whole delays are written, the longest first.
var units = []struct {
	name   string
	millis float64
}{{"h", 36e5}, {"m", 6e4}, {"s", 1e3}}

// duration is a number of milliseconds as a chart file says it.
func duration(ms float64) string {
	for _, u := range units {
		if n := ms / u.millis; n >= 1 && n == math.Trunc(n) && n < 1e15 {
			return strconv.FormatFloat(n, 'f', -1, 64) + u.name
		}
	}
	return strconv.FormatFloat(ms, 'f', -1, 64) + "ms"
}
