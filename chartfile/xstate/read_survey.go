package xstate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/detent-run/detent/internal/document"
	"github.com/detent-run/detent/statechart"
)

// place is where a state stands.
type place struct {
	id   string // in XState: its own, or the root's with the keys that lead there
	path string // from the root, without it
	root bool
	base string // the root's id
}

// child is the place of a state below.
func (p place) child(key string, n *document.Node) place {
	c := place{path: key, base: p.base}
	if p.root || p.base == "" {
		c.base = p.id
	}
	if p.path != "" {
		c.path = p.path + "." + key
	}
	c.id = c.base + "." + c.path
	if v, ok := n.Field("id"); ok && v.Kind == document.String {
		c.id = v.Text
	}
	return c
}

// survey finds the names of events that depend on where something stands: any
// state may name them.
func (a *adapter) survey(n *document.Node, p place) {
	for i, call := range invocations(n) {
		xid, id := fmt.Sprintf("%d.%s", i, p.id), fmt.Sprintf("%s:%d", p.path, i)
		if v, ok := call.Field("id"); ok && v.Kind == document.String {
			xid, id = v.Text, v.Text
		}
		a.calls[xid] = id
	}
	if after, ok := n.Field("after"); ok && after.Kind == document.Object {
		at := 0
		for _, f := range inJavaScriptOrder(after.Fields) {
			if readsAsNothing(f.Value) {
				continue
			}
			a.timers[delayEvent(f.Key, p.id)] = fmt.Sprintf("after.%s:%d", p.path, at)
			at++
		}
	}
	if states, ok := n.Field("states"); ok {
		for _, f := range states.Fields {
			a.survey(f.Value, p.child(f.Key, f.Value))
		}
	}
}

// delayEvent is the name that XState gives the event of a timer.
func delayEvent(delay, state string) string {
	if ms, ok := milliseconds(delay); ok {
		delay = strconv.FormatFloat(ms, 'f', -1, 64)
	}
	return "xstate.after." + delay + "." + state
}

// invocations are those of a state.
func invocations(n *document.Node) []*document.Node {
	v, ok := n.Field("invoke")
	switch {
	case !ok:
		return nil
	case v.Kind == document.List:
		return v.Items
	}
	return []*document.Node{v}
}

// kindOf tells what kind a state is, as XState does.
func kindOf(n *document.Node) statechart.StateType {
	if v, ok := n.Field("type"); ok {
		return statechart.StateType(v.Text)
	}
	if v, ok := n.Field("states"); ok && len(v.Fields) > 0 {
		return statechart.Compound
	}
	if v, ok := n.Field("history"); ok && (v.Kind == document.String || v.Bool) {
		return statechart.History
	}
	return statechart.Atomic
}

// inJavaScriptOrder sorts the fields of an object as JavaScript has them: keys
// that are numbers of an array first, by their value.
func inJavaScriptOrder(fields []document.Field) []document.Field {
	const texts = 1<<32 - 1 // no index is that large
	place := func(f document.Field) uint64 {
		n, err := strconv.ParseUint(f.Key, 10, 32)
		if err != nil || strconv.FormatUint(n, 10) != f.Key {
			return texts
		}
		return n
	}
	if !slices.ContainsFunc(fields, func(f document.Field) bool { return place(f) < texts }) {
		return fields
	}
	out := slices.Clone(fields)
	slices.SortStableFunc(out, func(x, y document.Field) int {
		return cmp.Compare(place(x), place(y))
	})
	return out
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
