package xstate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Observation is what can be seen of a session after one step of a script,
// in the same form of both sides.
type Observation struct {
	// States are the paths of the active leaves, sorted.
	States []string `json:"states"`
	// Context holds the variables by name; one that does not exist is null.
	Context map[string]any `json:"context"`
	// Status is active, done or error.
	Status string `json:"status"`
	// Taken says whether the step's event selected a transition that does
	// something.
	Taken bool `json:"taken"`
	// Trace are the logged values, in order.
	Trace []any `json:"trace"`
	// Timers are the milliseconds until each armed timer, sorted.
	Timers []int64 `json:"timers"`
	// Live are the open calls, by id.
	Live []Call `json:"live"`
	// Emitted are the emitted events, in order, with their payload's fields.
	Emitted []any `json:"emitted"`
	// Output is what the session ended with.
	Output any `json:"output"`
	// Error is why XState gave up; it is shown and not compared.
	Error string `json:"error,omitempty"`
}

// Call is an open call.
type Call struct {
	ID    string `json:"id"`
	Input any    `json:"input"`
}

// Fields renders an observation as one line of JSON for each thing that is
// compared, by name. Numbers of one value have one form, and null is no
// member of objects: JSON cannot say undefined.
func (o Observation) Fields() map[string]string {
	out := map[string]string{}
	for name, v := range map[string]any{
		"states": some(o.States), "context": o.Context, "status": o.Status, "taken": o.Taken, "trace": some(o.Trace), "timers": some(o.Timers),
		"live": some(o.Live), "emitted": some(o.Emitted), "output": o.Output,
	} {
		out[name] = canonical(v)
	}
	return out
}

// fieldNames are the names of [Observation.Fields] in the order in which
// people want to see them.
var fieldNames = []string{"states", "status", "taken", "context", "trace", "emitted", "timers", "live", "output"}

// canonical is v as JSON with sorted keys.
func canonical(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return "unencodable: " + err.Error()
	}
	var plain any
	if err := json.Unmarshal(raw, &plain); err != nil {
		return "undecodable: " + err.Error()
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(prune(plain)); err != nil {
		return "unencodable: " + err.Error()
	}
	return strings.TrimSpace(b.String())
}

// some makes an empty list of none.
func some[T any](list []T) []T { return append([]T{}, list...) }

// prune drops null members.
func prune(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			if x == nil {
				delete(v, k)
				continue
			}
			v[k] = prune(x)
		}
	case []any:
		for i := range v {
			v[i] = prune(v[i])
		}
	}
	return v
}

// Difference is the first step at which two runs differ.
type Difference struct {
	Step   int      // 0 is the start
	Names  []string // what differs, in the order of fieldNames
	Ours   map[string]string
	XState map[string]string
	Error  string // XState's
}

// Compare finds the first difference in what both have: a run that was
// stopped early is compared up to there.
func Compare(ours, theirs []Observation) *Difference {
	for i := range min(len(ours), len(theirs)) {
		d := &Difference{Step: i, Ours: ours[i].Fields(), XState: theirs[i].Fields(), Error: theirs[i].Error}
		for _, name := range fieldNames {
			if d.Ours[name] != d.XState[name] {
				d.Names = append(d.Names, name)
			}
		}
		if len(d.Names) > 0 {
			return d
		}
	}
	return nil
}

// String shows what differs, side by side, and where it stood.
func (d *Difference) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "step %d differs in %s\n", d.Step, strings.Join(d.Names, ", "))
	for _, name := range fieldNames {
		switch {
		case slices.Contains(d.Names, name):
			fmt.Fprintf(&b, "  %-8s ours   %s\n           xstate %s\n", name, d.Ours[name], d.XState[name])
		case name == "states":
			fmt.Fprintf(&b, "  %-8s both   %s\n", name, d.Ours[name])
		}
	}
	if d.Error != "" {
		fmt.Fprintf(&b, "  xstate gave up: %s\n", d.Error)
	}
	return b.String()
}
