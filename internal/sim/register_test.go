package sim

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/anishathalye/porcupine"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/statechart"
)

// registerChart is a session that holds one value: its state. Nothing happens
// in it but what a client asks for, so that each row of its journal is one
// client's.
func registerChart(t testing.TB) *statechart.Chart {
	var states []statechart.State
	var on []statechart.Transition
	for i := range 4 {
		name := fmt.Sprint("v", i)
		states = append(states, statechart.State{Name: name})
		on = append(on, statechart.Transition{Event: "put." + name, Target: "." + name})
	}
	c, err := statechart.Compile(statechart.Definition{ID: "register", Root: statechart.State{Initial: "v0", States: states, On: on}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// call is what a client asks for, and reply what it is told.
type call struct {
	verb, session string
	id, value     string // of a send
}

type reply struct {
	// kind is ok, conflict, refused or wrong_status, or unknown: no answer, or
	// one that leaves open what happened.
	kind      string
	sequence  uint64
	value     string
	status    durable.Status
	duplicate bool
	queued    int
}

// register is what the session is by the contract: one at a time, in some
// order, every call takes its effect at once.
type register struct {
	status   durable.Status
	sequence uint64
	value    string
	queue    []put
	ids      map[string]known
}

type put struct{ id, value string }

// known is what an id stands for: the value, the row that recorded it (0 while
// it is queued).
type known struct {
	value    string
	sequence uint64
}

func (r register) over() bool { return r.status.Over() }

// apply is the register after a put.
func (r register) apply(p put) register {
	r.sequence++
	r.value = p.value
	return r.remember(p, r.sequence)
}

func (r register) remember(p put, sequence uint64) register {
	if p.id == "" {
		return r
	}
	r.ids = maps.Clone(r.ids)
	if r.ids == nil {
		r.ids = map[string]known{}
	}
	r.ids[p.id] = known{p.value, sequence}
	return r
}

// step lets one call take its effect and says what the client must be told.
func (r register) step(c call) (register, reply) {
	switch c.verb {
	case "send":
		return r.send(put{c.id, c.value})
	case "suspend", "cancel":
		if r.over() && (c.verb == "suspend" || r.status != durable.Cancelled) {
			return r, reply{kind: "wrong_status"}
		}
		if r.over() {
			return r, reply{kind: "ok"}
		}
		r.sequence++
		r.status = durable.Suspended
		if c.verb == "cancel" {
			r.status, r.queue = durable.Cancelled, nil
		}
		return r, reply{kind: "ok"}
	case "resume":
		if r.over() {
			return r, reply{kind: "wrong_status"}
		}
		if r.status == durable.Suspended {
			r.status = durable.Active
			r.sequence++
		}
		return r, reply{kind: "ok"}
	}
	return r, reply{kind: "ok", sequence: r.sequence, value: r.value, status: r.status, queued: len(r.queue)} // get
}

func (r register) send(p put) (register, reply) {
	if k, ok := r.ids[p.id]; ok && p.id != "" {
		if k.value != p.value {
			return r, reply{kind: "conflict"}
		}
		return r, reply{kind: "ok", sequence: k.sequence, value: r.value, status: r.status, duplicate: true}
	}
	switch {
	case r.over():
		return r, reply{kind: "refused"}
	case r.status == durable.Suspended:
		r.queue = append(slices.Clip(r.queue), p)
		r = r.remember(p, 0)
		return r, reply{kind: "ok", value: r.value, status: r.status}
	}
	r = r.apply(p)
	return r, reply{kind: "ok", sequence: r.sequence, value: r.value, status: r.status}
}

// taken are the registers that this one may have become by itself when the
// next call is looked at: an active session takes its queue up, one by one. A
// send stands behind all of it.
func (r register) taken(c call) []register {
	out := []register{r}
	for r.status == durable.Active && len(r.queue) > 0 {
		p := r.queue[0]
		r.queue = r.queue[1:]
		r = r.apply(p)
		if c.verb == "send" {
			out = out[:0]
		}
		out = append(out, r)
	}
	return out
}

// contract is the register as porcupine takes it: E1, E3, E4 and D5 at once.
var contract = (&porcupine.NondeterministicModel{
	Partition: func(all []porcupine.Operation) [][]porcupine.Operation {
		by := map[string][]porcupine.Operation{}
		for _, op := range all {
			session := op.Input.(call).session
			by[session] = append(by[session], op)
		}
		var out [][]porcupine.Operation
		for _, session := range slices.Sorted(maps.Keys(by)) {
			out = append(out, by[session])
		}
		return out
	},
	Init: func() []any { return []any{register{status: durable.Active, sequence: 1, value: "v0"}} },
	Step: func(state, input, output any) (out []any) {
		c, got := input.(call), output.(reply)
		for _, r := range state.(register).taken(c) {
			next, want := r.step(c)
			if got.kind == "unknown" || got == want {
				out = append(out, next)
			}
		}
		return out
	},
	Equal: func(a, b any) bool { return reflect.DeepEqual(a, b) },
}).ToModel()

// told writes a history for people, by the time of the calls.
func told(all []porcupine.Operation) string {
	var b strings.Builder
	for _, op := range all {
		c, r := op.Input.(call), op.Output.(reply)
		end := fmt.Sprint(op.Return)
		if op.Return == never {
			end = "…"
		}
		fmt.Fprintf(&b, "  %s %d–%s: %s", c.session, op.Call, end, c.verb)
		if c.verb == "send" {
			fmt.Fprintf(&b, " %s id=%q", c.value, c.id)
		}
		fmt.Fprintf(&b, " → %s", r.kind)
		if r.kind == "ok" && (c.verb == "send" || c.verb == "get") {
			fmt.Fprintf(&b, " row %d, %s, %s", r.sequence, r.value, r.status)
			if r.duplicate {
				b.WriteString(", duplicate")
			}
			if r.queued > 0 {
				fmt.Fprintf(&b, ", %d queued", r.queued)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}
