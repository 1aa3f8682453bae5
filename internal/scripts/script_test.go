package scripts

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// op is one step of a script.
type op struct {
	Kind string // send, pass, restart, suspend, resume, cancel, move
	Name string // of an event
	ID   string
	K    int64 // its payload
	Ms   int64 // that pass, that the engine is down, or until the session wakes
}

func (o op) String() string {
	switch o.Kind {
	case "send":
		text := fmt.Sprintf("send %s k=%d", o.Name, o.K)
		if o.ID != "" {
			text += " under " + o.ID
		}
		return text
	case "pass":
		return fmt.Sprintf("%d ms pass", o.Ms)
	case "restart":
		return fmt.Sprintf("the engine is killed and comes back after %d ms", o.Ms)
	case "suspend":
		if o.Ms > 0 {
			return fmt.Sprintf("suspend for %d ms", o.Ms)
		}
	case "move":
		return "export, and import on the other store"
	}
	return o.Kind
}

// GoString is how a failing script prints it.
func (o op) GoString() string { return o.String() }

// anOp draws a step. Whatever the script does happens at full hundredths of a
// second, and calls take times that are none.
var anOp = rapid.Custom(func(t *rapid.T) op {
	kinds := []string{"send", "pass", "send", "pass", "send", "resume", "send", "restart", "send", "pass", "send", "resume", "suspend", "pass", "send", "resume", "move", "cancel", "send", "pass"}
	o := op{Kind: kinds[pick(t, "kind", len(kinds))]}
	switch o.Kind {
	case "send":
		names := append([]string{"zz"}, append(events, events...)...)
		o.Name = names[pick(t, "event", len(names))]
		o.K = int64(pick(t, "k", 2))
		o.ID = []string{"", "", "a", "b", "c"}[pick(t, "id", 5)]
	case "pass":
		o.Ms = 10 * []int64{0, 1, 26, 112, 500, 2500}[pick(t, "ms", 6)]
	case "restart":
		o.Ms = 10 * []int64{0, 0, 100, 3000}[pick(t, "ms", 4)]
	case "suspend":
		o.Ms = 10 * []int64{0, 0, 50, 1000}[pick(t, "ms", 4)]
	case "cancel":
		if pick(t, "really", 4) > 0 {
			return op{Kind: "pass", Ms: 10}
		}
	}
	return o
})

// aScript is longer than what rapid makes of one list.
var aScript = rapid.Custom(func(t *rapid.T) (all []op) {
	for range 3 {
		all = append(all, rapid.SliceOfN(anOp, 0, 25).Draw(t, "part")...)
	}
	return all
})

func written(script []op) string {
	var b strings.Builder
	for i, o := range script {
		fmt.Fprintf(&b, "  %d. %s\n", i+1, o)
	}
	return b.String()
}
