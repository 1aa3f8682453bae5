package chartgen

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/detent-run/detent/internal/chartgen/prefix"
	"github.com/detent-run/detent/internal/oracle"
	"github.com/detent-run/detent/statechart"
)

// handle is what the registered functions use of the product's and of the
// oracle's scope alike.
type handle interface {
	Event() statechart.Event
	Params() map[string]any
	Get(name string) (any, bool)
	Set(name string, v any) error
	Raise(statechart.Event) error
}

// odd is a guard that fails on what is no integer.
func odd(h handle) (bool, error) {
	n, ok := h.Params()["of"].(int64)
	if !ok {
		return false, fmt.Errorf("%v is no integer", h.Params()["of"])
	}
	return n%2 != 0, nil
}

// bump adds to a variable.
func bump(h handle) error {
	name, _ := h.Params()["variable"].(string)
	v, _ := h.Get(name)
	n, ok := v.(int64)
	by, ok2 := h.Params()["by"].(int64)
	if !ok || !ok2 {
		return errors.New("bump needs integers")
	}
	return h.Set(name, (n+by)%1000)
}

func boom(handle) error { return errors.New("boom") }

func shout(h handle) error {
	name, _ := h.Params()["event"].(string)
	return h.Raise(statechart.Event{Name: name, Data: h.Event().Data})
}

// Counters is the typed context of the second family. Log is replaced, never
// written to.
type Counters struct {
	N    [3]int64
	Hash int64 // depends on the order of all marks
	Log  []string
}

// marks is how many actions there are that only leave a mark.
const marks = 40

func markName(i int) string { return "mark" + strconv.Itoa(i) }

var typedGuards = []string{"even", "low", "sent", "n1", "loud"}

func (c *Counters) even(statechart.Event) bool { return c.Hash%2 == 0 }
func (c *Counters) low(statechart.Event) bool  { return c.N[0] < 4 }
func (c *Counters) n1(statechart.Event) bool   { return c.N[1]%3 == 1 }
func (c *Counters) loud(statechart.Event) bool { return len(c.Log) > 2 }
func (c *Counters) sent(e statechart.Event) bool {
	fields, _ := e.Data.(map[string]any)
	n, _ := fields["n"].(int64)
	return n > 2
}

func (c *Counters) step(statechart.Event) { c.N[0]++ }

func (c *Counters) mark(i int, e statechart.Event) {
	c.Hash = (c.Hash*31 + int64(i) + 1) % 1_000_003
	c.N[1+i%2]++
	if i%4 == 0 {
		log := append(slices.Clone(c.Log), e.Name)
		c.Log = log[max(0, len(log)-4):]
	}
}

// mayfail fails now and then, after it has written.
func (c *Counters) mayfail() error {
	c.N[2]++
	if c.N[2]%3 == 0 {
		return errors.New("the third time fails")
	}
	return nil
}

var typedPredicates = map[string]func(*Counters, statechart.Event) bool{
	"even": (*Counters).even, "low": (*Counters).low, "n1": (*Counters).n1, "loud": (*Counters).loud, "sent": (*Counters).sent,
}

// Registry returns the product's registry for a case, with the language of
// package prefix.
func Registry(typed bool) *statechart.Registry {
	r := statechart.NewRegistry()
	if !typed {
		r.Language(prefix.Language{})
	}
	Register(r, typed)
	return r
}

// Register registers all that a case names.
func Register(r *statechart.Registry, typed bool) {
	r.Performer("tool:t", "bell")
	if !typed {
		r.Guard("odd", func(s *statechart.Scope) (bool, error) { return odd(s) })
		for name, f := range actions {
			r.Action(name, func(s *statechart.Scope) error { return f(s) })
		}
		return
	}
	for name, f := range typedPredicates {
		statechart.Guard(r, name, f)
	}
	statechart.Assign(r, "step", (*Counters).step)
	for i := range marks {
		statechart.Assign(r, markName(i), func(c *Counters, e statechart.Event) { c.mark(i, e) })
	}
	statechart.Run(r, "mayfail", func(c *Counters, _ *statechart.Scope) error { return c.mayfail() })
}

var actions = map[string]func(handle) error{"bump": bump, "boom": boom, "shout": shout}

// Behaviour returns the same for the oracle.
func Behaviour(typed bool) oracle.Behaviour {
	b := oracle.Behaviour{
		Guards: map[string]func(*oracle.Scope) (bool, error){}, Actions: map[string]func(*oracle.Scope) error{},
		Evaluate:     evaluate,
		CloneContext: func(v any) any { c := *v.(*Counters); return &c },
	}
	context := func(x *oracle.Scope) *Counters { return x.Context().(*Counters) }
	if !typed {
		b.Guards["odd"] = func(x *oracle.Scope) (bool, error) { return odd(x) }
		for name, f := range actions {
			b.Actions[name] = func(x *oracle.Scope) error { return f(x) }
		}
		return b
	}
	for name, f := range typedPredicates {
		b.Guards[name] = func(x *oracle.Scope) (bool, error) { return f(context(x), x.Event()), nil }
	}
	b.Actions["step"] = func(x *oracle.Scope) error { context(x).step(x.Event()); return nil }
	for i := range marks {
		b.Actions[markName(i)] = func(x *oracle.Scope) error { context(x).mark(i, x.Event()); return nil }
	}
	b.Actions["mayfail"] = func(x *oracle.Scope) error { return context(x).mayfail() }
	return b
}

func evaluate(source string, x *oracle.Scope) (any, error) {
	e, err := prefix.Parse(source)
	if err != nil {
		return nil, err
	}
	return e.Evaluate(x)
}
